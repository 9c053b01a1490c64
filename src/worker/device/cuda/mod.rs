//! A real card: the host's clock, CUDA's events, the driver's memory pool.
//!
//! One stream and one thread, as candle has it. The context is made, and the kernels are loaded, before the first
//! program's clock begins; that is told of as what it is, and both stay with the process.

mod card;
mod copies;
mod facts;
mod marks;
mod pool;
mod probe;
mod trouble;

pub use probe::probe;

use super::cpu::alloc_host;
use super::model::{Interval, Waits};
use super::{
    Apart, Begun, CardFacts, Device, DeviceUnavailable, FirstUse, Held, Mark, OpenError, Outside,
    Pin, TensorDevice, Ticket, Timing, Transfer, Unknown, Work,
};
use crate::protocol::{Busy, Clock, DeviceInfo};
use crate::worker::error::TorchError;
use candle_core::cuda::cudarc::driver::CudaEvent;
use candle_core::{Device as Candle, Tensor as Values};
use card::Card;
use copies::Locked;
use facts::Facts;
use marks::Marks;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};
use trouble::Trouble;

/// Blocks of memory are counted in whole multiples of this, as PyTorch does.
const ROUND: u64 = 512;

/// From this size on, it is asked whether there is room before memory is asked for.
const LARGE: u64 = 64 << 20;

/// Of the memory that is free when a run begins, one part in so many stays free for others.
const LEFT_FREE: u64 = 10;

/// A card during one run.
pub struct Cuda {
    card: Rc<Card>,
    /// How long it took to make the card ready, if it was for this run.
    made_ready_ns: Option<u64>,
    began: Instant,
    open: Option<Open>,
    follows: bool,
    held_on_host: u64,
    peak_live: u64,
    /// The release threshold of this run.
    keeps: u64,
}

/// A card that the program has used.
struct Open {
    card: Rc<Card>,
    marks: Marks,
    /// Host memory that copies may still be reading from.
    in_flight: VecDeque<(Mark, Values)>,
}

/// The cards that this worker can run on; none where CUDA cannot be started.
pub fn list() -> Vec<DeviceInfo> {
    Facts::all().map_or_else(|_| Vec::new(), |all| all.iter().map(Facts::info).collect())
}

/// What an error of candle's means, where it is one of CUDA's.
pub fn error(error: &candle_core::Error) -> Option<TorchError> {
    trouble::within(error).map(TorchError::from)
}

impl Cuda {
    /// The card with this number, ready to be used.
    pub fn open(ordinal: u32, cap: Option<u64>) -> Result<Self, OpenError> {
        let all = Facts::all().map_err(|trouble| card::open_error(&trouble))?;
        let facts = all.into_iter().find(|it| it.ordinal == ordinal);
        let facts = facts.ok_or_else(card::no_such_card)?;
        card::begin_run(cap);
        let began = Instant::now();
        let is_new = !Card::is_open(&facts);
        let card = Card::get(&facts).map_err(|error| card::not_made(&error))?;
        if cap.is_none() {
            let (free, _) = card
                .free_and_total()
                .map_err(|error| card::not_made(&error))?;
            let kept = card.counts(0).reserved;
            card::set_cap(kept + free - free / LEFT_FREE);
        }
        Ok(Self {
            card,
            made_ready_ns: is_new.then(|| since(began)),
            began: Instant::now(),
            open: None,
            follows: false,
            held_on_host: 0,
            peak_live: 0,
            // As PyTorch's allocator does: what was freed is kept, and taken again without asking the driver.
            keeps: u64::MAX,
        })
    }

    /// The program uses the card for the first time, or again; says what making it ready took if it was that.
    fn ready(&mut self) -> Result<Option<FirstUse>, TorchError> {
        if self.open.is_some() {
            return Ok(None);
        }
        let card = Rc::clone(&self.card);
        if let Some(pool) = &card.pool {
            pool.keep_at_most(self.keeps).map_err(Trouble::from)?;
        }
        let began = self.began;
        let marks = Marks::new(&card.stream, || since(began))?;
        self.open = Some(Open {
            card,
            marks,
            in_flight: VecDeque::new(),
        });
        Ok(self.made_ready_ns.take().map(FirstUse::Before))
    }

    /// The card, which has to be ready by now.
    fn opened(&mut self) -> Result<&mut Open, TorchError> {
        self.ready()?;
        self.open
            .as_mut()
            .ok_or_else(|| TorchError::runtime("a fault of warpup: the card is not open"))
    }

    fn timing(&mut self, begun: Begun) -> Timing {
        let end = |open: &mut Open| open.marks.end();
        let ticket = self.open.as_mut().and_then(end);
        Timing {
            host: Interval {
                start_ns: begun.at_ns,
                end_ns: self.now(),
            },
            device: ticket.map_or(Apart::Not, Apart::Later),
        }
    }

    /// Whether a run may hold so much, and whether there is room for a large block.
    fn room_for(&self, bytes: u64) -> Result<(), TorchError> {
        card::note_asked(bytes);
        let live = card::live();
        if let Some(cap) = card::cap()
            && live.saturating_add(bytes) > cap
        {
            return Err(card::beyond_cap(bytes, cap));
        }
        if bytes < LARGE {
            return Ok(());
        }
        let (free, _) = self.card.free_and_total()?;
        let reserved = self.card.counts(self.peak_live).reserved;
        let idle = reserved.saturating_sub(live);
        if bytes > free.saturating_add(idle) {
            return Err(card::out_of_memory(Some(bytes)));
        }
        Ok(())
    }
}

fn since(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

impl Open {
    /// Lets go of host memory that nothing reads any more.
    fn landed(&mut self) {
        while let Some((mark, _)) = self.in_flight.front() {
            if !self.marks.event(*mark).is_ok_and(CudaEvent::is_complete) {
                return;
            }
            self.in_flight.pop_front();
        }
    }
}

impl Drop for Cuda {
    /// The run is over: what it held goes back to the card, while the worker stays for another.
    fn drop(&mut self) {
        // Errors have been told of, or the worker ends.
        let _ = self.card.stream.synchronize();
        if let Some(pool) = self.card.pool {
            let _ = pool.trim();
        }
    }
}

impl Device for Cuda {
    fn clock(&self) -> Clock {
        Clock::Measured
    }

    fn card(&self) -> Option<CardFacts> {
        let facts = &self.card.facts;
        let counts = self.card.counts(self.peak_live);
        let free = self.card.free_and_total().ok();
        Some(CardFacts {
            name: facts.name.clone(),
            capability: facts.capability,
            memory: facts.memory,
            multiprocessors: facts.multiprocessors,
            free: free.map_or(facts.memory, |(free, _)| free),
            counts,
        })
    }

    fn start(&mut self) {
        self.began = Instant::now();
    }

    fn now(&self) -> u64 {
        since(self.began)
    }

    fn follow(&mut self) {
        self.follows = true;
    }

    fn values(&self, place: TensorDevice) -> Candle {
        match (place, &self.open) {
            (TensorDevice::Card(_), Some(open)) => open.card.candle.clone(),
            (TensorDevice::Card(_), None) | (TensorDevice::Cpu, _) => Candle::Cpu,
        }
    }

    fn begin(&mut self, place: TensorDevice) -> Result<Begun, TorchError> {
        let mut first_use = None;
        if let TensorDevice::Card(_) = place {
            first_use = self.ready()?;
            if self.follows {
                self.opened()?.marks.begin()?;
            }
        }
        Ok(Begun {
            at_ns: self.now(),
            first_use,
        })
    }

    fn computed(&mut self, place: TensorDevice, _work: Work, begun: Begun) -> Timing {
        match place {
            TensorDevice::Card(_) => self.timing(begun),
            TensorDevice::Cpu => Timing {
                host: Interval {
                    start_ns: begun.at_ns,
                    end_ns: self.now(),
                },
                device: Apart::Not,
            },
        }
    }

    fn drain(&mut self, transfer: Transfer) -> Result<Option<Interval>, TorchError> {
        // A copy that the host waits for waits for all before it; told apart only where somebody looks.
        if self.follows && self.open.is_some() && transfer.waits == Waits::Yes {
            return self.synchronize();
        }
        Ok(None)
    }

    fn carry(
        &mut self,
        values: &Values,
        to: TensorDevice,
        transfer: Transfer,
    ) -> Result<Values, TorchError> {
        let whole = values.contiguous()?;
        let open = self.opened()?;
        let stream = &open.card.stream;
        match to {
            TensorDevice::Cpu => copies::to_host(&whole, stream),
            TensorDevice::Card(_) => {
                let device = open.card.candle.as_cuda_device()?;
                let copy = copies::to_card(&whole, device, stream)?;
                if transfer.waits == Waits::Yes {
                    stream.synchronize().map_err(Trouble::from)?;
                } else {
                    // The driver reads page-locked memory later, and on some machines any memory.
                    open.landed();
                    let mark = open.marks.mark()?;
                    open.in_flight.push_back((mark, whole));
                }
                Ok(copy)
            }
        }
    }

    fn carry_into(
        &mut self,
        values: &Values,
        pin: &Pin,
        _transfer: Transfer,
    ) -> Result<Option<Values>, TorchError> {
        let Some(locked) = pin.locked::<Locked>() else {
            return Ok(None);
        };
        let whole = values.contiguous()?;
        let open = self.opened()?;
        locked.fill(&whole, &open.card.stream).map(Some)
    }

    fn pin(&mut self, values: Option<&Values>) -> Result<Pin, TorchError> {
        self.ready()?;
        match values {
            Some(values) => Ok(Pin::of(Rc::new(Locked::of(values)?))),
            None => Ok(Pin::default()),
        }
    }

    fn is_locked(&self, pin: &Pin, values: &Values) -> bool {
        pin.locked::<Locked>().is_some_and(|it| it.holds(values))
    }

    fn copied(&mut self, _transfer: Transfer, begun: Begun) -> Timing {
        self.timing(begun)
    }

    fn settled(&mut self, ticket: Ticket) -> Option<Interval> {
        self.open.as_mut()?.marks.settled(ticket)
    }

    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError> {
        self.ready()?;
        let start_ns = self.now();
        let open = self.opened()?;
        open.card.stream.synchronize().map_err(Trouble::from)?;
        // Errors that nobody was there to hear, such as those of memory that was given back.
        open.card.context.check_err().map_err(Trouble::from)?;
        open.in_flight.clear();
        let end_ns = self.now();
        Ok(Some(Interval { start_ns, end_ns }))
    }

    fn event(&mut self) -> Result<Mark, TorchError> {
        self.opened()?.marks.mark()
    }

    fn reached(&mut self, mark: Mark) -> Result<bool, TorchError> {
        let event = self.opened()?.marks.event(mark)?;
        Ok(event.try_is_complete().map_err(Trouble::from)?)
    }

    fn between(&mut self, from: Mark, to: Mark) -> Result<f64, TorchError> {
        self.opened()?.marks.between(from, to)
    }

    fn open_stream(&mut self) -> u32 {
        0
    }

    fn choose_stream(&mut self, _stream: u32) -> u32 {
        0
    }

    fn stream_waits(&mut self, _mark: Mark) {}

    fn wait_until(&mut self, mark: Mark) -> Result<Option<Interval>, TorchError> {
        let start_ns = self.now();
        let event = self.opened()?.marks.event(mark)?;
        event.synchronize().map_err(Trouble::from)?;
        let end_ns = self.now();
        Ok(Some(Interval { start_ns, end_ns }))
    }

    fn line(&mut self) {}

    fn sleep(&mut self, ns: u64) {
        std::thread::sleep(Duration::from_nanos(ns));
    }

    fn alloc(&mut self, place: TensorDevice, bytes: u64, _line: u32) -> Result<Held, TorchError> {
        match place {
            TensorDevice::Cpu => alloc_host(&mut self.held_on_host, bytes),
            TensorDevice::Card(_) => {
                let rounded = bytes.max(1).next_multiple_of(ROUND);
                self.room_for(rounded)?;
                let live = card::live() + rounded;
                card::set_live(live);
                self.peak_live = self.peak_live.max(live);
                Ok(Held::Card(rounded))
            }
        }
    }

    fn free(&mut self, held: Held) {
        match held {
            Held::Host(bytes) => self.held_on_host -= bytes,
            Held::Card(bytes) => card::set_live(card::live().saturating_sub(bytes)),
            Held::Block(_) => {}
        }
    }

    fn is_broken(&self) -> bool {
        card::is_broken()
    }

    fn unavailable(&self) -> Option<DeviceUnavailable> {
        card::noted_unavailable()
    }

    fn set_tf32(&mut self, allowed: bool) {
        candle_core::cuda::set_gemm_reduced_precision_f32(allowed);
    }

    fn reset_peaks(&mut self) {
        self.peak_live = card::live();
        if let Some(pool) = self.open.as_ref().and_then(|it| it.card.pool) {
            // A counter that cannot be set stays as it is.
            let _ = pool.reset_peaks();
        }
    }

    fn empty_cache(&mut self) {
        if let Some(open) = &self.open
            && let Some(pool) = open.card.pool
        {
            // Memory that the stream has still to give back is not free before it has; errors come with the
            // next synchronize.
            let _ = open.card.stream.synchronize();
            let _ = pool.trim();
        }
    }

    fn keep_at_most(&mut self, bytes: u64) {
        self.keeps = bytes;
        if let Some(pool) = self.open.as_ref().and_then(|it| it.card.pool) {
            // A driver that refuses it keeps what it kept before, which the counters show.
            let _ = pool.keep_at_most(bytes);
        }
    }

    fn busy_ns(&self) -> Option<u64> {
        let open = self.open.as_ref().filter(|_| self.follows)?;
        Some(open.marks.busy_ns())
    }

    fn computes(&mut self, _place: TensorDevice, _elements: u64, _flops: u64) -> bool {
        true
    }

    fn unknown(&self) -> Unknown {
        Unknown::Refused("a tensor on a real card always has values".to_owned())
    }

    fn busy(&self) -> Option<Busy> {
        None
    }

    fn outside(&self) -> Outside {
        Outside::default()
    }
}
