//! Arguments to a command to an exit status.

use clap::Parser;
use std::process::ExitCode;
use warpup::cli::Cli;
use warpup::commands;

fn main() -> ExitCode {
    commands::main(Cli::parse())
}
