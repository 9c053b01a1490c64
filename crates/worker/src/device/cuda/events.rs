//! CUDA events: those of the program, and a pair around each operation whose time is wanted.

use super::failure::CudaFailure;
use crate::device::interface::EventId;
use crate::device::timing::{Interval, WorkId};
use crate::error::TorchError;
use candle_core::cuda::cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use candle_core::cuda::cudarc::driver::{CudaEvent, CudaStream, DriverError};
use std::collections::VecDeque;
use std::sync::Arc;

/// The events of one run.
pub(super) struct Events {
    stream: Arc<CudaStream>,
    /// An event that is done, and the host's clock at that time.
    base: (CudaEvent, u64),
    /// The program's events, by [`EventId`].
    recorded: Vec<CudaEvent>,
    /// The start of the operation that is being queued.
    started: Option<CudaEvent>,
    /// Queued operations with their start and end, oldest first.
    queued: VecDeque<(WorkId, CudaEvent, CudaEvent)>,
    next: u64,
    /// Events for reuse: creating one takes longer than recording it.
    spare: Vec<CudaEvent>,
    /// The time of all completed operations.
    busy_ns: u64,
}

/// How often the two clocks are compared; the fastest comparison counts.
const COMPARED: usize = 5;

impl Events {
    /// No events yet; `now` reads the run's clock.
    pub(super) fn new(
        stream: &Arc<CudaStream>,
        now: impl Fn() -> u64,
    ) -> Result<Self, CudaFailure> {
        Ok(Self {
            stream: Arc::clone(stream),
            base: base(stream, now)?,
            recorded: Vec::new(),
            started: None,
            queued: VecDeque::new(),
            next: 0,
            spare: Vec::new(),
            busy_ns: 0,
        })
    }

    /// Records the start of an operation.
    pub(super) fn start(&mut self) -> Result<(), TorchError> {
        let event = self.new_recorded()?;
        if let Some(unused) = self.started.replace(event) {
            self.spare.push(unused);
        }
        Ok(())
    }

    /// Records the end of the started operation; `None` if none was started.
    pub(super) fn end(&mut self) -> Option<WorkId> {
        let start = self.started.take()?;
        // An error here belongs to earlier work, and the next synchronize reports it.
        let end = self.new_recorded().ok()?;
        let work = WorkId(self.next);
        self.next += 1;
        self.queued.push_back((work, start, end));
        Some(work)
    }

    /// When an operation ran, if it is done. Callers ask in the order in which operations were queued.
    pub(super) fn completion(&mut self, work: WorkId) -> Option<Interval> {
        let (oldest, _, end) = self.queued.front()?;
        if *oldest != work || !end.is_complete() {
            return None;
        }
        let (_, start, end) = self.queued.pop_front()?;
        let (base, base_ns) = &self.base;
        let start_ns = base_ns.saturating_add(elapsed_or_zero(base, &start));
        let took_ns = elapsed_or_zero(&start, &end);
        self.busy_ns += took_ns;
        self.spare.extend([start, end]);
        Some(Interval {
            start_ns,
            end_ns: start_ns.saturating_add(took_ns),
        })
    }

    /// The time of all completed operations.
    pub(super) fn busy_ns(&self) -> u64 {
        self.busy_ns
    }

    /// Records an event of the program behind all queued work.
    pub(super) fn record(&mut self) -> Result<EventId, TorchError> {
        let event = self.new_recorded()?;
        self.recorded.push(event);
        Ok(EventId(self.recorded.len() as u64 - 1))
    }

    /// A recorded event.
    pub(super) fn get(&self, event: EventId) -> Result<&CudaEvent, TorchError> {
        let at = usize::try_from(event.0).ok();
        at.and_then(|at| self.recorded.get(at))
            .ok_or_else(|| TorchError::runtime("internal error in warpup: an event of another run"))
    }

    /// Nanoseconds on the card from one event to another.
    pub(super) fn elapsed_ns(&self, from: EventId, to: EventId) -> Result<f64, TorchError> {
        let (from, to) = (self.get(from)?, self.get(to)?);
        let ms = from.elapsed_ms(to).map_err(CudaFailure::from)?;
        Ok(f64::from(ms) * 1e6)
    }

    fn new_recorded(&mut self) -> Result<CudaEvent, TorchError> {
        let event = match self.spare.pop() {
            Some(event) => event,
            None => new_event(&self.stream).map_err(CudaFailure::from)?,
        };
        event.record(&self.stream).map_err(CudaFailure::from)?;
        Ok(event)
    }
}

fn new_event(stream: &CudaStream) -> Result<CudaEvent, DriverError> {
    stream.context().new_event(Some(CU_EVENT_DEFAULT))
}

/// Nanoseconds between two events that are done; 0 if CUDA does not answer.
fn elapsed_or_zero(from: &CudaEvent, to: &CudaEvent) -> u64 {
    let ms = from.elapsed_ms(to).unwrap_or(0.0);
    (f64::from(ms) * 1e6).max(0.0) as u64
}

/// An event that is done, and the host's clock in the middle of the wait for it.
fn base(stream: &Arc<CudaStream>, now: impl Fn() -> u64) -> Result<(CudaEvent, u64), CudaFailure> {
    stream.synchronize()?;
    let mut best: Option<(CudaEvent, u64, u64)> = None;
    for _ in 0..COMPARED {
        let event = new_event(stream)?;
        let before = now();
        event.record(stream)?;
        event.synchronize()?;
        let took = now().saturating_sub(before);
        if best.as_ref().is_none_or(|(_, _, least)| took < *least) {
            best = Some((event, before + took / 2, took));
        }
    }
    match best {
        Some((event, at_ns, _)) => Ok((event, at_ns)),
        None => Ok((new_event(stream)?, now())),
    }
}
