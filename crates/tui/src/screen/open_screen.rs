//! A screen over the map: what opens it, and what only some screens do.
//!
//! A match names every screen, so that a new one says here whether it takes text and has anything to record.

use ratatui::crossterm::event::KeyEvent;
use ratatui::text::Line;

use super::behaviour::{Route, Screen};
use super::doctor::Doctor;
use super::explain::Explain;
use super::lab::Lab;
use super::problems::Problems;
use super::quiz::Quiz;
use super::reader::Reader;
use super::results::Results;
use super::settings::Settings;
use super::trace::Trace;
use crate::session::{Session, UpdateContext};
use warpup_course::LessonId;
use warpup_grade::Attempt;
use warpup_progress::{Remark, RemarkPlace};
use warpup_quiz::{Round, SessionStart, missed_before};

/// The attempt of a lesson that is not done and has no open one: what was handed in last.
fn not_passed(lesson: &LessonId, session: &Session) -> Option<Attempt> {
    let progress = session.learner.progress.lesson(lesson);
    let is_over = progress.open.is_none() && !progress.is_finished();
    let before = is_over.then(|| missed_before(session.lesson(lesson)?, progress))?;
    before.filter(|it| !it.passed())
}

/// A screen that was opened over the map.
#[derive(Debug)]
pub(crate) enum OpenScreen {
    Reader(Box<Reader>),
    Lab(Box<Lab>),
    Quiz(Box<Quiz>),
    Results(Box<Results>),
    Explain(Box<Explain>),
    /// One that takes no text, records nothing and shows no lesson.
    Plain(Box<dyn Screen>),
}

impl OpenScreen {
    /// Opens a screen; `None` if the course lacks what the route names.
    pub(crate) fn open(route: Route, ctx: &mut UpdateContext<'_>) -> Option<Self> {
        Some(match route {
            Route::Lesson(lesson, page) => {
                Self::Reader(Box::new(Reader::open(&lesson, page.as_ref(), ctx)?))
            }
            Route::ReadOn(lesson, page) => {
                Self::Reader(Box::new(Reader::read_on_at(&lesson, &page, ctx)?))
            }
            Route::Lab(lesson, lab, start) => {
                Self::Lab(Box::new(Lab::open(&lesson, &lab, start, ctx)?))
            }
            Route::Program => Self::Lab(Box::new(Lab::open_program(ctx.session)?)),
            Route::Quiz(lesson) => match not_passed(&lesson, ctx.session) {
                Some(attempt) => {
                    Self::Results(Box::new(Results::open(&lesson, attempt, ctx.session)?))
                }
                None => Self::Quiz(Box::new(Quiz::open(
                    &lesson,
                    SessionStart::ResumeOrNew,
                    ctx,
                )?)),
            },
            Route::NewQuiz(lesson) => Self::Quiz(Box::new(Quiz::open(
                &lesson,
                SessionStart::New(Round::Whole),
                ctx,
            )?)),
            Route::Missed(lesson, attempt) => Self::Quiz(Box::new(Quiz::open(
                &lesson,
                SessionStart::Retry(&attempt),
                ctx,
            )?)),
            Route::Results(lesson, attempt) => {
                Self::Results(Box::new(Results::open(&lesson, *attempt, ctx.session)?))
            }
            Route::Explain(lesson) => Self::Explain(Box::new(Explain::open(&lesson, ctx.session)?)),
            Route::Problems => Self::Plain(Box::new(Problems::default())),
            Route::Trace => Self::Plain(Box::new(Trace::default())),
            Route::Doctor => Self::Plain(Box::new(Doctor::open(ctx))),
            Route::Settings => Self::Plain(Box::new(Settings::open(ctx.session))),
        })
    }

    pub(crate) fn as_screen(&self) -> &dyn Screen {
        match self {
            Self::Reader(it) => it.as_ref(),
            Self::Lab(it) => it.as_ref(),
            Self::Quiz(it) => it.as_ref(),
            Self::Results(it) => it.as_ref(),
            Self::Explain(it) => it.as_ref(),
            Self::Plain(it) => it.as_ref(),
        }
    }

    pub(crate) fn as_screen_mut(&mut self) -> &mut dyn Screen {
        match self {
            Self::Reader(it) => it.as_mut(),
            Self::Lab(it) => it.as_mut(),
            Self::Quiz(it) => it.as_mut(),
            Self::Results(it) => it.as_mut(),
            Self::Explain(it) => it.as_mut(),
            Self::Plain(it) => it.as_mut(),
        }
    }

    pub(crate) fn as_lab_mut(&mut self) -> Option<&mut Lab> {
        let Self::Lab(lab) = self else {
            return None;
        };
        Some(lab)
    }

    /// The text in which words of the glossary are looked for, what is visible first.
    pub(crate) fn glossary_text(&self, session: &Session) -> Vec<Line<'static>> {
        match self {
            Self::Reader(it) => it.visible().to_vec(),
            Self::Lab(it) => it.glossary_text(session),
            Self::Quiz(_) | Self::Results(_) | Self::Explain(_) | Self::Plain(_) => Vec::new(),
        }
    }

    /// Whether it is where something that was sent back is shown first.
    pub(crate) fn has_remark(&self, remark: &Remark, session: &Session) -> bool {
        let is_quiz =
            |lesson: &LessonId| *lesson == remark.lesson && remark.place == RemarkPlace::Quiz;
        match self {
            Self::Reader(it) => it.place(session).is_some_and(|at| {
                let lesson = session.course.lessons.get(at.lesson);
                let page = lesson.and_then(|it| Some((it, it.pages.get(at.page)?)));
                page.is_some_and(|(lesson, page)| remark.is_of_page(lesson, page))
            }),
            Self::Lab(it) => it.is_of(&remark.lesson, &remark.place),
            Self::Quiz(it) => is_quiz(it.lesson()),
            Self::Results(it) => is_quiz(it.lesson()),
            Self::Explain(_) | Self::Plain(_) => false,
        }
    }

    /// Takes a key without an action, such as a letter.
    pub(crate) fn key(&mut self, key: KeyEvent, ctx: &UpdateContext<'_>) {
        match self {
            Self::Lab(it) => it.key(key, ctx),
            Self::Quiz(it) => it.key(key),
            Self::Explain(it) => it.key(key, ctx),
            Self::Reader(_) | Self::Results(_) | Self::Plain(_) => {}
        }
    }

    /// Takes pasted text; says whether it was for the screen.
    pub(crate) fn paste(&mut self, text: &str, ctx: &UpdateContext<'_>) -> bool {
        match self {
            Self::Lab(it) => return it.paste(text, ctx),
            Self::Quiz(it) => it.paste(text),
            Self::Explain(it) => return it.paste(text, ctx),
            Self::Reader(_) | Self::Results(_) | Self::Plain(_) => return false,
        }
        true
    }

    /// When the learner typed the first letter that is not recorded yet. A quiz records whole answers.
    pub(crate) fn typed_since(&self) -> Option<u64> {
        match self {
            Self::Lab(it) => it.typed_since(),
            Self::Explain(it) => it.typed_since(),
            Self::Reader(_) | Self::Quiz(_) | Self::Results(_) | Self::Plain(_) => None,
        }
    }

    /// Records what is typed so far.
    pub(crate) fn record_typed(&mut self, ctx: &mut UpdateContext<'_>) {
        match self {
            Self::Lab(it) => it.record_typed(ctx),
            Self::Explain(it) => it.keep(ctx),
            Self::Reader(_) | Self::Quiz(_) | Self::Results(_) | Self::Plain(_) => {}
        }
    }

    /// Called when the screen is on top again.
    pub(crate) fn come_back(&mut self) {
        match self {
            Self::Reader(it) => it.come_back(),
            Self::Lab(it) => it.come_back(),
            Self::Quiz(_) | Self::Results(_) | Self::Explain(_) | Self::Plain(_) => {}
        }
    }

    /// Takes the course as it is now, after its files have changed. Says whether what the screen shows is still in it.
    pub(crate) fn reload(&mut self, session: &Session) -> bool {
        match self {
            Self::Reader(it) => it.take_new_text(session),
            Self::Lab(it) => it.take_new_text(session),
            // What was begun goes on with the questions that it began with.
            Self::Quiz(it) => session.lesson(it.lesson()).is_some(),
            Self::Results(it) => session.lesson(it.lesson()).is_some(),
            Self::Explain(it) => session.lesson(it.lesson()).is_some(),
            Self::Plain(_) => true,
        }
    }

    /// Called when the screen is closed or the app ends: records what is not recorded yet.
    pub(crate) fn leave(&mut self, ctx: &mut UpdateContext<'_>) {
        match self {
            Self::Reader(it) => it.record_spot(ctx),
            Self::Lab(it) => it.leave(ctx),
            Self::Explain(it) => it.keep(ctx),
            Self::Quiz(_) | Self::Results(_) | Self::Plain(_) => {}
        }
    }
}
