//! The outline beside a page on a wide terminal: the pages of the lesson with their labs, and where the learner is.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use crate::frame;
use crate::page::{MAX_WIDTH, paragraph, prefixed};
use crate::scroll::VisibleLines;
use crate::session::Session;
use crate::theme::Role;
use warpup_course::{BlockKind, Lesson, Page};

/// From this width on, there is room for an outline.
const WIDE: u16 = 120;

/// Columns of the outline, and between it and the page.
const OUTLINE: u16 = 29;
const GAP: u16 = 3;

/// Columns before the lines of a title after its first one, which begins behind a mark of two.
const INDENT: usize = 4;

/// The areas of the outline, where there is room for one, and of the page.
pub(super) fn areas(body: Rect) -> (Option<Rect>, Rect) {
    if body.width < WIDE {
        return (None, frame::column(body));
    }
    let both = whole(body);
    let outline = Rect {
        width: OUTLINE,
        ..both
    };
    let page = Rect {
        x: both.x + OUTLINE + GAP,
        width: both.width - OUTLINE - GAP,
        ..both
    };
    (Some(outline), page)
}

/// The columns that outline and page use together.
pub(super) fn whole(area: Rect) -> Rect {
    if area.width < WIDE {
        return frame::column(area);
    }
    let full = frame::full_width(area);
    let width = full.width.min(OUTLINE + GAP + MAX_WIDTH);
    Rect {
        x: full.x + (full.width - width) / 2,
        width,
        ..full
    }
}

/// The lines of the outline, a row for each page and one for the quiz; the page on screen is what should be visible.
pub(super) fn draw(lesson: &Lesson, at: usize, session: &Session) -> VisibleLines {
    let theme = session.theme;
    let title = paragraph(&lesson.title, theme.style(Role::Heading), OUTLINE);
    let mut lines = title;
    lines.push(Line::default());
    let mut focus = 0..0;
    let mut rows = Vec::new();
    for (number, page) in lesson.pages.iter().enumerate() {
        let start = lines.len();
        lines.extend(row(lesson, page, number == at, session));
        rows.push(start..lines.len());
        if number == at {
            focus = start..lines.len();
        }
    }
    if lesson.quiz.is_some() {
        let progress = session.learner.progress.lesson(&lesson.id);
        let (word, role) = if progress.is_done() {
            ("  Quiz ●", Role::Good)
        } else if progress.is_handed_in() {
            ("  Quiz ◕", Role::Good)
        } else {
            ("  Quiz ○", Role::Dim)
        };
        rows.push(lines.len()..lines.len() + 1);
        lines.push(theme.line(word, role));
    }
    VisibleLines {
        lines,
        focus,
        rows,
        cursor: None,
    }
}

/// A page with a sign for each of its labs.
fn row(lesson: &Lesson, page: &Page, is_current: bool, session: &Session) -> Vec<Line<'static>> {
    let theme = session.theme;
    let progress = session.learner.progress.lesson(&lesson.id);
    let labs = page.blocks.iter().filter_map(|it| match &it.kind {
        BlockKind::Lab(id) => Some(if progress.lab(id).has_passed() {
            '✓'
        } else {
            '○'
        }),
        BlockKind::Heading { .. }
        | BlockKind::Paragraph(_)
        | BlockKind::Code { .. }
        | BlockKind::Figure { .. }
        | BlockKind::Table { .. }
        | BlockKind::Rule => None,
    });
    let labs: String = labs.collect();
    let style = theme.style(if is_current { Role::Strong } else { Role::Text });
    let room = usize::from(OUTLINE).saturating_sub(INDENT);
    let mut lines = paragraph(&page.title, style, room);
    if !labs.is_empty() {
        let signs = theme.span(&format!(" {labs}"), Role::Good);
        let has_room = |it: &Line<'_>| it.width() + signs.width() <= room;
        if !lines.last().is_some_and(has_room) {
            // A word goes on to the next line with them, so that no line has signs alone.
            lines = paragraph(&page.title, style, room.saturating_sub(signs.width()));
        }
        if let Some(last) = lines.last_mut() {
            last.spans.push(signs);
        }
    }
    let mark = if is_current { "▸ " } else { "  " };
    let blank = theme.span("    ", Role::Text).style(Style::new());
    prefixed(lines, &[theme.span(mark, Role::Key)], &[blank]).collect()
}
