//! Memory that a tensor is charged for, and what it is held for.
//!
//! The engine counts it; a tensor knows the engine only as an [`Accountant`].

use crate::device::Allocation;
use std::cell::Cell;
use std::rc::{Rc, Weak};
use warpup_protocol::Purpose;

/// Who counts memory and numbers tensors.
pub(crate) trait Accountant {
    /// Takes memory back that was held for this purpose.
    fn give_back(&self, held: Allocation, purpose: Purpose);

    /// Memory is held for another purpose from now on.
    fn repurpose(&self, held: Allocation, from: Purpose, to: Purpose);

    /// Values in memory of this machine hold so many bytes from now on, after so many before.
    fn hold_values(&self, before: u64, after: u64);

    /// The number of the next tensor.
    fn next_id(&self) -> u64;
}

/// Memory that is given back when the last handle goes.
pub(crate) struct Charge {
    accountant: Weak<dyn Accountant>,
    /// The memory; nothing for a tensor that has metadata only.
    held: Cell<Option<Allocation>>,
    purpose: Cell<Purpose>,
    /// Whether it was taken inside `torch.inference_mode`.
    in_inference: bool,
    /// Bytes of the values that are kept.
    values: Cell<u64>,
}

impl Charge {
    /// Memory that a device gave out; that of a tensor gets its purpose later.
    pub(crate) fn new(
        accountant: Weak<dyn Accountant>,
        held: Allocation,
        purpose: Purpose,
    ) -> Self {
        Self {
            accountant,
            held: Cell::new(Some(held)),
            purpose: Cell::new(purpose),
            in_inference: false,
            values: Cell::new(0),
        }
    }

    /// The same, taken inside `torch.inference_mode` or outside.
    #[must_use]
    pub(crate) fn in_inference(mut self, yes: bool) -> Self {
        self.in_inference = yes;
        self
    }

    /// Whether it was taken inside `torch.inference_mode`.
    pub(crate) fn is_of_inference(&self) -> bool {
        self.in_inference
    }

    /// No memory, for a tensor that has metadata only.
    pub(super) fn none() -> Self {
        Self {
            accountant: Weak::<NoAccountant>::new(),
            held: Cell::new(None),
            purpose: Cell::new(Purpose::Temporaries),
            in_inference: false,
            values: Cell::new(0),
        }
    }

    /// The engine, while its run lasts.
    pub(super) fn accountant(&self) -> Option<Rc<dyn Accountant>> {
        self.accountant.upgrade()
    }

    /// Its bytes, rounding included.
    pub(crate) fn bytes(&self) -> u64 {
        self.held.get().map_or(0, Allocation::bytes)
    }

    /// Whether there is no memory, only metadata.
    pub(crate) fn is_metadata_only(&self) -> bool {
        self.held.get().is_none()
    }

    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose.get()
    }

    /// Holds it for this purpose from now on.
    pub(crate) fn hold_for(&self, purpose: Purpose) {
        let before = self.purpose.replace(purpose);
        if before != purpose
            && let (Some(accountant), Some(held)) = (self.accountant.upgrade(), self.held.get())
        {
            accountant.repurpose(held, before, purpose);
        }
    }

    /// Bytes of the values that are kept.
    pub(super) fn value_bytes(&self) -> u64 {
        self.values.get()
    }

    /// The values that are kept take so many bytes from now on.
    pub(super) fn hold_values(&self, bytes: u64) {
        let before = self.values.replace(bytes);
        if before != bytes
            && let Some(accountant) = self.accountant.upgrade()
        {
            accountant.hold_values(before, bytes);
        }
    }

    /// Takes the place of memory that was held for this purpose.
    pub(crate) fn hold_on(&self, purpose: Purpose) {
        match purpose {
            Purpose::Weights | Purpose::Gradients | Purpose::OptimizerState => {
                self.hold_for(purpose);
            }
            Purpose::Activations
            | Purpose::Inputs
            | Purpose::Workspace
            | Purpose::CudnnWorkspace
            | Purpose::Temporaries => {}
        }
    }

    /// Holds the memory of another charge from now on, for what this one is held for.
    pub(crate) fn take_over(&self, other: &Self) {
        other.hold_for(self.purpose());
        self.held.set(other.held.take());
    }

    /// Backward needs it: a temporary becomes an activation, weights and inputs stay what they are.
    pub(crate) fn note_saved(&self) {
        if self.purpose.get() == Purpose::Temporaries {
            self.hold_for(Purpose::Activations);
        }
    }
}

/// Stands for the engine of a tensor that has metadata only.
struct NoAccountant;

impl Accountant for NoAccountant {
    fn give_back(&self, _held: Allocation, _purpose: Purpose) {}

    fn repurpose(&self, _held: Allocation, _from: Purpose, _to: Purpose) {}

    fn hold_values(&self, _before: u64, _after: u64) {}

    fn next_id(&self) -> u64 {
        0
    }
}

impl std::fmt::Debug for Charge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut charge = f.debug_struct("Charge");
        charge
            .field("held", &self.held.get())
            .finish_non_exhaustive()
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.hold_values(0);
        if let (Some(accountant), Some(held)) = (self.accountant.upgrade(), self.held.get()) {
            accountant.give_back(held, self.purpose.get());
        }
    }
}
