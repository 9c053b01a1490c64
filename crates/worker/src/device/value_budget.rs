//! How many values a modelled card really computes, on the CPU; beyond, results have a shape only.
//!
//! It reads no clock: the engine measures how long values took, and says so. Nothing that a virtual clock shows
//! depends on it.

use super::tensor_device::TensorDevice;
use crate::meta::Cost;
use std::time::Duration;
use warpup_protocol::{HOST_MEMORY, Limits, MissingValues};

/// The part of a run's time limit that values may take. The rest is for the interpreter and for tensors on the host.
const SHARE: u32 = 2;

/// Floating point operations a second that the CPU does at least: a tenth of what two cores do, so that an operation
/// that would overrun the time is known before it starts.
const LEAST_FLOPS: u64 = 10_000_000_000;

/// Bytes a second that the CPU reads and writes at least.
const LEAST_BYTES: u64 = 1_000_000_000;

/// Bytes that values may hold where the app does not say how much memory the machine has.
const USUAL_BYTES: u64 = 4 << 30;

/// Bytes of a process without a limit of its own that are not for values: stacks, the interpreter, the program's own objects.
const OWN_BYTES: u64 = 1 << 30;

/// Values that take longer wait until somebody reads them.
const NOTICEABLE: Duration = Duration::from_millis(1);

/// The most elements of a result that a plan computes.
const PLANNED_ELEMENTS: u64 = 1 << 12;

/// The limits of a run, and what is left of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueBudget {
    /// Bytes that values may hold together, with those that an operation needs for a moment.
    most_bytes: u64,
    left: RemainingBudget,
}

/// What computing a result would take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueDemand {
    pub(crate) elements: u64,
    /// What it computes and moves, scratch memory of the host included.
    pub(crate) cost: Cost,
    /// Bytes that values of all tensors hold already.
    pub(crate) held: u64,
}

impl ValueDemand {
    /// The same where others do not matter, since these values are counted with them already.
    pub(crate) fn of_new_values(self) -> Self {
        Self { held: 0, ..self }
    }

    /// Bytes that values hold together while it is computed. The host's kernels compute in `float32`, and make up to two copies
    /// of a result: to add a bias, and to bring it into its order and type.
    fn bytes(self) -> u64 {
        let result = self.elements.saturating_mul(4 * 3);
        let needed = self.cost.bytes.saturating_add(result);
        self.held.saturating_add(needed)
    }
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
    /// For a run with these limits, whose results are shown.
    pub(super) fn of_a_run(limits: &Limits) -> Self {
        let given = |bytes: u64| Some(bytes).filter(|it| *it > 0);
        let of_machine = given(limits.value_bytes).unwrap_or(USUAL_BYTES);
        let of_process = given(limits.host_bytes).unwrap_or(HOST_MEMORY - OWN_BYTES);
        let limit = Duration::from_millis(limits.time_ms);
        Self {
            most_bytes: of_machine.min(of_process),
            left: RemainingBudget::Time {
                left: limit / SHARE,
                all: limit / SHARE,
            },
        }
    }

    /// For a plan, which reports times and memory: enough for counters and indices.
    pub(super) fn of_a_plan() -> Self {
        Self {
            most_bytes: u64::MAX,
            left: RemainingBudget::Flops(100_000_000),
        }
    }

    /// Whether a result of this size and cost gets values, or a shape only. In a run all of the host's do.
    pub(crate) fn computes(&mut self, device: TensorDevice, demand: ValueDemand) -> ValueDecision {
        let begun = match device {
            TensorDevice::Cpu if !self.is_plan() => return ValueDecision::Yes,
            TensorDevice::Cpu | TensorDevice::Card(_) => self.begin(demand),
        };
        match begun {
            Ok(()) if self.is_plan() => ValueDecision::Yes,
            Ok(()) => ValueDecision::Timed,
            Err(why) => ValueDecision::No(why),
        }
    }

    /// Bytes that values which wait may keep, beside those of tensors: half as many as values may hold.
    pub(crate) fn backlog_bytes(&self) -> u64 {
        self.most_bytes / 2
    }

    /// Whether it pays to wait with values until somebody reads them. A plan computes so little that it does not.
    pub(crate) fn takes_long(&self, cost: Cost) -> bool {
        !self.is_plan() && at_most(cost) >= NOTICEABLE
    }

    /// Whether a result of this size and cost is computed, and if not, why. A plan pays for it now, a run when
    /// [`ValueBudget::took`] says how long it was.
    fn begin(&mut self, demand: ValueDemand) -> Result<(), MissingValues> {
        let ValueDemand { elements, cost, .. } = demand;
        match &mut self.left {
            RemainingBudget::Flops(left) => {
                if elements > PLANNED_ELEMENTS || cost.flops > *left {
                    return Err(MissingValues::Planned);
                }
                *left -= cost.flops;
            }
            RemainingBudget::Time { left, .. } if left.is_zero() || at_most(cost) > *left => {
                return Err(MissingValues::OutOfTime);
            }
            RemainingBudget::Time { .. } if demand.bytes() > self.most_bytes => {
                return Err(MissingValues::TooLarge);
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

    fn seconds(time: u64) -> ValueBudget {
        ValueBudget::of_a_run(&Limits {
            time_ms: time * 1_000,
            ..Limits::default()
        })
    }

    fn of(elements: u64, cost: Cost) -> ValueDemand {
        ValueDemand {
            elements,
            cost,
            held: 0,
        }
    }

    fn flops(flops: u64) -> ValueDemand {
        of(1, Cost { flops, bytes: 0 })
    }

    #[test]
    fn values_take_half_of_the_time_limit_and_no_more() {
        let mut budget = seconds(20);
        for _ in 0..10 {
            assert_eq!(budget.begin(flops(1_000_000)), Ok(()));
            budget.took(SECOND);
        }
        assert_eq!(
            budget.begin(flops(1_000_000)),
            Err(MissingValues::OutOfTime)
        );
    }

    #[test]
    fn time_that_neighbours_took_is_given_back() {
        let mut budget = seconds(20);
        budget.took(30 * SECOND);
        assert_eq!(budget.begin(flops(1)), Err(MissingValues::OutOfTime));
        budget.run_used(4 * SECOND);
        assert_eq!(budget.begin(flops(50_000_000_000)), Ok(()));
        budget.took(30 * SECOND);
        budget.run_used(11 * SECOND);
        assert_eq!(budget.begin(flops(1)), Err(MissingValues::OutOfTime));
    }

    #[test]
    fn an_operation_that_would_overrun_the_time_does_not_start_and_a_smaller_one_does() {
        let mut budget = ValueBudget {
            most_bytes: u64::MAX,
            ..seconds(20)
        };
        let refused = budget.begin(flops(200_000_000_000));
        assert_eq!(refused, Err(MissingValues::OutOfTime));
        let moved = budget.begin(of(1, Cost::moving(20_000_000_000)));
        assert_eq!(moved, Err(MissingValues::OutOfTime));
        assert_eq!(budget.begin(flops(50_000_000_000)), Ok(()));
    }

    #[test]
    fn values_hold_what_the_machine_and_the_process_have_and_no_count_of_elements_matters() {
        let held = |value_bytes, host_bytes, held| {
            let mut budget = ValueBudget::of_a_run(&Limits {
                value_bytes,
                host_bytes,
                ..Limits::default()
            });
            let elements = 1 << 26;
            let cost = Cost::moving(1 << 28);
            budget.begin(ValueDemand {
                elements,
                cost,
                held,
            })
        };
        // 2^26 results need a gibibyte for a moment, three copies and what is read.
        assert_eq!(held(8 << 30, 0, 7 << 30), Ok(()));
        let refused = Err(MissingValues::TooLarge);
        assert_eq!(held(8 << 30, 0, (7 << 30) + 1), refused);
        assert_eq!(held(8 << 30, 1 << 30, 0), Ok(()));
        assert_eq!(held(8 << 30, 1 << 30, 1), refused);
        assert_eq!(held(0, 0, 3 << 30), Ok(()));
        assert_eq!(held(0, 0, (3 << 30) + 1), refused);
        assert_eq!(held(64 << 30, 0, 11 << 30), refused);
    }

    #[test]
    fn a_plan_counts_operations_and_no_time() {
        let mut budget = ValueBudget::of_a_plan();
        budget.took(1_000 * SECOND);
        let small = |elements, flops| of(elements, Cost { flops, bytes: 0 });
        assert_eq!(budget.begin(small(4_096, 100_000_000)), Ok(()));
        let refused = Err(MissingValues::Planned);
        assert_eq!(budget.begin(small(1, 1)), refused);
        assert_eq!(budget.begin(small(4_097, 0)), refused);
    }
}
