//! The trait of all screens, and how they open others.

use std::borrow::Cow;
use std::fmt::Debug;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use crate::frame::{self, Title};
use crate::keymap::{Action, Context};
use crate::overlay::{Confirm, OnConfirm};
use crate::session::{Pane, Session, UpdateContext};
use warpup_course::{LabId, LessonId, PageId};
use warpup_grade::Attempt;

/// A screen to open.
#[derive(Debug)]
pub(crate) enum Route {
    /// A page of a lesson; the one read last when none is named.
    Lesson(LessonId, Option<PageId>),
    /// A page of a lesson, from which reading goes on.
    ReadOn(LessonId, PageId),
    Lab(LessonId, LabId, Start),
    /// The learner's own program.
    Program,
    /// The quiz of a lesson: an open attempt goes on; after one that did not pass its results say what can be asked again; otherwise a
    /// new one begins.
    Quiz(LessonId),
    /// A new attempt, of all questions.
    NewQuiz(LessonId),
    /// The quiz again, without what was right in this attempt.
    Missed(LessonId, Box<Attempt>),
    /// An attempt that was handed in.
    Results(LessonId, Box<Attempt>),
    /// The questions of a lesson's quiz that ask for the learner's own words.
    Explain(LessonId),
    /// The problems in the course files.
    Problems,
    Doctor,
    /// The trace that the app was opened with.
    Trace,
    Settings,
}

/// The mode in which a lab opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Look,
    Edit,
    Run,
}

/// What a click hits on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Something to choose, by its number.
    Row(usize),
    /// The tab of a pane.
    Pane(Pane),
    /// A tab of a prediction, by its number.
    Tab(usize),
    /// The link with this number, from 1.
    Link(usize),
    /// A lab on the page, by its number.
    Lab(usize),
    /// An entry of the outline, by its number.
    Page(usize),
    /// The word with this number in the glossary.
    Word(usize),
    /// A place in the program.
    Program { line: usize, column: usize },
}

/// Which click at one place it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ClickCount {
    #[default]
    First,
    Second,
    Third,
}

/// What the stack of screens does after an action.
#[derive(Debug)]
pub(crate) enum Step {
    Stay,
    /// Close the screen on top.
    Back,
    /// Close the lab on top, and read on behind it.
    ReadOn,
    /// Open a screen over this one.
    Open(Route),
    /// Open a screen instead of this one.
    Replace(Route),
    /// Close all screens but the map, then open one.
    FromMap(Route),
    /// Show an address outside of the course.
    Address(String),
    /// Show what the words on the screen mean, first the one with this number in the glossary.
    Word(usize),
    /// Ask the learner first.
    Confirm(Confirm),
}

impl Step {
    pub(super) fn confirm(question: impl Into<String>, on_yes: OnConfirm) -> Self {
        let question = Into::into(question);
        Self::Confirm(Confirm { question, on_yes })
    }
}

/// What every screen says. What only readers, labs and quizzes do is in [`super::OpenScreen`].
pub(crate) trait Screen: Debug {
    /// The context whose keys the screen takes.
    fn context(&self) -> Context;

    fn title(&self, session: &Session) -> Title;

    /// The columns of an area that the screen uses; title and footer are aligned with them.
    fn column(&self, area: Rect) -> Rect {
        frame::column(area)
    }

    /// Whether an action does something now; the footer shows only those that do.
    fn offers(&self, action: Action, session: &Session) -> bool;

    /// The footer's word for what an action does now; nothing where the table of keys has it.
    fn word(&self, _action: Action, _session: &Session) -> Option<Cow<'static, str>> {
        None
    }

    /// Whether an action can do something here at any time in this session; the help leaves the others out.
    fn knows(&self, _action: Action, _session: &Session) -> bool {
        true
    }

    /// Whether the screen can have this pane.
    fn has_pane(&self, _pane: Pane) -> bool {
        true
    }

    /// What to say where an action does nothing now; nothing where that is plain to see.
    fn why_not(&self, _action: Action, _session: &Session) -> Option<&'static str> {
        None
    }

    /// Performs the action of a key.
    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step;

    /// What is at a place of the body: pure, from the geometry that `view` draws with.
    fn at(&self, place: Position, body: Rect, session: &Session) -> Option<Target>;

    /// Performs a click.
    fn click(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step;

    /// Performs what a second or a third click at one place means besides.
    fn click_again(&mut self, _target: Target, _times: ClickCount) {}

    /// Selects up to a place, where the button went down on a program and is still down.
    fn drag(&mut self, _place: Position, _body: Rect) {}

    /// Lays the screen out for an area. Called before every frame.
    fn fit(&mut self, session: &Session, body: Rect);

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect);
}
