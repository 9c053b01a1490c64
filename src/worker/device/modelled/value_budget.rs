//! How many values a modelled card really computes, on the CPU; beyond, results have a shape only.

/// The limits of a run, and what is left of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueBudget {
    /// Results with more elements than this are not computed.
    max_elements: u64,
    /// Floating point operations that this run may still compute.
    flops_left: u64,
    limit: Limit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    TooLarge { flops: u64 },
    Planned,
}

impl ValueBudget {
    /// For a run, whose results are shown.
    pub(super) fn of_a_run() -> Self {
        let flops = 20_000_000_000;
        Self {
            max_elements: 1 << 22,
            flops_left: flops,
            limit: Limit::TooLarge { flops },
        }
    }

    /// For a plan, which reports times and memory: enough for counters and indices.
    pub(super) fn of_a_plan() -> Self {
        Self {
            max_elements: 1 << 12,
            flops_left: 100_000_000,
            limit: Limit::Planned,
        }
    }

    /// Whether a result of this size and cost is computed; if so, its cost is subtracted.
    pub(super) fn spend(&mut self, elements: u64, flops: u64) -> bool {
        let fits = elements <= self.max_elements && flops <= self.flops_left;
        if fits {
            self.flops_left -= flops;
        }
        fits
    }

    pub(super) fn is_plan(&self) -> bool {
        self.limit == Limit::Planned
    }

    pub(super) fn message(&self) -> String {
        match self.limit {
            Limit::TooLarge { flops } => format!(
                "this tensor has a shape but no values: on a modelled card, results of more than {} elements or past {} GFLOP of work in a run are not computed, only their time and memory are modelled. Make it smaller to read values",
                self.max_elements,
                flops / 1_000_000_000
            ),
            Limit::Planned => "a plan computes no values".to_owned(),
        }
    }
}
