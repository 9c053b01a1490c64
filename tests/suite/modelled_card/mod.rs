//! Runs on modelled cards: their clocks, kernels and memory, and plans of training scripts.

mod checkpoints;
mod clocks;
mod costs;
mod cudnn_memory;
mod hazards;
mod hosts;
mod kernels;
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
use warpup_protocol::{Lane, Span};

/// A run on a modelled card that ends without an exception.
fn run_on(card: &str, source: &str) -> Run {
    LabRunner::start().run_to_done(python_on(&format!("model:{card}"), source))
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
