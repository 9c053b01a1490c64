//! What the reader shows of a page: its blocks, the cards of its labs, and the line under it.

use std::rc::Rc;

use ratatui::text::Line;

use super::open_folds::OpenFolds;
use crate::keymap::{Action, Context, Destination, PageAction};
use crate::page::{Folding, LabCard, paragraph};
use crate::session::Session;
use crate::theme::Role;
use warpup_course::{Block, LabId, Lesson, Page};

/// A page with what is needed to lay it out.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageView<'a> {
    lesson: &'a Lesson,
    at: usize,
    pub(super) page: &'a Page,
    /// Its blocks as far as they are shown: to the next pause.
    pub(super) blocks: &'a [Block],
    opened: &'a OpenFolds,
    is_looked_up: bool,
    pub(super) session: &'a Session,
}

impl<'a> PageView<'a> {
    /// The page of a lesson with this index, if there is one.
    pub(super) fn new(
        lesson: &'a Lesson,
        at: usize,
        opened: &'a OpenFolds,
        session: &'a Session,
    ) -> Option<Self> {
        let page = lesson.pages.get(at)?;
        let shown = session.shown_blocks(lesson, at);
        Some(Self {
            lesson,
            at,
            page,
            blocks: page.blocks.get(..shown).unwrap_or_default(),
            opened,
            is_looked_up: false,
            session,
        })
    }

    /// Which folded parts of the page are closed.
    pub(super) fn folding(self) -> Folding {
        Folding::new(self.blocks, |it| {
            let part = (it.blocks.start, it.depth);
            self.opened.has(&self.lesson.id, &self.page.id, part)
        })
    }

    /// The page as somebody sees it who looked a word up there.
    pub(super) fn looked_up(self, is_looked_up: bool) -> Self {
        Self {
            is_looked_up,
            ..self
        }
    }

    /// The lines under a page, in so many columns: what follows is hidden, or where to go from here.
    pub(super) fn ending(self, width: u16) -> Vec<Line<'static>> {
        let (lesson, session) = (self.lesson, self.session);
        let keys = &session.keys;
        let below = |words: &str| {
            let words = paragraph(words, session.theme.style(Role::Key), width);
            let empty = std::iter::once(Line::default());
            empty.chain(words).collect::<Vec<_>>()
        };
        if self.is_looked_up {
            let key = keys.name(Context::WORD_PAGE, Action::Page(PageAction::Return));
            return below(&format!("{key}  back to where you looked the word up"));
        }
        if self.blocks.len() < self.page.blocks.len() {
            return below("· · ·  Space shows what follows");
        }
        let next = lesson.pages.get(self.at + 1);
        // While a search is open, n is the next hit.
        let context = match session.view.search {
            Some(_) => Context::PAGE_FOUND,
            None => Context::PAGE,
        };
        let key = keys.name(context, Action::Page(PageAction::Next));
        let words = match (next, &lesson.quiz) {
            (Some(next), _) => format!("{key}  {}", next.title),
            (None, Some(quiz)) if !session.learner.progress.lesson(&lesson.id).is_finished() => {
                format!("{key}  quiz: {} questions", quiz.asks())
            }
            (None, quiz) => match (session.lesson_after(&lesson.id), quiz) {
                (Some(next), _) => format!("{key}  next lesson: {}", next.title),
                (None, Some(_)) => format!("{key}  {}", quiz_again(lesson, session)),
                (None, None) => "This was the last page of the course.".to_owned(),
            },
        };
        let mut lines = below(&words);
        if next.is_none() && lesson.quiz.is_some() && lesson_behind(lesson, session).is_some() {
            let key = keys.name(context, Action::Go(Destination::Quiz));
            let again = format!("{key}  {}", quiz_again(lesson, session));
            lines.push(session.theme.line(&again, Role::Dim));
        }
        lines
    }

    /// What the page shows of a lab.
    pub(super) fn card(self, id: &LabId) -> Option<LabCard> {
        let lab = self.lesson.labs.iter().find(|it| &it.id == id)?;
        let done = self
            .session
            .learner
            .progress
            .lesson(&self.lesson.id)
            .lab(id);
        let (word, role) = if done.is_edited_since_pass {
            ("● passed before the last change", Role::Dim)
        } else if done.has_passed() {
            ("● passed", Role::Good)
        } else if done.newest.is_some() || done.source.is_some() {
            ("◐ begun", Role::Warn)
        } else {
            ("○ new", Role::Dim)
        };
        Some(LabCard {
            title: lab.title.clone(),
            state: self.session.theme.span(word, role),
            has_passed: done.has_passed(),
            source: done.source.clone().unwrap_or_else(|| lab.starter.clone()),
        })
    }
}

/// That the quiz can be taken again, and what has become of it.
fn quiz_again(lesson: &Lesson, session: &Session) -> &'static str {
    if session.learner.progress.lesson(&lesson.id).is_handed_in() {
        "quiz again (◕ handed in)"
    } else {
        "quiz again (● done)"
    }
}

/// The lesson that follows the last page of a lesson: the next one, unless its quiz comes first.
pub(super) fn lesson_behind<'a>(lesson: &Lesson, session: &'a Session) -> Option<&'a Rc<Lesson>> {
    let is_done = session.learner.progress.lesson(&lesson.id).is_finished();
    let next = session.lesson_after(&lesson.id);
    next.filter(|_| is_done || lesson.quiz.is_none())
}

/// Whether a page has a lab. Its blocks would tell as well, but there may be thousands, and each frame asks.
pub(super) fn has_lab(lesson: &Lesson, page: usize) -> bool {
    let page = lesson.pages.get(page);
    page.is_some_and(|page| lesson.labs.iter().any(|it| it.page == page.id))
}
