//! The trait of all screens, and how they open others.

use std::fmt::Debug;

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::frame::{self, Title};
use crate::hyperlink::Hyperlink;
use crate::keymap::{Action, Context};
use crate::overlay::{Confirm, OnConfirm};
use crate::search::{Place, Query};
use crate::session::{Pane, Session, UpdateContext};
use warpup_course::{LabId, LessonId, PageId};
use warpup_grade::Attempt;
use warpup_protocol::Reply;

/// A screen to open.
#[derive(Debug)]
pub(crate) enum Route {
    /// A page of a lesson; the one read last when none is named.
    Lesson(LessonId, Option<PageId>),
    /// A page of a lesson, from which reading goes on.
    ReadOn(LessonId, PageId),
    Lab(LessonId, LabId, Start),
    /// The quiz of a lesson: an open attempt goes on, otherwise a new one begins.
    Quiz(LessonId),
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

/// What the stack of screens does after an action.
#[derive(Debug)]
pub(crate) enum Step {
    Stay,
    /// Close the screen on top.
    Back,
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

/// What every screen can do.
pub(crate) trait ScreenBehaviour: Debug {
    /// The context whose keys the screen takes.
    fn context(&self) -> Context;

    fn title(&self, session: &Session) -> Title;

    /// The columns of an area that the screen uses; title and footer are aligned with them.
    fn column(&self, area: Rect) -> Rect {
        frame::column(area)
    }

    /// Whether an action does something now; the footer shows only those that do.
    fn offers(&self, _action: Action, _session: &Session) -> bool {
        true
    }

    /// The footer's word for what an action does now; nothing where the table of keys has it.
    fn word(&self, _action: Action, _session: &Session) -> Option<&'static str> {
        None
    }

    /// What to say where an action does nothing now; nothing where that is plain to see.
    fn why_not(&self, _action: Action, _session: &Session) -> Option<&'static str> {
        None
    }

    /// Performs the action of a key.
    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step;

    /// What is at a place of the body: pure, from the geometry that `view` draws with.
    fn at(&self, _place: Position, _body: Rect, _session: &Session) -> Option<Target> {
        None
    }

    /// Performs a click.
    fn click(&mut self, _target: Target, _ctx: &mut UpdateContext<'_>) -> Step {
        Step::Stay
    }

    /// Lays the screen out for an area. Called before every frame.
    fn fit(&mut self, session: &Session, body: Rect);

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect);

    /// Where in the text of the course the learner is, on a screen that shows it.
    fn place(&self, _session: &Session) -> Option<Place> {
        None
    }

    /// How many hits of a query are above the screen in the text at its top.
    fn hits_above(&self, _query: &Query) -> usize {
        0
    }

    /// Goes to a place in the text of the course; says whether the screen can.
    fn go_to(&mut self, _place: Place, _turn: &mut UpdateContext<'_>) -> bool {
        false
    }

    /// The text of the course that is visible.
    fn visible(&self) -> &[Line<'static>] {
        &[]
    }

    /// The text in which words of the glossary are looked for, what is visible first.
    fn words_of(&self, _session: &Session) -> Vec<Line<'static>> {
        self.visible().to_vec()
    }

    /// The whole addresses on the screen, for the terminal.
    fn hyperlinks(&self, _body: Rect) -> Vec<Hyperlink> {
        Vec::new()
    }

    /// The addresses of the links on screen, in the order of their numbers.
    fn links(&self) -> &[String] {
        &[]
    }

    /// Takes a key without an action, such as a letter.
    fn key(&mut self, _key: KeyEvent, _turn: &mut UpdateContext<'_>) {}

    /// Takes pasted text.
    fn paste(&mut self, _text: &str, _turn: &mut UpdateContext<'_>) {}

    /// Takes what the learner's own editor wrote, or why it wrote nothing.
    fn edited_outside(&mut self, _edited: Result<String, String>, _turn: &mut UpdateContext<'_>) {}

    /// Takes a reply of a lab worker.
    fn reply(&mut self, _reply: &Reply, _turn: &mut UpdateContext<'_>) {}

    /// Performs what the learner confirmed.
    fn confirmed(&mut self, _on_yes: OnConfirm, _turn: &mut UpdateContext<'_>) -> Step {
        Step::Stay
    }

    /// When the learner typed the first letter that is not recorded yet.
    fn typed_since(&self) -> Option<u64> {
        None
    }

    /// Records what is typed so far.
    fn record_typed(&mut self, _turn: &mut UpdateContext<'_>) {}

    /// When the screen shows something else without an event, such as how long a run has taken; nothing where nothing runs.
    fn wake_at(&self) -> Option<u64> {
        None
    }

    /// Some time has passed: a run may show how much.
    fn tick(&mut self, _turn: &mut UpdateContext<'_>) {}

    /// Stops what runs. Says whether there was something that nobody had stopped yet.
    fn interrupt(&mut self, _turn: &mut UpdateContext<'_>) -> bool {
        false
    }

    /// Called when the screen is on top again.
    fn come_back(&mut self, _turn: &mut UpdateContext<'_>) {}

    /// Takes the course as it is now, after its files have changed. Says whether what the screen shows is still in it.
    fn reload(&mut self, _turn: &mut UpdateContext<'_>) -> bool {
        true
    }

    /// Called when the screen is closed or the app ends: records what is not recorded yet.
    fn leave(&mut self, _turn: &mut UpdateContext<'_>) {}
}
