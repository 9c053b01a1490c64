//! The lanes of the modelled host beside the program's own: the workers of loaders, and the thread that pins their batches.
//!
//! A worker is busy or waits for the loader. Where there are more workers than cores, they share the cores evenly, as if all
//! of them were busy. The program's own lane and the pinning thread never wait for a core.

use super::card::ModelledCard;
use crate::device::interface::LoaderLanes;
use crate::device::timing::Interval;
use crate::error::TorchError;
use std::collections::BTreeMap;
use warpup_protocol::Lane;

/// When each lane will be free, and the one that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct HostLanes {
    free_ns: BTreeMap<Lane, u64>,
    /// The lane that runs instead of the program's own.
    beside: Option<Beside>,
}

/// A lane that runs while the clock of the program stands still.
#[derive(Clone, Copy, Debug)]
struct Beside {
    lane: Lane,
    start_ns: u64,
    /// The clock of the program.
    program_ns: u64,
}

impl HostLanes {
    /// How long work takes the lane that runs.
    pub(super) fn shared(&self, ns: u64, cores: u32) -> u64 {
        if !self.in_worker() {
            return ns;
        }
        let (workers, cores) = (self.workers(), u64::from(cores.max(1)));
        ns.saturating_mul(workers.max(cores)) / cores
    }

    fn in_worker(&self) -> bool {
        self.beside
            .is_some_and(|it| matches!(it.lane, Lane::Worker(_)))
    }

    fn workers(&self) -> u64 {
        let is_worker = |it: &&Lane| matches!(it, Lane::Worker(_));
        self.free_ns.keys().filter(is_worker).count() as u64
    }

    /// A lane for one worker more, which will be free at this time.
    fn open(&mut self, free_ns: u64) -> Lane {
        let mut lanes = (0..).map(Lane::Worker);
        let lane = lanes.find(|it| !self.free_ns.contains_key(it));
        let lane = lane.unwrap_or(Lane::Worker(0));
        self.free_ns.insert(lane, free_ns);
        lane
    }
}

impl ModelledCard {
    /// PyTorch's error for a process that was forked from one with a CUDA context.
    pub(super) fn refuse_in_worker(&self) -> Result<(), TorchError> {
        if self.has_context && self.lanes.in_worker() {
            return Err(TorchError::runtime(
                "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method",
            ));
        }
        Ok(())
    }
}

impl LoaderLanes for ModelledCard {
    fn cores(&self) -> u32 {
        self.host.cores
    }

    fn start_workers(&mut self, count: u32) -> Vec<Lane> {
        let costs = self.host.loader;
        let started = (0..count).map(|_| {
            self.advance_host(costs.fork_ns);
            self.lanes.open(self.host_ns + costs.start_ns)
        });
        started.collect()
    }

    fn end_workers(&mut self, lanes: &[Lane]) {
        let free = lanes.iter().filter_map(|it| self.lanes.free_ns.remove(it));
        let free_ns = free.max().unwrap_or(0);
        self.wait_until(free_ns);
        self.advance_host(self.host.loader.end_ns);
    }

    fn enter(&mut self, lane: Lane, not_before_ns: u64) {
        let free_ns = self.lanes.free_ns.get(&lane).copied().unwrap_or(0);
        let start_ns = free_ns.max(not_before_ns);
        self.lanes.beside = Some(Beside {
            lane,
            start_ns,
            program_ns: self.host_ns,
        });
        self.host_ns = start_ns;
    }

    fn leave(&mut self) -> Interval {
        let end_ns = self.host_ns;
        let Some(beside) = self.lanes.beside.take() else {
            let start_ns = end_ns;
            return Interval { start_ns, end_ns };
        };
        self.lanes.free_ns.insert(beside.lane, end_ns);
        self.host_ns = beside.program_ns;
        Interval {
            start_ns: beside.start_ns,
            end_ns,
        }
    }

    fn wait_for_batch(&mut self, ready_ns: u64) -> Interval {
        self.wait_until(ready_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::device::interface::HostClock;
    use crate::device::work::HostCall;

    fn card(cores: u32) -> ModelledCard {
        let mut host = shipped().host;
        host.cores = cores;
        ModelledCard::new(shipped().cards["t4"].clone(), &host)
    }

    /// A worker works for so long; when it did.
    fn made(card: &mut ModelledCard, lane: Lane, sent_ns: u64, ns: u64) -> (u64, u64) {
        card.enter(lane, sent_ns);
        card.call(HostCall::Stated { ns });
        let when = card.leave();
        (when.start_ns, when.end_ns)
    }

    #[test]
    fn workers_start_one_after_the_other_and_then_work_beside_the_program() {
        let mut card = card(8);
        let costs = card.host.loader;
        let lanes = card.start_workers(2);
        assert_eq!(lanes, [Lane::Worker(0), Lane::Worker(1)]);
        assert_eq!(card.now(), 2 * costs.fork_ns);
        let first = costs.fork_ns + costs.start_ns;
        let second = first + costs.fork_ns;
        assert_eq!(made(&mut card, lanes[0], 0, 500), (first, first + 500));
        assert_eq!(made(&mut card, lanes[1], 0, 300), (second, second + 300));
        // The next indices come later than it is free.
        let sent = first + 900;
        assert_eq!(made(&mut card, lanes[0], sent, 500), (sent, sent + 500));
        assert_eq!(card.now(), 2 * costs.fork_ns);
        assert_eq!(card.wait_for_batch(sent + 500).end_ns, sent + 500);
        card.end_workers(&lanes);
        assert_eq!(card.now(), second + 300 + costs.end_ns);
        assert_eq!(card.start_workers(1), [Lane::Worker(0)]);
    }

    #[test]
    fn more_workers_than_cores_share_them_and_sleep_needs_none() {
        let mut card = card(2);
        let lanes = card.start_workers(6);
        card.enter(lanes[5], 1_000_000_000);
        card.call(HostCall::Stated { ns: 1_000 });
        assert_eq!(card.now(), 1_000_003_000);
        let rest = ModelledCard::sleep;
        rest(&mut card, 1_000);
        assert_eq!(card.leave().end_ns, 1_000_004_000);
        // The pinning thread is the program's.
        assert_eq!(made(&mut card, Lane::Pinning, 5, 1_000), (5, 1_005));
    }

    #[test]
    fn a_worker_cannot_use_a_card_whose_context_the_program_has() {
        let mut card = card(2);
        let lanes = card.start_workers(1);
        card.create_context();
        card.enter(lanes[0], 0);
        let error = card.refuse_in_worker().unwrap_err().to_string();
        assert!(
            error.starts_with("Cannot re-initialize CUDA in forked subprocess"),
            "{error}"
        );
        card.leave();
        assert!(card.refuse_in_worker().is_ok());
    }
}
