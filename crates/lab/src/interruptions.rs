//! Lines whose thread lost its core to other work, in words. Pure.
//!
//! The host's clock goes on meanwhile, so that such a line looks slow and is not. Only measured times have interruptions.

use super::units::duration;
use warpup_protocol::{LineTime, Report};

/// From this share of a line's time on, in percent, its interruptions are said.
const MUCH: u64 = 10;

/// The most lines that are named.
const NAMED: usize = 4;

/// For how long a line was interrupted, if that is much of its time.
pub fn of_line(time: &LineTime) -> Option<u64> {
    much_of(time.interrupted_ns, time.host_ns)
}

/// For how long a run was, if that is much of its time.
pub fn of_run(report: &Report) -> Option<u64> {
    much_of(report.interrupted_ns, report.host_ns)
}

fn much_of(interrupted_ns: u64, all_ns: u64) -> Option<u64> {
    let is_much = u128::from(interrupted_ns) * 100 >= u128::from(all_ns) * u128::from(MUCH);
    Some(interrupted_ns).filter(|it| *it > 0 && is_much)
}

/// Which lines were interrupted, and for how long.
pub fn sentence(report: &Report) -> Option<String> {
    let lines = report.lines.iter();
    let lines: Vec<(&LineTime, u64)> = lines.filter_map(|it| Some((it, of_line(it)?))).collect();
    let all: u64 = lines.iter().map(|it| it.1).sum();
    let what = match lines.as_slice() {
        [] => return None,
        [(only, ns)] => format!(
            "line {} was interrupted for {} of its {}",
            only.line,
            duration(*ns),
            duration(only.host_ns)
        ),
        [named @ .., (last, _)] if named.len() < NAMED => {
            let named: Vec<String> = named.iter().map(|it| it.0.line.to_string()).collect();
            format!(
                "lines {} and {} were interrupted for {} in all",
                named.join(", "),
                last.line,
                duration(all)
            )
        }
        many => {
            let (most, ns) = many.iter().max_by_key(|it| it.1)?;
            format!(
                "{} lines were interrupted for {} in all, line {} most ({} of its {})",
                many.len(),
                duration(all),
                most.line,
                duration(*ns),
                duration(most.host_ns)
            )
        }
    };
    Some(format!(
        "! {what}: other work had the core, which says nothing about the program"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(times: &[(u64, u64)]) -> String {
        let lines = (1..).zip(times).map(|(line, &(host, lost))| LineTime {
            line,
            host_ns: host * 1_000,
            interrupted_ns: lost * 1_000,
            ..LineTime::default()
        });
        let report = Report {
            lines: lines.collect(),
            ..Report::broken("")
        };
        sentence(&report).unwrap_or_default()
    }

    #[test]
    fn lines_that_lost_their_core_for_much_of_their_time_are_named() {
        let all = [
            said(&[(90, 0), (8_200, 8_100), (10_000, 990)]),
            said(&[(10_000, 1_000), (90, 0), (8_200, 8_100), (400, 300)]),
            said(&[(400, 300); 7]),
            said(&[(10_000, 999), (7, 0)]),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        ! line 2 was interrupted for 8.10 ms of its 8.20 ms: other work had the core, which says nothing about the program
        ! lines 1, 3 and 4 were interrupted for 9.40 ms in all: other work had the core, which says nothing about the program
        ! 7 lines were interrupted for 2.10 ms in all, line 7 most (300 µs of its 400 µs): other work had the core, which says nothing about the program
        ");
    }
}
