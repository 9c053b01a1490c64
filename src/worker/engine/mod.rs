//! One run's engine: every operation passes here, so the device check, the memory charge, the clocks,
//! the trace and the way back exist once.

mod clocks;
mod in_place;
mod ledger;
mod memory;
mod mixed;
mod places;
mod short;
mod taken;
mod view;
mod work;

pub use places::mismatch;
pub use taken::Taken;

use super::device::model::{HostMemory, Interval, Matmul, Waits};
use super::device::{Barred, CardFacts, Device, Direction, Place, Timing, Transfer, Unknown, Work};
use super::tensor::dtype::{Category, DType, default_float};
use super::tensor::fault::Fault;
use super::tensor::op::{Cost, Meta, Op};
use super::tensor::{Edge, Input, Kept, Made, Node, State, Tensor, run, saves};
use super::trace::{Done, Recorder};
use crate::protocol::{Clock, Lane, Purpose, Span};
use ledger::Ledger;
use memory::Home;
use mixed::Mixed;
use places::common_place;
use smallvec::SmallVec;
use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// As many as most operations take, without asking for memory.
type Few<T> = SmallVec<[T; 3]>;

/// The engine of one run. All calls come from one thread.
pub struct Engine {
    this: std::rc::Weak<Self>,
    device: RefCell<Box<dyn Device>>,
    recorder: RefCell<Recorder>,
    grad_enabled: Cell<bool>,
    mixed: Mixed,
    /// Whether products of `float32` may take the faster units with fewer digits, where a card has them.
    tf32: Cell<bool>,
    next_id: Cell<u64>,
    /// Where the memory that is counted is: on the card, or on the host where there is none.
    home: Home,
    /// Whether anybody sees when an operation was done: on a card always, elsewhere if spans are kept.
    tells_times: bool,
    ledger: RefCell<Ledger>,
    /// Lines that read a value which was not computed.
    unknown_read: RefCell<BTreeSet<u32>>,
    taken: RefCell<Option<Taken>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// Values for a new tensor.
pub enum Fill<'a> {
    /// Values that stand in host memory, such as a list's.
    Values(&'a dyn Fn() -> Result<candle_core::Tensor, Fault>),
    /// Values that the device makes by itself, such as zeros; made only if they are kept.
    Made(&'a str, &'a dyn Fn() -> Result<candle_core::Tensor, Fault>),
    /// Memory as it was left, which no kernel writes; values stand in for whatever would be there.
    Left(&'a dyn Fn() -> Result<candle_core::Tensor, Fault>),
}

impl Engine {
    /// An engine on a device; spans up to a limit.
    pub fn new(device: Box<dyn Device>, spans: u32) -> Rc<Self> {
        Rc::new_cyclic(|this| Self {
            this: this.clone(),
            home: Home::of(&*device),
            tells_times: spans > 0 || device.card().is_some(),
            device: RefCell::new(device),
            recorder: RefCell::new(Recorder::new(spans)),
            ledger: RefCell::default(),
            unknown_read: RefCell::default(),
            grad_enabled: Cell::new(true),
            mixed: Mixed::default(),
            tf32: Cell::new(false),
            next_id: Cell::new(0),
            taken: RefCell::new(None),
        })
    }

    /// Does an operation.
    pub fn apply(&self, op: Op, inputs: &[&Tensor]) -> Result<Tensor, Fault> {
        if self.mixed.is_on() {
            return self.mixed(op, inputs);
        }
        self.done(op, inputs)
    }

    /// Does an operation in the types that come in.
    fn done(&self, op: Op, inputs: &[&Tensor]) -> Result<Tensor, Fault> {
        let place = common_place(&op, inputs)?;
        let (meta, work) = {
            let states: Few<Ref<'_, State>> = inputs.iter().map(|it| it.state()).collect();
            let known: Few<&Meta> = states.iter().map(|it| &it.meta).collect();
            let meta = op.result(&known)?;
            let work = self.work(&op, &known, &meta);
            (meta, work)
        };
        if let Op::View(view) = &op {
            return self.view(view, inputs, meta);
        }
        let state = self.compute(&op, inputs, work, (meta, place))?;
        Ok(self.linked(Made::By(op), inputs, state))
    }

    fn compute(
        &self,
        op: &Op,
        inputs: &[&Tensor],
        work: Work,
        (meta, place): (Meta, Place),
    ) -> Result<State, Fault> {
        let charge = self.charge(place, meta.bytes())?;
        let value = self.timed(op, work, place, || {
            self.value(op, inputs, (&meta, place, work.cost))
        })?;
        Ok(State::new(meta, place, charge, value))
    }

    /// Does an operation's work and notes when; without asking for the time where nobody would see it.
    fn timed<T>(
        &self,
        op: &Op,
        work: Work,
        place: Place,
        compute: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if !self.tells_times {
            return compute();
        }
        let begun = self.begin(place);
        let done = compute()?;
        let timing = self.device.borrow_mut().computed(place, work, begun);
        self.record(op.name(), Lane::Kernel, timing, work.cost);
        Ok(done)
    }

    /// The values of a result, if they are kept.
    fn value(
        &self,
        op: &Op,
        inputs: &[&Tensor],
        (meta, place, cost): (&Meta, Place, Cost),
    ) -> Result<Option<candle_core::Tensor>, Fault> {
        let states: Few<Ref<'_, State>> = inputs.iter().map(|it| it.state()).collect();
        let values: Option<Few<&candle_core::Tensor>> =
            states.iter().map(|it| it.value.as_ref()).collect();
        let Some(values) = values else {
            no_ghosts(op, inputs)?;
            return Ok(None);
        };
        let kept = self
            .device
            .borrow_mut()
            .computes(place, meta.count(), cost.flops);
        if kept {
            run(op, &values, meta).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Makes a tensor from nothing but values.
    pub fn create(&self, meta: Meta, place: Place, fill: &Fill<'_>) -> Result<Tensor, Fault> {
        let (name, make, given) = match fill {
            Fill::Values(make) => ("tensor", make, true),
            Fill::Made(name, make) => (*name, make, false),
            Fill::Left(make) => {
                // No kernel runs, yet a card has to be there.
                self.begin(place);
                let left = self.beside(meta, place, make)?;
                left.state().storage.charge.hold_for(Purpose::Inputs);
                return Ok(left);
            }
        };
        let charge = self.charge(place, meta.bytes())?;
        let begun = self.begin(place);
        let kept = self.device.borrow_mut().computes(place, meta.count(), 0);
        let value = if kept || given { Some(make()?) } else { None };
        let cost = Cost {
            flops: 0,
            bytes: meta.bytes(),
        };
        let (lane, timing) = match place {
            Place::Card(_) if given => {
                let transfer = Transfer {
                    direction: Direction::In,
                    bytes: meta.bytes(),
                    memory: HostMemory::Pageable,
                    waits: Waits::Yes,
                };
                (
                    Lane::CopyToDevice,
                    self.device.borrow_mut().copied(transfer, begun),
                )
            }
            Place::Card(_) | Place::Cpu => {
                let work = Work {
                    cost,
                    dtype: meta.dtype,
                    matmul: Matmul::No,
                };
                (
                    Lane::Kernel,
                    self.device.borrow_mut().computed(place, work, begun),
                )
            }
        };
        self.record(name, lane, timing, cost);
        charge.hold_for(Purpose::Inputs);
        let state = State::new(meta, place, charge, value);
        Ok(Tensor::new(self.next_id(), state))
    }

    /// Makes a tensor that holds memory and costs no kernel of its own, such as the mask of a dropout, which the
    /// dropout's kernel writes beside its result.
    pub fn beside(
        &self,
        meta: Meta,
        place: Place,
        make: &dyn Fn() -> Result<candle_core::Tensor, Fault>,
    ) -> Result<Tensor, Fault> {
        let charge = self.charge(place, meta.bytes())?;
        let kept = self.device.borrow_mut().computes(place, meta.count(), 0);
        let value = if kept { Some(make()?) } else { None };
        let state = State::new(meta, place, charge, value);
        Ok(Tensor::new(self.next_id(), state))
    }

    /// Copies a tensor to another place; itself when it is there already.
    pub fn copy(&self, tensor: &Tensor, to: Place, waits: Waits) -> Result<Tensor, Fault> {
        let from = tensor.place();
        if from == to {
            return Ok(tensor.clone());
        }
        let meta = tensor.meta();
        let charge = self.charge(to, meta.bytes())?;
        self.transfer(tensor, to, waits);
        // A copy of weights or of data is held for what they are held for.
        charge.hold_for(tensor.state().storage.charge.purpose());
        let value = tensor.state().value.clone();
        let value = match value {
            Some(value) => Some(value.contiguous()?),
            None => None,
        };
        let state = State::new(meta, to, charge, value);
        Ok(self.linked(Made::CopiedFrom(from), &[tensor], state))
    }

    /// The time of a copy, without making a tensor of it.
    fn transfer(&self, tensor: &Tensor, to: Place, waits: Waits) {
        let bytes = tensor.meta().bytes();
        let (direction, lane, card) = match to {
            Place::Card(_) => (Direction::In, Lane::CopyToDevice, to),
            Place::Cpu => (Direction::Out, Lane::CopyToHost, tensor.place()),
        };
        let memory = if tensor.state().pinned {
            HostMemory::Pinned
        } else {
            HostMemory::Pageable
        };
        let begun = self.begin(card);
        let queued = self.device.borrow().event();
        let transfer = Transfer {
            direction,
            bytes,
            memory,
            waits,
        };
        let timing = self.device.borrow_mut().copied(transfer, begun);
        // A copy that holds the host until it is done holds it for all that was queued before, too.
        let holds_host = timing
            .device
            .is_some_and(|it| timing.host.end_ns >= it.end_ns);
        if holds_host && queued > begun.at_ns {
            let when = Interval {
                start_ns: begun.at_ns,
                end_ns: queued,
            };
            self.record_one(Span::WAIT, Lane::Host, when, Cost::default());
        }
        self.record("copy", lane, timing, Cost { flops: 0, bytes });
    }

    /// The values, which have to come to the host first: what `item`, `tolist` and printing do.
    pub fn read(&self, tensor: &Tensor) -> Result<candle_core::Tensor, Fault> {
        if let Place::Card(_) = tensor.place() {
            self.transfer(tensor, Place::Cpu, Waits::Yes);
        }
        let value = tensor.state().value.clone();
        match value {
            Some(value) => Ok(value),
            None => self.unknown(tensor),
        }
    }

    /// What stands for values that were not computed.
    fn unknown(&self, tensor: &Tensor) -> Result<candle_core::Tensor, Fault> {
        let unknown = self.device.borrow().unknown();
        match unknown {
            Unknown::Refused(why) => Err(Fault::runtime(why)),
            Unknown::Told => {
                self.unknown_read.borrow_mut().insert(self.line());
                let Meta { shape, dtype } = tensor.meta();
                let none = if dtype.is_float() { f64::NAN } else { 0.0 };
                let one = candle_core::Tensor::new(none, &candle_core::Device::Cpu)?;
                Ok(one.to_dtype(dtype.stored())?.broadcast_as(shape)?)
            }
        }
    }

    /// The card, if there is one.
    pub fn card(&self) -> Option<CardFacts> {
        self.device.borrow().card()
    }

    /// What has kept the card from the program, through no fault of the program's.
    pub fn barred(&self) -> Option<Barred> {
        self.device.borrow().barred()
    }

    /// Where times come from.
    pub fn clock(&self) -> Clock {
        self.device.borrow().clock()
    }

    /// The next tensor's number.
    pub fn next_id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        id
    }

    /// Whether operations remember how to go backward.
    pub fn grad_enabled(&self) -> bool {
        self.grad_enabled.get()
    }

    /// Makes operations remember how to go backward, or not; says what it was.
    pub fn set_grad_enabled(&self, enabled: bool) -> bool {
        self.grad_enabled.replace(enabled)
    }

    /// The program begins: the clock and the line times start here.
    pub fn start(&self) {
        self.device.borrow_mut().start();
        self.recorder.borrow_mut().skip_to(self.now());
    }

    /// The program reaches a line.
    pub fn reach(&self, line: u32) {
        self.recorder.borrow_mut().reach(line, self.now());
        // The line's own time begins here, so that it is charged to this line.
        self.device.borrow_mut().line();
    }

    /// A function of the program is called.
    pub fn enter(&self) {
        self.recorder.borrow_mut().enter();
    }

    /// A function of the program returns.
    pub fn leave(&self) {
        self.recorder.borrow_mut().leave(self.now());
    }

    /// The line that runs now.
    pub fn line(&self) -> u32 {
        self.recorder.borrow().line()
    }

    fn begin(&self, place: Place) -> super::device::Begun {
        let begun = self.device.borrow_mut().begin(place);
        if let Some(when) = begun.first_use {
            self.record_one(Span::FIRST_USE, Lane::Host, when, Cost::default());
        }
        begun
    }

    fn record(&self, name: &str, lane: Lane, timing: Timing, cost: Cost) {
        match timing.device {
            Some(device) => {
                self.record_one("queue", Lane::Host, timing.host, Cost::default());
                self.record_one(name, lane, device, cost);
            }
            None => self.record_one(name, Lane::Host, timing.host, cost),
        }
    }

    fn record_one(&self, name: &str, lane: Lane, when: Interval, cost: Cost) {
        let done = Done {
            lane,
            name,
            when,
            bytes: cost.bytes,
            flops: cost.flops,
        };
        self.recorder.borrow_mut().record(done);
    }

    fn linked(&self, how: Made, inputs: &[&Tensor], state: State) -> Tensor {
        let id = self.next_id();
        if !self.goes_back(inputs, &state.meta) {
            return Tensor::new(id, state);
        }
        let mut saved = Vec::new();
        if let Made::By(op) = &how {
            let wants = |at: usize| inputs.get(at).is_some_and(|it| it.requires_grad());
            saves(op, &wants, &mut |at| match at {
                None => saved.push(Kept::of_state(at, state.clone())),
                Some(position) => {
                    saved.extend(inputs.get(position).map(|it| Kept::new(at, it)));
                }
            });
        }
        let metas = inputs.iter().map(|it| it.meta()).collect();
        let inputs = known(inputs, metas);
        let node = Node::new(id, how, inputs, state.meta.shape.len(), saved);
        Tensor::made(state, node)
    }

    /// Whether a result remembers how to go back to what it is made of.
    fn goes_back(&self, inputs: &[&Tensor], result: &Meta) -> bool {
        self.grad_enabled.get()
            && result.dtype.is_float()
            && inputs.iter().any(|it| it.requires_grad())
    }
}

/// What a node keeps of its inputs.
fn known(inputs: &[&Tensor], metas: Vec<Meta>) -> Vec<Input> {
    let known = metas.into_iter().zip(inputs).map(|(meta, input)| Input {
        meta,
        place: input.place(),
        seen: input.state().seen.clone(),
        edge: Edge::of(input),
    });
    known.collect()
}

/// A gradient rule reads only what was saved for it; anything else is a mistake of ours.
fn no_ghosts(op: &Op, inputs: &[&Tensor]) -> Result<(), Fault> {
    if inputs.iter().any(|it| it.state().storage.charge.is_ghost()) {
        return Err(Fault::runtime(format!(
            "a fault of warpup: a gradient takes {} of a tensor that was not saved for it",
            op.name()
        )));
    }
    Ok(())
}

/// The type for Python numbers of a kind.
pub fn default_dtype(kind: Category) -> DType {
    match kind {
        Category::Bool => DType::Bool,
        Category::Int => DType::I64,
        Category::Float => default_float(),
    }
}
