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

/// A change that costs no parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// As it is.
    None,
    /// Half as many sequences.
    HalfBatch,
    /// Sequences half as long.
    HalfLength,
    /// Both.
    Both,
}

impl Reduction {
    /// All of them, in the order they are shown.
    pub const ALL: [Self; 4] = [Self::None, Self::HalfBatch, Self::HalfLength, Self::Both];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "as it is",
            Self::HalfBatch => "half the batch",
            Self::HalfLength => "half the length",
            Self::Both => "half of both",
        }
    }
}

impl Batch {
    /// The batch after a change; half of an odd number is rounded up.
    #[must_use]
    pub fn after(self, reduction: Reduction) -> Self {
        let (halves_batch, halves_length) = match reduction {
            Reduction::None => (false, false),
            Reduction::HalfBatch => (true, false),
            Reduction::HalfLength => (false, true),
            Reduction::Both => (true, true),
        };
        let half = |of: u64, is: bool| if is { of.div_ceil(2) } else { of };
        Self {
            sequences: half(self.sequences, halves_batch),
            length: half(self.length, halves_length),
            heads: self.heads,
        }
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
        let left = Reduction::ALL.map(|reduction| {
            let after = now.after(reduction);
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
