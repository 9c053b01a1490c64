//! The pane of findings: what costs time in the program or makes it wrong, where, and what to try.

use ratatui::text::Line;

use super::state::Lab;
use crate::page;
use crate::session::Session;
use crate::theme::{Role, Theme};
use warpup_lab::findings::Finding;

impl Lab {
    /// What was found in the last run.
    pub(super) fn findings(&self) -> &[Finding] {
        let last = self.runs.last.as_ref();
        last.map_or(&[], |it| &it.found)
    }

    pub(super) fn finding_lines(&self, session: &Session, width: u16) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for (number, found) in (1..).zip(self.findings()) {
            if number > 1 {
                lines.push(Line::default());
            }
            lines.extend(finding(number, found, width, session.theme));
        }
        lines
    }
}

fn finding(number: usize, found: &Finding, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let place = found.place.as_deref().unwrap_or("the program");
    let head = format!("{number}  {}, {place}", found.id);
    let page = format!("{}#{}", found.page.lesson, found.page.page);
    let said = [
        (head, Role::Warn),
        (format!("{}.", found.sentence), Role::Text),
        (
            format!("Try: {}.", found.try_first.trim_end_matches('.')),
            Role::Text,
        ),
        (format!("The course explains it: {page}"), Role::Dim),
    ];
    said.into_iter()
        .flat_map(|(said, role)| page::paragraph(&said, theme.style(role), width))
        .collect()
}
