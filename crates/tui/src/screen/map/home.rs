//! The lines above the list of lessons: what this is, what to do next, what is worth asking again, and the cards.

use ratatui::style::Style;
use ratatui::text::Line;

use super::next::next_step;
use super::paragraphs::fitting;
use super::{cards, picture};
use crate::keymap::{Action, AppAction, Context, Destination};
use crate::page;
use crate::session::Session;
use crate::theme::Role;
use warpup_course::LessonId;

/// What warpup is, for somebody who sees it for the first time.
const WHAT: &str = "A course with labs: run small programs, and see what host and card do.";

/// Whether the learner has begun no lesson of the course.
pub(super) fn is_first_start(session: &Session) -> bool {
    let is_begun = |it: &LessonId| session.learner.progress.lesson(it).is_begun();
    !session.course.lessons.iter().any(|it| is_begun(&it.id))
}

/// The lines for so many columns and at most so many rows.
pub(super) fn lines(session: &Session, width: u16, rows: usize) -> Vec<Line<'static>> {
    if session.course.lessons.is_empty() {
        return Vec::new();
    }
    let key = |action| session.keys.name(Context::MAP, action);
    let doctor = key(Action::Go(Destination::Doctor));
    let cards = cards::lines(session.machine.cards.seen(), &doctor, width, session.theme);
    if !is_first_start(session) {
        let paragraphs = vec![
            (0, next(session, width)),
            (1, review(session, width)),
            (2, cards),
        ];
        return fitting(paragraphs, rows);
    }
    let key_style = session.theme.style(Role::Key);
    let tour = key(Action::App(AppAction::Tour));
    let tour = format!("{tour}  tour: a first run, step by step");
    let paragraphs = vec![
        (
            2,
            page::paragraph(WHAT, session.theme.style(Role::Strong), width),
        ),
        (
            5,
            page::paragraph(&session.course.about.summary, Style::new(), width),
        ),
        (3, picture::lines(session, width)),
        (0, next(session, width)),
        (1, page::paragraph(&tour, key_style, width)),
        (4, cards),
    ];
    fitting(paragraphs, rows)
}

/// The way on and the return to the learner's own program, with their keys.
fn next(session: &Session, width: u16) -> Vec<Line<'static>> {
    let mut lines = way_on(session, width);
    if let Some(opened) = &session.labs.program {
        let back = Action::Go(Destination::Program);
        let key = session.keys.name(Context::MAP, back);
        let said = format!("{key}  back to {}", opened.program.name);
        lines.extend(page::paragraph(
            &said,
            session.theme.style(Role::Key),
            width,
        ));
    }
    lines
}

fn way_on(session: &Session, width: u16) -> Vec<Line<'static>> {
    let Some(next) = next_step(session) else {
        let mut lessons = session.course.lessons.iter();
        let what = if lessons.all(|it| session.learner.progress.lesson(&it.id).is_done()) {
            "Every lesson is done."
        } else {
            // Some are handed in, or have no quiz.
            "Nothing is left to read or to answer."
        };
        let said = format!("{what} `warpup handoff` writes the page to hand on.");
        return page::paragraph(&said, session.theme.style(Role::Good), width);
    };
    let go_on = session
        .keys
        .name(Context::MAP, Action::App(AppAction::NextStep));
    let said = format!("{go_on}  next: {}", next.words);
    page::paragraph(&said, session.theme.style(Role::Key), width)
}

/// How many questions the newest attempts missed, if any did.
fn review(session: &Session, width: u16) -> Vec<Line<'static>> {
    let counts = session.course.lessons.iter().filter_map(|it| {
        let missed = session
            .learner
            .progress
            .lesson(&it.id)
            .latest()?
            .missed
            .len();
        (missed > 0).then_some(missed)
    });
    let counts: Vec<_> = counts.collect();
    let Some(said) = said(counts.iter().sum(), counts.len()) else {
        return Vec::new();
    };
    let key = session
        .keys
        .name(Context::MAP, Action::Go(Destination::RetryMissed));
    let said = format!("{key}  review: {said} that you missed last time");
    page::paragraph(&said, session.theme.style(Role::Warn), width)
}

fn said(questions: usize, lessons: usize) -> Option<String> {
    match (questions, lessons) {
        (0, _) => None,
        (1, _) => Some("1 question".to_owned()),
        (_, 1) => Some(format!("{questions} questions of one lesson")),
        (_, _) => Some(format!("{questions} questions of {lessons} lessons")),
    }
}
