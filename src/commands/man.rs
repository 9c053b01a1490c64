//! `warpup man`.

use super::console::Console;
use super::failure::Result;
use crate::cli::Cli;
use clap::CommandFactory;

/// Prints the manual page, in the language of `man`.
pub(super) fn print(console: &mut Console<'_>) -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    console.bytes(&page)
}
