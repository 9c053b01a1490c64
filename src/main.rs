//! Arguments to a command to an exit status.

mod cli;
mod commands;

use clap::Parser;
use cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => commands::main(cli),
        // Help and the version quote nobody.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => commands::usage_error(error.exit_code(), &error.render().to_string()),
    }
}
