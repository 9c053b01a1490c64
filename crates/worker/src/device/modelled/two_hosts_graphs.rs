//! CUDA graphs beside two hosts: each captures, launches and compiles them in its own times.

use super::two_hosts::TwoHosts;
use crate::device::interface::Graphs;
use crate::device::timing::{Interval, Timing};
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

    fn set_compiled(&mut self, is_compiled: bool) {
        self.slower.set_compiled(is_compiled);
        self.faster.set_compiled(is_compiled);
    }

    fn compile(&mut self, operations: u64) -> Interval {
        let slower = self.slower.compile(operations);
        let faster = self.faster.compile(operations);
        self.steps.compiled(faster, slower);
        faster
    }

    fn call_compiled(&mut self) {
        self.slower.call_compiled();
        self.faster.call_compiled();
    }

    fn launch_compiled(&mut self, work: Work) -> Timing {
        self.slower.launch_compiled(work);
        self.faster.launch_compiled(work)
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
    use crate::device::interface::{Device, HostClock, Kernels};
    use crate::device::tensor_device::TensorDevice;
    use crate::device::work::HostCall;
    use crate::dtype::DType;

    /// How many times longer the slower host takes.
    fn times(work: impl Fn(&mut dyn Graphs)) -> f64 {
        let cards = shipped();
        let mut device = TwoHosts::new(&cards.cards["t4"], cards);
        work(device.graphs().unwrap());
        let range = device.host_range().unwrap();
        range.slower.host_ns as f64 / range.faster.host_ns as f64
    }

    #[test]
    fn a_slower_host_takes_longer_to_launch_a_graph_and_to_compile() {
        let small = Work::moving(64, DType::F32);
        let all = [
            times(|it| drop(it.launch_graph(&[small; 9]))),
            times(|it| it.instantiate(9)),
            times(|it| {
                it.compile(9);
            }),
            times(|it| it.call_compiled()),
            times(|it| {
                it.launch_compiled(small);
            }),
        ];
        for ratio in all {
            let expected = shipped().host_range.times;
            assert!((ratio - expected).abs() < 0.1, "{all:?}");
        }
    }

    #[test]
    fn neither_host_works_inside_compiled_code() {
        let cards = shipped();
        let mut device = TwoHosts::new(&cards.cards["t4"], cards);
        device.graphs().unwrap().set_compiled(true);
        device.reach_line();
        device.call(HostCall::Record);
        device.call(HostCall::Node);
        let start = device.begin_op(TensorDevice::Cpu).unwrap();
        let work = Work::moving(64, DType::F32);
        device.end_op(TensorDevice::Card(0), work, start);
        let range = device.host_range().unwrap();
        assert_eq!([range.faster.host_ns, range.slower.host_ns], [0, 0]);
    }
}
