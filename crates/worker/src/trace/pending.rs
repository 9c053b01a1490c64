//! Device work without an interval, oldest first, and what the host did since then. Gaps are found in the order of time, so
//! what follows pending work waits for it.

use super::recorder::Activity;
use crate::device::{Interval, WorkId};
use std::collections::VecDeque;
use warpup_protocol::WaitCause;

/// How many more entries there are before the next look which of them are done.
const AGAIN_AFTER: usize = 1_000;

#[derive(Debug)]
pub(super) struct PendingWork {
    queue: VecDeque<Pending>,
    /// The length at which it is worth while to look.
    due: usize,
}

/// An event waiting for its interval, or for one before it.
#[derive(Debug)]
pub(super) enum Pending {
    Ran(u32, Interval),
    /// The host waited in a line, for a part of the work before.
    Waited(u32, WaitCause, Interval),
    /// The device works for a line.
    Work {
        work: WorkId,
        line: u32,
        activity: Activity,
    },
}

impl Default for PendingWork {
    fn default() -> Self {
        Self {
            queue: VecDeque::new(),
            due: AGAIN_AFTER,
        }
    }
}

impl PendingWork {
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether so much has come since the last look that a part may be done.
    pub(super) fn is_due(&self) -> bool {
        self.queue.len() >= self.due
    }

    /// There was a look.
    pub(super) fn was_looked_at(&mut self) {
        self.due = self.queue.len() + AGAIN_AFTER;
    }

    pub(super) fn push(&mut self, work: WorkId, line: u32, activity: Activity) {
        self.queue.push_back(Pending::Work {
            work,
            line,
            activity,
        });
    }

    pub(super) fn pop(&mut self) -> Option<Pending> {
        self.queue.pop_front()
    }

    /// Puts back what [`PendingWork::pop`] gave.
    pub(super) fn put_back(&mut self, oldest: Pending) {
        self.queue.push_front(oldest);
    }

    /// The host ran a line after work that is pending; whether there is such work.
    pub(super) fn ran(&mut self, line: u32, when: Interval) -> bool {
        match self.queue.back_mut() {
            None => return false,
            Some(Pending::Ran(last, until)) if *last == line => until.end_ns = when.end_ns,
            Some(Pending::Ran(..) | Pending::Waited(..) | Pending::Work { .. }) => {
                self.queue.push_back(Pending::Ran(line, when));
            }
        }
        true
    }

    /// The host waited in a line, and work is pending before that; whether there is such work.
    pub(super) fn waited(&mut self, line: u32, cause: WaitCause, when: Interval) -> bool {
        if self.queue.is_empty() {
            return false;
        }
        self.queue.push_back(Pending::Waited(line, cause, when));
        true
    }
}
