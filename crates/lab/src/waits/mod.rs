//! Where host, device and loaders waited for each other, in sentences: only the gaps that are worth a sentence.
//!
//! Pure. The caller says whether the times were measured or modelled.

use super::first_use;
use super::line_weight;
use super::units::duration;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use warpup_protocol::{Idle, Lane, Report, Wait, WaitCause};

/// How many lines get a sentence for each kind of gap.
const MOST: usize = 3;

/// A line whose gaps are below this share of the run, in percent, gets no sentence.
const PERCENT: u64 = 2;

/// From this share of a wait on, in percent, one line's work is the whole reason.
const NEARLY_ALL: u64 = 90;

/// A sentence for each of the lines that waited longest, and of those during which the device was idle longest.
pub fn sentences(report: &Report) -> Vec<String> {
    let Some(gaps) = &report.gaps else {
        return Vec::new();
    };
    let Shortest { wait, idle } = Shortest::of(report);
    let mut waits: Vec<LineWait> = by_line(&gaps.waits);
    waits.retain(|it| it.ns() >= wait);
    waits.sort_by_key(|it| Reverse(it.ns()));
    let idle: Vec<&Idle> = gaps.idle.iter().filter(|it| it.ns >= idle).collect();
    let waited = waits.iter().skip(MOST).map(LineWait::ns);
    let idled = idle.iter().skip(MOST).map(|it| it.ns);
    let mut said: Vec<String> = waits.iter().take(MOST).map(LineWait::sentence).collect();
    said.extend(more(waited).map(|it| format!("{it} waited")));
    said.extend(idle.iter().take(MOST).map(|it| idleness(it, &gaps.waits)));
    said.extend(more(idled).map(|it| format!("device idle while the host ran {it}")));
    said
}

/// What one line took and what it waited for, whatever its share, and who waited for it.
pub fn of_line(report: &Report, line: u32) -> String {
    let Some(times) = report.lines.iter().find(|it| it.line == line) else {
        return format!("line {line} took no time");
    };
    let most = first_use::most_of(report, times);
    let mut said = vec![format!(
        "line {line}: host {}{}{}",
        duration(times.host_ns),
        match times.hits {
            0 | 1 => String::new(),
            hits => format!(", {hits} times"),
        },
        most.map_or_else(String::new, |it| format!(
            ", most of it the first use of {it}"
        ))
    )];
    let device_ns = times.device_ns.filter(|it| *it > 0);
    said.extend(device_ns.map(|it| format!("device {}", duration(it))));
    said.extend(line_weight::share(report, times));
    let waits = report.gaps.as_ref().map_or(&[][..], |it| &it.waits);
    let by_line = by_line(waits);
    let own = by_line.iter().find(|it| it.line() == line);
    said.extend(own.map(LineWait::clause));
    let for_it = waits
        .iter()
        .filter(|it| it.line != line && blamed(it) == line);
    let mut others: BTreeMap<u32, u64> = BTreeMap::new();
    for it in for_it {
        *others.entry(it.line).or_default() += it.ns;
    }
    let mut others: Vec<_> = others.into_iter().collect();
    others.sort_by_key(|(_, ns)| Reverse(*ns));
    said.extend(others.first().map(|(other, ns)| match other {
        0 => format!("the host waited {} for it", duration(*ns)),
        other => format!("line {other} waited {} for it", duration(*ns)),
    }));
    said.join(" · ")
}

/// The lines that get no sentence, and the time of all of them; `None` if there are none.
fn more(rest: impl Iterator<Item = u64>) -> Option<String> {
    let rest: Vec<u64> = rest.collect();
    let time = duration(rest.iter().sum());
    match rest.len() {
        0 => None,
        1 => Some(format!("1 more line ({time})")),
        lines => Some(format!("{lines} more lines ({time} in all)")),
    }
}

/// The waits of one line: one for each cause and each line that is the reason, the longest first.
struct LineWait(Vec<Wait>);

/// Waits by their lines.
fn by_line(waits: &[Wait]) -> Vec<LineWait> {
    let mut lines: BTreeMap<u32, Vec<Wait>> = BTreeMap::new();
    for it in waits {
        let of_line = lines.entry(it.line).or_default();
        let same = |known: &&mut Wait| known.cause == it.cause && blamed(known) == blamed(it);
        match of_line.iter_mut().find(same) {
            Some(known) => {
                known.ns += it.ns;
                known.times += it.times;
                known.most_ns += it.most_ns;
            }
            None => of_line.push(*it),
        }
    }
    let sorted = lines.into_values().map(|mut waits| {
        waits.sort_by_key(|it| Reverse(it.ns));
        LineWait(waits)
    });
    sorted.collect()
}

impl LineWait {
    fn line(&self) -> u32 {
        self.0.first().map_or(0, |it| it.line)
    }

    fn ns(&self) -> u64 {
        self.0.iter().map(|it| it.ns).sum()
    }

    /// What waited, how long and for what.
    fn sentence(&self) -> String {
        match self.line() {
            0 => format!("the host {}", self.clause()),
            line => format!("line {line} {}", self.clause()),
        }
    }

    /// The same without what waited.
    fn clause(&self) -> String {
        match self.0.as_slice() {
            [] => String::new(),
            [one] => wait(one),
            [..] => {
                let parts: Vec<String> = self.0.iter().take(MOST).map(part).collect();
                let left = self.0.len().saturating_sub(MOST);
                let more = if left > 0 { ", and more" } else { "" };
                let count = times(self.0.iter().map(|it| it.times).sum(), "waits");
                let time = duration(self.ns());
                format!("waited {time}{count}: {}{more}", parts.join(", "))
            }
        }
    }
}

/// One of several waits of a line.
fn part(it: &Wait) -> String {
    let mostly = if is_whole_reason(it) { "" } else { " mostly" };
    format!("{}{mostly} for {}{}", duration(it.ns), whose(it), why(it))
}

/// The shortest gaps of one line that get a sentence, in nanoseconds.
struct Shortest {
    wait: u64,
    idle: u64,
}

impl Shortest {
    fn of(report: &Report) -> Self {
        let rest = report.host_ns.saturating_sub(first_use::of_run(report));
        let wait = (rest / 100 * PERCENT).max(1);
        // Between tiny kernels a card is always idle: it means nothing in a program that is over when it has begun.
        let idle = if rest < report.host_ns / 100 {
            u64::MAX
        } else {
            wait
        };
        Self { wait, idle }
    }
}

fn wait(it: &Wait) -> String {
    let part = if is_whole_reason(it) {
        String::new()
    } else {
        format!(", {} of it", duration(it.most_ns))
    };
    let (whose, why) = (whose(it), why(it));
    let often = times(it.times, "waits");
    format!("waited {}{part} for {whose}{why}{often}", duration(it.ns))
}

fn why(it: &Wait) -> String {
    if it.cause == WaitCause::Loader {
        return String::new();
    }
    let word = it.cause.word().map(|it| format!(" ({it})"));
    word.unwrap_or_default()
}

/// The line whose work took most of a wait, which tells more than the last one, often the line that waits.
fn blamed(it: &Wait) -> u32 {
    match it.most_line {
        0 => it.until_line,
        line => line,
    }
}

fn whose(it: &Wait) -> String {
    if it.cause == WaitCause::Loader {
        return match it.most_line {
            0 => "its loader's workers".to_owned(),
            line => format!("its loader's workers, which work longest on line {line}"),
        };
    }
    match blamed(it) {
        0 => "the device".to_owned(),
        line if line == it.line => format!("its own {}", work(it.most_lane)),
        line => format!("line {line}"),
    }
}

/// Whether the work of one line is the reason of nearly all of a wait.
fn is_whole_reason(it: &Wait) -> bool {
    it.cause == WaitCause::Loader || it.most_line == 0 || it.most_ns >= it.ns / 100 * NEARLY_ALL
}

/// What a line waits for that waits for itself.
fn work(lane: Option<Lane>) -> &'static str {
    match lane {
        Some(Lane::Kernel) => "kernel",
        Some(Lane::CopyToDevice | Lane::CopyToHost) => "copy",
        Some(Lane::Host | Lane::Pinning | Lane::Worker(_)) | None => "work",
    }
}

fn idleness(it: &Idle, waits: &[Wait]) -> String {
    let waited = waits
        .iter()
        .filter(|wait| wait.line == it.line && wait.cause == WaitCause::Loader);
    let waited_ns: u64 = waited.map(|it| it.ns).sum();
    let meanwhile = match it.line {
        line if waited_ns >= it.ns / 2 => format!("line {line} waited for its loader"),
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

#[cfg(test)]
mod tests;
