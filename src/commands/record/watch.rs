//! A program that is watched: from time to time the recorder leaves a short trace, which is read, told in a few lines and deleted.

use super::folder;
use super::note::ProcessNote;
use super::text::median;
use crate::commands::console::Console;
use crate::commands::failure::Result;
use crate::commands::trace;
use std::fs;
use std::path::{Path, PathBuf};
use warpup_kineto::analysis::Analysis;
use warpup_kineto::findings::{FindingsReport, SLOW_FIRST_STEP, headline};
use warpup_lab::units::duration;

/// What was told so far.
pub(super) struct Watch<'a> {
    folder: &'a Path,
    /// How many steps the program had made when the last trace was written; 0 before.
    step: u64,
}

impl<'a> Watch<'a> {
    /// A program whose recorder is in this folder.
    pub(super) fn new(folder: &'a Path) -> Self {
        Self { folder, step: 0 }
    }

    /// Whether there was a trace.
    pub(super) fn has_seen_any(&self) -> bool {
        self.step > 0
    }

    /// Tells the trace that is there, if it is a new one.
    pub(super) fn look(&mut self, console: &mut Console<'_>) -> Result<()> {
        for note in folder::notes(self.folder) {
            // The note comes after its trace.
            let is_new = |it: &&PathBuf| note.seen > self.step && it.exists();
            let Some(path) = note.trace.as_ref().filter(is_new) else {
                continue;
            };
            // One that is replaced while it is read is told next time.
            let read = trace::read(path);
            drop(fs::remove_file(path));
            self.step = note.seen;
            match read {
                Ok((analysis, report)) => console.remark(&told(&note, &analysis, &report))?,
                Err(_) => console.remark("warpup: what was recorded cannot be read")?,
            }
        }
        Ok(())
    }
}

/// A trace in a few lines: times, and the finding that costs most.
fn told(note: &ProcessNote, analysis: &Analysis, report: &FindingsReport) -> String {
    let without = median(&note.plain_ns);
    let without = without.map_or(String::new(), |it| {
        format!(" · {} without the profiler", duration(it))
    });
    // The first step after a start of the profiler is slow each time.
    let mut findings = report.findings.iter();
    let first = findings.find(|it| it.id != SLOW_FIRST_STEP);
    let found = first.map_or(String::new(), |it| {
        let place = it.place_in_words();
        let place = place.map_or(String::new(), |it| format!(" ({it})"));
        format!("\n  {}: {}{place}", it.id, it.sentence)
    });
    // The note may be a later one: of a program that ended in the meantime.
    let skipped = analysis.about.skipped_steps;
    let step = skipped.map_or(note.seen, |it| it + analysis.steps.len() as u64);
    let times = headline(analysis);
    format!("warpup: step {step}: {times}{without}{found}")
}
