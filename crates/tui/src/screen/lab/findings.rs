//! The pane of findings: what costs time in the program or makes it wrong, where, what to try, and the page that explains it.

use super::state::{Lab, Mode};
use crate::keymap::{Action, Context, Motion};
use crate::page;
use crate::screen::behaviour::Route;
use crate::screen::finding_list;
use crate::scroll::VisibleLines;
use crate::session::{LastRun, Pane, Session};
use crate::theme::Role;
use unicode_width::UnicodeWidthStr;
use warpup_lab::findings::Finding;
use warpup_lab::text::cut_line;
use warpup_protocol::Outcome;

impl Lab {
    /// What was found in the last run.
    pub(super) fn findings(&self) -> &[Finding] {
        let last = self.runs.last.as_ref();
        last.map_or(&[], |it| &it.found)
    }

    /// Whether a finding can be chosen.
    pub(super) fn shows_findings(&self) -> bool {
        self.pane == Pane::Findings
            && matches!(self.mode, Mode::Reading)
            && !self.findings().is_empty()
    }

    /// The page that explains the chosen finding, while there is one to choose.
    pub(super) fn page_of_finding(&self, session: &Session) -> Option<Route> {
        let chosen = self.findings().get(self.finding);
        finding_list::page_of(chosen.filter(|_| self.shows_findings()), session)
    }

    /// Moves the choice while there is another finding, and else the pane.
    pub(super) fn scroll_pane(&mut self, motion: Motion) {
        let chosen = finding_list::moved(self.finding, motion, self.findings().len());
        match chosen.filter(|_| self.shows_findings()) {
            Some(chosen) => {
                self.finding = chosen;
                self.scroll.show_row(chosen);
                self.show_line_of_finding();
            }
            None => self.scroll.go(motion),
        }
    }

    /// Brings the line that the chosen finding names into sight.
    pub(super) fn show_line_of_finding(&mut self) {
        let line = self.findings().get(self.finding).and_then(Finding::line);
        if let Some(line) = line.filter(|_| self.is_current()) {
            self.editor.go_to_line(line);
        }
    }

    /// The findings, the chosen one marked while the pane is the chosen one.
    pub(super) fn finding_rows(&self, session: &Session, width: u16) -> VisibleLines {
        let found = self.findings();
        let chosen = self.shows_findings().then_some(self.finding);
        let rows = finding_list::rows(found, chosen, session, usize::from(width));
        if chosen.is_none() || found.len() < 2 {
            return rows;
        }
        let name = |action| session.keys.name(Context::LAB, action);
        let (down, up) = (Motion::Down, Motion::Up);
        let said = format!(
            "{} and {} choose a finding, {} opens its page.",
            name(Action::Scroll(down)),
            name(Action::Scroll(up)),
            name(Action::Open)
        );
        rows.below(page::paragraph(
            &said,
            session.theme.style(Role::Dim),
            width,
        ))
    }

    /// What was found in the run before, and not any more in a whole run of the edited program on the same device, with as many steps:
    /// in fewer there may be too little to find. Without steps, its line has to be another one.
    fn repaired(&self) -> Vec<&Finding> {
        let (Some(last), Some(before)) = (&self.runs.last, &self.runs.before) else {
            return Vec::new();
        };
        let is_whole = last.run.report.as_ref().map(|it| &it.outcome) == Some(&Outcome::Done);
        let [now_on, was_on] = [last, before].map(|it| it.run.device.as_ref().map(|it| &it.name));
        if !is_whole || last.source == before.source || now_on != was_on {
            return Vec::new();
        }
        let steps = |it: &LastRun| {
            let facts = it.run.report.as_ref().and_then(|it| it.facts.as_deref());
            facts.map_or(0, |it| it.steps.count)
        };
        let is_as_long = |was: &Finding| match steps(before) {
            0 => {
                let at = was.line().and_then(|it| usize::try_from(it).ok());
                let line = at.and_then(|it| before.source.lines().nth(it.checked_sub(1)?));
                line.is_some_and(|it| last.source.lines().all(|now| now.trim() != it.trim()))
            }
            all => steps(last) >= all,
        };
        let found = before.found.iter();
        found
            .filter(|was| last.found.iter().all(|it| it.id != was.id))
            .filter(|was| is_as_long(was))
            .collect()
    }

    /// What was found first, with its line, in one row, or what is repaired: the pane has its sentence, and the others.
    pub(super) fn first_finding(&self, width: u16) -> Option<(String, Role)> {
        let repaired = self.repaired();
        let Some((first, others)) = self.findings().split_first() else {
            let (first, others) = repaired.split_first()?;
            let more = match others.len() {
                0 => String::new(),
                others => format!(" · {others} more gone"),
            };
            return Some((row("✓ gone", first, &more, width), Role::Good));
        };
        let gone = match repaired.len() {
            0 => String::new(),
            gone => format!(" · {gone} gone"),
        };
        let more = match others.len() {
            0 => format!("{gone} · see findings"),
            others => format!("{gone} · {others} more in findings"),
        };
        Some((row("found", first, &more, width), Role::Warn))
    }
}

/// A finding in one row, which ends with `more`.
fn row(head: &str, finding: &Finding, more: &str, width: u16) -> String {
    let place = finding.place.as_deref().unwrap_or("the program");
    let room = usize::from(width).saturating_sub(more.width());
    let line = place.split(':').next().unwrap_or(place);
    let mut shown = cut_line(&format!("{head}, {line}: {}", finding.sentence), room);
    // Half of what is in parentheses says nothing.
    if let Some((begin, rest)) = shown.rsplit_once(" (")
        && !rest.contains(')')
    {
        shown = format!("{begin}…");
    }
    format!("{shown}{more}")
}
