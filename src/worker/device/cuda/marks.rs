//! Events of CUDA: marks of a program, and the two ends of each piece of work whose time is wanted.

use super::trouble::Trouble;
use crate::worker::device::model::Interval;
use crate::worker::device::{Mark, Ticket};
use crate::worker::error::TorchError;
use candle_core::cuda::cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use candle_core::cuda::cudarc::driver::{CudaEvent, CudaStream, DriverError};
use std::collections::VecDeque;
use std::sync::Arc;

/// The events of one run.
pub(super) struct Marks {
    stream: Arc<CudaStream>,
    /// An event that is done, and the host's clock then.
    base: (CudaEvent, u64),
    /// Those of the program, by number.
    given: Vec<CudaEvent>,
    /// The start of what is being queued.
    begun: Option<CudaEvent>,
    /// What was queued, oldest first.
    queued: VecDeque<(Ticket, CudaEvent, CudaEvent)>,
    next: u64,
    /// Events to be used again: making one takes longer than recording it.
    spare: Vec<CudaEvent>,
    /// Time of the work that is known to be done.
    busy_ns: u64,
}

/// How often the two clocks are compared; the quickest answer counts.
const COMPARED: usize = 5;

impl Marks {
    /// None yet; `now` is the host's clock of the run.
    pub(super) fn new(stream: &Arc<CudaStream>, now: impl Fn() -> u64) -> Result<Self, Trouble> {
        Ok(Self {
            stream: Arc::clone(stream),
            base: base(stream, now)?,
            given: Vec::new(),
            begun: None,
            queued: VecDeque::new(),
            next: 0,
            spare: Vec::new(),
            busy_ns: 0,
        })
    }

    /// Something is about to be queued.
    pub(super) fn begin(&mut self) -> Result<(), TorchError> {
        let event = self.recorded()?;
        if let Some(unused) = self.begun.replace(event) {
            self.spare.push(unused);
        }
        Ok(())
    }

    /// It has been queued; nothing if it was not begun.
    pub(super) fn end(&mut self) -> Option<Ticket> {
        let start = self.begun.take()?;
        // An error here is one of something before, and the next synchronize tells of it.
        let end = self.recorded().ok()?;
        let ticket = Ticket(self.next);
        self.next += 1;
        self.queued.push_back((ticket, start, end));
        Some(ticket)
    }

    /// When it was done, if it is; asked in the order in which the work was queued.
    pub(super) fn settled(&mut self, ticket: Ticket) -> Option<Interval> {
        let (oldest, _, end) = self.queued.front()?;
        if *oldest != ticket || !end.is_complete() {
            return None;
        }
        let (_, start, end) = self.queued.pop_front()?;
        let start_ns = self
            .base
            .1
            .saturating_add(between(&self.base.0, &start).max(0.0) as u64);
        let took_ns = between(&start, &end).max(0.0) as u64;
        self.busy_ns += took_ns;
        self.spare.extend([start, end]);
        Some(Interval {
            start_ns,
            end_ns: start_ns.saturating_add(took_ns),
        })
    }

    /// Time of the work that is known to be done.
    pub(super) fn busy_ns(&self) -> u64 {
        self.busy_ns
    }

    /// A mark of the program's, behind everything queued so far.
    pub(super) fn mark(&mut self) -> Result<Mark, TorchError> {
        let event = self.recorded()?;
        self.given.push(event);
        Ok(Mark(self.given.len() as u64 - 1))
    }

    /// The event of a mark.
    pub(super) fn event(&self, mark: Mark) -> Result<&CudaEvent, TorchError> {
        let at = usize::try_from(mark.0).ok();
        at.and_then(|at| self.given.get(at))
            .ok_or_else(|| TorchError::runtime("a fault of warpup: an event of another run"))
    }

    /// The card's time from one mark to another, in nanoseconds.
    pub(super) fn between(&self, from: Mark, to: Mark) -> Result<f64, TorchError> {
        let (from, to) = (self.event(from)?, self.event(to)?);
        let ms = from.elapsed_ms(to).map_err(Trouble::from)?;
        Ok(f64::from(ms) * 1e6)
    }

    fn recorded(&mut self) -> Result<CudaEvent, TorchError> {
        let event = match self.spare.pop() {
            Some(event) => event,
            None => new_event(&self.stream).map_err(Trouble::from)?,
        };
        event.record(&self.stream).map_err(Trouble::from)?;
        Ok(event)
    }
}

fn new_event(stream: &CudaStream) -> Result<CudaEvent, DriverError> {
    stream.context().new_event(Some(CU_EVENT_DEFAULT))
}

/// Nanoseconds between two events that are done; 0 if they cannot be asked.
fn between(from: &CudaEvent, to: &CudaEvent) -> f64 {
    from.elapsed_ms(to).map_or(0.0, |ms| f64::from(ms) * 1e6)
}

/// An event that is done, and the host's clock in the middle of waiting for it.
fn base(stream: &Arc<CudaStream>, now: impl Fn() -> u64) -> Result<(CudaEvent, u64), Trouble> {
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
