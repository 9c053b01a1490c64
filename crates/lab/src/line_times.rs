//! The table of a program's lines and the time each took, as text.
//!
//! Pure. The screen has its own gutter; both take their numbers from [`super::units`], and both say
//! whether a number was measured or modelled.

use super::interruptions;
use super::text::cut_line;
use super::units::duration;
use unicode_width::UnicodeWidthStr;
use warpup_protocol::{LineTime, Report};

/// The lines of the table: a head, then one for each line of the program that took time, and one for the rest if it is noticed.
///
/// The columns for waiting and for the device are left out on a CPU, that for workers without loaders that have some, and that for
/// interruptions where no line has lost much time to them.
/// Safe to print.
pub fn table(report: &Report, source: &str, width: usize) -> Vec<String> {
    let has_device = report.lines.iter().any(|it| it.device_ns.is_some());
    let has_wait = has_device || report.lines.iter().any(|it| it.wait_ns > 0);
    let has_workers = report.lines.iter().any(|it| it.worker_ns > 0);
    let has_lost = report
        .lines
        .iter()
        .any(|it| interruptions::of_line(it).is_some());
    let row = |[line, times, host, lost, waited, workers, device, text]: [String; 8]| {
        let lost = has_lost.then_some(lost);
        let workers = has_workers.then_some(workers);
        let waited = has_wait.then_some(waited);
        let device = has_device.then_some(device);
        let cells = [
            Some(line),
            Some(times),
            Some(host),
            lost,
            waited,
            workers,
            device,
            Some(text),
        ];
        cells.into_iter().flatten().collect::<Vec<_>>()
    };
    let head = [
        "line",
        "times",
        "host",
        "interrupted",
        "waited",
        "workers",
        "device",
        "",
    ];
    let mut rows = vec![row(head.map(str::to_owned))];
    let source: Vec<&str> = source.lines().collect();
    let mut lines: Vec<&LineTime> = report.lines.iter().collect();
    lines.sort_by_key(|it| it.line);
    for time in lines {
        let text = usize::try_from(time.line).unwrap_or(0).checked_sub(1);
        let text = text.and_then(|it| source.get(it)).copied();
        rows.push(row([
            time.line.to_string(),
            time.hits.to_string(),
            duration(time.host_ns),
            duration_of_some(interruptions::of_line(time).unwrap_or(0)),
            duration_of_some(time.wait_ns),
            duration_of_some(time.worker_ns),
            duration_of_some(time.device_ns.unwrap_or(0)),
            text.unwrap_or_default().to_owned(),
        ]));
    }
    if let Some(outside) = report.outside_lines_ns() {
        let none = String::new;
        let said = "(outside of lines)".to_owned();
        rows.push(row([
            none(),
            none(),
            duration(outside),
            none(),
            none(),
            none(),
            none(),
            said,
        ]));
    }
    aligned(&rows, width)
}

fn duration_of_some(ns: u64) -> String {
    match ns {
        0 => String::new(),
        ns => duration(ns),
    }
}

/// Right-aligns all cells but the last, which is cut to what is left of `width`.
fn aligned(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len).saturating_sub(1);
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|it| it.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let used: usize = widths.iter().map(|it| it + 2).sum();
    let room = width.saturating_sub(used).max(10);
    rows.iter()
        .map(|row| {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(&" ".repeat(width.saturating_sub(cell.width())));
                line.push_str(cell);
                line.push_str("  ");
            }
            line.push_str(&cut_line(row.last().map_or("", String::as_str), room));
            line.trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: u32, hits: u64, host_ns: u64, wait_ns: u64, device_ns: Option<u64>) -> LineTime {
        LineTime {
            line,
            hits,
            host_ns,
            wait_ns,
            interrupted_ns: 0,
            worker_ns: 0,
            device_ns,
        }
    }

    fn shown(lines: Vec<LineTime>, width: usize) -> String {
        let report = Report {
            lines,
            ..Report::broken("")
        };
        table(
            &report,
            "import torch\nfor i in range(9):\n\ty = x @ w\nprint(y.sum().item())\n",
            width,
        )
        .join("\n")
    }

    #[test]
    fn a_card_has_its_own_column_and_waiting_another() {
        let text = shown(
            vec![
                line(4, 1, 1_240_000, 1_200_000, Some(8_000)),
                line(2, 10, 4_000, 0, None),
                line(3, 9, 72_000, 0, Some(1_260_000)),
            ],
            80,
        );
        insta::assert_snapshot!(text, @r"
        line  times     host   waited   device
           2     10  4.00 µs                    for i in range(9):
           3      9  72.0 µs           1.26 ms      y = x @ w
           4      1  1.24 ms  1.20 ms  8.00 µs  print(y.sum().item())
        ");
    }

    #[test]
    fn a_line_that_lost_its_core_says_so() {
        let interrupted = LineTime {
            interrupted_ns: 8_100_000,
            ..line(4, 1, 8_200_000, 0, None)
        };
        let text = shown(vec![line(2, 10, 4_000, 0, None), interrupted], 80);
        insta::assert_snapshot!(text, @"
        line  times     host  interrupted
           2     10  4.00 µs               for i in range(9):
           4      1  8.20 ms      8.10 ms  print(y.sum().item())
        ");
    }

    #[test]
    fn what_no_line_took_has_a_row_where_it_is_noticed() {
        let of = |host_ns| {
            let report = Report {
                host_ns,
                lines: vec![line(1, 1, 15_100_000, 0, None)],
                ..Report::broken("")
            };
            table(&report, "import torch\n", 80).join("\n")
        };
        insta::assert_snapshot!(of(18_000_000), @"
        line  times     host
           1      1  15.1 ms  import torch
                     2.90 ms  (outside of lines)
        ");
        insta::assert_snapshot!(of(15_110_000), @"
        line  times     host
           1      1  15.1 ms  import torch
        ");
    }

    #[test]
    fn a_cpu_has_one_clock_and_long_lines_are_cut() {
        let text = shown(vec![line(4, 1, 840, 0, None), line(99, 1, 5, 0, None)], 34);
        insta::assert_snapshot!(text, @r"
        line  times    host
           4      1  840 ns  print(y.sum(…
          99      1    5 ns
        ");
    }
}
