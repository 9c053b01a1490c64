//! `warpup check`: proves a course as far as a program can.
//!
//! What the files say is checked by [`crate::course`] and [`crate::grade`]; [`labs`] runs the labs, and [`tell`]
//! tells everything.

mod labs;
mod tell;

use super::courses::Opened;
use super::runner::RunLab;
use super::{Console, Exit, Failure, Format};
use crate::course::{Diagnostic, Severity, reading};
use crate::grade;
use labs::ProofRun;

/// Checks a course, running its labs where something is given to run them.
pub(super) fn check(
    opened: &Opened,
    run_lab: Option<&mut RunLab<'_>>,
    format: Format,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut found = Findings::of_files(opened);
    if let Some(run_lab) = run_lab {
        found.run_labs(&opened.course, run_lab, console)?;
    }
    match format {
        Format::Text => found.print(opened, console)?,
        Format::Json => console.json(&found.shown(opened))?,
    }
    Ok(Exit::of(Some(found.errors() == 0)))
}

/// What was found so far.
struct Findings {
    diagnostics: Vec<Diagnostic>,
    runs: Vec<ProofRun>,
}

impl Findings {
    fn of_files(opened: &Opened) -> Self {
        let mut diagnostics = opened.diagnostics.clone();
        diagnostics.extend(grade::prove(&opened.course));
        diagnostics.extend(grade::strategies::guessable(&opened.course));
        diagnostics.extend(reading::warnings(&opened.course));
        Self {
            diagnostics,
            runs: Vec::new(),
        }
    }

    fn errors(&self) -> usize {
        self.of(Severity::Error)
    }

    fn of(&self, severity: Severity) -> usize {
        let all = self.diagnostics.iter();
        all.filter(|it| it.severity == severity).count()
    }
}

#[cfg(test)]
mod tests;
