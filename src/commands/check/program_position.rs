//! Where the line of a lab's program is: in the file of its lesson, or in one of its own.

use std::ops::Range;
use warpup_course::{Lab, Lesson, Sources};

/// A block of a lab that holds a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Program {
    Starter,
    Check,
    Solution,
}

impl Program {
    /// What messages call it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Starter => "starter",
            Self::Check => "check",
            Self::Solution => "solution",
        }
    }
}

/// The file of a program, and the bytes of its line there, from 1, without its indentation; the fence of the block for
/// line 0.
pub(super) fn line_of(
    sources: &Sources,
    lesson: &Lesson,
    lab: &Lab,
    program: Program,
    line: usize,
) -> (String, Range<usize>) {
    let [starter, check, solution] = &lab.blocks.files;
    let (block, file) = match program {
        Program::Starter => (None, starter),
        Program::Check => (lab.blocks.check, check),
        Program::Solution => (lab.blocks.solution, solution),
    };
    let fence = block.unwrap_or(lab.span.start);
    match file {
        Some(file) if line > 0 => (file.clone(), bytes_of(sources, file, 0, line - 1)),
        Some(_) | None => {
            let line = if file.is_some() { 0 } else { line };
            (
                lesson.file.clone(),
                bytes_of(sources, &lesson.file, fence, line),
            )
        }
    }
}

/// The bytes of a line so many lines below a place in a file. Where it is blank, only its start.
fn bytes_of(sources: &Sources, file: &str, from: usize, below: usize) -> Range<usize> {
    let text = sources.files.get(file).map_or("", |it| it.as_ref());
    let rest = text.get(from..).unwrap_or_default();
    let lines = rest.split_inclusive('\n');
    let before: usize = lines.take(below).map(str::len).sum();
    let start = from + before;
    let written = text.get(start..).unwrap_or_default();
    let written = written.lines().next().unwrap_or_default();
    if written.trim().is_empty() {
        return start..start;
    }
    let indent = written.len() - written.trim_start().len();
    start + indent..start + written.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_marked_without_its_indentation_and_so_is_a_fence() {
        let text = "Text.\n\n```python lab id=a\nif x:\n    y = 1\n\n```\n";
        let sources = Sources::of([("a.md".to_owned(), text.into())]);
        let of = |below| {
            let bytes = bytes_of(&sources, "a.md", 7, below);
            text.get(bytes).unwrap_or_default()
        };
        assert_eq!(of(0), "```python lab id=a");
        assert_eq!(of(2), "y = 1");
        assert_eq!(of(3), "");
    }
}
