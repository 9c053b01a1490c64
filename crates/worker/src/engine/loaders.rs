//! The lanes of loaders, where the host has some: on a modelled card.
//!
//! Elsewhere the workers of a loader take turns with the program, and nothing here does anything.

use super::state::Engine;
use crate::device::{HostCall, Interval};
use crate::meta::Cost;
use crate::trace::{Activity, SpanName};
use warpup_protocol::{Clock, Lane, WaitCause};

impl Engine {
    /// How many processes the host runs at once; nothing where loaders have no lanes.
    pub(crate) fn loader_cores(&self) -> Option<u32> {
        let mut device = self.backend.borrow_mut();
        device.loader_lanes().map(|it| it.cores())
    }

    /// Starts workers; their lanes.
    pub(crate) fn start_workers(&self, count: u32) -> Vec<Lane> {
        let mut device = self.backend.borrow_mut();
        let lanes = device.loader_lanes();
        lanes.map_or_else(Vec::new, |it| it.start_workers(count))
    }

    /// Ends workers.
    pub(crate) fn end_workers(&self, lanes: &[Lane]) {
        if let Some(host) = self.backend.borrow_mut().loader_lanes() {
            host.end_workers(lanes);
        }
    }

    /// Goes on with the work of a lane, not before this time.
    pub(crate) fn enter_lane(&self, lane: Lane, not_before_ns: u64) {
        let mut device = self.backend.borrow_mut();
        let now = device.now();
        if let Some(host) = device.loader_lanes() {
            host.enter(lane, not_before_ns);
            let clocks = (now, device.now());
            self.recorder.borrow_mut().enter_lane(lane, clocks);
        }
    }

    /// The lane has done something with this name; when it had.
    pub(crate) fn leave_lane(&self, name: &'static str) -> u64 {
        let mut device = self.backend.borrow_mut();
        let Some(host) = device.loader_lanes() else {
            return 0;
        };
        let when = host.leave();
        let now = device.now();
        self.recorder.borrow_mut().leave_lane(name, when, now);
        when.end_ns
    }

    /// The program waits until a batch is ready.
    pub(crate) fn wait_for_batch(&self, ready_ns: u64) {
        let mut device = self.backend.borrow_mut();
        let waited = device.loader_lanes().map(|it| it.wait_for_batch(ready_ns));
        drop(device);
        self.waited(WaitCause::Loader, waited);
    }

    /// Something of a loader that takes the host time on a modelled card.
    pub(crate) fn call_loader(&self, call: HostCall) {
        self.backend.borrow_mut().call(call);
    }

    /// The CPU works for a time that the program states. Where times are measured, the program sleeps as long.
    pub(crate) fn state_cpu_work(&self, name: &str, ns: u64) {
        let mut device = self.backend.borrow_mut();
        let start_ns = device.now();
        match device.clock() {
            Clock::Modelled => device.call(HostCall::Stated { ns }),
            Clock::Measured => device.sleep(ns),
        }
        let end_ns = device.now();
        drop(device);
        let when = Interval { start_ns, end_ns };
        let activity = Activity {
            lane: Lane::Host,
            name: SpanName::Launch(name.into()),
            cost: Cost::default(),
        };
        self.recorder.borrow_mut().record(activity, when);
    }
}
