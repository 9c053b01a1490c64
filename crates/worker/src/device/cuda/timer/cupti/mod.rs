//! Operations timed by CUPTI's activity records: the card writes down when each kernel, copy and fill ran, and CUPTI
//! delivers that later, in buffers, on a thread of its own.
//!
//! Each operation pushes its number, and CUPTI says which calls of the driver were made under that number. Nothing is
//! recorded in the stream, and nothing waits: what was recorded is asked for when the host has waited for the card anyway.

mod collector;
mod library;
mod places;
mod record;
mod try_out;

use super::super::context::CardContext;
use crate::device::timing::{Completion, DeviceWork, Interval, WorkId};
use collector::{Delivery, WorkRecord};
use library::Cupti;
use std::collections::VecDeque;
use std::time::Instant;

/// The kinds of records that are asked for. Calls of the runtime and the driver are among them because CUPTI gives a
/// number to calls only.
const KINDS: [record::ActivityKind; 5] = [
    record::ActivityKind::ExternalCorrelation,
    record::ActivityKind::Runtime,
    record::ActivityKind::ConcurrentKernel,
    record::ActivityKind::Memcpy,
    record::ActivityKind::Memset,
];

/// The timer of one run. There is one at a time.
pub(super) struct ActivityTimer {
    cupti: &'static Cupti,
    /// What to add to a time of CUPTI to have one of the run.
    offset_ns: i128,
    started: bool,
    /// The number of the next operation. Numbers go on from run to run, so that a late record is not taken for another's.
    next: u64,
    /// All work before this is done, and its records are here.
    known_until: u64,
    records: VecDeque<(u64, WorkRecord)>,
    /// Whether records were dropped since the last time that all were here.
    dropped: bool,
    late: u64,
    busy_ns: u64,
}

/// Loads the library, where there is one. The first call has to come before the process may no longer read the folder in
/// which it lies.
pub(crate) fn load() {
    // A timer says why it has none.
    let _found = library::load();
}

impl ActivityTimer {
    /// CUPTI, recording; why it cannot.
    pub(super) fn new(card: &CardContext) -> Result<Self, String> {
        let cupti = library::load()?;
        if let Err(why) = cupti.start_recording(&KINDS) {
            cupti.stop_recording(&KINDS);
            return Err(why);
        }
        let mut timer = Self {
            cupti,
            offset_ns: 0,
            started: false,
            next: collector::next_number(),
            known_until: 0,
            records: VecDeque::new(),
            dropped: false,
            late: 0,
            busy_ns: 0,
        };
        timer.known_until = timer.next;
        timer.cupti.timestamp()?;
        // It is stopped when the timer is dropped.
        if try_out::gives_times(&mut timer, card).is_err() {
            // It may give numbers only where it records all calls of the driver.
            cupti.record_all_calls()?;
            try_out::gives_times(&mut timer, card)?;
        }
        timer.late = 0;
        timer.busy_ns = 0;
        Ok(timer)
    }

    pub(super) fn version(&self) -> String {
        self.cupti.words()
    }

    /// Records that came when their work was taken to be known; there should be none.
    pub(super) fn late(&self) -> u64 {
        self.late
    }

    /// The clock of the run starts: compares it with CUPTI's.
    pub(super) fn start_clock(&mut self, began: Instant) {
        let pairs = (0..3).map(|_| {
            let before = began.elapsed();
            let theirs = self.cupti.timestamp().unwrap_or(0);
            let took = began.elapsed().saturating_sub(before);
            let ours = before + took / 2;
            (
                took,
                i128::try_from(ours.as_nanos()).unwrap_or(0) - i128::from(theirs),
            )
        });
        let best = pairs.min_by_key(|(took, _)| *took);
        self.offset_ns = best.map_or(0, |(_, offset)| offset);
    }

    /// What the program calls of the driver from now on is the next operation's.
    pub(super) fn start(&mut self) {
        if self.started {
            // The operation before was given up, and what it did is no other's.
            self.cupti.pop();
            self.next += 1;
        }
        self.started = self.cupti.push(self.next);
    }

    /// The started operation is queued.
    pub(super) fn end(&mut self) -> Option<WorkId> {
        if !std::mem::take(&mut self.started) {
            return None;
        }
        self.cupti.pop();
        let work = WorkId(self.next);
        self.next += 1;
        collector::set_next_number(self.next);
        Some(work)
    }

    pub(super) fn queued(&self) -> u64 {
        self.next
    }

    /// The host has waited for the card: CUPTI delivers what it has.
    pub(super) fn all_is_done(&mut self) {
        if self.known_until == self.next {
            return;
        }
        let flushed = self.cupti.flush();
        let Delivery { records, dropped } = collector::take();
        let is_late = |it: &&(u64, WorkRecord)| it.0 < self.known_until;
        self.late += records.iter().take_while(is_late).count() as u64;
        self.records.extend(records);
        self.dropped = dropped || !flushed;
        self.known_until = self.next;
    }

    pub(super) fn completion(&mut self, work: WorkId) -> Completion {
        if work.0 >= self.known_until {
            return Completion::NotYet;
        }
        while self.records.front().is_some_and(|it| it.0 < work.0) {
            self.records.pop_front();
        }
        let Some((_, record)) = self.records.pop_front_if(|it| it.0 == work.0) else {
            // Where no record was dropped, there was none: the operation gave the card nothing to do.
            return if self.dropped {
                Completion::Lost
            } else {
                Completion::Done(DeviceWork::default())
            };
        };
        let when = record.when.map(|it| Interval {
            start_ns: self.to_run(it.start_ns),
            end_ns: self.to_run(it.end_ns),
        });
        // As the lines and lanes show it: pauses within an operation are its time.
        self.busy_ns += when.map_or(0, Interval::ns);
        let copies = record.copies;
        Completion::Done(DeviceWork { when, copies })
    }

    pub(super) fn busy_ns(&self) -> u64 {
        self.busy_ns
    }

    fn to_run(&self, ns: u64) -> u64 {
        let at = i128::from(ns) + self.offset_ns;
        u64::try_from(at.max(0)).unwrap_or(u64::MAX)
    }
}

impl Drop for ActivityTimer {
    /// The next run may not be timed, and must not pay for it.
    fn drop(&mut self) {
        if self.started {
            self.cupti.pop();
        }
        self.cupti.stop_recording(&KINDS);
        drop(collector::take());
    }
}
