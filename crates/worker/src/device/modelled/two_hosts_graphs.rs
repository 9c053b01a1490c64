//! CUDA graphs beside two hosts: each captures, launches and compiles them in its own times.

use super::two_hosts::TwoHosts;
use crate::device::interface::Graphs;
use crate::device::timing::Interval;
use crate::device::work::Work;

impl Graphs for TwoHosts {
    fn begin_capture(&mut self, pool: u32) {
        self.slower.begin_capture(pool);
        self.faster.begin_capture(pool);
    }

    fn end_capture(&mut self) {
        self.slower.end_capture();
        self.faster.end_capture();
    }

    fn instantiate(&mut self, kernels: u64) {
        self.slower.instantiate(kernels);
        self.faster.instantiate(kernels);
    }

    fn launch_graph(&mut self, kernels: &[Work]) -> (Interval, Vec<Interval>) {
        self.slower.launch_graph(kernels);
        self.faster.launch_graph(kernels)
    }

    fn create_pool(&mut self) -> u32 {
        self.faster.create_pool()
    }

    fn share_pool(&mut self, pool: u32) {
        self.faster.share_pool(pool);
    }

    fn release_pool(&mut self, pool: u32) {
        self.faster.release_pool(pool);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::device::interface::{Device, Kernels};
    use crate::dtype::DType;

    #[test]
    fn a_slower_host_takes_longer_to_launch_a_graph() {
        let cards = shipped();
        let mut device = TwoHosts::new(&cards.cards["t4"], cards);
        let graphs = device.graphs().unwrap();
        for _ in 0..100 {
            graphs.launch_graph(&[Work::moving(64, DType::F32)]);
        }
        let range = device.host_range().unwrap();
        let ratio = range.slower.host_ns as f64 / range.faster.host_ns as f64;
        assert!((ratio - cards.host_range.times).abs() < 0.01, "{range:?}");
    }
}
