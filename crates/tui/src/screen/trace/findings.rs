//! What was found in a trace, the most expensive first, and what the trace cannot show.

use ratatui::text::Line;

use crate::page;
use crate::scroll::VisibleLines;
use crate::session::{ReadTrace, Session};
use crate::theme::Role;
use warpup_kineto::findings::FindingsReport;
use warpup_lab::findings::{Finding, Page};

/// The findings as rows to choose from.
pub(super) fn lines(read: &ReadTrace, at: usize, session: &Session, width: usize) -> VisibleLines {
    let theme = session.theme;
    let mut drawn = VisibleLines::default();
    let say = |lines: &mut Vec<Line<'static>>, text: &str, role| {
        lines.extend(page::paragraph(text, theme.style(role), width));
    };
    let found = &read.report.findings;
    if found.is_empty() {
        say(
            &mut drawn.lines,
            &FindingsReport::nothing_found(&read.analysis),
            Role::Good,
        );
        drawn.lines.push(Line::default());
    }
    for (number, it) in found.iter().enumerate() {
        let start = drawn.lines.len();
        drawn
            .lines
            .extend(finding(it, (number, at), session, width));
        let rows = start..drawn.lines.len();
        if at == number {
            drawn.focus = rows.clone();
        }
        drawn.rows.push(rows);
        drawn.lines.push(Line::default());
    }
    if !read.report.cannot_show.is_empty() {
        drawn
            .lines
            .push(theme.line("What this trace cannot show", Role::Heading));
        for it in &read.report.cannot_show {
            let mark = theme.span("· ", Role::Dim);
            let text = [theme.span(it, Role::Dim)];
            let blank = theme.span("  ", Role::Dim);
            let wrapped = page::wrap(&text, width.saturating_sub(2).max(1));
            drawn
                .lines
                .extend(page::prefixed(wrapped, &[mark], &[blank]));
        }
    }
    drawn
}

fn finding(
    it: &Finding,
    (number, at): (usize, usize),
    session: &Session,
    width: usize,
) -> Vec<Line<'static>> {
    let theme = session.theme;
    let is_at = number == at;
    let role = if is_at { Role::Selected } else { Role::Strong };
    let sign = if is_at { "▸" } else { " " };
    let mark = theme.span(&format!("{sign}{:>2} ", number + 1), role);
    let blank = theme.span("    ", Role::Text);
    let room = width.saturating_sub(4).max(1);
    let mut lines = Vec::new();
    let mut letters = it.sentence.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let sentence = [theme.span(&format!("{first}{}.", letters.as_str()), role)];
    lines.extend(page::prefixed(
        page::wrap(&sentence, room),
        &[mark],
        std::slice::from_ref(&blank),
    ));
    let rest = [
        ("where: ", it.place.clone()),
        ("try:   ", Some(it.try_first.to_owned())),
        ("read:  ", Some(title(it.page, session))),
    ];
    for (label, text) in rest {
        let Some(text) = text else { continue };
        let label = theme.span(label, Role::Dim);
        let under = theme.span("       ", Role::Text);
        let room = room.saturating_sub(7).max(1);
        let wrapped = page::wrap(&[theme.span(&text, Role::Text)], room);
        lines.extend(page::prefixed(
            wrapped,
            &[blank.clone(), label],
            &[blank.clone(), under],
        ));
    }
    lines
}

/// The page by its titles; by the command that prints it where the open course is another one.
fn title(page: Page, session: &Session) -> String {
    let mut lessons = session.course.lessons.iter();
    let Some(lesson) = lessons.find(|it| it.id.as_str() == page.lesson) else {
        return format!(
            "warpup --course built-in read {} --page {}",
            page.lesson, page.page
        );
    };
    let mut pages = lesson.pages.iter();
    let title = pages.find(|it| it.id.as_str() == page.page);
    let title = title.map_or_else(String::new, |it| format!(", {}", it.title));
    format!("{}{title}", lesson.title)
}
