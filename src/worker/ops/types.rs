//! The dtype rule of each operation, and PyTorch's words for breaking it.

use super::reduction::softmax_dtype;
use super::ternary::cpp_name;
use super::unary::lacking;
use super::{Binary, Op, Scan};
use crate::worker::dtype::{DType, Standing, result_type};
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;

impl Op {
    /// The type of the result.
    pub(super) fn dtype(&self, inputs: &[&Meta]) -> Result<DType, TorchError> {
        let first = inputs.first().map_or(DType::F32, |it| it.dtype);
        match (self, inputs) {
            (Self::Unary(how), _) => how.dtype(first),
            (Self::Compare(_) | Self::CompareNumber(..), _) => Ok(DType::Bool),
            (Self::Binary(how), [a, b]) => {
                how.dtype((a.dtype, a.standing()), (b.dtype, b.standing()))
            }
            (
                Self::WithNumber {
                    how,
                    kind,
                    number,
                    side,
                },
                [a],
            ) => how.dtype_with_number((first, a.standing()), (*number, *kind), *side),
            (Self::AddAlpha(_), [a, b]) => {
                Binary::Add.dtype((a.dtype, a.standing()), (b.dtype, b.standing()))
            }
            (Self::LerpScalar(_), [a, b]) => of_way(a.dtype, b.dtype),
            (Self::MatMul, [a, b]) => of_product(a, b),
            (Self::Reduce(how, ..), _) => how.dtype(first),
            (Self::Softmax(dim) | Self::LogSoftmax(dim), [a]) => {
                softmax_dtype(self.name(), a, *dim)
            }
            (Self::Arg(which, ..), _) => which.dtype(first),
            (Self::Order(how, _), _) => how.dtype(first),
            (Self::Scan(Scan::Sum | Scan::Product, _), _) if !first.is_float() => Ok(DType::I64),
            (Self::Where, _) => of_choice(inputs),
            (Self::Cast(to), _) => Ok(*to),
            (Self::Nn(it), _) => it.dtype(inputs),
            (Self::IndexPut(..), _) => of_put(first, inputs.get(1).map_or(first, |it| it.dtype)),
            (Self::Cat(_), _) => Ok(inputs.iter().map(|it| it.dtype).fold(first, DType::promote)),
            (Self::Scatter(how, _), [a, b, c]) => how.dtype([a.dtype, b.dtype, c.dtype]),
            (Self::Ternary(how), [a, b, c]) => how.dtype([a, b, c]),
            (
                Self::View(_)
                | Self::IndexSelect(_)
                | Self::Gather(_)
                | Self::Index(_)
                | Self::Taken(..)
                | Self::ScatterAdd(..)
                | Self::IndexAdd(..)
                | Self::Clone
                | Self::Tril(_)
                | Self::Triu(_)
                | Self::Scan(..)
                | Self::Flip(_),
                _,
            ) => Ok(first),
            (
                Self::Binary(_)
                | Self::AddAlpha(_)
                | Self::LerpScalar(_)
                | Self::WithNumber { .. }
                | Self::MatMul
                | Self::Softmax(_)
                | Self::LogSoftmax(_)
                | Self::Scatter(..)
                | Self::Ternary(_),
                _,
            ) => Err(TorchError::runtime(format!(
                "{} needs other tensors",
                self.name()
            ))),
        }
    }
}

fn of_put(into: DType, values: DType) -> Result<DType, TorchError> {
    if into == values {
        return Ok(into);
    }
    Err(TorchError::runtime(format!(
        "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
        into.scalar_name(),
        values.scalar_name()
    )))
}

/// The type of what lies between two tensors.
fn of_way(a: DType, b: DType) -> Result<DType, TorchError> {
    if a != b {
        return Err(TorchError::runtime(format!(
            "expected dtype {} for `end` but got dtype {}",
            cpp_name(a),
            cpp_name(b)
        )));
    }
    if a.is_float() {
        Ok(a)
    } else {
        Err(lacking("lerp_kernel_scalar", a))
    }
}

/// The type of a product; PyTorch's words are those of the function that it picks by the ranks.
pub(super) fn of_product(a: &Meta, b: &Meta) -> Result<DType, TorchError> {
    let ranks = (a.shape.len(), b.shape.len());
    if a.dtype != b.dtype {
        return Err(TorchError::runtime(match ranks {
            (1, 1) => format!(
                "dot : expected both vectors to have same dtype, but found {} and {}",
                a.dtype.scalar_name(),
                b.dtype.scalar_name()
            ),
            (2.., 1) => format!(
                "addmv input tensors must have the same dtype, but got {}, {}, and {0}",
                b.dtype.scalar_name(),
                a.dtype.scalar_name()
            ),
            (3.., 3..) => format!(
                "expected scalar type {} but found {}",
                a.dtype.scalar_name(),
                b.dtype.scalar_name()
            ),
            _ => format!(
                "expected m1 and m2 to have the same dtype, but got: {} != {}",
                cpp_name(a.dtype),
                cpp_name(b.dtype)
            ),
        }));
    }
    if a.dtype == DType::Bool {
        let kernel = match ranks {
            (1, 1) => "dot",
            (2.., 1) => "addmv_impl_cpu",
            (3.., 3..) => "bmm",
            _ => "addmm_impl_cpu_",
        };
        return Err(lacking(kernel, a.dtype));
    }
    Ok(a.dtype)
}

fn of_choice(inputs: &[&Meta]) -> Result<DType, TorchError> {
    let (condition, choices) = inputs
        .split_first()
        .ok_or_else(|| TorchError::runtime("where needs tensors"))?;
    if !matches!(condition.dtype, DType::Bool | DType::U8) {
        return Err(TorchError::runtime(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            condition.dtype.scalar_name()
        )));
    }
    let typed = choices.iter().map(|it| (it.dtype, it.standing()));
    let wide = typed.reduce(|a, b| {
        let standing = if a.1 == Standing::Tensor { a.1 } else { b.1 };
        (result_type(a, b), standing)
    });
    Ok(wide.map_or(condition.dtype, |it| it.0))
}
