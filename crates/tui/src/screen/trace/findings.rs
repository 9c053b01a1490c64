//! What was found in a trace, the most expensive first, and what the trace cannot show.

use ratatui::text::Line;

use crate::page;
use crate::screen::finding_list;
use crate::scroll::VisibleLines;
use crate::session::{ReadTrace, Session};
use crate::theme::Role;

/// The findings as rows to choose from.
pub(super) fn lines(read: &ReadTrace, at: usize, session: &Session, width: usize) -> VisibleLines {
    let theme = session.theme;
    let mut head = Vec::new();
    let found = &read.report.findings;
    if let Some(said) = &read.report.nothing_found {
        head = page::paragraph(said, theme.style(Role::Good), width);
        head.push(Line::default());
    }
    let mut drawn = finding_list::rows(found, Some(at), session, width).below(head);
    if !read.report.cannot_show.is_empty() {
        drawn
            .lines
            .push(theme.line("What this trace cannot show", Role::Heading));
        for it in &read.report.cannot_show {
            let mark = theme.span("· ", Role::Dim);
            let blank = theme.span("  ", Role::Dim);
            let room = width.saturating_sub(2).max(1);
            let wrapped = page::coded(it, theme.style(Role::Dim), room, theme);
            drawn
                .lines
                .extend(page::prefixed(wrapped, &[mark], &[blank]));
        }
    }
    drawn
}
