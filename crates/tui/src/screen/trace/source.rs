//! The learner's own source with what its lines cost a step, as a lab shows a program.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::editor::{Clocks, Gutter};
use crate::keymap::Motion;
use crate::page::highlight;
use crate::scroll::Scroll;
use crate::session::{OwnSource, ReadTrace, SourceText};
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_kineto::analysis::{Analysis, LineSummary};
use warpup_protocol::{LineTime, Report};

/// From this many columns of the screen on, the gutter says how long each line waited.
const WITH_WAITS: u16 = 100;

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
struct SourceKey {
    /// The trace, and the finding in it.
    of: (usize, usize),
    path: String,
    is_wide: bool,
    theme: Theme,
}

/// One file of the learner's own, in a window that scrolls.
#[derive(Debug, Default)]
pub(super) struct SourceView {
    key: Option<SourceKey>,
    /// Its number among the sources of the trace.
    file: usize,
    /// The number of the source that was turned to; none where the chosen finding says which.
    turned_to: Option<usize>,
    /// Its lines, or the functions of those that have times.
    scroll: Scroll,
    /// The number of each of them.
    numbers: Vec<u32>,
    /// The line of the chosen finding, or else the one that costs most.
    chosen: u32,
    gutter: Gutter,
    /// Its path, and what its times are of.
    title: String,
    /// Columns of the longest line.
    pub(super) columns: usize,
    /// What is to be known of the file.
    pub(super) note: Option<String>,
}

impl SourceView {
    /// Takes the file in which a finding is, or else that of the line that costs most.
    pub(super) fn choose(
        &mut self,
        read: &ReadTrace,
        of: (usize, usize),
        screen: u16,
        theme: Theme,
    ) {
        if self.key.as_ref().is_some_and(|it| it.of != of) {
            self.turned_to = None;
        }
        let place = read.report.findings.get(of.1);
        let place = place.and_then(|it| it.place.as_deref());
        let lines = &read.analysis.lines;
        let turned_to = self.turned_to.and_then(|it| read.sources.get(it));
        let line = match turned_to {
            Some(source) => lines.iter().find(|it| it.file == source.path),
            None => {
                let of_finding = lines.iter().find(|it| Some(it.line.as_str()) == place);
                of_finding.or(lines.first())
            }
        };
        let Some(line) = line else { return };
        let mut sources = read.sources.iter().enumerate();
        let Some((file, source)) = sources.find(|it| it.1.path == line.file) else {
            return;
        };
        self.file = file;
        let key = SourceKey {
            of,
            path: source.path.clone(),
            is_wide: screen >= WITH_WAITS,
            theme,
        };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        let lines: Vec<&LineSummary> = lines.iter().filter(|it| it.file == source.path).collect();
        let code = self.take(source, &lines, theme);
        self.columns = code.iter().map(Line::width).max().unwrap_or(0);
        self.gutter = Gutter {
            lines: self.numbers.last().map_or(0, |it| *it as usize),
            clocks: clocks(&read.analysis, &lines),
            error: None,
            is_wide: key.is_wide,
        };
        self.scroll.set(code);
        let of_step = if read.analysis.has_steps {
            " · of a step"
        } else {
            ""
        };
        self.title = format!("{}{of_step}", source.path);
        self.chosen = line.number;
        self.key = Some(key);
        self.reveal();
    }

    /// The number of the file that is shown.
    pub(super) fn file(&self) -> usize {
        self.file
    }

    /// Shows another file.
    pub(super) fn turn_to(&mut self, file: usize) {
        self.turned_to = Some(file);
    }

    /// The text of a file; where it is missing, the functions of the lines that have times.
    fn take(
        &mut self,
        source: &OwnSource,
        lines: &[&LineSummary],
        theme: Theme,
    ) -> Vec<Line<'static>> {
        let name = &source.path;
        let (text, note) = match &source.text {
            SourceText::Recorded(text) => (text, None),
            SourceText::Newer(text) => {
                let said = "has changed since the trace was written: lines may be others.";
                (text, Some(format!("{name} {said}")))
            }
            SourceText::Missing => {
                let said =
                    "was not found here or beside the trace: these are its lines with times.";
                self.note = Some(format!("{name} {said}"));
                let mut lines = lines.to_vec();
                lines.sort_by_key(|it| it.number);
                self.numbers = lines.iter().map(|it| it.number).collect();
                let function = |it: &&LineSummary| {
                    let function = it.function.as_ref();
                    let said = function.map_or(String::new(), |it| format!("in {it}"));
                    theme.line(&said, Role::Dim)
                };
                return lines.iter().map(function).collect();
            }
        };
        self.note = note;
        let code = highlight::code("python", text, theme);
        self.numbers = (1..).take(code.len()).collect();
        code
    }

    /// Scrolls to the chosen line.
    fn reveal(&mut self) {
        let row = self.numbers.iter().position(|it| *it == self.chosen);
        self.scroll.go_to(
            row.unwrap_or(0)
                .saturating_sub(self.scroll.visible().len() / 2),
        );
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Moves the window.
    pub(super) fn go(&mut self, motion: Motion) {
        self.scroll.go(motion);
    }

    /// Sets how many lines are visible.
    pub(super) fn fit(&mut self, height: u16) {
        let was_laid_out = !self.scroll.visible().is_empty();
        self.scroll.fit(height);
        if !was_laid_out {
            self.reveal();
        }
    }

    /// Draws the headings and the lines.
    pub(super) fn view(&self, frame: &mut Frame<'_>, clocks: Rect, area: Rect, theme: Theme) {
        let header = self.gutter.header(area.width, theme);
        styled::put(frame, clocks, 0, &header);
        let name = format!("{}  {}", self.scroll.place(), self.title);
        let name = theme.line(name.trim_start(), Role::Dim);
        if header.width() + name.width() < usize::from(clocks.width) {
            styled::put_right(frame, clocks, 0, &name);
        }
        let margin = self.gutter.width(area.width).min(area.width);
        let beside = |columns: u16, width: u16| Rect {
            x: area.x + columns,
            width,
            ..area
        };
        let code = beside(margin, area.width - margin);
        let visible = self.scroll.lines().get(self.scroll.visible());
        let numbers = self.numbers.get(self.scroll.visible());
        let numbered = numbers.unwrap_or_default().iter();
        for (at, (number, line)) in numbered.zip(visible.unwrap_or_default()).enumerate() {
            let gutter = self.gutter.line(*number, area.width, theme);
            styled::put(frame, area, at, &gutter);
            if *number == self.chosen {
                let mark = beside(margin.saturating_sub(2), 2.min(margin));
                styled::put(frame, mark, at, &theme.line("▸", Role::Selected));
            }
            styled::put(frame, code, at, line);
        }
    }
}

/// The times of the lines of a file, those of one step.
fn clocks(analysis: &Analysis, lines: &[&LineSummary]) -> Option<Clocks> {
    let at_least_0 = |ns: i64| u64::try_from(ns).unwrap_or(0);
    let time = |it: &&LineSummary| LineTime {
        line: it.number,
        hits: it.count,
        host_ns: at_least_0(it.of_step.own_ns),
        wait_ns: at_least_0(it.of_step.wait_ns),
        device_ns: analysis
            .device
            .is_some()
            .then(|| at_least_0(it.of_step.device_ns)),
        ..LineTime::default()
    };
    Clocks::of(&Report {
        host_ns: at_least_0(analysis.stepped_ns / analysis.step_count()),
        lines: lines.iter().map(time).collect(),
        ..Report::broken("")
    })
}
