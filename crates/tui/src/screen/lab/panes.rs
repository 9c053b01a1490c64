//! The tabs and the content of the panes.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::budget::{self, TextInBudget};
use super::prediction_form::FormTab;
use super::state::{Lab, Mode};
use crate::keymap::Context;
use crate::page;
use crate::page::highlight;
use crate::scroll::VisibleLines;
use crate::session::{Pane, Session};
use crate::theme::Role;
use warpup_lab::missing_values;
use warpup_lab::units::number;
use warpup_protocol::{Check, Clock, Outcome};

/// The content of a pane before the first run.
pub(super) const NOTHING_YET: &str = "Not run yet. Press r.";

impl Lab {
    /// The panes that the lab has now: memory after a run that held some, a plot once the program has drawn one.
    fn panes(&self) -> impl Iterator<Item = Pane> {
        Pane::ALL.into_iter().filter(|it| self.has_pane_now(*it))
    }

    fn has_pane_now(&self, pane: Pane) -> bool {
        let has_now = match pane {
            Pane::Task | Pane::Checks | Pane::Output | Pane::Timeline => true,
            Pane::Runs => self.runs.past.count() > 1,
            Pane::Memory => self.held_memory().is_some(),
            Pane::Findings => !self.findings().is_empty(),
            Pane::Plot => self.plots().next().is_some(),
            Pane::Hints => self.has_hints() || self.definition.solution_program().is_some(),
            Pane::Candle => self.definition.rust.is_some(),
            Pane::Diff => self.pane == Pane::Diff || !self.is_starter(),
        };
        has_now && self.origin.has_pane(pane)
    }

    pub(super) fn has_hints(&self) -> bool {
        !self.definition.hints.is_empty()
    }

    /// The next pane; the first follows the last.
    pub(super) fn pane_after(&self) -> Pane {
        let mut panes = self.panes().skip_while(|it| *it != self.pane);
        panes.next();
        panes.next().unwrap_or(self.first_pane())
    }

    fn first_pane(&self) -> Pane {
        self.panes().next().unwrap_or_default()
    }

    /// The previous pane.
    pub(super) fn pane_before(&self) -> Pane {
        let last = self.panes().take_while(|it| *it != self.pane).last();
        last.or_else(|| self.panes().last()).unwrap_or_default()
    }

    /// The names of the panes, the chosen one marked; only those around it where there is no room for all.
    pub(super) fn tabs(&self, session: &Session, width: u16) -> Line<'static> {
        let theme = session.theme;
        if let Mode::Predicting(predicting) = &self.mode {
            return predicting.tabs(self.has_hints(), theme);
        }
        if let Mode::ChoosingDevice(_) = self.mode {
            return theme.line(" devices ", Role::Strong);
        }
        let shown = self.shown_panes(width);
        let all: Vec<Pane> = self.panes().collect();
        // A pane that others follow out of sight says so in the place of its space.
        let is_cut = |pane: &Pane, of_all: Option<&Pane>, of_shown: Option<&Pane>| {
            of_shown == Some(pane) && of_all != Some(pane)
        };
        let spans = shown.iter().map(|pane| {
            if *pane == self.pane {
                return theme.span(&format!("[{}]", pane.word()), Role::Key);
            }
            let is_before = is_cut(pane, all.first(), shown.first());
            let is_after = is_cut(pane, all.last(), shown.last());
            let before = if is_before { "‹" } else { " " };
            let after = if is_after { "›" } else { " " };
            theme.span(&format!("{before}{}{after}", pane.word()), Role::Dim)
        });
        Line::from(spans.collect::<Vec<_>>())
    }

    /// The panes whose names have room, including the chosen one.
    fn shown_panes(&self, width: u16) -> Vec<Pane> {
        let all: Vec<Pane> = self.panes().collect();
        let chosen = all.iter().position(|it| *it == self.pane).unwrap_or(0);
        // The rule takes two columns on either side.
        around(&all, chosen, usize::from(width).saturating_sub(4)).to_vec()
    }

    /// The pane of a tab, by its number among those that are visible.
    pub(super) fn pane_of_tab(&self, tab: usize, width: u16) -> Option<Pane> {
        self.shown_panes(width).get(tab).copied()
    }

    /// The chosen pane, at most as wide as `room`.
    pub(super) fn draw_pane(&self, session: &Session, room: Rect) -> VisibleLines {
        let width = room.width;
        let pane = match &self.mode {
            Mode::Predicting(predicting) => match predicting.looks_at {
                FormTab::Question => return predicting.draw(width, session.theme),
                FormTab::Task => Pane::Task,
                FormTab::Hints => Pane::Hints,
            },
            Mode::ChoosingDevice(list) => return self.draw_devices(session, list.at, width),
            Mode::Reading | Mode::Editing => self.pane,
        };
        if pane == Pane::Findings {
            return self.finding_rows(session, width);
        }
        VisibleLines {
            lines: self.content(session, pane, room),
            ..VisibleLines::default()
        }
    }

    /// The lines of a pane, at most as wide as `room`; only a plot depends on its rows.
    pub(super) fn content(&self, session: &Session, pane: Pane, room: Rect) -> Vec<Line<'static>> {
        let width = room.width;
        match pane {
            Pane::Task => self.task(session, width),
            Pane::Output => self.output(session, width),
            Pane::Checks => self.checks(session, width),
            Pane::Timeline => self.timeline(session, width),
            Pane::Findings => self.finding_rows(session, width).lines,
            Pane::Runs => self.runs_lines(session, width),
            Pane::Memory => self.memory_lines(session, width),
            Pane::Plot => self.plot_lines(session, room),
            Pane::Hints => self.hints(session, width),
            Pane::Diff => self.diff_lines(width, session.theme),
            Pane::Candle => {
                let rust = self.definition.rust.as_deref().unwrap_or_default();
                let code = highlight::code("rust", rust, session.theme);
                page::wrap_code(&code, width, session.theme)
            }
        }
    }

    fn output(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let Some(ran) = &self.runs.last else {
            return vec![theme.line(NOTHING_YET, Role::Dim)];
        };
        let mut lines = Vec::new();
        let mut output = ran.run.output.as_str();
        if let Some(notice) = missing_values::first_line(&ran.run) {
            let style = theme.style(Role::Warn);
            lines.extend(page::wrap_output(&notice, style, width, theme));
            output = output
                .strip_prefix(&format!("{notice}\n"))
                .unwrap_or(output);
        }
        if !output.is_empty() {
            let TextInBudget { lines_above, text } = budget::end_of(output);
            if lines_above > 0 {
                let said = format!("… {lines_above} lines above these are not shown");
                lines.push(theme.line(&said, Role::Dim));
            }
            lines.extend(page::wrap_output(&text, Style::new(), width, theme));
        }
        let Some(report) = &ran.run.report else {
            return lines;
        };
        let measured = self.origin.words().measured;
        if let Some(said) = measured.filter(|_| report.clock == Clock::Measured) {
            lines.extend(page::paragraph(said, theme.style(Role::Dim), width));
        }
        let contention = ran.run.contention().into_iter();
        for note in contention.chain(report.notes.iter().cloned()) {
            let said = format!("note: {note}");
            lines.extend(page::wrap_output(
                &said,
                theme.style(Role::Dim),
                width,
                theme,
            ));
        }
        let (said, role) = if let Some(raised) = ran.run.raised() {
            (raised.traceback.clone(), Role::Bad)
        } else if let Outcome::Broken { what } = &report.outcome {
            (what.clone(), Role::Bad)
        } else if let Some(it) = report.outcome.reason() {
            let said = [&it.why, &it.evidence, &it.hint].map(|it| it.trim());
            let said: Vec<_> = said.into_iter().filter(|it| !it.is_empty()).collect();
            (said.join("\n"), Role::Warn)
        } else {
            if ran.run.output.is_empty() {
                lines.insert(0, theme.line("it printed nothing", Role::Dim));
            }
            return lines;
        };
        let said = budget::beginning_of(&said);
        lines.extend(page::wrap_output(&said, theme.style(role), width, theme));
        lines
    }

    fn checks(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let mut lines = self.prediction_lines(session, width);
        let Some(ran) = &self.runs.last else {
            if lines.is_empty() {
                lines.push(theme.line(NOTHING_YET, Role::Dim));
            }
            return lines;
        };
        // Those that failed say what to do, so they come first where not all have room.
        let mut checks: Vec<&Check> = ran.run.checks.iter().collect();
        let shown = budget::fitting(checks.iter().map(|it| it.name.as_str()));
        if shown < checks.len() {
            checks.sort_by_key(|it| it.ok);
        }
        for check in checks.iter().take(shown) {
            let (mark, role) = if check.ok {
                ("✓ ", Role::Good)
            } else {
                ("✗ ", Role::Bad)
            };
            // What follows the mark stays behind its column.
            let room = width.saturating_sub(2).max(1);
            let (first, rest) = ([theme.span(mark, role)], [theme.span("  ", Role::Text)]);
            let name = page::coded(&check.name, Style::new(), room, theme);
            lines.extend(page::prefixed(name, &first, &rest));
            if let Some(hint) = check.hint.as_ref().filter(|_| !check.ok) {
                let hint = page::coded(hint, theme.style(Role::Dim), room, theme);
                lines.extend(page::prefixed(hint, &rest, &rest));
            }
        }
        let metrics = &ran.run.metrics;
        let shown_metrics = budget::fitting(metrics.iter().map(|it| it.name.as_str()));
        for metric in metrics.iter().take(shown_metrics) {
            let said = format!("{} = {} {}", metric.name, number(metric.value), metric.unit);
            lines.push(theme.line(&said, Role::Code));
        }
        let left_out = checks.len() - shown + metrics.len() - shown_metrics;
        if left_out > 0 {
            let said = format!("… {left_out} more are not shown");
            lines.push(theme.line(&said, Role::Dim));
        }
        if lines.is_empty() {
            let said = if self.definition.check.is_some() {
                "nothing was checked: the program did not reach its end"
            } else {
                "this lab checks nothing"
            };
            lines.push(theme.line(said, Role::Dim));
        }
        lines
    }

    /// The key of the next hint: letters are typed as text in some modes.
    fn hint_key(&self) -> &'static str {
        match &self.mode {
            Mode::Editing => "F2",
            Mode::Predicting(it) if it.context() == Context::PREDICT_TYPING => "F2",
            Mode::Reading | Mode::Predicting(_) | Mode::ChoosingDevice(_) => "h",
        }
    }

    fn hints(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let mut lines = Vec::new();
        // First, since it was asked for last.
        if let Some(shown) = self.help.solution {
            lines.extend(self.way_lines(shown, width, theme));
        }
        let all = self.definition.hints.len();
        for (number, hint) in (1..=self.help.hints).zip(&self.definition.hints) {
            let head = format!("hint {number} of {all}");
            lines.push(theme.line(&head, Role::Warn));
            lines.extend(page::prose(hint, width, theme));
        }
        if self.help.hints < all {
            let key = self.hint_key();
            let more = format!("{key} shows hint {} of {all}", self.help.hints + 1);
            lines.push(theme.line(&more, Role::Dim));
        }
        let can_ask = matches!(self.mode, Mode::Reading) && self.help.solution.is_none();
        if self.definition.solution_program().is_some() && can_ask {
            lines.push(theme.line("s shows a solution", Role::Dim));
        }
        lines
    }
}

/// As many panes as have room, including the chosen one.
fn around(all: &[Pane], chosen: usize, room: usize) -> &[Pane] {
    let width = |panes: &[Pane]| panes.iter().map(|it| it.word().len() + 2).sum::<usize>();
    let mut shown = all;
    let mut before = chosen;
    while shown.len() > 1 && width(shown) > room {
        // Drop the end that is farther away.
        if before * 2 >= shown.len() {
            shown = shown.get(1..).unwrap_or_default();
            before -= 1;
        } else {
            shown = shown.get(..shown.len() - 1).unwrap_or_default();
        }
    }
    shown
}
