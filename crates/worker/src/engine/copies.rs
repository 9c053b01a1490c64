//! Copies between host and card. Reading values is also a copy.

use super::assertions::AssertionCheck;
use super::state::Engine;
use crate::device::{Blocking, Direction, HostMemory, Pin, TensorDevice, Transfer};
use crate::error::TorchError;
use crate::meta::Cost;
use crate::ops::ToCopy;
use crate::tensor::{GradFn, State, Tensor};
use candle_core::Tensor as Values;
use warpup_protocol::{Lane, WaitCause};

impl Engine {
    /// Copies a tensor to another device; returns the same tensor if it is already there.
    pub(crate) fn copy(
        &self,
        tensor: &Tensor,
        to: TensorDevice,
        blocking: Blocking,
    ) -> Result<Tensor, TorchError> {
        let from = tensor.device();
        if from == to {
            return Ok(tensor.clone());
        }
        let meta = tensor.meta();
        let charge = self.charge(to, meta.bytes())?;
        let cause = cause_of_copy(to);
        let value = self.transfer(tensor, to, (blocking, cause), None)?;
        // A copy of weights or of data is held for what they are held for.
        charge.hold_for(tensor.state().storage.charge.purpose());
        let state = State::new(meta, to, charge, value);
        self.linked(GradFn::DeviceCopy { from }, &[tensor], state)
    }

    /// The values on another device, if they are kept, and the time of their copy; no tensor is made of them.
    /// They may be written to page-locked memory that is there already.
    pub(super) fn transfer(
        &self,
        tensor: &Tensor,
        to: TensorDevice,
        (blocking, cause): (Blocking, WaitCause),
        into: Option<&Pin>,
    ) -> Result<Option<Values>, TorchError> {
        let bytes = tensor.meta().bytes();
        let (direction, card) = match to {
            TensorDevice::Card(_) => (Direction::In, to),
            TensorDevice::Cpu => (Direction::Out, tensor.device()),
        };
        let memory = if into.is_some() || self.is_locked(tensor) {
            HostMemory::Pinned
        } else {
            HostMemory::Pageable
        };
        let transfer = Transfer {
            direction,
            bytes,
            memory,
            blocking,
        };
        let value = self.moved(("copy", cause), card, transfer, || {
            let value = tensor.state().value.clone();
            let value = value.map(|it| self.carried(&it, to, transfer, into));
            value.transpose()
        })?;
        // A copy to the host always waits.
        self.ask(match to {
            TensorDevice::Cpu => AssertionCheck::ToWait,
            TensorDevice::Card(_) => AssertionCheck::Now,
        })?;
        Ok(value)
    }

    /// Makes a copy and records it: queueing it, the copy, and the host's wait for it, which is one for all that
    /// was queued before, too.
    pub(super) fn moved(
        &self,
        (name, cause): (&'static str, WaitCause),
        card: TensorDevice,
        transfer: Transfer,
        carry: impl FnOnce() -> Result<Option<Values>, TorchError>,
    ) -> Result<Option<Values>, TorchError> {
        let lane = match transfer.direction {
            Direction::In => Lane::CopyToDevice,
            Direction::Out => Lane::CopyToHost,
        };
        let begun = self.begin(card)?;
        let value = carry()?;
        let timing = self.backend.borrow_mut().end_copy(transfer, begun);
        self.record_copy((name, cause), lane, timing, Cost::moving(transfer.bytes));
        Ok(value)
    }

    /// A copy in page-locked memory.
    pub(crate) fn pinned(&self, tensor: &Tensor) -> Result<Tensor, TorchError> {
        self.pin(&self.apply(ToCopy::Clone, &[tensor])?)
    }

    /// The same memory, page-locked.
    pub(crate) fn pin(&self, tensor: &Tensor) -> Result<Tensor, TorchError> {
        let value = tensor.state().value.clone();
        let pin = self.backend.borrow_mut().pin(value.as_ref())?;
        Ok(tensor.pinned(self.next_id(), pin))
    }

    /// The values, which have to come to the host first: what `item`, `tolist` and printing do.
    pub(crate) fn read(
        &self,
        tensor: &Tensor,
        cause: WaitCause,
    ) -> Result<candle_core::Tensor, TorchError> {
        let value = match tensor.device() {
            TensorDevice::Card(_) => {
                self.transfer(tensor, TensorDevice::Cpu, (Blocking::Yes, cause), None)?
            }
            TensorDevice::Cpu => tensor.state().value.clone(),
        };
        value.map_or_else(|| self.unknown(tensor), Ok)
    }

    /// Whether a tensor's values lie in page-locked memory: after a change in place they may not.
    pub(crate) fn is_locked(&self, tensor: &Tensor) -> bool {
        let state = tensor.state();
        match (&state.pinned, &state.value) {
            (Some(pin), Some(value)) => self.backend.borrow().is_pinned(pin, value),
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    fn carried(
        &self,
        value: &Values,
        to: TensorDevice,
        transfer: Transfer,
        into: Option<&Pin>,
    ) -> Result<Values, TorchError> {
        let mut device = self.backend.borrow_mut();
        if let Some(pin) = into
            && let Some(written) = device.copy_into_pinned(value, pin, transfer)?
        {
            return Ok(written);
        }
        device.copy(value, to, transfer)
    }
}

/// What the program called, where it copied a tensor to this device and waited for it.
pub(super) fn cause_of_copy(to: TensorDevice) -> WaitCause {
    match to {
        TensorDevice::Card(_) => WaitCause::CopyToDevice,
        TensorDevice::Cpu => WaitCause::CopyToHost,
    }
}
