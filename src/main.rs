//! Arguments to a command to an exit status.

use clap::Parser;
use std::process::ExitCode;
use warpup::cli::Cli;
use warpup::commands;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => commands::main(cli),
        // Help and the version quote nobody.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => commands::usage_error(error.exit_code(), &error.render().to_string()),
    }
}
