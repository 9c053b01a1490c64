//! The arguments of the commands that run programs, and that say what they cost.

use super::values::{at_least_one, device, number};
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use warpup_lab::device_choice::DEFAULT_CARD;
use warpup_protocol::DeviceName;

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
    #[arg(long, alias = "card", value_parser = device)]
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
    #[arg(long, value_name = "SECONDS", value_parser = number(1..=86_400, "600"), allow_negative_numbers = true)]
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
    #[arg(long, alias = "card", value_parser = device)]
    pub(crate) device: Option<DeviceName>,
    /// How long a run may compute, in seconds; 300 if you do not say.
    #[arg(long, value_name = "SECONDS", value_parser = number(1..=86_400, "600"), allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
}

/// The arguments as the parser takes them: a program alone opens in the lab.
pub(crate) fn arguments(given: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut given: Vec<OsString> = given.into_iter().collect();
    let first = given.get(1).map(Path::new);
    if first.is_some_and(|it| it.extension().is_some_and(|it| it == "py")) {
        given.insert(1, "lab".into());
    }
    given
}

/// A model, and what it is trained on.
#[derive(Debug, Args)]
pub(crate) struct FloorArgs {
    /// How many parameters it has, as in 125000000, 1.5e9 or 7b.
    pub(crate) parameters: String,
    /// Sequences in a batch: shows what a smaller one would save.
    #[arg(long, value_name = "SEQUENCES", requires = "length", value_parser = at_least_one("32"), allow_negative_numbers = true)]
    pub(crate) batch: Option<u64>,
    /// Positions in a sequence.
    #[arg(long, value_name = "POSITIONS", requires = "batch", value_parser = at_least_one("2048"), allow_negative_numbers = true)]
    pub(crate) length: Option<u64>,
    /// Attention heads in a layer.
    #[arg(long, requires = "batch", default_value_t = 16, value_parser = at_least_one("16"), allow_negative_numbers = true)]
    pub(crate) heads: u64,
}

/// What to plan, and for which card.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// A program for PyTorch.
    #[arg(value_name = "FILE.py")]
    pub(crate) program: PathBuf,
    /// The card, such as t4 or h100.
    #[arg(long, alias = "device", value_name = "NAME", default_value = DEFAULT_CARD)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_alone_opens_in_the_lab() {
        let given = |words: &[&str]| {
            let words = words.iter().map(OsString::from);
            arguments(words).join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(
            given(&["warpup", "a/b.py", "--device", "t4"]),
            "warpup lab a/b.py --device t4"
        );
        assert_eq!(given(&["warpup", "run", "b.py"]), "warpup run b.py");
        assert_eq!(given(&["warpup"]), "warpup");
    }
}
