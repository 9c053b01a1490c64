//! The pane of a lab's runs: the last one beside the one before, line by line, and all of this session.

use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

use super::panes::NOTHING_YET;
use super::state::Lab;
use crate::page;
use crate::session::{LastRun, Session};
use crate::theme::{Role, Theme};
use warpup_lab::changes::{self, Pace, ProgramRun, TableRow};

impl Lab {
    /// What changed since the run before, and the runs of this session.
    pub(super) fn runs_lines(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let theme = session.theme;
        let mut lines = match (&self.runs.before, &self.runs.last) {
            (Some(before), Some(last)) => beside(before, last, width, theme),
            (None, _) | (_, None) => vec![theme.line(NOTHING_TO_COMPARE, Role::Dim)],
        };
        let passed = self.origin.words().passed;
        let rows = self.runs.past.rows(usize::from(width), passed);
        if rows.is_empty() {
            return vec![theme.line(NOTHING_YET, Role::Dim)];
        }
        lines.push(Line::default());
        lines.push(theme.line("the runs of this session, the last one first", Role::Strong));
        lines.extend(rows.iter().map(|it| theme.line(it, Role::Text)));
        lines
    }
}

impl Lab {
    /// The rows of two runs beside each other; nothing where one has no times.
    pub(super) fn rows_beside(&self, width: usize) -> Option<Vec<TableRow>> {
        let [before, last] = [self.runs.before.as_ref()?, self.runs.last.as_ref()?];
        let [before, last] = [timed(before)?, timed(last)?];
        Some(changes::table(before, last, width))
    }
}

/// A run with its times.
fn timed(ran: &LastRun) -> Option<ProgramRun<'_>> {
    let report = ran.run.report.as_ref()?;
    (!report.lines.is_empty()).then_some(ProgramRun {
        report,
        source: &ran.source,
    })
}

/// Where one of the two runs has no times of lines.
const NOTHING_TO_COMPARE: &str = "No earlier run with times to compare with.";

fn beside(before: &LastRun, last: &LastRun, width: u16, theme: Theme) -> Vec<Line<'static>> {
    if last.run.report.is_none() {
        return vec![theme.line("… compared when the run has ended", Role::Dim)];
    }
    let Some((before_timed, last_timed)) = timed(before).zip(timed(last)) else {
        return vec![theme.line("The last run has no times to compare.", Role::Dim)];
    };
    let title = theme.line("the run before → the last run", Role::Strong);
    let mut lines = vec![title];
    if let Some(said) = devices_differ(before, last) {
        lines.extend(page::paragraph(&said, theme.style(Role::Warn), width));
    }
    let rows = changes::table(before_timed, last_timed, usize::from(width));
    // Rows of the table have their width; a sentence among them goes on below.
    let wrapped = |it: &TableRow| {
        let role = match it.pace {
            Some(Pace::Faster) => Role::Good,
            Some(Pace::Slower) => Role::Warn,
            None => Role::Text,
        };
        if it.text.width() > usize::from(width) {
            page::paragraph(&it.text, theme.style(role), width)
        } else {
            vec![theme.line(&it.text, role)]
        }
    };
    lines.extend(rows.iter().flat_map(wrapped));
    lines
}

/// A warning where the runs were on different devices.
fn devices_differ(before: &LastRun, last: &LastRun) -> Option<String> {
    let (before, last) = before.run.device.as_ref().zip(last.run.device.as_ref())?;
    (before.name != last.name).then(|| {
        format!(
            "The devices differ: the run before was on {}, the last one on {}.",
            before.title, last.title
        )
    })
}
