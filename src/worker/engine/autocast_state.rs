//! What `torch.autocast` has switched on, and the weights it has cast.

use crate::worker::device::TensorDevice;
use crate::worker::dtype::DType;
use crate::worker::tensor::Tensor;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The 16-bit type of each device, and casts that are kept.
#[derive(Debug, Default)]
pub(super) struct AutocastState {
    pub(super) on_cpu: Cell<Option<DType>>,
    pub(super) on_card: Cell<Option<DType>>,
    /// Whether a weight is cast once in a block, and not each time it is used.
    pub(super) caching: Cell<bool>,
    /// Weights in the 16-bit type, by the id of the weight.
    pub(super) weights: RefCell<HashMap<u64, Tensor>>,
}

impl AutocastState {
    pub(super) fn is_on(&self) -> bool {
        self.on_cpu.get().is_some() || self.on_card.get().is_some()
    }

    pub(super) fn dtype(&self, device: TensorDevice) -> Option<DType> {
        match device {
            TensorDevice::Cpu => self.on_cpu.get(),
            TensorDevice::Card(_) => self.on_card.get(),
        }
    }
}
