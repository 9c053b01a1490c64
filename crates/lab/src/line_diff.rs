//! Two programs, line by line: which lines are the same, which are gone, and which are new.
//!
//! Pure. Lines are the same if they differ in nothing but space at their end. Myers' algorithm of the crate `similar` finds the
//! longest common sequence.

use std::collections::BTreeMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// In longer programs than this, all between the first and the last difference is changed: the time would grow with the product of
/// both lengths.
const MATCHED: usize = 1000;

/// Lines around a difference that are shown with it.
const CONTEXT: usize = 2;

/// Lines above the first difference: in a low pane it has to be in sight.
const ABOVE: usize = 1;

/// A stretch of lines of two programs, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DiffStretch {
    /// The same lines in both.
    Same(Range<usize>, Range<usize>),
    /// Lines of the first program, and those of the second in their place; one of the two may be empty.
    Changed(Range<usize>, Range<usize>),
}

/// A row of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffRow<'a> {
    /// A line that both programs have, with its number in the second, from 1.
    Same(usize, &'a str),
    /// A line that only the first program has, with its number there.
    Removed(usize, &'a str),
    /// A line that only the second program has, with its number there.
    Added(usize, &'a str),
    /// So many lines that both have are not shown.
    Skipped(usize),
}

/// What a second program changed of a first one, with a few lines around each change; nothing if they are the same.
pub fn diff<'a>(before: &'a str, now: &'a str) -> Vec<DiffRow<'a>> {
    let (before, now) = (lines(before), lines(now));
    let parts = parts(&before, &now);
    let last = parts.len().saturating_sub(1);
    if !parts
        .iter()
        .any(|it| matches!(it, DiffStretch::Changed(..)))
    {
        return Vec::new();
    }
    let text = |lines: &[&'a str], at: usize| lines.get(at).copied().unwrap_or_default();
    let mut rows = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            DiffStretch::Changed(was, is) => {
                rows.extend(
                    was.clone()
                        .map(|it| DiffRow::Removed(it + 1, text(&before, it))),
                );
                rows.extend(is.clone().map(|it| DiffRow::Added(it + 1, text(&now, it))));
            }
            // The numbers of the lines say that others are above.
            DiffStretch::Same(_, is) if at == 0 => {
                let above = is.end.saturating_sub(ABOVE).max(is.start)..is.end;
                rows.extend(above.map(|it| DiffRow::Same(it + 1, text(&now, it))));
            }
            DiffStretch::Same(_, is) => {
                let end = if at == last { 0 } else { CONTEXT };
                let hidden = is.len().saturating_sub(CONTEXT + end);
                // A row that says that one line is hidden takes as much room as the line.
                let hidden = if hidden > 1 { hidden } else { 0 };
                let shown = |it: usize| DiffRow::Same(it + 1, text(&now, it));
                let (head, tail) = (
                    is.start..is.start + CONTEXT,
                    is.end - end.min(is.len())..is.end,
                );
                if hidden == 0 {
                    rows.extend(is.clone().map(shown));
                } else {
                    rows.extend(head.map(shown));
                    rows.push(DiffRow::Skipped(hidden));
                    rows.extend(tail.map(shown));
                }
            }
        }
    }
    rows
}

/// The lines that both programs have: the number that each has in the second, by its number in the first, from 1.
pub fn unchanged(before: &str, now: &str) -> BTreeMap<u32, u32> {
    let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    let mut both = BTreeMap::new();
    for part in parts(&lines(before), &lines(now)) {
        if let DiffStretch::Same(was, is) = part {
            both.extend(was.map(number).zip(is.map(number)));
        }
    }
    both
}

/// The lines of a program without space at their end.
pub(super) fn lines(program: &str) -> Vec<&str> {
    program.lines().map(str::trim_end).collect()
}

/// The stretches of two programs, in their order. Two that are changed never follow each other.
pub(super) fn parts(before: &[&str], now: &[&str]) -> Vec<DiffStretch> {
    if before.len() > MATCHED || now.len() > MATCHED {
        return between_first_and_last(before, now);
    }
    let mut parts: Vec<DiffStretch> = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    for op in capture_diff_slices(Algorithm::Myers, before, now) {
        // Lengths only: where `similar` moves a deletion, its place in the second text stays behind.
        let (old_end, new_end) = (at_old + op.old_range().len(), at_new + op.new_range().len());
        match (op, parts.last_mut()) {
            (DiffOp::Equal { .. }, _) => {
                parts.push(DiffStretch::Same(at_old..old_end, at_new..new_end));
            }
            (_, Some(DiffStretch::Changed(old, new))) => (old.end, new.end) = (old_end, new_end),
            (_, Some(DiffStretch::Same(..)) | None) => {
                parts.push(DiffStretch::Changed(at_old..old_end, at_new..new_end));
            }
        }
        (at_old, at_new) = (old_end, new_end);
    }
    parts
}

/// What both programs begin with, what they end with, and all between these as changed.
fn between_first_and_last(before: &[&str], now: &[&str]) -> Vec<DiffStretch> {
    let common = before.iter().zip(now);
    let head = common.take_while(|(was, is)| was == is).count();
    let rest = before.iter().skip(head).rev();
    let rest = rest.zip(now.iter().skip(head).rev());
    let tail = rest.take_while(|(was, is)| was == is).count();
    let (old_end, new_end) = (before.len() - tail, now.len() - tail);
    let parts = [
        DiffStretch::Same(0..head, 0..head),
        DiffStretch::Changed(head..old_end, head..new_end),
        DiffStretch::Same(old_end..before.len(), new_end..now.len()),
    ];
    let is_there = |it: &DiffStretch| {
        let (DiffStretch::Same(was, is) | DiffStretch::Changed(was, is)) = it;
        !was.is_empty() || !is.is_empty()
    };
    parts.into_iter().filter(is_there).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(before: &str, now: &str) -> String {
        let rows = diff(before, now).into_iter();
        let rows = rows.map(|it| match it {
            DiffRow::Same(number, text) => format!("  {number} {text}"),
            DiffRow::Removed(number, text) => format!("- {number} {text}"),
            DiffRow::Added(number, text) => format!("+ {number} {text}"),
            DiffRow::Skipped(lines) => format!("  … {lines}"),
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_change_is_shown_with_the_lines_around_it() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\n";
        insta::assert_snapshot!(shown(before, "a\nb\nc\nd\nE\nEE\nf\ng\nh\ni\n"), @"
          4 d
        - 5 e
        + 5 E
        + 6 EE
          7 f
          8 g
          9 h
        + 10 i
        ");
        insta::assert_snapshot!(shown(before, "b\nc\nd\ne\nf\n  g\nh"), @"
        - 1 a
          1 b
          2 c
          3 d
          4 e
          5 f
        - 7 g
        + 6   g
          7 h
        ");
        assert_eq!(shown(before, "a\nb\nc \nd\ne\nf\ng\nh"), "");
        assert_eq!(shown("", "a\n"), "+ 1 a");
    }

    #[test]
    fn a_long_program_has_the_lines_between_its_first_and_last_difference() {
        let before: Vec<String> = (0..2000).map(|it| it.to_string()).collect();
        let before = before.join("\n") + "\n";
        let now = before.replace("\n7\n", "\nseven\n").replace("\n10\n", "\n");
        insta::assert_snapshot!(shown(&before, &now), @"
          7 6
        - 8 7
        - 9 8
        - 10 9
        - 11 10
        + 8 seven
        + 9 8
        + 10 9
          11 11
          12 12
          … 1987
        ");
        assert_eq!(shown(&before, &before), "");
    }

    proptest! {
        #[test]
        fn every_line_is_in_one_part(before in "[ab\n]{0,12}", now in "[ab\n]{0,12}") {
            let (before, now) = (lines(&before), lines(&now));
            let (mut old, mut new) = (0, 0);
            for part in parts(&before, &now) {
                let (DiffStretch::Same(was, is) | DiffStretch::Changed(was, is)) = &part;
                prop_assert_eq!((was.start, is.start), (old, new));
                (old, new) = (was.end, is.end);
                if let DiffStretch::Same(..) = part {
                    prop_assert_eq!(before.get(was.clone()), now.get(is.clone()));
                }
            }
            prop_assert_eq!((old, new), (before.len(), now.len()));
        }
    }
}
