//! Where the line of a lab's program is in the file of its lesson.

use crate::course::{Lab, Lesson, Sources};
use std::ops::Range;

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

/// The bytes of a program's line, from 1, without its indentation; the fence of the block for line 0.
pub(super) fn line_of(
    sources: &Sources,
    lesson: &Lesson,
    lab: &Lab,
    program: Program,
    line: usize,
) -> Range<usize> {
    let block = match program {
        Program::Starter => None,
        Program::Check => lab.blocks.check,
        Program::Solution => lab.blocks.solution,
    };
    let fence = block.unwrap_or(lab.span.start);
    let text = sources.files.get(&lesson.file).map_or("", |it| it.as_ref());
    let rest = text.get(fence..).unwrap_or_default();
    let lines = rest.split_inclusive('\n');
    let before: usize = lines.take(line).map(str::len).sum();
    let start = fence + before;
    let written = text.get(start..).unwrap_or_default();
    let written = written.lines().next().unwrap_or_default();
    if line == 0 || written.trim().is_empty() {
        // Only the start of the block, which may have many lines.
        return start..start;
    }
    let indent = written.len() - written.trim_start().len();
    start + indent..start + written.trim_end().len()
}
