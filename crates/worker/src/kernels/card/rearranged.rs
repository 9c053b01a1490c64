//! Copies of elements in other places: joined, reversed, every so many of them, and triangles of matrices.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::on_one_card;
use super::strided_copy::{Strided, copy_from, write};
use super::walk::Walk;
use candle_core::{D, Result, Tensor};

/// Tensors of one type joined along a dimension; nothing on the host.
pub(crate) fn cat(parts: &[Tensor], dim: usize) -> Option<Result<Tensor>> {
    let first = parts.first()?;
    let is_alike = |it: &Tensor| it.dtype() == first.dtype() && it.rank() == first.rank();
    if !on_one_card(&parts.iter().collect::<Vec<_>>()) || !parts.iter().all(is_alike) {
        return None;
    }
    let run = || {
        let mut shape = first.dims().to_vec();
        if let Some(size) = shape.get_mut(dim) {
            *size = parts.iter().filter_map(|it| it.dims().get(dim)).sum();
        }
        let out = memory(shape, first.dtype(), first.device())?;
        let strides = out.stride().to_vec();
        let mut offset = 0;
        for part in parts {
            let at = Strided {
                sizes: part.dims(),
                strides: &strides,
                offset,
            };
            write(&out, at, part)?;
            offset += part.dim(dim)? * strides.get(dim).copied().unwrap_or(0);
        }
        Ok(out)
    };
    Some(run())
}

/// A copy with dimensions reversed; nothing on the host, or for too many dimensions.
pub(crate) fn flipped(a: &Tensor, dims: &[usize]) -> Option<Result<Tensor>> {
    let mut start = a.storage_and_layout().1.start_offset();
    let mut strides: Vec<i64> = Vec::new();
    for (dim, (size, stride)) in a.dims().iter().zip(a.stride()).enumerate() {
        let signed = i64::try_from(*stride).ok()?;
        if dims.contains(&dim) {
            start += size.saturating_sub(1) * stride;
            strides.push(-signed);
        } else {
            strides.push(signed);
        }
    }
    picked(a, a.dims(), &strides, start)
}

/// A copy of every so many elements of a dimension.
pub(crate) fn stepped(a: &Tensor, dim: usize, step: usize) -> Option<Result<Tensor>> {
    let (mut sizes, mut strides) = (a.dims().to_vec(), Vec::new());
    for (at, (size, stride)) in sizes.iter_mut().zip(a.stride()).enumerate() {
        let stride = i64::try_from(*stride).ok()?;
        if at == dim {
            *size = size.div_ceil(step);
            strides.push(stride * i64::try_from(step).ok()?);
        } else {
            strides.push(stride);
        }
    }
    let start = a.storage_and_layout().1.start_offset();
    picked(a, &sizes, &strides, start)
}

/// A copy of the elements of these sizes and strides from a place in the tensor's memory on.
fn picked(a: &Tensor, sizes: &[usize], strides: &[i64], start: usize) -> Option<Result<Tensor>> {
    if !on_one_card(&[a]) {
        return None;
    }
    let walk = Walk::signed(sizes, strides)?;
    let run = || {
        let out = memory(sizes, a.dtype(), a.device())?;
        copy_from(&out, Argument::InMemoryOf(a, start), &walk)?;
        Ok(out)
    };
    Some(run())
}

/// The elements on one side of a diagonal of matrices, and 0 on the other; nothing on the host.
pub(crate) fn triangle(a: &Tensor, diagonal: i64, is_upper: bool) -> Option<Result<Tensor>> {
    if !on_one_card(&[a]) {
        return None;
    }
    let walk = Walk::over(a.dims(), a.stride())?;
    let kernel = format!("triangle_{}", a.dtype().size_in_bytes());
    let run = || {
        let out = memory(a.shape(), a.dtype(), a.device())?;
        let size = |dim: D| narrow(a.dim(dim)?);
        let arguments = [
            Argument::U64(a.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(a),
            Argument::Walk(&walk),
            Argument::U32(size(D::Minus2)?),
            Argument::U32(size(D::Minus1)?),
            Argument::I64(diagonal),
            Argument::U32(is_upper.into()),
        ];
        let grid = Grid::over(a.elem_count());
        launch(a.device(), (Module::Positions, &kernel), grid, &arguments)?;
        Ok(out)
    };
    Some(run())
}
