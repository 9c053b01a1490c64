//! What each operation holds on to for its gradient, as PyTorch's does.
//!
//! This is what activations cost: what stands here stays charged until the way back has been gone. The
//! rules get everything else as ghosts, which have a shape but no values.

use crate::worker::tensor::op::nn::{Kept, Nn};
use crate::worker::tensor::op::{Binary, Op, Reduction, Side, Ternary, Unary};

/// Tells which inputs, by position, and whether the result (as nothing) have to be held, if those inputs
/// want gradients of which `wants` is true.
pub fn saves(op: &Op, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    match op {
        Op::Unary(how) => match how {
            Unary::Exp
            | Unary::Sqrt
            | Unary::Rsqrt
            | Unary::Tanh
            | Unary::Sigmoid
            | Unary::Relu => hold(None),
            Unary::Abs | Unary::Log | Unary::Sin | Unary::Cos | Unary::Gelu | Unary::Erf => {
                hold(Some(0));
            }
            Unary::Neg
            | Unary::Floor
            | Unary::Ceil
            | Unary::Round
            | Unary::Sign
            | Unary::LogicalNot => {}
        },
        Op::Binary(how) => binary(*how, wants, hold),
        Op::WithNumber { how, side, .. } => match (how, side) {
            (Binary::Pow, Side::Left) => hold(None),
            (Binary::Div | Binary::Remainder, Side::Left)
            | (Binary::Pow, Side::Right)
            | (Binary::Maximum | Binary::Minimum, _) => hold(Some(0)),
            (Binary::Div | Binary::Remainder, Side::Right)
            | (Binary::Add | Binary::Sub | Binary::Mul | Binary::FloorDiv, _) => {}
        },
        Op::MatMul => each_for_the_other(wants, hold),
        Op::Reduce(Reduction::Max | Reduction::Min, ..) => {
            hold(Some(0));
            hold(None);
        }
        Op::Softmax(_) | Op::LogSoftmax(_) => hold(None),
        Op::IndexSelect(_) | Op::Gather(_) | Op::ScatterAdd(..) | Op::IndexAdd(..) => hold(Some(1)),
        Op::Ternary(how) => ternary(*how, wants, hold),
        Op::Index(dims) => (1..=dims.len()).for_each(|at| hold(Some(at))),
        Op::IndexPut(dims, _) => (2..dims.len() + 2).for_each(|at| hold(Some(at))),
        Op::Where => hold(Some(0)),
        Op::Nn(op) => layer(op, wants, hold),
        Op::AddScaled(_)
        | Op::Towards(_)
        | Op::Compare(_)
        | Op::CompareNumber(..)
        | Op::Reduce(Reduction::Sum | Reduction::Mean, ..)
        | Op::Arg(..)
        | Op::View(_)
        | Op::Cat(_)
        | Op::Cast(_)
        | Op::Clone
        | Op::Tril(_) => {}
    }
}

fn layer(op: &Nn, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    match op {
        Nn::Linear | Nn::LinearBias => each_for_the_other(wants, hold),
        Nn::Activate(how) => match how.kept() {
            Kept::Input => hold(Some(0)),
            Kept::Result => hold(None),
        },
        // Classes or indices, and weights where there are; scores and rows only lend their shape.
        Nn::Nll(_)
        | Nn::NllBack(..)
        | Nn::Embedding(_)
        | Nn::EmbeddingBack { .. }
        | Nn::Dropout(_) => {
            hold(Some(1));
            hold(Some(2));
        }
        Nn::Norm(_) | Nn::Loss(..) => {
            hold(Some(0));
            hold(Some(1));
        }
        Nn::Attention(_) => {
            for at in 0..4 {
                hold(Some(at));
            }
            // The kernel of the way back reads the result, too.
            hold(None);
        }
        Nn::SoftmaxBack(_)
        | Nn::LogSoftmaxBack(_)
        | Nn::ActivateBack(_)
        | Nn::NormBack(_)
        | Nn::NormBackAffine(_)
        | Nn::LossBack(..)
        | Nn::AttentionBack(_)
        | Nn::FoundInf => {}
    }
}

fn binary(how: Binary, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    match how {
        Binary::Add | Binary::Sub | Binary::FloorDiv => {}
        Binary::Mul => each_for_the_other(wants, hold),
        Binary::Div => {
            hold(Some(1));
            if wants(1) {
                hold(Some(0));
            }
        }
        Binary::Pow => {
            hold(Some(0));
            hold(Some(1));
            if wants(1) {
                hold(None);
            }
        }
        Binary::Remainder => {
            if wants(1) {
                hold(Some(0));
                hold(Some(1));
            }
        }
        Binary::Maximum | Binary::Minimum => {
            hold(Some(0));
            hold(Some(1));
        }
    }
}

fn ternary(how: Ternary, wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    match how {
        Ternary::AddCMul(_) => {
            if wants(2) {
                hold(Some(1));
            }
            if wants(1) {
                hold(Some(2));
            }
        }
        Ternary::AddCDiv(_) => {
            if wants(2) {
                hold(Some(1));
            }
            if wants(1) || wants(2) {
                hold(Some(2));
            }
        }
        Ternary::Lerp => {
            if wants(2) {
                hold(Some(0));
                hold(Some(1));
            }
            hold(Some(2));
        }
    }
}

/// A product: the gradient of each factor needs the other one.
fn each_for_the_other(wants: &dyn Fn(usize) -> bool, hold: &mut dyn FnMut(Option<usize>)) {
    if wants(1) {
        hold(Some(0));
    }
    if wants(0) {
        hold(Some(1));
    }
}

#[cfg(test)]
mod tests {
    use crate::worker::device::cpu::Cpu;
    use crate::worker::device::{Place, open};
    use crate::worker::engine::{Engine, Fill};
    use crate::worker::tensor::dtype::{Category, DType};
    use crate::worker::tensor::op::{Binary, Meta, Op, Reduction, Side, Ternary, Unary, View};
    use crate::worker::tensor::shape::Keep;
    use crate::worker::tensor::{Graph, Tensor, backward};
    use std::rc::Rc;

    const UNARY: [Unary; 17] = [
        Unary::Neg,
        Unary::Abs,
        Unary::Exp,
        Unary::Log,
        Unary::Sqrt,
        Unary::Rsqrt,
        Unary::Sin,
        Unary::Cos,
        Unary::Tanh,
        Unary::Sigmoid,
        Unary::Relu,
        Unary::Gelu,
        Unary::Erf,
        Unary::Floor,
        Unary::Ceil,
        Unary::Round,
        Unary::Sign,
    ];

    const BINARY: [Binary; 9] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::FloorDiv,
        Binary::Remainder,
        Binary::Pow,
        Binary::Maximum,
        Binary::Minimum,
    ];

    /// Operations on square matrices, each with how many it takes.
    fn on_matrices(size: usize) -> Vec<(Op, usize)> {
        let mut all: Vec<(Op, usize)> = UNARY.iter().map(|how| (Op::Unary(*how), 1)).collect();
        for how in BINARY {
            all.push((Op::Binary(how), 2));
            for side in [Side::Left, Side::Right] {
                let kind = Category::Float;
                let number = 2.5;
                all.push((
                    Op::WithNumber {
                        how,
                        number,
                        kind,
                        side,
                    },
                    1,
                ));
            }
        }
        for how in [
            Reduction::Sum,
            Reduction::Mean,
            Reduction::Max,
            Reduction::Min,
        ] {
            all.push((Op::Reduce(how, vec![1], Keep::Drop), 1));
        }
        for view in [
            View::Reshape(vec![size * size]),
            View::Permute(vec![1, 0]),
            View::Narrow {
                dim: 1,
                start: 1,
                len: size - 1,
            },
            View::Every { dim: 0, step: 2 },
            View::Expand(vec![2, size, size]),
        ] {
            all.push((Op::View(view), 1));
        }
        all.extend([
            (Op::AddScaled(2.0), 2),
            (Op::Towards(0.25), 2),
            (Op::Ternary(Ternary::AddCMul(2.0)), 3),
            (Op::Ternary(Ternary::AddCDiv(2.0)), 3),
            (Op::Ternary(Ternary::Lerp), 3),
            (Op::MatMul, 2),
            (Op::Softmax(1), 1),
            (Op::LogSoftmax(1), 1),
            (Op::Cat(0), 2),
            (Op::Cast(DType::F64), 1),
            (Op::Clone, 1),
            (Op::Tril(0), 1),
        ]);
        all
    }

    /// Goes through an operation and back with each choice of inputs that want a gradient.
    fn there_and_back(engine: &Rc<Engine>, place: Place, size: usize, (op, count): &(Op, usize)) {
        for choice in 1..(1_u32 << count) {
            let matrices: Vec<Tensor> = (0..*count)
                .map(|at| {
                    let meta = Meta::new(vec![size, size], DType::F32);
                    let matrix = engine.full(meta, place, 1.5 + at as f64).unwrap();
                    let wants = choice & (1 << at) != 0;
                    matrix.set_requires_grad(wants).unwrap();
                    matrix
                })
                .collect();
            let out = engine.apply(op.clone(), &matrices.iter().collect::<Vec<_>>());
            back_from(engine, &out.unwrap(), &matrices, &format!("{op:?}"));
        }
    }

    fn back_from(engine: &Rc<Engine>, out: &Tensor, inputs: &[Tensor], name: &str) {
        let seed = engine.full_like(out, 1.0).unwrap();
        backward(engine, out, Some(&seed), Graph::Freed)
            .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        for input in inputs {
            let shape = input.grad().map(|it| it.shape());
            let expected = input.requires_grad().then(|| input.shape());
            assert_eq!(shape, expected, "{name}");
        }
    }

    fn with_positions(engine: &Rc<Engine>, place: Place, size: usize) {
        let wanting = || {
            let meta = Meta::new(vec![size, size], DType::F32);
            let it = engine.full(meta, place, 1.5).unwrap();
            it.set_requires_grad(true).unwrap();
            it
        };
        let positions = |shape: Vec<usize>| {
            let make = || {
                Ok(candle_core::Tensor::zeros(
                    &*shape,
                    candle_core::DType::I64,
                    &candle_core::Device::Cpu,
                )?)
            };
            let meta = Meta::new(shape.clone(), DType::I64);
            engine.create(meta, place, &Fill::Values(&make)).unwrap()
        };
        let (row, all) = (positions(vec![size]), positions(vec![size, size]));
        let whole = vec![size, size];
        for (op, index) in [
            (Op::IndexSelect(0), &row),
            (Op::Index(vec![0]), &row),
            (Op::Index(vec![1]), &row),
            (Op::Gather(0), &all),
            (Op::ScatterAdd(0, whole.clone()), &all),
            (Op::IndexAdd(0, whole), &row),
        ] {
            let a = wanting();
            let out = engine.apply(op.clone(), &[&a, index]).unwrap();
            back_from(engine, &out, &[a], &format!("{op:?}"));
        }
        let (a, b) = (wanting(), wanting());
        let condition = engine
            .apply(Op::Cast(DType::Bool), &[&a.detached(engine.next_id())])
            .unwrap();
        let out = engine.apply(Op::Where, &[&condition, &a, &b]).unwrap();
        back_from(engine, &out, &[a, b], "where");
    }

    #[test]
    fn no_gradient_reads_what_was_not_saved_for_it() {
        let engine = Engine::new(Box::new(Cpu::new()), 0);
        for case in on_matrices(3) {
            there_and_back(&engine, Place::Cpu, 3, &case);
        }
        with_positions(&engine, Place::Cpu, 3);
    }

    #[test]
    fn gradients_of_mere_shapes_have_shapes() {
        let card = open(&"model:t4".parse().unwrap(), crate::protocol::Aim::Run).unwrap();
        let engine = Engine::new(card, 0);
        // One row more than what a modelled card computes.
        let size = 2049;
        for case in on_matrices(size) {
            there_and_back(&engine, Place::Card(0), size, &case);
        }
        with_positions(&engine, Place::Card(0), size);
    }
}
