//! Going backward: the gradient of each operation, made of operations of the same table, so that it
//! costs time and memory on the device like everything else.

mod nn;
mod parts;
mod picks;
mod pointwise;
mod reductions;
#[cfg(test)]
mod saved_tests;
mod shapes;
#[cfg(test)]
mod table_tests;
mod walk;
mod writes;

pub(crate) use walk::Graph;

use super::tensor::{Edge, Made, Tensor};
use crate::worker::device::Blocking;
use crate::worker::engine::Engine;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::nn::Nn;
use crate::worker::ops::{Binary, Op, Reduction, Scan, Unary};
use crate::worker::shape::Keep;
use pointwise::{binary, scaled, unary, with_number};
use reductions::reduce;
use shapes::{cat, matmul, seen_as, summed_to};
use walk::walk;

type Grads = Result<Vec<Option<Tensor>>, TorchError>;

/// Gathers gradients in the leaves that `root` was made from.
pub(crate) fn backward(
    engine: &Engine,
    root: &Tensor,
    seed: Option<&Tensor>,
    graph: Graph,
) -> Result<(), TorchError> {
    let roots = seeded(engine, std::slice::from_ref(root), &[seed.cloned()])?;
    let was_enabled = engine.set_grad_enabled(graph == Graph::Differentiable);
    let result = engine.in_given_precision(|| walk(engine, roots, graph, None));
    engine.set_grad_enabled(was_enabled);
    result.map(drop)
}

/// The gradients of `outputs` with regard to each of `inputs`; nothing where they do not depend on it.
pub(crate) fn gradients(
    engine: &Engine,
    (outputs, seeds): (&[Tensor], &[Option<Tensor>]),
    inputs: &[Tensor],
    graph: Graph,
) -> Result<Vec<Option<Tensor>>, TorchError> {
    let roots = seeded(engine, outputs, seeds)?;
    let edges: Option<Vec<Edge>> = inputs.iter().map(Edge::of).collect();
    let Some(edges) = edges else {
        return Err(TorchError::runtime(
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
) -> Result<Vec<(Edge, Tensor)>, TorchError> {
    let mut roots = Vec::new();
    for (at, output) in outputs.iter().enumerate() {
        let seed = match seeds.get(at).cloned().flatten() {
            Some(seed) if seed.shape() != output.shape() => {
                return Err(TorchError::runtime(format!(
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
                return Err(TorchError::runtime(
                    "grad can be implicitly created only for scalar outputs",
                ));
            }
        };
        let Some(edge) = Edge::of(output) else {
            return Err(TorchError::runtime(format!(
                "element {at} of tensors does not require grad and does not have a grad_fn"
            )));
        };
        roots.push((edge, seed));
    }
    Ok(roots)
}

/// The gradients of the inputs that want one, given that of the result. Inputs and result have no values
/// but what [`crate::worker::ops::saved_tensors()`] names: the others are ghosts, good for their shape, type and place.
fn of(e: &Engine, how: &Made, inputs: &[Tensor], out: &Tensor, grad: &Tensor) -> Grads {
    let op = match how {
        Made::By(op) => op,
        Made::CopiedFrom(place) => return Ok(vec![Some(e.copy(grad, *place, Blocking::Yes)?)]),
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
        ) => Ok(vec![with_number(e, (*how, *number, *side), a, out, grad)?]),
        (Op::AddAlpha(times), [a, b]) => scaled(e, (1.0, *times), (a, b), grad),
        (Op::LerpScalar(far), [a, b]) => scaled(e, (1.0 - far, *far), (a, b), grad),
        (Op::MatMul, [a, b]) => matmul(e, a, b, grad),
        (Op::Reduce(how, dims, _), [a]) => Ok(vec![reduce(e, (*how, dims), (a, out), grad)?]),
        (Op::Softmax(dim), [_]) => Ok(vec![Some(softmax(e, *dim, out, grad)?)]),
        (Op::LogSoftmax(dim), [_]) => Ok(vec![Some(log_softmax(e, *dim, out, grad)?)]),
        (Op::Nn(op), inputs) => nn::of(e, op, inputs, out, grad),
        (Op::View(view), [a]) => Ok(vec![Some(seen_as(e, view, a, grad)?)]),
        (Op::Cat(dim), parts) => cat(e, *dim, parts, grad),
        (Op::IndexSelect(dim), [a, index]) => {
            let back = Op::IndexAdd(*dim, a.shape());
            Ok(vec![Some(e.apply(back, &[grad, index])?), None])
        }
        (Op::Gather(dim) | Op::Taken(_, dim, _), [a, index]) => {
            let grad = &shapes::reshaped(e, grad, index.shape())?;
            let back = Op::ScatterAdd(*dim, a.shape());
            Ok(vec![Some(e.apply(back, &[grad, index])?), None])
        }
        (Op::Index(dims), inputs) => picks::picked(e, dims, inputs, grad),
        (Op::IndexPut(dims, put), inputs) => picks::put(e, (dims, *put), inputs, grad),
        (Op::ScatterAdd(dim, _), [_, index]) => {
            Ok(vec![Some(e.apply(Op::Gather(*dim), &[grad, index])?), None])
        }
        (Op::IndexAdd(dim, _), [_, index]) => Ok(vec![
            Some(e.apply(Op::IndexSelect(*dim), &[grad, index])?),
            None,
        ]),
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
        (Op::Triu(diagonal), [_]) => Ok(vec![Some(e.apply(Op::Triu(*diagonal), &[grad])?)]),
        (Op::Flip(dims), [_]) => Ok(vec![Some(e.apply(Op::Flip(dims.clone()), &[grad])?)]),
        (Op::Scan(Scan::Sum, dim), [_]) => {
            let turned = e.apply(Op::Flip(vec![*dim]), &[grad])?;
            let total = e.apply(Op::Scan(Scan::Sum, *dim), &[&turned])?;
            Ok(vec![Some(e.apply(Op::Flip(vec![*dim]), &[&total])?)])
        }
        (Op::Scan(Scan::Product, _), _) => Err(TorchError::missing(
            "going back through running products is not part of warpup; PyTorch has it",
        )),
        (Op::Scatter(how, dim), [target, index, source]) => {
            writes::scatter(e, (*how, *dim), [target, index, source], grad)
        }
        (Op::Ternary(how), [a, b, c]) => writes::ternary(e, *how, [a, b, c], grad),
        // What is left gives no gradients: it compares, counts or finds positions.
        (_, inputs) => Ok(inputs.iter().map(|_| None).collect()),
    }
}

fn softmax(e: &Engine, dim: usize, out: &Tensor, grad: &Tensor) -> Result<Tensor, TorchError> {
    if !e.grad_enabled() && out.rank() > 0 {
        return e.apply(Op::Nn(Nn::SoftmaxBackward(dim)), &[grad, out]);
    }
    let product = e.binary(Binary::Mul, grad, out)?;
    let total = Op::Reduce(Reduction::Sum, vec![dim], Keep::AsOne);
    let scaled = e.binary(Binary::Mul, out, &e.apply(total, &[&product])?)?;
    e.binary(Binary::Sub, &product, &scaled)
}

fn log_softmax(e: &Engine, dim: usize, out: &Tensor, grad: &Tensor) -> Result<Tensor, TorchError> {
    if !e.grad_enabled() && out.rank() > 0 {
        return e.apply(Op::Nn(Nn::LogSoftmaxBackward(dim)), &[grad, out]);
    }
    let total = Op::Reduce(Reduction::Sum, vec![dim], Keep::AsOne);
    let total = e.apply(total, &[grad])?;
    let scaled = e.binary(Binary::Mul, &e.unary(Unary::Exp, out)?, &total)?;
    e.binary(Binary::Sub, grad, &scaled)
}

/// A gradient, if the input wants one.
fn wanted(
    input: &Tensor,
    gradient: impl FnOnce() -> Result<Tensor, TorchError>,
) -> Result<Option<Tensor>, TorchError> {
    if input.requires_grad() {
        gradient().map(Some)
    } else {
        Ok(None)
    }
}
