//! Values on the host and on a real card, and which operations had to read a card's values on the host.
//!
//! What candle has no kernel for is computed on the host. For values on a card that is a copy which waits, and
//! the result goes back by another one; the time is then shown as the host's, not as a kernel's.

use crate::device::fits_on_card;
use crate::error::TorchError;
use crate::kernels::card;
use crate::meta::Meta;
use candle_core::{DType, Device, Result, Tensor, WithDType};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Integers up to here are numbers of `float64`, too.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// What a kernel gives: the values of its result.
pub(crate) type KernelResult = std::result::Result<Tensor, TorchError>;

/// Reads values on the host for one operation, and remembers how long it waited for those that were on a card.
#[derive(Debug, Default)]
pub(crate) struct Host {
    read: Cell<Option<CardRead>>,
}

/// The first time that values of a card were read on the host for an operation: the host waits for all work before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CardRead {
    pub(crate) began: Instant,
    pub(crate) waited: Duration,
}

impl Host {
    /// When values of a card were read on the host, if they were.
    pub(crate) fn card_read(&self) -> Option<CardRead> {
        self.read.get()
    }

    /// Values of this card are about to be read, for which the host waits.
    fn reads(&self, card: &Device) {
        if self.read.get().is_some() {
            return;
        }
        let began = Instant::now();
        // The copy that follows reports an error of the card.
        let _reported_later = card.synchronize();
        let waited = began.elapsed();
        self.read.set(Some(CardRead { began, waited }));
    }

    /// The values on the host.
    pub(crate) fn on_host(&self, a: &Tensor) -> Result<Tensor> {
        if is_on_card(a) {
            self.reads(a.device());
        }
        a.to_device(&Device::Cpu)
    }

    /// The values in row-major order, in their own type.
    pub(crate) fn read<T: WithDType>(&self, a: &Tensor) -> Result<Vec<T>> {
        if is_on_card(a) {
            self.reads(a.device());
        }
        a.flatten_all()?.to_vec1()
    }

    /// The values in row-major order, converted.
    pub(crate) fn read_as<T: WithDType>(&self, a: &Tensor, stored: DType) -> Result<Vec<T>> {
        self.read(&a.to_dtype(stored)?)
    }

    /// Inputs that candle can compute with: all on the card where one is, or all on the host where an input or
    /// the result cannot be on the card. Nothing if they are already.
    pub(crate) fn together(
        &self,
        inputs: &[&Tensor],
        result: &Meta,
    ) -> Result<Option<Vec<Tensor>>> {
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
            self.reads(card.device());
        }
        let moved = inputs.iter().map(|it| match number_on(it, to) {
            Some(made) => made,
            None => it.to_device(to),
        });
        moved.collect::<Result<_>>().map(Some)
    }

    /// Values in another type: on a card by way of a third one where candle has no kernel for it, or on the host.
    pub(crate) fn cast(&self, value: &Tensor, to: DType) -> Result<Tensor> {
        if !is_on_card(value) {
            return value.to_dtype(to);
        }
        let is_half = |it: DType| [DType::F16, DType::BF16].contains(&it);
        let from = value.dtype();
        if [DType::I16, DType::I32].contains(&to) {
            self.reads(value.device());
            return value.to_device(&Device::Cpu)?.to_dtype(to);
        }
        if (from == DType::I64 && is_half(to)) || (is_half(from) && to == DType::I64) {
            return value.to_dtype(DType::F32)?.to_dtype(to);
        }
        value.to_dtype(to)
    }
}

/// A number of the host on a card, by a kernel that takes it, as in PyTorch: a copy would make the host wait.
fn number_on(a: &Tensor, card: &Device) -> Option<Result<Tensor>> {
    if a.rank() > 0 || !card.is_cuda() || is_on_card(a) {
        return None;
    }
    let number: f64 = a.to_dtype(DType::F64).and_then(|it| it.to_scalar()).ok()?;
    if !a.dtype().is_float() && number.abs() > MOST_EXACT {
        return None;
    }
    card::full(number, (&[], a.dtype()), card)
}

/// Whether values are on a real card.
pub(crate) fn is_on_card(a: &Tensor) -> bool {
    matches!(a.device(), Device::Cuda(_))
}

/// Whether two of candle's tensors are parts of one memory.
pub(crate) fn shares_memory(a: &Tensor, b: &Tensor) -> bool {
    memory_of(a) == memory_of(b)
}

/// The address of the memory that values are in; those of a view are in that of the whole.
pub(crate) fn memory_of(values: &Tensor) -> usize {
    let (storage, _) = values.storage_and_layout();
    (&raw const *storage).addr()
}

fn fits(a: &Tensor) -> bool {
    fits_on_card(a.dtype(), a.elem_count())
}

/// Values of a card's tensor, where they are kept: on the card if it can hold them.
pub(crate) fn on_card_if_it_fits(value: Tensor, card: &Device) -> Result<Tensor> {
    match (fits(&value), is_on_card(&value)) {
        (true, false) => value.to_device(card),
        (false, true) => value.to_device(&Device::Cpu),
        (true, true) | (false, false) => Ok(value),
    }
}
