//! A lab: the program, what it printed, what was checked and what each line cost.
//!
//! Holds one run at a time and folds the worker's replies into it; what a run means in words is in
//! [`verdict`], what the panes show in [`panes`]. The prediction that may come before a run is in
//! [`predict`].

mod areas;
mod panes;
mod predict;
mod verdict;

use std::collections::BTreeMap;
use std::rc::Rc;

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::{Face, Start, Step, Title};
use crate::course::{self, LabId, Lesson, LessonId};
use crate::lab::run::Run;
use crate::progress::Event;
use crate::protocol::{DeviceName, Limits, Outcome, Reply, RunRequest};
use crate::tui::app::Effect;
use crate::tui::editor::{Clocks, Editor, Follow, Gutter};
use crate::tui::keymap::{Action, Context};
use crate::tui::overlay::{Ask, Then};
use crate::tui::scroll::Scroll;
use crate::tui::session::{Session, Turn};
use crate::tui::theme::Role;
use crate::tui::{frame, ink};
use areas::{Areas, Share};
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
        turn: &mut Turn<'_>,
    ) -> Option<Self> {
        let lesson = Rc::clone(turn.session.lesson(lesson)?);
        let lab = lesson.labs.iter().find(|it| &it.id == lab)?.clone();
        let known = turn.session.progress.lesson(&lesson.id).lab(&lab.id);
        let editor = Editor::new(known.source.as_deref().unwrap_or(&lab.starter));
        let mut opened = Self {
            device: turn.session.devices.wished(&lab.device),
            kept: editor.text(),
            editor,
            lesson,
            given: lab,
            mode: Mode::Looking,
            run: None,
            pane: Pane::Output,
            scroll: Scroll::default(),
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
    fn run(&mut self, turn: &mut Turn<'_>) {
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
                time_ms: u64::try_from(self.given.time_limit.as_millis()).unwrap_or(u64::MAX),
                ..Limits::default()
            },
            trace: true,
        }));
        self.run = Some(Ran {
            run: Run::new(run),
            source,
        });
        self.mode = Mode::Looking;
        self.pane = Pane::Output;
        self.scroll.rewind();
    }

    fn cancel(&self, turn: &mut Turn<'_>) {
        if let Some(ran) = self.run.as_ref().filter(|it| it.run.report.is_none()) {
            turn.effects.push(Effect::Cancel(ran.run.id));
        }
    }

    /// Has the learner's text saved if it is not yet.
    fn keep(&mut self, turn: &mut Turn<'_>) {
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
    fn finished(&mut self, turn: &mut Turn<'_>) {
        let Some(Ran { run, .. }) = &self.run else {
            return;
        };
        let Some(report) = &run.report else { return };
        match &report.outcome {
            // A run that was cut short says nothing about the learner's program.
            Outcome::Cancelled
            | Outcome::TimedOut
            | Outcome::TooMuchOutput
            | Outcome::Broken { .. } => {}
            Outcome::Done | Outcome::Raised(_) => turn.note(Event::Ran {
                lesson: self.lesson.id.clone(),
                lab: self.given.id.clone(),
                device: self.device.to_string(),
                passed: run.passed() == Some(true),
            }),
        }
        if let Some((question, truth)) = predict::truth(&self.lesson, &self.given, run) {
            let key = (self.lesson.id.clone(), question);
            turn.session.truths.insert(key, truth);
        }
        if let Outcome::Raised(raised) = &report.outcome {
            if !raised.in_check && raised.line > 0 {
                self.editor.go_to_line(raised.line);
            }
        } else if !run.checks.is_empty() || self.given.predict.is_some() {
            self.pane = Pane::Checks;
        }
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
            | Outcome::Broken { .. } => None,
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
        let share = match self.mode {
            Mode::Editing => Share::Program,
            Mode::Looking => Share::Even,
            Mode::Predicting(_) => Share::Pane,
        };
        areas::areas(body, share)
    }

    /// Keys that only work while nothing is typed and nothing is asked.
    fn look(&mut self, action: Action, turn: &mut Turn<'_>) -> Step {
        let is_passed = turn
            .session
            .progress
            .lesson(&self.lesson.id)
            .lab(&self.given.id)
            .passed;
        if action == Action::Edit {
            self.mode = Mode::Editing;
        } else if action == Action::Device {
            self.device = turn.session.devices.after(&self.device);
            turn.session.devices.chosen = self.device.clone();
        } else if action == Action::Hint {
            self.shown.hints = (self.shown.hints + 1).min(self.given.hints.len());
            self.pane = Pane::Hints;
            self.scroll.wind();
        } else if action == Action::Solution && self.given.solution.is_some() {
            if is_passed {
                return self.confirmed(Then::ShowSolution, turn);
            }
            return ask(
                "Show the solution before you have passed?",
                Then::ShowSolution,
            );
        } else if action == Action::MoveDown {
            self.editor.scroll(1);
        } else if action == Action::MoveUp {
            self.editor.scroll(-1);
        } else if action == Action::Restore {
            return ask(
                "Throw your program away and start again?",
                Then::RestoreStarter,
            );
        }
        Step::Stay
    }
}

fn ask(question: &str, then: Then) -> Step {
    Step::Ask(Ask {
        question: question.to_owned(),
        then,
    })
}

impl Face for Lab {
    fn context(&self) -> Context {
        match &self.mode {
            Mode::Editing => Context::Editing,
            Mode::Predicting(predicting) => predicting.context(),
            Mode::Looking if self.is_running() => Context::Running,
            Mode::Looking => Context::Lab,
        }
    }

    fn title(&self, session: &Session) -> Title {
        Title {
            left: format!("lab · {}", self.given.title),
            right: format!("on {}", session.devices.title(&self.device)),
            bar: String::new(),
        }
    }

    fn column(&self, area: Rect) -> Rect {
        frame::whole(area)
    }

    fn act(&mut self, action: Action, turn: &mut Turn<'_>) -> Step {
        if let Mode::Predicting(_) = self.mode {
            return self.predict(action, turn);
        }
        if action == Action::Run {
            self.run(turn);
        } else if action == Action::Cancel {
            self.cancel(turn);
        } else if action == Action::Undo {
            self.editor.undo();
        } else if action == Action::NextPane {
            self.pane = self.pane.after(&self.given);
            self.scroll.rewind();
        } else if action == Action::PreviousPane {
            self.pane = self.pane.before(&self.given);
            self.scroll.rewind();
        } else if action == Action::Back {
            match self.mode {
                Mode::Editing => {
                    self.mode = Mode::Looking;
                    self.keep(turn);
                }
                Mode::Looking | Mode::Predicting(_) => return Step::Back,
            }
        } else if !self.scroll.act(action) {
            return self.look(action, turn);
        }
        Step::Stay
    }

    fn key(&mut self, key: KeyEvent, _turn: &mut Turn<'_>) {
        match &mut self.mode {
            Mode::Editing => self.editor.key(key),
            Mode::Predicting(predicting) => predicting.key(key),
            Mode::Looking => {}
        }
    }

    fn paste(&mut self, text: &str, _turn: &mut Turn<'_>) {
        match &mut self.mode {
            Mode::Editing => self.editor.paste(text),
            Mode::Predicting(predicting) => predicting.paste(text),
            Mode::Looking => {}
        }
    }

    fn reply(&mut self, reply: &Reply, turn: &mut Turn<'_>) {
        let Some(ran) = &mut self.run else { return };
        let was_running = ran.run.report.is_none();
        if was_running && ran.run.apply(reply.clone()) && ran.run.report.is_some() {
            self.finished(turn);
        }
    }

    fn confirmed(&mut self, then: Then, turn: &mut Turn<'_>) -> Step {
        match then {
            Then::ShowSolution => {
                self.shown.solution = true;
                self.pane = Pane::Hints;
                self.scroll.wind();
            }
            Then::RestoreStarter => {
                self.editor = Editor::new(&self.given.starter);
                self.keep(turn);
            }
            Then::Quit | Then::HandIn => {}
        }
        Step::Stay
    }

    fn leave(&mut self, turn: &mut Turn<'_>) {
        self.keep(turn);
        self.cancel(turn);
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let areas = self.areas(body);
        let gutter = self.gutter();
        self.editor
            .fit(areas.program, &gutter, session.theme, self.follow());
        let follows = self.is_running() && self.scroll.at_end() && self.scroll.len() > 0;
        let (lines, focus) = self.pane_lines(session, areas.pane.width);
        self.scroll.set(lines);
        self.scroll.fit(areas.pane.height);
        if !focus.is_empty() {
            self.scroll.show(&focus);
        } else if follows {
            self.scroll.wind();
        }
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let theme = session.theme;
        let areas = self.areas(body);
        let gutter = self.gutter();
        let name = ink::line(&format!("{}.py", self.given.id), theme.style(Role::Dim));
        ink::put_right(frame, areas.clocks, 0, &name);
        ink::put(
            frame,
            areas.clocks,
            0,
            &gutter.header(areas.program.width, theme),
        );
        self.editor
            .view(frame, areas.program, &gutter, (theme, self.follow()));
        ink::put_all(
            frame,
            areas.status,
            &self.status(session, areas.status.width),
        );
        frame::rule(frame, areas.tabs, 0, &self.tabs(session), theme);
        let place = ink::line(&self.scroll.place(), theme.style(Role::Dim));
        ink::put_right(frame, areas.tabs, 0, &place);
        self.scroll.view(frame, areas.pane);
        if let Some((rule, below)) = areas.timeline {
            let title = ink::line(" timeline ", theme.style(Role::Strong));
            frame::rule(frame, rule, 0, &title, theme);
            let lines: Vec<Line<'static>> = self.timeline(session, below.width);
            ink::put_all(frame, below, &lines);
        }
        if let Mode::Predicting(predicting) = &self.mode
            && let Some((row, column)) = predicting.cursor
        {
            let row = row
                .checked_sub(self.scroll.top())
                .and_then(|it| u16::try_from(it).ok());
            let column = u16::try_from(column).ok();
            if let (Some(row), Some(column)) = (row, column)
                && row < areas.pane.height
                && column < areas.pane.width
            {
                let at = Position::new(areas.pane.x + column, areas.pane.y + row);
                frame.set_cursor_position(at);
            }
        }
    }
}
