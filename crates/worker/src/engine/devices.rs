//! The device that an operation runs on, and PyTorch's error for inputs on two devices.

use crate::device::TensorDevice;
use crate::error::TorchError;
use crate::ops::{Argument, Devices, Op};
use crate::tensor::Tensor;

/// The device that an operation runs on: that of its inputs.
pub(super) fn common_device(op: &Op, inputs: &[&Tensor]) -> Result<TensorDevice, TorchError> {
    let rule = op.facts().devices();
    let is_free = |it: &Tensor| {
        rule == Devices::CpuScalarsToo && it.rank() == 0 && it.device() == TensorDevice::Cpu
    };
    let mut devices = inputs
        .iter()
        .enumerate()
        .filter(|(_, it)| !is_free(it))
        .map(|(at, it)| (at, it.device()));
    let first = devices
        .next()
        .map(|it| it.1)
        .or_else(|| inputs.first().map(|it| it.device()));
    let first = first.unwrap_or(TensorDevice::Cpu);
    match (devices.find(|it| it.1 != first), rule) {
        (None, _) => Ok(first),
        (Some((at, other)), Devices::Same(named)) => {
            let named = named.map(|it| it.of_input(at));
            Err(mismatch(first, other, named))
        }
        (Some((_, other)), Devices::CpuScalarsToo) => Err(mismatch(first, other, None)),
    }
}

/// PyTorch's error for two devices: that of the first input, and another one. Where PyTorch checks arguments one by one, it
/// names the first that is elsewhere (`c10::impl::common_device_check_failure`), otherwise only the devices
/// (`TensorIterator`).
pub(crate) fn mismatch(
    first: TensorDevice,
    other: TensorDevice,
    named: Option<Argument>,
) -> TorchError {
    const SAME: &str = "Expected all tensors to be on the same device, but";
    TorchError::runtime(match named {
        Some(it) => {
            // PyTorch looks at the bias first, which is where the weights are.
            let (there, others) = if it.name == "mat1" {
                (first, other)
            } else {
                (other, first)
            };
            format!(
                "{SAME} got {} is on {there}, different from other tensors on {others} (when checking argument in method wrapper_CUDA_{})",
                it.name, it.function
            )
        }
        None => {
            let (card, host) = if first == TensorDevice::Cpu {
                (other, first)
            } else {
                (first, other)
            };
            format!("{SAME} found at least two devices, {card} and {host}!")
        }
    })
}
