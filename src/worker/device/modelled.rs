//! The modelled card as a device: which clock and which pool each call touches.

use super::cards::Card;
use super::cpu::alloc_host;
use super::model::{Interval, Model};
use super::pool::Exhausted;
use super::{
    Apart, Begun, CardFacts, Device, Direction, FirstUse, Held, Mark, Outside, TensorDevice,
    Timing, Transfer, Unknown, Work, words,
};
use crate::protocol::{Busy, Clock, DeviceInfo, DeviceName, Overflow};
use crate::worker::error::TorchError;

/// What is told of a modelled card.
pub(super) fn info(id: &str, card: &Card) -> DeviceInfo {
    DeviceInfo {
        name: DeviceName::Model(id.to_owned()),
        title: name(card),
        clock: Clock::Modelled,
        memory_bytes: Some(card.memory),
    }
}

fn name(card: &Card) -> String {
    format!("{} (modelled)", card.title)
}

impl Device for Model {
    fn clock(&self) -> Clock {
        Clock::Modelled
    }

    fn card(&self) -> Option<CardFacts> {
        let part = |at: usize| {
            self.card
                .capability
                .split('.')
                .nth(at)
                .and_then(|it| it.parse().ok())
                .unwrap_or(0)
        };
        Some(CardFacts {
            name: name(&self.card),
            capability: (part(0), part(1)),
            memory: self.card.memory,
            multiprocessors: self.card.multiprocessors,
            free: self.pool.free_on_card(),
            counts: self.pool.counts(),
        })
    }

    fn start(&mut self) {}

    fn now(&self) -> u64 {
        self.host_ns()
    }

    fn begin(&mut self, place: TensorDevice) -> Result<Begun, TorchError> {
        let first_use = match place {
            TensorDevice::Card(_) => self.first_use().map(FirstUse::Now),
            TensorDevice::Cpu => None,
        };
        Ok(Begun {
            at_ns: self.host_ns(),
            first_use,
        })
    }

    fn computed(&mut self, place: TensorDevice, work: Work, _begun: Begun) -> Timing {
        match place {
            TensorDevice::Cpu => Timing {
                host: self.on_host(work.cost),
                device: Apart::Not,
            },
            TensorDevice::Card(_) => {
                let (host, device) = self.launch(work.cost, work.dtype, work.matmul);
                Timing {
                    host,
                    device: Apart::At(device),
                }
            }
        }
    }

    fn copied(&mut self, transfer: Transfer, _begun: Begun) -> Timing {
        let (host, device) = match transfer.direction {
            Direction::In => self.copy_in(transfer.bytes, transfer.memory, transfer.waits),
            Direction::Out => self.copy_out(transfer.bytes, transfer.memory),
        };
        Timing {
            host,
            device: Apart::At(device),
        }
    }

    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        Ok(Some(Self::synchronize(self)))
    }

    fn queued_until(&self) -> Option<u64> {
        Some(self.stream_ns().max(self.host_ns()))
    }

    fn event(&mut self) -> Result<Mark, TorchError> {
        Ok(Mark(self.stream_ns().max(self.host_ns())))
    }

    fn reached(&mut self, mark: Mark) -> Result<bool, TorchError> {
        Ok(self.host_ns() >= mark.0)
    }

    fn between(&mut self, from: Mark, to: Mark) -> Result<f64, TorchError> {
        Ok(to.0 as f64 - from.0 as f64)
    }

    fn open_stream(&mut self) -> u32 {
        self.streams.open()
    }

    fn choose_stream(&mut self, stream: u32) -> u32 {
        self.streams.choose(stream)
    }

    fn stream_waits(&mut self, mark: Mark) {
        self.streams.wait(mark.0);
    }

    fn wait_until(&mut self, mark: Mark) -> Result<Option<Interval>, TorchError> {
        Ok(Some(Self::wait_until(self, mark.0)))
    }

    fn line(&mut self) {
        self.advance_host(self.host.line_ns);
    }

    fn sleep(&mut self, ns: u64) {
        self.advance_host(ns);
    }

    fn alloc(&mut self, place: TensorDevice, bytes: u64, line: u32) -> Result<Held, TorchError> {
        match place {
            // A plan holds no values, so there is nothing to protect the machine from.
            TensorDevice::Cpu if self.values.unknown_is_told() => {
                self.held_on_host += bytes;
                Ok(Held::Host(bytes))
            }
            TensorDevice::Cpu => alloc_host(&mut self.held_on_host, bytes),
            TensorDevice::Card(_) => {
                let total = self.card.memory;
                let held = self.pool.counts().live;
                let block = self
                    .pool
                    .alloc(bytes)
                    .map_err(|it| out_of_memory(it, total))?;
                if self.overflow.is_none() && self.pool.is_overfull() {
                    self.overflow = Some(Overflow {
                        line,
                        asked: bytes,
                        live: held,
                    });
                }
                Ok(Held::Block(block))
            }
        }
    }

    fn free(&mut self, held: Held) {
        match held {
            Held::Host(bytes) => self.held_on_host -= bytes,
            Held::Block(block) => self.pool.free(block),
            Held::Card(_) => {}
        }
    }

    fn reset_peaks(&mut self) {
        self.pool.reset_peaks();
    }

    fn empty_cache(&mut self) {
        self.pool.empty_cache();
    }

    fn keep_at_most(&mut self, bytes: u64) {
        self.keeps = bytes;
    }

    fn busy_ns(&self) -> Option<u64> {
        let busy = Self::busy(self);
        Some(busy.compute_ns + busy.bandwidth_ns + busy.smallest_ns + busy.copy_ns)
    }

    fn busy(&self) -> Option<Busy> {
        Some(Self::busy(self))
    }

    fn outside(&self) -> Outside {
        Outside {
            workspace: self.card.assumed.context_bytes,
            overflow: self.overflow,
        }
    }

    fn computes(&mut self, place: TensorDevice, elements: u64, flops: u64) -> bool {
        match place {
            TensorDevice::Cpu if !self.values.unknown_is_told() => true,
            TensorDevice::Cpu | TensorDevice::Card(_) => self.values.allow(elements, flops),
        }
    }

    fn unknown(&self) -> Unknown {
        if self.values.unknown_is_told() {
            Unknown::Told
        } else {
            Unknown::Refused(self.values.why_none())
        }
    }
}

fn out_of_memory(it: Exhausted, total: u64) -> TorchError {
    let note = " (modelled card: no GPU was touched)";
    words::out_of_memory(it.asked, (it.free, total), it.counts, note)
}
