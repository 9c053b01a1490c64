//! The app as a function: events in, effects and frames out.
//!
//! No clock, file, thread or terminal here: the shell owns those and passes the time in. `view` reads
//! the state and never changes it.

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect, Size};

use super::effect::Effect;
use super::frame::{self, Areas, Banner};
use super::hyperlink::Hyperlink;
use super::keymap;
use super::screen::{Route, Step};
use super::session::{
    DoctorState, KeptLab, LabsMayRun, OpenedProgram, ReloadedCourse, SaveReport, Session,
    TraceState, UpdateContext,
};
use super::stack::{Stack, Wheel};
use super::theme::{self, Background, Letters};
use warpup_course::{Diagnostic, LessonId};
use warpup_doctor::NvmlCard;
use warpup_lab::device_table::DeviceFacts;
use warpup_lab::own_program::OwnProgram;
use warpup_progress::Feedback;
use warpup_protocol::{DeviceInfo, DeviceName, Reply};

/// How long what is typed stays in memory only, in milliseconds.
const TYPED_MS: u64 = 1500;

/// What can happen to the app.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The learner's own editor has ended: the new text of the program, or why it stays as it was.
    EditedOutside(Result<String, String>),
    /// The file of the learner's own program is another one now.
    ProgramChanged(Box<OwnProgram>),
    /// The learner's own program could not be written to its file, and why.
    ProgramNotSaved(String),
    /// The terminal says what is behind the text.
    Background(Background),
    /// The learner has come back to the terminal.
    FocusGained,
    /// The mouse was clicked at this place.
    Click(Position),
    /// The mouse was moved to this place with its button down.
    Drag(Position),
    /// The wheel of the mouse was turned.
    Wheel(Wheel),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// Files of the course folder have changed.
    Reloaded(Box<ReloadedCourse>),
    /// What is wrong in the files of the course.
    Problems(Vec<Diagnostic>),
    /// The devices that labs can run on.
    Devices(Vec<DeviceInfo>),
    /// What is known of devices besides their names.
    DeviceFacts(DeviceFacts),
    /// Somebody else wrote the course, and the learner has not agreed to run its labs.
    AskBeforeLabs,
    /// The lab worker replied.
    Lab(Reply),
    /// The cards of this machine; none where NVML does not say.
    Cards(Vec<NvmlCard>),
    /// Traces are read, or how far they are.
    Trace(TraceState),
    /// The doctor has a report, complete or so far.
    Doctor(DoctorState),
    /// A choice of the settings screen is in its file, or why it is not.
    SettingKept(Result<(), String>),
    /// The screen is in files, in these words, or why it is not.
    ScreenSaved(Result<String, String>),
    /// What an instructor has sent back.
    Feedback(Feedback),
    /// Records have reached the disk, or could not.
    Saved(SaveReport),
    /// The time has come that [`App::wake_at`] asked for.
    Tick,
    /// The system asks the app to end.
    Terminate,
}

/// The state of the app.
#[derive(Debug)]
pub(crate) struct App {
    pub(super) session: Session,
    stack: Stack,
    size: Size,
    /// Whether something came in after the last layout.
    is_stale: bool,
}

impl App {
    /// The app at the map of the course.
    pub(crate) fn new(session: Session, size: Size) -> Self {
        let stack = Stack::new(&session);
        Self {
            session,
            stack,
            size,
            is_stale: false,
        }
    }

    /// Opens the page that the learner read last, if any, where it was left, and over it the quiz that they answered since. Who has
    /// finished that lesson begins at the map.
    pub(crate) fn resume(&mut self, now_ms: u64) -> Vec<Effect> {
        let progress = &self.session.learner.progress;
        let place = progress.place();
        let place = place.filter(|(lesson, _)| !progress.lesson(lesson).is_finished());
        let is_in_quiz = place
            .as_ref()
            .is_some_and(|(lesson, _)| progress.is_left_in_quiz(lesson));
        self.work(now_ms, |stack, ctx| {
            if let Some((lesson, _)) = place {
                stack.step(Step::Open(Route::Lesson(lesson.clone(), None)), ctx);
                if is_in_quiz {
                    stack.step(Step::Open(Route::Quiz(lesson)), ctx);
                }
            }
        })
    }

    /// Opens what an author is writing: the quiz of a lesson, or its pages from the first one.
    pub(crate) fn open_written(
        &mut self,
        lesson: LessonId,
        is_quiz: bool,
        now_ms: u64,
    ) -> Vec<Effect> {
        let first = self.session.lesson(&lesson).and_then(|it| it.pages.first());
        let page = first.map(|it| it.id.clone());
        self.work(now_ms, |stack, ctx| {
            let pages = Route::Lesson(lesson.clone(), page);
            stack.step(Step::Open(pages), ctx);
            if is_quiz {
                stack.step(Step::Open(Route::Quiz(lesson)), ctx);
            }
        })
    }

    /// Opens a trace of the learner's own, over the map.
    pub(crate) fn open_trace(&mut self, file: String, now_ms: u64) -> Vec<Effect> {
        let percent = None;
        self.session.traces = TraceState::Reading { file, percent };
        self.work(now_ms, |stack, ctx| {
            stack.step(Step::Open(Route::Trace), ctx);
        })
    }

    /// Opens a program of the learner's own, over the map.
    pub(crate) fn open_program(
        &mut self,
        program: OwnProgram,
        device: Option<DeviceName>,
        now_ms: u64,
    ) -> Vec<Effect> {
        let choice = &self.session.machine.devices.choice;
        self.session.labs.program = Some(OpenedProgram {
            device: device.unwrap_or_else(|| choice.device(&program.wish())),
            began_with: program.source.clone(),
            saved_text: None,
            program,
            left: KeptLab::default(),
        });
        self.work(now_ms, |stack, ctx| {
            stack.step(Step::Open(Route::Program), ctx);
        })
    }

    /// When the app wants an [`Event::Tick`]; nothing while nobody types, nothing runs, and no
    /// card is on the screen.
    pub(crate) fn wake_at(&self) -> Option<u64> {
        let since = self.stack.typed_since();
        let typed = since.map(|it| it.saturating_add(TYPED_MS));
        let next = self.session.machine.cards.next_ms();
        let cards = next.filter(|_| self.stack.is_at_home());
        let all = typed.into_iter().chain(self.stack.wake_at());
        all.chain(cards).min()
    }

    /// Takes an event in.
    pub(crate) fn update(&mut self, event: Event, now_ms: u64) -> Vec<Effect> {
        if let Event::Resize(width, height) = event {
            self.size = Size::new(width, height);
        }
        // Output is laid out once a frame: a program may print faster than that.
        if !matches!(event, Event::Lab(_)) {
            self.settle();
        }
        let is_input = matches!(
            event,
            Event::Key(_) | Event::Paste(_) | Event::Click(_) | Event::Drag(_) | Event::Wheel(_)
        );
        let had_notice = is_input && self.session.view.notice.take().is_some();
        let areas = self.areas();
        // On a smaller terminal, how much is below shares the row with the keys.
        let footer = areas.filter(|_| self.size.height >= frame::ROOMY && !had_notice);
        let (footer, body) = (footer.map(|it| it.footer), areas.map(|it| it.body));
        self.work(now_ms, |stack, ctx| match event {
            Event::EditedOutside(edited) => stack.edited_outside(edited, ctx),
            Event::ProgramChanged(now) => {
                stack.change_program(|lab| lab.file_changed(&now));
                if let Some(opened) = &mut ctx.session.labs.program {
                    opened.program = *now;
                    opened.saved_text = None;
                }
            }
            Event::ProgramNotSaved(why) => {
                stack.change_program(|lab| lab.file_not_saved(&why));
                if let Some(opened) = &mut ctx.session.labs.program {
                    opened.saved_text = Some(String::new());
                }
            }
            Event::Click(at) => stack.click(at, (footer, body), ctx),
            Event::Drag(at) => stack.drag(at, body),
            Event::Wheel(wheel) => stack.wheel(wheel, ctx),
            Event::Key(key) => stack.key(keymap::meant(key), ctx),
            Event::Paste(text) => stack.paste(&text, ctx),
            Event::Resize(..) => {}
            Event::Background(background) => {
                ctx.session.settings.take_background(background);
                let colours = ctx.session.settings.colours();
                if std::mem::replace(&mut ctx.session.theme.colours, colours) != colours {
                    // Text that is laid out has the colours of then.
                    stack.come_back(ctx);
                }
            }
            Event::FocusGained => ctx.effects.push(Effect::AskBackground),
            Event::Lab(reply) => stack.reply(&reply, ctx),
            Event::AskBeforeLabs => ctx.session.labs.may_run = LabsMayRun::Ask,
            Event::Reloaded(read) => stack.reload(*read, ctx),
            Event::Problems(problems) => ctx.session.course.problems = problems,
            Event::Devices(devices) => ctx.session.machine.devices.learn(devices),
            Event::DeviceFacts(facts) => ctx.session.machine.devices.learn_facts(facts),
            Event::Cards(cards) => ctx.session.machine.cards.learn(cards, now_ms),
            Event::Trace(state) => ctx.session.traces = state,
            Event::Doctor(looked) => ctx.session.machine.doctor = looked,
            Event::SettingKept(kept) => ctx.session.settings.note(kept),
            Event::ScreenSaved(Ok(said) | Err(said)) => ctx.session.view.notice = Some(said),
            Event::Feedback(feedback) => ctx.session.learner.feedback = feedback,
            Event::Saved(report) => Stack::saved(report, ctx),
            Event::Tick => stack.tick(ctx),
            Event::Terminate => stack.end(ctx),
        })
    }

    fn areas(&self) -> Option<Areas> {
        frame::areas(self.size, Banner::of(&self.session).as_ref())
    }

    /// Lays out what events have changed. Call it before every frame.
    pub(crate) fn settle(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            let areas = self.areas();
            let body = areas.map_or(Rect::ZERO, |it| it.body);
            self.stack.fit(&self.session, body);
        }
    }

    /// The whole addresses that [`App::view`] draws.
    pub(crate) fn hyperlinks(&self) -> Vec<Hyperlink> {
        let areas = self.areas();
        areas.map_or_else(Vec::new, |it| self.stack.hyperlinks(it.body))
    }

    /// Draws the state.
    pub(crate) fn view(&self, frame: &mut Frame<'_>) {
        let theme = self.session.theme;
        match self.areas() {
            Some(areas) => {
                let (stack, session) = (&self.stack, &self.session);
                let title = stack.title(session).saying(&session.learner.saving);
                if let Some(banner) = Banner::of(session) {
                    frame::banner(frame, areas.banner, &banner, theme);
                }
                frame::head(frame, stack.column(areas.title), &title, theme);
                stack.view(session, frame, areas.body);
                let keys = stack.footer(session);
                let row = stack.view_line(frame, stack.column(areas.footer), theme);
                match &session.view.notice {
                    Some(notice) => frame::notice(frame, row, notice, theme),
                    None => frame::foot(frame, row, &keys, theme),
                }
            }
            None => frame::too_small(frame, theme),
        }
        if theme.letters == Letters::Ascii {
            theme::make_ascii(frame.buffer_mut());
        }
    }

    fn work(
        &mut self,
        now_ms: u64,
        work: impl FnOnce(&mut Stack, &mut UpdateContext<'_>),
    ) -> Vec<Effect> {
        let mut ctx = UpdateContext {
            session: &mut self.session,
            now_ms,
            effects: Vec::new(),
        };
        work(&mut self.stack, &mut ctx);
        self.stack.follow_tour(ctx.session);
        if ctx.session.labs.may_run == LabsMayRun::Ask {
            self.stack.hold_back(&mut ctx);
        }
        self.stack.deliver(&mut ctx);
        self.is_stale = true;
        ctx.effects
    }
}
