//! What this process knows of its card during a run, for errors that appear far from the device.
//!
//! candle reports CUDA's errors wherever a kernel is called, without the device at hand. So that such an error
//! can be explained, this state belongs to the thread: all calls of CUDA come from one.

use super::memory::CardMemory;
use crate::device::DeviceUnavailable;
use crate::device::caching_allocator::PoolStats;
use crate::device::card_messages::{self, size};
use crate::error::TorchError;
use std::cell::{Cell, RefCell};
use warpup_protocol::Reason;

thread_local! {
    /// The memory of the card that the run uses.
    pub(super) static MEMORY: RefCell<Option<CardMemory>> = const { RefCell::new(None) };
    /// Bytes that the run's tensors hold, rounded as blocks are.
    pub(super) static LIVE: Cell<u64> = const { Cell::new(0) };
    /// The size of the last allocation, in bytes.
    pub(super) static ASKED: Cell<u64> = const { Cell::new(0) };
    /// Bytes that the run may hold.
    pub(super) static CAP: Cell<Option<u64>> = const { Cell::new(None) };
    /// Bytes that the program allows itself (`set_per_process_memory_fraction`).
    pub(super) static ALLOWED: Cell<Option<u64>> = const { Cell::new(None) };
    /// Whether the host waits for each kernel (`CUDA_LAUNCH_BLOCKING`).
    pub(super) static LAUNCH_BLOCKING: Cell<bool> = const { Cell::new(false) };
    /// Whether the context is unusable after a sticky error.
    pub(super) static BROKEN: Cell<bool> = const { Cell::new(false) };
    /// Why the program could not use the card, if that happened.
    pub(super) static UNAVAILABLE: RefCell<Option<DeviceUnavailable>> = const { RefCell::new(None) };
}

/// Bytes that a context with its libraries takes at most; memory up to this size is not blamed on others.
const CONTEXT: u64 = 1 << 30;

/// Starts a run that holds nothing yet.
pub(super) fn begin_run(cap: Option<u64>) {
    LIVE.set(0);
    CAP.set(cap);
    ALLOWED.set(None);
    LAUNCH_BLOCKING.set(false);
    UNAVAILABLE.set(None);
}

/// The error of an allocation beyond the cap of a run.
pub(super) fn beyond_cap(asked: u64, cap: u64) -> TorchError {
    let note = format!(
        " (a lab may hold {} of this card, so that others find room)",
        size(cap)
    );
    let (sizes, stats) = memory_now();
    card_messages::out_of_memory(asked, sizes, (stats, None), &note)
}

/// The error of an allocation beyond what the program allows itself.
pub(super) fn beyond_allowed(asked: u64, allowed: u64) -> TorchError {
    let (sizes, stats) = memory_now();
    card_messages::out_of_memory(asked, sizes, (stats, Some(allowed)), "")
}

/// The error of an allocation of `asked` bytes, or of the last one, that did not fit on the card.
///
/// If the run would have fitted on an empty card, the card is noted as busy: other processes fill it.
pub(super) fn out_of_memory(asked: Option<u64>) -> TorchError {
    let asked = asked.unwrap_or_else(|| ASKED.get());
    let ((free, total), stats) = memory_now();
    let ours = stats.reserved.saturating_add(CONTEXT);
    let others = total.saturating_sub(free).saturating_sub(ours);
    if others > 0 && ours.saturating_add(asked) <= total {
        UNAVAILABLE.set(Some(DeviceUnavailable::Busy(Reason {
            why: format!(
                "others hold {:.2} GiB of the card, and the program did not fit beside them",
                others as f64 / f64::from(1 << 30)
            ),
            hint: "try again when they are done, or make the program smaller".to_owned(),
            evidence: "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory".to_owned(),
        })));
    }
    card_messages::out_of_memory(asked, (free, total), (stats, None), "")
}

/// What is free on the card of its total, and what the run holds.
fn memory_now() -> ((u64, u64), PoolStats) {
    MEMORY.with_borrow(|memory| {
        memory.as_ref().map_or_else(Default::default, |memory| {
            let sizes = memory.free_and_total().unwrap_or_default();
            (sizes, memory.stats(LIVE.get(), LIVE.get()))
        })
    })
}
