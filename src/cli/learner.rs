//! The arguments of the commands that a learner takes the course with.

use super::values::two_batches;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use warpup_lab::device_choice::DEFAULT_CARD;

/// A lesson, or a page of it.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// The lesson's id; lists all lessons when left out.
    pub(crate) lesson: Option<String>,
    /// Only this page: its name or its number.
    #[arg(long, value_name = "ID")]
    pub(crate) page: Option<String>,
}

/// Which questions of a quiz to ask, and where the answers come from.
#[derive(Debug, Args)]
pub(crate) struct QuizArgs {
    /// The lesson's id; lists all lessons when left out.
    pub(crate) lesson: Option<String>,
    /// Take the answers from a TOML file: question id to answer.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Only what is to be explained in your own words, which is not graded.
    #[arg(long, conflicts_with = "json")]
    pub(crate) words: bool,
    /// Only questions that need no lesson, for practice: nothing is stored, and it finishes no lesson.
    #[arg(long, conflicts_with = "words")]
    pub(crate) short: bool,
    /// Print one JSON object.
    #[arg(long, requires = "answers")]
    pub(crate) json: bool,
}

/// Where the checklist goes, and in which form.
#[derive(Debug, Args)]
pub(crate) struct HandoffArgs {
    /// Write it to this file instead; replaces the file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Take the measurement from this trace of torch.profiler, of a training run of your own, instead of from a lab.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Take the memory from a plan of this program, of a training run of your own, instead of from a lab.
    #[arg(long, value_name = "FILE.py")]
    pub(crate) plan: Option<PathBuf>,
    /// The card of the plan, such as t4 or h100.
    #[arg(long, alias = "device", value_name = "NAME", default_value = DEFAULT_CARD, requires = "plan")]
    pub(crate) card: String,
    /// Plan with two batches, for the growth of each row: each number replaces {rows} in the arguments of the program.
    #[arg(long, value_name = "FEW,MANY", requires = "plan", value_parser = two_batches)]
    pub(crate) rows: Option<(u64, u64)>,
    /// One JSON object instead of markdown.
    #[arg(long)]
    pub(crate) json: bool,
    /// What follows the program's name in `sys.argv`, after `--`: --plan FILE.py --rows 32,64 -- --batch-size {rows}
    #[arg(last = true, value_name = "ARGUMENTS", requires = "plan")]
    pub(crate) arguments: Vec<String>,
}

/// What about progress.
#[derive(Debug, Subcommand)]
pub(crate) enum ProgressCommand {
    /// Show what is done.
    Show {
        /// The lesson's id, for all that is known of one lesson.
        #[arg(conflicts_with = "json")]
        lesson: Option<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Forget what is done in a lesson, or in the whole course.
    Reset(ResetArgs),
    /// Take over the progress of another folder or file; what is here already stays as it is.
    Import {
        /// A data folder, a folder of logs, or a file; the folders in which warpup kept what it could not save, when left
        /// out.
        path: Option<PathBuf>,
    },
    /// Write all progress as one file, which `import` takes.
    Export {
        /// The file, which must not exist yet; print it when left out.
        file: Option<PathBuf>,
        /// Leave out the programs that you changed, and the names that they gave to numbers.
        #[arg(long)]
        without_programs: bool,
        /// Leave out what you wrote in your own words.
        #[arg(long)]
        without_words: bool,
    },
    /// List what is damaged, set damaged logs aside, and keep what can be read of them.
    Repair,
}

/// What to forget.
#[derive(Debug, Args)]
pub(crate) struct ResetArgs {
    /// The lesson's id; the whole course when left out.
    pub(crate) lesson: Option<String>,
    /// Do not ask.
    #[arg(long)]
    pub(crate) yes: bool,
}
