//! `warpup man`.

use crate::cli::Cli;
use clap::CommandFactory;
use std::io::{self, Write};

/// Prints the manual page, in the language of `man`.
pub(super) fn print(out: &mut dyn Write) -> io::Result<()> {
    clap_mangen::Man::new(Cli::command()).render(out)
}
