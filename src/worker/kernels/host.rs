//! Values read on the host: what candle has no kernel for is computed there.
//!
//! For values on a card that is a copy which waits, and the result goes back by another one. It is noted, so
//! that the time is told as the host's, and not as that of a kernel which never ran.

pub(in crate::worker) use crate::worker::device::fits_on_card;
use crate::worker::meta::Meta;
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

fn fits(a: &Tensor) -> bool {
    fits_on_card(a.dtype(), a.elem_count())
}

/// Inputs that candle can compute with: all on the card where one is, or all on the host where one cannot be on
/// the card, or the result cannot.
pub(super) fn together(
    inputs: &[&Tensor],
    result: &Meta,
) -> candle_core::Result<Option<Vec<Tensor>>> {
    let Some(card) = inputs.iter().find(|it| is_on_card(it)) else {
        return Ok(None);
    };
    let result_fits = fits_on_card(result.dtype.stored(), result.count() as usize);
    let all_fit = result_fits && inputs.iter().all(|it| fits(it));
    if all_fit && inputs.iter().all(|it| is_on_card(it)) {
        return Ok(None);
    }
    let to = if all_fit { card.device() } else { &Device::Cpu };
    if !all_fit {
        READ.set(true);
    }
    let moved = inputs.iter().map(|it| it.to_device(to));
    moved.collect::<candle_core::Result<_>>().map(Some)
}

/// Values of a card's tensor, where they are kept: on the card if it can hold them.
pub(in crate::worker) fn settled(value: Tensor, card: &Device) -> candle_core::Result<Tensor> {
    match (fits(&value), is_on_card(&value)) {
        (true, false) => value.to_device(card),
        (false, true) => value.to_device(&Device::Cpu),
        (true, true) | (false, false) => Ok(value),
    }
}

/// Values in another type: on a card by way of a third one where candle has no kernel for it, or on the host.
pub(in crate::worker) fn cast(value: &Tensor, to: DType) -> candle_core::Result<Tensor> {
    if !is_on_card(value) {
        return value.to_dtype(to);
    }
    let is_half = |it: DType| [DType::F16, DType::BF16].contains(&it);
    let from = value.dtype();
    if [DType::I16, DType::I32].contains(&to) {
        READ.set(true);
        return value.to_device(&Device::Cpu)?.to_dtype(to);
    }
    if (from == DType::I64 && is_half(to)) || (is_half(from) && to == DType::I64) {
        return value.to_dtype(DType::F32)?.to_dtype(to);
    }
    value.to_dtype(to)
}

/// Whether values of a card were read on the host since this was last asked.
pub(in crate::worker) fn was_read() -> bool {
    READ.take()
}
