//! `warpup completions SHELL`.

use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;

/// The completion script for a shell.
pub(super) fn script(shell: Shell) -> Vec<u8> {
    // Into memory: the generator panics where a pipe has gone.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "warpup", &mut script);
    script
}
