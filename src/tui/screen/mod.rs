//! The screens: one file each, and the one list of them.

mod doctor;
mod explain;
mod lab;
mod map;
mod problems;
mod quiz;
mod reader;
mod results;

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::frame;
use super::keymap::{Action, Context};
use super::overlay::{Ask, Then};
use super::session::{Session, UpdateContext};
use crate::course::{LabId, LessonId, PageId};
use crate::grade::Attempt;
use crate::protocol::Reply;

pub(super) use map::Map;

/// A screen with its state.
#[derive(Debug)]
pub(super) enum Screen {
    /// The course map.
    Map(Map),
    /// A page of a lesson.
    Reader(reader::Reader),
    /// A lab.
    Lab(Box<lab::Lab>),
    /// A quiz that is being taken.
    Quiz(Box<quiz::Quiz>),
    /// A quiz that was handed in.
    Results(Box<results::Results>),
    /// The questions of a quiz that ask for the learner's own words.
    Explain(Box<explain::Explain>),
    /// What is wrong with the course files.
    Problems(problems::Problems),
    /// What is between a program and the card.
    Doctor(doctor::Doctor),
}

/// Somewhere to go.
#[derive(Debug)]
pub(super) enum Route {
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
pub(super) enum Start {
    /// It shows itself.
    Look,
    /// It is edited.
    Edit,
    /// It runs.
    Run,
}

/// What a screen asks the stack for.
#[derive(Debug)]
pub(super) enum Step {
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

/// The words on the title line.
#[derive(Debug)]
pub(super) struct Title {
    /// What is on screen.
    pub(super) left: String,
    /// Where in it.
    pub(super) right: String,
    /// The same as a picture, left out where there is no room.
    pub(super) bar: String,
}

/// What every screen can do.
pub(super) trait ScreenBehaviour {
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
    fn act(&mut self, action: Action, turn: &mut UpdateContext<'_>) -> Step;

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

impl Screen {
    /// Opens a place; nothing if the course has no such place.
    pub(super) fn open(place: Route, turn: &mut UpdateContext<'_>) -> Option<Self> {
        Some(match place {
            Route::Lesson(lesson, page) => {
                Self::Reader(reader::Reader::open(&lesson, page.as_ref(), turn)?)
            }
            Route::Lab(lesson, lab, start) => {
                Self::Lab(Box::new(lab::Lab::open(&lesson, &lab, start, turn)?))
            }
            Route::Quiz(lesson) => Self::Quiz(Box::new(quiz::Quiz::open(&lesson, turn)?)),
            Route::Missed(lesson, attempt) => {
                Self::Quiz(Box::new(quiz::Quiz::again(&lesson, &attempt, turn)?))
            }
            Route::Results(lesson, attempt) => Self::Results(Box::new(results::Results::open(
                &lesson,
                *attempt,
                turn.session,
            )?)),
            Route::Explain(lesson) => {
                Self::Explain(Box::new(explain::Explain::open(&lesson, turn.session)?))
            }
            Route::Problems => Self::Problems(problems::Problems::default()),
            Route::Doctor => Self::Doctor(doctor::Doctor::open(turn)),
        })
    }

    /// The screen, whichever it is.
    pub(super) fn face(&self) -> &dyn ScreenBehaviour {
        match self {
            Self::Map(it) => it,
            Self::Reader(it) => it,
            Self::Lab(it) => it.as_ref(),
            Self::Quiz(it) => it.as_ref(),
            Self::Results(it) => it.as_ref(),
            Self::Explain(it) => it.as_ref(),
            Self::Problems(it) => it,
            Self::Doctor(it) => it,
        }
    }

    /// The screen, whichever it is, to be changed.
    pub(super) fn face_mut(&mut self) -> &mut dyn ScreenBehaviour {
        match self {
            Self::Map(it) => it,
            Self::Reader(it) => it,
            Self::Lab(it) => it.as_mut(),
            Self::Quiz(it) => it.as_mut(),
            Self::Results(it) => it.as_mut(),
            Self::Explain(it) => it.as_mut(),
            Self::Problems(it) => it,
            Self::Doctor(it) => it,
        }
    }
}
