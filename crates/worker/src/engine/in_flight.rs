//! Copies on a modelled card that are queued and not done, between memory that the program can read and write meanwhile.

use crate::error::TorchError;
use crate::tensor::layout::Layout;
use crate::tensor::{QueuedWork, State, Storage};
use candle_core::Tensor as Values;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};
use warpup_protocol::HazardKind;

/// The most hazards that a run reports.
const MOST: usize = 12;

/// The copies, and what a program did too early.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    /// Whether the card is modelled: a real one has its own times.
    pub(super) is_modelled: bool,
    /// Whether the program has opened a stream, so that one can read what another writes.
    pub(super) has_streams: Cell<bool>,
    /// Whether there was a copy that the host did not wait for.
    has_copies: Cell<bool>,
    /// Whether backward runs, in which PyTorch lets streams wait for each other.
    pub(super) in_backward: Cell<bool>,
    fills: RefCell<Vec<QueuedFill>>,
    reads: RefCell<Vec<QueuedRead>>,
    hazards: RefCell<Vec<Hazard>>,
}

/// The elements of a tensor in memory, while that lives.
#[derive(Clone, Debug)]
pub(super) struct Place {
    storage: Weak<Storage>,
    layout: Option<Rc<Layout>>,
    elements: Range<usize>,
}

/// A copy that fills host memory.
#[derive(Clone, Debug)]
pub(super) struct QueuedFill {
    pub(super) into: Place,
    pub(super) value: Option<Values>,
    pub(super) work: QueuedWork,
}

/// A copy that reads host memory.
#[derive(Debug)]
pub(super) struct QueuedRead {
    pub(super) from: Place,
    pub(super) into: Place,
    /// The writes to the target by then.
    pub(super) writes: u64,
    pub(super) work: QueuedWork,
}

/// What a line did before queued work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hazard {
    pub(super) kind: HazardKind,
    /// The line that queued the work.
    pub(super) queued: u32,
    pub(super) line: u32,
}

impl Place {
    pub(super) fn of(state: &State) -> Self {
        Self {
            storage: Rc::downgrade(&state.storage),
            layout: state.layout.clone(),
            elements: state.offset()..state.end(),
        }
    }

    /// Whether a tensor has some of these elements.
    fn meets(&self, state: &State) -> bool {
        std::ptr::eq(self.storage.as_ptr(), Rc::as_ptr(&state.storage))
            && self.elements.start < state.end()
            && state.offset() < self.elements.end
    }

    pub(super) fn layout(&self) -> Option<&Layout> {
        self.layout.as_deref()
    }

    fn write(&self, value: Option<Values>) -> Result<(), TorchError> {
        match self.storage.upgrade() {
            Some(storage) => storage.write(self.layout(), &value.into()),
            None => Ok(()),
        }
    }
}

impl QueuedRead {
    /// The target gets what is in the source now, unless it was written to since.
    fn again(&mut self) -> Result<(), TorchError> {
        let (Some(from), Some(into)) = (self.from.storage.upgrade(), self.into.storage.upgrade())
        else {
            return Ok(());
        };
        if into.writes() != self.writes {
            return Ok(());
        }
        into.write(self.into.layout(), &from.values_through(self.from.layout()))?;
        self.writes = into.writes();
        Ok(())
    }
}

impl InFlight {
    pub(super) fn of(is_modelled: bool) -> Self {
        Self {
            is_modelled,
            ..Self::default()
        }
    }

    /// Whether anything can be read or written too early.
    pub(super) fn watches(&self) -> bool {
        self.has_copies.get() || self.has_streams.get()
    }

    pub(super) fn fill(&self, fill: QueuedFill) {
        self.has_copies.set(true);
        self.fills.borrow_mut().push(fill);
    }

    pub(super) fn read(&self, read: QueuedRead, now: u64) {
        self.has_copies.set(true);
        let mut reads = self.reads.borrow_mut();
        reads.retain(|it| it.work.until_ns > now);
        reads.push(read);
    }

    /// Host memory gets what the copies that are done by now have copied, in the order of their ends.
    pub(super) fn land(&self, now: u64) -> Result<(), TorchError> {
        if self.fills.borrow().is_empty() {
            return Ok(());
        }
        let all = self.fills.take();
        let (mut due, queued): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| it.work.until_ns <= now);
        self.fills.replace(queued);
        due.sort_by_key(|it| it.work.until_ns);
        due.into_iter().try_for_each(|it| it.into.write(it.value))
    }

    /// The copies that have yet to fill some of a tensor, in the order in which they were queued.
    pub(super) fn fills_of(&self, state: &State) -> Vec<QueuedFill> {
        let fills = self.fills.borrow();
        let of_it = fills.iter().filter(|it| it.into.meets(state));
        of_it.cloned().collect()
    }

    /// The copies that have yet to read some of a tensor read what is there now; gives their work.
    pub(super) fn read_again(
        &self,
        state: &State,
        now: u64,
    ) -> Result<Vec<QueuedWork>, TorchError> {
        let mut reads = self.reads.borrow_mut();
        let is_late = |it: &&mut QueuedRead| it.work.until_ns > now && it.from.meets(state);
        let late = reads.iter_mut().filter(is_late);
        late.map(|it| it.again().map(|()| it.work)).collect()
    }

    /// Keeps a hazard, the first of two lines.
    pub(super) fn keep(&self, hazard: Hazard) {
        let mut hazards = self.hazards.borrow_mut();
        let is_known = |it: &Hazard| (it.queued, it.line) == (hazard.queued, hazard.line);
        if hazards.len() < MOST && !hazards.iter().any(is_known) {
            hazards.push(hazard);
        }
    }

    /// What the program did too early.
    pub(super) fn hazards(&self) -> Vec<Hazard> {
        self.hazards.borrow().clone()
    }

    /// The same, which the run forgets until it gets it back.
    pub(super) fn take_hazards(&self) -> Vec<Hazard> {
        self.hazards.take()
    }

    pub(super) fn put_hazards(&self, hazards: Vec<Hazard>) {
        self.hazards.replace(hazards);
    }

    /// The same, for people.
    pub(super) fn notes(&self) -> Vec<String> {
        self.hazards.borrow().iter().map(Hazard::note).collect()
    }
}

impl Hazard {
    fn note(&self) -> String {
        let Self { kind, queued, line } = *self;
        match kind {
            HazardKind::ReadBeforeFill => format!(
                "line {line} read memory that the copy of line {queued} had not filled yet, by the times of the model: it read what was there before. Call torch.cuda.synchronize() first, or wait for an event behind the copy"
            ),
            HazardKind::WriteBeforeFill => format!(
                "line {line} wrote to memory that the copy of line {queued} had not filled yet, by the times of the model: the copy overwrites it. Call torch.cuda.synchronize() first, or wait for an event behind the copy"
            ),
            HazardKind::WriteBeforeRead => format!(
                "line {line} wrote to pinned memory before the copy of line {queued} had read it, by the times of the model: the card gets the new values. Wait for an event behind the copy first, or write to other memory"
            ),
            HazardKind::OtherStream => format!(
                "line {line} read what line {queued} had not written yet in another stream, by the times of the model: it read what was there before. Let the stream wait first, with wait_stream or wait_event"
            ),
        }
    }
}
