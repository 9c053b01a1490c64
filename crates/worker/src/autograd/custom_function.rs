//! The gradients of a function of the program (`torch.autograd.Function`), which its own backward computes.

use crate::engine::Engine;
use crate::error::TorchError;
use crate::ops::{Shapes, ToCopy};
use crate::shape;
use crate::tensor::{FunctionCall, Node, Tensor};
use std::rc::Rc;

/// The gradients of the inputs, checked and in their shapes, given those of the results that have one.
pub(super) fn gradients_of(
    e: &Engine,
    applied: &FunctionCall,
    node: &Rc<Node>,
    grads: Vec<Option<Tensor>>,
) -> Result<Vec<Option<Tensor>>, TorchError> {
    let found = applied.function.backward(node, grads)?;
    let mut fitting = Vec::new();
    for (at, (grad, input)) in found.into_iter().zip(&node.inputs).enumerate() {
        let (Some(grad), Some(_)) = (grad, &input.edge) else {
            fitting.push(None);
            continue;
        };
        let (own, wanted) = (grad.shape(), &input.meta.shape);
        let spread = shape::broadcast(wanted, &own).ok();
        if spread.as_ref() != Some(&own) {
            return Err(TorchError::runtime(format!(
                "Function {} returned an invalid gradient at index {at} - got {own:?} but expected shape compatible with {wanted:?}",
                applied.function.name()
            )));
        }
        if grad.device() != input.device {
            return Err(TorchError::runtime(format!(
                "Function {} returned an invalid gradient at index {at} - expected device {} but got {}",
                applied.function.name(),
                input.device,
                grad.device()
            )));
        }
        let grad = if own == *wanted {
            grad
        } else {
            e.sum_to_size(&grad, wanted)?
        };
        fitting.push(Some(if grad.dtype() == input.meta.dtype {
            grad
        } else {
            e.apply(ToCopy::Cast(input.meta.dtype), &[&grad])?
        }));
    }
    Ok(fitting)
}
