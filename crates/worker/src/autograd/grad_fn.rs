//! The gradients of one node of the graph: of an operation, of a copy, or of a change in place.

use crate::device::Blocking;
use crate::engine::Engine;
use crate::error::TorchError;
use crate::ops::{
    Arithmetic, Backward, FormulaEngine, Gradients, Shapes, ToCopy, View, follow, view_gradient,
};
use crate::tensor::{GradFn, Tensor};

type Grads = Result<Vec<Option<Tensor>>, TorchError>;

/// The gradients of the inputs that want one, given that of the result. Inputs and result that were not saved
/// have metadata only.
pub(super) fn gradients_of(
    e: &Engine,
    function: &GradFn,
    inputs: &[Tensor],
    result: &Tensor,
    grad: &Tensor,
) -> Grads {
    let zeros = |input: &Tensor| e.wanted(input, || Arithmetic::full_like(e, grad, 0.0));
    match function {
        GradFn::Op(op) => {
            let at = Backward {
                inputs,
                result,
                grad,
            };
            Ok(match op.gradient(e, at)? {
                Gradients::None => inputs.iter().map(|_| None).collect(),
                Gradients::Of(gradients) => gradients,
            })
        }
        GradFn::DeviceCopy { from } => Ok(vec![Some(e.copy(grad, *from, Blocking::Yes)?)]),
        GradFn::Copy => {
            let [into, from] = inputs else {
                return Ok(Vec::new());
            };
            let of_from = e.wanted(from, || {
                let there = e.copy(grad, from.device(), Blocking::Yes)?;
                e.sum_to(&there, from)
            });
            Ok(vec![zeros(into)?, of_from?])
        }
        // The walk has them for all results at once.
        GradFn::Applied(_) | GradFn::ResultOf(_) => Ok(Vec::new()),
        // The old values do not matter.
        GradFn::Fill(_) => inputs.iter().map(zeros).collect(),
        GradFn::AsStrided(path) => {
            let spread = |input| e.wanted(input, || view_gradient(e, path, input, grad));
            inputs.iter().map(spread).collect()
        }
        GradFn::CopySlices {
            path,
            part,
            function,
        } => {
            let Some((_, inputs)) = inputs.split_last() else {
                return Ok(Vec::new());
            };
            let slices = Slices {
                path,
                part: *part,
                function,
            };
            slices.gradients(e, inputs, result, grad)
        }
    }
}

/// A change in place of a part of a tensor.
struct Slices<'a> {
    path: &'a [View],
    part: Option<usize>,
    function: &'a GradFn,
}

impl Slices<'_> {
    /// Where the part is, the gradient goes through the change, elsewhere straight on.
    fn gradients(&self, e: &Engine, inputs: &[Tensor], result: &Tensor, grad: &Tensor) -> Grads {
        let whole = e.apply(ToCopy::RowMajor, &[grad])?;
        let part = follow(e, self.path, &whole)?;
        let of_part = e.apply(ToCopy::Clone, &[&part])?;
        let mut grads = gradients_of(e, self.function, inputs, result, &of_part)?;
        let before = self.part.and_then(|it| grads.get_mut(it));
        match before.and_then(Option::take) {
            Some(before) => FormulaEngine::copy_in_place(e, &part, &before)?,
            None => FormulaEngine::copy_in_place(e, &part, &Arithmetic::full_like(e, &part, 0.0)?)?,
        }
        drop(part);
        grads.push(Some(whole));
        Ok(grads)
    }
}
