//! Copies between memory with any strides.

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

fn copy(
    count: usize,
    (to, to_walk): (&Tensor, &Walk),
    (from, from_walk): (&Tensor, &Walk),
) -> Result<()> {
    let kernel = match to.dtype().size_in_bytes() {
        1 => "strided_copy_1",
        2 => "strided_copy_2",
        4 => "strided_copy_4",
        _ => "strided_copy_8",
    };
    let arguments = [
        Argument::U64(count as u64),
        Argument::Data(to),
        Argument::Walk(to_walk),
        Argument::Data(from),
        Argument::Walk(from_walk),
    ];
    launch(
        to.device(),
        (Module::StridedCopy, kernel),
        Grid::over(count),
        &arguments,
    )
}
