//! Two runs of a program side by side: what each line took before, and what it takes now.
//!
//! Pure. The program may have been edited between the runs, so that lines are matched by their text first. The caller says
//! on which devices the runs were, and whether their times were measured or modelled.

use super::findings::{self, steps_of};
use super::first_use;
use super::interruptions;
use super::line_diff::{DiffStretch, lines, parts};
use super::text::cut_line;
use super::units::duration;
use std::cmp::Reverse;
use std::collections::BTreeMap;
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

/// What became of a line between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The same text.
    Same,
    /// Another text in the same place.
    Edited,
    /// It was not there before.
    Added,
    /// It is not there any more.
    Removed,
}

/// A line in both runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LineOfRuns<'a> {
    change: Change,
    /// Its number now, or the one that it had.
    line: u32,
    text: &'a str,
    before: Option<LineTime>,
    now: Option<LineTime>,
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

impl LineOfRuns<'_> {
    /// Its time before and now, of the host or of the device, whichever changed more.
    fn times(&self) -> [u64; 2] {
        let of = |time: fn(&LineTime) -> u64| {
            [&self.before, &self.now].map(|it| it.as_ref().map_or(0, time))
        };
        let (host, device) = (of(|it| it.host_ns), of(|it| it.device_ns.unwrap_or(0)));
        let change = |[before, now]: [u64; 2]| before.abs_diff(now);
        if change(device) > change(host) {
            device
        } else {
            host
        }
    }

    /// By how much that time has changed.
    fn change_ns(&self) -> u64 {
        let [before, now] = self.times();
        before.abs_diff(now)
    }

    /// Whether it became shorter or longer.
    fn pace(&self) -> Option<Pace> {
        let [before, now] = self.times();
        factor(before, now).map(|it| it.1)
    }
}

impl Change {
    fn sign(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Edited => '~',
            Self::Added => '+',
            Self::Removed => '-',
        }
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

/// How a run compares with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It takes less.
    Faster,
    /// It takes more.
    Slower,
}

/// How much faster or slower a run is than the one before, on the same device and without first use: by the time of a step where both
/// make steps, else by the host's or the device's, whichever was longer. Nothing below a fifth, which may be chance.
pub fn in_words(before: &Report, now: &Report) -> Option<(String, Pace)> {
    let total = |it: &Report| {
        first_use::rest_of(it)
            .saturating_sub(it.interrupted_ns)
            .max(it.device_ns.unwrap_or(0))
    };
    let (of, before, now) = match (steps_of(before), steps_of(now)) {
        (Some(before), Some(now)) => {
            let ns = |it: i64| u64::try_from(it).unwrap_or(0);
            ("a step is ", ns(before.step_ns), ns(now.step_ns))
        }
        (_, _) => ("", total(before), total(now)),
    };
    let (tenths, pace) = factor(before, now)?;
    let word = match pace {
        Pace::Faster => "faster",
        Pace::Slower => "slower",
    };
    let said = format!("{of}{}.{} times {word}", tenths / 10, tenths % 10);
    Some((said, pace))
}

/// By how many tenths the longer of two times is the shorter one; nothing below a fifth more.
fn factor(before: u64, now: u64) -> Option<(u64, Pace)> {
    let tenths = before.max(now).saturating_mul(10) / before.min(now).max(1);
    let pace = if now > before {
        Pace::Slower
    } else {
        Pace::Faster
    };
    (tenths >= 12).then_some((tenths, pace))
}

/// Whether one of two runs used a card for the first time.
pub fn has_first_use(before: &Report, now: &Report) -> bool {
    [before, now].iter().any(|it| first_use::of_run(it) > 0)
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

/// The lines of both programs that either run reached, in the order of the program as it is now.
fn rows<'a>(before: ProgramRun<'a>, now: ProgramRun<'a>) -> Vec<LineOfRuns<'a>> {
    let (old, new) = (lines(before.source), lines(now.source));
    let times = |run: ProgramRun<'_>| -> BTreeMap<u32, LineTime> {
        let lines = run.report.lines.iter();
        let rest = |it: &LineTime| LineTime {
            host_ns: it
                .host_ns
                .saturating_sub(first_use::of_line(run.report, it.line)),
            ..*it
        };
        lines.map(|it| (it.line, rest(it))).collect()
    };
    let (old_times, new_times) = (times(before), times(now));
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let mut rows = Vec::new();
    for (was, is) in matched(&old, &new) {
        let was = was.map(|at| (number(at), old.get(at).copied().unwrap_or_default()));
        let is = is.map(|at| (number(at), new.get(at).copied().unwrap_or_default()));
        let (change, (line, text)) = match (was, is) {
            (Some(was), Some(is)) if was.1 == is.1 => (Change::Same, is),
            (Some(_), Some(is)) => (Change::Edited, is),
            (None, Some(is)) => (Change::Added, is),
            (Some(was), None) => (Change::Removed, was),
            (None, None) => continue,
        };
        let row = LineOfRuns {
            change,
            line,
            text,
            before: was.and_then(|it| old_times.get(&it.0)).copied(),
            now: is.and_then(|it| new_times.get(&it.0)).copied(),
        };
        if row.before.is_some() || row.now.is_some() {
            rows.push(row);
        }
    }
    rows
}

/// Pairs of lines, by index: those with the same text, and between these the others in their order.
fn matched(old: &[&str], new: &[&str]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut pairs = Vec::new();
    for part in parts(old, new) {
        let (DiffStretch::Same(was, is) | DiffStretch::Changed(was, is)) = part;
        let rows = was.len().max(is.len());
        pairs.extend((0..rows).map(|at| (was.clone().nth(at), is.clone().nth(at))));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpup_protocol::{Clock, FirstUse, Gaps, OptimizerSteps, ProgramFacts};

    fn report(lines: &[(u32, u64, u64)]) -> Report {
        let times = lines.iter().map(|&(line, host_ns, device_ns)| LineTime {
            line,
            hits: 1,
            host_ns,
            wait_ns: 0,
            interrupted_ns: 0,
            worker_ns: 0,
            device_ns: Some(device_ns),
        });
        Report {
            clock: Clock::Modelled,
            host_ns: lines.iter().map(|it| it.1).sum(),
            device_ns: Some(lines.iter().map(|it| it.2).sum()),
            lines: times.collect(),
            ..Report::broken("")
        }
    }

    const BEFORE: &str = "import torch\nfor row in x:\n    row.sum()\nprint(x)\nx.cpu()\n";
    const NOW: &str = "import torch\n# at once\nx.sum(1)\nprint(x)\n";

    /// The rows of a table, those of lines that became faster or slower with a sign behind.
    fn texts(rows: &[TableRow]) -> String {
        let rows = rows.iter().map(|it| match it.pace {
            Some(Pace::Faster) => format!("{} ↓", it.text),
            Some(Pace::Slower) => format!("{} ↑", it.text),
            None => it.text.clone(),
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn shown(width: usize) -> String {
        let before = report(&[
            (1, 100, 0),
            (2, 9_000, 0),
            (3, 20_900_000, 8_190_000),
            (4, 400_000, 0),
            (5, 300_000, 1_000),
        ]);
        let now = report(&[(1, 100, 0), (3, 5_100, 52_700), (4, 390_000, 0)]);
        let (before, now) = (
            ProgramRun {
                report: &before,
                source: BEFORE,
            },
            ProgramRun {
                report: &now,
                source: NOW,
            },
        );
        texts(&table(before, now, width))
    }

    #[test]
    fn each_line_has_its_times_of_both_runs() {
        insta::assert_snapshot!(shown(80), @"
        in all, MODELLED:
          host   21.6 ms → 395 µs
          device 8.19 ms → 52.7 µs
         line  host before → now  device before → now
        ~   3  20.9 ms → 5.10 µs  8.19 ms → 52.7 µs  x.sum(1) ↓
        -   5   300 µs → –        1.00 µs → –        x.cpu() ↓
            4   400 µs → 390 µs                      print(x)
        ~   2  9.00 µs → –                           # at once
        1 more line is below 1 % of both runs
        ~ edited  - gone
        ");
        insta::assert_snapshot!(shown(40), @"
        in all, MODELLED:
          host   21.6 ms → 395 µs
          device 8.19 ms → 52.7 µs
        ~   3 x.sum(1) ↓
              host   20.9 ms → 5.10 µs ↓
              device 8.19 ms → 52.7 µs ↓
        -   5 x.cpu() ↓
              host   300 µs → – ↓
              device 1.00 µs → – ↓
            4 print(x)
              host   400 µs → 390 µs
        ~   2 # at once
              host   9.00 µs → –
        1 more line is below 1 % of both runs
        ~ edited  - gone
        ");
    }

    #[test]
    fn the_first_use_of_a_card_drowns_no_change_and_a_step_is_compared_with_a_step() {
        let of = |first_ns: u64, line_ns: u64, step_ns: u64| Report {
            gaps: Some(Box::new(Gaps {
                first_use: Some(FirstUse {
                    line: 2,
                    ns: first_ns,
                    ..FirstUse::default()
                }),
                ..Gaps::default()
            })),
            facts: Some(Box::new(ProgramFacts {
                steps: OptimizerSteps {
                    count: 10,
                    first_ns,
                    last_ns: first_ns + 9 * step_ns,
                    ..OptimizerSteps::default()
                },
                ..ProgramFacts::default()
            })),
            ..report(&[(2, first_ns + line_ns, 1_000)])
        };
        let (before, now) = (
            of(366_000_000, 2_000_000, 200_000),
            of(366_000_000, 1_000_000, 100_000),
        );
        let [before, now] = [&before, &now].map(|report| ProgramRun {
            report,
            source: "import torch\nx.cuda()\n",
        });
        insta::assert_snapshot!(texts(&table(before, now, 80)), @"
        in all, MODELLED:
          host   368 ms → 367 ms (without first use 2.00 ms → 1.00 ms)
          device 1.00 µs → 1.00 µs
          a step 200 µs → 100 µs (mean of 10)
        lines, without the first use of the card and its libraries:
         line  host before → now  device before → now
            2  2.00 ms → 1.00 ms  1.00 µs → 1.00 µs  x.cuda() ↓
        ");
    }

    #[test]
    fn lines_are_matched_by_their_text() {
        let pairs = matched(&["a", "b", "c"], &["b", "x", "c", "d"]);
        let pairs: Vec<String> = pairs
            .iter()
            .map(|it| format!("{:?}-{:?}", it.0, it.1))
            .collect();
        insta::assert_snapshot!(pairs.join(" "), @"Some(0)-None Some(1)-Some(0) None-Some(1) Some(2)-Some(2) None-Some(3)");
    }
}
