//! Which line of the learner's own Python an event belongs to, where the trace has Python functions.
//!
//! PyTorch 2.15 writes the line of each call (`CallFrom`). Before, a trace has the line on which a function begins, and
//! no more is claimed than that. Lines of PyTorch and of Python's library are nobody's own.

use super::event::{Event, EventDetails, EventKind};
use super::index::{TraceIndex, interval};
use super::intervals::Interval;
use super::library_files::is_own;
use super::names::NameId;
use super::trace::Trace;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// No line.
const NONE: u32 = u32::MAX;

/// The method in which Python waits while the autograd engine's own thread, which has no Python, launches the backward pass.
const RUN_BACKWARD: &str = "<built-in method run_backward of ";

/// How PyTorch names what the autograd engine does for each node.
const NODE: &str = "autograd::engine::evaluate_function: ";

/// What the lines of [`SourceLines`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Lines that call.
    Lines,
    /// Functions, by the line on which they begin.
    Functions,
    /// Nothing: the trace has no Python.
    Nothing,
}

/// The lines of a trace.
#[derive(Clone, Debug)]
pub struct SourceLines {
    /// What they are.
    pub precision: Precision,
    /// As a person writes them: `train.py:12`, or `train.py:10 in step`.
    pub lines: Vec<String>,
    /// The file of each line, as the trace writes it: with all of its folders.
    pub(super) files: Vec<String>,
    /// The line of each event that has one itself.
    own: Vec<u32>,
    /// When Python waited for the autograd engine, and on which line.
    backward: Vec<(Interval, usize)>,
}

impl SourceLines {
    /// The lines of a trace.
    pub fn of(index: &TraceIndex<'_>) -> Self {
        let mut sources = Self::without_backward(index.trace);
        sources.backward = sources.backward_of(index);
        sources
    }

    fn without_backward(trace: &Trace) -> Self {
        let python = trace
            .events
            .iter()
            .filter(|it| it.kind == EventKind::Python);
        let has_functions = python.clone().next().is_some();
        let has_stacks = || trace.events.iter().any(|it| stack(trace, it).is_some());
        // The stack of an operator has the lines of its calls.
        let has_calls = python.into_iter().any(|it| call(trace, it).is_some());
        let precision = if has_calls || (!has_functions && has_stacks()) {
            Precision::Lines
        } else if has_functions {
            Precision::Functions
        } else {
            Precision::Nothing
        };
        let mut sources = Self {
            precision,
            lines: Vec::new(),
            files: Vec::new(),
            own: Vec::new(),
            backward: Vec::new(),
        };
        if precision != Precision::Nothing {
            sources.fill(trace);
        }
        sources
    }

    /// The lines of one file alone; what others do belongs to the line that leads to them.
    #[must_use]
    pub fn only(mut self, index: &TraceIndex<'_>, is_kept: impl Fn(&str) -> bool) -> Self {
        let kept: Vec<bool> = self.lines.iter().map(|it| is_kept(it)).collect();
        for own in &mut self.own {
            if !kept.get(*own as usize).copied().unwrap_or(false) {
                *own = NONE;
            }
        }
        self.backward = self.backward_of(index);
        self
    }

    fn backward_of(&self, index: &TraceIndex<'_>) -> Vec<(Interval, usize)> {
        let are_calls = index.trace.names.that(|it| it.starts_with(RUN_BACKWARD));
        let events = index.trace.events.iter().enumerate();
        let calls = events.filter(|(_, it)| it.kind == EventKind::Python && are_calls.has(it.name));
        let mut lines: Vec<_> = calls
            .filter_map(|(number, it)| Some((interval(it), self.around(index, number)?)))
            .collect();
        lines.sort_by_key(|it| it.0);
        lines
    }

    /// The line of an event: its own, or that of the smallest event around it that has one. Work of the autograd engine's
    /// own thread belongs to the line that called `backward()` and waited for it.
    pub fn line(&self, index: &TraceIndex<'_>, event: usize) -> Option<usize> {
        self.around(index, event)
            .or_else(|| self.called_backward(index, event))
    }

    fn around(&self, index: &TraceIndex<'_>, event: usize) -> Option<usize> {
        let mut all = std::iter::once(event).chain(index.nest.ancestors(event));
        all.find_map(|it| self.own(it))
    }

    fn called_backward(&self, index: &TraceIndex<'_>, event: usize) -> Option<usize> {
        let at = index.event(event)?.start_ns;
        let before = self
            .backward
            .partition_point(|(when, _)| when.start_ns <= at);
        let before = self.backward.get(..before)?.iter().rev().take(2);
        let mut during = before.filter(|(when, _)| at < when.end_ns);
        // Two threads of Python that go backward at the same time: nobody knows for which this is.
        let (Some((_, line)), None) = (during.next(), during.next()) else {
            return None;
        };
        let mut around = index.nest.ancestors(event).filter_map(|it| index.event(it));
        let is_node = around.any(|it| index.trace.name(it.name).starts_with(NODE));
        is_node.then_some(*line)
    }

    /// The line that an event has itself.
    pub fn own(&self, event: usize) -> Option<usize> {
        let line = *self.own.get(event)?;
        (line != NONE).then_some(line as usize)
    }

    /// The text of a line.
    pub fn text(&self, line: usize) -> &str {
        self.lines.get(line).map_or("", |it| it)
    }

    fn fill(&mut self, trace: &Trace) {
        let mut of_names: FxHashMap<(NameId, EventKind), u32> = FxHashMap::default();
        let mut of_texts: FxHashMap<String, u32> = FxHashMap::default();
        let has_functions = trace.has(EventKind::Python);
        let precision = self.precision;
        let mut inner = None;
        for event in &trace.events {
            let name = match (event.kind, precision) {
                (EventKind::Python, Precision::Lines) => call(trace, event),
                (EventKind::Python, _) => Some(event.name),
                (EventKind::Operator, _) if !has_functions => stack(trace, event),
                _ => None,
            };
            let Some(name) = name else {
                self.own.push(NONE);
                continue;
            };
            let line = *of_names.entry((name, event.kind)).or_insert_with(|| {
                let written = trace.name(name);
                let found = match (event.kind, precision) {
                    (EventKind::Python, Precision::Lines) => {
                        own_line(written).map(|it| (it, written))
                    }
                    (EventKind::Python, _) => own_function(written).map(|it| (it, written)),
                    _ => {
                        let mut stack = written.split([';', '\n']);
                        stack.find_map(|it| Some((own_function(it)?, it)))
                    }
                };
                let Some((text, written)) = found else {
                    return NONE;
                };
                *of_texts.entry(text).or_insert_with_key(|text| {
                    self.lines.push(text.clone());
                    self.files.push(file(written).to_owned());
                    u32::try_from(self.lines.len() - 1).unwrap_or(NONE)
                })
            });
            // Those that already ran begin first on their thread, so they are looked for only up to the first that did not.
            if inner == Some(event.lane) || precision != Precision::Lines {
                self.own.push(line);
            } else if is_outer(trace.name(event.name), trace.name(name)) {
                self.own.push(NONE);
            } else {
                // A built-in function has no place to tell by.
                if function(trace.name(event.name)).is_some() {
                    inner = Some(event.lane);
                }
                self.own.push(line);
            }
        }
    }
}

/// Whether a call is of a function that already ran when the recording began. PyTorch gives it the line that ran then, both as
/// its own and as the one that it was called from: `train.py(48): main` from `train.py:48`.
fn is_outer(function: &str, from: &str) -> bool {
    let place = function.split_once("): ").map_or("", |it| it.0);
    place.rsplit_once('(') == from.rsplit_once(':')
}

/// The line that a Python function was called from, as PyTorch writes it.
fn call(trace: &Trace, event: &Event) -> Option<NameId> {
    match trace.details(event) {
        Some(EventDetails::Python { from }) => Some(from),
        _ => None,
    }
}

/// The stack of an operator, as PyTorch writes it.
fn stack(trace: &Trace, event: &Event) -> Option<NameId> {
    match trace.details(event) {
        Some(EventDetails::Operator { stack, .. }) if stack != NameId::EMPTY => Some(stack),
        _ => None,
    }
}

/// A function of Python, as PyTorch names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PythonFunction<'a> {
    pub(super) path: &'a str,
    /// The line on which it begins.
    pub(super) line: u32,
    pub(super) name: &'a str,
}

/// The line that an event has itself, or the function that it is, if it is the learner's own.
pub(super) fn place_of(trace: &Trace, event: &Event) -> Option<String> {
    let name = trace.name(event.name);
    match call(trace, event).map(|it| trace.name(it)) {
        Some(from) if is_outer(name, from) => None,
        Some(from) => own_line(from),
        None if event.kind == EventKind::Python => own_function(name),
        None => trace
            .name(stack(trace, event)?)
            .split([';', '\n'])
            .find_map(own_function),
    }
}

/// The name of the innermost function of a file around an event.
pub(super) fn function_around(index: &TraceIndex<'_>, event: usize, file: &str) -> Option<String> {
    let mut around = index.nest.ancestors(event).filter_map(|it| index.event(it));
    around.find_map(|it| {
        let is_python = it.kind == EventKind::Python;
        let found = function(index.trace.name(it.name)).filter(|of| is_python && of.path == file);
        Some(found?.name.to_owned())
    })
}

/// The function in `train.py(10): step`.
pub(super) fn function(written: &str) -> Option<PythonFunction<'_>> {
    let (place, name) = written.trim().split_once("): ")?;
    let (path, line) = place.rsplit_once('(')?;
    let line = line.parse().ok()?;
    Some(PythonFunction { path, line, name })
}

/// The file and the number in the text of a line: `c/train.py` and 12 for `c/train.py:12` and for `c/train.py:12 in step`.
pub(super) fn place(line: &str) -> Option<(&str, u32)> {
    let (path, rest) = line.rsplit_once(':')?;
    let number = rest.split(' ').next()?;
    Some((path, number.parse().ok()?))
}

/// The file in `a/train.py:12` or in `a/train.py(10): step`.
fn file(written: &str) -> &str {
    let of_line = || written.rsplit_once(':').map_or("", |it| it.0);
    function(written).map_or_else(of_line, |it| it.path)
}

/// `train.py:12`, if it is the learner's own.
fn own_line(written: &str) -> Option<String> {
    let (path, line) = written.rsplit_once(':')?;
    let is_line = !line.is_empty() && line.bytes().all(|it| it.is_ascii_digit());
    (is_line && is_own(path)).then(|| format!("{}:{line}", shortened(path)))
}

/// `train.py:10 in step` for `train.py(10): step`, if it is the learner's own.
fn own_function(written: &str) -> Option<String> {
    is_own(function(written)?.path).then(|| named(written))
}

/// A function with its file and line, also of a package; a name that is no function of Python stays as it is.
pub(super) fn named(written: &str) -> String {
    match function(written) {
        Some(PythonFunction { path, line, name }) => {
            format!("{}:{line} in {name}", shortened(path))
        }
        None => written.to_owned(),
    }
}

/// The last two parts of a path, which are enough to find it.
fn shortened(path: &str) -> String {
    let mut parts: Vec<&str> = path.rsplit('/').take(2).collect();
    parts.reverse();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_pytorch_and_of_the_library_are_not_the_learners() {
        assert_eq!(own_line("train.py:12"), Some("train.py:12".to_owned()));
        assert_eq!(
            own_line("a/b/c/train.py:12"),
            Some("c/train.py:12".to_owned())
        );
        assert_eq!(own_line("torch/nn/modules/module.py:1751"), None);
        assert_eq!(own_line("<frozen runpy>:88"), None);
        assert_eq!(own_line("train.py"), None);
        assert!(is_outer("a/train.py(48): main", "a/train.py:48"));
        assert!(!is_outer("a/train.py(10): step", "a/train.py:48"));
        assert!(!is_outer("<built-in method item>", "a/train.py:48"));
        assert_eq!(
            own_function("train.py(10): step"),
            Some("train.py:10 in step".to_owned())
        );
        assert_eq!(place("c/train.py:10 in step"), Some(("c/train.py", 10)));
        assert_eq!(place("train.py:12"), Some(("train.py", 12)));
        assert_eq!(own_function("nn.Module: Linear_0"), None);
        assert_eq!(
            own_function("<built-in method item of Tensor object>"),
            None
        );
    }
}
