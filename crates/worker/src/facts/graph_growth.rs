//! Whether more nodes of graphs are alive from step to step.

use crate::tensor::graph_use;
use warpup_protocol::GraphGrowth;

/// The alive nodes at each step so far.
#[derive(Debug, Default)]
pub(super) struct GrowthCounts {
    counts: u64,
    last: u64,
    /// Counts in a row, each with more than the one before, and the nodes at their begin.
    in_a_row: u64,
    first: u64,
    most: GraphGrowth,
}

impl GrowthCounts {
    /// Counts the nodes that are alive now.
    pub(super) fn count(&mut self) {
        self.take(graph_use::alive(), graph_use::newest_of_many);
    }

    fn take(&mut self, alive: u64, line_of: impl FnOnce(u64) -> u32) {
        self.counts += 1;
        // Before the first there may have been no graph at all.
        if self.counts > 1 && alive > self.last && self.last > 0 {
            self.in_a_row += 1;
        } else {
            (self.in_a_row, self.first) = (0, alive);
        }
        self.last = alive;
        if self.in_a_row > self.most.in_a_row {
            self.most = GraphGrowth {
                counts: 0,
                in_a_row: self.in_a_row,
                nodes: alive - self.first,
                line: line_of(self.in_a_row),
            };
        }
    }

    pub(super) fn report(&self) -> Option<GraphGrowth> {
        let counts = self.counts;
        (self.most.in_a_row > 0).then_some(GraphGrowth {
            counts,
            ..self.most
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(alive: &[u64]) -> Option<(u64, u64, u64)> {
        let mut counts = GrowthCounts::default();
        for it in alive {
            counts.take(*it, |_| 7);
        }
        let found = counts.report()?;
        Some((found.counts, found.in_a_row, found.nodes))
    }

    #[test]
    fn only_counts_in_a_row_that_rise_are_growth() {
        assert_eq!(growth(&[9, 9, 9, 9]), None);
        assert_eq!(growth(&[9, 12, 15, 18]), Some((4, 3, 9)));
        assert_eq!(growth(&[9, 12, 9, 10, 11, 12]), Some((6, 3, 3)));
        // The first graph is no growth.
        assert_eq!(growth(&[0, 12, 12]), None);
    }
}
