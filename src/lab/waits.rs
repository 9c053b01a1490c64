//! Where host and device waited for each other, in sentences: only the gaps that are worth a sentence.
//!
//! Pure. The caller says whether the times were measured or modelled.

use super::units::duration;
use crate::protocol::{Clock, FirstUse, Gaps, Idle, Lane, Report, Wait};

/// How many gaps of each kind get a sentence.
const MOST: usize = 3;

/// A gap below this share of the run, in percent, gets no sentence.
const PERCENT: u64 = 2;

/// From this share of a wait on, in percent, one line's work is the whole reason.
const NEARLY_ALL: u64 = 90;

/// The first use of the card, if the run was the one that made its context: within the program's time on a
/// modelled card, as under PyTorch, and before it on a real one, whose kernels may have to be compiled.
pub fn first_use(report: &Report) -> Option<String> {
    let FirstUse { line, ns } = report.gaps.as_ref()?.first_use?;
    let took = duration(ns);
    Some(match report.clock {
        Clock::Modelled => format!(
            "first use of the card{}: the CUDA context, {took}, once in a run",
            on_line(line)
        ),
        Clock::Measured => {
            format!("the card was made ready before the program began: context and kernels, {took}")
        }
    })
}

/// A sentence for each of the longest gaps.
pub fn sentences(report: &Report) -> Vec<String> {
    let Some(gaps) = &report.gaps else {
        return Vec::new();
    };
    let least = least(report, gaps);
    let waits = gaps.waits.iter().filter(|it| it.ns >= least).take(MOST);
    let idle = gaps.idle.iter().filter(|it| it.ns >= least).take(MOST);
    waits.map(wait).chain(idle.map(idleness)).collect()
}

/// The shortest gap that gets a sentence, in nanoseconds.
fn least(report: &Report, gaps: &Gaps) -> u64 {
    // On a real card it was over when the program's clock began.
    let first_use = match report.clock {
        Clock::Modelled => gaps.first_use.map_or(0, |it| it.ns),
        Clock::Measured => 0,
    };
    let rest = report.host_ns.saturating_sub(first_use);
    (rest / 100 * PERCENT).max(1)
}

fn wait(it: &Wait) -> String {
    let who = match it.line {
        0 => "the host".to_owned(),
        line => format!("line {line}"),
    };
    let why = it.cause.word().map(|it| format!(" ({it})"));
    let often = times(it.times, "waits");
    // Who took most of it tells more than who was last, which is often the line itself.
    let blamed = if it.most_line == 0 {
        it.until_line
    } else {
        it.most_line
    };
    let whose = match blamed {
        0 => "the device".to_owned(),
        line if line == it.line => format!("its own {}", work(it.most_lane)),
        line => format!("line {line}"),
    };
    let part = if it.most_line == 0 || it.most_ns >= it.ns / 100 * NEARLY_ALL {
        String::new()
    } else {
        format!(", {} of it", duration(it.most_ns))
    };
    let time = duration(it.ns);
    let why = why.unwrap_or_default();
    format!("{who} waited {time}{part} for {whose}{why}{often}")
}

/// What a line waits for that waits for itself.
fn work(lane: Option<Lane>) -> &'static str {
    match lane {
        Some(Lane::Kernel) => "kernel",
        Some(Lane::CopyToDevice | Lane::CopyToHost) => "copy",
        Some(Lane::Host) | None => "work",
    }
}

fn idleness(it: &Idle) -> String {
    let meanwhile = match it.line {
        0 => "the host was outside of the program".to_owned(),
        line => format!("the host ran line {line}"),
    };
    let often = times(it.times, "gaps");
    format!("device idle {} while {meanwhile}{often}", duration(it.ns))
}

fn times(times: u64, what: &str) -> String {
    match times {
        0 | 1 => String::new(),
        times => format!(", in {times} {what}"),
    }
}

fn on_line(line: u32) -> String {
    match line {
        0 => String::new(),
        line => format!(" on line {line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::WaitCause;

    fn told(host_ns: u64, gaps: Gaps) -> String {
        told_by(Clock::Modelled, host_ns, gaps)
    }

    fn told_by(clock: Clock, host_ns: u64, gaps: Gaps) -> String {
        let report = Report {
            host_ns,
            clock,
            gaps: Some(Box::new(gaps)),
            ..Report::broken("")
        };
        let said = first_use(&report).into_iter().chain(sentences(&report));
        said.collect::<Vec<_>>().join("\n")
    }

    fn wait(line: u32, until_line: u32, most_line: u32, ms: u64) -> Wait {
        Wait {
            line,
            ns: ms * 1_000_000,
            times: 1,
            until_line,
            most_line,
            most_ns: ms * 800_000,
            most_lane: Some(Lane::Kernel),
            cause: WaitCause::Item,
        }
    }

    fn idle(line: u32, ms: u64, times: u64) -> Idle {
        Idle {
            line,
            ns: ms * 1_000_000,
            times,
        }
    }

    #[test]
    fn each_gap_names_its_lines_and_what_waited() {
        let own = Wait {
            most_ns: 9_900_000,
            ..wait(4, 4, 4, 10)
        };
        let copies = Wait {
            times: 20,
            line: 5,
            until_line: 5,
            most_line: 5,
            most_lane: Some(Lane::CopyToHost),
            cause: WaitCause::CopyToHost,
            ..own
        };
        let gaps = Gaps {
            first_use: Some(FirstUse {
                line: 2,
                ns: 250_000_000,
            }),
            waits: vec![wait(9, 7, 6, 38), own, copies],
            idle: vec![idle(9, 12, 1), idle(12, 8, 375)],
        };
        insta::assert_snapshot!(told(400_000_000, gaps), @r"
        first use of the card on line 2: the CUDA context, 250 ms, once in a run
        line 9 waited 38.0 ms, 30.4 ms of it for line 6 (item())
        line 4 waited 10.0 ms for its own kernel (item())
        line 5 waited 10.0 ms for its own copy (copy to host), in 20 waits
        device idle 12.0 ms while the host ran line 9
        device idle 8.00 ms while the host ran line 12, in 375 gaps
        ");
    }

    #[test]
    fn a_real_card_is_made_ready_before_the_clock_begins() {
        let gaps = Gaps {
            first_use: Some(FirstUse {
                line: 2,
                ns: 250_000_000,
            }),
            waits: vec![wait(9, 7, 7, 3), wait(10, 7, 7, 1)],
            idle: vec![],
        };
        insta::assert_snapshot!(told_by(Clock::Measured, 100_000_000, gaps), @r"
        the card was made ready before the program began: context and kernels, 250 ms
        line 9 waited 3.00 ms, 2.40 ms of it for line 7 (item())
        ");
    }

    #[test]
    fn short_gaps_are_not_told_and_the_first_use_hides_none() {
        let gaps = Gaps {
            first_use: Some(FirstUse {
                line: 0,
                ns: 250_000_000,
            }),
            waits: vec![wait(9, 0, 0, 3), wait(10, 7, 7, 1)],
            idle: vec![idle(9, 1, 4)],
        };
        insta::assert_snapshot!(told(350_000_000, gaps), @r"
        first use of the card: the CUDA context, 250 ms, once in a run
        line 9 waited 3.00 ms for the device (item())
        ");
        assert_eq!(told(1, Gaps::default()), "");
    }
}
