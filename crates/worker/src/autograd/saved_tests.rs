//! No gradient reads what was not saved for it, with values and on a card without any.

use crate::autograd::table_tests::cases::{ACTIVATIONS, REDUCTIONS};
use crate::autograd::{Graph, backward};
use crate::device::cpu::Cpu;
use crate::device::{TensorDevice, open};
use crate::dtype::{Category, DType};
use crate::engine::{Engine, Fill};
use crate::meta::Meta;
use crate::ops::{
    Activate, Arithmetic as _, Binary, BinaryScalar, Cat, Index, Mask, MatMul, NumberSide, Op,
    Reduce, Reduction, Scan, Scatter, Softmax, Ternary, ToCopy, Unary, ValuesOf, View,
};
use crate::shape::Keep;
use crate::tensor::Tensor;
use std::rc::Rc;

/// The reduction of the rows of a matrix, or of all of it where that is all it does.
fn reduced(reduction: Reduction) -> Op {
    let dims = match reduction {
        Reduction::Max | Reduction::Min => Vec::new(),
        Reduction::Sum
        | Reduction::Mean
        | Reduction::Prod
        | Reduction::AMax
        | Reduction::AMin
        | Reduction::Var(_)
        | Reduction::Std(_)
        | Reduction::Norm(_)
        | Reduction::LogSumExp
        | Reduction::All
        | Reduction::Any
        | Reduction::CountNonzero => vec![1],
    };
    let keep = Keep::Drop;
    let reduce = Reduce {
        reduction,
        dims,
        keep,
    };
    reduce.into()
}

/// Operations on square matrices, each with how many it takes.
fn on_matrices(size: usize) -> Vec<(Op, usize)> {
    let mut all: Vec<(Op, usize)> = Vec::new();
    let float = |op: &Op, count: usize| {
        let meta = Meta::new(vec![size, size], DType::F32);
        let inputs = vec![&meta; count];
        op.facts()
            .result(&inputs)
            .is_ok_and(|it| it.dtype.is_float())
    };
    for how in Unary::ALL.iter().copied() {
        all.push((Op::Unary(how), 1));
    }
    for how in Binary::ALL.iter().copied() {
        all.push((Op::Binary(how), 2));
        for side in [NumberSide::Left, NumberSide::Right] {
            let kind = Category::Float;
            let number = 2.5;
            all.push((
                Op::BinaryScalar(BinaryScalar {
                    function: how,
                    number,
                    kind,
                    side,
                }),
                1,
            ));
        }
    }
    all.extend(REDUCTIONS.map(|it| (reduced(it), 1)));
    all.extend(ACTIVATIONS.map(|it| (Activate::Forward(it).into(), 1)));
    for view in [
        View::Reshape(vec![size * size]),
        View::Permute(vec![1, 0]),
        View::Narrow {
            dim: 1,
            start: 1,
            len: size - 1,
        },
        View::Step { dim: 0, step: 2 },
        View::Expand(vec![2, size, size]),
    ] {
        all.push((Op::View(view), 1));
    }
    let (beta, alpha) = (2.0, 3.0);
    all.extend([
        (Ternary::AddAlpha(2.0).into(), 2),
        (Ternary::LerpScalar(0.25).into(), 2),
        (MatMul::MatMul.into(), 2),
        (Softmax::Softmax(1).into(), 1),
        (Softmax::LogSoftmax(1).into(), 1),
        (Cat(0).into(), 2),
        (ToCopy::Cast(DType::F64).into(), 1),
        (ToCopy::Clone.into(), 1),
        (Mask::Tril(0).into(), 1),
        (Mask::Triu(0).into(), 1),
        (ToCopy::Flip(vec![0]).into(), 1),
        (Scan::CumSum(0).into(), 1),
        (Op::Ternary(Ternary::AddCMul(2.0)), 3),
        (Op::Ternary(Ternary::AddCDiv(2.0)), 3),
        (Op::Ternary(Ternary::Lerp), 3),
        (MatMul::AddMM { beta, alpha }.into(), 3),
    ]);
    all.retain(|(op, count)| float(op, *count));
    all
}

/// Goes through an operation and back with each choice of inputs that want a gradient.
fn there_and_back(
    engine: &Rc<Engine>,
    device: TensorDevice,
    size: usize,
    (op, count): &(Op, usize),
) {
    for choice in 1..(1_u32 << count) {
        let matrices: Vec<Tensor> = (0..*count)
            .map(|at| {
                let meta = Meta::new(vec![size, size], DType::F32);
                let matrix = engine.full(meta, device, 1.5 + at as f64).unwrap();
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
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    for input in inputs {
        let shape = input.grad().map(|it| it.shape());
        let expected = input.requires_grad().then(|| input.shape());
        assert_eq!(shape, expected, "{name}");
    }
}

fn with_positions(engine: &Rc<Engine>, device: TensorDevice, size: usize) {
    let wanting = || {
        let meta = Meta::new(vec![size, size], DType::F32);
        let it = engine.full(meta, device, 1.5).unwrap();
        it.set_requires_grad(true).unwrap();
        it
    };
    let positions = |shape: Vec<usize>| {
        let make = |_: &candle_core::Device| {
            Ok(candle_core::Tensor::zeros(
                &*shape,
                candle_core::DType::I64,
                &candle_core::Device::Cpu,
            )?)
        };
        let meta = Meta::new(shape.clone(), DType::I64);
        engine.create(meta, device, &Fill::Values(&make)).unwrap()
    };
    let (row, all) = (positions(vec![size]), positions(vec![size, size]));
    let whole = vec![size, size];
    let take = Index::TakeAlongDim {
        values_of: ValuesOf::Sort,
        dim: 0,
        keep: Keep::AsOne,
    };
    for (op, index) in [
        (Op::from(Index::IndexSelect(0)), &row),
        (Index::Index(vec![0]).into(), &row),
        (Index::Index(vec![1]).into(), &row),
        (Index::Gather(0).into(), &all),
        (take.into(), &all),
        (Scatter::GatherBackward(0, whole.clone()).into(), &all),
        (Scatter::IndexSelectBackward(0, whole).into(), &row),
    ] {
        let a = wanting();
        let out = engine.apply(op.clone(), &[&a, index]).unwrap();
        back_from(engine, &out, &[a], &format!("{op:?}"));
    }
    let (a, b) = (wanting(), wanting());
    let condition = engine
        .apply(ToCopy::Cast(DType::Bool), &[&a.detached(engine.next_id())])
        .unwrap();
    let out = engine.apply(Mask::Where, &[&condition, &a, &b]).unwrap();
    back_from(engine, &out, &[a, b], "where");
}

#[test]
fn no_gradient_reads_what_was_not_saved_for_it() {
    let engine = Engine::new(Box::new(Cpu::new()), 0);
    for case in on_matrices(3) {
        there_and_back(&engine, TensorDevice::Cpu, 3, &case);
    }
    with_positions(&engine, TensorDevice::Cpu, 3);
}

#[test]
fn gradients_without_values_have_shapes() {
    let card = open(
        &"model:t4".parse().unwrap(),
        warpup_protocol::Aim::Run,
        &warpup_protocol::Limits::default(),
    )
    .unwrap();
    let engine = Engine::new(card, 0);
    // One row more than what a modelled card computes.
    let size = 2049;
    for case in on_matrices(size) {
        there_and_back(&engine, TensorDevice::Card(0), size, &case);
    }
    with_positions(&engine, TensorDevice::Card(0), size);
}
