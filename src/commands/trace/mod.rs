//! `warpup trace`: a training run of one's own, from what PyTorch's profiler recorded.

mod analysed;
mod cells;
mod comparison;
mod example;
mod json;
mod plan_comparison;
mod point;
mod ranks;
mod recording_code;
mod text;
mod text_device;
mod text_tables;

use super::console::{self, Console, Format};
use super::failure::{Exit, Failure, Result};
use super::plan;
use crate::cli::TraceArgs;
pub(super) use analysed::read;
use analysed::{TraceFigures, analysed};
use json::{ComparedJson, RanksJson, TraceJson};
use std::path::{Path, PathBuf};
use warpup_kineto::{Comparison, FileRelation, Rank, TraceMetadata, names_together};
use warpup_tui::TraceSource;

/// Columns of running text: those of a figure in a lesson, which can show the lines as they are.
const WIDTH: usize = 76;

/// Columns of a usual terminal.
const USUAL_WIDTH: usize = 80;

/// Whether the app shows the traces: in a terminal that can draw.
pub(super) fn opens_app(args: &TraceArgs) -> bool {
    let are_there = args.files.iter().all(|it| may_be_trace(it));
    let is_printed =
        args.how || args.json || args.plain || args.at.is_some() || args.plan.is_some();
    let has_any = args.example || !args.files.is_empty();
    !is_printed && has_any && are_there && console::is_terminal() && console::can_draw()
}

/// Whether a file is there and is no program: what was mistyped is said where it was typed.
fn may_be_trace(file: &Path) -> bool {
    file.is_file() && file.extension().is_none_or(|it| it != "py")
}

/// The traces, for the app.
pub(super) fn sources(args: &TraceArgs) -> Vec<TraceSource> {
    let example = args
        .example
        .then_some(TraceSource::BuiltIn(example::NAME, example::SLOW_RUN));
    let files = args.files.iter().cloned().map(TraceSource::File);
    example.into_iter().chain(files).collect()
}

/// Reads the traces and prints what they show.
pub(super) fn execute(args: &TraceArgs, console: &mut Console<'_>) -> Result<Exit> {
    if args.how {
        recording_code::print(console)?;
        return Ok(Exit::Fine);
    }
    if args.files.is_empty() && !args.example {
        return Err(Failure::arguments_but(
            "which trace?",
            "`warpup record -- python train.py` records one, `warpup trace --how` prints lines for the program that do, and `warpup trace --example` reads one that is built in",
        ));
    }
    // A wider terminal is for tables.
    if console.width <= USUAL_WIDTH {
        console.width = console.width.min(WIDTH);
    }
    if let Some(program) = &args.plan {
        return plan_comparison::execute(args, program, &mut plan::run_all, console);
    }
    if let Some(at_ns) = args.at {
        return point::execute(args, at_ns, console);
    }
    let mut read = Vec::new();
    if args.example {
        read.push(analysed(example::load())?);
    }
    for (path, name) in args.files.iter().zip(names(&args.files)) {
        let mut of = analysed::read(path)?;
        of.0.file = name;
        read.push(of);
    }
    let format = Format::from(args.json);
    let abouts: Vec<&TraceMetadata> = read.iter().map(|it| &it.0.about).collect();
    match (read.as_slice(), FileRelation::of(&abouts)) {
        ([only], _) => one(only, format, console)?,
        ([before, after], FileRelation::BeforeAndAfter) => {
            let comparison = Comparison::of((&before.0, &before.1), (&after.0, &after.1));
            match format {
                Format::Json => console.json(&ComparedJson::of(before, after, &comparison))?,
                Format::Text => comparison::print(before, after, &comparison, console)?,
            }
        }
        (all, _) => {
            let ranks = Rank::all(all.iter().map(|it| &it.0));
            match format {
                Format::Json => console.json(&RanksJson::of(all, &ranks))?,
                Format::Text => ranks::print(all, &ranks, console)?,
            }
        }
    }
    Ok(Exit::Fine)
}

fn names(files: &[PathBuf]) -> Vec<String> {
    let paths: Vec<String> = files.iter().map(|it| it.display().to_string()).collect();
    names_together(&paths)
}

fn one(of: &TraceFigures, format: Format, console: &mut Console<'_>) -> Result<()> {
    match format {
        Format::Json => console.json(&TraceJson::of(of)),
        Format::Text => text::print(of, console),
    }
}

#[cfg(test)]
mod tests;
