//! Elements and slices read from, and written to, places that an index tensor names.

use super::host::{is_on_card, read};
use super::lanes::{Numbers, numbers};
use super::{Done, truths, with_dims};
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::Scatter;
use candle_core::{DType as Stored, Tensor};

/// Slices picked along a dimension.
pub(super) fn index_select(a: &Tensor, index: &Tensor, dim: usize, result: &Meta) -> Done {
    let a = with_dims(a)?;
    if let Some((value, size)) = outside(&a, index, dim)? {
        // PyTorch names dimension 0 here whichever it is.
        return Err(TorchError::index(format!(
            "index {value} is out of bounds for dimension 0 with size {size}"
        )));
    }
    if result.count() == 0 {
        return nothing(&a, result);
    }
    let picked = a
        .contiguous()?
        .index_select(&positions(index)?.flatten_all()?, dim)?;
    Ok(picked.reshape(&*result.shape)?)
}

/// Elements picked along a dimension.
pub(super) fn gather(a: &Tensor, index: &Tensor, dim: usize, result: &Meta) -> Done {
    if let Some((value, size)) = outside(&with_dims(a)?, index, dim)? {
        return Err(too_far(value, size, dim));
    }
    taken(a, index, dim, result)
}

/// Elements picked along a dimension, at positions that are known to be there.
pub(super) fn taken(a: &Tensor, index: &Tensor, dim: usize, result: &Meta) -> Done {
    if result.count() == 0 {
        return nothing(a, result);
    }
    let (mut a, index) = (with_dims(a)?, with_dims(&positions(index)?)?);
    // candle steps through both in the same way, so what the index does not reach is cut off.
    for (at, size) in index.dims().iter().enumerate() {
        if at != dim {
            a = a.narrow(at, 0, *size)?;
        }
    }
    let picked = a.contiguous()?.gather(&index.contiguous()?, dim)?;
    Ok(picked.reshape(&*result.shape)?)
}

fn nothing(a: &Tensor, result: &Meta) -> Done {
    Ok(Tensor::zeros(&*result.shape, a.dtype(), a.device())?)
}

/// candle takes no indices of 32 bits.
fn positions(index: &Tensor) -> Done {
    Ok(index.to_dtype(Stored::I64)?)
}

fn too_far(value: i64, size: i64, dim: usize) -> TorchError {
    TorchError::runtime(format!(
        "index {value} is out of bounds for dimension {dim} with size {size}"
    ))
}

/// The first index that is out of range, and the size that it is beyond.
fn outside(a: &Tensor, index: &Tensor, dim: usize) -> Result<Option<(i64, i64)>, TorchError> {
    if is_on_card(index) {
        // The kernel itself asserts it, some time after it was queued.
        return Ok(None);
    }
    let size = a.dim(dim)? as i64;
    let values = read::<i64>(&positions(index)?)?;
    let found = values
        .into_iter()
        .find(|value| *value < 0 || *value >= size);
    Ok(found.map(|value| (value, size)))
}

/// The source added into zeros at the places that `gather` took it from.
pub(super) fn scatter_add(source: &Tensor, index: &Tensor, dim: usize, shape: &[usize]) -> Done {
    let zeros = Tensor::zeros(shape, source.dtype(), source.device())?;
    written(Scatter::Added, [&zeros, index, source], dim)
}

/// The source's slices added into zeros at the places that `index_select` took them from.
pub(super) fn index_add(source: &Tensor, index: &Tensor, dim: usize, shape: &[usize]) -> Done {
    let zeros = Tensor::zeros(shape, source.dtype(), source.device())?;
    if source.elem_count() == 0 {
        return Ok(zeros);
    }
    let source = with_dims(source)?.contiguous()?;
    let added = with_dims(&zeros)?.index_add(&positions(index)?.flatten_all()?, &source, dim)?;
    Ok(added.reshape(shape)?)
}

/// A source written into a copy of a target.
pub(super) fn scatter(
    how: Scatter,
    [target, index, source]: [&Tensor; 3],
    dim: usize,
    result: &Meta,
) -> Done {
    let index = match how {
        Scatter::Written | Scatter::Added => with_dims(index)?,
        Scatter::Slices => {
            let mut shape = vec![1; with_dims(source)?.rank()];
            if let Some(it) = shape.get_mut(dim) {
                *it = index.elem_count();
            }
            index
                .reshape(shape)?
                .broadcast_as(with_dims(source)?.shape())?
        }
    };
    let written = written(how, [target, &index, source], dim)?;
    let written = written.reshape(&*result.shape)?;
    // Two truths added are a truth.
    if result.dtype == DType::Bool {
        truths(&written)
    } else {
        Ok(written)
    }
}

fn written(how: Scatter, [target, index, source]: [&Tensor; 3], dim: usize) -> Done {
    let (wide, from) = (with_dims(target)?, with_dims(source)?);
    if index.elem_count() == 0 {
        return Ok(target.force_contiguous()?);
    }
    if let Some((value, size)) = outside(&wide, index, dim)? {
        return Err(too_far(value, size, dim));
    }
    let index = with_dims(index)?;
    if how == Scatter::Added && is_on_card(&index) && fits(&index, &from, &wide, dim) {
        let (index, from) = (positions(&index)?.contiguous()?, from.contiguous()?);
        let added = wide.contiguous()?.scatter_add(&index, &from, dim)?;
        return Ok(added.reshape(target.shape())?);
    }
    let chosen: Vec<i64> = read(&positions(&index)?)?;
    let to = offsets(index.dims(), wide.dims(), |at, flat| {
        (at == dim).then(|| chosen.get(flat).copied().unwrap_or(0) as usize)
    });
    let from_at = offsets(index.dims(), from.dims(), |_, _| None);
    let places = to.into_iter().zip(from_at);
    let adds = how != Scatter::Written;
    let made = match (numbers(&wide)?, numbers(&from)?) {
        (Numbers::Whole(mut values), Numbers::Whole(new)) => {
            put(&mut values, &new, places, |old, new| {
                if adds { old.wrapping_add(new) } else { new }
            });
            Numbers::Whole(values)
        }
        (Numbers::Real(mut values), Numbers::Real(new)) => {
            put(&mut values, &new, places, |old, new| {
                if adds { old + new } else { new }
            });
            Numbers::Real(values)
        }
        _ => return Err(TorchError::runtime("target and source have other types")),
    };
    made.tensor(target.dims(), target, target.dtype())
}

/// Whether index and source have the sizes that candle's kernel steps through.
fn fits(index: &Tensor, from: &Tensor, target: &Tensor, dim: usize) -> bool {
    let others = |it: &Tensor| {
        let all = it.dims().iter().enumerate();
        let left: Vec<usize> = all
            .filter(|(at, _)| *at != dim)
            .map(|(_, it)| *it)
            .collect();
        left
    };
    from.dtype().is_float() && index.dims() == from.dims() && others(index) == others(target)
}

fn put<T: Copy>(
    values: &mut [T],
    new: &[T],
    places: impl Iterator<Item = (usize, usize)>,
    how: impl Fn(T, T) -> T,
) {
    for (to, from) in places {
        if let (Some(old), Some(new)) = (values.get_mut(to), new.get(from)) {
            *old = how(*old, *new);
        }
    }
}

/// Where each element of a grid lies in row-major memory of other sizes; a dimension's step can be
/// given by the element's number.
fn offsets(
    grid: &[usize],
    sizes: &[usize],
    given: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<usize> {
    let count: usize = grid.iter().product();
    (0..count)
        .map(|flat| {
            let (mut left, mut stride, mut offset) = (flat, 1, 0);
            for (at, (size, room)) in grid.iter().zip(sizes).enumerate().rev() {
                let step = given(at, flat).unwrap_or(left % size);
                offset += step * stride;
                stride *= room;
                left /= size;
            }
            offset
        })
        .collect()
}
