//! The only part of the app that waits: terminal, clock, disk, lab worker.
//!
//! The loop blocks until keys or messages of other threads arrive, handles all that have arrived, performs the app's
//! effects and then draws once. Nothing polls, so an idle app costs
//! nothing, and two hundred keys held down cost a few frames.

mod background;
mod canvas;
mod course_files;
mod doctor;
mod event_loop;
mod feedback;
mod folder_watch;
mod inbox;
mod keyboard;
mod labs;
mod last_save;
mod message;
mod outside_editor;
mod program_file;
mod saver;
mod screen_files;
mod sources;
mod terminal;
mod trace;
mod trace_source;

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use ratatui::layout::Size;
use rustix::process::{Signal, kill_current_process_group};
use ulid::Ulid;

use super::app::{App, Event};
use super::effect::Effect;
use super::keymap::Keys;
use super::picture;
use super::session::{PreviewStatus, Session, Settings};
use super::theme::{Colours, Letters, Theme};
pub use course_files::{CourseFolder, CourseNow};
use doctor::Doctor;
use event_loop::{Platform, perform_and_draw, serve};
pub use folder_watch::FolderWatch;
use inbox::Inbox;
use labs::Labs;
pub use program_file::ProgramFile;
use saver::Saver;
use terminal::{Screen, TerminalFeatures};
pub use trace::TraceSource;
use warpup_course::{Course, CourseId, Diagnostic, LessonId};
use warpup_lab::device_table::DeviceFacts;
use warpup_lab::engine::{Workers, job_control};
use warpup_progress::Progress;
use warpup_protocol::{DeviceInfo, DeviceName};
use warpup_store::consent::MissingConsent;
use warpup_store::log::Log;
use warpup_store::settings::{self, Change, ScreenSettings, ThemeSetting};
use warpup_text::shown::Shown;
use warpup_text::zone::Zone;

/// The devices and workers of this machine.
#[derive(Debug)]
pub struct Machine {
    /// The devices that are known before the first run.
    pub devices: Vec<DeviceInfo>,
    /// What is known of them besides their names.
    pub facts: DeviceFacts,
    /// The executables that run labs.
    pub workers: Workers,
}

/// What the first screen does not wait for.
pub struct DeferredStart {
    /// What is wrong in the files of the course.
    pub problems: Vec<Diagnostic>,
    /// The consent to run the labs of somebody else's course, where it is missing.
    pub consent: Option<MissingConsent>,
    /// What labs can run on.
    pub machine: Machine,
    /// The folder of the course, if it was read from one.
    pub folder: Option<CourseFolder>,
}

/// What the app opens with.
pub struct StartState {
    /// The course.
    pub course: Course,
    /// What the learner has done.
    pub progress: Progress,
    /// Where that is saved.
    pub log: Log,
    /// What is set about the terminal.
    pub screen: ScreenSettings,
    /// The keys in force.
    pub keys: Keys,
    /// What is wrong with the settings, in words for a person.
    pub warnings: Vec<String>,
    /// What an author previews; nothing for learners.
    pub preview: Option<Preview>,
    /// Traces of the learner's own to open; none for the course.
    pub traces: Vec<TraceSource>,
    /// A program of the learner's own to open.
    pub program: Option<ProgramFile>,
}

/// What an author previews, and how.
#[derive(Debug)]
pub struct Preview {
    /// The lesson, and whether its quiz is opened; the map when left out.
    pub start: Option<(LessonId, bool)>,
    /// Where labs run that ask for no device.
    pub device: Option<DeviceName>,
    /// The part of the terminal that is used, if it is not all of it.
    pub size: Option<(u16, u16)>,
    /// What is wrong in the files.
    pub status: PreviewStatus,
}

impl Preview {
    /// Prepares the terminal and the session. Gives what is opened.
    fn begin(self, session: &mut Session) -> Option<(LessonId, bool)> {
        if let Some((width, height)) = self.size {
            terminal::use_at_most(Size::new(width, height));
        }
        session.machine.devices.choice.any = self.device.unwrap_or_default();
        session.course.preview = Some(self.status);
        self.start
    }
}

/// Opens what comes first: what an author writes, a trace, or where the learner left off.
fn open_first(
    app: &mut App,
    written: Option<(LessonId, bool)>,
    traces: &[TraceSource],
    program: Option<&ProgramFile>,
) -> Vec<Effect> {
    match (written, traces.first(), program) {
        (Some((lesson, is_quiz)), _, _) => app.open_written(lesson, is_quiz, now_ms()),
        (None, Some(trace), _) => app.open_trace(trace.name(), now_ms()),
        (None, None, Some(it)) => app.open_program(it.program.clone(), it.device.clone(), now_ms()),
        (None, None, None) => app.resume(now_ms()),
    }
}

/// Runs the app until the learner quits. A lab worker is started when the first lab runs; `rest` is asked
/// once the first screen is drawn.
pub fn run(opening: StartState, rest: impl FnOnce() -> DeferredStart) -> anyhow::Result<()> {
    let StartState {
        course,
        progress,
        log,
        screen: set,
        keys,
        warnings,
        preview,
        traces,
        program,
    } = opening;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        anyhow::bail!("the app needs a terminal; `warpup read`, `run` and `quiz` work without one");
    }
    let variable = |name: &str| std::env::var(name).ok();
    let theme = Theme::of_environment(set.theme, variable);
    let mut session = new_session(course, progress, theme, keys);
    session.settings = in_force(set, warnings);
    let (sender, mut inbox) = Inbox::new().context("cannot make the channel of the app")?;
    sources::start_signals(&sender).context("cannot start the thread of signals")?;
    let course = session.course.about.id.clone();
    let set_up = features(set.mouse, &session);
    let start = preview.and_then(|it| it.begin(&mut session));
    let mut screen = Screen::enter(set_up).context("cannot set the terminal up")?;
    let mut app = App::new(session, screen.size());
    let mut first = open_first(&mut app, start, &traces, program.as_ref());
    screen.draw(&mut app)?;
    let failed = trace::read(traces, sender.clone());
    // The first screen does not wait for threads to start, nor for the page tables that their first steps lock.
    let saver = Saver::start(log, course.clone(), sender.clone())
        .context("cannot start the thread that saves")?;
    // No lab can be open yet.
    let DeferredStart {
        problems,
        consent,
        machine,
        folder,
    } = rest();
    let Machine {
        devices,
        facts,
        workers,
    } = machine;
    let may_have_card = facts.no_driver.is_none();
    let found = [
        Event::Problems(problems),
        Event::Devices(devices),
        Event::DeviceFacts(facts),
    ];
    let asks = consent.is_some().then_some(Event::AskBeforeLabs);
    for event in found.into_iter().chain(asks).chain(failed) {
        first.extend(app.update(event, now_ms()));
    }
    let consent = Arc::new(Mutex::new(consent));
    let mut shell = Shell {
        screen,
        saver,
        doctor: Doctor {
            cards: workers.cards.clone(),
            messages: sender.clone(),
        },
        labs: Labs::new(workers, sender.clone()),
        consent: Arc::clone(&consent),
        program: program.as_ref().map(|it| it.path.clone()),
    };
    if may_have_card && doctor::has_driver() {
        first.push(Effect::AskCards);
    }
    sources::start_terminal(&sender).context("cannot start the thread of the terminal")?;
    if let Some(folder) = folder {
        let started = course_files::start(folder, &consent, &sender);
        started.context("cannot start the thread that watches the course")?;
    }
    look_for_changes(program, course, &sender)?;
    if perform_and_draw(&mut app, &mut shell, first)?.is_continue() {
        inbox.read_keys();
        serve(&mut app, &mut shell, &mut inbox)?;
    }
    shell.finish()
}

/// Begins to watch the file of the learner's own program, if one is open, and looks for what was sent back.
fn look_for_changes(
    program: Option<ProgramFile>,
    course: CourseId,
    sender: &message::MessageSender,
) -> anyhow::Result<()> {
    let started = program
        .map(|it| program_file::start(it, sender))
        .transpose();
    started.context("cannot start the thread that watches the program")?;
    let looks = feedback::start(course, sender);
    looks.context("cannot start the thread that looks for what was sent back")
}

/// A session with what this process alone knows.
fn new_session(course: Course, progress: Progress, theme: Theme, keys: Keys) -> Session {
    // To find the zone takes files, and only deadlines are shown in it.
    let zone = (!course.due_ms.is_empty()).then(Zone::system);
    let mut session = Session::new(course, progress, theme, Ulid::generate().random());
    session.keys = keys;
    session.learner.is_guest = warpup_store::guest().is_some();
    session.zone = zone.unwrap_or(Zone::UTC);
    session
}

/// What is asked of this terminal.
fn features(mouse: bool, session: &Session) -> TerminalFeatures {
    let is_quiet = terminal::is_quiet(std::env::var("TERM").ok().as_deref());
    TerminalFeatures {
        mouse,
        links: session.theme.letters == Letters::Unicode && is_quiet,
        background: session.settings.automatic.depend_on_background() && is_quiet,
    }
}

/// The settings in force.
fn in_force(set: ScreenSettings, warnings: Vec<String>) -> Settings {
    let variable = |name: &str| std::env::var(name).ok();
    Settings {
        file: settings::file().map(|it| it.display().to_string()),
        theme: set.theme,
        automatic: Colours::of_environment(ThemeSetting::Auto, &variable),
        mouse: set.mouse,
        warnings,
        ..Settings::default()
    }
}

/// What the effects are performed on.
struct Shell {
    screen: Screen,
    saver: Saver,
    labs: Labs,
    doctor: Doctor,
    /// The consent to run the labs as they are now, where it is missing.
    consent: Arc<Mutex<Option<MissingConsent>>>,
    /// The file of the learner's own program, if one is open.
    program: Option<PathBuf>,
}

impl Platform for Shell {
    fn perform(&mut self, effect: Effect) -> anyhow::Result<ControlFlow<(), Vec<Event>>> {
        let event = match effect {
            Effect::Run(request) => self.labs.run(request).map(Event::Lab),
            Effect::Cancel(run) => {
                self.labs.cancel(run);
                None
            }
            Effect::ReleaseCard => {
                self.labs.release_card();
                None
            }
            Effect::RunDoctor => {
                // Some cards take one process at a time, so a lingering worker would block the doctor's.
                self.labs.release_card();
                self.doctor.run().map(Event::Doctor)
            }
            Effect::AskCards => {
                self.doctor.ask_cards();
                None
            }
            Effect::EditOutside { name, text } => {
                let edited = outside_editor::edit(&name, &text, &mut self.screen)?;
                let Size { width, height } = self.screen.size();
                let events = vec![Event::Resize(width, height), Event::EditedOutside(edited)];
                return Ok(ControlFlow::Continue(events));
            }
            Effect::Copy(text) => {
                Screen::copy(&text)?;
                None
            }
            Effect::SaveScreen(saved) => {
                let picture = picture::svg(&self.screen.shown(), saved.paper, &saved.title);
                Some(Event::ScreenSaved(screen_files::save(&saved, &picture)))
            }
            Effect::AskBackground => {
                Screen::ask_background()?;
                None
            }
            Effect::KeepConsent => {
                let consent = self.consent.lock();
                if let Some(consent) = &*consent.unwrap_or_else(PoisonError::into_inner) {
                    // Where it cannot be kept, the learner is asked again next time.
                    drop(consent.give());
                }
                None
            }
            Effect::KeepSeen(remarks) => {
                feedback::keep_seen(&remarks);
                None
            }
            Effect::Set(change) => {
                if let Change::Mouse(mouse) = change {
                    self.screen.set_mouse(mouse)?;
                }
                Some(Event::SettingKept(settings::keep(change)))
            }
            Effect::Save(record) => {
                self.saver.save(record);
                None
            }
            Effect::SaveProgram(text) => program_file::save(self.program.as_ref(), &text),
            Effect::SaveElsewhere => {
                self.saver.save_elsewhere();
                None
            }
            Effect::Suspend => Some(self.suspend()?),
            Effect::Quit => return Ok(ControlFlow::Break(())),
        };
        Ok(ControlFlow::Continue(event.into_iter().collect()))
    }

    fn draw(&mut self, app: &mut App) -> anyhow::Result<()> {
        Ok(self.screen.draw(app)?)
    }

    fn resize(&mut self) -> anyhow::Result<Size> {
        // A terminal that is gone has no size; the thread that watches for that ends the app.
        if let Ok(size) = terminal::size() {
            self.screen.resize(size)?;
        }
        Ok(self.screen.size())
    }

    fn repaint(&mut self) -> anyhow::Result<()> {
        Ok(self.screen.forget()?)
    }

    fn die(&mut self, last: Vec<Effect>, signal: i32) {
        for effect in last {
            if let Effect::Save(record) = effect {
                self.saver.save(record);
            } else if let Effect::SaveProgram(text) = effect {
                drop(program_file::save(self.program.as_ref(), &text));
            }
        }
        let finished = self.saver.finish();
        terminal::restore();
        if let Some(said) = finished.warning().or_else(|| finished.note()) {
            // A terminal that is gone takes no words.
            drop(writeln!(io::stderr(), "{}", Shown::new(&said)));
        }
        warpup_store::end_guest();
        signal_hook::low_level::exit(128 + signal);
    }

    fn now_ms(&self) -> u64 {
        now_ms()
    }
}

impl Shell {
    /// Stops the process; continues here, in a terminal that may have another size. Without somebody who could
    /// continue it, as under `ssh -t HOST warpup`, nothing happens.
    fn suspend(&mut self) -> anyhow::Result<Event> {
        if job_control::can_be_continued() {
            self.labs.end_runs();
            self.screen.leave();
            kill_current_process_group(Signal::STOP).context("cannot suspend")?;
            let back = self.screen.come_back();
            back.context("cannot set the terminal up again")?;
        }
        let Size { width, height } = self.screen.size();
        Ok(Event::Resize(width, height))
    }

    /// Saves what is still unsaved, then restores the terminal.
    fn finish(self) -> anyhow::Result<()> {
        let Self {
            mut saver, screen, ..
        } = self;
        let finished = saver.finish();
        drop(screen);
        if let Some(note) = finished.note() {
            drop(writeln!(io::stderr(), "{}", Shown::new(&note)));
        }
        match finished.warning() {
            None => Ok(()),
            Some(warning) => Err(anyhow::anyhow!(warning)),
        }
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}
