//! Copies between host and card. Reading values is also a copy.

use super::assertions::AssertionCheck;
use super::state::Engine;
use crate::device::{Blocking, Direction, HostMemory, Pin, TensorDevice, Transfer};
use crate::error::TorchError;
use crate::meta::{Cost, Meta};
use crate::ops::ToCopy;
use crate::tensor::{Charge, GradFn, State, Tensor};
use candle_core::{DType as CandleDType, Tensor as Values};
use warpup_protocol::{Lane, Purpose, WaitCause};

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
        let host = self.host_memory_of_copy(tensor, to, blocking);
        let transfer = transfer(tensor, blocking, host);
        let value = self.transfer(tensor, to, (transfer, cause_of_copy(to)), None)?;
        // A copy of weights or of data is held for what they are held for.
        charge.hold_for(tensor.state().storage.charge.purpose());
        let state = match (to, self.is_queued(transfer)) {
            (TensorDevice::Cpu, true) => self.to_be_filled(meta, charge, value)?,
            (TensorDevice::Cpu | TensorDevice::Card(_), _) => {
                let state = State::new(meta, to, charge, value);
                self.queued_new(&state);
                if self.is_queued(transfer) {
                    self.queued_read(&tensor.state(), &state);
                }
                state
            }
        };
        self.linked(GradFn::DeviceCopy { from }, &[tensor], state)
    }

    /// The host's side of a copy to new memory. That of a copy to the host for which it need not wait is pinned, as in
    /// PyTorch (`pin_out` in `TensorConversions.cpp`); a real card's copies to the host wait here.
    fn host_memory_of_copy(
        &self,
        tensor: &Tensor,
        to: TensorDevice,
        blocking: Blocking,
    ) -> HostMemory {
        let is_pinned = match to {
            TensorDevice::Card(_) => self.is_locked(tensor),
            TensorDevice::Cpu => blocking == Blocking::No && self.in_flight.is_modelled,
        };
        if is_pinned {
            HostMemory::Pinned
        } else {
            HostMemory::Pageable
        }
    }

    /// New pinned memory with zeros, which the copy that was queued last fills with these values.
    fn to_be_filled(
        &self,
        meta: Meta,
        charge: Charge,
        value: Option<Values>,
    ) -> Result<State, TorchError> {
        let zeros = value.as_ref().map(Values::zeros_like).transpose()?;
        let pin = self
            .backend
            .borrow_mut()
            .pin(zeros.as_ref(), meta.bytes())?;
        let mut state = State::new(meta, TensorDevice::Cpu, charge, zeros);
        state.pinned = Some(pin);
        self.queued_fill(&state, value);
        Ok(state)
    }

    /// Whether a copy is queued and the program goes on, as far as this matters to what it reads.
    pub(super) fn is_queued(&self, transfer: Transfer) -> bool {
        self.in_flight.is_modelled && transfer.is_asynchronous()
    }

    /// The page-locked memory of a tensor, if a copy from a card can write these elements where they are.
    pub(super) fn writable(&self, into: &Tensor, like: &Meta) -> Option<Pin> {
        let state = into.state();
        let is_whole = state.layout.is_none();
        let fits = is_whole || self.in_flight.is_modelled && state.is_contiguous();
        let pin = state.pinned.clone()?;
        (fits && state.meta == *like).then_some(pin)
    }

    /// The values on another device, if they are kept, and the time of their copy; no tensor is made of them.
    /// They may be written to page-locked memory that is there already.
    pub(super) fn transfer(
        &self,
        tensor: &Tensor,
        to: TensorDevice,
        (transfer, cause): (Transfer, WaitCause),
        into: Option<&Pin>,
    ) -> Result<Option<Values>, TorchError> {
        if to == TensorDevice::Cpu {
            if cause == WaitCause::CopyToHost {
                self.launch_before_copy();
            } else if cause == WaitCause::Branch {
                // The compiler's word for it.
                self.break_region("data-dependent branching");
            } else {
                self.break_region(cause.word().unwrap_or("a read on the host"));
            }
        }
        let card = match to {
            TensorDevice::Card(_) => to,
            TensorDevice::Cpu => tensor.device(),
        };
        let seen = self.seen_by_copy(tensor)?;
        let value = self.moved(("copy", cause), card, transfer, || {
            let value = seen.map(|it| self.carried(&it, to, transfer, into));
            value.transpose()
        })?;
        let waits = to == TensorDevice::Cpu && !self.is_queued(transfer);
        self.ask(if waits {
            AssertionCheck::ToWait
        } else {
            AssertionCheck::Now
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
        self.refuse_in_capture()?;
        self.count_transfer(transfer, cause);
        let begun = self.begin(card)?;
        let value = carry()?;
        let timing = self.backend.borrow_mut().end_copy(transfer, begun);
        self.count_copy(transfer, cause, timing);
        self.record_copy((name, cause), lane, timing, Cost::moving(transfer.bytes));
        Ok(value)
    }

    /// A copy in page-locked memory.
    pub(crate) fn pinned(&self, tensor: &Tensor) -> Result<Tensor, TorchError> {
        let begun_ns = self.now();
        let pinned = self.pin(&self.apply(ToCopy::Clone, &[tensor])?)?;
        self.count_pin(begun_ns);
        Ok(pinned)
    }

    /// The same memory, page-locked.
    pub(crate) fn pin(&self, tensor: &Tensor) -> Result<Tensor, TorchError> {
        self.refuse_in_capture()?;
        let value = tensor.state().value.read()?;
        self.count_pinned(tensor.meta().bytes());
        let pin = self
            .backend
            .borrow_mut()
            .pin(value.as_ref(), tensor.meta().bytes())?;
        Ok(tensor.pinned(self.next_id(), pin))
    }

    /// The values, which have to come to the host first: what `item`, `tolist` and printing do.
    pub(crate) fn read(
        &self,
        tensor: &Tensor,
        cause: WaitCause,
    ) -> Result<candle_core::Tensor, TorchError> {
        self.count_read(tensor);
        let value = match tensor.device() {
            TensorDevice::Card(_) => {
                let transfer = transfer(tensor, Blocking::Yes, HostMemory::Pageable);
                self.transfer(tensor, TensorDevice::Cpu, (transfer, cause), None)?
            }
            TensorDevice::Cpu => {
                self.seen(&[tensor])?;
                tensor.state().value.read()?
            }
        };
        let Some(value) = value else {
            return self.unknown(tensor);
        };
        self.note_half_overflow(tensor, &value);
        Ok(value)
    }

    /// Whether a tensor of one element is not 0, for which the host waits; nothing where a plan has no values.
    pub(crate) fn read_flag(
        &self,
        flag: &Tensor,
        cause: WaitCause,
    ) -> Result<Option<bool>, TorchError> {
        if flag.device() == TensorDevice::Cpu {
            return is_set(flag.state().value.read()?);
        }
        let transfer = transfer(flag, Blocking::Yes, HostMemory::Pageable);
        let value = self.transfer(flag, TensorDevice::Cpu, (transfer, cause), None)?;
        is_set(value)
    }

    /// Whether the check of a `GradScaler` found something, for which the host waits. Where a plan has no values, they count as
    /// finite.
    pub(crate) fn read_inf(&self, found: &Tensor) -> Result<bool, TorchError> {
        Ok(self.read_flag(found, WaitCause::Scaler)?.unwrap_or(false))
    }

    /// The same for a step of which a kernel reads it. On a real card the host has to.
    pub(crate) fn known_inf(&self, found: &Tensor) -> Result<bool, TorchError> {
        if found.device() != TensorDevice::Cpu && self.has_real_card() {
            return self.read_inf(found);
        }
        Ok(is_set(found.state().value.read()?)?.unwrap_or(false))
    }

    /// Whether a tensor's values lie in page-locked memory: after a change in place they may not.
    pub(crate) fn is_locked(&self, tensor: &Tensor) -> bool {
        let state = tensor.state();
        match (&state.pinned, state.value.known()) {
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

fn is_set(flag: Option<Values>) -> Result<Option<bool>, TorchError> {
    let flag = flag.map(|it| it.to_dtype(CandleDType::F64)?.to_scalar::<f64>());
    Ok(flag.transpose()?.map(|it| it != 0.0))
}

/// The copy of a tensor to the other side, where the host's is this memory.
pub(super) fn transfer(tensor: &Tensor, blocking: Blocking, memory: HostMemory) -> Transfer {
    Transfer {
        direction: match tensor.device() {
            TensorDevice::Card(_) => Direction::Out,
            TensorDevice::Cpu => Direction::In,
        },
        bytes: tensor.meta().bytes(),
        memory,
        blocking,
        is_weight: tensor.state().storage.charge.purpose() == Purpose::Weights,
    }
}

/// What the program called, where it copied a tensor to this device and waited for it.
pub(super) fn cause_of_copy(to: TensorDevice) -> WaitCause {
    match to {
        TensorDevice::Card(_) => WaitCause::CopyToDevice,
        TensorDevice::Cpu => WaitCause::CopyToHost,
    }
}
