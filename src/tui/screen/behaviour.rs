//! What every screen can do, and where it can lead.

use std::fmt::Debug;

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::course::{LabId, LessonId, PageId};
use crate::grade::Attempt;
use crate::protocol::Reply;
use crate::tui::frame::{self, Title};
use crate::tui::keymap::{Action, Context};
use crate::tui::overlay::{Ask, Then};
use crate::tui::session::{Session, UpdateContext};

/// Somewhere to go.
#[derive(Debug)]
pub(crate) enum Route {
    /// A page of a lesson; the one read last when none is named.
    Lesson(LessonId, Option<PageId>),
    /// A lab.
    Lab(LessonId, LabId, Start),
    /// The quiz of a lesson: an open attempt goes on, otherwise a new one begins.
    Quiz(LessonId),
    /// The quiz again, without what was right in this attempt.
    Missed(LessonId, Box<Attempt>),
    /// An attempt that was handed in.
    Results(LessonId, Box<Attempt>),
    /// The questions of a lesson's quiz that ask for the learner's own words.
    Explain(LessonId),
    /// What is wrong with the course files.
    Problems,
    /// What is between a program and the card.
    Doctor,
}

/// What a lab does when it opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// It shows itself.
    Look,
    /// It is edited.
    Edit,
    /// It runs.
    Run,
}

/// What a screen asks the stack for.
#[derive(Debug)]
pub(crate) enum Step {
    /// Nothing.
    Stay,
    /// The screen below.
    Back,
    /// A screen over this one.
    Open(Route),
    /// A screen instead of this one.
    Replace(Route),
    /// A screen over the map, all others closed.
    FromMap(Route),
    /// A question first.
    Ask(Ask),
}

/// What every screen can do.
pub(crate) trait ScreenBehaviour: Debug {
    /// Which keys it takes.
    fn context(&self) -> Context;

    /// What it is.
    fn title(&self, session: &Session) -> Title;

    /// Where on its rows it stands; what is around it is aligned with that.
    fn column(&self, area: Rect) -> Rect {
        frame::column(area)
    }

    /// Whether an action would do something now; the footer leaves out what would not.
    fn offers(&self, _action: Action, _session: &Session) -> bool {
        true
    }

    /// Does what a key asks for.
    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step;

    /// Fits its layout to its place; called before every frame.
    fn fit(&mut self, session: &Session, body: Rect);

    /// Draws itself.
    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect);

    /// Takes a key that asks for no action, such as a letter.
    fn key(&mut self, _key: KeyEvent, _turn: &mut UpdateContext<'_>) {}

    /// Takes pasted text.
    fn paste(&mut self, _text: &str, _turn: &mut UpdateContext<'_>) {}

    /// Takes what a lab worker says.
    fn reply(&mut self, _reply: &Reply, _turn: &mut UpdateContext<'_>) {}

    /// Does what the learner said yes to.
    fn confirmed(&mut self, _then: Then, _turn: &mut UpdateContext<'_>) -> Step {
        Step::Stay
    }

    /// Is seen again after a screen over it was left.
    fn come_back(&mut self, _turn: &mut UpdateContext<'_>) {}

    /// Is left, or the app ends: keeps what is not kept yet.
    fn leave(&mut self, _turn: &mut UpdateContext<'_>) {}
}
