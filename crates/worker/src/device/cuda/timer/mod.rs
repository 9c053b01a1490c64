//! What measures when the card worked on an operation: CUPTI where it works, else pairs of CUDA events.
//!
//! Neither adds a wait. CUPTI's records come when the host has waited for the card anyway; events can be asked at any time.

mod cupti;
mod event_pairs;

use super::context::CardContext;
use super::failure::CudaFailure;
use crate::device::timing::{Completion, WorkId};
use cupti::ActivityTimer;
use event_pairs::EventPairs;
use std::time::Instant;
use warpup_protocol::{DeviceTimer, DeviceTimes};

pub(crate) use cupti::load as load_cupti;

/// The variable that chooses the timer: with `events`, CUPTI is left to another tool, which may be the only one to use it.
pub(super) const CHOICE: &str = "WARPUP_DEVICE_TIMES";

/// The timer of a run.
pub(super) struct OpTimer {
    kind: TimerKind,
    /// CUPTI's version, or why it is not CUPTI.
    why: String,
}

enum TimerKind {
    Cupti(ActivityTimer),
    Events(EventPairs),
}

impl OpTimer {
    /// The best timer that works here, for a run whose clock began then.
    pub(super) fn new(card: &CardContext) -> Result<Self, CudaFailure> {
        let cupti = if std::env::var(CHOICE).is_ok_and(|it| it == "events") {
            Err(format!("{CHOICE} is `events`"))
        } else {
            ActivityTimer::new(card)
        };
        Ok(match cupti {
            Ok(timer) => Self {
                why: timer.version(),
                kind: TimerKind::Cupti(timer),
            },
            Err(why) => Self {
                kind: TimerKind::Events(EventPairs::new(&card.stream)?),
                why,
            },
        })
    }

    /// The program's clock starts.
    pub(super) fn start_clock(&mut self, began: Instant) {
        match &mut self.kind {
            TimerKind::Cupti(timer) => timer.start_clock(began),
            TimerKind::Events(pairs) => pairs.start_clock(began),
        }
    }

    /// An operation starts; whether that took a noticeable time.
    pub(super) fn start(&mut self) -> bool {
        match &mut self.kind {
            TimerKind::Cupti(timer) => timer.start(),
            TimerKind::Events(pairs) => return pairs.start(),
        }
        false
    }

    /// The started operation is queued; `None` if none was started.
    pub(super) fn end(&mut self, start_ns: u64) -> Option<WorkId> {
        match &mut self.kind {
            TimerKind::Cupti(timer) => timer.end(),
            TimerKind::Events(pairs) => pairs.end(start_ns),
        }
    }

    /// The host has waited for all queued work.
    pub(super) fn all_is_done(&mut self) {
        match &mut self.kind {
            TimerKind::Cupti(timer) => timer.all_is_done(),
            TimerKind::Events(pairs) => pairs.all_is_done(),
        }
    }

    /// How much work was queued so far, as a number that grows with each piece.
    pub(super) fn queued(&self) -> u64 {
        match &self.kind {
            TimerKind::Cupti(timer) => timer.queued(),
            TimerKind::Events(pairs) => pairs.queued(),
        }
    }

    /// The host has waited for what was queued when [`OpTimer::queued`] gave this number.
    pub(super) fn is_done_until(&mut self, queued: u64) {
        if queued >= self.queued() {
            self.all_is_done();
        } else if let TimerKind::Events(pairs) = &mut self.kind {
            pairs.is_done_until(queued);
        }
        // CUPTI keeps a buffer with a record that is not complete, so a part of the work is not known to be all here.
    }

    /// What is known of queued work. Callers ask in the order in which it was queued.
    pub(super) fn completion(&mut self, work: WorkId) -> Completion {
        match &mut self.kind {
            TimerKind::Cupti(timer) => timer.completion(work),
            TimerKind::Events(pairs) => pairs.completion(work),
        }
    }

    /// The time of all completed operations.
    pub(super) fn busy_ns(&self) -> u64 {
        match &self.kind {
            TimerKind::Cupti(timer) => timer.busy_ns(),
            TimerKind::Events(pairs) => pairs.busy_ns(),
        }
    }

    /// What the report says about it.
    pub(super) fn facts(&self) -> DeviceTimes {
        let (by, late) = match &self.kind {
            TimerKind::Cupti(timer) => (DeviceTimer::Cupti, timer.late()),
            TimerKind::Events(_) => (DeviceTimer::Events, 0),
        };
        let why = match late {
            0 => self.why.clone(),
            late => format!("{}; {late} records came too late", self.why),
        };
        let lost = 0;
        DeviceTimes { by, why, lost }
    }
}
