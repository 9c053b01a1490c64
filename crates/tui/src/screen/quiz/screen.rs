//! The quiz as a screen: what keys do.
//!
//! This screen asks and shows; what counts is decided by [`quiz::Session`]. Every answer is saved at once, so
//! that a quiz can be left and resumed.

use std::borrow::Cow;
use std::rc::Rc;

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};

use crate::form::{Form, form};
use crate::frame::{self, Title};
use crate::keymap::{Action, Context, Destination, FormAction, Keys, Motion};
use crate::overlay::OnConfirm;
use crate::screen::behaviour::{Route, Screen, Step, Target};
use crate::screen::review::left;
use crate::scroll::Scroll;
use crate::session::{Receipt, Session, UpdateContext};
use warpup_course::{Lesson, LessonId, Page};
use warpup_grade::{AttemptQuestion, Confidence, NoVerdict, Verdict};
use warpup_quiz::{self as quiz, SessionStart};

/// A quiz that is being taken.
#[derive(Debug)]
pub(crate) struct Quiz {
    pub(super) lesson: Rc<Lesson>,
    pub(super) taking: quiz::Session,
    /// The position of the question on screen.
    at: usize,
    pub(super) stage: Stage,
    /// How many hints of this question are shown.
    pub(super) hints: usize,
    scroll: Scroll,
    in_view: InView,
    /// How sure the learner is of the answer in the making, if they said so.
    pub(super) confidence: Option<Confidence>,
    /// The columns of the body when it was laid out last.
    columns: u16,
}

/// What the window has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InView {
    /// The marked row, or what is wrong with the answer.
    Row,
    /// What the learner has scrolled to.
    Window,
}

/// From so many columns on, the title names the lesson.
const TITLED: u16 = 64;

/// What the learner does with the question.
#[derive(Debug)]
pub(super) enum Stage {
    /// Answering; with the reason why the last answer could not be read.
    Asking(Box<dyn Form>, Option<String>),
    /// Reading how the answer was judged, once its record is on disk; nothing is judged where the quiz has no key.
    Answered(Option<Verdict>, Receipt),
}

impl Quiz {
    /// Begins a quiz.
    pub(in crate::screen) fn open(
        lesson: &LessonId,
        begin: SessionStart<'_>,
        ctx: &mut UpdateContext<'_>,
    ) -> Option<Self> {
        let session = &mut *ctx.session;
        let lesson = Rc::clone(session.lesson(lesson)?);
        let id = session.new_id(ctx.now_ms).to_string();
        let progress = session.learner.progress.lesson(&lesson.id);
        let mut quiz = quiz::Session::begin(&lesson, progress, begin, id, ctx.now_ms)?;
        let measured = session
            .labs
            .truths
            .iter()
            .filter(|((of, _), _)| *of == lesson.id);
        quiz.add_truths(measured.map(|((_, question), truth)| (question.clone(), *truth)));
        let at = quiz.attempt().next_open(0).unwrap_or(0);
        let keys = &session.keys;
        let stage = stage(quiz.attempt().asked().get(at)?, Receipt::default(), keys);
        Some(Self {
            lesson,
            taking: quiz,
            at,
            stage,
            hints: 0,
            scroll: Scroll::default(),
            in_view: InView::Row,
            confidence: None,
            columns: 0,
        })
    }

    fn asked(&self) -> Option<&AttemptQuestion> {
        self.taking.attempt().asked().get(self.at)
    }

    fn submit(&mut self, ctx: &mut UpdateContext<'_>) {
        let Stage::Asking(form, complaint) = &mut self.stage else {
            return;
        };
        self.in_view = InView::Row;
        let saved = form.answer();
        let saved = saved.and_then(|it| self.taking.submit_with(self.at, it, self.confidence));
        match saved {
            Ok(event) => {
                if let Some(event) = event {
                    ctx.note(event);
                }
                if let Some(asked) = self.asked() {
                    let newest = ctx.session.learner.saving.newest();
                    self.stage = stage(asked, newest, &ctx.session.keys);
                }
            }
            Err(NoVerdict::NotMeasured(lab)) => {
                let lab = self.lesson.labs.iter().find(|it| it.id == lab);
                let title = lab.map_or("", |it| it.title.as_str());
                *complaint = Some(format!(
                    "Your answer is compared with a run of the lab “{title}”, which did not run yet. \
                     Leave the quiz, run the lab, and come back: your answers are kept."
                ));
            }
            Err(unreadable) => *complaint = Some(unreadable.sentence()),
        }
    }

    fn next(&mut self, ctx: &mut UpdateContext<'_>) -> Step {
        let Some(at) = self.taking.attempt().next_open(self.at) else {
            return self.hand_in(ctx);
        };
        if let Some(asked) = self.taking.attempt().asked().get(at) {
            self.stage = stage(asked, Receipt::default(), &ctx.session.keys);
            self.at = at;
            self.hints = 0;
            self.confidence = None;
            self.in_view = InView::Row;
            self.scroll.go_to_top();
        }
        Step::Stay
    }

    pub(crate) fn hand_in(&self, ctx: &mut UpdateContext<'_>) -> Step {
        if let Some(event) = self.taking.hand_in(ctx.now_ms) {
            ctx.note(event);
        }
        Step::Replace(Route::Results(
            self.lesson.id.clone(),
            Box::new(self.taking.attempt().clone()),
        ))
    }
}

fn stage(asked: &AttemptQuestion, receipt: Receipt, keys: &Keys) -> Stage {
    match &asked.given {
        Some(given) => Stage::Answered(given.verdict.clone(), receipt),
        None => Stage::Asking(form(&asked.question, &asked.order, keys), None),
    }
}

impl Screen for Quiz {
    fn context(&self) -> Context {
        match &self.stage {
            Stage::Asking(form, _) => form.context(),
            Stage::Answered(..) => Context::VERDICT,
        }
    }

    fn title(&self, _session: &Session) -> Title {
        let attempt = self.taking.attempt();
        let right = attempt.asked().iter().filter(|it| it.is_right()).count();
        let worth = self.asked().map_or(1, |it| it.question.points);
        let worth = if worth == 1 {
            String::new()
        } else {
            format!(" ({worth} points)")
        };
        let (number, of) = attempt.place(self.at);
        let is_narrow = self.columns < TITLED;
        let all = attempt.asked().len();
        let is_retry = of < all;
        let missed = if is_retry { " missed" } else { "" };
        let place = format!("{number} of {of}{missed}{worth}");
        if attempt.is_graded_elsewhere() {
            let left = if is_narrow {
                place
            } else {
                format!("{} · {place}", self.lesson.title)
            };
            return Title::new(left, "graded by your instructor".to_owned());
        }
        let (needs, (_, max)) = (attempt.needs(), attempt.needed());
        // What is asked again is a part of what counts.
        if is_retry && is_narrow {
            return Title::new(place, format!("{right} right, needs {needs}"));
        }
        let place = if is_retry {
            format!("{place} · {right} of {all} right")
        } else {
            format!("{place} · {right} right")
        };
        if is_narrow {
            Title::new(place, format!("needs {needs}"))
        } else {
            let right = format!("needs {needs} of {max} points");
            Title::new(format!(" · {place}"), right).after(self.lesson.title.clone())
        }
    }

    fn offers(&self, action: Action, _session: &Session) -> bool {
        match action {
            // Its line names the key from the start.
            Action::Form(FormAction::Submit) if self.context() == Context::TYPING => true,
            Action::Form(FormAction::Submit) => self.has_answer(),
            // To be sure and wrong is for who learns at once what is right.
            Action::Form(FormAction::Confidence) => {
                let is_judged = self.asked().is_some_and(|it| !it.question.is_keyless());
                is_judged && self.has_answer()
            }
            Action::Form(FormAction::Hint) => {
                let hints = self.asked().map_or(0, |it| it.question.hints.len());
                self.hints < hints
            }
            Action::Scroll(Motion::PageDown) => !self.scroll.below().is_empty(),
            Action::Go(Destination::ReadAgain) => self.to_read_again().is_some(),
            Action::App(_)
            | Action::Back
            | Action::Open
            | Action::Scroll(_)
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => true,
        }
    }

    fn word(&self, action: Action, _session: &Session) -> Option<Cow<'static, str>> {
        if action != Action::Open {
            return None;
        }
        if !self.scroll.at_end() {
            return Some(Cow::Borrowed("more"));
        }
        let is_last = self.taking.attempt().next_open(self.at).is_none();
        is_last.then_some(Cow::Borrowed("results"))
    }

    fn why_not(&self, action: Action, _session: &Session) -> Option<&'static str> {
        let is_read = action == Action::Go(Destination::ReadAgain);
        is_read.then_some(
            "There is nothing to read again here: your answer is right, or no page is named.",
        )
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => {
                ctx.session.view.notice = Some(left(self.taking.attempt()));
                return Step::Back;
            }
            // What is said of an answer is read before the next question comes.
            Action::Open if !self.scroll.at_end() => {
                self.scroll.go(Motion::PageDown);
                self.in_view = InView::Window;
            }
            Action::Open => return self.next(ctx),
            Action::Go(Destination::ReadAgain) => {
                let page = self.to_read_again().map(|it| it.id.clone());
                let route = Route::Lesson(self.lesson.id.clone(), page);
                // Over the quiz: who has read comes back to it.
                return Step::Open(route);
            }
            Action::Form(FormAction::Submit) => self.submit(ctx),
            Action::Form(FormAction::GiveUp) => return self.ask_to_hand_in(),
            Action::Form(FormAction::Hint) => {
                self.hints += usize::from(self.offers(action, ctx.session));
            }
            Action::Form(FormAction::Confidence) => {
                if self.offers(action, ctx.session) {
                    self.confidence = match self.confidence {
                        None => Some(Confidence::Sure),
                        Some(Confidence::Sure) => Some(Confidence::NotSure),
                        Some(Confidence::NotSure) => None,
                    };
                }
            }
            Action::App(_)
            | Action::Scroll(_)
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {
                if let Stage::Asking(form, complaint) = &mut self.stage
                    && form.act(action)
                {
                    *complaint = None;
                    self.in_view = InView::Row;
                } else if self.scroll.act(action) {
                    self.in_view = InView::Window;
                }
            }
        }
        Step::Stay
    }

    fn at(&self, place: Position, body: Rect, _session: &Session) -> Option<Target> {
        let row = self.scroll.row_at(place, frame::column(body));
        row.map(Target::Row)
    }

    fn click(&mut self, target: Target, _ctx: &mut UpdateContext<'_>) -> Step {
        if let (Stage::Asking(form, complaint), Target::Row(row)) = (&mut self.stage, target) {
            form.pick(row);
            *complaint = None;
            // What was clicked is visible.
            self.in_view = InView::Window;
        }
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        self.columns = body.width;
        if let Some(asked) = self.asked() {
            let mut drawn = self.draw(asked, frame::column(body).width, session);
            if self.in_view == InView::Window {
                drawn.focus = 0..0;
            }
            self.scroll.draw(drawn, body.height);
        }
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        frame::scrolled(frame, body, &self.scroll, session.theme);
    }
}

impl Quiz {
    /// Whether what is answered so far can be handed over.
    fn has_answer(&self) -> bool {
        matches!(&self.stage, Stage::Asking(form, _) if form.answer().is_ok())
    }

    /// The page to which the question points whose answer is not right.
    pub(super) fn to_read_again(&self) -> Option<&Page> {
        let Stage::Answered(Some(verdict), _) = &self.stage else {
            return None;
        };
        let see = self.asked()?.question.see.as_ref();
        let see = see.filter(|_| !verdict.is_right())?;
        self.lesson.pages.iter().find(|it| it.id == *see)
    }

    fn ask_to_hand_in(&self) -> Step {
        let asked = self.taking.attempt().asked().iter();
        let open = asked.filter(|it| it.given.is_none()).count();
        let noun = if open == 1 {
            "question is not answered"
        } else {
            "questions are not answered"
        };
        let question = format!("{open} {noun} and would earn nothing. Hand in the quiz?");
        Step::confirm(question, OnConfirm::HandIn)
    }

    pub(in crate::screen) fn key(&mut self, key: KeyEvent) {
        if let Stage::Asking(form, complaint) = &mut self.stage {
            form.key(key);
            *complaint = None;
            self.in_view = InView::Row;
        }
    }

    pub(in crate::screen) fn paste(&mut self, text: &str) {
        let Stage::Asking(form, complaint) = &mut self.stage else {
            return;
        };
        if form.context() == Context::TYPING {
            form.paste(text);
            *complaint = None;
        } else {
            *complaint = Some("Nothing can be pasted here: choose with the keys.".to_owned());
        }
        self.in_view = InView::Row;
    }

    pub(in crate::screen) fn lesson(&self) -> &LessonId {
        &self.lesson.id
    }
}
