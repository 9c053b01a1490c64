//! A trace that was read.

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

/// The figures of a trace, and what was found.
pub(super) fn analysed(trace: std::result::Result<Trace, LoadError>) -> Result<TraceFigures> {
    let trace = trace.map_err(failure)?;
    let analysis = Analysis::of(&trace);
    let report = FindingsReport::of(&analysis);
    Ok((analysis, report))
}

/// A file that is no trace is a wrong argument; so is one that is not there.
pub(super) fn failure(error: LoadError) -> Failure {
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
