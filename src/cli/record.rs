//! The arguments of `warpup record`.

use super::values::number;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;

/// What to record, and of which program.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// How many steps to record.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number(1..=1000, "3"), allow_negative_numbers = true)]
    pub(crate) steps: u64,
    /// How many steps pass before them. The first is often slow, the last warms the profiler up, and the others show what a step
    /// takes without it.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number(2..=1_000_000_000, "10"), allow_negative_numbers = true)]
    pub(crate) skip: u64,
    /// What a step is. If you do not say: a step of the optimizer; without one, a call of `backward()`; without that, a call of
    /// the model after `eval()`.
    #[arg(long, value_name = "WHAT")]
    pub(crate) count: Option<StepUnit>,
    /// End the program after the recording, as `sys.exit(0)` does. Otherwise it goes on.
    #[arg(long)]
    pub(crate) stop: bool,
    /// Record no functions and lines of Python: the profiler costs less, and the file is smaller.
    #[arg(long)]
    pub(crate) no_stacks: bool,
    /// Follow the run: record again every N steps, print a summary of it, and keep no trace. The app does not open.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "100",
        value_parser = number(1..=1_000_000_000, "100"),
        conflicts_with_all = ["stop", "out"]
    )]
    pub(crate) watch: Option<u64>,
    /// Where the trace goes, .json or .json.gz; replaces the file. Otherwise it is the next of trace-1.json.gz, trace-2.json.gz
    /// and so on.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print plain lines at the end, also in a terminal, where the trace is otherwise opened in the app.
    #[arg(long)]
    pub(crate) plain: bool,
    /// The command that starts the program, as you type it without warpup.
    #[arg(value_name = "COMMAND", trailing_var_arg = true, required = true)]
    pub(crate) command: Vec<OsString>,
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StepUnit {
    /// A step of the optimizer; of the last one, if there are several.
    Steps,
    /// A call of the model.
    Calls,
    /// A second after the import of torch.
    Seconds,
}
