//! The device that an operation runs on, and PyTorch's error for inputs on two devices.

use crate::worker::device::TensorDevice;
use crate::worker::error::TorchError;
use crate::worker::ops::{Argument, Devices, Op};
use crate::worker::tensor::Tensor;

/// The device that an operation runs on: that of its inputs.
pub(super) fn common_device(op: &Op, inputs: &[&Tensor]) -> Result<TensorDevice, TorchError> {
    let rule = op.devices();
    let is_free = |it: &Tensor| {
        rule == Devices::CpuScalarsToo && it.rank() == 0 && it.device() == TensorDevice::Cpu
    };
    let mut devices = inputs
        .iter()
        .filter(|it| !is_free(it))
        .map(|it| it.device());
    let first = devices
        .next()
        .or_else(|| inputs.first().map(|it| it.device()));
    let first = first.unwrap_or(TensorDevice::Cpu);
    match (devices.find(|it| *it != first), rule) {
        (None, _) => Ok(first),
        (Some(other), Devices::Same(named)) => Err(mismatch(first, other, named)),
        (Some(other), Devices::CpuScalarsToo) => Err(mismatch(first, other, None)),
    }
}

/// PyTorch's error for two devices.
pub(crate) fn mismatch(
    first: TensorDevice,
    other: TensorDevice,
    named: Option<Argument>,
) -> TorchError {
    let (card, host) = if first == TensorDevice::Cpu {
        (other, first)
    } else {
        (first, other)
    };
    let found = format!(
        "Expected all tensors to be on the same device, but found at least two devices, {card} and {host}!"
    );
    TorchError::runtime(match named {
        Some(Argument { argument, function }) => format!(
            "{found} (when checking argument for argument {argument} in method wrapper_CUDA_{function})"
        ),
        None => found,
    })
}
