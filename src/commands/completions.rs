//! `warpup completions SHELL`.

use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};

/// Prints the completion script for a shell.
pub(super) fn print(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    // Into memory first: the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "warpup", &mut script);
    out.write_all(&script)
}
