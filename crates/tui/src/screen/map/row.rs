//! A lesson in the list of the map: its state, its title, a bar of what is done, and its result.

use std::borrow::Cow;

use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

use crate::session::Session;
use crate::styled;
use crate::theme::Role;
use warpup_course::Lesson;
use warpup_text::utc;

/// A narrower list has no bars and results.
const BARS: u16 = 58;

/// More labs than this share the cells of a bar.
const CELLS: usize = 10;

/// Columns of the pointer and the gap around the state of a lesson.
const AROUND: usize = 4;

/// How far a lesson is, with its sign.
fn state(session: &Session, lesson: &Lesson) -> (&'static str, Role) {
    let progress = session.learner.progress.lesson(&lesson.id);
    if progress.is_done() {
        ("● done", Role::Good)
    } else if session
        .learner
        .feedback
        .graded(&lesson.id, progress)
        .is_some()
    {
        ("◕ graded", Role::Good)
    } else if progress.is_handed_in() {
        ("◕ handed in", Role::Good)
    } else if progress.is_begun() {
        ("◐ begun", Role::Warn)
    } else {
        ("○ new", Role::Dim)
    }
}

/// One lesson on one line; `bar` is the number of cells of the longest bar.
pub(super) fn row(session: &Session, lesson: &Lesson, look: RowStyle) -> Line<'static> {
    let theme = session.theme;
    let (state, role) = state(session, lesson);
    let state = format!("{state:<0$}", look.state);
    let start = AROUND + look.state;
    let tail = tail(session, lesson, look.form);
    let (filled, empty) = if look.width < BARS {
        (String::new(), String::new())
    } else {
        bar(session, lesson)
    };
    let cells = filled.chars().count() + empty.chars().count();
    let bars = if look.width < BARS { 0 } else { look.cells + 2 };
    let mark = if look.is_chosen { "▸ " } else { "  " };
    // Results are aligned at the right, bars at their left ends.
    let room = usize::from(look.width).saturating_sub(start + bars + look.tail + 1);
    let title_role = if look.is_chosen {
        Role::Strong
    } else {
        Role::Text
    };
    let title = theme.span(&title(session, lesson), title_role);
    let mut line = Line::from(vec![
        theme.span(mark, Role::Key),
        theme.span(&state, role),
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
    let gap = (start + room + 1).saturating_sub(used);
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

/// The title, behind a sign where the instructor wrote about the lesson.
fn title<'a>(session: &Session, lesson: &'a Lesson) -> Cow<'a, str> {
    let mut comments = session.learner.feedback.comments.iter();
    if comments.any(|it| it.lesson == lesson.id) {
        return Cow::Owned(format!("✎ {}", lesson.title));
    }
    Cow::Borrowed(&lesson.title)
}

/// How rows are drawn: what they have in common, and whether one is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowStyle {
    pub(super) width: u16,
    /// The columns of the longest state.
    pub(super) state: usize,
    /// The cells of the longest bar.
    pub(super) cells: usize,
    /// How results are written, and the columns of the longest one.
    pub(super) form: ResultForm,
    pub(super) tail: usize,
    pub(super) is_chosen: bool,
}

impl RowStyle {
    /// The look of the list of all lessons in so many columns.
    pub(super) fn of(session: &Session, width: u16) -> Self {
        let lessons = || session.course.lessons.iter();
        let cells = lessons().map(|it| cells_of(it).0).max().unwrap_or(0);
        let longest = |form| {
            let tails = lessons().map(|it| tail(session, it, form).width());
            tails.max().unwrap_or(0)
        };
        let states = lessons().map(|it| state(session, it).0.width());
        // So that nothing moves when the first lesson is begun.
        let state = states.max().unwrap_or(0).max("◐ begun".width());
        // A date is worth less than the end of a title.
        let titles = lessons().map(|it| title(session, it).width());
        let titles = titles.max().unwrap_or(0);
        let with_date = AROUND + state + titles + 1 + cells + 2 + longest(ResultForm::Dated);
        let form = match width {
            ..BARS => ResultForm::Nothing,
            _ if with_date <= usize::from(width) => ResultForm::Dated,
            _ => ResultForm::Short,
        };
        Self {
            width,
            state,
            cells,
            form,
            tail: longest(form),
            is_chosen: false,
        }
    }
}

/// How the result of a lesson is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultForm {
    /// With its date.
    Dated,
    Short,
    Nothing,
}

/// Until when a lesson is to be passed that is neither passed nor handed in.
pub(super) fn due(session: &Session, lesson: &Lesson) -> Option<u64> {
    let due = session.course.about.due_ms.get(&lesson.id).copied();
    due.filter(|_| !session.learner.progress.lesson(&lesson.id).is_finished())
}

/// The deadline of a lesson; without one its result, or else its minutes.
fn tail(session: &Session, lesson: &Lesson, form: ResultForm) -> String {
    let progress = session.learner.progress.lesson(&lesson.id);
    let due = due(session, lesson).map(|it| format!("due {}", session.zone.day(it)));
    match (form, progress.best(), due) {
        (ResultForm::Nothing, ..) => String::new(),
        (ResultForm::Dated, Some(best), Some(due)) => format!("best {}  {due}", best.score),
        (ResultForm::Dated | ResultForm::Short, _, Some(due)) => due,
        (ResultForm::Dated | ResultForm::Short, None, None) if progress.is_finished() => {
            let graded = session.learner.feedback.graded(&lesson.id, progress);
            graded.map_or_else(String::new, |it| it.score.to_string())
        }
        (ResultForm::Dated | ResultForm::Short, None, None) => format!("{} min", lesson.minutes),
        (ResultForm::Short, Some(best), None) => best.score.to_string(),
        (ResultForm::Dated, Some(best), None) => {
            format!("best {}  {}", best.score, utc::day(best.at_ms))
        }
    }
}

/// The cells of a lesson's bar, and how many things they are for: one for each lab and one for the quiz.
fn cells_of(lesson: &Lesson) -> (usize, usize) {
    let outline = lesson.outline();
    let things = outline.labs.len() + usize::from(outline.quiz.is_some());
    (things.min(CELLS), things)
}

/// The filled and the empty part of a lesson's bar. It is full when all labs have passed and the quiz is done or
/// handed in, and not before.
fn bar(session: &Session, lesson: &Lesson) -> (String, String) {
    let progress = session.learner.progress.lesson(&lesson.id);
    let outline = lesson.outline();
    let labs = outline.labs.iter();
    let passed = labs.filter(|it| progress.lab(&it.id).has_passed()).count();
    let (cells, things) = cells_of(lesson);
    let done = passed + usize::from(outline.quiz.is_some() && progress.is_finished());
    let filled = (done * cells).checked_div(things).unwrap_or(0);
    ("▰".repeat(filled), "▱".repeat(cells - filled))
}
