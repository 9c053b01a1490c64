//! What the map says of the chosen lesson: below the list, or beside it on a wide terminal.

use ratatui::style::Style;
use ratatui::text::Line;

use super::next_step;
use super::paragraphs::fitting;
use crate::keymap::{Action, AppAction, Context, Destination};
use crate::letter;
use crate::page::{self, prefixed};
use crate::session::Session;
use crate::theme::Role;
use warpup_course::{LabOutline, Lesson};
use warpup_progress::LessonProgress;

/// The most rows of what an instructor wrote, below the list.
const FEW_REMARKS: usize = 4;

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
    let paragraphs = vec![
        (3, page::paragraph(&lesson.summary, Style::new(), width)),
        (4, advice(session, lesson, width)),
        (0, place(session, lesson, width)),
        (5, facts(session, lesson, width)),
        (1, few_remarks(session, lesson, width)),
        (2, problems(session, width)),
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
    let due = session.course.about.due_ms.get(&lesson.id);
    match due.filter(|_| !session.learner.progress.lesson(&lesson.id).is_finished()) {
        Some(due) => {
            let (at, zone) = (session.zone.minute(*due), session.zone.name());
            format!("{minutes} · due {at} (time of {zone})")
        }
        None => minutes,
    }
}

/// Everything: also what one learns, and the state of each lab.
pub(super) fn long(session: &Session, lesson: Option<&Lesson>, width: u16) -> Vec<Line<'static>> {
    let Some(lesson) = lesson else {
        return nothing(session, width);
    };
    let theme = session.theme;
    let heading = |text: &str| theme.line(text, Role::Heading);
    let mut lines = page::paragraph(&lesson.title, theme.style(Role::Title), width);
    lines.extend(page::paragraph(&lesson.summary, Style::new(), width));
    lines.push(theme.line(&minutes(session, lesson), Role::Dim));
    lines.extend(advice(session, lesson, width));
    lines.extend(place(session, lesson, width));
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
    let remarks = remarks(session, lesson, width);
    lines.extend((!remarks.is_empty()).then(Line::default));
    lines.extend(remarks);
    let problems = problems(session, width);
    lines.extend((!problems.is_empty()).then(Line::default));
    lines.extend(problems);
    lines
}

/// What an instructor has sent back about the lesson.
fn remarks(session: &Session, lesson: &Lesson, width: u16) -> Vec<Line<'static>> {
    let remarks = session.learner.feedback.remarks(lesson);
    let mut lines = letter::lines(&remarks, width, session.theme);
    lines.pop();
    lines
}

/// The beginning of it, where there is little room.
fn few_remarks(session: &Session, lesson: &Lesson, width: u16) -> Vec<Line<'static>> {
    let mut lines = remarks(session, lesson, width);
    if lines.len() > FEW_REMARKS {
        lines.truncate(FEW_REMARKS - 1);
        let said = "… `warpup class feedback` prints all of it.";
        let style = session.theme.style(Role::Dim);
        lines.extend(page::paragraph(said, style, width));
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
