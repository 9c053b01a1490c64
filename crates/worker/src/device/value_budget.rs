//! How many values a modelled card really computes, on the CPU; beyond, results have a shape only.
//!
//! It reads no clock: the engine measures how long values took, and says so. Nothing that a virtual clock shows
//! depends on it.

use super::tensor_device::TensorDevice;
use crate::meta::Cost;
use std::time::Duration;
use warpup_protocol::MissingValues;

/// The part of a run's time limit that values may take. The rest is for the interpreter and for tensors on the host.
const SHARE: u32 = 2;

/// Floating point operations a second that the CPU does at least: a tenth of what two cores do, so that an operation
/// that would overrun the time is known before it starts.
const LEAST_FLOPS: u64 = 10_000_000_000;

/// Bytes a second that the CPU reads and writes at least.
const LEAST_BYTES: u64 = 1_000_000_000;

/// The limits of a run, and what is left of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueBudget {
    /// Results with more elements than this are not computed.
    max_elements: u64,
    left: RemainingBudget,
}

/// Whether a result gets values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueDecision {
    Yes,
    /// Yes, and [`ValueBudget::took`] is to be told how long they take.
    Timed,
    /// It gets a shape only. Who reads it gets `nan`, or 0 for integers.
    No(MissingValues),
}

/// What may still be spent on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RemainingBudget {
    /// In a run: time, of all that values may take.
    Time { left: Duration, all: Duration },
    /// In a plan: floating point operations.
    Flops(u64),
}

impl ValueBudget {
    /// For a run with this time limit, whose results are shown.
    pub(super) fn of_a_run(limit: Duration) -> Self {
        Self {
            max_elements: 1 << 22,
            left: RemainingBudget::Time {
                left: limit / SHARE,
                all: limit / SHARE,
            },
        }
    }

    /// For a plan, which reports times and memory: enough for counters and indices.
    pub(super) fn of_a_plan() -> Self {
        Self {
            max_elements: 1 << 12,
            left: RemainingBudget::Flops(100_000_000),
        }
    }

    /// Whether a result of this size and cost gets values, or a shape only. In a run all of the host's do.
    pub(crate) fn computes(
        &mut self,
        device: TensorDevice,
        elements: u64,
        cost: Cost,
    ) -> ValueDecision {
        let begun = match device {
            TensorDevice::Cpu if !self.is_plan() => return ValueDecision::Yes,
            TensorDevice::Cpu | TensorDevice::Card(_) => self.begin(elements, cost),
        };
        match begun {
            Ok(()) if self.is_plan() => ValueDecision::Yes,
            Ok(()) => ValueDecision::Timed,
            Err(why) => ValueDecision::No(why),
        }
    }

    /// Whether a result of this size and cost is computed, and if not, why. A plan pays for it now, a run when
    /// [`ValueBudget::took`] says how long it was.
    fn begin(&mut self, elements: u64, cost: Cost) -> Result<(), MissingValues> {
        match &mut self.left {
            RemainingBudget::Flops(left) => {
                if elements > self.max_elements || cost.flops > *left {
                    return Err(MissingValues::Planned);
                }
                *left -= cost.flops;
            }
            RemainingBudget::Time { .. } if elements > self.max_elements => {
                return Err(MissingValues::TooLarge);
            }
            RemainingBudget::Time { left, .. } if left.is_zero() || at_most(cost) > *left => {
                return Err(MissingValues::OutOfTime);
            }
            RemainingBudget::Time { .. } => {}
        }
        Ok(())
    }

    /// Values have taken this long on the wall clock.
    pub(crate) fn took(&mut self, time: Duration) {
        match &mut self.left {
            RemainingBudget::Time { left, .. } => *left = left.saturating_sub(time),
            RemainingBudget::Flops(_) => {}
        }
    }

    /// The run has used this much CPU time. Values took no more of it, whatever the wall clock says: on a busy machine
    /// most of that was time of others.
    pub(crate) fn run_used(&mut self, cpu: Duration) {
        match &mut self.left {
            RemainingBudget::Time { left, all } => *left = (*left).max(all.saturating_sub(cpu)),
            RemainingBudget::Flops(_) => {}
        }
    }

    pub(super) fn is_plan(&self) -> bool {
        match self.left {
            RemainingBudget::Flops(_) => true,
            RemainingBudget::Time { .. } => false,
        }
    }
}

/// How long the CPU takes at most.
fn at_most(cost: Cost) -> Duration {
    let computing = cost.flops / (LEAST_FLOPS / 1_000_000);
    let moving = cost.bytes / (LEAST_BYTES / 1_000_000);
    Duration::from_micros(computing.max(moving))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn flops(flops: u64) -> Cost {
        Cost { flops, bytes: 0 }
    }

    #[test]
    fn values_take_half_of_the_time_limit_and_no_more() {
        let mut budget = ValueBudget::of_a_run(20 * SECOND);
        for _ in 0..10 {
            assert_eq!(budget.begin(10_000, flops(1_000_000)), Ok(()));
            budget.took(SECOND);
        }
        let refused = budget.begin(10_000, flops(1_000_000));
        assert_eq!(refused, Err(MissingValues::OutOfTime));
    }

    #[test]
    fn time_that_neighbours_took_is_given_back() {
        let mut budget = ValueBudget::of_a_run(20 * SECOND);
        budget.took(30 * SECOND);
        assert_eq!(budget.begin(1, flops(1)), Err(MissingValues::OutOfTime));
        budget.run_used(4 * SECOND);
        assert_eq!(budget.begin(1, flops(50_000_000_000)), Ok(()));
        budget.took(30 * SECOND);
        budget.run_used(11 * SECOND);
        assert_eq!(budget.begin(1, flops(1)), Err(MissingValues::OutOfTime));
    }

    #[test]
    fn an_operation_that_would_overrun_the_time_does_not_start_and_a_smaller_one_does() {
        let mut budget = ValueBudget::of_a_run(20 * SECOND);
        let refused = budget.begin(1, flops(200_000_000_000));
        assert_eq!(refused, Err(MissingValues::OutOfTime));
        let moved = budget.begin(1, Cost::moving(20_000_000_000));
        assert_eq!(moved, Err(MissingValues::OutOfTime));
        assert_eq!(budget.begin(1, flops(50_000_000_000)), Ok(()));
    }

    #[test]
    fn a_large_result_is_refused_for_its_size() {
        let mut budget = ValueBudget::of_a_run(20 * SECOND);
        assert_eq!(budget.begin(1 << 22, flops(0)), Ok(()));
        assert_eq!(
            budget.begin(1 + (1 << 22), flops(0)),
            Err(MissingValues::TooLarge)
        );
    }

    #[test]
    fn a_plan_counts_operations_and_no_time() {
        let mut budget = ValueBudget::of_a_plan();
        budget.took(1_000 * SECOND);
        assert_eq!(budget.begin(4_096, flops(100_000_000)), Ok(()));
        assert_eq!(budget.begin(1, flops(1)), Err(MissingValues::Planned));
        assert_eq!(budget.begin(4_097, flops(0)), Err(MissingValues::Planned));
    }
}
