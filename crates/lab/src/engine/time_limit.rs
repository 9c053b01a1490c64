//! When a run has had its time: a pure decision about how long it ran, and how much of the machine it got.
//!
//! A time limit counts CPU time, so that neighbours on a busy machine are not taken for a mistake of the program. It
//! never ends before that much time has passed, so on an idle machine it is a limit of the wall clock as well.

use super::usage::{State, Usage};
use std::time::Duration;
use warpup_protocol::{Outcome, Reason};

/// A run may wait for the CPU for this many times its limit.
const PATIENCE: u32 = 10;

/// How long to wait before looking again, at least.
const LOOK: Duration = Duration::from_millis(20);

/// How often a run is seen asleep before it is taken for a program that waits, and not for one that has to wait.
const ASLEEP: u32 = 5;

/// What is known of a run whose limit has passed on the wall clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct OverdueRun {
    /// Its limit.
    pub(super) limit: Duration,
    /// How long it has run.
    pub(super) wall: Duration,
    /// The CPU time of its worker before it began.
    pub(super) cpu_before: Duration,
    /// What its worker has used; nothing where the system does not say.
    pub(super) usage: Option<Usage>,
    /// How often it was seen asleep since.
    pub(super) asleep: u32,
}

/// What to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It has had its time.
    TimedOut,
    /// It waited for the CPU too long, and got this much of it.
    Starved(Duration),
    /// It may go on, and is looked at again after this time.
    Continue(Duration),
}

impl OverdueRun {
    /// Whether it has had its time.
    pub(super) fn verdict(&self) -> Verdict {
        let Some(usage) = self.usage else {
            return Verdict::TimedOut;
        };
        let cpu = usage.cpu.saturating_sub(self.cpu_before);
        if cpu >= self.limit || self.asleep >= ASLEEP {
            return Verdict::TimedOut;
        }
        match usage.state {
            State::Asleep => Verdict::Continue(LOOK),
            State::Busy if self.wall >= self.limit.saturating_mul(PATIENCE) => {
                Verdict::Starved(cpu)
            }
            State::Busy => {
                // Not before it can be over.
                let left = self.limit.saturating_sub(cpu).min(self.limit / 2);
                Verdict::Continue(left.max(LOOK))
            }
        }
    }

    /// The outcome of a run that waited for the CPU too long.
    pub(super) fn starved(&self, cpu: Duration) -> Outcome {
        Outcome::Busy(Reason {
            why: format!(
                "in {:.0} s it got {:.1} s of CPU time, since other programs use the CPU",
                self.wall.as_secs_f64(),
                cpu.as_secs_f64()
            ),
            hint: "run it again when fewer programs run".to_owned(),
            evidence: String::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// The verdict on a run with a limit of 20 s, in a worker that had used 3 s before.
    fn verdict(wall: u64, cpu: u64, state: State, asleep: u32) -> Verdict {
        let usage = Usage {
            cpu: s(cpu + 3),
            state,
        };
        let overdue = OverdueRun {
            limit: s(20),
            wall: s(wall),
            cpu_before: s(3),
            usage: Some(usage),
            asleep,
        };
        overdue.verdict()
    }

    #[test]
    fn an_endless_loop_has_its_time_when_it_has_used_it() {
        assert_eq!(verdict(20, 20, State::Busy, 0), Verdict::TimedOut);
        assert_eq!(verdict(20, 35, State::Asleep, 0), Verdict::TimedOut);
        let unknown = OverdueRun {
            limit: s(20),
            wall: s(20),
            cpu_before: s(0),
            usage: None,
            asleep: 0,
        };
        assert_eq!(unknown.verdict(), Verdict::TimedOut);
    }

    #[test]
    fn a_run_that_did_not_get_the_cpu_goes_on_until_it_has() {
        assert_eq!(verdict(20, 19, State::Busy, 0), Verdict::Continue(s(1)));
        assert_eq!(verdict(20, 1, State::Busy, 0), Verdict::Continue(s(10)));
        assert_eq!(verdict(150, 20, State::Busy, 4), Verdict::TimedOut);
        assert_eq!(verdict(200, 13, State::Busy, 4), Verdict::Starved(s(13)));
    }

    #[test]
    fn a_program_that_sleeps_is_not_starved() {
        assert_eq!(verdict(20, 1, State::Asleep, 0), Verdict::Continue(LOOK));
        assert_eq!(verdict(21, 1, State::Asleep, ASLEEP), Verdict::TimedOut);
    }
}
