//! Going backward: the gradient of each operation, made of operations of the same table, so that it
//! costs time and memory on the device like everything else.

mod nn;
mod parts;
mod picks;
mod saves;
mod shapes;
mod ternary;
mod walk;

pub use saves::saves;
pub use walk::Graph;

use super::fault::Fault;
use super::op::nn::{Activation, Nn};
use super::op::{Binary, Compare, Meta, Op, Reduction, Side, Unary};
use super::shape::Keep;
use super::{Edge, Made, Tensor};
use crate::worker::device::model::Waits;
use crate::worker::engine::Engine;
use shapes::{as_type, cat, matmul, reduce, seen_as, summed_to};
use walk::walk;

type Grads = Result<Vec<Option<Tensor>>, Fault>;

/// Gathers gradients in the leaves that `root` was made from.
pub fn backward(
    engine: &Engine,
    root: &Tensor,
    seed: Option<&Tensor>,
    graph: Graph,
) -> Result<(), Fault> {
    let roots = seeded(engine, std::slice::from_ref(root), &[seed.cloned()])?;
    let was_enabled = engine.set_grad_enabled(graph == Graph::Differentiable);
    let result = engine.in_given_precision(|| walk(engine, roots, graph, None));
    engine.set_grad_enabled(was_enabled);
    result.map(drop)
}

/// The gradients of `outputs` with regard to each of `inputs`; nothing where they do not depend on it.
pub fn gradients(
    engine: &Engine,
    (outputs, seeds): (&[Tensor], &[Option<Tensor>]),
    inputs: &[Tensor],
    graph: Graph,
) -> Result<Vec<Option<Tensor>>, Fault> {
    let roots = seeded(engine, outputs, seeds)?;
    let edges: Option<Vec<Edge>> = inputs.iter().map(Edge::of).collect();
    let Some(edges) = edges else {
        return Err(Fault::runtime(
            "One of the differentiated Tensors does not require grad",
        ));
    };
    let was_enabled = engine.set_grad_enabled(graph == Graph::Differentiable);
    let found = engine.in_given_precision(|| walk(engine, roots, graph, Some(&edges)));
    engine.set_grad_enabled(was_enabled);
    let found = found?;
    Ok(edges
        .iter()
        .map(|edge| found.get(&edge.key()).cloned())
        .collect())
}

/// Where to begin, and with which gradients.
fn seeded(
    engine: &Engine,
    outputs: &[Tensor],
    seeds: &[Option<Tensor>],
) -> Result<Vec<(Edge, Tensor)>, Fault> {
    let mut roots = Vec::new();
    for (at, output) in outputs.iter().enumerate() {
        let seed = match seeds.get(at).cloned().flatten() {
            Some(seed) if seed.shape() != output.shape() => {
                return Err(Fault::runtime(format!(
                    "Mismatch in shape: grad_output[{at}] has a shape of torch.Size({:?}) and output[{at}] has a shape of torch.Size({:?}).",
                    seed.shape(),
                    output.shape()
                )));
            }
            Some(seed) => seed,
            None if !output.requires_grad() || output.meta().count() == 1 => {
                engine.full_like(output, 1.0)?
            }
            None => {
                return Err(Fault::runtime(
                    "grad can be implicitly created only for scalar outputs",
                ));
            }
        };
        let Some(edge) = Edge::of(output) else {
            return Err(Fault::runtime(format!(
                "element {at} of tensors does not require grad and does not have a grad_fn"
            )));
        };
        roots.push((edge, seed));
    }
    Ok(roots)
}

/// The gradients of the inputs that want one, given that of the result. Inputs and result have no values
/// but what [`saves()`] names: the others are ghosts, good for their shape, type and place.
fn of(e: &Engine, how: &Made, inputs: &[Tensor], out: &Tensor, grad: &Tensor) -> Grads {
    let op = match how {
        Made::By(op) => op,
        Made::CopiedFrom(place) => return Ok(vec![Some(e.copy(grad, *place, Waits::Yes)?)]),
        Made::Written => return parts::written(e, inputs, grad),
        Made::Filled(_) => return parts::filled(e, inputs, grad),
        Made::SeenAs(path) => return parts::seen_as(e, path, inputs, grad),
        Made::InPart { path, own, how } => {
            return parts::in_part(e, (path, *own, how), (inputs, out), grad);
        }
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
        (Op::AddScaled(times), [a, b]) => scaled(e, (1.0, *times), (a, b), grad),
        (Op::Ternary(how), [a, b, c]) => ternary::ternary(e, *how, [a, b, c], grad),
        (Op::Towards(far), [a, b]) => scaled(e, (1.0 - far, *far), (a, b), grad),
        (Op::MatMul, [a, b]) => matmul(e, a, b, grad),
        (Op::Reduce(how, dims, _), [a]) => Ok(vec![Some(reduce(e, (*how, dims), (a, out), grad)?)]),
        (Op::Softmax(dim), [_]) => Ok(vec![Some(softmax(e, *dim, out, grad)?)]),
        (Op::LogSoftmax(dim), [_]) => Ok(vec![Some(log_softmax(e, *dim, out, grad)?)]),
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
        (Op::Index(dims), inputs) => picks::picked(e, dims, inputs, grad),
        (Op::IndexPut(dims, put), inputs) => picks::put(e, (dims, *put), inputs, grad),
        (Op::ScatterAdd(dim, _), [_, index]) => {
            Ok(vec![Some(e.apply(Op::Gather(*dim), &[grad, index])?), None])
        }
        (Op::IndexAdd(dim, _), [_, index]) => {
            let back = Op::IndexSelect(*dim);
            Ok(vec![Some(e.apply(back, &[grad, index])?), None])
        }
        (Op::Where, [condition, a, b]) => {
            // A scalar beside the condition, as PyTorch makes it.
            let zero = e.full(Meta::new(vec![], grad.dtype()), grad.place(), 0.0)?;
            Ok(vec![
                None,
                wanted(a, || {
                    summed_to(e, &e.apply(Op::Where, &[condition, grad, &zero])?, a)
                })?,
                wanted(b, || {
                    summed_to(e, &e.apply(Op::Where, &[condition, &zero, grad])?, b)
                })?,
            ])
        }
        (Op::Cast(_), [a]) => Ok(vec![Some(e.apply(Op::Cast(a.dtype()), &[grad])?)]),
        (Op::Clone, [_]) => Ok(vec![Some(grad.clone())]),
        (Op::Tril(diagonal), [_]) => Ok(vec![Some(e.apply(Op::Tril(*diagonal), &[grad])?)]),
        (_, inputs) => Ok(inputs.iter().map(|_| None).collect()),
    }
}

fn softmax(e: &Engine, dim: usize, out: &Tensor, grad: &Tensor) -> Result<Tensor, Fault> {
    if !e.grad_enabled() {
        return e.apply(Op::Nn(Nn::SoftmaxBack(dim)), &[grad, out]);
    }
    let product = e.binary(Binary::Mul, grad, out)?;
    let total = Op::Reduce(Reduction::Sum, vec![dim], Keep::AsOne);
    let scaled = e.binary(Binary::Mul, out, &e.apply(total, &[&product])?)?;
    e.binary(Binary::Sub, &product, &scaled)
}

fn log_softmax(e: &Engine, dim: usize, out: &Tensor, grad: &Tensor) -> Result<Tensor, Fault> {
    if !e.grad_enabled() {
        return e.apply(Op::Nn(Nn::LogSoftmaxBack(dim)), &[grad, out]);
    }
    let total = Op::Reduce(Reduction::Sum, vec![dim], Keep::AsOne);
    let total = e.apply(total, &[grad])?;
    let scaled = e.binary(Binary::Mul, &e.unary(Unary::Exp, out)?, &total)?;
    e.binary(Binary::Sub, grad, &scaled)
}

fn unary(
    e: &Engine,
    how: Unary,
    a: &Tensor,
    out: &Tensor,
    grad: &Tensor,
) -> Result<Option<Tensor>, Fault> {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope).map(Some);
    let fused = match how {
        Unary::Tanh => Some(Activation::Tanh),
        Unary::Sigmoid => Some(Activation::Sigmoid),
        Unary::Relu => Some(Activation::Relu),
        Unary::Gelu => Some(Activation::Gelu),
        Unary::Neg
        | Unary::Abs
        | Unary::Exp
        | Unary::Log
        | Unary::Sqrt
        | Unary::Rsqrt
        | Unary::Sin
        | Unary::Cos
        | Unary::Erf
        | Unary::Floor
        | Unary::Ceil
        | Unary::Round
        | Unary::Sign
        | Unary::LogicalNot => None,
    };
    // The parts of a way back that is itself gone backward have to be operations with a gradient.
    if let Some(how) = fused.filter(|_| !e.grad_enabled()) {
        return nn::activation(e, how, (a, out), grad).map(Some);
    }
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
        Unary::Tanh => {
            let square = e.binary(Binary::Mul, out, out)?;
            times(&from_one(e, &square)?)
        }
        Unary::Sigmoid => {
            let rest = from_one(e, out)?;
            times(&e.binary(Binary::Mul, out, &rest)?)
        }
        Unary::Relu => {
            let above = e.apply(Op::CompareNumber(Compare::Gt, 0.0), &[out])?;
            times(&e.apply(Op::Cast(grad.dtype()), &[&above])?)
        }
        Unary::Gelu => times(&gelu_slope(e, a)?),
        Unary::Erf => {
            let bell = bell(e, a, -1.0)?;
            times(&e.number(Binary::Mul, &bell, std::f64::consts::FRAC_2_SQRT_PI)?)
        }
        Unary::Floor | Unary::Ceil | Unary::Round | Unary::Sign => e.full_like(grad, 0.0).map(Some),
        Unary::LogicalNot => Ok(None),
    }
}

/// `number op a`
fn left(e: &Engine, how: Binary, number: f64, a: &Tensor) -> Result<Tensor, Fault> {
    let op = Op::WithNumber {
        how,
        number,
        kind: super::dtype::Category::Float,
        side: Side::Left,
    };
    e.apply(op, &[a])
}

fn from_one(e: &Engine, a: &Tensor) -> Result<Tensor, Fault> {
    left(e, Binary::Sub, 1.0, a)
}

/// `exp(scale · a²)`
fn bell(e: &Engine, a: &Tensor, scale: f64) -> Result<Tensor, Fault> {
    let square = e.binary(Binary::Mul, a, a)?;
    e.unary(Unary::Exp, &e.number(Binary::Mul, &square, scale)?)
}

/// Φ(a) + a·φ(a)
fn gelu_slope(e: &Engine, a: &Tensor) -> Result<Tensor, Fault> {
    let erf = e.unary(
        Unary::Erf,
        &e.number(Binary::Mul, a, std::f64::consts::FRAC_1_SQRT_2)?,
    )?;
    let phi = e.number(Binary::Mul, &e.number(Binary::Add, &erf, 1.0)?, 0.5)?;
    let density = 0.5 * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2;
    let bell = e.number(Binary::Mul, &bell(e, a, -0.5)?, density)?;
    e.binary(Binary::Add, &phi, &e.binary(Binary::Mul, a, &bell)?)
}

/// A gradient, if the input wants one.
fn wanted(
    input: &Tensor,
    gradient: impl FnOnce() -> Result<Tensor, Fault>,
) -> Result<Option<Tensor>, Fault> {
    if input.requires_grad() {
        gradient().map(Some)
    } else {
        Ok(None)
    }
}

fn binary(
    e: &Engine,
    how: Binary,
    (a, b): (&Tensor, &Tensor),
    out: &Tensor,
    grad: &Tensor,
) -> Grads {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope);
    let of_a = wanted(a, || {
        let of_a = match how {
            Binary::Add | Binary::Sub | Binary::Remainder => grad.clone(),
            Binary::Mul => times(b)?,
            Binary::Div => e.binary(Binary::Div, grad, b)?,
            Binary::Pow => {
                let lower = e.binary(Binary::Pow, a, &e.number(Binary::Sub, b, 1.0)?)?;
                times(&e.binary(Binary::Mul, b, &lower)?)?
            }
            Binary::Maximum => times(&share(e, Compare::Gt, (a, b), grad)?)?,
            Binary::Minimum => times(&share(e, Compare::Lt, (a, b), grad)?)?,
            Binary::FloorDiv => e.full_like(grad, 0.0)?,
        };
        summed_to(e, &of_a, a)
    })?;
    let of_b = wanted(b, || {
        let of_b = match how {
            Binary::Add => grad.clone(),
            Binary::Sub => e.unary(Unary::Neg, grad)?,
            Binary::Mul => times(a)?,
            Binary::Div => {
                let slope = e.binary(Binary::Div, &e.binary(Binary::Div, a, b)?, b)?;
                e.binary(Binary::Mul, &e.unary(Unary::Neg, grad)?, &slope)?
            }
            Binary::Pow => times(&e.binary(Binary::Mul, out, &e.unary(Unary::Log, a)?)?)?,
            Binary::Maximum => times(&share(e, Compare::Gt, (b, a), grad)?)?,
            Binary::Minimum => times(&share(e, Compare::Lt, (b, a), grad)?)?,
            Binary::FloorDiv => e.full_like(grad, 0.0)?,
            Binary::Remainder => {
                let whole = e.binary(Binary::FloorDiv, a, b)?;
                e.unary(Unary::Neg, &times(&whole)?)?
            }
        };
        summed_to(e, &of_b, b)
    })?;
    Ok(vec![of_a, of_b])
}

/// A sum of multiples.
fn scaled(
    e: &Engine,
    (of_a, of_b): (f64, f64),
    (a, b): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Grads {
    let share = |like: &Tensor, times: f64| {
        wanted(like, || {
            if (times - 1.0).abs() < f64::EPSILON {
                return summed_to(e, grad, like);
            }
            summed_to(e, &e.number(Binary::Mul, grad, times)?, like)
        })
    };
    Ok(vec![share(a, of_a)?, share(b, of_b)?])
}

/// 1 where the first tensor is the one that was chosen, a half where both are.
fn share(
    e: &Engine,
    how: Compare,
    (a, b): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Result<Tensor, Fault> {
    let chosen = e.apply(Op::Compare(how), &[a, b])?;
    let chosen = e.apply(Op::Cast(grad.dtype()), &[&chosen])?;
    let both = e.apply(Op::Compare(Compare::Eq), &[a, b])?;
    let both = e.number(
        Binary::Mul,
        &e.apply(Op::Cast(grad.dtype()), &[&both])?,
        0.5,
    )?;
    e.binary(Binary::Add, &chosen, &both)
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
            let slope = e.binary(Binary::Div, &left(e, Binary::Div, number, a)?, a)?;
            e.unary(Unary::Neg, &times(&slope)?)?
        }
        (Binary::Pow, Side::Right) if number == 0.0 => e.full_like(grad, 0.0)?,
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
        (Binary::FloorDiv, _) => e.full_like(grad, 0.0)?,
        (Binary::Remainder, Side::Left) => {
            e.unary(Unary::Neg, &times(&left(e, Binary::FloorDiv, number, a)?)?)?
        }
    };
    as_type(e, grad, a.dtype())
}
