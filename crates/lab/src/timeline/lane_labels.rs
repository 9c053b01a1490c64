//! Which line of the program each column of a lane belongs to, and the numbers that stand above them.
//!
//! Pure.

use std::collections::BTreeMap;
use warpup_protocol::Span;

/// Time of each line in each column of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLines(Vec<BTreeMap<u32, u64>>);

impl ColumnLines {
    pub(super) fn new(width: usize) -> Self {
        Self(vec![BTreeMap::new(); width])
    }

    /// A span spent this time in a column.
    pub(super) fn add(&mut self, column: usize, span: &Span, ns: u64) {
        if span.line == 0 {
            return;
        }
        if let Some(lines) = self.0.get_mut(column) {
            let sum = lines.entry(span.line).or_default();
            *sum = sum.saturating_add(ns);
        }
    }

    /// Whether a line has work in a column.
    pub fn has(&self, column: usize, line: u32) -> bool {
        self.0.get(column).is_some_and(|it| it.contains_key(&line))
    }

    /// The line that has most of a column.
    pub fn line(&self, column: usize) -> Option<u32> {
        let lines = self.0.get(column)?.iter();
        lines.max_by_key(|(_, ns)| **ns).map(|(line, _)| *line)
    }

    /// The line of each stretch of columns, at its first one, where its number has room.
    pub fn labels(&self) -> Vec<(usize, u32)> {
        let lines: Vec<Option<u32>> = (0..self.0.len()).map(|it| self.line(it)).collect();
        let mut labels = Vec::new();
        let mut column = 0;
        // The first column that is free, with one between two numbers.
        let mut free = 0;
        for stretch in lines.chunk_by(|one, other| one == other) {
            if let Some(Some(line)) = stretch.first()
                && line.to_string().len() <= stretch.len()
                && column >= free
            {
                free = column + line.to_string().len() + 1;
                labels.push((column, *line));
            }
            column += stretch.len();
        }
        labels
    }
}
