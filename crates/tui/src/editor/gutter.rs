//! The gutter of the editor: line numbers, the times of each line, and where an error happened.
//!
//! Its columns are as wide as their widest word.

use std::collections::BTreeMap;

use ratatui::style::Style;
use ratatui::text::Line;

use crate::theme::{Role, Theme};
use warpup_lab::first_use;
use warpup_lab::interruptions;
use warpup_lab::line_weight::{Weight, weights};
use warpup_lab::units::duration;
use warpup_protocol::{Clock, LineTime, Report};

/// The fewest columns of a line number, so that a tenth line moves nothing.
const NUMBER: usize = 2;

/// Columns of the bar beside the text, of the mark before it and of the space after it.
const BAR: usize = 3;

/// In front of a time that is mostly the first use of something.
const FIRST_USE: &str = "*";

/// From this width on, the headings say what that sign means.
const WITH_SIGN: u16 = 60;

/// What is drawn to the left of the source lines.
#[derive(Debug, Default)]
pub(crate) struct Gutter {
    /// The number of source lines.
    pub(crate) lines: usize,
    /// Times by line; no clocks are drawn when nothing ran.
    pub(crate) clocks: Option<Clocks>,
    /// The line an error came from, from 1.
    pub(crate) error: Option<u32>,
    /// Whether the screen has room for the time that each line waited.
    pub(crate) is_wide: bool,
}

/// Host time of each line and, where the device is not the CPU, how much of it the line waited, and device time.
#[derive(Debug)]
pub(crate) struct Clocks {
    clock: Clock,
    /// Times by line, from 1.
    lines: BTreeMap<u32, LineCells>,
    /// What they are of, where that is no run of the text as it is now.
    earlier: Option<&'static str>,
    host: TimeColumn,
    waited: TimeColumn,
    /// A run on the CPU has none.
    device: Option<TimeColumn>,
}

/// The times of a line, as they are shown.
#[derive(Debug)]
struct LineCells {
    host: String,
    waited: String,
    device: String,
    weight: Weight,
    /// Whether most of its time on the host is the first use of the card or of a library.
    is_first_use: bool,
    /// Whether it lost its core for much of its time.
    is_interrupted: bool,
}

/// A column of times.
#[derive(Clone, Copy, Debug)]
struct TimeColumn {
    head: &'static str,
    /// Columns of its widest word.
    width: usize,
}

impl TimeColumn {
    fn of(head: &'static str, cells: impl Iterator<Item = usize>) -> Self {
        let width = cells.max().unwrap_or(0).max(head.len());
        Self { head, width }
    }

    /// Its columns, with the space to its left.
    fn columns(self) -> usize {
        self.width + 1
    }

    /// A cell of it.
    fn cell(self, text: &str) -> String {
        format!(" {text:>0$}", self.width)
    }
}

impl LineCells {
    fn of(report: &Report, time: &LineTime, weight: Option<&Weight>) -> Self {
        let some = |ns: u64| match ns {
            0 => String::new(),
            ns => duration(ns),
        };
        let host = match (time.host_ns, time.worker_ns) {
            // Its time is beside the host's.
            (0, 1..) => "workers".to_owned(),
            (host_ns, _) => duration(host_ns),
        };
        let is_first_use = first_use::most_of(report, time).is_some();
        Self {
            host: if is_first_use {
                format!("{FIRST_USE}{host}")
            } else {
                host
            },
            waited: some(time.wait_ns),
            device: some(time.device_ns.unwrap_or(0)),
            weight: weight.copied().unwrap_or(Weight::Usual),
            is_first_use,
            is_interrupted: interruptions::of_line(time).is_some(),
        }
    }
}

impl Clocks {
    /// The times of a run; none where no line has one.
    pub(crate) fn of(report: &Report) -> Option<Self> {
        if report.lines.is_empty() {
            return None;
        }
        let weights = weights(report);
        let cells = |it: &LineTime| (it.line, LineCells::of(report, it, weights.get(&it.line)));
        let lines: BTreeMap<u32, LineCells> = report.lines.iter().map(cells).collect();
        let column = |head, of: fn(&LineCells) -> &str| {
            TimeColumn::of(head, lines.values().map(|it| of(it).chars().count()))
        };
        let has_device = report.lines.iter().any(|it| it.device_ns.is_some());
        let mut host = column("host", |it| &it.host);
        // Beside the line number, which is a number, too.
        host.width += 1;
        Some(Self {
            clock: report.clock,
            earlier: None,
            host,
            waited: column("waited", |it| &it.waited),
            device: has_device.then(|| column("device", |it| &it.device)),
            lines,
        })
    }

    /// The same of an earlier run: the times of the lines that are as they were, where these are now, with a word for it.
    pub(crate) fn of_earlier(self, lines_now: &BTreeMap<u32, u32>, word: &'static str) -> Self {
        let lines = self.lines.into_iter();
        let lines = lines.filter_map(|(line, cells)| {
            let weight = Weight::Little;
            Some((*lines_now.get(&line)?, LineCells { weight, ..cells }))
        });
        Self {
            lines: lines.collect(),
            earlier: Some(word),
            ..self
        }
    }

    /// The columns beside that of the host: of its time how much was waiting, and the device's, as far as half of an area is
    /// enough for them.
    fn beside_host(&self, room: usize, is_wide: bool) -> (Option<TimeColumn>, Option<TimeColumn>) {
        let fits = |device: &TimeColumn| room >= 2 * (self.host.columns() + device.columns());
        // A run on the CPU waits for nothing.
        let device = self.device.filter(fits);
        (device.and(is_wide.then_some(self.waited)), device)
    }
}

impl Gutter {
    /// Columns of a line number.
    fn number(&self) -> usize {
        self.lines.to_string().len().max(NUMBER)
    }

    /// Its columns in an area that has `width`.
    pub(crate) fn width(&self, width: u16) -> u16 {
        let columns = match &self.clocks {
            Some(clocks) => {
                let (waited, device) = self.beside_host(clocks, width);
                let all = [Some(clocks.host), waited, device];
                all.into_iter().flatten().map(TimeColumn::columns).sum()
            }
            None => 0,
        };
        u16::try_from(self.number() + columns + BAR).unwrap_or(u16::MAX)
    }

    fn beside_host(&self, clocks: &Clocks, width: u16) -> (Option<TimeColumn>, Option<TimeColumn>) {
        let room = usize::from(width).saturating_sub(self.number());
        clocks.beside_host(room, self.is_wide)
    }

    /// The headings of its columns.
    pub(crate) fn header(&self, width: u16, theme: Theme) -> Line<'static> {
        let clocks = self.clocks.as_ref().filter(|it| !it.lines.is_empty());
        let Some(clocks) = clocks else {
            return Line::default();
        };
        let (waited, device) = self.beside_host(clocks, width);
        let head = |it: TimeColumn| it.cell(it.head);
        let role = match clocks.clock {
            Clock::Measured => Role::Dim,
            Clock::Modelled => Role::Modelled,
        };
        let number = " ".repeat(self.number());
        let mut cells = clocks.lines.values();
        let has_sign = width >= WITH_SIGN && cells.any(|it| it.is_first_use);
        let sign = match clocks.earlier {
            Some(word) => format!("  {word}"),
            None if has_sign => format!("  {FIRST_USE} first use"),
            None => String::new(),
        };
        Line::from(vec![
            theme.span(&(number + &head(clocks.host)), Role::Host),
            theme.span(&waited.map_or(String::new(), head), Role::Dim),
            theme.span(&device.map_or(String::new(), head), Role::Device),
            theme.span("   ", Role::Dim),
            theme.span(clocks.clock.label(), role),
            theme.span(&sign, Role::Dim),
        ])
    }

    /// The gutter of one line.
    pub(crate) fn line(&self, number: u32, width: u16, theme: Theme) -> Line<'static> {
        let failed = self.error == Some(number);
        let role = if failed { Role::Bad } else { Role::Dim };
        let digits = self.number();
        let mut spans = vec![theme.span(&format!("{number:>digits$}"), role)];
        let space = match &self.clocks {
            None => theme.span(" ", Role::Dim),
            Some(clocks) => {
                let cells = clocks.lines.get(&number);
                let (waited, device) = self.beside_host(clocks, width);
                let text = |of: fn(&LineCells) -> &str| cells.map_or("", of);
                let of_weight = match cells.map(|it| it.weight) {
                    Some(Weight::Slow) => theme.style(Role::Strong),
                    Some(Weight::Little) => theme.style(Role::Dim),
                    Some(Weight::Usual) | None => Style::new(),
                };
                let of_host = if cells.is_some_and(|it| it.is_first_use) {
                    theme.style(Role::Dim)
                } else {
                    of_weight
                };
                let host = clocks.host.cell(text(|it| &it.host));
                spans.push(theme.span(&host, Role::Host).patch_style(of_host));
                if let Some(waited) = waited {
                    let waited = waited.cell(text(|it| &it.waited));
                    spans.push(theme.span(&waited, Role::Dim));
                }
                if let Some(device) = device {
                    let device = device.cell(text(|it| &it.device));
                    spans.push(theme.span(&device, Role::Device).patch_style(of_weight));
                }
                let is_interrupted = cells.is_some_and(|it| it.is_interrupted);
                theme.span(if is_interrupted { "!" } else { " " }, Role::Warn)
            }
        };
        spans.push(space);
        let (bar, role) = if failed {
            ("✗ ", Role::Bad)
        } else {
            ("│ ", Role::Border)
        };
        spans.push(theme.span(bar, role));
        Line::from(spans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Modifier;
    use warpup_protocol::{FirstUse, Gaps};
    use warpup_store::settings::ThemeSetting;

    fn line(line: u32, times: [u64; 4]) -> LineTime {
        let [host_ns, interrupted_ns, wait_ns, device_ns] = times;
        LineTime {
            line,
            host_ns,
            interrupted_ns,
            wait_ns,
            device_ns: (device_ns > 0).then_some(device_ns),
            ..LineTime::default()
        }
    }

    /// The gutter of a program in an area, with its headings.
    fn drawn(times: &[LineTime], lines: usize, width: u16) -> String {
        let report = Report {
            lines: times.to_vec(),
            ..Report::broken("")
        };
        let gutter = Gutter {
            lines,
            clocks: Clocks::of(&report),
            error: Some(2),
            is_wide: width > 70,
        };
        let theme = Theme::of_environment(ThemeSetting::None, |_| None);
        let mut rows = vec![gutter.header(width, theme).to_string()];
        for number in 1..=u32::try_from(lines).unwrap() {
            let row = gutter.line(number, width, theme);
            assert_eq!(row.width(), usize::from(gutter.width(width)));
            rows.push(format!("{row}x"));
        }
        rows.join("\n")
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_word() {
        let times = [
            line(1, [840, 0, 0, 0]),
            line(3, [5, 0, 0, 0]),
            line(4, [8_200_000, 8_100_000, 0, 0]),
        ];
        insta::assert_snapshot!(drawn(&times[..2], 3, 40), @"
             host   measured
        1  840 ns │ x
        2         ✗ x
        3    5 ns │ x
        ");
        insta::assert_snapshot!(drawn(&times, 4, 40), @"
              host   measured
        1   840 ns │ x
        2          ✗ x
        3     5 ns │ x
        4  8.20 ms!│ x
        ");
        insta::assert_snapshot!(drawn(&[], 3, 40), @"

        1 │ x
        2 ✗ x
        3 │ x
        ");
    }

    #[test]
    fn a_time_that_is_mostly_the_first_use_of_something_is_dim_and_marked() {
        let report = Report {
            clock: Clock::Modelled,
            host_ns: 251_000_000,
            device_ns: Some(800_000),
            lines: vec![
                line(1, [250_000_400, 0, 0, 0]),
                line(2, [900_000, 0, 0, 800_000]),
            ],
            gaps: Some(Box::new(Gaps {
                first_use: Some(FirstUse {
                    line: 1,
                    ns: 250_000_000,
                    ..FirstUse::default()
                }),
                ..Gaps::default()
            })),
            ..Report::broken("")
        };
        let gutter = Gutter {
            lines: 2,
            clocks: Clocks::of(&report),
            ..Gutter::default()
        };
        let theme = Theme::of_environment(ThemeSetting::None, |_| None);
        let style = |number| gutter.line(number, 60, theme).spans[1].style.add_modifier;
        let shown = [gutter.header(60, theme), gutter.line(1, 60, theme)];
        insta::assert_snapshot!(shown.map(|it| it.to_string()).join("\n"), @"
              host device   MODELLED  * first use
        1  *250 ms        │
        ");
        assert!(style(1).contains(Modifier::DIM) && style(2).contains(Modifier::BOLD));
    }

    #[test]
    fn a_card_has_columns_of_its_own_where_there_is_room() {
        let times = [
            line(1, [840, 0, 0, 26_000]),
            line(3, [1_240_000, 900_000, 200_000, 0]),
        ];
        insta::assert_snapshot!(drawn(&times, 3, 80), @"
              host waited  device   measured
        1   840 ns        26.0 µs │ x
        2                         ✗ x
        3  1.24 ms 200 µs        !│ x
        ");
        insta::assert_snapshot!(drawn(&times, 3, 40), @"
              host  device   measured
        1   840 ns 26.0 µs │ x
        2                  ✗ x
        3  1.24 ms        !│ x
        ");
        insta::assert_snapshot!(drawn(&times, 3, 30), @"
              host   measured
        1   840 ns │ x
        2          ✗ x
        3  1.24 ms!│ x
        ");
    }
}
