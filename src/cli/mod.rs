//! The command line, and nothing else.
//!
//! Only types: what a command does is in [`crate::commands`]. Texts here are what `--help` shows.

mod author;
mod class;
mod help;
mod learner;
mod meant;
mod mistake;
mod program;
mod record;
mod trace;
mod values;

pub(crate) use author::{
    CheckArgs, ExportArgs, ExportFormat, ImportArgs, ImportFormat, NewCommand, PackArgs,
    PreviewArgs, SchemaOf,
};
pub(crate) use class::{
    ClassCollectArgs, ClassCommand, ClassReportArgs, ClassReturnArgs, ClassSubmitArgs,
};
pub(crate) use learner::{HandoffArgs, ProgressCommand, QuizArgs, ReadArgs, ResetArgs};
pub(crate) use mistake::told;
pub(crate) use program::{FloorArgs, LabArgs, PlanArgs, RunArgs, arguments};
pub(crate) use record::{RecordArgs, StepUnit};
pub(crate) use trace::TraceArgs;

use clap::{Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;
use values::language;
use warpup_course::Language;

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "warpup", version, max_term_width = 100, about = help::ABOUT, long_about = None)]
#[command(help_template = help::template(), after_help = help::of_all())]
pub(crate) struct Cli {
    /// Read the course from this folder, from a file of `warpup pack`, or from a git repository (URL#TAG:FOLDER), instead of
    /// warpup's own, which is called `built-in`.
    #[arg(long, value_name = "DIR|FILE|URL", global = true)]
    pub(crate) course: Option<PathBuf>,

    /// Read a translation of the course, such as `de` or `pt-BR`. Without it, that of your locale.
    #[arg(long, value_name = "CODE", global = true, value_parser = language)]
    pub(crate) language: Option<Language>,

    /// Take the course line by line: for screen readers, terminals that can only print, and scripts.
    #[arg(long)]
    pub(crate) plain: bool,

    /// Keep nothing: what you do is forgotten when warpup ends, and what is kept on this account is neither shown nor changed.
    #[arg(long, global = true)]
    pub(crate) guest: bool,

    /// Show what lessons say to instructors, too: in the app, with --plain and with read.
    #[arg(long, global = true)]
    pub(crate) instructor: bool,

    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print a lesson, or list all of them.
    #[command(after_help = help::of_read())]
    Read(ReadArgs),
    /// Run a lab or a program of yours, and show where the time went.
    #[command(after_help = help::of_run())]
    Run(RunArgs),
    /// Open a program of yours in a lab: edit, run, compare cards.
    ///
    /// `warpup FILE.py` does the same.
    #[command(after_help = help::of_lab())]
    Lab(LabArgs),
    /// Estimate time, memory and mistakes of a program, without a card.
    #[command(after_help = help::of_plan())]
    Plan(PlanArgs),
    /// Print the least memory that training a model needs.
    #[command(after_help = help::of_floor())]
    Floor(FloorArgs),
    /// Record some steps of your training run, without changing it.
    ///
    /// The program runs as always; PyTorch's profiler records, and the trace is shown at the end.
    #[command(after_help = help::of_record())]
    Record(RecordArgs),
    /// Show where the time of a training run went, from a trace.
    ///
    /// A trace is what PyTorch's profiler records.
    #[command(after_help = help::of_trace())]
    Trace(TraceArgs),
    /// Take the quiz of a lesson.
    #[command(after_help = help::of_quiz())]
    Quiz(QuizArgs),
    /// Print a page for the next person, from your runs and words.
    ///
    /// It has your devices, one measurement, the memory of a step, your explanations, and what is missing.
    #[command(after_help = help::of_handoff())]
    Handoff(HandoffArgs),
    /// Show, export, import, repair or forget what you have done.
    #[command(after_help = help::of_progress())]
    Progress {
        /// What about it; show it when left out.
        #[command(subcommand)]
        command: Option<ProgressCommand>,
    },
    /// Hand in what you have done; for teachers, collect and report.
    #[command(after_help = help::of_class())]
    Class {
        /// What about it.
        #[command(subcommand)]
        command: ClassCommand,
    },
    /// Check a course: its files, the keys of its quizzes, its labs.
    #[command(after_help = help::of_check())]
    Check(CheckArgs),
    /// Show a lesson as learners see it, again whenever you save it.
    #[command(after_help = help::of_preview())]
    Preview(PreviewArgs),
    /// Create a course or a part of one, for you to fill in.
    #[command(after_help = help::of_new())]
    New {
        /// What to create.
        #[command(subcommand)]
        what: NewCommand,
    },
    /// Print the JSON Schema of a course file, for editors.
    ///
    /// Editors complete and check TOML with it.
    Schema {
        /// The kind of file.
        #[arg(value_enum)]
        of: SchemaOf,
    },
    /// Write a course, or a lesson of it, for another tool.
    #[command(after_help = help::of_export())]
    Export(ExportArgs),
    /// Make a quiz of the questions of another tool.
    #[command(after_help = help::of_import())]
    Import(ImportArgs),
    /// Pack a course into one file, which `--course` opens.
    #[command(after_help = help::of_pack())]
    Pack(PackArgs),
    /// Check everything between a program and the card.
    Doctor {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell.
    #[command(after_help = help::of_completions())]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page (for `man -l`).
    Man,
    /// Serve labs over stdin and stdout; started by warpup itself.
    #[command(hide = true)]
    Worker {
        /// Confine the process like a worker, try what a lab must not be able to do, and print what came of it.
        #[arg(long)]
        probe_confinement: bool,
        /// Confine it like the worker for real cards, whose card is open.
        #[arg(long, requires = "probe_confinement")]
        as_card: bool,
    },
    /// Become a program that ends when this process does; started by warpup itself.
    #[command(hide = true)]
    Launch {
        /// The number of the process.
        parent: i32,
        /// The program and its arguments.
        #[arg(last = true, required = true)]
        command: Vec<OsString>,
    },
    /// Ask the driver for its figures and print them; started by warpup itself.
    #[command(hide = true)]
    Nvml,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
