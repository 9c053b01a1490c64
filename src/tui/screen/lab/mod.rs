//! A lab: the program, what it printed, what was checked and what each line cost.
//!
//! Holds one run at a time and folds the worker's replies into it; what a run means in words is in
//! [`verdict`], what the panes show in [`panes`]. The prediction that may come before a run is in
//! [`predict`].

mod areas;
mod face;
mod lanes;
mod memory;
mod panes;
mod plots;
mod predict;
mod verdict;

use std::collections::BTreeMap;
use std::rc::Rc;

use ratatui::layout::Rect;

use super::behaviour::{ScreenBehaviour, Start, Step};
use crate::course::{self, DeviceWish, LabId, Lesson, LessonId};
use crate::lab::run::Run;
use crate::lab::units::milliseconds;
use crate::lab::{prediction, record};
use crate::progress::Event;
use crate::protocol::{Aim, DeviceName, Limits, Outcome, RunRequest};
use crate::tui::editor::{Clocks, Editor, Follow, Gutter};
use crate::tui::effect::Effect;
use crate::tui::keymap::LabAction;
use crate::tui::overlay::{Ask, Then};
use crate::tui::scroll::Scroll;
use crate::tui::session::UpdateContext;
use areas::{Areas, Share, Wanted};
use panes::Pane;
use predict::Predicting;

/// A lab that is open.
#[derive(Debug)]
pub(crate) struct Lab {
    lesson: Rc<Lesson>,
    /// What the lesson says of it.
    given: course::Lab,
    editor: Editor,
    /// The text that progress knows.
    kept: String,
    device: DeviceName,
    mode: Mode,
    run: Option<Ran>,
    pane: Pane,
    scroll: Scroll,
    /// Whether the pane stays at its end as it grows.
    follows_end: bool,
    shown: Shown,
}

/// What the learner is doing.
#[derive(Debug)]
enum Mode {
    Looking,
    Editing,
    Predicting(Box<Predicting>),
}

/// A run and what was run.
#[derive(Debug)]
struct Ran {
    run: Run,
    source: String,
}

/// Help that was asked for.
#[derive(Debug, Default)]
struct Shown {
    hints: usize,
    solution: bool,
}

impl Lab {
    /// Opens a lab with the learner's program, or the starter.
    pub(super) fn open(
        lesson: &LessonId,
        lab: &LabId,
        start: Start,
        turn: &mut UpdateContext<'_>,
    ) -> Option<Self> {
        let lesson = Rc::clone(turn.session.lesson(lesson)?);
        let lab = lesson.labs.iter().find(|it| &it.id == lab)?.clone();
        let known = turn.session.progress.lesson(&lesson.id).lab(&lab.id);
        let editor = Editor::new(known.source.as_deref().unwrap_or(&lab.starter));
        let mut opened = Self {
            device: turn.session.devices.choice.device(&lab.device),
            kept: editor.text(),
            editor,
            lesson,
            given: lab,
            mode: Mode::Looking,
            run: None,
            pane: Pane::Output,
            scroll: Scroll::default(),
            follows_end: false,
            shown: Shown::default(),
        };
        match start {
            Start::Look => {}
            Start::Edit => opened.mode = Mode::Editing,
            Start::Run => opened.run(turn),
        }
        Some(opened)
    }

    fn is_running(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|it| it.run.report.is_none())
    }

    /// Asks for a run, after a prediction where the lab wants one.
    fn run(&mut self, turn: &mut UpdateContext<'_>) {
        if self.is_running() {
            return;
        }
        self.keep(turn);
        if let Some(predicting) = self.must_predict(turn.session) {
            self.mode = Mode::Predicting(Box::new(predicting));
            self.scroll.rewind();
            return;
        }
        let run = turn.session.new_run();
        let source = self.editor.text();
        turn.effects.push(Effect::Run(RunRequest {
            run,
            name: format!("{}.py", self.given.id),
            source: source.clone(),
            check: self.given.check.clone(),
            device: self.device.clone(),
            limits: Limits {
                time_ms: milliseconds(self.given.time_limit),
                ..Limits::default()
            },
            trace: true,
            aim: Aim::Run,
        }));
        self.run = Some(Ran {
            run: Run::new(run),
            source,
        });
        self.mode = Mode::Looking;
        self.pane = Pane::Output;
        self.scroll.rewind();
        self.follows_end = true;
    }

    fn cancel(&self, turn: &mut UpdateContext<'_>) {
        if let Some(ran) = self.run.as_ref().filter(|it| it.run.report.is_none()) {
            turn.effects.push(Effect::Cancel(ran.run.id));
        }
    }

    /// Has the learner's text and choice of device saved if they are not yet.
    fn keep(&mut self, turn: &mut UpdateContext<'_>) {
        turn.note_devices();
        let text = self.editor.text();
        if text == self.kept {
            return;
        }
        let is_starter = text == Editor::new(&self.given.starter).text();
        turn.note(Event::Edited {
            lesson: self.lesson.id.clone(),
            lab: self.given.id.clone(),
            source: (!is_starter).then(|| text.clone()),
        });
        self.kept = text;
    }

    /// Takes the end of a run in.
    fn finished(&mut self, turn: &mut UpdateContext<'_>) {
        let Some(Ran { run, .. }) = &self.run else {
            return;
        };
        let Some(report) = &run.report else { return };
        if let Some(event) = record::event(&self.lesson.id, &self.given.id, &self.device, run) {
            turn.note(event);
        }
        let question = prediction::question(&self.lesson, &self.given);
        if let Some((question, truth)) =
            question.and_then(|it| Some((it.id.clone(), prediction::truth(it, run)?)))
        {
            let key = (self.lesson.id.clone(), question);
            turn.session.truths.insert(key, truth);
        }
        if let Outcome::Unavailable(_) | Outcome::Busy(_) = &report.outcome {
            // In the output's place stands why, to be read from its beginning.
            self.follows_end = false;
            self.scroll.rewind();
            return;
        }
        if let Outcome::Raised(raised) = &report.outcome {
            // The exception stands below everything that was printed.
            if !raised.in_check && raised.line > 0 {
                self.editor.go_to_line(raised.line);
            }
            return;
        }
        if self.given.predict.is_some() || run.checks.iter().any(|it| !it.ok) {
            self.pane = Pane::Checks;
        } else if !run.plots.is_empty() {
            // A program that draws wants to be looked at.
            self.pane = Pane::Plot;
        }
        self.follows_end = false;
        self.scroll.rewind();
    }

    /// What stands beside the source lines: the times of the text as it is now, or none.
    fn gutter(&self) -> Gutter {
        let current = self
            .run
            .as_ref()
            .filter(|it| it.source == self.editor.text());
        let Some(report) = current.and_then(|it| it.run.report.as_ref()) else {
            return Gutter::default();
        };
        let error = match &report.outcome {
            Outcome::Raised(raised) if !raised.in_check => Some(raised.line),
            Outcome::Raised(_)
            | Outcome::Done
            | Outcome::Cancelled
            | Outcome::TimedOut
            | Outcome::TooMuchOutput
            | Outcome::Broken { .. }
            | Outcome::Unavailable(_)
            | Outcome::Busy(_) => None,
        };
        let clocks = (!report.lines.is_empty()).then(|| Clocks {
            clock: report.clock,
            lines: report
                .lines
                .iter()
                .map(|it| (it.line, *it))
                .collect::<BTreeMap<_, _>>(),
        });
        Gutter { clocks, error }
    }

    fn follow(&self) -> Follow {
        match self.mode {
            Mode::Editing => Follow::Cursor,
            Mode::Looking | Mode::Predicting(_) => Follow::Window,
        }
    }

    fn areas(&self, body: Rect) -> Areas {
        self.areas_for(body, self.scroll.len())
    }

    /// The pane as it would be with more in it than it can show.
    fn largest_pane(&self, body: Rect) -> Rect {
        self.areas_for(body, usize::from(u16::MAX)).pane
    }

    fn areas_for(&self, body: Rect, pane: usize) -> Areas {
        let share = match self.mode {
            Mode::Editing => Share::Program,
            // A plot that has to be scrolled shows nothing.
            Mode::Looking if self.pane == Pane::Plot => Share::Pane,
            Mode::Looking => Share::Even,
            Mode::Predicting(_) => Share::Pane,
        };
        let wanted = Wanted {
            program: self.editor.len(),
            pane,
        };
        areas::areas(body, share, wanted)
    }

    fn look_at(&mut self, pane: Pane) {
        self.pane = pane;
        self.follows_end = self.is_running() && pane == Pane::Output;
        self.scroll.rewind();
    }

    /// Takes another device. For other labs, too, as far as this one leaves the choice to the learner.
    fn change_device(&mut self, device: DeviceName, turn: &mut UpdateContext<'_>) {
        let choice = &mut turn.session.devices.choice;
        match (&self.given.device, &device) {
            (DeviceWish::Any, _) => choice.any = device.clone(),
            (DeviceWish::Cuda, DeviceName::Cuda(_) | DeviceName::Model(_)) => {
                choice.card = Some(device.clone());
            }
            (DeviceWish::Cuda, DeviceName::Cpu) | (DeviceWish::Cpu | DeviceWish::Model(_), _) => {}
        }
        let is_real = |it: &DeviceName| matches!(it, DeviceName::Cuda(_));
        if is_real(&self.device) && !is_real(&device) {
            turn.effects.push(Effect::LetCardGo);
        }
        self.device = device;
    }

    /// Does what a key asks of the lab; its contexts decide which keys there are while it runs or is edited.
    fn act_in_lab(&mut self, action: LabAction, turn: &mut UpdateContext<'_>) -> Step {
        match action {
            LabAction::Run => self.run(turn),
            LabAction::Cancel => self.cancel(turn),
            LabAction::Edit => self.mode = Mode::Editing,
            LabAction::Undo => self.editor.undo(),
            LabAction::NextDevice => {
                let next = turn.session.devices.after(&self.device);
                self.change_device(next, turn);
            }
            LabAction::PreviousDevice => {
                let before = turn.session.devices.before(&self.device);
                self.change_device(before, turn);
            }
            LabAction::NextPane => self.look_at(self.pane_after()),
            LabAction::PreviousPane => self.look_at(self.pane_before()),
            LabAction::Hint => {
                self.shown.hints = (self.shown.hints + 1).min(self.given.hints.len());
                self.pane = Pane::Hints;
                self.follows_end = true;
            }
            LabAction::Solution => return self.ask_for_solution(turn),
            LabAction::Restore => {
                return ask(
                    "Throw your program away and start again?",
                    Then::RestoreStarter,
                );
            }
            LabAction::Program(scrolling) => self.editor.scroll(scrolling),
        }
        Step::Stay
    }

    fn ask_for_solution(&mut self, turn: &mut UpdateContext<'_>) -> Step {
        let progress = turn.session.progress.lesson(&self.lesson.id);
        if self.given.solution.is_none() {
            Step::Stay
        } else if progress.lab(&self.given.id).has_passed() {
            self.confirmed(Then::ShowSolution, turn)
        } else {
            ask(
                "Show the solution before you have passed?",
                Then::ShowSolution,
            )
        }
    }
}

fn ask(question: &str, then: Then) -> Step {
    Step::Ask(Ask {
        question: question.to_owned(),
        then,
    })
}
