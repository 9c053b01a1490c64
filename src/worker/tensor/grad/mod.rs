//! Going backward: the gradient of each operation, made of operations of the same table, so that it
//! costs time and memory on the device like everything else.

mod nn;
mod shapes;

use super::fault::Fault;
use super::op::nn::{Activation, Nn};
use super::op::{Binary, Compare, Op, Reduction, Side, Unary};
use super::{Made, Tensor};
use crate::worker::device::model::Waits;
use crate::worker::engine::Engine;
use shapes::{as_type, cat, matmul, reduce, seen_as, summed_to};
use std::collections::BTreeMap;

type Grads = Result<Vec<Option<Tensor>>, Fault>;

/// What becomes of the graph when it has been gone backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// It lets go of what it saved, which gives memory back.
    Freed,
    /// It stays, for another time.
    Retained,
}

/// Gathers gradients in the leaves that `root` was made from.
pub fn backward(
    engine: &Engine,
    root: &Tensor,
    seed: Option<&Tensor>,
    graph: Graph,
) -> Result<(), Fault> {
    if !root.requires_grad() {
        return Err(Fault::runtime(
            "element 0 of tensors does not require grad and does not have a grad_fn",
        ));
    }
    let seed = match seed {
        Some(seed) => seed.clone(),
        None if root.meta().count() == 1 => engine.full_like(root, 1.0)?,
        None => {
            return Err(Fault::runtime(
                "grad can be implicitly created only for scalar outputs",
            ));
        }
    };
    let was_enabled = engine.set_grad_enabled(false);
    let result = walk(engine, root, seed, graph);
    engine.set_grad_enabled(was_enabled);
    result
}

/// Numbers grow from inputs to results, so the largest number left is always ready to go.
fn walk(engine: &Engine, root: &Tensor, seed: Tensor, graph: Graph) -> Result<(), Fault> {
    let mut ready = BTreeMap::from([(root.id(), (root.clone(), seed))]);
    while let Some((_, (tensor, grad))) = ready.pop_last() {
        let node = tensor.node().clone();
        let Some(node) = node else {
            let sum = match tensor.grad() {
                Some(before) => engine.binary(Binary::Add, &before, &grad)?,
                None => grad,
            };
            tensor.set_grad(Some(sum));
            continue;
        };
        let Some(inputs) = node.inputs else {
            return Err(Fault::runtime(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
            ));
        };
        let grads = of(engine, &node.how, &inputs, &tensor, &grad)?;
        if graph == Graph::Freed && !saves_nothing(&node.how, &inputs) {
            tensor.forget_inputs();
        }
        for (input, grad) in inputs.iter().zip(grads) {
            let Some(grad) = grad.filter(|_| input.requires_grad()) else {
                continue;
            };
            let sum = match ready.remove(&input.id()) {
                Some((_, before)) => engine.binary(Binary::Add, &before, &grad)?,
                None => grad,
            };
            ready.insert(input.id(), (input.clone(), sum));
        }
    }
    Ok(())
}

/// Whether the way back needs neither inputs nor result, and the inputs are held by others anyway: such a
/// step can be gone twice.
fn saves_nothing(how: &Made, inputs: &[Tensor]) -> bool {
    let linear = match how {
        Made::CopiedFrom(_)
        | Made::By(
            Op::Binary(Binary::Add | Binary::Sub)
            | Op::WithNumber {
                how: Binary::Add | Binary::Sub | Binary::Mul,
                ..
            }
            | Op::Unary(Unary::Neg)
            | Op::Reduce(Reduction::Sum | Reduction::Mean, ..)
            | Op::View(_)
            | Op::Cat(_)
            | Op::Cast(_)
            | Op::Clone
            | Op::Tril(_),
        ) => true,
        Made::By(_) => false,
    };
    linear && inputs.iter().all(Tensor::is_leaf)
}

/// The gradients of the inputs, given that of the result.
fn of(e: &Engine, how: &Made, inputs: &[Tensor], out: &Tensor, grad: &Tensor) -> Grads {
    let op = match how {
        Made::CopiedFrom(place) => return Ok(vec![Some(e.copy(grad, *place, Waits::Yes)?)]),
        Made::By(op) => op,
    };
    match (op, inputs) {
        (Op::Unary(how), [a]) => Ok(vec![unary(e, *how, a, out, grad)?]),
        (Op::Binary(how), [a, b]) => binary(e, *how, (a, b), out, grad),
        (
            Op::WithNumber {
                how, number, side, ..
            },
            [a],
        ) => Ok(vec![Some(with_number(
            e,
            (*how, *number, *side),
            a,
            out,
            grad,
        )?)]),
        (Op::MatMul, [a, b]) => matmul(e, a, b, grad),
        (Op::Reduce(how, dims, _), [a]) => Ok(vec![Some(reduce(e, *how, dims, a, grad)?)]),
        (Op::Softmax(dim), [_]) => {
            let back = Op::Nn(Nn::SoftmaxBack(*dim));
            Ok(vec![Some(e.apply(back, &[grad, out])?)])
        }
        (Op::LogSoftmax(dim), [_]) => {
            let back = Op::Nn(Nn::LogSoftmaxBack(*dim));
            Ok(vec![Some(e.apply(back, &[grad, out])?)])
        }
        (Op::Nn(op), inputs) => nn::of(e, op, inputs, out, grad),
        (Op::View(view), [a]) => Ok(vec![Some(seen_as(e, view, a, grad)?)]),
        (Op::Cat(dim), parts) => cat(e, *dim, parts, grad),
        (Op::IndexSelect(dim), [a, index]) => {
            let back = Op::IndexAdd(*dim, a.shape());
            Ok(vec![Some(e.apply(back, &[grad, index])?), None])
        }
        (Op::Gather(dim), [a, index]) => {
            let back = Op::ScatterAdd(*dim, a.shape());
            Ok(vec![Some(e.apply(back, &[grad, index])?), None])
        }
        (Op::Where, [condition, a, b]) => {
            let zero = e.full_like(grad, 0.0)?;
            let of_a = e.apply(Op::Where, &[condition, grad, &zero])?;
            let of_b = e.apply(Op::Where, &[condition, &zero, grad])?;
            Ok(vec![
                None,
                Some(summed_to(e, &of_a, a)?),
                Some(summed_to(e, &of_b, b)?),
            ])
        }
        (Op::Cast(_), [a]) => Ok(vec![Some(e.apply(Op::Cast(a.dtype()), &[grad])?)]),
        (Op::Clone, [_]) => Ok(vec![Some(grad.clone())]),
        (Op::Tril(diagonal), [_]) => Ok(vec![Some(e.apply(Op::Tril(*diagonal), &[grad])?)]),
        (_, inputs) => Ok(inputs.iter().map(|_| None).collect()),
    }
}

fn unary(
    e: &Engine,
    how: Unary,
    a: &Tensor,
    out: &Tensor,
    grad: &Tensor,
) -> Result<Option<Tensor>, Fault> {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope).map(Some);
    let back = |how: Activation| nn::activation(e, how, a, out, grad).map(Some);
    match how {
        Unary::Neg => e.unary(Unary::Neg, grad).map(Some),
        Unary::Abs => times(&e.unary(Unary::Sign, a)?),
        Unary::Exp => times(out),
        Unary::Log => e.binary(Binary::Div, grad, a).map(Some),
        Unary::Sqrt => {
            let double = e.number(Binary::Mul, out, 2.0)?;
            e.binary(Binary::Div, grad, &double).map(Some)
        }
        Unary::Rsqrt => {
            let cube = e.number(Binary::Pow, out, 3.0)?;
            times(&e.number(Binary::Mul, &cube, -0.5)?)
        }
        Unary::Sin => times(&e.unary(Unary::Cos, a)?),
        Unary::Cos => times(&e.unary(Unary::Neg, &e.unary(Unary::Sin, a)?)?),
        Unary::Tanh => back(Activation::Tanh),
        Unary::Sigmoid => back(Activation::Sigmoid),
        Unary::Relu => back(Activation::Relu),
        Unary::Gelu => back(Activation::Gelu),
        Unary::Erf => {
            let bell = bell(e, a, -1.0)?;
            times(&e.number(Binary::Mul, &bell, std::f64::consts::FRAC_2_SQRT_PI)?)
        }
        Unary::Floor | Unary::Ceil | Unary::Round | Unary::Sign => e.full_like(grad, 0.0).map(Some),
        Unary::LogicalNot => Ok(None),
    }
}

fn from_one(e: &Engine, a: &Tensor) -> Result<Tensor, Fault> {
    let kind = super::dtype::Category::Float;
    e.apply(
        Op::WithNumber {
            how: Binary::Sub,
            number: 1.0,
            kind,
            side: Side::Left,
        },
        &[a],
    )
}

/// `exp(scale · a²)`
fn bell(e: &Engine, a: &Tensor, scale: f64) -> Result<Tensor, Fault> {
    let square = e.binary(Binary::Mul, a, a)?;
    e.unary(Unary::Exp, &e.number(Binary::Mul, &square, scale)?)
}

fn binary(
    e: &Engine,
    how: Binary,
    (a, b): (&Tensor, &Tensor),
    out: &Tensor,
    grad: &Tensor,
) -> Grads {
    let (of_a, of_b) = match how {
        Binary::Add => (grad.clone(), grad.clone()),
        Binary::Sub => (grad.clone(), e.unary(Unary::Neg, grad)?),
        Binary::Mul => (
            e.binary(Binary::Mul, grad, b)?,
            e.binary(Binary::Mul, grad, a)?,
        ),
        Binary::Div => {
            let of_a = e.binary(Binary::Div, grad, b)?;
            let share = e.binary(Binary::Div, &e.binary(Binary::Mul, grad, out)?, b)?;
            (of_a, e.unary(Unary::Neg, &share)?)
        }
        Binary::Pow => {
            let lower = e.binary(Binary::Pow, a, &e.number(Binary::Sub, b, 1.0)?)?;
            let of_a = e.binary(Binary::Mul, grad, &e.binary(Binary::Mul, b, &lower)?)?;
            let slope = e.binary(Binary::Mul, out, &e.unary(Unary::Log, a)?)?;
            (of_a, e.binary(Binary::Mul, grad, &slope)?)
        }
        Binary::Maximum | Binary::Minimum => {
            let how = if how == Binary::Maximum {
                Compare::Ge
            } else {
                Compare::Le
            };
            let first = e.apply(Op::Compare(how), &[a, b])?;
            let first = e.apply(Op::Cast(grad.dtype()), &[&first])?;
            let second = from_one(e, &first)?;
            (
                e.binary(Binary::Mul, grad, &first)?,
                e.binary(Binary::Mul, grad, &second)?,
            )
        }
        Binary::FloorDiv => return Ok(vec![None, None]),
        Binary::Remainder => (grad.clone(), e.full_like(grad, 0.0)?),
    };
    Ok(vec![
        Some(summed_to(e, &of_a, a)?),
        Some(summed_to(e, &of_b, b)?),
    ])
}

fn with_number(
    e: &Engine,
    (how, number, side): (Binary, f64, Side),
    a: &Tensor,
    out: &Tensor,
    grad: &Tensor,
) -> Result<Tensor, Fault> {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope);
    let grad = match (how, side) {
        (Binary::Add, _) | (Binary::Sub | Binary::Remainder, Side::Right) => grad.clone(),
        (Binary::Sub, Side::Left) => e.unary(Unary::Neg, grad)?,
        (Binary::Mul, _) => e.number(Binary::Mul, grad, number)?,
        (Binary::Div, Side::Right) => e.number(Binary::Div, grad, number)?,
        (Binary::Div, Side::Left) => {
            e.unary(Unary::Neg, &e.binary(Binary::Div, &times(out)?, a)?)?
        }
        (Binary::Pow, Side::Right) => {
            let lower = e.number(Binary::Pow, a, number - 1.0)?;
            times(&e.number(Binary::Mul, &lower, number)?)?
        }
        (Binary::Pow, Side::Left) => times(&e.number(Binary::Mul, out, number.ln())?)?,
        (Binary::Maximum | Binary::Minimum, _) => {
            let how = if how == Binary::Maximum {
                Compare::Ge
            } else {
                Compare::Le
            };
            let stays = e.apply(Op::CompareNumber(how, number), &[a])?;
            times(&e.apply(Op::Cast(grad.dtype()), &[&stays])?)?
        }
        (Binary::FloorDiv, _) | (Binary::Remainder, Side::Left) => e.full_like(grad, 0.0)?,
    };
    as_type(e, grad, a.dtype())
}
