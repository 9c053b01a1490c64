//! The arguments of `warpup trace`.

use super::values::moment;
use clap::Args;
use std::path::PathBuf;
use warpup_lab::device_choice::DEFAULT_CARD;

/// Which traces to read.
#[derive(Debug, Default, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct TraceArgs {
    /// Traces of torch.profiler, .json or .json.gz. Two are before a change and after it, unless they say that they are
    /// two ranks of one run; more are ranks.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the ten lines that record a trace, to add to your script.
    #[arg(long, conflicts_with_all = ["files", "json"])]
    pub(crate) how: bool,
    /// Print plain lines, also in a terminal, where one trace is otherwise opened in the app.
    #[arg(long, conflicts_with = "json")]
    pub(crate) plain: bool,
    /// Read the synthetic trace of a slow run that is built in, with which the lesson first-line-debugging ends.
    #[arg(long, conflicts_with_all = ["files", "how"])]
    pub(crate) example: bool,
    /// Print what the one trace has at this moment since its beginning, such as 12.5ms: operators and calls of the host, kernels, copies,
    /// and why devices are idle.
    #[arg(long, value_name = "TIME", value_parser = moment, conflicts_with_all = ["how", "plan"])]
    pub(crate) at: Option<i64>,
    /// Plan this program, which recorded the one trace, on a modelled card, and print the plan beside the trace, as a whole and
    /// by line.
    #[arg(long, value_name = "FILE.py", conflicts_with = "how")]
    pub(crate) plan: Option<PathBuf>,
    /// The card of `--plan`, such as t4 or h100.
    #[arg(long, alias = "device", value_name = "NAME", default_value = DEFAULT_CARD, requires = "plan")]
    pub(crate) card: String,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// What follows the program's name in `sys.argv`, after `--`: warpup trace FILE --plan FILE.py -- --epochs 3
    #[arg(last = true, value_name = "ARGUMENTS", requires = "plan")]
    pub(crate) arguments: Vec<String>,
}
