//! What the map says of the chosen lesson: below the list, or beside it on a wide terminal.

use ratatui::style::Style;
use ratatui::text::Line;

use super::next_step;
use super::paragraphs::fitting;
use super::row::due;
use crate::keymap::{Action, AppAction, Context, Destination};
use crate::letter;
use crate::page::{self, prefixed};
use crate::session::Session;
use crate::theme::Role;
use warpup_course::{LabOutline, Lesson};
use warpup_progress::LessonProgress;

/// So many rows of what an instructor wrote come before what a lesson is about: below the list, and beside it.
const FEW_REMARKS: usize = 4;
const MORE_REMARKS: usize = 8;

/// A short form in at most so many rows.
pub(super) fn short(
    session: &Session,
    lesson: Option<&Lesson>,
    width: u16,
    rows: usize,
) -> Vec<Line<'static>> {
    let Some(lesson) = lesson else {
        return nothing(session, width);
    };
    let place = place(session, lesson, width);
    let summary = page::paragraph(&lesson.summary, Style::new(), width);
    let advice = advice(session, lesson, width);
    let problems = problems(session, width);
    let mut facts = facts(session, lesson, width);
    let has_remarks = !session.learner.feedback.remarks(lesson).is_empty();
    let others = summary.len() + advice.len() + place.len() + problems.len();
    if facts.len() > 1 && others + facts.len() + usize::from(has_remarks) > rows {
        let minutes = minutes(session, lesson);
        facts = page::paragraph(&minutes, session.theme.style(Role::Dim), width);
    }
    // A deadline comes before all that is said of the lesson.
    let has_due = due(session, lesson).is_some();
    let first = place.len() + if has_due { facts.len() } else { 0 };
    let few = rows.saturating_sub(first).min(FEW_REMARKS);
    let free = rows.saturating_sub(others + facts.len());
    let remarks = some_remarks(session, lesson, width, free.max(few));
    let paragraphs = vec![
        (4, summary),
        (5, advice),
        (0, place),
        (if has_due { 1 } else { 6 }, facts),
        (2, remarks),
        (3, problems),
    ];
    fitting(paragraphs, rows)
}

/// How long it takes, and how much there is to read, to run and to answer.
fn facts(session: &Session, lesson: &Lesson, width: u16) -> Vec<Line<'static>> {
    let progress = session.learner.progress.lesson(&lesson.id);
    let outline = lesson.outline();
    let passed = |it: &&LabOutline| progress.lab(&it.id).has_passed();
    let passed = outline.labs.iter().filter(passed).count();
    let questions = outline.quiz.map_or(0, |it| it.asks);
    let mut facts = vec![
        minutes(session, lesson),
        counted(outline.pages.len(), "page"),
        format!("{passed} of {} passed", counted(outline.labs.len(), "lab")),
        counted(questions, "question"),
    ];
    let missed = progress.latest().map_or(0, |it| it.missed.len());
    if missed > 0 {
        facts.push(format!("{missed} missed last time"));
    }
    let style = session.theme.style(Role::Dim);
    page::paragraph(&facts.join(" · "), style, width)
}

/// How long it takes, and until when it is to be passed.
fn minutes(session: &Session, lesson: &Lesson) -> String {
    let minutes = format!("{} min", lesson.minutes);
    match due(session, lesson) {
        Some(due) => {
            let (at, zone) = (session.zone.minute(due), session.zone.name());
            format!("{minutes} · due {at} (time of {zone})")
        }
        None => minutes,
    }
}

/// Everything: also what one learns, and the state of each lab. What an instructor wrote is there in so many rows, or says that it is not.
pub(super) fn long(
    session: &Session,
    lesson: Option<&Lesson>,
    width: u16,
    rows: usize,
) -> Vec<Line<'static>> {
    let Some(lesson) = lesson else {
        return nothing(session, width);
    };
    let theme = session.theme;
    let mut lines = page::paragraph(&lesson.title, theme.style(Role::Title), width);
    lines.extend(page::paragraph(&lesson.summary, Style::new(), width));
    lines.push(theme.line(&minutes(session, lesson), Role::Dim));
    lines.extend(advice(session, lesson, width));
    lines.extend(place(session, lesson, width));
    let rest = contents(session, lesson, width);
    let free = rows.saturating_sub(lines.len() + 1 + rest.len());
    let remarks = some_remarks(session, lesson, width, free.max(MORE_REMARKS));
    lines.extend((!remarks.is_empty()).then(Line::default));
    lines.extend(remarks);
    lines.extend(rest);
    lines
}

/// What one learns in a lesson, its labs and its quiz.
fn contents(session: &Session, lesson: &Lesson, width: u16) -> Vec<Line<'static>> {
    let theme = session.theme;
    let heading = |text: &str| theme.line(text, Role::Heading);
    let mut lines = Vec::new();
    if !lesson.objectives.is_empty() {
        lines.extend([Line::default(), heading("Afterwards you can")]);
        for objective in &lesson.objectives {
            let room = usize::from(width).saturating_sub(2).max(1);
            let text = page::paragraph(objective, Style::new(), room);
            let (first, rest) = (theme.span("• ", Role::Dim), theme.span("  ", Role::Dim));
            lines.extend(prefixed(text, &[first], &[rest]));
        }
    }
    let progress = session.learner.progress.lesson(&lesson.id);
    let outline = lesson.outline();
    if !outline.labs.is_empty() {
        lines.extend([Line::default(), heading("Labs")]);
        let labs = outline.labs.iter();
        lines.extend(labs.map(|it| lab(session, progress, it)));
    }
    lines.extend(quiz(session, lesson, progress));
    let problems = problems(session, width);
    lines.extend((!problems.is_empty()).then(Line::default));
    lines.extend(problems);
    lines
}

/// What an instructor has sent back about the lesson in at most so many rows. Where it is cut, it says so.
fn some_remarks(session: &Session, lesson: &Lesson, width: u16, rows: usize) -> Vec<Line<'static>> {
    let remarks = session.learner.feedback.remarks(lesson);
    let mut lines = letter::lines(&remarks, width, session.theme);
    lines.pop();
    if lines.len() <= rows {
        return lines;
    }
    let short = remarks.iter().flat_map(|it| {
        let said = format!("{}: {}", it.heading, it.text.replace('\n', " "));
        page::paragraph(&said, Style::new(), width)
    });
    lines = short.collect();
    if lines.len() > rows {
        lines.truncate(rows.saturating_sub(1));
        let said = "… `warpup class feedback` prints all of it.";
        let style = session.theme.style(Role::Dim);
        lines.extend(page::paragraph(said, style, width));
        lines.truncate(rows);
    }
    lines
}

fn lab(session: &Session, progress: &LessonProgress, lab: &LabOutline) -> Line<'static> {
    let theme = session.theme;
    let known = progress.lab(&lab.id);
    let (sign, role) = if known.has_passed() {
        ("✓ ", Role::Good)
    } else if known.newest.is_some() || known.source.is_some() {
        ("◐ ", Role::Warn)
    } else {
        ("○ ", Role::Dim)
    };
    Line::from(vec![
        theme.span(sign, role),
        theme.span(&lab.title, Role::Text),
    ])
}

fn quiz(session: &Session, lesson: &Lesson, progress: &LessonProgress) -> Vec<Line<'static>> {
    let theme = session.theme;
    let Some(quiz) = lesson.outline().quiz else {
        return Vec::new();
    };
    let questions = counted(quiz.asks, "question");
    let state = match progress.best() {
        Some(best) => {
            let score = best.score;
            let missed = progress.latest().map_or(0, |it| it.missed.len());
            let missed = match missed {
                0 => String::new(),
                some => format!(" · {some} missed last time"),
            };
            format!("{questions} · best {score}{missed}")
        }
        None if progress.open.is_some() => format!("{questions} · begun"),
        None if progress.is_handed_in() => {
            match session.learner.feedback.graded(&lesson.id, progress) {
                Some(graded) => format!("{questions} · graded: {}", graded.words()),
                None => format!("{questions} · handed in, your instructor grades it"),
            }
        }
        None => questions,
    };
    vec![
        Line::default(),
        theme.line("Quiz", Role::Heading),
        theme.line(&state, Role::Text),
    ]
}

/// Lessons that should come before. A learner who has done the lesson needs no advice.
fn advice(session: &Session, lesson: &Lesson, width: u16) -> Vec<Line<'static>> {
    let missing: Vec<_> = lesson
        .requires
        .iter()
        .filter(|it| !session.learner.progress.lesson(it).is_finished())
        .filter_map(|it| session.lesson(it))
        .map(|it| it.title.as_str())
        .collect();
    if missing.is_empty() || session.learner.progress.lesson(&lesson.id).is_finished() {
        return Vec::new();
    }
    let first = format!("Better first: {}", missing.join(", "));
    page::paragraph(&first, session.theme.style(Role::Warn), width)
}

/// The page that Enter opens, where the learner was, and whether the key for the next step opens the same.
fn place(session: &Session, lesson: &Lesson, width: u16) -> Vec<Line<'static>> {
    let left = session.learner.progress.lesson(&lesson.id).place.as_ref();
    let next = next_step(session);
    let next = next.as_ref().and_then(|it| it.page_of(&lesson.id));
    let mut pages = lesson.outline().pages.iter().zip(1..);
    let Some((page, number)) = pages.find(|(page, _)| next.or(left) == Some(&page.id)) else {
        return Vec::new();
    };
    let title = &page.title;
    let key = |action| session.keys.name(Context::MAP, action);
    let enter = key(Action::Open);
    let said = if next.is_some() {
        let next = key(Action::App(AppAction::NextStep));
        format!("{enter} and {next} read on at page {number}: {title}")
    } else {
        format!("{enter} opens page {number}, where you were: {title}")
    };
    page::paragraph(&said, session.theme.style(Role::Key), width)
}

fn nothing(session: &Session, width: u16) -> Vec<Line<'static>> {
    let said = "This course has no lessons that could be read.";
    let mut lines = page::paragraph(said, Style::new(), width);
    lines.extend(problems(session, width));
    lines
}

/// A number with its noun: `1 page`, `2 pages`.
fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn problems(session: &Session, width: u16) -> Vec<Line<'static>> {
    let count = session.course.problems.len();
    if count == 0 {
        return Vec::new();
    }
    let problems = counted(count, "problem");
    let key = Action::Go(Destination::Problems);
    let key = session.keys.name(Context::MAP, key);
    let said = format!("! {problems} in the course files: {key} shows them");
    page::paragraph(&said, session.theme.style(Role::Warn), width)
}
