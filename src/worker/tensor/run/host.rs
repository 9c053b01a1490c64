//! Values read on the host: what candle has no kernel for is computed there.
//!
//! For values on a card that is a copy which waits, and the result goes back by another one. It is noted, so
//! that the time is told as the host's, and not as that of a kernel which never ran.

use candle_core::{DType, Device, Tensor, WithDType};
use std::cell::Cell;

thread_local! {
    static READ: Cell<bool> = const { Cell::new(false) };
}

/// The values in row-major order, in their own type.
pub(super) fn read<T: WithDType>(a: &Tensor) -> candle_core::Result<Vec<T>> {
    if is_on_card(a) {
        READ.set(true);
    }
    a.flatten_all()?.to_vec1()
}

/// The values in row-major order, converted.
pub(super) fn read_as<T: WithDType>(a: &Tensor, stored: DType) -> candle_core::Result<Vec<T>> {
    read(&a.to_dtype(stored)?)
}

/// Whether values are on a real card.
pub(super) fn is_on_card(a: &Tensor) -> bool {
    matches!(a.device(), Device::Cuda(_))
}

/// Whether values of a card were read on the host since this was last asked.
pub(in crate::worker) fn was_read() -> bool {
    READ.take()
}
