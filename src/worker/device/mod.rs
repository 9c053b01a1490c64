//! What labs run on: clocks, streams, copies and memory behind one trait.

pub mod cards;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod model;
mod modelled;
pub mod pool;
mod streams;
mod values;
pub mod words;

use super::dtype::DType;
use super::error::TorchError;
use crate::protocol::{Aim, Busy, Clock, DeviceInfo, DeviceName, Outcome, Overflow, Reason};
use crate::worker::meta::Cost;
use candle_core::Tensor as Values;
use model::{HostMemory, Interval, Matmul, Waits};
use std::fmt;
use std::rc::Rc;

/// Where a tensor's memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorDevice {
    /// Host memory; work on it is done by the CPU.
    Cpu,
    /// The memory of the card with this ordinal.
    Card(u32),
}

impl fmt::Display for TensorDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Card(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

/// One operation as a device sees it.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// What it costs.
    pub cost: Cost,
    /// The element type it computes in.
    pub dtype: DType,
    /// Whether it is a matrix product.
    pub matmul: Matmul,
}

/// When something took place on the host, and when on the device if there is one apart.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The host queueing, computing or copying.
    pub host: Interval,
    /// The device.
    pub device: Apart,
}

/// When a device apart from the host did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// There is none: the host did it.
    Not,
    /// Then.
    At(Interval),
    /// That will be known when it is done: [`Device::settled`] tells.
    Later(Ticket),
}

/// The number of a piece of work whose time is not known yet; later work has larger ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Host to device.
    In,
    /// Device to host.
    Out,
}

/// A copy between host and card.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// Which way.
    pub direction: Direction,
    /// How much.
    pub bytes: u64,
    /// What kind of host memory.
    pub memory: HostMemory,
    /// Whether the host waits.
    pub waits: Waits,
}

/// Memory that was given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Host memory, in bytes.
    Host(u64),
    /// A block of a modelled card.
    Block(pool::Block),
    /// Memory of a real card, in bytes, rounded up as its pool does.
    Card(u64),
}

impl Held {
    /// How much it is, rounding included.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Host(bytes) | Self::Card(bytes) => bytes,
            Self::Block(block) => block.size(),
        }
    }
}

/// What a lab can ask about a card.
#[derive(Clone, Debug, PartialEq)]
pub struct CardFacts {
    /// Its name, which says so if it is modelled.
    pub name: String,
    /// Its compute capability.
    pub capability: (u32, u32),
    /// Its memory in bytes.
    pub memory: u64,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// What it still has outside the pool, in bytes.
    pub free: u64,
    /// What the pool holds.
    pub counts: pool::Counts,
}

/// A host, and a card beside it if there is one. All times are nanoseconds since the run began.
pub trait Device {
    /// Where its times come from.
    fn clock(&self) -> Clock;
    /// The card, if there is one.
    fn card(&self) -> Option<CardFacts>;
    /// The program begins: what came before is not part of its time.
    fn start(&mut self);
    /// The host's clock.
    fn now(&self) -> u64;
    /// Times of single operations are wanted; where they come for nothing, they are told in any case.
    fn follow(&mut self) {}
    /// Where candle keeps the values of tensors of this place.
    fn values(&self, _place: TensorDevice) -> candle_core::Device {
        candle_core::Device::Cpu
    }
    /// An operation begins on the host; the same call for measured and modelled devices.
    fn begin(&mut self, place: TensorDevice) -> Result<Begun, TorchError>;
    /// The operation has been computed or queued.
    fn computed(&mut self, place: TensorDevice, work: Work, begun: Begun) -> Timing;
    /// The host waits, before it copies, for what was queued before; nothing where a copy does not make it.
    fn drain(&mut self, _transfer: Transfer) -> Result<Option<Interval>, TorchError> {
        Ok(None)
    }
    /// Values copied to a place, in memory of their own.
    fn carry(
        &mut self,
        values: &Values,
        _to: TensorDevice,
        _transfer: Transfer,
    ) -> Result<Values, TorchError> {
        Ok(values.contiguous()?)
    }
    /// Values copied into page-locked memory that is there already; nothing where a copy makes new memory.
    fn carry_into(
        &mut self,
        _values: &Values,
        _pin: &Pin,
        _transfer: Transfer,
    ) -> Result<Option<Values>, TorchError> {
        Ok(None)
    }
    /// Locks the pages of these values.
    fn pin(&mut self, _values: Option<&Values>) -> Result<Pin, TorchError> {
        Ok(Pin::default())
    }
    /// Whether values lie in memory that this has locked.
    fn is_locked(&self, _pin: &Pin, _values: &Values) -> bool {
        true
    }
    /// Products of `float32` may take the faster units with fewer digits, or not.
    fn set_tf32(&mut self, _allowed: bool) {}
    /// A copy has been made or queued.
    fn copied(&mut self, transfer: Transfer, begun: Begun) -> Timing;
    /// When work that was not done is done, if it is by now.
    fn settled(&mut self, _ticket: Ticket) -> Option<Interval> {
        None
    }
    /// The host waits for everything that was queued; nothing where nothing is ever queued.
    fn synchronize(&mut self) -> Result<Option<Interval>, TorchError>;
    /// When everything queued so far will be done, on the host's clock; nothing where that is not known.
    fn queued_until(&self) -> Option<u64> {
        None
    }
    /// A mark behind everything queued so far.
    fn event(&mut self) -> Result<Mark, TorchError>;
    /// Whether everything before a mark is done.
    fn reached(&mut self, mark: Mark) -> Result<bool, TorchError>;
    /// The device's time from one mark to another, in nanoseconds.
    fn between(&mut self, from: Mark, to: Mark) -> Result<f64, TorchError>;
    /// One more stream; 0 where there is but one.
    fn open_stream(&mut self) -> u32;
    /// Work goes to this stream from now on; says to which it went.
    fn choose_stream(&mut self, stream: u32) -> u32;
    /// What the current stream gets from now on starts no sooner than what is before this mark is done.
    fn stream_waits(&mut self, mark: Mark);
    /// The host waits for a mark.
    fn wait_until(&mut self, mark: Mark) -> Result<Option<Interval>, TorchError>;
    /// A line of Python is reached.
    fn line(&mut self);
    /// The program sleeps.
    fn sleep(&mut self, ns: u64);
    /// Gives out memory, asked for by this line.
    fn alloc(&mut self, place: TensorDevice, bytes: u64, line: u32) -> Result<Held, TorchError>;
    /// Takes memory back.
    fn free(&mut self, held: Held);
    /// Whether something has broken the device for the rest of the process.
    fn is_broken(&self) -> bool {
        false
    }
    /// Sets the high marks of memory to what is held now.
    fn reset_peaks(&mut self);
    /// Gives cached memory back to the card.
    fn empty_cache(&mut self);
    /// The release threshold: of cached memory, so many bytes stay held when the host waits for the card.
    fn keep_at_most(&mut self, _bytes: u64) {}
    /// Time the device has worked; nothing without one.
    fn busy_ns(&self) -> Option<u64>;
    /// Whether a result of so many elements and flops is computed, or only its shape is kept.
    fn computes(&mut self, place: TensorDevice, elements: u64, flops: u64) -> bool;
    /// What is said to a program that reads a value which was not computed.
    fn unknown(&self) -> Unknown;
    /// What the device's time was spent on; nothing where that is not known.
    fn busy(&self) -> Option<Busy>;
    /// Memory beside the pool.
    fn outside(&self) -> Outside;
    /// What has kept the card from the program since the run began, through no fault of the program's. A
    /// program that then fails is not judged.
    fn unavailable(&self) -> Option<DeviceUnavailable> {
        None
    }
}

/// What is said to a program that reads a value which was not computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// An exception, with these words.
    Refused(String),
    /// `nan`, or 0 for whole numbers; that it was read is noted.
    Told,
}

/// Memory beside the pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// What the CUDA context and its libraries hold, in bytes.
    pub workspace: u64,
    /// The first allocation that did not fit, where the program went on all the same.
    pub overflow: Option<Overflow>,
}

/// A mark in a stream; what stands in it is the device's own business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(pub u64);

/// Host memory whose pages are locked while this lives.
#[derive(Clone, Default)]
pub struct Pin(
    #[cfg_attr(
        not(feature = "cuda"),
        expect(dead_code, reason = "without a real card nothing is locked")
    )]
    Option<Rc<dyn std::any::Any>>,
);

#[cfg(feature = "cuda")]
impl Pin {
    /// Locked until the last handle goes.
    pub(super) fn of(locked: Rc<dyn std::any::Any>) -> Self {
        Self(Some(locked))
    }

    /// What keeps it locked.
    pub(super) fn locked<T: 'static>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pin").finish_non_exhaustive()
    }
}

/// A begun operation: the host's clock at that time.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    /// Nanoseconds since the run began.
    pub at_ns: u64,
    /// What the first use of the card cost, if this was it.
    pub first_use: Option<FirstUse>,
}

/// What the first use of a card cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstUse {
    /// The host waited for it just now.
    Now(Interval),
    /// So many nanoseconds, before the program's clock began.
    Before(u64),
}

/// Why a device cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No such card in `assets/cards.toml`.
    #[error("there is no modelled card `{card}`; there are: {known}")]
    NoSuchCard {
        /// What was asked for.
        card: String,
        /// What there is.
        known: String,
    },
    /// This worker was built without CUDA.
    #[error("this worker has no CUDA: choose cpu or a modelled card such as model:t4")]
    NoCuda,
    /// A plan is made on a modelled card only.
    #[error("a plan is made on a modelled card, such as model:t4")]
    NoPlan,
    /// The card itself, or others who use it.
    #[error("{}", .0.reason().why)]
    DeviceUnavailable(DeviceUnavailable),
}

/// What keeps a card from a program, through no fault of the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceUnavailable {
    /// It cannot be had on this machine.
    Unavailable(Reason),
    /// Others have it, or its memory.
    Busy(Reason),
}

impl DeviceUnavailable {
    /// What stands in the way.
    pub fn reason(&self) -> &Reason {
        match self {
            Self::Unavailable(reason) | Self::Busy(reason) => reason,
        }
    }
}

impl From<DeviceUnavailable> for Outcome {
    fn from(unavailable: DeviceUnavailable) -> Self {
        match unavailable {
            DeviceUnavailable::Unavailable(reason) => Self::Unavailable(reason),
            DeviceUnavailable::Busy(reason) => Self::Busy(reason),
        }
    }
}

/// Makes a device ready for a run, which may hold so many bytes of a real card.
pub fn open(
    name: &DeviceName,
    aim: Aim,
    card_bytes: Option<u64>,
) -> Result<Box<dyn Device>, OpenError> {
    #[cfg(not(feature = "cuda"))]
    let _ = card_bytes;
    match (name, aim) {
        (DeviceName::Cpu, Aim::Run) => Ok(Box::new(cpu::Cpu::new())),
        #[cfg(feature = "cuda")]
        (DeviceName::Cuda(ordinal), Aim::Run) => {
            Ok(Box::new(cuda::Cuda::open(*ordinal, card_bytes)?))
        }
        #[cfg(not(feature = "cuda"))]
        (DeviceName::Cuda(_), Aim::Run) => Err(OpenError::NoCuda),
        (DeviceName::Cpu | DeviceName::Cuda(_), Aim::Plan) => Err(OpenError::NoPlan),
        (DeviceName::Model(id), _) => {
            let card = card(id)?.clone();
            let host = cards::shipped().host;
            let model = model::Model::new(id.clone(), card, host);
            Ok(Box::new(match aim {
                Aim::Run => model,
                Aim::Plan => model.for_a_plan(),
            }))
        }
    }
}

/// Looks a modelled card up.
pub fn card(id: &str) -> Result<&'static cards::Card, OpenError> {
    let card = cards::shipped().cards.get(id);
    card.ok_or_else(|| OpenError::NoSuchCard {
        card: id.to_owned(),
        known: ids(),
    })
}

/// The ids of the cards that can be modelled.
fn ids() -> String {
    let cards = cards::shipped().in_order();
    let ids: Vec<&str> = cards.into_iter().map(|(id, _)| id.as_str()).collect();
    ids.join(", ")
}

/// What this worker is there for: its cards, or everything that needs none.
pub fn list() -> Vec<DeviceInfo> {
    #[cfg(feature = "cuda")]
    return cuda::list();
    #[cfg(not(feature = "cuda"))]
    without_cards()
}

/// What can be run on without a real card.
fn without_cards() -> Vec<DeviceInfo> {
    let mut devices = vec![cpu::info()];
    let cards = cards::shipped().in_order();
    devices.extend(cards.into_iter().map(|(id, card)| modelled::info(id, card)));
    devices
}

/// What is told of a device when a run starts on it.
pub fn info(name: &DeviceName) -> Option<DeviceInfo> {
    let mut all = without_cards();
    if let DeviceName::Cuda(_) = name {
        all = list();
    }
    all.into_iter().find(|it| &it.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_modelled_card_opens_and_tells_of_itself() {
        for info in list().into_iter().skip(1) {
            let card = open(&info.name, Aim::Run, None).unwrap().card().unwrap();
            assert_eq!(card.name, info.title);
            assert!(card.capability.0 >= 7, "{card:?}");
            assert!(card.free < card.memory, "{card:?}");
        }
    }

    #[test]
    fn the_first_device_is_the_cpu_and_the_second_the_t4() {
        let names: Vec<String> = list().iter().map(|it| it.name.to_string()).collect();
        assert_eq!(
            names.join(" "),
            "cpu model:t4 model:l4 model:rtx4090 model:a100 model:h100 model:h200"
        );
    }

    #[test]
    fn a_card_that_is_not_known_is_refused_with_those_that_are() {
        let Err(refused) = open(&DeviceName::Model("v100".to_owned()), Aim::Run, None) else {
            panic!("it was opened");
        };
        insta::assert_snapshot!(refused, @"there is no modelled card `v100`; there are: t4, l4, rtx4090, a100, h100, h200");
    }
}
