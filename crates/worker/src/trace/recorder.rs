//! Records a run: spans up to a limit, the totals of all lines, and the gaps between host and device.

use super::gaps::GapTracker;
use super::host_work::HostWorkTotals;
use super::kept_span::KeptSpan;
use super::line_totals::{Clocks, LineTotals};
use super::pending::{Pending, PendingWork};
use super::profile::Profiles;
use super::span_name::SpanName;
use crate::device::{Completion, CopyCounts, Interval, Preparation, WorkId};
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
    /// The lines of the functions that called the current one.
    callers: Vec<u32>,
    /// Host time up to here belongs to a line already.
    charged_ns: u64,
    /// Host time since then that recording took: it is no line's.
    own_ns: u64,
    /// All of that time in the run.
    recording_ns: u64,
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

    /// The program reaches a line.
    pub(crate) fn reach_line(&mut self, line: u32, now: u64) {
        self.charge(now);
        self.line = line;
        if let Some(total) = self.totals.of(line) {
            total.hits += 1;
        }
    }

    /// The program calls one of its functions, or starts.
    pub(crate) fn enter_function(&mut self) {
        if self.line > 0 {
            self.callers.push(self.line);
        }
    }

    /// A function of the program returns.
    pub(crate) fn leave_function(&mut self, now: u64) {
        self.charge(now);
        self.line = self.callers.pop().unwrap_or(self.line);
    }

    /// Adds the host's time since the last call to the current line.
    pub(crate) fn charge(&mut self, now: u64) {
        let ran = self.uncharged(now);
        self.record_ran(self.line, ran);
        self.charged_ns = now;
        let own_ns = std::mem::take(&mut self.own_ns);
        if let Some(total) = self.totals.of(self.line) {
            total.host_ns += ran.ns().saturating_sub(own_ns);
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
    }

    /// Records an activity of the current line.
    pub(crate) fn record(&mut self, activity: Activity, when: Interval) {
        if activity.lane != Lane::Host {
            // The line's own time up to here is charged only when the next line is reached.
            self.gaps.ran(self.line, self.uncharged(when.start_ns));
        }
        self.record_for(self.line, activity, when);
    }

    /// The host has waited for the device in the current line, for what was recorded before.
    pub(crate) fn record_wait(&mut self, cause: WaitCause, when: Interval) {
        if when.ns() == 0 {
            return;
        }
        if !self.pending.waited(self.line, cause, when) {
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
            Lane::Host if activity.name == SpanName::Fixed(Span::FIRST_USE) => {
                self.gaps.first_use(line, when.ns());
            }
            Lane::Host => {}
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
        self.gaps.report()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{CopyCount, DeviceWork};

    fn hosts(recorder: &Recorder) -> Vec<(u32, u64, u64)> {
        let times = recorder.line_times(Clocks::HostOnly);
        times
            .iter()
            .map(|it| (it.line, it.hits, it.host_ns))
            .collect()
    }

    fn kernel(name: &'static str) -> Activity {
        Activity {
            lane: Lane::Kernel,
            name: name.into(),
            cost: Cost::default(),
        }
    }

    #[test]
    fn work_that_is_done_later_is_recorded_in_order_and_charged_to_its_line() {
        let mut recorder = Recorder::new(10);
        let done = |from: u64| {
            let (start_ns, end_ns) = (from, from + 100);
            Completion::Done(DeviceWork {
                when: Some(Interval { start_ns, end_ns }),
                ..DeviceWork::default()
            })
        };
        recorder.reach_line(1, 0);
        recorder.record_pending(kernel("first"), (WorkId(0), 5));
        recorder.reach_line(2, 50);
        recorder.reach_line(3, 400);
        recorder.record_pending(kernel("second"), (WorkId(1), 405));
        recorder.charge(410);
        // The second is not done yet.
        recorder.resolve_pending(|work| {
            if work == WorkId(0) {
                done(10)
            } else {
                Completion::NotYet
            }
        });
        assert_eq!(recorder.take_spans().0.len(), 1);
        recorder.resolve_pending(|_| done(420));
        let device: Vec<Option<u64>> = recorder
            .line_times(Clocks::HostAndDevice)
            .iter()
            .map(|it| it.device_ns)
            .collect();
        assert_eq!(device, [Some(100), Some(0), Some(100)]);
        // Between the two, from 110 to 420, the host ran line 2 until 400, then line 3 until it had queued the second.
        let idle = recorder.gaps().unwrap().idle;
        let idle: Vec<(u32, u64)> = idle.iter().map(|it| (it.line, it.ns)).collect();
        assert_eq!(idle, [(2, 290), (3, 5)]);
    }

    #[test]
    fn time_goes_to_the_line_it_passed_in() {
        let mut recorder = Recorder::new(10);
        recorder.reach_line(1, 100);
        recorder.reach_line(2, 150);
        recorder.reach_line(1, 190);
        recorder.charge(200);
        assert_eq!(hosts(&recorder), [(1, 2, 60), (2, 1, 40)]);
    }

    #[test]
    fn after_a_call_time_goes_to_the_calling_line_again() {
        let mut recorder = Recorder::new(10);
        recorder.reach_line(5, 0);
        recorder.enter_function();
        recorder.reach_line(1, 10);
        recorder.leave_function(40);
        recorder.charge(50);
        assert_eq!(hosts(&recorder), [(1, 1, 30), (5, 1, 20)]);
    }

    #[test]
    fn profiles_have_what_happens_while_they_record() {
        let mut recorder = Recorder::new(10);
        recorder.reach_line(1, 0);
        recorder.reach_line(2, 100);
        recorder.begin_profile(150);
        recorder.reach_line(3, 200);
        let when = Interval {
            start_ns: 210,
            end_ns: 290,
        };
        recorder.record(kernel("add"), when);
        // The host is at 260, the device is done at 290.
        let spans = recorder.end_profile(2, (260, 290));
        assert_eq!(spans.len(), 1);
        recorder.reach_line(1, 400);
        recorder.begin_profile(420);
        recorder.end_profile(1, (430, 0));
        let profiled = recorder.profiled(Clocks::HostAndDevice).unwrap();
        assert_eq!((profiled.steps, profiled.ns), (3, 150));
        let lines = profiled.lines.iter();
        let lines: Vec<_> = lines
            .map(|it| (it.line, it.hits, it.host_ns, it.device_ns))
            .collect();
        let expected = [
            (1, 0, 10, Some(0)),
            (2, 0, 50, Some(0)),
            (3, 1, 60, Some(80)),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn spans_beyond_the_limit_are_counted_and_still_charged() {
        let mut recorder = Recorder::new(1);
        recorder.reach_line(1, 0);
        for start_ns in [0, 10] {
            let when = Interval {
                start_ns,
                end_ns: start_ns + 5,
            };
            recorder.record(kernel("add"), when);
        }
        assert_eq!(
            recorder.line_times(Clocks::HostAndDevice)[0].device_ns,
            Some(10)
        );
        let (spans, dropped) = recorder.take_spans();
        assert_eq!((spans.len(), dropped), (1, 1));
    }

    #[test]
    fn a_line_takes_what_the_program_took_without_the_recorder() {
        let mut recorder = Recorder::new(10);
        recorder.reach_line(1, 0);
        recorder.exclude(30);
        recorder.exclude(10);
        recorder.reach_line(2, 100);
        recorder.charge(150);
        assert_eq!(hosts(&recorder), [(1, 1, 60), (2, 1, 50)]);
        assert_eq!(recorder.recording_ns(), 40);
    }

    #[test]
    fn work_without_a_kernel_has_no_span_and_lost_work_is_counted() {
        let mut recorder = Recorder::new(10);
        recorder.reach_line(1, 0);
        for work in 0..3 {
            recorder.record_pending(kernel("add"), (WorkId(work), 5));
        }
        recorder.resolve_pending(|work| match work.0 {
            0 => Completion::Lost,
            _ => Completion::Done(DeviceWork::default()),
        });
        assert!(!recorder.has_pending());
        assert_eq!((recorder.lost(), recorder.take_spans().0.len()), (1, 0));
    }

    #[test]
    fn copies_of_kernels_and_what_the_host_computed_are_counted_by_line() {
        let mut recorder = Recorder::new(10);
        let cost = Cost { flops: 0, bytes: 8 };
        let when = Interval {
            start_ns: 10,
            end_ns: 20,
        };
        recorder.reach_line(4, 0);
        recorder.record_on_host("max_pool2d", cost, when);
        recorder.record_on_host("max_pool2d", cost, when);
        let copy = Activity {
            lane: Lane::CopyToDevice,
            ..kernel("copy")
        };
        recorder.record_pending(kernel("index"), (WorkId(0), 25));
        recorder.record_pending(copy, (WorkId(1), 25));
        let to_device = CopyCount {
            times: 1,
            bytes: 24,
        };
        recorder.resolve_pending(|_| {
            Completion::Done(DeviceWork {
                when: Some(when),
                copies: CopyCounts {
                    to_device,
                    ..CopyCounts::default()
                },
            })
        });
        let found = recorder.host_work();
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.line, &*it.operation, it.what, it.times, it.bytes))
            .collect();
        assert_eq!(
            found,
            [
                (4, "index", HostWorkKind::CopiedToDevice, 1, 24),
                (4, "max_pool2d", HostWorkKind::Computed, 2, 16)
            ]
        );
        let spans = recorder.take_spans().0;
        assert_eq!(spans[0].name, "computed on the host: max_pool2d");
    }
}
