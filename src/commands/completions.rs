//! `warpup completions SHELL`.

use super::{Console, Exit, Failure};
use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints a completion script.
pub(super) fn print(shell: Shell, console: &mut Console<'_>) -> Result<Exit, Failure> {
    // Written at once: the generator panics where a pipe has gone.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "warpup", &mut script);
    console.out.write_all(&script)?;
    Ok(Exit::Fine)
}
