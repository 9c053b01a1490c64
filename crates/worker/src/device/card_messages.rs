//! PyTorch's messages about a card, for modelled and real ones.

use super::caching_allocator::PoolStats;
use crate::error::{Kind, TorchError};

/// An allocation of `asked` bytes failed on a card with `free` of `total` bytes; ends with `note`.
pub(super) fn out_of_memory(
    asked: u64,
    (free, total): (u64, u64),
    stats: PoolStats,
    note: &str,
) -> TorchError {
    let cached = stats.reserved.saturating_sub(stats.live);
    TorchError::new(
        Kind::OutOfMemory,
        format!(
            "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is free. Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch but unallocated.{note}",
            size(asked),
            size(total),
            size(free),
            size(stats.live),
            size(cached)
        ),
    )
}

/// An assertion in a kernel failed; ends with `note`.
pub(crate) fn assert_triggered(note: &str) -> TorchError {
    TorchError::new(
        Kind::Accelerator,
        format!(
            "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\n{note}"
        ),
    )
}

/// Bytes as PyTorch writes them in these messages.
pub(super) fn size(bytes: u64) -> String {
    let amount = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{:.2} KiB", amount / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.2} MiB", amount / 1_048_576.0),
        _ => format!("{:.2} GiB", amount / 1_073_741_824.0),
    }
}
