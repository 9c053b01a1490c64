//! Two runs of a program side by side: what each line took before, and what it takes now.
//!
//! Pure. The caller says on which devices the runs were, and whether their times were measured or modelled.

mod line_of_runs;
mod pace;
#[cfg(test)]
mod tests;

use self::line_of_runs::{Change, LineOfRuns, rows};
pub use self::pace::{Pace, has_first_use, in_words};
use super::findings::{self, steps_of};
use super::first_use;
use super::interruptions;
use super::text::cut_line;
use super::units::duration;
use std::cmp::Reverse;
use warpup_protocol::{LineTime, Report};

/// From this width on, a line of the program and its times share a row.
const WIDE: usize = 60;

/// A run: its report, and the program that it ran.
#[derive(Clone, Copy, Debug)]
pub struct ProgramRun<'a> {
    /// What it took.
    pub report: &'a Report,
    /// The program.
    pub source: &'a str,
}

/// A row of the table of two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// What it says, in columns.
    pub text: String,
    /// Whether its line became faster or slower, by a fifth at least and by a hundredth of the run.
    pub pace: Option<Pace>,
}

impl From<String> for TableRow {
    fn from(text: String) -> Self {
        Self { text, pace: None }
    }
}

/// The totals, and a table: the lines that took a hundredth of either run or were edited, and a line for all others.
pub fn table(before: ProgramRun<'_>, now: ProgramRun<'_>, width: usize) -> Vec<TableRow> {
    let rows = rows(before, now);
    let least = [least(before.report), least(now.report)];
    let is_long = |it: &LineOfRuns<'_>| {
        let is_long = |time: Option<LineTime>, least| {
            time.is_some_and(|it| it.uninterrupted_ns().max(it.device_ns.unwrap_or(0)) >= least)
        };
        let [least_before, least_now] = least;
        is_long(it.before, least_before) || is_long(it.now, least_now)
    };
    let counts = |it: &&LineOfRuns<'_>| it.change != Change::Same || is_long(it);
    let has_one_clock = before.report.clock == now.report.clock;
    let has_device = before.report.device_ns.is_some() || now.report.device_ns.is_some();
    let mut shown: Vec<&LineOfRuns<'_>> = rows.iter().filter(counts).collect();
    // On a low screen only the first ones are seen.
    shown.sort_by_key(|it| Reverse(it.change_ns()));
    let mut head = totals(before.report, now.report);
    if has_first_use(before.report, now.report) {
        head.push("lines, without the first use of the card and its libraries:".to_owned());
    }
    if width >= WIDE {
        let device = if has_device {
            "  device before → now"
        } else {
            ""
        };
        head.push(format!(" line  host before → now{device}"));
    }
    let mut lines: Vec<TableRow> = head.into_iter().map(TableRow::from).collect();
    for row in &shown {
        let pace = row.pace().filter(|_| has_one_clock && is_long(row));
        let rows = drawn(row, has_device, width);
        lines.extend(rows.into_iter().map(|text| TableRow { text, pace }));
    }
    let others = rows.len() - shown.len();
    if others > 0 {
        let lines_are = if others == 1 { "line is" } else { "lines are" };
        lines.push(format!("{others} more {lines_are} below 1 % of both runs").into());
    }
    lines.extend(signs(&shown).map(TableRow::from));
    lines
}

/// What the signs mean, of those that there are.
fn signs(shown: &[&LineOfRuns<'_>]) -> Option<String> {
    let all = [
        (Change::Edited, "edited"),
        (Change::Added, "new"),
        (Change::Removed, "gone"),
    ];
    let there = all
        .iter()
        .filter(|(change, _)| shown.iter().any(|it| it.change == *change));
    let said: Vec<String> = there
        .map(|(change, word)| format!("{} {word}", change.sign()))
        .collect();
    (!said.is_empty()).then(|| said.join("  "))
}

/// Both runs as a whole.
fn totals(before: &Report, now: &Report) -> Vec<String> {
    let clock = match (before.clock.label(), now.clock.label()) {
        (before, now) if before == now => now.to_owned(),
        (before, now) => format!("{before} → {now}"),
    };
    let mut host = both(Some(before.host_ns), Some(now.host_ns));
    if has_first_use(before, now) {
        let rest = |it: &Report| Some(first_use::rest_of(it));
        let said = both(rest(before), rest(now));
        host = format!("{host} (without first use {said})");
    }
    let mut lines = vec![format!("in all, {clock}:"), format!("  host   {host}")];
    let lost = (before.interrupted_ns, now.interrupted_ns);
    if [before, now]
        .iter()
        .any(|it| interruptions::of_run(it).is_some())
    {
        let lost = both(Some(lost.0), Some(lost.1));
        lines.push(format!(
            "  interrupted {lost}, by other work that had the core"
        ));
    }
    let waited = (before.waited_ns(), now.waited_ns());
    if waited != (0, 0) {
        lines.push(format!("  waited {}", both(Some(waited.0), Some(waited.1))));
    }
    if before.device_ns.is_some() || now.device_ns.is_some() {
        lines.push(format!(
            "  device {}",
            both(before.device_ns, now.device_ns)
        ));
    }
    if let (Some(before), Some(now)) = (steps_of(before), steps_of(now)) {
        let of = match (before.steps, now.steps) {
            (before, now) if before == now => format!("of {now}"),
            (before, now) => format!("of {before} and of {now}"),
        };
        let [before, now] = [before, now].map(|it| findings::duration(it.step_ns));
        lines.push(format!("  a step {before} → {now} (mean {of})"));
    }
    lines
}

fn both(before: Option<u64>, now: Option<u64>) -> String {
    let shown = |ns: Option<u64>| ns.map_or_else(|| "–".to_owned(), duration);
    format!("{} → {}", shown(before), shown(now))
}

/// One row, or where the screen is narrow, the line and its times below each other.
fn drawn(row: &LineOfRuns<'_>, has_device: bool, width: usize) -> Vec<String> {
    let host = (
        row.before.map(|it| it.host_ns),
        row.now.map(|it| it.host_ns),
    );
    let device = (device_of(row.before), device_of(row.now));
    let head = format!("{}{:>4}", row.change.sign(), row.line);
    if width >= WIDE {
        let columns = |(before, now): (Option<u64>, Option<u64>)| {
            let shown = |ns: Option<u64>| ns.map_or_else(|| "–".to_owned(), duration);
            match (before, now) {
                (None, None) => " ".repeat(17),
                (before, now) => format!("{:>7} → {:<7}", shown(before), shown(now)),
            }
        };
        let device = if has_device {
            format!("  {}", columns(device))
        } else {
            String::new()
        };
        let times = format!("{head}  {}{device}  ", columns(host));
        let room = width.saturating_sub(times.chars().count());
        return vec![
            format!("{times}{}", cut_line(row.text, room))
                .trim_end()
                .to_owned(),
        ];
    }
    let room = width.saturating_sub(head.len() + 1);
    let mut lines = vec![
        format!("{head} {}", cut_line(row.text.trim_start(), room)),
        format!("      host   {}", both(host.0, host.1)),
    ];
    if has_device && device != (None, None) {
        lines.push(format!("      device {}", both(device.0, device.1)));
    }
    lines
}

/// The device time of the work that a line queued, if it queued any.
fn device_of(time: Option<LineTime>) -> Option<u64> {
    time?.device_ns.filter(|it| *it > 0)
}

/// A hundredth of a run, its first use of a card left out.
fn least(report: &Report) -> u64 {
    let first_ns = first_use::of_run(report);
    (report.uninterrupted_ns().saturating_sub(first_ns) / 100).max(1)
}
