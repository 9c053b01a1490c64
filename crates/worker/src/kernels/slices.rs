//! What reading and writing at positions share: 16-bit floats by way of wider ones, and slices that are added.

use super::elementwise::sum_type;
use super::fast;
use super::host::is_on_card;
use candle_core::{Result, Tensor};

/// A kernel of our own, for 16-bit floats by way of wider ones.
pub(super) fn wide_places(
    a: &Tensor,
    kernel: impl FnOnce(&Tensor) -> Result<Option<Tensor>>,
) -> Result<Option<Tensor>> {
    if is_on_card(a) {
        return Ok(None);
    }
    let made = kernel(&a.to_dtype(sum_type(a))?)?;
    made.map(|it| it.to_dtype(a.dtype())).transpose()
}

/// A source's slices added to those of a target at positions that are known to be in range.
pub(crate) fn add_slices([target, index, source]: [&Tensor; 3], dim: usize) -> Result<Tensor> {
    let wide = source.to_dtype(sum_type(source))?;
    let write = fast::Write::Add;
    let added = wide_places(target, |target| {
        fast::Places::Slices(write, [target, index, &wide]).along(dim)
    })?;
    match added {
        Some(added) => Ok(added),
        None => target.index_add(index, &source.contiguous()?, dim),
    }
}
