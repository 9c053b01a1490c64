//! PyTorch's messages about a card, for modelled and real ones.

use super::caching_allocator::PoolStats;
use crate::error::{Kind, TorchError};

/// An allocation of `asked` bytes failed on a card with `free` of `total` bytes, of which the program allows itself
/// some or all; ends with `note`.
pub(super) fn out_of_memory(
    asked: u64,
    (free, total): (u64, u64),
    (stats, allowed): (PoolStats, Option<u64>),
    note: &str,
) -> TorchError {
    let allowed = allowed.map_or_else(String::new, |it| format!("{} allowed; ", size(it)));
    let cached = stats.reserved.saturating_sub(stats.live);
    TorchError::new(
        Kind::OutOfMemory,
        format!(
            "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is free. {allowed}Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch but unallocated.{note}",
            size(asked),
            size(total),
            size(free),
            size(stats.live),
            size(cached)
        ),
    )
}

/// What PyTorch adds to an error of a kernel, which may have been queued long before, unless each is waited for
/// (`c10::cuda::get_cuda_async_error_suffix`).
pub(crate) fn async_suffix(is_launch_blocking: bool) -> &'static str {
    if is_launch_blocking {
        return "";
    }
    "\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1"
}

/// A card that is not there; ends with `note`.
pub(crate) fn invalid_device(note: &str) -> TorchError {
    let said = "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?";
    TorchError::new(Kind::Accelerator, format!("{said}\n{note}"))
}

/// An assertion in a kernel failed; ends with `note`.
pub(crate) fn assert_triggered(note: &str, is_launch_blocking: bool) -> TorchError {
    let suffix = async_suffix(is_launch_blocking);
    TorchError::new(
        Kind::Accelerator,
        format!(
            "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.{suffix}\n{note}"
        ),
    )
}

/// A call that waits for the card, or allocates memory of the host, while a CUDA graph is captured.
pub(crate) fn capture_unsupported() -> TorchError {
    cuda_error(
        "operation not permitted when stream is capturing",
        "cudaErrorStreamCaptureUnsupported",
    )
}

/// The end of a capture in which such a call was made.
pub(crate) fn capture_invalidated() -> TorchError {
    cuda_error(
        "operation failed due to a previous error during capture",
        "cudaErrorStreamCaptureInvalidated",
    )
}

fn cuda_error(what: &str, code: &str) -> TorchError {
    TorchError::new(
        Kind::Accelerator,
        format!(
            "CUDA error: {what}\nSearch for `{code}' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nDevice-side assertion tracking was not enabled by user."
        ),
    )
}

/// Bytes as PyTorch writes them in these messages.
pub(crate) fn size(bytes: u64) -> String {
    let amount = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{:.2} KiB", amount / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.2} MiB", amount / 1_048_576.0),
        _ => format!("{:.2} GiB", amount / 1_073_741_824.0),
    }
}
