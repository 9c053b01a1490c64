//! Copies between memory with any strides, and into larger tensors.

use super::launch::{Argument, Grid, Module, launch, memory};
use super::walk::Walk;
use crate::kernels::host::is_on_card;
use candle_core::{Error, Result, Tensor};

/// Where elements lie in memory: sizes, strides and the position of the first one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strided<'a> {
    pub(crate) sizes: &'a [usize],
    pub(crate) strides: &'a [usize],
    pub(crate) offset: usize,
}

/// Writes the elements of a tensor, in row-major order, where they lie in another tensor's memory, which nobody else sees.
pub(crate) fn write(into: &Tensor, at: Strided<'_>, new: &Tensor) -> Result<()> {
    let to = Walk::over(at.sizes, at.strides).ok_or_else(too_many_dims)?;
    let from = Walk::over(new.dims(), new.stride()).ok_or_else(too_many_dims)?;
    let target = into.flatten_all()?.narrow(0, at.offset, 1)?;
    copy(new.elem_count(), (&target, &to), (new, &from))
}

/// Writes the elements of a tensor over all of another one, which nobody else sees.
pub(crate) fn write_all(own: &Tensor, new: &Tensor) -> Result<()> {
    let at = Strided {
        sizes: own.dims(),
        strides: own.stride(),
        offset: 0,
    };
    write(own, at, new)
}

fn too_many_dims() -> Error {
    Error::msg(
        "a tensor on a card with so many dimensions cannot be written to; make it contiguous first",
    )
}

/// The elements in memory of their own, in row-major order; nothing if there is no kernel for it.
pub(crate) fn contiguous(a: &Tensor) -> Option<Result<Tensor>> {
    if !is_on_card(a) || a.is_contiguous() || a.elem_count() == 0 {
        return None;
    }
    let from = Walk::over(a.dims(), a.stride())?;
    let to = Walk::over(&[a.elem_count()], &[1])?;
    Some(memory(a.shape(), a.dtype(), a.device()).and_then(|out| {
        copy(a.elem_count(), (&out, &to), (a, &from))?;
        Ok(out)
    }))
}

/// The elements with so many of one number before each dimension, in this shape; nothing on the host.
pub(crate) fn padded(
    a: &Tensor,
    shape: &[usize],
    before: &[usize],
    number: f64,
) -> Option<Result<Tensor>> {
    if !is_on_card(a) || a.elem_count() == 0 {
        return None;
    }
    Walk::over(a.dims(), a.stride())?;
    let made = || {
        let out = Tensor::zeros(shape, a.dtype(), a.device())?;
        let out = if number == 0.0 {
            out
        } else {
            let one = Tensor::full(number, (), a.device())?.to_dtype(a.dtype())?;
            one.broadcast_as(shape)?.force_contiguous()?
        };
        let starts = before.iter().zip(out.stride());
        let at = Strided {
            sizes: a.dims(),
            strides: out.stride(),
            offset: starts.map(|(before, stride)| before * stride).sum(),
        };
        write(&out, at, a)?;
        Ok(out)
    };
    Some(made())
}

/// Copies from an address to all of a tensor that has memory of its own.
pub(super) fn copy_from(to: &Tensor, from: Argument<'_>, walk: &Walk) -> Result<()> {
    let own = Walk::over(&[to.elem_count()], &[1]).ok_or_else(too_many_dims)?;
    copy_at(to.elem_count(), (to, &own), (from, walk))
}

fn copy(
    count: usize,
    (to, to_walk): (&Tensor, &Walk),
    (from, from_walk): (&Tensor, &Walk),
) -> Result<()> {
    copy_at(count, (to, to_walk), (Argument::Data(from), from_walk))
}

fn copy_at(
    count: usize,
    (to, to_walk): (&Tensor, &Walk),
    (from, from_walk): (Argument<'_>, &Walk),
) -> Result<()> {
    let kernel = format!("strided_copy_{}", to.dtype().size_in_bytes());
    let arguments = [
        Argument::U64(count as u64),
        Argument::Data(to),
        Argument::Walk(to_walk),
        from,
        Argument::Walk(from_walk),
    ];
    launch(
        to.device(),
        (Module::StridedCopy, &kernel),
        Grid::over(count),
        &arguments,
    )
}
