//! A modelled card: virtual clocks and a pool.
//!
//! The host's clock goes on by what queueing and computing cost the host, the device's by what the
//! stream has been given. Nothing is timed; the same program gives the same nanoseconds on any machine.

use super::cards::{Card, Host};
use super::pool::Pool;
use super::streams::{Engine, Streams};
use super::values::Values;
use crate::protocol::{Busy, Overflow};
use crate::worker::dtype::DType;
use crate::worker::meta::Cost;

/// A card, its host and where their clocks stand.
#[derive(Clone, Debug)]
pub struct Model {
    /// The id in `assets/cards.toml`.
    pub id: String,
    /// The card.
    pub card: Card,
    /// The host beside it.
    pub host: Host,
    /// The card's memory.
    pub pool: Pool,
    host_ns: u64,
    /// Where queued work goes, and when it will be done.
    pub(super) streams: Streams,
    busy: Busy,
    used: bool,
    /// Bytes of host memory that tensors hold.
    pub(super) held_on_host: u64,
    /// How much is really computed, and how much was so far.
    pub(super) values: Values,
    /// The first allocation that a plan could not have had.
    pub(super) overflow: Option<Overflow>,
    /// The release threshold: cached memory beyond goes back to the card when the host waits.
    pub(super) keeps: u64,
}

/// From when to when something takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Start.
    pub start_ns: u64,
    /// End.
    pub end_ns: u64,
}

/// The host memory that a copy starts from or ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostMemory {
    /// Ordinary memory, which the driver copies through a buffer of its own.
    Pageable,
    /// Page-locked memory, which the card reads and writes by itself.
    Pinned,
}

impl Model {
    /// A card that nothing has been done on.
    pub fn new(id: String, card: Card, host: Host) -> Self {
        let pool = Pool::new(card.memory.saturating_sub(card.assumed.context_bytes));
        Self {
            id,
            card,
            host,
            pool,
            host_ns: 0,
            streams: Streams::new(),
            busy: Busy::default(),
            used: false,
            held_on_host: 0,
            values: Values::of_a_run(),
            overflow: None,
            keeps: u64::MAX,
        }
    }

    /// The same card, to plan on.
    #[must_use]
    pub fn for_a_plan(mut self) -> Self {
        self.values = Values::of_a_plan();
        self.pool.overcommit();
        self
    }

    /// The host's clock.
    pub fn host_ns(&self) -> u64 {
        self.host_ns
    }

    /// When the current stream will have done all it was given.
    pub fn stream_ns(&self) -> u64 {
        self.streams.current_ns()
    }

    /// What the device's time was spent on.
    pub fn busy(&self) -> Busy {
        self.busy
    }

    /// Work on the host itself.
    pub fn on_host(&mut self, cost: Cost) -> Interval {
        let work =
            seconds(cost.flops, self.host.flops).max(seconds(cost.bytes, self.host.bandwidth));
        self.advance_host(self.host.op_ns + work)
    }

    /// The host goes on by this much.
    pub fn advance_host(&mut self, ns: u64) -> Interval {
        let start_ns = self.host_ns;
        self.host_ns += ns;
        Interval {
            start_ns,
            end_ns: self.host_ns,
        }
    }

    /// What the first use of a card costs the host; nothing later.
    pub fn first_use(&mut self) -> Option<Interval> {
        if self.used {
            return None;
        }
        self.used = true;
        Some(self.advance_host(self.card.assumed.first_use_ns))
    }

    /// Queues a kernel: when the host queues it, when the device runs it.
    pub fn launch(&mut self, cost: Cost, dtype: DType, matmul: Matmul) -> (Interval, Interval) {
        let queueing = self.advance_host(self.card.assumed.launch_ns);
        let share = match matmul {
            Matmul::Yes => self.card.rate(dtype) * self.card.assumed.matmul_share,
            Matmul::Tf32 => {
                let rate = self.card.flops.tf32.unwrap_or(self.card.flops.f32);
                rate * self.card.assumed.matmul_share
            }
            // Elementwise work does not use the matrix units.
            Matmul::No => self.card.flops.f32,
        };
        let bandwidth = self.card.bandwidth * self.card.assumed.bandwidth_share;
        let (computing, moving) = (seconds(cost.flops, share), seconds(cost.bytes, bandwidth));
        let ns = computing.max(moving).max(self.card.assumed.kernel_ns);
        let running = self.on_stream(Engine::Kernels, ns);
        let spent = if computing.max(moving) <= self.card.assumed.kernel_ns {
            &mut self.busy.smallest_ns
        } else if computing > moving {
            &mut self.busy.compute_ns
        } else {
            &mut self.busy.bandwidth_ns
        };
        *spent += running.end_ns - running.start_ns;
        (queueing, running)
    }

    /// Copies host memory to the card: when the host is busy with it, when the link is.
    ///
    /// From pageable memory the host returns when the data has left its memory; from pinned memory it
    /// returns at once if it need not wait.
    pub fn copy_in(&mut self, bytes: u64, from: HostMemory, waits: Waits) -> (Interval, Interval) {
        let start_ns = self.host_ns;
        self.host_ns += self.card.assumed.launch_ns;
        let moving = self.on_link(Engine::CopyIn, bytes, from);
        match (from, waits) {
            (HostMemory::Pinned, Waits::No) => {}
            (HostMemory::Pageable, _) | (HostMemory::Pinned, Waits::Yes) => {
                self.host_ns = self.host_ns.max(moving.end_ns);
            }
        }
        (
            Interval {
                start_ns,
                end_ns: self.host_ns,
            },
            moving,
        )
    }

    /// Copies from the card to host memory; the host waits for all that was queued before.
    pub fn copy_out(&mut self, bytes: u64, to: HostMemory) -> (Interval, Interval) {
        let start_ns = self.host_ns;
        self.host_ns += self.card.assumed.launch_ns;
        let moving = self.on_link(Engine::CopyOut, bytes, to);
        self.host_ns = self.host_ns.max(moving.end_ns);
        (
            Interval {
                start_ns,
                end_ns: self.host_ns,
            },
            moving,
        )
    }

    /// The host waits until all streams have done what they were given.
    pub fn synchronize(&mut self) -> Interval {
        let idle = self.pool.counts().reserved - self.pool.counts().live;
        if idle > self.keeps {
            self.pool.empty_cache();
        }
        self.wait_until(self.streams.all_ns())
    }

    /// The host waits until a moment of the stream has passed.
    pub fn wait_until(&mut self, ns: u64) -> Interval {
        let start_ns = self.host_ns;
        self.host_ns = self.host_ns.max(ns);
        Interval {
            start_ns,
            end_ns: self.host_ns,
        }
    }

    fn on_link(&mut self, engine: Engine, bytes: u64, memory: HostMemory) -> Interval {
        let share = match memory {
            HostMemory::Pageable => self.card.assumed.pageable_share,
            HostMemory::Pinned => self.card.assumed.pinned_share,
        };
        let ns = self.card.assumed.copy_ns + seconds(bytes, self.card.link_peak * share);
        self.busy.copy_ns += ns;
        self.on_stream(engine, ns)
    }

    fn on_stream(&mut self, engine: Engine, ns: u64) -> Interval {
        let done_ns = self.streams.all_ns();
        let when = self.streams.give(engine, self.host_ns, ns);
        // Before its first work a card is not idle, it is not in use.
        if done_ns > 0 {
            self.busy.idle_ns += when.start_ns.saturating_sub(done_ns);
        }
        self.busy.done_ns = self.streams.all_ns();
        when
    }
}

/// Whether a kernel is a matrix product, which has units of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matmul {
    /// A matrix product.
    Yes,
    /// A matrix product of `float32` that may round its factors to TF32.
    Tf32,
    /// Anything else.
    No,
}

/// Whether the host waits for a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// It waits.
    Yes,
    /// It goes on (`non_blocking=True`), if the memory allows it.
    No,
}

/// Nanoseconds for an amount at a rate a second, to the nearest one.
fn seconds(amount: u64, rate: f64) -> u64 {
    let ns = amount as f64 / rate * 1e9;
    if ns >= u64::MAX as f64 {
        u64::MAX / 4
    } else {
        ns.round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::device::cards::shipped;

    fn t4() -> Model {
        let cards = shipped();
        Model::new("t4".to_owned(), cards.cards["t4"].clone(), cards.host)
    }

    #[test]
    fn the_host_runs_ahead_of_the_device_and_then_waits() {
        let mut card = t4();
        let cost = Cost {
            flops: 567_000_000_000,
            bytes: 0,
        };
        for _ in 0..3 {
            card.launch(cost, DType::F32, Matmul::Yes);
        }
        assert_eq!(card.host_ns(), 15_000);
        let waited = card.synchronize();
        assert_eq!(waited.start_ns, 15_000);
        // 0.567 TFLOP at 70 % of 8.1 TFLOP/s is 100 ms; the first kernel starts when it is queued.
        assert_eq!(waited.end_ns, 300_005_000);
        assert_eq!(card.busy().compute_ns, 300_000_000);
    }

    #[test]
    fn a_copy_from_pageable_memory_holds_the_host_and_one_from_pinned_memory_need_not() {
        let mut card = t4();
        let (host, moving) = card.copy_in(12_582_912, HostMemory::Pageable, Waits::No);
        assert_eq!(host.end_ns, moving.end_ns);
        let (host, moving) = card.copy_in(12_582_912, HostMemory::Pinned, Waits::No);
        assert_eq!(host.end_ns - host.start_ns, 5_000);
        assert!(moving.end_ns > host.end_ns);
    }

    #[test]
    fn small_kernels_cost_their_launch_on_the_host_and_their_minimum_on_the_device() {
        let mut card = t4();
        let (queueing, running) = card.launch(
            Cost {
                flops: 6,
                bytes: 48,
            },
            DType::F32,
            Matmul::No,
        );
        assert_eq!((queueing.start_ns, queueing.end_ns), (0, 5_000));
        assert_eq!((running.start_ns, running.end_ns), (5_000, 8_000));
        assert_eq!(card.busy().smallest_ns, 3_000);
    }
}
