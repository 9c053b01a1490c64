//! What PyTorch says of a card's memory, for modelled and real ones.

use super::pool::Counts;
use crate::worker::error::{Kind, TorchError};

/// So much was asked for, so much is free of all there is, and so much is held; and what is to be added.
pub(super) fn out_of_memory(
    asked: u64,
    (free, total): (u64, u64),
    counts: Counts,
    note: &str,
) -> TorchError {
    let cached = counts.reserved.saturating_sub(counts.live);
    TorchError {
        kind: Kind::OutOfMemory,
        message: format!(
            "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is free. Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch but unallocated.{note}",
            size(asked),
            size(total),
            size(free),
            size(counts.live),
            size(cached)
        ),
    }
}

/// An assertion in a kernel has failed, in CUDA's words and PyTorch's; and what is to be added.
pub fn assert_triggered(note: &str) -> TorchError {
    TorchError {
        kind: Kind::Accelerator,
        message: format!(
            "CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\n{note}"
        ),
    }
}

/// Bytes as PyTorch writes them in this message.
pub(super) fn size(bytes: u64) -> String {
    let amount = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{:.2} KiB", amount / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.2} MiB", amount / 1_048_576.0),
        _ => format!("{:.2} GiB", amount / 1_073_741_824.0),
    }
}
