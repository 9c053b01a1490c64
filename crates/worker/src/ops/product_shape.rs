//! Shapes and types of matrix products, and PyTorch's messages where they do not fit.

use super::operation::Types;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::shape::{self, Shape};

pub(super) fn clash(which: &str, left: DType, right: DType) -> TorchError {
    TorchError::runtime(format!(
        "{which} and mat2 must have the same dtype, but got {} and {}",
        left.scalar_name(),
        right.scalar_name()
    ))
}

/// The shape of a product to which a tensor of the first shape is added.
pub(super) fn expanded(from: &[usize], product: &[usize]) -> Result<Shape, TorchError> {
    let sizes: Vec<i64> = product.iter().map(|size| *size as i64).collect();
    shape::expand(from, &sizes)
}

/// The shape of the product of two batches of matrices.
pub(super) fn batches(a: &[usize], b: &[usize]) -> Result<Shape, TorchError> {
    match (a, b) {
        ([batch, rows, inner], [other, k, columns]) => {
            if batch != other || inner != k {
                return Err(TorchError::runtime(format!(
                    "Expected size for first two dimensions of batch2 tensor to be: [{batch}, {inner}] but got: [{other}, {k}]."
                )));
            }
            Ok(vec![*batch, *rows, *columns])
        }
        ([_, _, _], _) => Err(TorchError::runtime("batch2 must be a 3D tensor")),
        _ => Err(TorchError::runtime("batch1 must be a 3D tensor")),
    }
}

pub(super) fn linear_shape(
    input: &[usize],
    weight: &[usize],
    bias: Option<&[usize]>,
) -> Result<Shape, TorchError> {
    let transposed: Shape = weight.iter().rev().copied().collect();
    let product = |rows: &[usize]| {
        let operation = if bias.is_some() { "addmm" } else { "mm" };
        shape::product(operation, rows, &transposed)
    };
    let out = match (weight, input) {
        // PyTorch flattens to rows here, so its message for a wrong size names rows.
        ([_, _], [.., inner]) if input.len() > 1 => {
            let rows = (shape::count(input) / (*inner).max(1) as u64) as usize;
            product(&[rows, *inner])?;
            product(input)?
        }
        _ => product(input)?,
    };
    match bias {
        Some(bias) if shape::broadcast(&out, bias).ok().as_ref() != Some(&out) => {
            let columns = out.last().copied().unwrap_or(1);
            let rows = shape::count(&out) as usize / columns.max(1);
            Err(TorchError::runtime(format!(
                "The expanded size of the tensor ({columns}) must match the existing size ({}) at non-singleton dimension 1.  Target sizes: [{rows}, {columns}].  Tensor sizes: {bias:?}",
                bias.last().copied().unwrap_or(1)
            )))
        }
        Some(_) | None => Ok(out),
    }
}

/// The type of a product; PyTorch's messages are those of the function that it picks by the ranks.
pub(super) fn product_type(a: &Meta, b: &Meta) -> Result<DType, TorchError> {
    let ranks = (a.shape.len(), b.shape.len());
    if a.dtype != b.dtype {
        let (left, right) = (a.dtype.scalar_name(), b.dtype.scalar_name());
        return Err(TorchError::runtime(match ranks {
            (1, 1) => format!(
                "dot : expected both vectors to have same dtype, but found {left} and {right}"
            ),
            (2.., 1) => format!(
                "addmv input tensors must have the same dtype, but got {right}, {left}, and {right}"
            ),
            (3.., 3..) => format!("expected scalar type {left} but found {right}"),
            _ => format!(
                "expected m1 and m2 to have the same dtype, but got: {} != {}",
                a.dtype.cpp_name(),
                b.dtype.cpp_name()
            ),
        }));
    }
    let kernel = match ranks {
        (1, 1) => "dot",
        (2.., 1) => "addmv_impl_cpu",
        (3.., 3..) => "bmm",
        _ => "addmm_impl_cpu_",
    };
    Types::NoBool(kernel).result(a.dtype)
}
