//! Findings to choose from, each with the page of the course that explains it: those of a run and those of a trace.

use ratatui::text::Line;

use super::behaviour::Route;
use crate::keymap::Motion;
use crate::page;
use crate::scroll::VisibleLines;
use crate::session::Session;
use crate::theme::Role;
use warpup_course::{LessonId, PageId};
use warpup_lab::findings::{Finding, Page};

/// The findings as rows, the chosen one marked.
pub(super) fn rows(
    found: &[Finding],
    chosen: Option<usize>,
    session: &Session,
    width: usize,
) -> VisibleLines {
    let mut drawn = VisibleLines::default();
    for (number, it) in found.iter().enumerate() {
        let start = drawn.lines.len();
        let is_chosen = chosen == Some(number);
        drawn
            .lines
            .extend(finding(it, (number, is_chosen), session, width));
        drawn.rows.push(start..drawn.lines.len());
        drawn.lines.push(Line::default());
    }
    drawn
}

/// The finding that a motion leads to; nothing if it moves the window.
pub(super) fn moved(chosen: usize, motion: Motion, found: usize) -> Option<usize> {
    match motion {
        Motion::Down => Some(chosen + 1).filter(|it| *it < found),
        // Above the first one there may be more to read.
        Motion::Up => chosen.checked_sub(1).filter(|it| *it < found),
        Motion::PageUp | Motion::PageDown | Motion::Top | Motion::Bottom => None,
    }
}

/// The page that explains a finding, if the open course has it.
pub(super) fn page_of(finding: Option<&Finding>, session: &Session) -> Option<Route> {
    let page = finding?.page;
    let (lesson, page) = (LessonId::new(page.lesson), PageId::new(page.page));
    session.lesson(&lesson)?;
    Some(Route::Lesson(lesson, Some(page)))
}

fn finding(
    it: &Finding,
    (number, is_chosen): (usize, bool),
    session: &Session,
    width: usize,
) -> Vec<Line<'static>> {
    let theme = session.theme;
    let role = if is_chosen {
        Role::Selected
    } else {
        Role::Strong
    };
    let sign = if is_chosen { "▸" } else { " " };
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
    let sentence = format!("{first}{}.", letters.as_str());
    lines.extend(page::prefixed(
        page::coded(&sentence, theme.style(role), room, theme),
        &[mark],
        std::slice::from_ref(&blank),
    ));
    let rest = [
        ("where: ", it.place_in_words()),
        ("try:   ", Some(it.try_first.to_owned())),
        ("read:  ", Some(title(it.page, session))),
    ];
    for (label, text) in rest {
        let Some(text) = text else { continue };
        let label = theme.span(label, Role::Dim);
        let under = theme.span("       ", Role::Text);
        let room = room.saturating_sub(7).max(1);
        let wrapped = page::coded(&text, theme.style(Role::Text), room, theme);
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
