//! What a program sees that reads or writes memory before queued work is done with it, on a modelled card.
//!
//! The host's clock and the ends of queued work decide. Memory of the host gets what a copy brings when the copy ends; a
//! copy takes from pinned memory what is there when it ends; a stream reads what was there before, if it could start
//! before another one had written. Results that were computed before a source was overwritten stay as they are.

use super::in_flight::{Hazard, Place, QueuedFill, QueuedRead};
use super::state::Engine;
use crate::device::TensorDevice;
use crate::error::TorchError;
use crate::tensor::{Before, QueuedWork, State, Storage, Tensor, Value};
use candle_core::Tensor as Values;
use warpup_protocol::HazardKind;

impl Engine {
    /// The inputs of an operation as they are read now; nothing if they are read as they are.
    pub(super) fn seen(&self, inputs: &[&Tensor]) -> Result<Option<Vec<Tensor>>, TorchError> {
        if !self.in_flight.watches() {
            return Ok(None);
        }
        self.in_flight.land(self.now())?;
        let mut is_late = false;
        let seen = inputs.iter().map(|input| {
            let state = input.state();
            if state.device == TensorDevice::Cpu {
                if let Some(fill) = self.in_flight.fills_of(&state).first() {
                    self.hazard(HazardKind::ReadBeforeFill, fill.work);
                }
                return (*input).clone();
            }
            let Some(before) = self.seen_by_stream(&state) else {
                return (*input).clone();
            };
            is_late = true;
            Tensor::new(input.id(), before)
        });
        let seen = seen.collect();
        Ok(is_late.then_some(seen))
    }

    /// The values that a copy reads now.
    pub(super) fn seen_by_copy(&self, tensor: &Tensor) -> Result<Option<Values>, TorchError> {
        let as_it_is = || tensor.state().value.read();
        if !self.in_flight.watches() {
            return as_it_is();
        }
        if tensor.device() != TensorDevice::Cpu {
            let seen = self.seen(&[tensor])?.unwrap_or_default();
            return match seen.first() {
                Some(it) => it.state().value.read(),
                None => as_it_is(),
            };
        }
        self.in_flight.land(self.now())?;
        let state = tensor.state();
        let fills = self.in_flight.fills_of(&state);
        let (stream, at_ns) = self.next_start();
        let is_done = |it: &QueuedWork| it.stream == stream || it.until_ns <= at_ns;
        if let Some(late) = fills.iter().find(|it| !is_done(&it.work)) {
            self.hazard(HazardKind::OtherStream, late.work);
        }
        let done = fills.iter().filter(|it| is_done(&it.work));
        let later = done.map(|it| (it.into.layout(), it.value.clone().into()));
        let memory = state.storage.after(later)?;
        memory.values_through(state.layout.as_deref()).read()
    }

    /// Writes new values to the memory of a tensor, while copies may be under way from it and to it.
    pub(super) fn write(&self, into: &Tensor, value: impl Into<Value>) -> Result<(), TorchError> {
        if into.device() != TensorDevice::Cpu {
            let before = self.held_before(into);
            into.write(value)?;
            self.queued_write(&into.state(), before);
            return Ok(());
        }
        if !self.in_flight.watches() {
            return into.write(value);
        }
        let now = self.now();
        self.in_flight.land(now)?;
        into.write(value)?;
        let state = into.state();
        for fill in self.in_flight.fills_of(&state) {
            self.hazard(HazardKind::WriteBeforeFill, fill.work);
        }
        for work in self.in_flight.read_again(&state, now)? {
            self.hazard(HazardKind::WriteBeforeRead, work);
        }
        Ok(())
    }

    /// The last work of the current stream writes to the memory of a new tensor.
    pub(super) fn queued_new(&self, state: &State) {
        self.queued_write(state, Before::Zeros);
    }

    /// All values of memory that a CUDA graph reads, as the stream finds them that launches it.
    pub(super) fn read_by_graph(&self, memory: &Storage) -> Value {
        let missing = memory.missing(None, self.next_start());
        match missing.filter(|_| self.reads_are_checked()) {
            Some((work, before)) => {
                self.hazard(HazardKind::OtherStream, work);
                before
            }
            None => memory.whole_values(),
        }
    }

    /// The graph that was launched last writes to memory of the program, where this was before.
    pub(super) fn queued_in_graph(&self, memory: &Storage, before: Value) {
        memory.queue_write(self.last_work(), Before::Held(before), self.now());
    }

    /// The compiled code that was launched last writes to memory.
    pub(super) fn queued_compiled(&self, memory: &Storage) {
        memory.queue_write(self.last_work(), Before::Forgotten, self.now());
    }

    /// The last work of the current stream fills host memory with these values.
    pub(super) fn queued_fill(&self, into: &State, value: Option<Values>) {
        let work = self.last_work();
        let into = Place::of(into);
        self.in_flight.fill(QueuedFill { into, value, work });
    }

    /// The last work of the current stream copies from host memory.
    pub(super) fn queued_read(&self, from: &State, into: &State) {
        let read = QueuedRead {
            from: Place::of(from),
            into: Place::of(into),
            writes: into.storage.writes(),
            work: self.last_work(),
        };
        self.in_flight.read(read, self.now());
    }

    /// Opens a stream, and gives its number; 0 where there is only one.
    pub(crate) fn open_stream(&self) -> u32 {
        let mut device = self.backend.borrow_mut();
        let Some(streams) = device.streams() else {
            return 0;
        };
        self.in_flight.has_streams.set(true);
        streams.create_stream()
    }

    /// Does the work of backward, in which PyTorch lets each stream wait for what it reads.
    pub(crate) fn in_backward<R>(&self, work: impl FnOnce() -> R) -> R {
        let before = self.in_flight.in_backward.replace(true);
        let result = self.in_given_precision(work);
        self.in_flight.in_backward.set(before);
        result
    }

    /// What a tensor holds before a write.
    fn held_before(&self, tensor: &Tensor) -> Before {
        if self.in_flight.has_streams.get() {
            Before::Held(tensor.state().storage.values_through(None))
        } else {
            Before::Forgotten
        }
    }

    fn queued_write(&self, state: &State, before: Before) {
        if self.in_flight.is_modelled && state.device != TensorDevice::Cpu {
            let work = self.last_work();
            state.storage.queue_write(work, before, self.now());
        }
    }

    /// The tensor as the current stream reads it, if another one has not written it yet.
    fn seen_by_stream(&self, state: &State) -> Option<State> {
        if !self.reads_are_checked() {
            return None;
        }
        let at = self.next_start();
        let (work, value) = state.storage.missing(state.layout.as_deref(), at)?;
        self.hazard(HazardKind::OtherStream, work);
        let mut before = state.clone();
        before.value = value;
        Some(before)
    }

    /// Whether a stream can read now what another one has not written yet. What is captured reads nothing now.
    fn reads_are_checked(&self) -> bool {
        let streams = self.in_flight.has_streams.get() && !self.in_flight.in_backward.get();
        streams && !self.is_capturing()
    }

    /// The current stream, and when what it is given next could start.
    fn next_start(&self) -> (u32, u64) {
        let mut device = self.backend.borrow_mut();
        let at_ns = device.queued_until().unwrap_or_else(|| device.now());
        let stream = device.streams().map_or(0, |it| it.current_stream());
        (stream, at_ns)
    }

    /// All that the current stream was given: its last work is done when all is.
    fn last_work(&self) -> QueuedWork {
        let (stream, until_ns) = self.next_start();
        QueuedWork {
            stream,
            until_ns,
            line: self.line(),
        }
    }

    fn hazard(&self, kind: HazardKind, work: QueuedWork) {
        self.in_flight.keep(Hazard {
            kind,
            queued: work.line,
            line: self.line(),
        });
    }
}
