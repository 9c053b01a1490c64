//! What a smaller batch or a shorter sequence does to the memory above the floor.
//!
//! Pure arithmetic in whole numbers. Activations grow with the positions, which are batch times length;
//! the scores of plain attention grow with the square of the length.

/// What a step of training reads at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Sequences.
    pub sequences: u64,
    /// Positions in each of them.
    pub length: u64,
    /// Attention heads of a layer.
    pub heads: u64,
}

impl Batch {
    /// Changes that cost no parameter, and the batch after each; half of an odd number is rounded up.
    pub fn reductions(self) -> [(&'static str, Self); 4] {
        let half_batch = Self {
            sequences: self.sequences.div_ceil(2),
            ..self
        };
        let half_length = |it: Self| Self {
            length: it.length.div_ceil(2),
            ..it
        };
        [
            ("as it is", self),
            ("half the batch", half_batch),
            ("half the length", half_length(self)),
            ("half of both", half_length(half_batch)),
        ]
    }

    /// Positions that a layer sees at once.
    pub fn positions(self) -> u64 {
        self.sequences.saturating_mul(self.length)
    }

    /// Scores of one layer of plain attention: each position against each, in each head.
    pub fn scores(self) -> u64 {
        let pairs = self.length.saturating_mul(self.length);
        self.sequences
            .saturating_mul(self.heads)
            .saturating_mul(pairs)
    }
}

/// What is left of an amount, in percent, rounded.
pub fn percent(left: u64, of: u64) -> u64 {
    let of = u128::from(of.max(1));
    let percent = (u128::from(left) * 100 + of / 2) / of;
    u64::try_from(percent).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_reductions_halve_positions_and_the_length_takes_scores_by_the_square() {
        let now = Batch {
            sequences: 32,
            length: 2048,
            heads: 16,
        };
        let left = now.reductions().map(|(_, after)| {
            let positions = percent(after.positions(), now.positions());
            (positions, percent(after.scores(), now.scores()))
        });
        assert_eq!(left, [(100, 100), (50, 50), (50, 25), (25, 13)]);
        assert_eq!((now.positions(), now.scores()), (65_536, 2_147_483_648));
    }

    #[test]
    fn numbers_without_end_are_no_panic() {
        let most = Batch {
            sequences: u64::MAX,
            length: u64::MAX,
            heads: u64::MAX,
        };
        assert_eq!(percent(most.scores(), most.scores()), 100);
    }
}
