//! One file a subcommand, and the table of which file executes which.
//!
//! The impure rim: clocks are read, files are opened and exit statuses are chosen here. What a command prints goes
//! through a `Console`, so that each is tested with text in and text out.

mod check;
mod class;
mod completions;
mod consent;
mod console;
mod context;
mod course_argument;
mod course_choice;
mod courses;
mod doctor;
mod export;
mod failure;
mod file;
mod file_failure;
mod find;
mod floor;
mod found;
mod git;
mod handoff;
mod ignored_signals;
mod import;
mod lab;
mod launch;
mod learner;
mod man;
mod map;
mod messages;
mod new;
mod nvml;
mod open;
mod pack;
mod plain;
mod plan;
mod preview;
mod program_file;
mod program_folder;
mod progress;
mod quiz;
mod read;
mod record;
mod records;
mod repository;
mod run;
mod runner;
#[cfg(test)]
mod sample;
mod schema;
mod secrets;
mod sibling_modules;
mod side_by_side;
mod trace;
mod waited;
mod workers;

use crate::cli::{Cli, Command};
use console::{Console, at_terminal};
use course_argument::{CourseArgument, LanguageChoice};
use courses::Readers;
use failure::{Exit, Failure, Result};
pub(crate) use file_failure::neighbour;
use rustix::process::Signal;
use secrets::Secret;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use warpup_lab::engine::orphans;
use warpup_store as store;
use warpup_store::settings::{POLICY_FILE, Policy};
use warpup_text::shown::Shown;
use warpup_worker::{self as worker, Confinement};

/// Executes the command line and reports its failure.
pub(crate) fn main(cli: Cli) -> ExitCode {
    if let Some(Command::Worker {
        probe_confinement,
        as_card,
    }) = cli.command
    {
        return match (probe_confinement, as_card) {
            (true, true) => worker::probe_confinement(Confinement::Cards),
            (true, false) => worker::probe_confinement(Confinement::Host),
            (false, _) => worker::main(Confinement::Host),
        };
    }
    if let Some(Command::Launch { parent, command }) = &cli.command {
        return launch::execute(*parent, command);
    }
    survive_full_files();
    let ended = guest_folder(cli.guest).and_then(|()| dispatch(cli));
    orphans::end_all();
    store::end_guest();
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let columns = console::columns_of_errors();
            failure.report(&mut io::stderr().lock(), columns).into()
        }
    }
}

/// Prints what is wrong with the command line. It quotes arguments, which may come from a script and hold control
/// characters. Gives the exit status.
pub(crate) fn usage_error(status: i32, said: &str) -> ExitCode {
    // Where it cannot be said, the exit status has to do.
    drop(io::stderr().write_all(Shown::new(&secrets::shown(said)).as_str().as_bytes()));
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Prints help or the version, which quote nobody. Gives the exit status.
pub(crate) fn help(said: &clap::Error) -> ExitCode {
    let came = said.print().and_then(|()| io::stdout().flush());
    match console::printed(came) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let columns = console::columns_of_errors();
            failure.report(&mut io::stderr().lock(), columns).into()
        }
    }
}

/// Makes a write beyond the limit on a file's size (`ulimit -f`) fail like one to a full disk, which every writer
/// handles, instead of ending the process.
fn survive_full_files() {
    let nobody_asks = Arc::new(AtomicBool::new(false));
    // Without the handler, only such a write ends differently.
    drop(signal_hook::flag::register(
        Signal::XFSZ.as_raw(),
        nobody_asks,
    ));
}

/// Makes the folder of a guest.
fn guest_folder(is_guest: bool) -> Result<()> {
    if !is_guest {
        return Ok(());
    }
    store::begin_guest().map_err(|error| {
        Failure::arguments_but(
            format!("there is no place for what a guest does: {error}"),
            "set TMPDIR to a folder that you may write to",
        )
    })
}

fn dispatch(cli: Cli) -> Result<Exit> {
    under_policy()?;
    let language = LanguageChoice::of(cli.language, |name| std::env::var(name).ok());
    let named = cli.course.map(Secret::new);
    if let (Some(address), Some(Command::New { .. })) = (&named, &cli.command)
        && repository::is_address(address)
    {
        return Err(Failure::arguments_but(
            "a course in a git repository is not changed",
            "clone it yourself, and give the folder",
        ));
    }
    // As learners type it: an address stays one in the commands that they are told.
    let warpup = console::warpup(named.as_ref(), &language);
    let chosen = course_choice::course(named, cli.command.as_ref())?;
    let built_in = chosen
        .as_ref()
        .map_or_else(|| warpup.clone(), |_| course_choice::built_in());
    let typed = (warpup, built_in);
    let located = repository::located(chosen.as_ref())?;
    let asked = CourseArgument {
        dir: located.as_deref(),
        language: &language,
        front_end: None,
    };
    let readers = Readers::from(cli.instructor);
    match cli.command {
        None if cli.plain || console::is_terminal() && !console::can_draw() => {
            at_terminal(typed, |console| plain::execute(asked, readers, console))
        }
        None if console::is_terminal() => open::app(asked, readers),
        None => at_terminal(typed, |console| map::execute(asked, readers, console)),
        Some(_) if cli.plain => Err(Failure::arguments_but(
            "`--plain` takes the whole course, and no command with it",
            "every command prints plain lines by itself",
        )),
        Some(Command::Trace(args)) if trace::opens_app(&args) => {
            open::traces(trace::sources(&args), asked, readers)
        }
        Some(Command::Record(args)) => record::execute(&args, typed, asked, readers),
        Some(Command::Lab(args)) if lab::opens_app() => {
            open::program(lab::program(&args)?, asked, readers)
        }
        Some(Command::Preview(args)) if !args.plain => preview::app(&args, readers),
        Some(command) => at_terminal(typed, |console| execute(command, asked, readers, console)),
    }
}

/// Refuses to run under a policy of the machine that cannot be read.
fn under_policy() -> Result<()> {
    Policy::load().map(drop::<Policy>).map_err(|why| {
        Failure::arguments_but(
            why,
            format!("the administrator of this machine can correct {POLICY_FILE}"),
        )
    })
}

fn execute(
    command: Command,
    asked: CourseArgument<'_>,
    readers: Readers,
    console: &mut Console<'_>,
) -> Result<Exit> {
    let dir = asked.dir;
    match command {
        Command::Read(args) => read::execute(&args, asked, readers, console),
        Command::Run(args) => run::execute(&args, asked, console),
        Command::Lab(args) => run::execute(&lab::as_run(args), asked, console),
        Command::Plan(args) => plan::execute(&args, console),
        Command::Trace(args) => trace::execute(&args, console),
        Command::Floor(args) => floor::execute(&args, console),
        Command::Quiz(args) => quiz::execute(args, asked, console),
        Command::Handoff(args) => handoff::execute(&args, asked, console),
        Command::Progress { command } => progress::execute(command, asked, console),
        Command::Class { command } => class::execute(&command, dir, console),
        Command::Check(args) => check::execute(&args, dir, console),
        Command::Export(args) => export::execute(&args, asked, readers, console),
        Command::Pack(args) => pack::execute(&args, dir, console),
        Command::Import(args) => import::execute(&args, console),
        Command::Doctor { json } => doctor::execute(json.into(), dir, console),
        Command::Preview(args) => preview::plain(&args, readers, console),
        Command::New { what } => new::execute(&what, dir, console),
        Command::Schema { of } => schema::execute(of, console),
        Command::Nvml => nvml::execute(console),
        Command::Completions { shell } => completions::print(shell, console).map(|()| Exit::Fine),
        Command::Man => man::print(console).map(|()| Exit::Fine),
        // `main` and `dispatch` have served them: they own stdin and stdout.
        Command::Worker { .. } | Command::Launch { .. } | Command::Record(_) => Ok(Exit::Fine),
    }
}
