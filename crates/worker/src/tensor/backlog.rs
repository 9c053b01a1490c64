//! The values of a run that wait until somebody reads them, and the memory that they keep.

use super::deferred::Deferred;
use crate::kernels::host::memory_of;
use candle_core::Tensor as Values;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

/// The most results that wait at a time.
pub(super) const MOST_WAITING: usize = 10_000;

/// What waits in a run, and the memory that it keeps: its inputs, and what was computed for several of them.
#[derive(Debug)]
pub(crate) struct Backlog {
    most_bytes: u64,
    bytes: Cell<u64>,
    next: Cell<u64>,
    /// In the order in which the program made them: nobody waits for a later one.
    waiting: RefCell<BTreeMap<u64, Weak<Deferred>>>,
    /// Values by the address of their memory.
    kept: RefCell<HashMap<usize, Kept>>,
}

#[derive(Debug)]
struct Kept {
    times: u64,
    bytes: u64,
}

impl Backlog {
    /// For results that keep about as many bytes.
    pub(crate) fn new(most_bytes: u64) -> Rc<Self> {
        Rc::new(Self {
            most_bytes,
            bytes: Cell::new(0),
            next: Cell::new(0),
            waiting: RefCell::default(),
            kept: RefCell::default(),
        })
    }

    pub(super) fn has_room(&self) -> bool {
        self.waiting.borrow().len() <= MOST_WAITING && self.bytes.get() <= self.most_bytes
    }

    /// Takes in what waits; gives its number.
    pub(super) fn add(&self, waiting: Weak<Deferred>) -> u64 {
        let number = self.next.get();
        self.next.set(number + 1);
        self.waiting.borrow_mut().insert(number, waiting);
        number
    }

    /// What had this number waits no more.
    pub(super) fn remove(&self, number: u64) {
        self.waiting.borrow_mut().remove(&number);
    }

    /// Computes all that waits, in the order of the program: then values are freed as early as if nothing had waited.
    pub(super) fn compute_all(&self) {
        loop {
            let first = self.waiting.borrow_mut().pop_first();
            let Some((_, waiting)) = first else {
                return;
            };
            if let Some(waiting) = waiting.upgrade() {
                waiting.compute();
            }
        }
    }

    /// Something that waits reads values, or has computed them.
    pub(super) fn keep(&self, values: Option<&Values>) {
        let Some(values) = values else {
            return;
        };
        let mut all = self.kept.borrow_mut();
        let bytes = bytes_of(values);
        let none = Kept { times: 0, bytes };
        let kept = all.entry(memory_of(values)).or_insert(none);
        if kept.times == 0 {
            self.bytes.set(self.bytes.get().saturating_add(bytes));
        }
        kept.times += 1;
    }

    /// Something that has read values, or computed them, is gone.
    pub(super) fn let_go(&self, values: Option<&Values>) {
        let Some(values) = values else {
            return;
        };
        let mut all = self.kept.borrow_mut();
        let address = memory_of(values);
        if let Some(kept) = all.get_mut(&address) {
            kept.times -= 1;
            if kept.times == 0 {
                self.bytes.set(self.bytes.get().saturating_sub(kept.bytes));
                all.remove(&address);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.waiting.borrow().len()
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.get()
    }
}

/// Bytes of values, whatever type their tensor has.
pub(super) fn bytes_of(values: &Values) -> u64 {
    (values.elem_count() * values.dtype().size_in_bytes()) as u64
}
