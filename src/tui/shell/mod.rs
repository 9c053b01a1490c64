//! The only part of the app that waits: terminal, clock, disk, lab worker.
//!
//! Everything that can happen arrives on one bounded channel. The loop blocks on it, takes in what has
//! gathered, draws once and then does what the app asked for. Nothing polls, so an idle app costs
//! nothing, and two hundred keys held down cost a few frames.

mod canvas;
mod doctor;
mod labs;
mod sources;
mod terminal;

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use ratatui::layout::Size;
use rustix::process::{Signal, kill_current_process_group};
use ulid::Ulid;

use super::app::{App, Effect, Event};
use super::session::Session;
use super::theme::Theme;
use crate::course::{Course, Diagnostic};
use crate::lab::engine::Workers;
use crate::progress::{Progress, Record};
use crate::protocol::DeviceInfo;
use crate::store;
use crate::store::log::{Log, SaveError};
use doctor::Doctor;
use labs::Labs;
use terminal::Screen;

/// Messages that may wait. A lab that prints faster than frames are drawn waits, too.
const WAITING: usize = 512;

/// Messages that are taken in before a frame is drawn.
const BATCH: usize = 256;

/// What labs can run on here.
#[derive(Debug)]
pub struct Machine {
    /// What can be chosen before the first run.
    pub devices: Vec<DeviceInfo>,
    /// What will run labs.
    pub workers: Workers,
}

/// Runs the app until the learner quits. A lab worker is started when the first lab runs; `machine` is asked
/// once the first screen is drawn.
pub fn run(
    course: Course,
    problems: Vec<Diagnostic>,
    progress: Progress,
    log: Log,
    machine: impl FnOnce() -> Machine,
) -> anyhow::Result<()> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        anyhow::bail!("the app needs a terminal; `warpup read`, `run` and `quiz` work without one");
    }
    let theme = Theme::of_environment(|name| std::env::var(name).ok());
    let random = Ulid::generate().random();
    let session = Session::new(course, problems, progress, theme, random);
    let (sender, messages) = sync_channel(WAITING);
    sources::start(&sender).context("cannot start the threads that listen")?;
    let mut screen = Screen::enter().context("cannot set the terminal up")?;
    let mut app = App::new(session, screen.size());
    let mut first = app.go_on(now_ms());
    screen.draw(&mut app)?;
    // Nobody waits for the list: no lab can be open yet.
    let Machine { devices, workers } = machine();
    first.extend(app.update(Event::Devices(devices), now_ms()));
    let mut shell = Shell {
        log,
        doctor: Doctor {
            cards: workers.cards.clone(),
            messages: sender.clone(),
        },
        labs: Labs::new(workers, sender.clone()),
        echo: Vec::new(),
    };
    sources::start_keys(&sender).context("cannot start the thread that reads keys")?;
    let ended = shell.turn(&mut app, &mut screen, first)?;
    if ended.is_continue() {
        shell.serve(&mut app, &mut screen, &messages)?;
    }
    drop(screen);
    shell.finish()
}

/// Something that happened, for the app or for the shell itself.
#[derive(Debug)]
enum Message {
    /// For the app.
    App(Box<Event>),
    /// The process is to be stopped until it is continued.
    Suspend,
    /// The process was continued: the terminal may show anything.
    Repaint,
    /// The process is to end by this signal.
    Die(i32),
}

struct Shell {
    log: Log,
    labs: Labs,
    doctor: Doctor,
    /// What the app is to be told of its own effects.
    echo: Vec<Event>,
}

impl Shell {
    /// Takes messages in until the app ends.
    fn serve(
        &mut self,
        app: &mut App,
        screen: &mut Screen,
        messages: &Receiver<Message>,
    ) -> anyhow::Result<()> {
        loop {
            let first = messages.recv().context("every source of events stopped")?;
            let mut effects = Vec::new();
            for message in std::iter::once(first).chain(messages.try_iter().take(BATCH)) {
                match message {
                    Message::App(event) => {
                        if let Event::Resize(width, height) = *event {
                            screen.resize(Size::new(width, height))?;
                        }
                        effects.extend(app.update(*event, now_ms()));
                    }
                    Message::Suspend => effects.push(Effect::Suspend),
                    Message::Repaint => screen.forget(),
                    Message::Die(signal) => self.die(app, signal),
                }
            }
            screen.draw(app)?;
            if self.turn(app, screen, effects)?.is_break() {
                return Ok(());
            }
        }
    }

    /// Does what the app asked for, tells it what came of it, and draws that.
    fn turn(
        &mut self,
        app: &mut App,
        screen: &mut Screen,
        effects: Vec<Effect>,
    ) -> anyhow::Result<ControlFlow<()>> {
        for effect in effects {
            if self.perform(effect, screen)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let echo = std::mem::take(&mut self.echo);
        if echo.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut more = Vec::new();
        for event in echo {
            more.extend(app.update(event, now_ms()));
        }
        screen.draw(app)?;
        // Being told of its effects makes the app ask for saving at most, so this ends.
        self.turn(app, screen, more)
    }

    fn perform(&mut self, effect: Effect, screen: &mut Screen) -> anyhow::Result<ControlFlow<()>> {
        match effect {
            Effect::Run(request) => {
                let failed = self.labs.run(request);
                self.echo.extend(failed.map(Event::Lab));
            }
            Effect::Cancel(run) => self.labs.cancel(run),
            Effect::LetCardGo => self.labs.let_card_go(),
            Effect::Look => {
                // A worker that lingers would be in the way of the one that looks, where a card takes only one.
                self.labs.let_card_go();
                let failed = self.doctor.look();
                self.echo.extend(failed.map(Event::Looked));
            }
            Effect::Save(record) => self.save(&record),
            Effect::SaveElsewhere => {
                if let Ok(folder) = store::private_folder() {
                    let saved = self.log.save_to(&folder, now_ms());
                    self.echo.push(match saved {
                        Ok(()) => Event::SavedElsewhere(folder.display().to_string()),
                        Err(error) => failed(&self.log, &error),
                    });
                }
            }
            Effect::Suspend => {
                self.labs.drop_card();
                screen.leave();
                kill_current_process_group(Signal::STOP).context("cannot suspend")?;
                screen
                    .come_back()
                    .context("cannot set the terminal up again")?;
                self.echo
                    .push(Event::Resize(screen.size().width, screen.size().height));
            }
            Effect::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn save(&mut self, record: &Record) {
        let before = self.log.unsaved();
        match self.log.save(record) {
            Ok(()) if before > 0 => self.echo.push(Event::Saved),
            Ok(()) => {}
            Err(error) => self.echo.push(failed(&self.log, &error)),
        }
    }

    /// Saves what can be saved and ends the process at once.
    fn die(&mut self, app: &mut App, signal: i32) {
        for effect in app.update(Event::Terminate, now_ms()) {
            if let Effect::Save(record) = effect {
                self.save(&record);
            }
        }
        drop(self.log.flush(now_ms()));
        terminal::restore();
        signal_hook::low_level::exit(128 + signal);
    }

    /// Writes what is still unsaved, after the terminal is the learner's again.
    fn finish(mut self) -> anyhow::Result<()> {
        let flushed = self.log.flush(now_ms());
        let unsaved = self.log.unsaved();
        flushed.with_context(|| format!("{unsaved} records are not saved"))
    }
}

fn failed(log: &Log, error: &SaveError) -> Event {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    Event::SaveFailed {
        unsaved: log.unsaved().max(1),
        why: cause.unwrap_or_else(|| error.to_string()),
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}
