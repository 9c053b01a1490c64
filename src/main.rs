//! Arguments to a command to an exit status.

mod cli;
mod commands;

use clap::Parser;
use cli::Cli;
use rustix::process::{Resource, getrlimit};
use std::process::ExitCode;

/// The least stack, in KiB, on which every command works: courses, traces and settings are read on it.
const LEAST_STACK: u64 = 512;

fn main() -> ExitCode {
    match getrlimit(Resource::Stack).current {
        Some(bytes) if bytes >> 10 < LEAST_STACK => too_little_stack(bytes >> 10),
        Some(_) | None => with_stack(),
    }
}

/// Says what would otherwise be a crash without a word.
fn too_little_stack(kibibytes: u64) -> ExitCode {
    let said = format!(
        "error: this shell gives a program {kibibytes} KiB of stack, and warpup needs {LEAST_STACK}\n\
         hint: `ulimit -s 8192` raises the limit; where that is refused, start warpup from another shell\n"
    );
    commands::usage_error(2, &said)
}

/// A function of its own: what it puts on the stack is not there before the stack was looked at.
#[inline(never)]
fn with_stack() -> ExitCode {
    match Cli::try_parse_from(cli::arguments(std::env::args_os())) {
        Ok(cli) => commands::main(cli),
        Err(error) if !error.use_stderr() => commands::help(&error),
        Err(error) => {
            commands::usage_error(error.exit_code(), &cli::told(error, commands::neighbour))
        }
    }
}
