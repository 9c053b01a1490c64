//! What a run has done, line by line and span by span.
//!
//! Totals for lines are kept whatever happens; spans stop at a limit, and the rest are counted. The
//! recorder reads no clock: whoever calls it says what time it is.

use super::device::Ticket;
use super::device::model::Interval;
use super::gaps::Watch;
use crate::protocol::{Gaps, Lane, LineTime, Span};
use crate::worker::meta::Cost;
use std::collections::VecDeque;

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
    /// What happened since the oldest work whose time is not known yet.
    unsettled: VecDeque<Unsettled>,
}

/// Something to be told of in its turn.
#[derive(Debug)]
enum Unsettled {
    /// The host was busy with a line.
    Ran(u32, Interval),
    /// Work of the device's.
    Work {
        ticket: Ticket,
        line: u32,
        lane: Lane,
        name: String,
        cost: Cost,
    },
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
pub struct Piece<'a> {
    /// Where it is drawn.
    pub lane: Lane,
    /// What it was.
    pub name: &'a str,
    /// Bytes it touched, and floating point operations it did.
    pub cost: Cost,
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
        let when = Interval {
            start_ns: self.charged_ns,
            end_ns: now,
        };
        self.ran(self.line, when);
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
    pub fn record(&mut self, piece: Piece<'_>, when: Interval) {
        if piece.lane != Lane::Host {
            // The line's own time up to here is charged only when the next one is reached.
            let until = Interval {
                start_ns: self.charged_ns,
                end_ns: when.start_ns,
            };
            self.gaps.ran(self.line, until.start_ns, until.end_ns);
        }
        self.note(self.line, piece, when);
    }

    /// The current line is the first to use a card that took so long to make ready, before the program began.
    pub fn prepared(&mut self, ns: u64) {
        self.gaps.first_use(self.line, ns);
    }

    /// Something was queued for the current line; how many pieces wait for their times.
    pub fn later(&mut self, piece: Piece<'_>, ticket: Ticket) -> usize {
        self.unsettled.push_back(Unsettled::Work {
            ticket,
            line: self.line,
            lane: piece.lane,
            name: piece.name.to_owned(),
            cost: piece.cost,
        });
        self.unsettled.len()
    }

    /// Whether there is work whose times are not known yet.
    pub fn has_unsettled(&self) -> bool {
        !self.unsettled.is_empty()
    }

    /// What is done by now gets its times, in the order in which it was queued.
    pub fn settle(&mut self, mut times: impl FnMut(Ticket) -> Option<Interval>) {
        while let Some(oldest) = self.unsettled.pop_front() {
            match oldest {
                Unsettled::Ran(line, when) => self.gaps.ran(line, when.start_ns, when.end_ns),
                Unsettled::Work {
                    ticket,
                    line,
                    lane,
                    ref name,
                    cost,
                } => match times(ticket) {
                    Some(when) => self.note(line, Piece { lane, name, cost }, when),
                    None => {
                        self.unsettled.push_front(oldest);
                        return;
                    }
                },
            }
        }
    }

    /// The host was busy with a line; told of in its turn.
    fn ran(&mut self, line: u32, when: Interval) {
        match self.unsettled.back_mut() {
            None => self.gaps.ran(line, when.start_ns, when.end_ns),
            Some(Unsettled::Ran(last, until)) if *last == line => until.end_ns = when.end_ns,
            Some(Unsettled::Ran(..) | Unsettled::Work { .. }) => {
                self.unsettled.push_back(Unsettled::Ran(line, when));
            }
        }
    }

    fn note(&mut self, line: u32, piece: Piece<'_>, when: Interval) {
        let spent = when.end_ns.saturating_sub(when.start_ns);
        if let Some(totals) = self.totals(line) {
            match piece.lane {
                Lane::Host if piece.name == Span::WAIT => totals.wait_ns += spent,
                Lane::Host => {}
                Lane::Kernel | Lane::CopyToDevice | Lane::CopyToHost => totals.device_ns += spent,
            }
        }
        self.watch(line, piece, when);
        if self.spans.len() >= self.limit {
            self.dropped += 1;
            return;
        }
        self.spans.push(Span {
            lane: piece.lane,
            name: piece.name.to_owned(),
            line,
            start_ns: when.start_ns,
            end_ns: when.end_ns,
            bytes: piece.cost.bytes,
            flops: piece.cost.flops,
        });
    }

    /// Tells the gaps of it.
    fn watch(&mut self, line: u32, piece: Piece<'_>, when: Interval) {
        match piece.lane {
            Lane::Host if piece.name == Span::WAIT => self.gaps.waited(line, when),
            Lane::Host if piece.name == Span::FIRST_USE => {
                let ns = when.end_ns.saturating_sub(when.start_ns);
                self.gaps.first_use(line, ns);
            }
            Lane::Host => {}
            Lane::Kernel | Lane::CopyToDevice | Lane::CopyToHost => self.gaps.worked(line, when),
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

    fn piece(name: &str) -> Piece<'_> {
        Piece {
            lane: Lane::Kernel,
            name,
            cost: Cost::default(),
        }
    }

    #[test]
    fn work_that_is_done_later_is_told_of_in_its_turn_and_charged_to_its_line() {
        let mut recorder = Recorder::new(10);
        let done = |from: u64| Interval {
            start_ns: from,
            end_ns: from + 100,
        };
        recorder.reach(1, 0);
        recorder.later(piece("first"), Ticket(0));
        recorder.reach(2, 50);
        recorder.reach(3, 400);
        recorder.later(piece("second"), Ticket(1));
        recorder.charge(410);
        // The second is not done yet.
        recorder.settle(|ticket| (ticket == Ticket(0)).then(|| done(10)));
        assert_eq!(recorder.take_spans().0.len(), 1);
        recorder.settle(|_| Some(done(420)));
        let device: Vec<Option<u64>> = recorder
            .line_times(DeviceTimes::Apart)
            .iter()
            .map(|it| it.device_ns)
            .collect();
        assert_eq!(device, [Some(100), Some(0), Some(100)]);
        // Between the two, from 110 to 420, the host was busy with line 2 most of the time.
        let idle = recorder.gaps().unwrap().idle;
        assert_eq!((idle[0].line, idle[0].ns), (2, 310));
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
            recorder.record(piece("add"), when);
        }
        assert_eq!(
            recorder.line_times(DeviceTimes::Apart)[0].device_ns,
            Some(10)
        );
        let (spans, dropped) = recorder.take_spans();
        assert_eq!((spans.len(), dropped), (1, 1));
    }
}
