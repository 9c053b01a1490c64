//! What a trace recorded of one file of Python.

use super::lines::{self, LineSummary};
use super::waits;
use crate::event::EventKind;
use crate::index::TraceIndex;
use crate::source_lines::{self, Precision, SourceLines};
use crate::trace::Trace;
use std::collections::BTreeSet;

/// What was recorded of one file. Times are nanoseconds, those of all steps together.
#[derive(Clone, Debug, PartialEq)]
pub struct FileFigures {
    /// What its lines are.
    pub precision: Precision,
    /// Its lines. What other files do belongs to the line that leads to them.
    pub lines: Vec<LineSummary>,
    /// Its functions that were called in the steps, each with the line on which it begins.
    pub functions: Vec<(String, u32)>,
    /// The learner's own files in the trace, without folders.
    pub files: Vec<String>,
    /// The number of steps that the trace marks; 0 if it marks none.
    pub steps: u64,
    /// The time of the steps, or of the whole trace, until host and device are done.
    pub ns: i64,
    /// How long the host waited for the device.
    pub wait_ns: i64,
    /// Kernels, copies and fills, the sum over all streams; none without a device.
    pub device_ns: Option<i64>,
}

impl FileFigures {
    /// What a trace recorded of the file with a name.
    pub fn of(trace: &Trace, file: &str) -> Self {
        let index = TraceIndex::of(trace);
        let all = SourceLines::of(&index);
        let mut files: Vec<String> = all
            .lines
            .iter()
            .filter_map(|it| Some(name(source_lines::place(it)?.0).to_owned()))
            .collect();
        files.sort();
        files.dedup();
        let sources = all.only(&index, |it| {
            source_lines::place(it).is_some_and(|(path, _)| name(path) == file)
        });
        let calls = waits::calls(&index);
        let waited = calls.iter().filter(|it| index.is_in_step(it.event));
        let work = index.work.iter().filter(|it| index.is_of_step(it));
        let device_ns = work.map(|it| it.event.duration_ns).sum();
        let marked = index.steps.iter().filter(|it| it.is_marked);
        Self {
            precision: sources.precision,
            lines: lines::of(&index, &calls, &sources),
            functions: functions(&index, file),
            files,
            steps: marked.count() as u64,
            ns: if index.steps.iter().any(|it| it.is_marked) {
                index.span.length()
            } else {
                index.stepped.span().length()
            },
            wait_ns: waited.map(|it| it.event.duration_ns).sum(),
            device_ns: (!index.work.is_empty()).then_some(device_ns),
        }
    }
}

/// The functions of a file that are called in the steps. One that already ran before has another line in the trace, and is left
/// out; so are all where no step is marked.
fn functions(index: &TraceIndex<'_>, file: &str) -> Vec<(String, u32)> {
    let Some(first) = index.steps.first().filter(|it| it.is_marked) else {
        return Vec::new();
    };
    let start_ns = first.interval.start_ns;
    let names = index.trace.names.iter();
    let of_names: Vec<_> = names.map(|it| source_lines::function(it)).collect();
    let events = index.trace.events.iter();
    let called = events.filter(|it| it.kind == EventKind::Python && it.start_ns >= start_ns);
    let called = called.filter_map(|it| (*of_names.get(it.name.index())?).as_ref());
    let of_file = called.filter(|it| name(it.path) == file);
    let functions: BTreeSet<_> = of_file.map(|it| (it.name.to_owned(), it.line)).collect();
    functions.into_iter().collect()
}

/// A path without folders.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
