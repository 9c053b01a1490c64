//! `warpup completions SHELL`.

use super::console::Console;
use super::failure::Result;
use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completion script for a shell.
pub(super) fn print(shell: Shell, console: &mut Console<'_>) -> Result<()> {
    // Into memory first: the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "warpup", &mut script);
    console.bytes(&script)
}
