//! The lanes of loaders beside two hosts. Who asks names times of the faster one; the slower one's are those that belong to them.

use super::two_hosts::TwoHosts;
use crate::device::interface::{HostClock, LoaderLanes};
use crate::device::timing::Interval;
use std::collections::BTreeMap;
use warpup_protocol::Lane;

/// Times of the faster host, each with that of the slower one.
#[derive(Debug, Default)]
pub(super) struct SameMoments(BTreeMap<u64, u64>);

impl SameMoments {
    /// The two clocks stand at these times.
    pub(super) fn note(&mut self, faster_ns: u64, slower_ns: u64) {
        self.0.insert(faster_ns, slower_ns);
    }

    /// The slower host's time for one of the faster: as long after the moment before it.
    fn slower(&self, faster_ns: u64) -> u64 {
        match self.0.range(..=faster_ns).next_back() {
            Some((faster, slower)) => slower + (faster_ns - faster),
            None => faster_ns,
        }
    }
}

impl LoaderLanes for TwoHosts {
    fn cores(&self) -> u32 {
        self.faster.cores()
    }

    fn start_workers(&mut self, count: u32) -> Vec<Lane> {
        self.slower.start_workers(count);
        let lanes = self.faster.start_workers(count);
        self.note_moment();
        lanes
    }

    fn end_workers(&mut self, lanes: &[Lane]) {
        self.slower.end_workers(lanes);
        self.faster.end_workers(lanes);
    }

    fn enter(&mut self, lane: Lane, not_before_ns: u64) {
        let later = self.moments.slower(not_before_ns);
        self.slower.enter(lane, later);
        self.faster.enter(lane, not_before_ns);
    }

    fn leave(&mut self) -> Interval {
        let slower = self.slower.leave();
        let faster = self.faster.leave();
        self.moments.note(faster.end_ns, slower.end_ns);
        self.note_moment();
        faster
    }

    fn wait_for_batch(&mut self, ready_ns: u64) -> Interval {
        let later = self.moments.slower(ready_ns);
        self.slower.wait_for_batch(later);
        let waited = self.faster.wait_for_batch(ready_ns);
        self.note_moment();
        waited
    }
}

impl TwoHosts {
    /// Notes the clocks of the program.
    pub(super) fn note_moment(&mut self) {
        self.moments.note(self.faster.now(), self.slower.now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::device::interface::Kernels;
    use crate::device::work::HostCall;

    #[test]
    fn a_batch_that_takes_twice_as_long_is_ready_later_beside_the_slower_host() {
        let cards = shipped();
        let mut device = TwoHosts::new(&cards.cards["t4"], cards);
        let lanes = device.start_workers(1);
        let mut ready_ns = 0;
        for _ in 0..3 {
            device.call(HostCall::Message);
            let sent_ns = device.now();
            device.enter(lanes[0], sent_ns);
            for _ in 0..1000 {
                device.call(HostCall::Module);
            }
            device.call(HostCall::SendBatch { tensors: 1 });
            ready_ns = device.leave().end_ns;
            device.wait_for_batch(ready_ns);
            device.call(HostCall::ReceiveBatch { tensors: 1 });
        }
        let range = device.host_range().unwrap();
        assert!(range.faster.host_ns >= ready_ns, "{range:?}");
        let ratio = range.slower.host_ns as f64 / range.faster.host_ns as f64;
        assert!((ratio - cards.host_range.times).abs() < 0.05, "{range:?}");
    }
}
