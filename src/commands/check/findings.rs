//! What a check has found so far.

use crate::commands::courses::Opened;
use crate::course::{Diagnostic, Severity, reading};
use crate::grade;
use serde::Serialize;

/// What was found so far.
pub(super) struct Findings {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) runs: Vec<ProofRun>,
}

impl Findings {
    /// What the files of a course show.
    pub(super) fn of_files(opened: &Opened) -> Self {
        let mut diagnostics = opened.diagnostics.clone();
        diagnostics.extend(grade::prove(&opened.course));
        diagnostics.extend(grade::strategies::guessable(&opened.course));
        diagnostics.extend(reading::warnings(&opened.course));
        Self {
            diagnostics,
            runs: Vec::new(),
        }
    }

    /// How many diagnostics have this severity.
    pub(super) fn count(&self, severity: Severity) -> usize {
        let all = self.diagnostics.iter();
        all.filter(|it| it.severity == severity).count()
    }
}

/// A program that was run.
#[derive(Serialize)]
pub(super) struct ProofRun {
    pub(super) lesson: String,
    pub(super) lab: String,
    pub(super) program: &'static str,
    pub(super) device: String,
    /// Whether it ended as its lesson says.
    pub(super) held: bool,
}
