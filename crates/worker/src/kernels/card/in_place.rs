//! The memory that a change in place writes: a function of elements writes where it has read.

use super::launch::{fill_with_zeros, memory};
use crate::kernels::host::shares_memory;
use candle_core::{DType, Device, Result, Shape, Tensor};
use std::cell::RefCell;

/// What is changed.
struct Target {
    own: Tensor,
    is_written: bool,
}

thread_local! {
    static TARGET: RefCell<Option<Target>> = const { RefCell::new(None) };
}

/// Does work that is a change in place of this memory, which no other tensor has, in row-major order. The first function of
/// elements that reads it writes its result there.
pub(crate) fn changing<T>(own: Option<Tensor>, work: impl FnOnce() -> T) -> T {
    let is_written = false;
    TARGET.set(own.map(|own| Target { own, is_written }));
    let done = work();
    TARGET.set(None);
    done
}

/// Whether these values are what is changed, already with its new values.
pub(crate) fn is_changed(values: &Tensor) -> bool {
    TARGET.with_borrow(|target| {
        let target = target.as_ref().filter(|it| it.is_written);
        target.is_some_and(|it| shares_memory(&it.own, values))
    })
}

/// Writes zeros where a tensor is.
pub(crate) fn clear(own: &Tensor) -> Result<()> {
    fill_with_zeros(own)
}

/// Memory for the result of a function of elements: that of the input that it changes, or new memory.
pub(super) fn result(
    shape: &Shape,
    dtype: DType,
    on: &Device,
    inputs: &[&Tensor],
) -> Result<Tensor> {
    let own = TARGET.with_borrow_mut(|target| {
        let target = target.as_mut().filter(|it| !it.is_written)?;
        target.is_written = is_result(&target.own, shape, dtype, inputs);
        target.is_written.then(|| target.own.clone())
    });
    own.map_or_else(|| memory(shape, dtype, on), Ok)
}

/// Whether a function can write there: it reads each element only where it writes it.
fn is_result(own: &Tensor, shape: &Shape, dtype: DType, inputs: &[&Tensor]) -> bool {
    let start = |it: &Tensor| it.storage_and_layout().1.start_offset();
    let is_own =
        |it: &Tensor| it.is_contiguous() && it.shape() == own.shape() && start(it) == start(own);
    let mut shared = inputs.iter().filter(|it| shares_memory(it, own)).peekable();
    own.shape() == shape
        && own.dtype() == dtype
        && shared.peek().is_some()
        && shared.all(|it| is_own(it))
}
