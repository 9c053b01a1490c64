//! Operations timed by CUDA events: one behind each operation, and one before it unless the card goes straight on from the
//! operation before.

use super::super::events::new_event;
use super::super::failure::CudaFailure;
use crate::device::timing::{Completion, DeviceWork, Interval, WorkId};
use candle_core::cuda::cudarc::driver::result::event;
use candle_core::cuda::cudarc::driver::{CudaEvent, CudaStream};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// How often the two clocks are compared; the fastest comparison counts.
const COMPARED: usize = 5;

/// Events that are created before the program starts, since that takes longer than to record one.
const CREATED: usize = 256;

/// Operations with a start of their own between two looks whether the card is behind.
const LOOK_EVERY: u32 = 4;

/// How many operations are asked for at once whether they are done.
const TOGETHER: usize = 64;

/// Nanoseconds after which times count from a newer event: the driver gives milliseconds as `float`.
const FAR: f64 = 1e9;

/// The timer of one run.
pub(super) struct EventPairs {
    stream: Arc<CudaStream>,
    /// An event that is done, and the host's clock at that time.
    base: ClockPair,
    began: Instant,
    /// A done event from which times are counted, and its own time in nanoseconds after the base.
    anchor: (Rc<CudaEvent>, f64),
    started: Option<StartMark>,
    /// The end of the operation before.
    last_end: Option<Rc<CudaEvent>>,
    /// Whether the card was behind the host at the last look.
    is_behind: bool,
    until_look: u32,
    /// Queued operations, oldest first.
    queued: VecDeque<QueuedWork>,
    next: u64,
    /// All work before this is done.
    done_until: u64,
    /// The end of the operation that was completed last, in nanoseconds after the base.
    completed_at: f64,
    spare: Vec<Rc<CudaEvent>>,
    busy_ns: u64,
}

struct ClockPair {
    event: Rc<CudaEvent>,
    at: Instant,
}

#[derive(Clone)]
enum StartMark {
    /// An event before it.
    Event(Rc<CudaEvent>),
    /// The end of the operation before it.
    Previous,
    /// The same, but that was over before this was queued, at this time of the run.
    PreviousOrLater(u64),
}

struct QueuedWork {
    work: WorkId,
    start: StartMark,
    end: Rc<CudaEvent>,
}

impl EventPairs {
    pub(super) fn new(stream: &Arc<CudaStream>) -> Result<Self, CudaFailure> {
        let base = base(stream)?;
        let spare = (0..CREATED).map(|_| Ok(Rc::new(new_event(stream)?)));
        let spare = spare.collect::<Result<Vec<_>, CudaFailure>>()?;
        Ok(Self {
            stream: Arc::clone(stream),
            began: base.at,
            anchor: (Rc::clone(&base.event), 0.0),
            base,
            started: None,
            last_end: None,
            is_behind: false,
            until_look: LOOK_EVERY,
            queued: VecDeque::with_capacity(CREATED),
            next: 0,
            done_until: 0,
            completed_at: 0.0,
            spare,
            busy_ns: 0,
        })
    }

    pub(super) fn start_clock(&mut self, began: Instant) {
        self.began = began;
    }

    /// Records the start of an operation; whether that took an event.
    pub(super) fn start(&mut self) -> bool {
        if let Some(StartMark::Event(unused)) = self.started.take() {
            self.reuse(unused);
        }
        if self.is_behind && self.last_end.is_some() {
            self.started = Some(StartMark::Previous);
            return false;
        }
        // An error here belongs to earlier work, and the next synchronize reports it.
        self.started = self.new_recorded().map(StartMark::Event);
        true
    }

    /// Records the end of the started operation, which began at this time of the run.
    pub(super) fn end(&mut self, start_ns: u64) -> Option<WorkId> {
        let mut start = self.started.take()?;
        let end = self.new_recorded()?;
        match &start {
            StartMark::Event(event) => {
                self.until_look = self.until_look.saturating_sub(1);
                if self.until_look == 0 {
                    self.until_look = LOOK_EVERY;
                    self.is_behind = !is_done(event);
                }
            }
            StartMark::Previous | StartMark::PreviousOrLater(_) => {
                // Still at the operation before: it goes on to this one without a gap.
                self.is_behind = self.last_end.as_ref().is_some_and(|it| !is_done(it));
                if !self.is_behind {
                    start = StartMark::PreviousOrLater(start_ns);
                }
            }
        }
        let work = WorkId(self.next);
        self.next += 1;
        if let Some(older) = self.last_end.replace(Rc::clone(&end)) {
            self.reuse(older);
        }
        self.queued.push_back(QueuedWork { work, start, end });
        Some(work)
    }

    pub(super) fn queued(&self) -> u64 {
        self.next
    }

    /// The host has waited for all work before this number.
    pub(super) fn is_done_until(&mut self, number: u64) {
        self.done_until = self.done_until.max(number);
    }

    /// The host has waited.
    pub(super) fn all_is_done(&mut self) {
        self.done_until = self.next;
        self.is_behind = false;
    }

    pub(super) fn completion(&mut self, work: WorkId) -> Completion {
        match self.queued.front() {
            Some(oldest) if oldest.work == work => {}
            Some(_) | None => return Completion::Lost,
        }
        if !self.is_known_to_be_done(work) {
            return Completion::NotYet;
        }
        let Some(QueuedWork { start, end, .. }) = self.queued.pop_front() else {
            return Completion::Lost;
        };
        let end_ns = self.after_base(&end);
        let start_ns = match start {
            StartMark::Event(event) => {
                // The difference is more exact than two times.
                let took_ns = elapsed_ns(&event, &end);
                self.reuse(event);
                // It is behind the operation before, and rounding must not hide that.
                (end_ns - took_ns).max(self.completed_at)
            }
            StartMark::Previous => self.completed_at,
            StartMark::PreviousOrLater(host_ns) => self.completed_at.max(self.of_run(host_ns)),
        };
        self.completed_at = end_ns;
        if end_ns - self.anchor.1 > FAR {
            let (old, _) = std::mem::replace(&mut self.anchor, (Rc::clone(&end), end_ns));
            self.reuse(old);
        }
        self.reuse(end);
        let when = Interval {
            start_ns: self.to_run(start_ns.min(end_ns)),
            end_ns: self.to_run(end_ns),
        };
        self.busy_ns += when.ns();
        Completion::Done(DeviceWork {
            when: Some(when),
            ..DeviceWork::default()
        })
    }

    pub(super) fn busy_ns(&self) -> u64 {
        self.busy_ns
    }

    /// Asks for the end of several operations at once, and then for the first: all before one that is done are done.
    fn is_known_to_be_done(&mut self, work: WorkId) -> bool {
        if work.0 < self.done_until {
            return true;
        }
        let last = self.queued.len().saturating_sub(1);
        for at in [TOGETHER.min(last), 0] {
            if let Some(it) = self.queued.get(at).filter(|it| is_done(&it.end)) {
                self.done_until = it.work.0 + 1;
                return true;
            }
        }
        false
    }

    fn new_recorded(&mut self) -> Option<Rc<CudaEvent>> {
        let event = match self.spare.pop() {
            Some(event) => event,
            None => Rc::new(new_event(&self.stream).ok()?),
        };
        #[expect(unsafe_code, reason = "the safe call asks for the context each time")]
        // SAFETY: both belong to the context of this thread, and live.
        unsafe { event::record(event.cu_event(), self.stream.cu_stream()) }.ok()?;
        Some(event)
    }

    /// Keeps an event for another operation, once nothing else needs it.
    fn reuse(&mut self, event: Rc<CudaEvent>) {
        if Rc::strong_count(&event) == 1 {
            self.spare.push(event);
        }
    }

    /// The time of an event that is done, in nanoseconds after the base.
    fn after_base(&self, event: &CudaEvent) -> f64 {
        let (anchor, anchor_ns) = &self.anchor;
        anchor_ns + elapsed_ns(anchor, event)
    }

    /// A time of the run, from one after the base.
    fn to_run(&self, ns: f64) -> u64 {
        match self.base.at.checked_duration_since(self.began) {
            Some(later) => (later.as_nanos() as f64 + ns).max(0.0) as u64,
            None => (ns - self.before_ns()).max(0.0) as u64,
        }
    }

    /// A time after the base, from one of the run.
    fn of_run(&self, ns: u64) -> f64 {
        let later = self.base.at.checked_duration_since(self.began);
        ns as f64 + later.map_or_else(|| self.before_ns(), |it| -(it.as_nanos() as f64))
    }

    /// How long before the run the base is.
    fn before_ns(&self) -> f64 {
        self.began.duration_since(self.base.at).as_nanos() as f64
    }
}

fn is_done(event: &CudaEvent) -> bool {
    #[expect(
        unsafe_code,
        reason = "an error is as good as done: nothing follows it"
    )]
    // SAFETY: the event lives.
    let answer = unsafe { event::query(event.cu_event()) };
    answer.is_ok()
}

/// Nanoseconds between two events that are done; 0 if CUDA does not answer.
fn elapsed_ns(from: &CudaEvent, to: &CudaEvent) -> f64 {
    #[expect(unsafe_code, reason = "the safe call waits for both once more")]
    // SAFETY: both live, and are of one stream.
    let ms = unsafe { event::elapsed(from.cu_event(), to.cu_event()) };
    f64::from(ms.unwrap_or(0.0)) * 1e6
}

/// An event that is done, and the host's clock in the middle of the wait for it.
fn base(stream: &Arc<CudaStream>) -> Result<ClockPair, CudaFailure> {
    stream.synchronize()?;
    let mut best: Option<(ClockPair, u128)> = None;
    for _ in 0..COMPARED {
        let event = Rc::new(new_event(stream)?);
        let before = Instant::now();
        event.record(stream)?;
        event.synchronize()?;
        let took = before.elapsed();
        if best
            .as_ref()
            .is_none_or(|(_, least)| took.as_nanos() < *least)
        {
            let at = before + took / 2;
            best = Some((ClockPair { event, at }, took.as_nanos()));
        }
    }
    match best {
        Some((base, _)) => Ok(base),
        None => Ok(ClockPair {
            event: Rc::new(new_event(stream)?),
            at: Instant::now(),
        }),
    }
}
