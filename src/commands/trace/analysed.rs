//! A trace that was read.

use super::example;
use crate::cli::TraceArgs;
use crate::commands::failure::{Failure, Result};
use crate::commands::file_failure::{neighbour, unreadable};
use std::ops::ControlFlow;
use std::path::Path;
use warpup_kineto::Trace;
use warpup_kineto::analysis::Analysis;
use warpup_kineto::findings::FindingsReport;
use warpup_kineto::load::{self, LoadError};

/// A trace's figures, and what was found.
pub(in crate::commands) type TraceFigures = (Analysis, FindingsReport);

/// Reads a trace, and computes its figures and findings.
pub(in crate::commands) fn read(path: &Path) -> Result<TraceFigures> {
    analysed(load::file(path, &mut |_| ControlFlow::Continue(())))
}

/// The one trace that the arguments name, without figures; `otherwise` says why it has to be one.
pub(super) fn only(args: &TraceArgs, otherwise: &str) -> Result<Trace> {
    let read = match args.files.as_slice() {
        [] => example::load(),
        [only] if !args.example => load::file(only, &mut |_| ControlFlow::Continue(())),
        _ => return Err(Failure::arguments(otherwise)),
    };
    read.map_err(failure)
}

/// The figures of a trace, and what was found.
pub(super) fn analysed(trace: std::result::Result<Trace, LoadError>) -> Result<TraceFigures> {
    let trace = trace.map_err(failure)?;
    let analysis = Analysis::of(&trace);
    let report = FindingsReport::of(&analysis);
    Ok((analysis, report))
}

/// A file that is no trace is a wrong argument; so is one that is not there.
fn failure(error: LoadError) -> Failure {
    if let LoadError::File { file, why } = &error {
        let failure = unreadable(Path::new(file), why);
        return match error.hint() {
            Some(hint) if neighbour(Path::new(file)).is_none() => failure.with_hint(hint),
            Some(_) | None => failure,
        };
    }
    match error.hint() {
        Some(hint) => Failure::arguments_but(error.with_cause(), hint),
        None => Failure::Internal(error.into()),
    }
}
