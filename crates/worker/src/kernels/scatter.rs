//! Elements and slices read from, and written to, positions along one dimension that an index tensor names.

use super::card;
use super::elementwise::{at_least_1d, sum_type, to_bool};
use super::fast;
use super::host::{Host, KernelResult, is_on_card};
use super::index::Accumulate;
use super::slices::{add_slices, wide_places};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::meta::Meta;
use candle_core::{DType as Stored, Tensor};

pub(crate) fn index_select(
    host: &Host,
    [a, index]: [&Tensor; 2],
    dim: usize,
    result: &Meta,
) -> KernelResult {
    let a = at_least_1d(a)?;
    if let Some((value, size)) = outside(host, &a, index, dim)? {
        // PyTorch names dimension 0 here whichever it is.
        return Err(TorchError::index(format!(
            "index {value} is out of bounds for dimension 0 with size {size}"
        )));
    }
    if result.count() == 0 {
        return nothing(&a, result);
    }
    if is_on_card(&a)
        && let Some(made) = card::read_at(&a, &card::Positions::of_slices(a.dims(), index, dim)?)
    {
        return Ok(made?.reshape(&*result.shape)?);
    }
    let picked = a
        .contiguous()?
        .index_select(&positions(index)?.flatten_all()?, dim)?;
    Ok(picked.reshape(&*result.shape)?)
}

pub(crate) fn gather(
    host: &Host,
    [a, index]: [&Tensor; 2],
    dim: usize,
    result: &Meta,
) -> KernelResult {
    if let Some((value, size)) = outside(host, &at_least_1d(a)?, index, dim)? {
        return Err(too_far(value, size, dim));
    }
    take_along_dim(a, index, dim, result)
}

/// Elements picked along a dimension, at positions that are known to be in range.
pub(crate) fn take_along_dim(
    a: &Tensor,
    index: &Tensor,
    dim: usize,
    result: &Meta,
) -> KernelResult {
    if result.count() == 0 {
        return nothing(a, result);
    }
    let (mut a, index) = (at_least_1d(a)?, at_least_1d(&positions(index)?)?);
    if is_on_card(&a)
        && let Some(made) = card::read_at(&a, &card::Positions::along_dim(&index, dim))
    {
        return Ok(made?.reshape(&*result.shape)?);
    }
    // candle steps through both in the same way, so what the index does not reach is cut off.
    for (at, size) in index.dims().iter().enumerate() {
        if at != dim {
            a = a.narrow(at, 0, *size)?;
        }
    }
    let picked = match wide_places(&a, |a| fast::Places::Gather([a, &index]).along(dim))? {
        Some(picked) => picked,
        None => a.contiguous()?.gather(&index.contiguous()?, dim)?,
    };
    Ok(picked.reshape(&*result.shape)?)
}

fn nothing(a: &Tensor, result: &Meta) -> KernelResult {
    Ok(Tensor::zeros(&*result.shape, a.dtype(), a.device())?)
}

/// candle takes no indices of 32 bits.
fn positions(index: &Tensor) -> KernelResult {
    Ok(index.to_dtype(Stored::I64)?)
}

fn too_far(value: i64, size: i64, dim: usize) -> TorchError {
    TorchError::runtime(format!(
        "index {value} is out of bounds for dimension {dim} with size {size}"
    ))
}

/// The first index that is out of range, and the size that it is beyond.
fn outside(
    host: &Host,
    a: &Tensor,
    index: &Tensor,
    dim: usize,
) -> Result<Option<(i64, i64)>, TorchError> {
    if is_on_card(index) {
        // The kernel itself asserts it, some time after it was queued.
        return Ok(None);
    }
    let size = a.dim(dim)? as i64;
    let is_outside = |value: &&i64| **value < 0 || **value >= size;
    let index = positions(index)?;
    let found = match fast::of_type([&index], |[it]: [&[i64]; 1]| {
        it.iter().find(is_outside).copied()
    }) {
        Some(found) => found,
        None => host.read::<i64>(&index)?.iter().find(is_outside).copied(),
    };
    Ok(found.map(|value| (value, size)))
}

/// The source added to zeros at the positions that `gather` read from.
pub(crate) fn scatter_add_to_zeros(
    host: &Host,
    [source, index]: [&Tensor; 2],
    dim: usize,
    shape: &[usize],
) -> KernelResult {
    let zeros = Tensor::zeros(shape, source.dtype(), source.device())?;
    written(host, Accumulate::Yes, [&zeros, index, source], dim)
}

/// The source's slices added to zeros at the positions that `index_select` read from.
pub(crate) fn index_add_to_zeros(
    source: &Tensor,
    index: &Tensor,
    dim: usize,
    shape: &[usize],
) -> KernelResult {
    let zeros = Tensor::zeros(shape, source.dtype(), source.device())?;
    if source.elem_count() == 0 {
        return Ok(zeros);
    }
    let (source, index) = (at_least_1d(source)?, positions(index)?.flatten_all()?);
    let zeros = at_least_1d(&zeros)?;
    if is_on_card(&zeros) {
        let positions = card::Positions::of_slices(zeros.dims(), &index, dim)?;
        if let Some(added) = card::added_at(&zeros, &source, &positions) {
            return Ok(added?.reshape(shape)?);
        }
    }
    let added = add_slices([&zeros, &index, &source], dim)?;
    Ok(added.reshape(shape)?)
}

/// `scatter` and `scatter_add`: a source written to a copy of a target.
pub(crate) fn scatter(
    host: &Host,
    accumulate: Accumulate,
    [target, index, source]: [&Tensor; 3],
    dim: usize,
    result: &Meta,
) -> KernelResult {
    let index = at_least_1d(index)?;
    let written = written(host, accumulate, [target, &index, source], dim)?;
    let written = written.reshape(&*result.shape)?;
    // The sum of two bools is a bool.
    if result.dtype == DType::Bool {
        to_bool(&written)
    } else {
        Ok(written)
    }
}

/// `index_add`: slices of a source added to a copy of a target.
pub(crate) fn index_add(
    host: &Host,
    [target, index, source]: [&Tensor; 3],
    dim: usize,
    result: &Meta,
) -> KernelResult {
    let (wide, like) = (at_least_1d(target)?, at_least_1d(source)?);
    if !is_on_card(target) && index.elem_count() > 0 {
        if let Some((value, size)) = outside(host, &wide, index, dim)? {
            return Err(too_far(value, size, dim));
        }
        let index = positions(index)?.flatten_all()?;
        let added = add_slices([&wide, &index, &like], dim)?.reshape(&*result.shape)?;
        return if result.dtype == DType::Bool {
            to_bool(&added)
        } else {
            Ok(added)
        };
    }
    let mut shape = vec![1; like.rank()];
    if let Some(it) = shape.get_mut(dim) {
        *it = index.elem_count();
    }
    let index = index.reshape(shape)?.broadcast_as(like.shape())?;
    scatter(host, Accumulate::Yes, [target, &index, source], dim, result)
}

fn written(
    host: &Host,
    accumulate: Accumulate,
    [target, index, source]: [&Tensor; 3],
    dim: usize,
) -> KernelResult {
    let (wide, from) = (at_least_1d(target)?, at_least_1d(source)?);
    if index.elem_count() == 0 {
        return Ok(target.force_contiguous()?);
    }
    if let Some((value, size)) = outside(host, &wide, index, dim)? {
        return Err(too_far(value, size, dim));
    }
    let index = at_least_1d(index)?;
    if is_on_card(&index) {
        let mut from = from.clone();
        for (at, size) in index.dims().iter().enumerate() {
            from = from.narrow(at, 0, *size)?;
        }
        let positions = card::Positions::along_dim(&index, dim);
        let made = match accumulate {
            Accumulate::No => card::written_at(&wide, &from, &positions),
            Accumulate::Yes => card::added_at(&wide, &from, &positions),
        };
        if let Some(made) = made {
            return Ok(made?.reshape(target.shape())?);
        }
    }
    let (index, source) = (positions(&index)?, from.to_dtype(sum_type(&from))?);
    let write = match accumulate {
        Accumulate::No => fast::Write::Replace,
        Accumulate::Yes => fast::Write::Add,
    };
    let card = wide.device().clone();
    let [index, source, to] = [&index, &source, &wide].map(|it| host.on_host(it));
    let (index, source, to) = (index?, source?, to?);
    let made = wide_places(&to, |to| {
        fast::Places::Scatter(write, [to, &index, &source]).along(dim)
    })?;
    match made {
        Some(made) => Ok(made.reshape(target.dims())?.to_device(&card)?),
        None => Err(TorchError::runtime(
            "no kernel writes elements of this type",
        )),
    }
}
