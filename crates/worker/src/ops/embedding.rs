//! `embedding`: rows of a matrix, picked by indices.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    Devices, Dispatch, Operation, Saved, all_bytes, cost_of_reading_at, first, inputs as all_of,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::slices::add_slices;
use crate::meta::{Cost, KernelKind, Meta};
use candle_core::{DType as Stored, Tensor};

/// The lookup or its backward kernel; the tensors are in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Embedding {
    /// The rows (weight, indices).
    Forward {
        /// A row that gets no gradient: `padding_idx`.
        padding: Option<usize>,
    },
    /// Gradients of rows added to zeros (gradient, indices).
    Backward { rows: usize, padding: Option<usize> },
}

impl Operation for Embedding {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward { .. } => "embedding",
            Self::Backward { .. } => "embedding_backward",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        let shape = match self {
            Self::Forward { .. } => {
                let [_, indices] = self.operands(inputs)?;
                let [_, width] = *shape else {
                    return Err(TorchError::runtime("'weight' must be 2-D"));
                };
                check_index_type(indices.dtype)?;
                [&*indices.shape, &[width]].concat()
            }
            Self::Backward { rows, .. } => vec![*rows, shape.last().copied().unwrap_or(1)],
        };
        Ok(Meta::new(shape, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        match self {
            Self::Forward { .. } => cost_of_reading_at(inputs, result),
            Self::Backward { .. } => Cost {
                flops: first(inputs).count(),
                bytes: all_bytes(inputs, result),
            },
        }
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [values, indices] = *self.operands(inputs)?;
        let flat = indices.flatten_all()?.to_dtype(Stored::I64)?;
        match *self {
            Self::Forward { .. } => {
                let rows = values.dim(0)? as i64;
                let is_outside = |it: &i64| *it < 0 || *it >= rows;
                // On a card the kernel asserts it.
                if !is_on_card(&flat) && host.read::<i64>(&flat)?.iter().any(is_outside) {
                    return Err(TorchError::index("index out of range in self"));
                }
                if is_on_card(values)
                    && let Some(made) = card::read_at(
                        values,
                        &card::Positions::of_slices(values.dims(), &flat, 0)?,
                    )
                {
                    return Ok(made?.reshape(&*result.shape)?);
                }
                let picked = values.contiguous()?.index_select(&flat, 0)?;
                Ok(picked.reshape(&*result.shape)?)
            }
            Self::Backward { rows, padding } => {
                if let Some(made) = card::rows_added(rows, padding, [values, &flat]) {
                    return Ok(made?);
                }
                let columns = values.dims().last().copied().unwrap_or(1);
                let mut source = values.reshape((flat.elem_count(), columns))?.contiguous()?;
                if let Some(padding) = padding {
                    let counts = flat.ne(padding as i64)?.to_dtype(source.dtype())?;
                    source = source.broadcast_mul(&counts.unsqueeze(1)?)?;
                }
                let zeros = Tensor::zeros((rows, columns), source.dtype(), source.device())?;
                Ok(add_slices([&zeros, &flat, &source], 0)?)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        all_of(1..2)
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [weight, indices] = self.operands(at.inputs)?;
        let backward = match *self {
            Self::Forward { padding } => Self::Backward {
                rows: e.shape(weight).first().copied().unwrap_or(0),
                padding,
            },
            // Backward is linear in the gradient, so its own gradient is a lookup again.
            Self::Backward { padding: None, .. } => Self::Forward { padding: None },
            Self::Backward {
                padding: Some(_), ..
            } => return Err(self.no_second_gradient()),
        };
        let of_first = e.apply(backward, &[at.grad, indices])?;
        Ok(Gradients::Of(vec![Some(of_first), None]))
    }
}

impl Dispatch for Embedding {
    fn kernel_kind(&self, inputs: &[&Meta], _result: &Meta) -> KernelKind {
        let Meta { shape, dtype } = first(inputs);
        let width = shape.last().copied().unwrap_or(1) as u64;
        KernelKind::Indexed {
            run: width.saturating_mul(dtype.size()),
        }
    }

    fn devices(&self) -> Devices {
        match self {
            Self::Forward { .. } => Devices::same("index", "_index_select"),
            Self::Backward { .. } => Devices::Same(None),
        }
    }

    fn asserts_indices(&self) -> bool {
        matches!(self, Self::Forward { .. })
    }
}

/// Refuses indices of another type than `int64` and `int32`.
fn check_index_type(dtype: DType) -> Result<(), TorchError> {
    let found = match dtype {
        DType::I64 | DType::I32 => return Ok(()),
        DType::Bool => "CPUBoolType".to_owned(),
        DType::U8 | DType::I8 | DType::I16 | DType::F16 | DType::BF16 | DType::F32 | DType::F64 => {
            format!("torch.{}Tensor", dtype.scalar_name())
        }
    };
    Err(TorchError::runtime(format!(
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {found} instead (while checking arguments for embedding)"
    )))
}
