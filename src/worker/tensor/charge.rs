//! Memory that a tensor is charged for, and what it is held for.

use crate::protocol::Purpose;
use crate::worker::device::Allocation;
use crate::worker::engine::Engine;
use std::cell::Cell;
use std::rc::{Rc, Weak};

/// Memory that is given back when the last handle goes.
#[derive(Debug)]
pub struct Charge {
    engine: Weak<Engine>,
    /// Nothing behind a tensor of which only the shape is known.
    held: Option<Allocation>,
    purpose: Cell<Purpose>,
}

impl Charge {
    /// Memory that was given out by this engine's device; what it is for shows later.
    pub fn new(engine: &Weak<Engine>, held: Allocation) -> Self {
        Self {
            engine: Weak::clone(engine),
            held: Some(held),
            purpose: Cell::new(Purpose::Temporaries),
        }
    }

    /// The memory of a tensor that is known by its shape only, and must not be read.
    pub(super) fn of_ghost() -> Self {
        Self {
            engine: Weak::new(),
            held: None,
            purpose: Cell::new(Purpose::Temporaries),
        }
    }

    /// The engine, while its run lasts.
    pub(super) fn engine(&self) -> Option<Rc<Engine>> {
        self.engine.upgrade()
    }

    /// Whether there is no memory behind it.
    pub fn is_ghost(&self) -> bool {
        self.held.is_none()
    }

    /// What it is held for.
    pub fn purpose(&self) -> Purpose {
        self.purpose.get()
    }

    /// It is held for this from now on.
    pub fn hold_for(&self, purpose: Purpose) {
        let before = self.purpose.replace(purpose);
        if before != purpose
            && let (Some(engine), Some(held)) = (self.engine.upgrade(), self.held)
        {
            engine.turned(held, before, purpose);
        }
    }

    /// It takes the place of memory that was held for this.
    pub fn hold_on(&self, purpose: Purpose) {
        match purpose {
            Purpose::Weights | Purpose::Gradients | Purpose::OptimizerState => {
                self.hold_for(purpose);
            }
            Purpose::Activations | Purpose::Inputs | Purpose::Temporaries => {}
        }
    }

    /// A step of the way back needs it. What was a result in passing is an activation from now on;
    /// weights and data stay what they are.
    pub fn note_saved(&self) {
        if self.purpose.get() == Purpose::Temporaries {
            self.hold_for(Purpose::Activations);
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let (Some(engine), Some(held)) = (self.engine.upgrade(), self.held) {
            engine.give_back(held, self.purpose.get());
        }
    }
}
