//! Matrix products.

use super::fast;
use super::host::{KernelResult, is_on_card};
use candle_core::{D, DType, Tensor};

/// From so many rows on, a second matrix whose columns lie one after the other, such as the transposed weights of a
/// linear layer, is brought into row-major order first: `gemm` would do so in each thread.
const ROWS_TO_TURN_FOR: usize = 32;

/// Multiplications that `gemm` shares among threads; it does fewer on one.
const SHARED: usize = 48 * 48 * 256;

/// `matmul`: a vector takes part as one row or one column, and batches broadcast.
pub(crate) fn matmul(a: &Tensor, b: &Tensor, shape: &[usize]) -> KernelResult {
    if a.elem_count() == 0 || b.elem_count() == 0 {
        // Sums of nothing.
        return Ok(Tensor::zeros(shape, a.dtype(), a.device())?);
    }
    let wide = if a.dtype().is_float() {
        a.dtype()
    } else {
        DType::F64
    };
    let columns = if b.rank() == 1 { 1 } else { b.dim(D::Minus1)? };
    if a.elem_count().saturating_mul(columns) >= SHARED && !is_on_card(a) {
        fast::stay_awake();
    }
    let (a_wide, b_wide) = (a.to_dtype(wide)?, b.to_dtype(wide)?);
    let a_rows = if a.rank() == 1 {
        a_wide.unsqueeze(0)?
    } else {
        a_wide
    };
    let b_columns = if b.rank() == 1 {
        b_wide.unsqueeze(1)?
    } else {
        b_wide
    };
    let out = if b_columns.rank() == 2 {
        // One large product instead of one for each batch: candle would expand the second matrix.
        let inner = a_rows.dim(D::Minus1)?;
        let rows = a_rows.elem_count() / inner.max(1);
        let flat = if a_rows.rank() == 2 {
            a_rows
        } else {
            a_rows.reshape((rows, inner))?
        };
        let columns =
            if rows >= ROWS_TO_TURN_FOR && !b_columns.is_contiguous() && !is_on_card(&b_columns) {
                fast::contiguous(&b_columns)?
            } else {
                dense(&b_columns)?
            };
        dense(&flat)?.matmul(&columns)?
    } else {
        let kept = usize::from(a.rank() > 1) + usize::from(b.rank() > 1);
        let batch = shape.split_at(shape.len().saturating_sub(kept)).0;
        if batch.len() > 2 {
            // candle has no strides for more than two dimensions of a batch.
            one_batch(&a_rows, batch)?.matmul(&one_batch(&b_columns, batch)?)?
        } else {
            fast::contiguous(&a_rows)?.broadcast_matmul(&dense(&b_columns)?)?
        }
    };
    let out = without_negative_zeros(out, a.dim(D::Minus1)?, b.rank() == 2)?;
    Ok(out.reshape(shape)?.to_dtype(a.dtype())?)
}

/// PyTorch sums from 0, so that a sum of negative zeros is 0. `gemm` begins with the first product where one or two make
/// an element, and for vectors. The outer product of two vectors is no sum in PyTorch either.
fn without_negative_zeros(product: Tensor, inner: usize, is_flat: bool) -> KernelResult {
    let (rows, columns) = (product.dim(D::Minus2)?, product.dim(D::Minus1)?);
    let of_vectors = rows == 1 || columns == 1;
    let is_outer = is_flat && inner == 1 && !of_vectors;
    if is_outer || is_on_card(&product) || !(inner <= 2 || of_vectors) {
        return Ok(product);
    }
    Ok(fast::affine(&product, 1.0, 0.0)?)
}

/// Matrices with these dimensions of a batch, as a batch of one dimension.
fn one_batch(a: &Tensor, batch: &[usize]) -> KernelResult {
    let (rows, columns) = (a.dim(D::Minus2)?, a.dim(D::Minus1)?);
    let wide = a.broadcast_as([batch, &[rows, columns]].concat())?;
    Ok(wide.reshape(((), rows, columns))?)
}

/// The matrices in memory that candle multiplies from: row-major or column-major, and without gaps between the
/// matrices of a batch.
fn dense(a: &Tensor) -> KernelResult {
    if a.is_contiguous() || a.t()?.is_contiguous() {
        return Ok(a.clone());
    }
    Ok(fast::contiguous(a)?)
}
