//! Records a run: spans up to a limit, the totals of all lines, and the gaps between host and device.

use super::gaps::GapTracker;
use super::host_work::HostWorkTotals;
use super::kept_span::KeptSpan;
use super::line_totals::{Clocks, LineTotals};
use super::pending::{Pending, PendingWork};
use super::profile::Profiles;
use super::span_name::SpanName;
use crate::device::{Completion, CopyCounts, Interval, Preparation, WorkId};
use crate::facts::LineVisit;
use crate::meta::Cost;
use warpup_protocol::{
    FirstUse, Gaps, HostWork, HostWorkKind, Lane, LineTime, ProfilerReport, Span, WaitCause,
};

#[derive(Debug, Default)]
pub(crate) struct Recorder {
    totals: LineTotals,
    spans: Vec<KeptSpan>,
    max_spans: usize,
    dropped: u64,
    line: u32,
    /// How deep in the stack the function is that has this line.
    depth: usize,
    /// The lines and depths of the functions that called it.
    callers: Vec<(u32, usize)>,
    /// Host time up to here belongs to a line already.
    charged_ns: u64,
    /// Host time since then that recording took: it is no line's.
    own_ns: u64,
    /// How long the thread had no core since then, in its own time.
    lost_ns: u64,
    /// All of the time of recording in the run.
    recording_ns: u64,
    /// The lane of a loader that runs instead of the program's own.
    beside: Option<Lane>,
    gaps: GapTracker,
    pending: PendingWork,
    /// Work whose interval is lost.
    lost: u64,
    /// What the host did for a card without being asked.
    host_work: HostWorkTotals,
    /// What `torch.profiler` sees.
    profiles: Profiles,
}

/// One activity of the host or the device, without its times.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    pub(crate) lane: Lane,
    pub(crate) name: SpanName,
    pub(crate) cost: Cost,
}

impl Recorder {
    /// A recorder that keeps this many spans; none if tracing is off.
    pub(crate) fn new(max_spans: u32) -> Self {
        Self {
            max_spans: max_spans as usize,
            ..Self::default()
        }
    }

    /// The current line; 0 before the program.
    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    /// The current line, and how often it was reached.
    pub(crate) fn line_and_hits(&self) -> (u32, u64) {
        (self.line, self.totals.hits(self.line))
    }

    /// The line that called the function of the current line, if it is in one.
    pub(crate) fn caller(&self) -> Option<LineVisit> {
        let (line, _) = *self.callers.last()?;
        let hits = self.totals.hits(line);
        Some(LineVisit { line, hits })
    }

    /// Whether a lane of a loader runs.
    pub(crate) fn is_beside(&self) -> bool {
        self.beside.is_some()
    }

    /// How deep in the stack the function is that has the current line.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The program reaches a line, so deep in the stack: a function was called if that is deeper than the line before, and was
    /// left if it is less deep.
    pub(crate) fn reach_line(&mut self, (line, depth): (u32, usize), now: u64) {
        self.charge(now);
        if depth != self.depth {
            self.leave_deeper(depth);
            if depth > self.depth {
                if self.line > 0 {
                    self.callers.push((self.line, self.depth));
                }
                self.depth = depth;
            }
        }
        self.line = line;
        if let Some(total) = self.totals.of(line) {
            total.hits += 1;
        }
    }

    /// A function of the program, so deep in the stack, is left; its caller's line goes on.
    pub(crate) fn leave_function(&mut self, depth: usize, now: u64) {
        self.charge(now);
        self.leave_deeper(depth.saturating_sub(1));
    }

    fn leave_deeper(&mut self, than: usize) {
        while self.depth > than
            && let Some(caller) = self.callers.pop()
        {
            (self.line, self.depth) = caller;
        }
    }

    /// Adds the host's time since the last call to the current line.
    pub(crate) fn charge(&mut self, now: u64) {
        let ran = self.uncharged(now);
        let is_beside = self.beside.is_some();
        if !is_beside {
            self.record_ran(self.line, ran);
        }
        self.charged_ns = now;
        let own_ns = std::mem::take(&mut self.own_ns);
        let lost_ns = std::mem::take(&mut self.lost_ns);
        if let Some(total) = self.totals.of(self.line) {
            let line_ns = ran.ns().saturating_sub(own_ns);
            if is_beside {
                total.worker_ns += line_ns;
            } else {
                total.host_ns += line_ns;
                total.interrupted_ns += lost_ns.min(line_ns);
            }
        }
    }

    /// How much of the host's time until `now` the line has that is not charged yet.
    pub(crate) fn own_time_until(&self, now: u64) -> u64 {
        self.uncharged(now).ns().saturating_sub(self.own_ns)
    }

    /// For so much of that time another program had the core.
    pub(crate) fn interrupt(&mut self, ns: u64) {
        self.lost_ns += ns;
    }

    /// A lane of a loader runs from `lane_ns` on; the program's own stands still at `now`.
    pub(crate) fn enter_lane(&mut self, lane: Lane, (now, lane_ns): (u64, u64)) {
        self.charge(now);
        self.beside = Some(lane);
        self.charged_ns = lane_ns;
    }

    /// The lane has done something with a name, and the program's own goes on at `now`.
    pub(crate) fn leave_lane(&mut self, name: &'static str, when: Interval, now: u64) {
        self.charge(when.end_ns);
        self.charged_ns = now;
        if let Some(lane) = self.beside.take() {
            let (name, cost) = (name.into(), Cost::default());
            self.keep(
                self.line,
                Activity { lane, name, cost },
                WaitCause::Unknown,
                when,
            );
        }
    }

    /// Recording took so much of the host's time since the last charge.
    pub(crate) fn exclude(&mut self, ns: u64) {
        self.own_ns += ns;
        self.recording_ns += ns;
    }

    /// The host's time that recording took.
    pub(crate) fn recording_ns(&self) -> u64 {
        self.recording_ns
    }

    /// The host's time since the last charge.
    fn uncharged(&self, end_ns: u64) -> Interval {
        let start_ns = self.charged_ns;
        Interval { start_ns, end_ns }
    }

    /// Host time up to now belongs to no line, such as the time before the program.
    pub(crate) fn skip_to(&mut self, now: u64) {
        self.charged_ns = now;
        self.own_ns = 0;
        self.lost_ns = 0;
    }

    /// Records an activity of the current line.
    pub(crate) fn record(&mut self, activity: Activity, when: Interval) {
        if self.beside.is_some() {
            // What the host does within a batch has no spans.
            if activity.lane == Lane::Host {
                return;
            }
        } else if activity.lane != Lane::Host {
            // The line's own time up to here is charged only when the next line is reached.
            self.gaps.ran(self.line, self.uncharged(when.start_ns));
        }
        self.record_for(self.line, activity, when);
    }

    /// The host has waited in the current line, for a loader or for what the device was given before.
    pub(crate) fn record_wait(&mut self, cause: WaitCause, when: Interval) {
        if when.ns() == 0 || self.beside.is_some() {
            return;
        }
        if cause == WaitCause::Loader {
            self.gaps.waited_for_loader(self.line, when);
        } else if !self.pending.waited(self.line, cause, when) {
            self.gaps.waited(self.line, cause, when);
        }
        if let Some(total) = self.totals.of(self.line) {
            total.wait_ns += when.ns();
        }
        let piece = Activity {
            lane: Lane::Host,
            name: Span::WAIT.into(),
            cost: Cost::default(),
        };
        self.keep(self.line, piece, cause, when);
    }

    /// The current line uses the card first, which was made ready before the program started.
    pub(crate) fn record_preparation(&mut self, preparation: Preparation) {
        self.gaps.prepared(FirstUse {
            line: self.line,
            ns: preparation.ns(),
            context_ns: preparation.context,
            kernels_ns: preparation.kernels,
            cublas_ns: preparation.cublas,
            ..FirstUse::default()
        });
    }

    /// Records device work of the current line that was queued until a time and has no interval yet; whether it is worth
    /// while to look which of it is done.
    pub(crate) fn record_pending(
        &mut self,
        activity: Activity,
        (work, queued_ns): (WorkId, u64),
    ) -> bool {
        // As in `record`: the line's own time until it queued this.
        let ran = self.uncharged(queued_ns);
        self.record_ran(self.line, ran);
        self.pending.push(work, self.line, activity);
        self.pending.is_due()
    }

    pub(crate) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Records pending work in the order in which it was queued, up to the first that is not done.
    pub(crate) fn resolve_pending(&mut self, mut completion: impl FnMut(WorkId) -> Completion) {
        while let Some(oldest) = self.pending.pop() {
            let (line, activity, done) = match oldest {
                Pending::Ran(line, when) => {
                    self.gaps.ran(line, when);
                    continue;
                }
                Pending::Waited(line, cause, when) => {
                    self.gaps.waited(line, cause, when);
                    continue;
                }
                Pending::Work {
                    work,
                    line,
                    activity,
                } => match completion(work) {
                    Completion::Done(done) => (line, activity, done),
                    Completion::Lost => {
                        self.lost += 1;
                        continue;
                    }
                    Completion::NotYet => {
                        self.pending.put_back(Pending::Work {
                            work,
                            line,
                            activity,
                        });
                        break;
                    }
                },
            };
            if activity.lane == Lane::Kernel {
                self.record_copies(line, &activity.name, done.copies);
            }
            if let Some(when) = done.when {
                self.record_for(line, activity, when);
            }
        }
        self.pending.was_looked_at();
    }

    /// The copies that a kernel's operation made on its own.
    fn record_copies(&mut self, line: u32, name: &SpanName, copies: CopyCounts) {
        for (kind, copied) in [
            (HostWorkKind::CopiedToDevice, copies.to_device),
            (HostWorkKind::CopiedToHost, copies.to_host),
        ] {
            if copied.times > 0 {
                let counts = (copied.times, copied.bytes);
                self.host_work.add((line, kind), name, counts);
            }
        }
    }

    /// The host computed an operation of the current line for a card.
    pub(crate) fn record_on_host(&mut self, operation: &'static str, cost: Cost, when: Interval) {
        let key = (self.line, HostWorkKind::Computed);
        self.host_work.add(key, &operation.into(), (1, cost.bytes));
        let activity = Activity {
            lane: Lane::Host,
            name: SpanName::OnHost(operation),
            cost,
        };
        self.record(activity, when);
    }

    /// What the host did for a card without being asked.
    pub(crate) fn host_work(&self) -> Vec<HostWork> {
        self.host_work.report()
    }

    /// The number of pieces of work whose interval is lost.
    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }

    /// The host ran a line; the gaps see it after the pending work before it.
    fn record_ran(&mut self, line: u32, when: Interval) {
        if !self.pending.ran(line, when) {
            self.gaps.ran(line, when);
        }
    }

    fn record_for(&mut self, line: u32, activity: Activity, when: Interval) {
        let on = activity.lane;
        match on {
            Lane::Host => match activity.name {
                SpanName::Fixed(Span::FIRST_USE) => self.gaps.context_created(line, when.ns()),
                SpanName::Fixed(Span::CUBLAS) => {
                    self.gaps.ran(line, self.uncharged(when.start_ns));
                    self.gaps.cublas_started(line, when);
                }
                SpanName::Fixed(Span::CUDNN) => {
                    self.gaps.ran(line, self.uncharged(when.start_ns));
                    self.gaps.cudnn_started(line, when);
                }
                SpanName::Fixed(_) | SpanName::OnHost(_) | SpanName::Launch(_) => {}
            },
            Lane::Pinning | Lane::Worker(_) => {}
            Lane::Kernel | Lane::CopyToDevice | Lane::CopyToHost => {
                self.gaps.worked(line, on, when);
                if let Some(total) = self.totals.of(line) {
                    total.device_ns += when.ns();
                }
            }
        }
        self.keep(line, activity, WaitCause::Unknown, when);
    }

    /// Keeps a span, up to the limit; a profile has no limit.
    fn keep(&mut self, line: u32, activity: Activity, cause: WaitCause, when: Interval) {
        let is_full = self.spans.len() >= self.max_spans;
        if is_full {
            self.dropped += 1;
            if !self.profiles.are_recording() {
                return;
            }
        }
        let Activity { lane, name, cost } = activity;
        let span = KeptSpan {
            lane,
            name,
            line,
            when,
            cost,
            cause,
        };
        if self.profiles.are_recording() && span.name != SpanName::Fixed(Span::QUEUE) {
            self.profiles.see(span.clone());
        }
        if !is_full {
            self.spans.push(span);
        }
    }

    pub(crate) fn is_profiled(&self) -> bool {
        self.profiles.are_recording()
    }

    pub(crate) fn begin_profile(&mut self, now: u64) {
        self.charge(now);
        self.profiles.begin(now, &self.totals);
    }

    /// The host queued an operation for the card.
    pub(crate) fn profile_launch(&mut self, name: SpanName, when: Interval, cost: Cost) {
        self.profiles.see(KeptSpan {
            lane: Lane::Host,
            name,
            line: self.line,
            when,
            cost,
            cause: WaitCause::Unknown,
        });
    }

    /// The profile ends after so many steps, when the host is at `now` and the device is done at `done_ns`. Returns what was
    /// recorded, in the order of start.
    pub(crate) fn end_profile(&mut self, steps: u64, (now, done_ns): (u64, u64)) -> Vec<Span> {
        self.charge(now);
        self.profiles.add(steps, now.max(done_ns), &self.totals);
        self.profiles.take_spans()
    }

    /// What the profiles of the program recorded, together; none if there were none.
    pub(crate) fn profiled(&self, clocks: Clocks) -> Option<ProfilerReport> {
        self.profiles.report(clocks)
    }

    /// Where host and device waited for each other.
    pub(crate) fn gaps(&self) -> Option<Gaps> {
        let mut gaps = self.gaps.report()?;
        let of_loaders = gaps.waits.iter_mut();
        for wait in of_loaders.filter(|it| it.cause == WaitCause::Loader) {
            wait.most_line = self.totals.slowest_in_workers(wait.line);
        }
        Some(gaps)
    }

    /// The spans in the order of their start, and the number of spans beyond the limit.
    pub(crate) fn take_spans(&mut self) -> (Vec<Span>, u64) {
        let spans = std::mem::take(&mut self.spans);
        (KeptSpan::in_order(spans), self.dropped)
    }

    /// The totals of the lines that were reached.
    pub(crate) fn line_times(&self, clocks: Clocks) -> Vec<LineTime> {
        self.totals.reached(clocks)
    }
}
