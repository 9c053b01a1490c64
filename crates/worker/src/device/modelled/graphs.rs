//! CUDA graphs on a modelled card: kernels that are captured are not queued, and a launch queues all of them at once.

use super::card::ModelledCard;
use super::kernel_time::KernelTime;
use crate::device::caching_allocator::COMMON_POOL;
use crate::device::interface::Graphs;
use crate::device::timing::{DeviceTime, Interval, Timing};
use crate::device::work::Work;

/// Whether kernels are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    Off,
    On,
}

impl ModelledCard {
    /// Launches a kernel, or captures it: the framework takes as long for either.
    pub(super) fn launch_or_capture(&mut self, work: Work) -> Timing {
        if self.is_compiled {
            return Timing {
                library: None,
                host: self.advance_host(0),
                waited: None,
                device: DeviceTime::InGraph(work),
            };
        }
        match self.capture {
            Capture::Off => self.launch(work).into(),
            Capture::On => Timing {
                library: self.start_library(work.kind),
                host: self.advance_host(self.launch_ns(work.kind)),
                waited: None,
                device: DeviceTime::InGraph(work),
            },
        }
    }

    /// A kernel whose successor the card knows before it ends.
    fn in_graph(&self, work: Work) -> KernelTime {
        let time = KernelTime::of(&self.card, work);
        let least = (time.least as f64 * self.host.graphs.kernel_share) as u64;
        KernelTime { least, ..time }
    }
}

impl Graphs for ModelledCard {
    fn begin_capture(&mut self, pool: u32) {
        self.capture = Capture::On;
        self.allocator.use_pool(pool);
    }

    fn end_capture(&mut self) {
        self.capture = Capture::Off;
        self.allocator.use_pool(COMMON_POOL);
    }

    fn instantiate(&mut self, kernels: u64) {
        self.advance_host(self.host.graphs.instantiate_node_ns * kernels);
    }

    fn launch_graph(&mut self, kernels: &[Work]) -> (Interval, Vec<Interval>) {
        let costs = self.host.graphs;
        let host = self.advance_host(costs.launch_ns + costs.node_ns * kernels.len() as u64);
        let run = |work: &Work| self.run_kernel(self.in_graph(*work));
        (host, kernels.iter().map(run).collect())
    }

    fn set_compiled(&mut self, is_compiled: bool) {
        self.is_compiled = is_compiled;
    }

    fn compile(&mut self, operations: u64) -> Interval {
        let costs = self.host.compiled;
        let start_ns = if self.has_compiled { 0 } else { costs.start_ns };
        self.has_compiled = true;
        self.advance_host(start_ns + costs.graph_ns + costs.operation_ns * operations)
    }

    fn call_compiled(&mut self) {
        self.advance_host(self.host.compiled.call_ns);
    }

    fn launch_compiled(&mut self, work: Work) -> Timing {
        self.launch_or_capture(work)
    }

    fn create_pool(&mut self) -> u32 {
        self.allocator.create_pool()
    }

    fn share_pool(&mut self, pool: u32) {
        self.allocator.share_pool(pool);
    }

    fn release_pool(&mut self, pool: u32) {
        self.allocator.release_pool(pool);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::dtype::DType;

    #[test]
    fn a_graph_takes_one_call_and_its_small_kernels_follow_each_other_faster() {
        let cards = shipped();
        let mut card = ModelledCard::new(cards.cards["h200"].clone(), &cards.host);
        let small = Work::moving(64, DType::F32);
        card.begin_capture(COMMON_POOL);
        assert_eq!(
            card.launch_or_capture(small).device,
            DeviceTime::InGraph(small)
        );
        card.end_capture();
        let (host, kernels) = card.launch_graph(&[small; 80]);
        assert_eq!(host.ns(), 10_080);
        let last = kernels.last().unwrap();
        assert_eq!(last.end_ns - host.end_ns, 80 * 900);
    }
}
