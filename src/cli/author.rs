//! The arguments of the commands that a course is written with.

use super::values::{device, size};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use warpup_protocol::DeviceName;

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
#[derive(Debug, Args)]
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
