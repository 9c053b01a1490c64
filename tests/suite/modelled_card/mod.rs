//! Runs on modelled cards: their clocks, kernels and memory, and plans of training scripts.

mod allocator;
mod checkpoints;
mod clocks;
mod compile;
mod costs;
mod cuda_graphs;
mod cudnn_memory;
mod deferred_values;
mod hazards;
mod hosts;
mod kernels;
mod launch_blocking;
mod layers;
mod loaders;
mod memory;
mod optimizers;
mod plans;
mod profiles;
mod random;
mod values;
mod visible;
mod waits;
mod workspaces;

use crate::support::lab_runner::LabRunner;
use crate::support::request::python_on;
use warpup_lab::run::Run;
use warpup_protocol::{Lane, ProgramFolders, RunRequest, Span};

/// A run on a modelled card that ends without an exception.
fn run_on(card: &str, source: &str) -> Run {
    LabRunner::start().run_to_done(python_on(&format!("model:{card}"), source))
}

/// The same for a program in a file, which sees these variables of the shell.
fn from_shell(card: &str, variables: &[(&str, &str)], source: &str) -> RunRequest {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    RunRequest {
        place: Some(Box::new(ProgramFolders {
            folder: "/tmp".to_owned(),
            working: "/tmp".to_owned(),
            environment: variables.iter().map(pair).collect(),
            ..ProgramFolders::default()
        })),
        ..python_on(&format!("model:{card}"), source)
    }
}

/// The kernels that a run launched, in order.
fn kernels(run: &Run) -> impl Iterator<Item = &Span> {
    run.spans.iter().filter(|it| it.lane == Lane::Kernel)
}

/// The names of kernels.
fn names<'a>(kernels: impl Iterator<Item = &'a Span>) -> String {
    kernels
        .map(|it| it.name.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The names of the kernels that a line launched.
fn kernels_of_line(run: &Run, line: u32) -> String {
    names(kernels(run).filter(|it| it.line == line))
}
