//! `warpup trace`: a training run of one's own, from what PyTorch's profiler recorded.

mod analysed;
mod cells;
mod compare;
mod example;
mod how;
mod json;
mod ranks;
mod text;
mod text_device;
mod text_tables;

use super::console::{self, Console, Format};
use super::failure::{Exit, Failure, Result};
use crate::cli::TraceArgs;
use crate::kineto::analysis::Analysis;
use crate::kineto::findings::Report;
use crate::kineto::load::{self, LoadError};
use crate::kineto::{About, Comparison, Rank, Relation, Trace};
use analysed::Analysed;
use json::{ComparedJson, RanksJson, TraceJson};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::Path;

/// Columns of running text: those of a figure in a lesson, which can show the lines as they are.
const WIDTH: usize = 76;

/// Whether the app shows the trace: one, in a terminal that can draw.
pub(super) fn opens_app(args: &TraceArgs) -> bool {
    // A name that was mistyped is said where it was typed.
    let is_there = matches!(args.files.as_slice(), [file] if file.is_file());
    let is_for_app = !args.how && !args.json && !args.plain && is_there;
    is_for_app && console::is_terminal() && console::can_draw()
}

/// Reads the traces and prints what they show.
pub(super) fn execute(args: &TraceArgs, console: &mut Console<'_>) -> Result<Exit> {
    if args.how {
        how::print(console)?;
        return Ok(Exit::Fine);
    }
    console.width = console.width.min(WIDTH);
    let mut read = Vec::new();
    if args.example {
        read.push(analysed(example::load())?);
    }
    for path in &args.files {
        read.push(self::read(path)?);
    }
    let format = Format::from(args.json);
    let abouts: Vec<&About> = read.iter().map(|it| &it.0.about).collect();
    match (read.as_slice(), Relation::of(&abouts)) {
        ([only], _) => one(only, format, console)?,
        ([before, after], Relation::BeforeAndAfter) => {
            let comparison = Comparison::of((&before.0, &before.1), (&after.0, &after.1));
            match format {
                Format::Json => console.json(&ComparedJson::of(before, after, &comparison))?,
                Format::Text => compare::print(before, after, &comparison, console)?,
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

fn one(of: &Analysed, format: Format, console: &mut Console<'_>) -> Result<()> {
    match format {
        Format::Json => console.json(&TraceJson::of(of)),
        Format::Text => text::print(of, console),
    }
}

/// Reads a trace, and computes its figures and findings.
pub(super) fn read(path: &Path) -> Result<Analysed> {
    analysed(load::file(path, &mut |_| ControlFlow::Continue(())))
}

fn analysed(trace: std::result::Result<Trace, LoadError>) -> Result<Analysed> {
    let trace = trace.map_err(failure)?;
    let analysis = Analysis::of(&trace);
    let report = Report::of(&analysis);
    Ok((analysis, report))
}

/// A file that is no trace is a wrong argument; so is one that is not there.
fn failure(error: LoadError) -> Failure {
    match &error {
        LoadError::File { why, .. } if why.kind() != ErrorKind::NotFound => {
            Failure::Internal(error.into())
        }
        LoadError::File { why, .. } => Failure::arguments_but(
            format!("{error}: {why}"),
            "`warpup trace --how` prints the lines that record a trace",
        ),
        LoadError::Compressed { .. } | LoadError::Text { .. } => Failure::arguments_but(
            error.to_string(),
            "a trace is what `export_chrome_trace` of torch.profiler writes: `warpup trace --how`",
        ),
        LoadError::Stopped { .. } => Failure::Internal(error.into()),
    }
}

#[cfg(test)]
mod tests;
