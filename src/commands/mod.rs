//! One file a subcommand; wires the rest together.
//!
//! The rim: time is taken here, files are opened here, and exit statuses are chosen here. What a command
//! prints goes through a [`Console`], so that each is tested with text in and text out.

mod check;
mod completions;
mod console;
mod courses;
mod doctor;
mod failure;
mod find;
mod floor;
mod handoff;
mod learner;
mod map;
mod nvml;
mod open;
mod plain;
mod plan;
mod program_file;
mod progress;
mod quiz;
mod read;
mod run;
mod runner;
#[cfg(test)]
mod sample;
mod workers;

pub use console::{Console, Format};
pub use failure::{Exit, Failure};

use crate::cli::{Cli, Command, ProgressCommand};
use crate::course::Course;
use crate::shown::Letters;
use crate::store;
use crate::worker::{self, Confinement};
use learner::Learner;
use runner::Runner;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

/// A learner, a course and a console: what most commands work with.
struct CommandContext<'a, 'c> {
    course: &'a Course,
    learner: &'a mut Learner,
    console: &'a mut Console<'c>,
    /// Milliseconds since 1970 UTC.
    clock: fn() -> u64,
}

/// Does what the command line says, and says what went wrong.
pub fn main(cli: Cli) -> ExitCode {
    if matches!(cli.command, Some(Command::Worker)) {
        return worker::main(Confinement::Host);
    }
    match dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report(&mut io::stderr().lock()).into(),
    }
}

fn dispatch(cli: Cli) -> Result<Exit, Failure> {
    let dir = cli.course.as_deref();
    match cli.command {
        None if cli.plain || is_terminal() && !can_draw() => {
            at_console(|console| seated(dir, console, plain::take))
        }
        None if is_terminal() => open::app(dir),
        None => at_console(|console| seated(dir, console, map::print)),
        Some(_) if cli.plain => Err(Failure::arguments_but(
            "`--plain` takes the whole course, and no command with it",
            "every command prints plain lines by itself",
        )),
        Some(command) => at_console(|console| on_console(dir, command, console)),
    }
}

fn on_console(
    dir: Option<&Path>,
    command: Command,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    match command {
        Command::Read { lesson, page } => {
            let opened = courses::open(dir)?;
            opened.warn(console)?;
            read::print(&opened.course, &lesson, page.as_deref(), console)
        }
        Command::Run(args) => {
            let workers = workers::as_set(console)?;
            run::can_be_had(args.device.as_ref(), &workers)?;
            seated(dir, console, |seat| {
                let runner = Runner::start(workers)?;
                run::run(seat, &args, &mut |request| runner.run(request))
            })
        }
        Command::Plan(args) => {
            let runner = Runner::start(workers::without_cards())?;
            plan::plan(&args, &mut |request| runner.run(request), console)
        }
        Command::Floor(args) => floor::print(&args, console),
        Command::Quiz {
            lesson,
            answers,
            words,
            short,
            json,
        } => seated(dir, console, |seat| match (answers, words) {
            (None, false) if short => quiz::ask_short(seat, &lesson),
            (None, false) => quiz::ask(seat, &lesson),
            (None, true) => quiz::ask_for_words(seat, &lesson),
            (Some(path), false) => {
                quiz::from_file(seat, &lesson, &path, (short.into(), json.into()))
            }
            (Some(path), true) => quiz::words_from_file(seat, &lesson, &path),
        }),
        Command::Handoff { out, json } => {
            let workers = workers::as_set(console)?;
            seated(dir, console, |seat| {
                handoff::tell(seat, &workers.cards, out.as_deref(), json.into())
            })
        }
        Command::Progress { command: None } => {
            seated(dir, console, |seat| progress::show(seat, Format::Text))
        }
        Command::Progress {
            command: Some(ProgressCommand::Show { json }),
        } => seated(dir, console, |seat| progress::show(seat, json.into())),
        Command::Progress {
            command: Some(ProgressCommand::Reset { lesson, yes }),
        } => seated(dir, console, |seat| {
            progress::reset(seat, lesson.as_deref(), yes.into())
        }),
        Command::Check {
            dir: other,
            run_labs,
            json,
        } => {
            let opened = courses::open(other.as_deref().or(dir))?;
            if !run_labs {
                return check::check(&opened, None, json.into(), console);
            }
            // On modelled cards, so that a course is proved alike wherever that is done.
            let runner = Runner::start(workers::without_cards())?;
            let mut run_lab = |request| runner.run(request);
            check::check(&opened, Some(&mut run_lab), json.into(), console)
        }
        Command::Doctor { json } => {
            let opened = courses::open(dir)?;
            let workers = workers::as_set(console)?;
            doctor::look(&opened.course, &workers.cards, json.into(), console)
        }
        Command::Nvml => nvml::print(console),
        Command::Completions { shell } => {
            console.out.write_all(&completions::script(shell))?;
            Ok(Exit::Fine)
        }
        // Served before there was a console: it owns stdin and stdout.
        Command::Worker => Ok(Exit::Fine),
    }
}

/// Does something with the course and what the learner has done in it.
fn seated(
    dir: Option<&Path>,
    console: &mut Console<'_>,
    work: impl FnOnce(&mut CommandContext<'_, '_>) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let opened = courses::open(dir)?;
    opened.warn(console)?;
    let data = store::data_dir().map_err(anyhow::Error::from)?;
    let mut learner = Learner::load(&data, &opened.course.id);
    let exit = work(&mut CommandContext {
        course: &opened.course,
        learner: &mut learner,
        console,
        clock: now_ms,
    })?;
    learner.finish(console, exit)
}

fn at_console(
    work: impl FnOnce(&mut Console<'_>) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let (mut input, mut out, mut err) =
        (io::stdin().lock(), io::stdout().lock(), io::stderr().lock());
    work(&mut Console {
        input: &mut input,
        out: &mut out,
        err: &mut err,
        is_terminal: is_terminal(),
        width: width(),
        letters: Letters::of_environment(|name| std::env::var(name).ok()),
    })
}

/// Whether somebody sits in front of input and output.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Whether the terminal can do more than print.
fn can_draw() -> bool {
    std::env::var_os("TERM").is_some_and(|it| it != "dumb")
}

/// The columns of the terminal; 80 where there is none.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout());
    match size {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
        Ok(_) | Err(_) => 80,
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
}
