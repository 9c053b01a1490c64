//! The lines above the list of lessons: what this is, what to do next, what is worth asking again, and the cards.

use ratatui::style::Style;
use ratatui::text::Line;

use super::cards;
use super::next::next_step;
use crate::keymap::{Action, AppAction, Context, Destination};
use crate::page;
use crate::session::Session;
use crate::theme::Role;
use warpup_course::LessonId;

/// The lines for so many columns and at most so many rows. A paragraph that does not fit as a whole is left out.
pub(super) fn lines(session: &Session, width: u16, rows: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for paragraph in paragraphs(session, width) {
        if lines.len() + paragraph.len() <= rows {
            lines.extend(paragraph);
        }
    }
    lines
}

/// The paragraphs, the most important first.
fn paragraphs(session: &Session, width: u16) -> Vec<Vec<Line<'static>>> {
    let theme = session.theme;
    if session.course.lessons.is_empty() {
        return Vec::new();
    }
    let key = |action| session.keys.name(Context::MAP, action);
    let doctor = key(Action::Go(Destination::Doctor));
    let cards = cards::lines(session.machine.cards.seen(), &doctor, width, theme);
    let is_begun = |it: &LessonId| session.learner.progress.lesson(it).is_begun();
    if !session.course.lessons.iter().any(|it| is_begun(&it.id)) {
        let (open, tour) = (key(Action::Open), key(Action::App(AppAction::Tour)));
        let welcome =
            format!("Welcome. {open} opens the first lesson; {tour} explains warpup in a minute.");
        return vec![
            page::paragraph(&welcome, theme.style(Role::Key), width),
            page::paragraph(&session.course.about.summary, Style::new(), width),
            cards,
        ];
    }
    let next = match next_step(session) {
        Some(next) => {
            let go_on = key(Action::App(AppAction::NextStep));
            let said = format!("{go_on}  next: {}", next.words);
            page::paragraph(&said, theme.style(Role::Key), width)
        }
        None => {
            let said = "Every lesson is done. `warpup handoff` writes the page to hand on.";
            page::paragraph(said, theme.style(Role::Good), width)
        }
    };
    vec![next, review(session, width), cards]
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
