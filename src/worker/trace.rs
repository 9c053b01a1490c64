//! What a run has done, line by line and span by span.
//!
//! Totals for lines are kept whatever happens; spans stop at a limit, and the rest are counted. The
//! recorder reads no clock: whoever calls it says what time it is.

use super::device::model::Interval;
use super::gaps::Watch;
use crate::protocol::{Gaps, Lane, LineTime, Span};

/// Lines beyond this are charged together; no lab is that long.
const MAX_LINES: usize = 10_000;

/// Totals and spans of one run.
#[derive(Debug, Default)]
pub struct Recorder {
    /// Totals by line number.
    lines: Vec<Totals>,
    spans: Vec<Span>,
    limit: usize,
    dropped: u64,
    line: u32,
    /// Lines to go back to when functions of the program return.
    callers: Vec<u32>,
    charged_ns: u64,
    gaps: Watch,
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    hits: u64,
    host_ns: u64,
    wait_ns: u64,
    device_ns: u64,
}

/// Something that was done for a line.
#[derive(Clone, Copy, Debug)]
pub struct Done<'a> {
    /// Where it is drawn.
    pub lane: Lane,
    /// What it was.
    pub name: &'a str,
    /// When.
    pub when: Interval,
    /// Bytes it touched.
    pub bytes: u64,
    /// Floating point operations it did.
    pub flops: u64,
}

impl Recorder {
    /// A recorder that keeps this many spans; none when tracing is off.
    pub fn new(limit: u32) -> Self {
        Self {
            limit: limit as usize,
            ..Self::default()
        }
    }

    /// The line that runs now, or ran last; 0 before the program.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The program reaches a line.
    pub fn reach(&mut self, line: u32, now: u64) {
        self.charge(now);
        self.line = line;
        if let Some(totals) = self.totals(line) {
            totals.hits += 1;
        }
    }

    /// A function of the program is called, or the program itself, to which nothing goes back.
    pub fn enter(&mut self) {
        if self.line > 0 {
            self.callers.push(self.line);
        }
    }

    /// A function of the program returns.
    pub fn leave(&mut self, now: u64) {
        self.charge(now);
        self.line = self.callers.pop().unwrap_or(self.line);
    }

    /// The host's time since the last call goes to the current line.
    pub fn charge(&mut self, now: u64) {
        let spent = now.saturating_sub(self.charged_ns);
        self.gaps.ran(self.line, self.charged_ns, now);
        self.charged_ns = now;
        if let Some(totals) = self.totals(self.line) {
            totals.host_ns += spent;
        }
    }

    /// Time that belongs to nobody, such as the recorder's own, passes.
    pub fn skip_to(&mut self, now: u64) {
        self.charged_ns = now;
    }

    /// Something was done for the current line.
    pub fn record(&mut self, done: Done<'_>) {
        let spent = done.when.end_ns.saturating_sub(done.when.start_ns);
        let line = self.line;
        if let Some(totals) = self.totals(line) {
            match done.lane {
                Lane::Host if done.name == Span::WAIT => totals.wait_ns += spent,
                Lane::Host => {}
                Lane::Kernel | Lane::CopyToDevice | Lane::CopyToHost => totals.device_ns += spent,
            }
        }
        self.watch(done);
        if self.spans.len() >= self.limit {
            self.dropped += 1;
            return;
        }
        self.spans.push(Span {
            lane: done.lane,
            name: done.name.to_owned(),
            line,
            start_ns: done.when.start_ns,
            end_ns: done.when.end_ns,
            bytes: done.bytes,
            flops: done.flops,
        });
    }

    /// Tells the gaps of it.
    fn watch(&mut self, done: Done<'_>) {
        let (line, when) = (self.line, done.when);
        match done.lane {
            Lane::Host if done.name == Span::WAIT => self.gaps.waited(line, when),
            Lane::Host if done.name == Span::FIRST_USE => {
                let ns = when.end_ns.saturating_sub(when.start_ns);
                self.gaps.first_use(line, ns);
            }
            Lane::Host => {}
            Lane::Kernel | Lane::CopyToDevice | Lane::CopyToHost => {
                // The line's own time up to here is charged only when the next one is reached.
                self.gaps.ran(line, self.charged_ns, when.start_ns);
                self.gaps.worked(line, when);
            }
        }
    }

    /// Where host and device waited for each other.
    pub fn gaps(&self) -> Option<Gaps> {
        self.gaps.told()
    }

    /// The spans, and how many more there were.
    pub fn take_spans(&mut self) -> (Vec<Span>, u64) {
        let mut spans = std::mem::take(&mut self.spans);
        spans.sort_by_key(|span| span.start_ns);
        (spans, self.dropped)
    }

    /// Totals of the lines that were reached; with device times where there is a device apart.
    pub fn line_times(&self, device: DeviceTimes) -> Vec<LineTime> {
        let reached = self
            .lines
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, it)| it.hits > 0);
        reached
            .map(|(line, it)| LineTime {
                line: u32::try_from(line).unwrap_or(u32::MAX),
                hits: it.hits,
                host_ns: it.host_ns,
                wait_ns: it.wait_ns,
                device_ns: match device {
                    DeviceTimes::Apart => Some(it.device_ns),
                    DeviceTimes::None => None,
                },
            })
            .collect()
    }

    fn totals(&mut self, line: u32) -> Option<&mut Totals> {
        let at = (line as usize).min(MAX_LINES);
        if self.lines.len() <= at {
            self.lines.resize(at + 1, Totals::default());
        }
        self.lines.get_mut(at)
    }
}

/// Whether the run has a device with a time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceTimes {
    /// It has.
    Apart,
    /// The CPU computes; its time is the host's.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(recorder: &Recorder) -> Vec<(u32, u64, u64)> {
        let times = recorder.line_times(DeviceTimes::None);
        times
            .iter()
            .map(|it| (it.line, it.hits, it.host_ns))
            .collect()
    }

    #[test]
    fn time_goes_to_the_line_it_passed_in() {
        let mut recorder = Recorder::new(10);
        recorder.reach(1, 100);
        recorder.reach(2, 150);
        recorder.reach(1, 190);
        recorder.charge(200);
        assert_eq!(hosts(&recorder), [(1, 2, 60), (2, 1, 40)]);
    }

    #[test]
    fn after_a_call_time_goes_to_the_calling_line_again() {
        let mut recorder = Recorder::new(10);
        recorder.reach(5, 0);
        recorder.enter();
        recorder.reach(1, 10);
        recorder.leave(40);
        recorder.charge(50);
        assert_eq!(hosts(&recorder), [(1, 1, 30), (5, 1, 20)]);
    }

    #[test]
    fn spans_beyond_the_limit_are_counted_and_still_charged() {
        let mut recorder = Recorder::new(1);
        recorder.reach(1, 0);
        for start_ns in [0, 10] {
            let when = Interval {
                start_ns,
                end_ns: start_ns + 5,
            };
            recorder.record(Done {
                lane: Lane::Kernel,
                name: "add",
                when,
                bytes: 0,
                flops: 0,
            });
        }
        assert_eq!(
            recorder.line_times(DeviceTimes::Apart)[0].device_ns,
            Some(10)
        );
        let (spans, dropped) = recorder.take_spans();
        assert_eq!((spans.len(), dropped), (1, 1));
    }
}
