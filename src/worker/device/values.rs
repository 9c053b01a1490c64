//! How much of a modelled card's work is really computed, on the CPU, for its values.

/// Limits, and what is left of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    /// Results with more elements than this are modelled by shape only.
    most_elements: u64,
    /// Floating point operations that are still computed in this run.
    flops_left: u64,
    why_none: WhyNone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhyNone {
    TooLarge { flops: u64 },
    Planned,
}

impl Values {
    /// For a program whose results somebody will look at.
    pub(super) fn of_a_run() -> Self {
        let flops = 20_000_000_000;
        Self {
            most_elements: 1 << 22,
            flops_left: flops,
            why_none: WhyNone::TooLarge { flops },
        }
    }

    /// For a program of which only times and memory are wanted: counters and indices, no more.
    pub(super) fn of_a_plan() -> Self {
        Self {
            most_elements: 1 << 12,
            flops_left: 100_000_000,
            why_none: WhyNone::Planned,
        }
    }

    /// Whether a result of so many elements and operations is computed; it is taken off.
    pub(super) fn allow(&mut self, elements: u64, flops: u64) -> bool {
        let fits = elements <= self.most_elements && flops <= self.flops_left;
        if fits {
            self.flops_left -= flops;
        }
        fits
    }

    /// Whether a value that was not computed is told as if it were none, instead of refused.
    pub(super) fn unknown_is_told(&self) -> bool {
        self.why_none == WhyNone::Planned
    }

    /// Why a tensor has no values.
    pub(super) fn why_none(&self) -> String {
        match self.why_none {
            WhyNone::TooLarge { flops } => format!(
                "this tensor has a shape but no values: on a modelled card, results of more than {} elements or past {} GFLOP of work in a run are not computed, only their time and memory are modelled. Make it smaller to read values",
                self.most_elements,
                flops / 1_000_000_000
            ),
            WhyNone::Planned => "a plan computes no values".to_owned(),
        }
    }
}
