//! Which line of the program each part of a lane belongs to, as numbers to stand above it.
//!
//! Pure.

use std::collections::BTreeMap;
use warpup_protocol::Span;

/// Time of each line in each column of a lane.
#[derive(Debug)]
pub(super) struct ColumnLines(Vec<BTreeMap<u32, u64>>);

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

    /// The line of each stretch of columns, at its first one, where its number has room.
    pub(super) fn labels(&self) -> Vec<(usize, u32)> {
        let most = |lines: &BTreeMap<u32, u64>| {
            let most = lines.iter().max_by_key(|(_, ns)| **ns);
            most.map(|(line, _)| *line)
        };
        let lines: Vec<Option<u32>> = self.0.iter().map(most).collect();
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
