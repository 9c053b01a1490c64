//! The CPU of this machine: measured, synchronous, with a cap on memory.

use super::{
    Apart, Begun, CardFacts, Device, Held, Mark, Outside, TensorDevice, Timing, Transfer, Unknown,
    Work,
};
use crate::protocol::{Busy, Clock, DeviceInfo};
use crate::worker::device::model::Interval;
use crate::worker::error::TorchError;
use std::time::{Duration, Instant};

/// Host memory that the tensors of a run may hold together, in bytes.
pub const MEMORY_CAP: u64 = 4 << 30;

/// The CPU during one run.
#[derive(Debug)]
pub struct Cpu {
    began: Instant,
    held: u64,
}

/// What is told of the CPU.
pub fn info() -> DeviceInfo {
    DeviceInfo::cpu(candle_core::utils::get_num_threads())
}

impl Cpu {
    /// The CPU, with its clock at 0.
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
            held: 0,
        }
    }
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts host memory against the cap, in PyTorch's words.
pub(super) fn alloc_host(held: &mut u64, bytes: u64) -> Result<Held, TorchError> {
    if held.saturating_add(bytes) > MEMORY_CAP {
        return Err(TorchError::runtime(format!(
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate {bytes} bytes. Error code 12 (Cannot allocate memory)\nwarpup lets the tensors of a lab hold {} GiB of host memory together; {:.2} GiB are held",
            MEMORY_CAP >> 30,
            *held as f64 / f64::from(1 << 30),
        )));
    }
    *held += bytes;
    Ok(Held::Host(bytes))
}

impl Device for Cpu {
    fn clock(&self) -> Clock {
        Clock::Measured
    }

    fn card(&self) -> Option<CardFacts> {
        None
    }

    fn start(&mut self) {
        self.began = Instant::now();
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn begin(&mut self, _place: TensorDevice) -> Result<Begun, TorchError> {
        Ok(Begun {
            at_ns: self.now(),
            first_use: None,
        })
    }

    fn computed(&mut self, _place: TensorDevice, _work: Work, begun: Begun) -> Timing {
        Timing {
            host: Interval {
                start_ns: begun.at_ns,
                end_ns: self.now(),
            },
            device: Apart::Not,
        }
    }

    fn copied(&mut self, _transfer: Transfer, begun: Begun) -> Timing {
        Timing {
            host: Interval {
                start_ns: begun.at_ns,
                end_ns: self.now(),
            },
            device: Apart::Not,
        }
    }

    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        Ok(None)
    }

    fn event(&mut self) -> Result<Mark, TorchError> {
        Ok(Mark(self.now()))
    }

    fn reached(&mut self, _mark: Mark) -> Result<bool, TorchError> {
        Ok(true)
    }

    fn between(&mut self, from: Mark, to: Mark) -> Result<f64, TorchError> {
        Ok(to.0 as f64 - from.0 as f64)
    }

    fn open_stream(&mut self) -> u32 {
        0
    }

    fn choose_stream(&mut self, _stream: u32) -> u32 {
        0
    }

    fn stream_waits(&mut self, _mark: Mark) {}

    fn wait_until(&mut self, _mark: Mark) -> Result<Option<Interval>, TorchError> {
        Ok(None)
    }

    fn line(&mut self) {}

    fn sleep(&mut self, ns: u64) {
        std::thread::sleep(Duration::from_nanos(ns));
    }

    fn alloc(&mut self, _place: TensorDevice, bytes: u64, _line: u32) -> Result<Held, TorchError> {
        alloc_host(&mut self.held, bytes)
    }

    fn free(&mut self, held: Held) {
        match held {
            Held::Host(bytes) => self.held -= bytes,
            Held::Block(_) | Held::Card(_) => {}
        }
    }

    fn reset_peaks(&mut self) {}

    fn empty_cache(&mut self) {}

    fn busy_ns(&self) -> Option<u64> {
        None
    }

    fn computes(&mut self, _place: TensorDevice, _elements: u64, _flops: u64) -> bool {
        true
    }

    fn unknown(&self) -> Unknown {
        Unknown::Refused("a tensor on the CPU always has values".to_owned())
    }

    fn busy(&self) -> Option<Busy> {
        None
    }

    fn outside(&self) -> Outside {
        Outside::default()
    }
}
