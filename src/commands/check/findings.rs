//! What a check has found so far.

use crate::commands::courses::OpenCourse;
use serde::Serialize;
use std::collections::BTreeSet;
use warpup_course::{Course, Diagnostic, Lab, Language, Lesson, Rule, Severity, reading_time};
use warpup_grade as grade;

/// What was found so far.
pub(super) struct Findings {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) runs: Vec<ProofRun>,
}

impl Findings {
    /// What the files of a course show.
    pub(super) fn of_files(opened: &OpenCourse, translations: &[Course]) -> Self {
        let mut diagnostics = opened.diagnostics.clone();
        let wrong: BTreeSet<String> = diagnostics
            .iter()
            .filter(|it| it.severity == Severity::Error)
            .map(|it| it.file.clone())
            .collect();
        let mut add = |course: &Course, language: Option<&Language>| {
            let is_asked = |it: &Diagnostic| Language::of_path(&it.file).as_ref() == language;
            diagnostics.extend(grade::prove(course).into_iter().filter(is_asked));
            let estimates = grade::strategies::guessable(course).into_iter();
            let estimates = estimates
                .chain(reading_time::warnings(course))
                .filter(is_asked);
            // Of a file that is only read in part, they would be about that part.
            diagnostics.extend(estimates.filter(|it| !wrong.contains(&it.file)));
        };
        add(&opened.course, None);
        for course in translations {
            add(course, course.language.as_ref());
        }
        Self {
            diagnostics,
            runs: Vec::new(),
        }
    }

    /// Whether running a lab shows more than its text does.
    pub(super) fn may_run(&self, lesson: &Lesson, lab: &Lab) -> bool {
        let of_lab = format!(" of lab `{}` ", lab.id);
        let mut of_file = self.diagnostics.iter().filter(|it| it.file == lesson.file);
        !of_file.any(|it| {
            let is_of_lab = || it.severity == Severity::Error && it.message.contains(&of_lab);
            it.rule == Rule::FenceNotClosed || (it.rule == Rule::ProgramSyntax && is_of_lab())
        })
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
    /// The translation that it is in, if it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<String>,
    pub(super) lab: String,
    pub(super) program: &'static str,
    pub(super) device: String,
    /// How it ended: why it failed, if it did.
    pub(super) ended: String,
    /// Whether it ended as its lesson says.
    pub(super) held: bool,
}
