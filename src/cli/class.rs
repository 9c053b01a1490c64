//! The arguments of `warpup class`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What about a class.
#[derive(Debug, Subcommand)]
pub(crate) enum ClassCommand {
    /// Print a row for each learner and lesson, and one for each question. Attempts are self-reported.
    Report(ClassReportArgs),
    /// Hand in what you have done in the course: write one file to the drop folder of your class.
    Submit(ClassSubmitArgs),
    /// Take the newest good file of each learner out of drop folders, and say what is wrong with the others.
    Collect(ClassCollectArgs),
    /// Send comments, and the points of quizzes without keys, to those who handed in.
    Return(ClassReturnArgs),
    /// Print what your instructor has sent back for what you handed in.
    Feedback,
}

/// Whose progress to report.
#[derive(Debug, Args)]
pub(crate) struct ClassReportArgs {
    /// Files that learners wrote with `warpup progress export FILE`, and folders of such files.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) paths: Vec<PathBuf>,
    /// A file with the learners of the class and the deadlines of lessons.
    #[arg(long, value_name = "FILE")]
    pub(crate) class: Option<PathBuf>,
    /// Print one table of comma-separated values.
    #[arg(long)]
    pub(crate) csv: bool,
    /// Write one page with charts to this file instead.
    #[arg(long, value_name = "FILE", conflicts_with = "csv")]
    pub(crate) html: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "html")]
    pub(crate) force: bool,
}

/// What to hand in, and where.
#[derive(Debug, Args)]
pub(crate) struct ClassSubmitArgs {
    /// The drop folder; that of the machine's policy when left out.
    #[arg(long, value_name = "DIR")]
    pub(crate) drop: Option<PathBuf>,
    /// Hand in the programs that you changed, too.
    #[arg(long)]
    pub(crate) with_programs: bool,
    /// Hand in what you wrote in your own words, too.
    #[arg(long)]
    pub(crate) with_words: bool,
    /// Say what would be handed in, and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// From where to collect, and where to.
#[derive(Debug, Args)]
pub(crate) struct ClassCollectArgs {
    /// Drop folders, and files of learners; the drop folder of the machine's policy when left out.
    #[arg(value_name = "DIR|FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// A folder of yours: each learner's file is written there, named after the owner of the file.
    #[arg(long, value_name = "DIR")]
    pub(crate) into: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to send back, and for which hand-ins.
#[derive(Debug, Args)]
pub(crate) struct ClassReturnArgs {
    /// A TOML file with comments by learner and lesson, question or lab; without it, only points are sent, to learners of a course without keys.
    #[arg(value_name = "FILE")]
    pub(crate) comments: Option<PathBuf>,
    /// A drop folder; that of the machine's policy when left out.
    #[arg(long, value_name = "DIR")]
    pub(crate) from: Vec<PathBuf>,
    /// Say what would be sent, and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
