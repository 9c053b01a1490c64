//! A card during one run: what it holds, and when the program first uses it.

use super::context::CardContext;
use super::events::Events;
use super::failure::{self, CudaFailure};
use super::properties::DeviceProperties;
use super::run_state::{self, ALLOWED, ASKED, CAP, LIVE};
use super::timer::OpTimer;
use crate::device::card_policy;
use crate::device::cpu::ns_since;
use crate::device::host_bytes::HostBytes;
use crate::device::interface::EventId;
use crate::device::timing::{ContextCreation, DeviceTime, OpStart, Preparation, Timing};
use crate::device::unavailable::OpenError;
use crate::error::{TorchError, interpret_candle_errors};
use candle_core::Tensor as Values;
use candle_core::cuda::cudarc::driver::sys::CUresult;
use candle_core::cuda::cudarc::driver::{CudaEvent, DriverError};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

/// The size of a block is a multiple of this, as in PyTorch.
pub(super) const ROUND: u64 = 512;

/// Allocations from this size on check first whether they fit.
const LARGE: u64 = 64 << 20;

/// Of the memory that is free when a run begins, one part in this many stays free for others.
const LEFT_FREE: u64 = 10;

/// A card during one run.
pub(in crate::device) struct Cuda {
    pub(super) context: Rc<CardContext>,
    /// What it took to make the card ready, if this run did and has not reported it.
    preparation: Option<Preparation>,
    pub(super) began: Instant,
    /// `None` until the program uses the card.
    pub(super) used: Option<UsedCard>,
    /// What measures each operation, if something does.
    pub(super) timer: Option<OpTimer>,
    pub(super) host_allocated: HostBytes,
    pub(super) peak_live: u64,
    pub(super) release_threshold: u64,
    /// When the driver was given a copy that the host waits for, until that copy ends.
    pub(super) copy_given_ns: Option<u64>,
}

/// A card that the program has used.
pub(super) struct UsedCard {
    pub(super) context: Rc<CardContext>,
    pub(super) events: Events,
    /// Host memory that copies may still read, with the event behind each copy.
    pub(super) in_flight: VecDeque<(EventId, Values)>,
}

impl Cuda {
    /// Opens the card with this number for a run that may hold `cap` bytes of its memory, and so much of the host's.
    pub(in crate::device) fn open(
        number: u32,
        cap: Option<u64>,
        host_allocated: HostBytes,
    ) -> Result<Self, OpenError> {
        interpret_candle_errors(failure::interpret);
        let all = DeviceProperties::all().map_err(|failure| failure.at_open())?;
        let seen = all.len();
        let properties = all.into_iter().find(|it| it.number == number);
        let properties = properties.ok_or_else(|| {
            if card_policy::are_limited() {
                return card_policy::no_such_card(seen);
            }
            CudaFailure::from(DriverError(CUresult::CUDA_ERROR_INVALID_DEVICE)).at_open()
        })?;
        run_state::begin_run(cap);
        let (context, preparation) =
            CardContext::get(&properties).map_err(|error| failure::open_error(&error))?;
        if cap.is_none() {
            let memory = &context.memory;
            let (free, _) = memory
                .free_and_total()
                .map_err(|error| CudaFailure::from(error).at_open())?;
            let reserved = memory.stats(0, 0).reserved;
            CAP.set(Some(reserved + free - free / LEFT_FREE));
        }
        Ok(Self {
            context,
            preparation,
            began: Instant::now(),
            used: None,
            timer: None,
            host_allocated,
            peak_live: 0,
            // Like PyTorch's allocator: freed memory stays reserved and is reused without asking the driver.
            release_threshold: u64::MAX,
            copy_given_ns: None,
        })
    }

    /// Makes the card ready when the program first uses it; the cost of its context, if this run created it.
    pub(super) fn first_use(&mut self) -> Result<Option<ContextCreation>, TorchError> {
        if self.used.is_some() {
            return Ok(None);
        }
        if let Some(pool) = &self.context.memory.pool {
            pool.set_release_threshold(self.release_threshold)
                .map_err(CudaFailure::from)?;
        }
        self.used = Some(UsedCard {
            context: Rc::clone(&self.context),
            events: Events::new(&self.context.stream),
            in_flight: VecDeque::new(),
        });
        Ok(self.preparation.take().map(ContextCreation::BeforeStart))
    }

    /// The card, made ready if it is not.
    pub(super) fn used(&mut self) -> Result<&mut UsedCard, TorchError> {
        self.first_use()?;
        self.used
            .as_mut()
            .ok_or_else(|| TorchError::runtime("internal error in warpup: the card is not ready"))
    }

    /// The timing of an operation that was queued.
    pub(super) fn end_queued(&mut self, start: OpStart) -> Timing {
        // What follows is recording.
        let host = start.until(ns_since(self.began));
        let timer = self.timer.as_mut();
        let work = timer.and_then(|it| it.end(start.at_ns));
        Timing {
            library: None,
            host,
            waited: None,
            device: work.map_or(DeviceTime::OnHost, DeviceTime::Pending),
        }
    }

    /// Checks the cap of the run, and for a large block whether it fits on the card.
    pub(super) fn check_room(&self, bytes: u64) -> Result<(), TorchError> {
        ASKED.set(bytes);
        let live = LIVE.get();
        if let Some(cap) = CAP.get()
            && live.saturating_add(bytes) > cap
        {
            return Err(run_state::beyond_cap(bytes, cap));
        }
        if let Some(allowed) = ALLOWED.get()
            && live.saturating_add(bytes) > allowed
        {
            return Err(run_state::beyond_allowed(bytes, allowed));
        }
        if bytes < LARGE {
            return Ok(());
        }
        let memory = &self.context.memory;
        let (free, _) = memory.free_and_total().map_err(CudaFailure::from)?;
        let cached = memory
            .stats(live, self.peak_live)
            .reserved
            .saturating_sub(live);
        if bytes > free.saturating_add(cached) {
            return Err(run_state::out_of_memory(Some(bytes)));
        }
        Ok(())
    }
}

impl Cuda {
    /// The host has waited for all queued work.
    pub(super) fn all_is_done(&mut self) {
        if let Some(timer) = &mut self.timer {
            timer.all_is_done();
        }
    }
}

impl UsedCard {
    /// Drops host memory that no copy reads any more.
    pub(super) fn drop_landed(&mut self) {
        while let Some((event, _)) = self.in_flight.front() {
            if !self.events.get(*event).is_ok_and(CudaEvent::is_complete) {
                return;
            }
            self.in_flight.pop_front();
        }
    }
}

impl Drop for Cuda {
    /// Returns the run's memory to the card; the context stays for the next run.
    fn drop(&mut self) {
        // Errors were reported before, or the worker ends.
        let _ = self.context.stream.synchronize();
        self.timer = None;
        if let Some(pool) = self.context.memory.pool {
            let _ = pool.trim();
        }
    }
}
