//! Backward: the walk through the graph, with the gradients of the table.
//!
//! Gradients are computed by operations of the table, so that they cost time and memory on the device like everything
//! else.

#[cfg(test)]
mod coverage_tests;
mod custom_function;
mod formulas;
mod grad_fn;
mod graph_traversal;
#[cfg(test)]
mod layer_tests;
mod root;
#[cfg(test)]
mod saved_tests;
#[cfg(test)]
mod table_tests;

pub(crate) use graph_traversal::Graph;

use super::engine::Engine;
use super::error::TorchError;
use super::ops::Arithmetic;
use super::tensor::{Edge, Tensor};
use graph_traversal::walk;

/// `backward()` of one tensor.
#[cfg(test)]
pub(crate) fn backward(
    engine: &Engine,
    root: &Tensor,
    seed: Option<&Tensor>,
    graph: Graph,
) -> Result<(), TorchError> {
    backward_of(
        engine,
        (std::slice::from_ref(root), &[seed.cloned()]),
        graph,
    )
}

/// `backward()`: adds gradients to the `grad` of the leaves that `outputs` were made from.
pub(crate) fn backward_of(
    engine: &Engine,
    (outputs, seeds): (&[Tensor], &[Option<Tensor>]),
    graph: Graph,
) -> Result<(), TorchError> {
    let roots = seeded(engine, outputs, seeds)?;
    let is_whole_mean = outputs.iter().any(root::is_whole_mean);
    engine.facts().begin_backward(engine.line());
    let was_enabled = engine.set_grad_enabled(graph == Graph::Differentiable);
    let result = engine.in_backward(|| walk(engine, roots, graph, None));
    engine.set_grad_enabled(was_enabled);
    engine.facts().end_backward(is_whole_mean);
    result.map(drop)
}

/// `torch.autograd.grad`: the gradients of `outputs` for each of `inputs`; nothing where they do not depend on it.
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
    let found = engine.in_backward(|| walk(engine, roots, graph, Some(&edges)));
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
                Arithmetic::full_like(engine, output, 1.0)?
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
