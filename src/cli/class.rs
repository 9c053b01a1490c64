//! The arguments of `warpup class`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What about a class.
#[derive(Debug, Subcommand)]
pub enum ClassCommand {
    /// Print a row for each learner and lesson, and one for each question. Attempts are self-reported.
    Report(ClassReportArgs),
}

/// Whose progress to report.
#[derive(Debug, Args)]
pub struct ClassReportArgs {
    /// Files that learners wrote with `warpup progress export FILE`, and folders of such files.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// Print one table of comma-separated values.
    #[arg(long)]
    pub csv: bool,
}
