//! A lesson in the list of the map: its state, its title, a bar of what is done, and its result.

use ratatui::text::Line;

use crate::course::Lesson;
use crate::tui::session::Session;
use crate::tui::styled;
use crate::tui::theme::Role;
use crate::utc;

/// A narrower list has no bars and results.
const BARS: u16 = 58;

/// More labs than this share the cells of a bar.
const CELLS: usize = 10;

/// One lesson on one line; `bar` is the number of cells of the longest bar.
pub(super) fn row(session: &Session, lesson: &Lesson, look: Look) -> Line<'static> {
    let theme = session.theme;
    let progress = session.progress.lesson(&lesson.id);
    let (state, role) = if progress.is_done() {
        ("● done ", Role::Good)
    } else if progress.is_begun() {
        ("◐ begun", Role::Warn)
    } else {
        ("○ new  ", Role::Dim)
    };
    let tail = match progress.best() {
        Some(_) | None if look.width < BARS => String::new(),
        Some(best) if look.width < 72 => best.score.to_string(),
        Some(best) => format!("best {}  {}", best.score, utc::day(best.at_ms)),
        None => format!("{} min", lesson.minutes),
    };
    let (filled, empty) = if look.width < BARS {
        (String::new(), String::new())
    } else {
        bar(session, lesson)
    };
    let cells = filled.chars().count() + empty.chars().count();
    let bars = if look.width < BARS { 0 } else { look.cells + 2 };
    let mark = if look.is_chosen { "▸ " } else { "  " };
    // Results are aligned at the right, bars at their left ends.
    let room = usize::from(look.width).saturating_sub(2 + 9 + bars + look.tail + 1);
    let title_role = if look.is_chosen {
        Role::Strong
    } else {
        Role::Text
    };
    let title = theme.span(&lesson.title, title_role);
    let mut line = Line::from(vec![
        theme.span(mark, Role::Key),
        theme.span(state, role),
        theme.span("  ", Role::Text),
    ]);
    if title.width() > room {
        line.spans
            .push(styled::split(&title, room.saturating_sub(1)).0);
        line.spans.push(theme.span("…", Role::Dim));
    } else {
        line.spans.push(title);
    }
    let used = line.width();
    let gap = (11 + room + 1).saturating_sub(used);
    line.spans.push(theme.span(&" ".repeat(gap), Role::Text));
    if bars > 0 {
        let gap = " ".repeat((look.cells + 2).saturating_sub(cells));
        line.spans.push(theme.span(&filled, Role::Good));
        line.spans
            .push(theme.span(&format!("{empty}{gap}"), Role::Dim));
        let tail = format!("{tail:>0$}", look.tail);
        line.spans.push(theme.span(&tail, Role::Dim));
    }
    line
}

/// How rows are drawn: what they have in common, and whether one is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) width: u16,
    /// The cells of the longest bar.
    pub(super) cells: usize,
    /// The columns of the longest result.
    pub(super) tail: usize,
    pub(super) is_chosen: bool,
}

impl Look {
    /// The look of the list of all lessons in so many columns.
    pub(super) fn of(session: &Session, width: u16) -> Self {
        let lessons = || session.lessons.iter();
        let has_result = lessons().any(|it| session.progress.lesson(&it.id).best().is_some());
        let tail = match (width, has_result) {
            (..BARS, _) => 0,
            (BARS..72, true) => 8,
            (_, true) => 27,
            (_, false) => 7,
        };
        Self {
            width,
            cells: lessons().map(|it| cells_of(it).0).max().unwrap_or(0),
            tail,
            is_chosen: false,
        }
    }
}

/// The cells of a lesson's bar, and how many things they are for: one for each lab and one for the quiz.
fn cells_of(lesson: &Lesson) -> (usize, usize) {
    let things = lesson.labs.len() + usize::from(lesson.quiz.is_some());
    (things.min(CELLS), things)
}

/// The filled and the empty part of a lesson's bar. It is full when all labs have passed and the quiz is done, and not
/// before.
fn bar(session: &Session, lesson: &Lesson) -> (String, String) {
    let progress = session.progress.lesson(&lesson.id);
    let labs = lesson.labs.iter();
    let passed = labs.filter(|it| progress.lab(&it.id).has_passed()).count();
    let (cells, things) = cells_of(lesson);
    let done = passed + usize::from(lesson.quiz.is_some() && progress.is_done());
    let filled = (done * cells).checked_div(things).unwrap_or(0);
    ("▰".repeat(filled), "▱".repeat(cells - filled))
}
