//! Copies of a whole tensor: in another element type, as it is, or with dimensions reversed.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{Dispatch, Operation, ResultOrder, Saved, all_bytes, first};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::elementwise::to_bool;
use crate::kernels::fast;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{Cost, KernelKind, Meta};
use candle_core::Tensor;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ToCopy {
    /// `to` another element type.
    Cast(DType),
    /// `clone`: the same values in memory of their own.
    Clone,
    /// `contiguous`: the same in row-major order.
    RowMajor,
    /// `flip`: these dimensions reversed.
    Flip(Vec<usize>),
}

impl Operation for ToCopy {
    fn name(&self) -> &'static str {
        match self {
            Self::Cast(_) => "to",
            Self::Clone | Self::RowMajor => "clone",
            Self::Flip(_) => "flip",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        Ok(match self {
            Self::Cast(to) => Meta::new(shape, *to),
            Self::Clone | Self::RowMajor | Self::Flip(_) => Meta::new(shape, dtype),
        })
    }

    fn order(&self) -> ResultOrder {
        match self {
            Self::Cast(_) | Self::Clone => ResultOrder::OfInputs,
            Self::RowMajor | Self::Flip(_) => ResultOrder::RowMajor,
        }
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        Cost::moving(all_bytes(inputs, result))
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        let [a] = *self.operands(inputs)?;
        match self {
            Self::Cast(DType::Bool) => to_bool(a),
            Self::Cast(to) => Ok(host.cast(a, to.stored())?),
            Self::Clone | Self::RowMajor => Ok(fast::copied(a)?),
            Self::Flip(dims) => {
                if let Some(made) = card::flipped(a, dims) {
                    return Ok(made?);
                }
                let mut out = a.contiguous()?;
                for dim in dims {
                    if let Some(size) = a.dims().get(*dim) {
                        let reversed: Vec<i64> = (0..*size as i64).rev().collect();
                        let reversed = Tensor::from_vec(reversed, *size, a.device())?;
                        out = out.index_select(&reversed, *dim)?;
                    }
                }
                Ok(out)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        Saved::new()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [a] = self.operands(at.inputs)?;
        Ok(Gradients::first(match self {
            Self::Cast(_) => e.apply(Self::Cast(e.meta(a).dtype), &[at.grad])?,
            Self::Clone | Self::RowMajor => at.grad.clone(),
            Self::Flip(_) => e.apply(self.clone(), &[at.grad])?,
        }))
    }

    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        let name = match self {
            Self::Cast(_) => "to_copy",
            Self::Clone | Self::RowMajor | Self::Flip(_) => self.name(),
        };
        (name, 0)
    }
}

impl Dispatch for ToCopy {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Copy
    }
}
