//! The command line, and nothing else.
//!
//! Only types: what a command does is in [`crate::commands`]. Texts here are what `--help` shows.

mod class;
mod mistake;
mod trace;

pub(crate) use class::{ClassCollectArgs, ClassCommand, ClassReportArgs, ClassSubmitArgs};
pub(crate) use mistake::{arguments, told};
pub(crate) use trace::TraceArgs;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;
use warpup_course::Language;
use warpup_lab::device_choice::DEFAULT_CARD;
use warpup_protocol::DeviceName;

/// Learn what runs where, what a copy costs, why a timer lies and what fills the memory.
///
/// Without a command the course opens where you left off.
#[derive(Debug, Parser)]
#[command(name = "warpup", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// Read the course from this folder, from a file of `warpup pack`, or from a git repository (URL#TAG:FOLDER), instead of
    /// the one that is built in.
    #[arg(long, value_name = "DIR|FILE|URL", global = true)]
    pub(crate) course: Option<PathBuf>,

    /// Read a translation of the course, such as `de` or `pt-BR`. Without it, your locale decides.
    #[arg(long, value_name = "CODE", global = true, value_parser = language)]
    pub(crate) language: Option<Language>,

    /// Take the course line by line: for screen readers, terminals that can only print, and scripts.
    #[arg(long)]
    pub(crate) plain: bool,

    /// Keep nothing: what you do is forgotten when warpup ends, and what is kept on this account is neither shown nor changed.
    #[arg(long, global = true)]
    pub(crate) guest: bool,

    /// Show what lessons say to instructors, too, and how long they take: in the app, with --plain and with read.
    #[arg(long, global = true)]
    pub(crate) instructor: bool,

    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print a lesson.
    Read(ReadArgs),
    /// Run a lab, or a program of your own, and show where the time went.
    Run(RunArgs),
    /// Open a program of your own beside its times: edit it, run it, take another card. `warpup FILE.py` does the same.
    Lab(LabArgs),
    /// Say what a program would cost on a card, without a card: time, memory, mistakes.
    Plan(PlanArgs),
    /// Say what training a model holds at least, and on which cards that fits.
    Floor(FloorArgs),
    /// Show where the time of your own training run went, from a trace of PyTorch's profiler.
    Trace(TraceArgs),
    /// Take a lesson's quiz.
    Quiz(QuizArgs),
    /// Tell what you can hand on: your devices, one measurement, the memory terms, your explanations.
    Handoff(HandoffArgs),
    /// Show what is done, or forget it.
    Progress {
        /// What about it; show it when left out.
        #[command(subcommand)]
        command: Option<ProgressCommand>,
    },
    /// Hand in what you have done, or look at what the learners of a class have done.
    Class {
        /// What about it.
        #[command(subcommand)]
        command: ClassCommand,
    },
    /// Check a course: its files, the keys of its quizzes, its labs.
    Check(CheckArgs),
    /// Show a lesson as learners see it while you write it, and again whenever you save it.
    Preview(PreviewArgs),
    /// Create a course or a part of one, for you to fill in.
    New {
        /// What to create.
        #[command(subcommand)]
        what: NewCommand,
    },
    /// Print the JSON Schema of a course file, for editors that complete and check TOML.
    Schema {
        /// The kind of file.
        #[arg(value_enum)]
        of: SchemaOf,
    },
    /// Write a course, or a lesson of it, in the format of another tool.
    Export(ExportArgs),
    /// Make a quiz of the questions of another tool.
    Import(ImportArgs),
    /// Pack a course into one file, which `--course` opens.
    Pack(PackArgs),
    /// Look at what is between your programs and the card, rung by rung.
    Doctor {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell.
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

/// A lesson, or a page of it.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// The lesson's id.
    pub(crate) lesson: String,
    /// Only this page.
    #[arg(long, value_name = "ID")]
    pub(crate) page: Option<String>,
}

/// Which questions of a quiz to ask, and where the answers come from.
#[derive(Debug, Args)]
pub(crate) struct QuizArgs {
    /// The lesson's id.
    pub(crate) lesson: String,
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
    #[arg(long, value_name = "NAME", default_value = DEFAULT_CARD, requires = "plan")]
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

/// Two numbers of rows, such as `32,64`.
fn two_batches(text: &str) -> Result<(u64, u64), String> {
    let pair = text.split_once(',');
    let pair = pair.and_then(|(few, many)| {
        let few = few.trim().parse::<u64>().ok()?;
        Some((few, many.trim().parse::<u64>().ok()?))
    });
    pair.filter(|(few, many)| few < many).ok_or_else(|| {
        "two numbers of rows are needed, the smaller one first, such as 32,64".to_owned()
    })
}

/// Which course to check, and how far.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own, and clap has the ones that exclude each other"
)]
pub(crate) struct CheckArgs {
    /// The course's folder. When left out: that of --course, the current one if it is a course, or the course that is built in.
    pub(crate) dir: Option<PathBuf>,
    /// Run each lab, too: solutions have to pass, what is to be repaired has to fail.
    #[arg(long)]
    pub(crate) run_labs: bool,
    /// Agree to run the labs of a course that is not part of warpup, as they are now.
    #[arg(long, requires = "run_labs")]
    pub(crate) trust: bool,
    /// Correct what has exactly one right edit in the files of the course, and say what was changed.
    #[arg(long)]
    pub(crate) fix: bool,
    /// Say what learners notice who took an older edition: a folder, or a commit of the course's git repository.
    #[arg(long, value_name = "EDITION")]
    pub(crate) against: Option<String>,
    /// Fail on warnings, too.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Explain a rule, by the name that a message has in brackets, and check nothing.
    #[arg(long, value_name = "RULE")]
    pub(crate) explain: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print SARIF 2.1.0, which code hosts and editors show.
    #[arg(long, conflicts_with = "json")]
    pub(crate) sarif: bool,
}

/// What to show while it is written, and how.
#[derive(Debug, Args)]
pub(crate) struct PreviewArgs {
    /// A lesson, a quiz, or the folder of a course.
    #[arg(value_name = "FILE|DIR")]
    pub(crate) file: PathBuf,
    /// Where labs run that ask for no device: cpu, cuda, cuda:N, auto (the least loaded card) or model:CARD, such as model:t4
    /// or just t4.
    #[arg(long, value_parser = device)]
    pub(crate) device: Option<DeviceName>,
    /// As on a machine without a real card.
    #[arg(long)]
    pub(crate) without_gpu: bool,
    /// In a part of the terminal, such as 80x24.
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = size)]
    pub(crate) size: Option<(u16, u16)>,
    /// Agree to run the labs of the course, whatever they become while you write them.
    #[arg(long)]
    pub(crate) trust: bool,
    /// Print the lesson, and a page again whenever it changes.
    #[arg(long, conflicts_with_all = ["device", "without_gpu", "size", "trust"])]
    pub(crate) plain: bool,
}

/// A language by its code.
fn language(code: &str) -> Result<Language, String> {
    Language::of_locale(code)
        .ok_or_else(|| "write two small letters, such as de, or with a region: pt-BR".to_owned())
}

/// Columns and rows, as in `80x24`.
/// A device by its name. A word with a digit, such as `t4`, is a modelled card.
fn device(text: &str) -> Result<DeviceName, String> {
    text.parse()
        .or_else(|unknown: warpup_protocol::UnknownDevice| {
            let is_card = text.bytes().all(|it| it.is_ascii_alphanumeric())
                && text.bytes().any(|it| it.is_ascii_digit());
            let card = || DeviceName::Model(text.to_lowercase());
            is_card.then(card).ok_or_else(|| unknown.to_string())
        })
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let sides = text.split_once(['x', '×']);
    let size = sides.and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    size.filter(|(columns, rows)| *columns >= 1 && *rows >= 1)
        .ok_or_else(|| "write columns and rows, such as 80x24".to_owned())
}

/// What to export, and where to.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct ExportArgs {
    /// The format.
    #[arg(value_enum)]
    pub(crate) format: ExportFormat,
    /// The lesson's id; all lessons when left out.
    pub(crate) lesson: Option<String>,
    /// Write it to this file; print it when left out.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// For learners: without answers, feedback, explanations and solutions. With html, md and ipynb.
    #[arg(long)]
    pub(crate) no_keys: bool,
    /// Run each lab and show what it prints, on the CPU or on a modelled card. With html and md.
    #[arg(long)]
    pub(crate) run_labs: bool,
    /// Agree to run the labs of a course that is not part of warpup, as they are now.
    #[arg(long, requires = "run_labs")]
    pub(crate) trust: bool,
}

/// A format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The questions in GIFT, for Moodle and others.
    Gift,
    /// The questions in Moodle XML, with points, hints, orders and units.
    Moodle,
    /// The questions as a package of QTI 2.1 items, for learning platforms.
    Qti,
    /// The questions as flash cards, for Anki: File, Import.
    Anki,
    /// The lessons as one page for a browser, which needs no network and no script.
    Html,
    /// The lessons as ordinary Markdown.
    Md,
    /// A lesson as a Jupyter notebook, whose programs run under PyTorch.
    Ipynb,
}

/// What to import, and where to.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The format.
    #[arg(value_enum)]
    pub(crate) format: ImportFormat,
    /// The file with the questions.
    pub(crate) file: PathBuf,
    /// Write the quiz to this file, such as quizzes/NAME.toml; print it when left out.
    #[arg(short, long, value_name = "QUIZ.toml")]
    pub(crate) out: Option<PathBuf>,
    /// The title of the quiz; the name of the file in words when left out.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Replace the quiz if it exists.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

/// Which course to pack, and where to.
#[derive(Debug, Default, Args)]
pub(crate) struct PackArgs {
    /// The course's folder; that of --course, or the current one, when left out.
    pub(crate) dir: Option<PathBuf>,
    /// The file, such as NAME.warpup.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Leave out right answers, feedback, explanations, solutions and notes for instructors: learners hand in, and
    /// `warpup class report` grades.
    #[arg(long)]
    pub(crate) no_keys: bool,
    /// Replace the file if it exists.
    #[arg(long)]
    pub(crate) force: bool,
}

/// A format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportFormat {
    /// GIFT, the text format of Moodle and others.
    Gift,
    /// Moodle XML, which Moodle exports.
    Moodle,
}

/// A kind of course file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// lessons/course.toml
    Course,
    /// The head of a lesson.
    Lesson,
    /// A quiz.
    Quiz,
}

/// What to create. Files that exist are never overwritten.
#[derive(Debug, Subcommand)]
pub(crate) enum NewCommand {
    /// Create a course with one lesson, one lab and one quiz.
    Course {
        /// Its folder; the id of the course is made of the folder's name.
        dir: PathBuf,
        /// The id of its lesson: lower-case letters, digits and single `-`.
        #[arg(long, value_name = "NAME", default_value = "first-steps")]
        lesson: String,
    },
    /// Create a lesson with one lab, and list it in lessons/course.toml. The course is the folder of --course, or the
    /// current one.
    Lesson {
        /// Its id: lower-case letters, digits and single `-`.
        name: String,
    },
    /// Create the quiz of a lesson that has none, and name it in the lesson's head.
    Quiz {
        /// The lesson's id.
        lesson: String,
    },
    /// Add a page with a lab, its check, its solution and a hint to the end of a lesson.
    Lab {
        /// The lesson's id and the lab's.
        #[arg(value_name = "LESSON/NAME")]
        lab: String,
    },
}

/// What to run, and how.
#[derive(Debug, Default, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct RunArgs {
    /// LESSON/LAB, or FILE.py.
    #[arg(value_name = "LESSON/LAB | FILE.py")]
    pub(crate) program: String,
    /// Where to run it: cpu, cuda, cuda:N, auto (the least loaded card) or model:CARD, such as model:t4
    /// or just t4.
    #[arg(long, value_parser = device)]
    pub(crate) device: Option<DeviceName>,
    /// Run the lab's solution instead of your program.
    #[arg(long, conflicts_with = "starter")]
    pub(crate) solution: bool,
    /// Run the program that the lesson shows instead of yours.
    #[arg(long)]
    pub(crate) starter: bool,
    /// Your prediction, for a lab that asks for one before its first run: what you would type, or an option's id.
    #[arg(long, value_name = "ANSWER")]
    pub(crate) predict: Option<String>,
    /// Agree to run the labs of a course that is not part of warpup, as they are now.
    #[arg(long)]
    pub(crate) trust: bool,
    /// How long a file of yours may compute, in seconds; 300 if you do not say.
    #[arg(long, value_name = "SECONDS", value_parser = RangedU64ValueParser::<u64>::new().range(1..=86_400))]
    pub(crate) limit: Option<u64>,
    /// Print what the program prints, and its error; no times, no memory, no checks.
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write what host and device did as a Chrome trace, which Perfetto opens; replaces the file.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Follow neither lines nor operations: no time by line, nothing between you and the program.
    #[arg(long, conflicts_with = "trace")]
    pub(crate) no_trace: bool,
    /// What follows the file's name in `sys.argv`, after `--`: warpup run FILE.py -- --epochs 3
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

/// A program of one's own in the lab.
#[derive(Debug, Args)]
pub(crate) struct LabArgs {
    /// FILE.py. The lab writes it when you run it or stop editing, and reads it again when another editor has saved it.
    #[arg(value_name = "FILE.py")]
    pub(crate) program: PathBuf,
    /// Where to run it first: cpu, cuda, cuda:N, auto (the least loaded card) or model:CARD, such as model:t4 or just t4.
    #[arg(long, value_parser = device)]
    pub(crate) device: Option<DeviceName>,
    /// How long a run may compute, in seconds; 300 if you do not say.
    #[arg(long, value_name = "SECONDS", value_parser = RangedU64ValueParser::<u64>::new().range(1..=86_400))]
    pub(crate) limit: Option<u64>,
}

/// A model, and what it is trained on.
#[derive(Debug, Args)]
pub(crate) struct FloorArgs {
    /// How many parameters it has, as in 125000000, 1.5e9 or 7b.
    pub(crate) parameters: String,
    /// Sequences in a batch: shows what a smaller one would save.
    #[arg(long, value_name = "SEQUENCES", requires = "length", value_parser = at_least_one())]
    pub(crate) batch: Option<u64>,
    /// Positions in a sequence.
    #[arg(long, value_name = "POSITIONS", requires = "batch", value_parser = at_least_one())]
    pub(crate) length: Option<u64>,
    /// Attention heads in a layer.
    #[arg(long, requires = "batch", default_value_t = 16, value_parser = at_least_one())]
    pub(crate) heads: u64,
}

/// Numbers that make sense as sizes.
fn at_least_one() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..)
}

/// What to plan, and for which card.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// A program for PyTorch.
    #[arg(value_name = "FILE.py")]
    pub(crate) program: PathBuf,
    /// The card, such as t4 or h100.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_CARD)]
    pub(crate) card: String,
    /// Compare all cards.
    #[arg(long, conflicts_with = "card")]
    pub(crate) all: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// What follows the file's name in `sys.argv`, after `--`: warpup plan FILE.py -- --epochs 3
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

/// What about progress.
#[derive(Debug, Subcommand)]
pub(crate) enum ProgressCommand {
    /// Show what is done.
    Show {
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_device_that_is_none_is_refused_with_the_ones_there_are() {
        let error = Cli::try_parse_from(["warpup", "run", "a/b", "--device", "gpu"]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(
            error
                .to_string()
                .contains("use cpu, cuda, cuda:N, auto or model:CARD")
        );
    }

    #[test]
    fn a_card_needs_no_word_in_front() {
        let device = |name: &str| device(name).map(|it| it.to_string());
        assert_eq!(device("t4"), Ok("model:t4".to_owned()));
        assert_eq!(device("RTX4090"), Ok("model:rtx4090".to_owned()));
        assert_eq!(device("cuda:1"), Ok("cuda:1".to_owned()));
        assert!(device("gpu").is_err());
        assert!(device("cuda:x").is_err());
    }
}
