//! The engine of one run: every operation passes here, so that device check, memory, clocks, trace and graph exist
//! once.

mod asserted;
mod autocast;
mod clocks;
mod copies;
mod create;
mod devices;
mod in_place;
mod ledger;
mod memory;
mod short;
mod summary;
mod view;
mod work;

pub(crate) use summary::Summary;

use super::device::{
    CardFacts, ContextCreation, Device, DeviceTime, DeviceUnavailable, Interval, MissingValue,
    OpStart, TensorDevice, Timing, Work,
};
use super::dtype::{Category, DType, default_float};
use super::error::TorchError;
use super::kernels::host::on_card_if_it_fits;
use super::ops::{Computed, Op, Operand, Saved};
use super::tensor::{Edge, GradFn, Input, Node, SavedTensor, State, Tensor};
use super::trace::{Activity, Recorder};
use crate::protocol::{Clock, Lane, Span};
use crate::worker::meta::{Cost, Meta};
use asserted::{Asks, Asserted};
use autocast::AutocastState;
use candle_core::Tensor as Values;
use devices::common_device;
use ledger::Ledger;
use memory::Home;
use smallvec::SmallVec;
use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Pieces of work whose times are not known yet before those that are done are looked for.
const UNSETTLED: usize = 1_000;

/// As many as most operations take, without asking for memory.
type Few<T> = SmallVec<[T; 3]>;

/// The engine of one run. All calls come from one thread.
pub(crate) struct Engine {
    this: std::rc::Weak<Self>,
    device: RefCell<Box<dyn Device>>,
    recorder: RefCell<Recorder>,
    grad_enabled: Cell<bool>,
    autocast: AutocastState,
    /// Whether products of `float32` may take the faster units with fewer digits, where a card has them.
    tf32: Cell<bool>,
    next_id: Cell<u64>,
    /// Where the memory that is counted is: on the card, or on the host where there is none.
    home: Home,
    /// Whether anybody sees when an operation was done: on a card always, elsewhere if spans are kept.
    tells_times: Cell<bool>,
    /// The kernel of a modelled card that has asserted something, if one has.
    asserted: RefCell<Option<Asserted>>,
    ledger: RefCell<Ledger>,
    /// Lines that read a value which was not computed.
    unknown_read: RefCell<BTreeSet<u32>>,
    summary: RefCell<Option<Summary>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// Values for a new tensor.
pub(crate) enum Fill<'a> {
    /// Values that stand in host memory, such as a list's.
    Values(&'a Make<'a>),
    /// One number everywhere, which every device writes by itself; made only if it is kept.
    Full(&'a Make<'a>),
    /// Values that a device makes by itself, such as random ones; made only if they are kept. Candle has no
    /// such kernels: for a real card they are made on the host, and copied.
    Made(&'a str, &'a Make<'a>),
    /// Memory as it was left, which no kernel writes; values stand in for whatever would be there.
    Left(&'a Make<'a>),
}

/// Makes values where candle is to keep them.
pub(crate) type Make<'a> =
    dyn Fn(&candle_core::Device) -> Result<candle_core::Tensor, TorchError> + 'a;

impl Engine {
    /// An engine on a device; spans up to a limit.
    pub(crate) fn new(device: Box<dyn Device>, spans: u32) -> Rc<Self> {
        Rc::new_cyclic(|this| Self {
            this: this.clone(),
            home: Home::of(&*device),
            tells_times: Cell::new(spans > 0 || device.clock() == Clock::Modelled),
            asserted: RefCell::default(),
            device: RefCell::new(device),
            recorder: RefCell::new(Recorder::new(spans)),
            ledger: RefCell::default(),
            unknown_read: RefCell::default(),
            grad_enabled: Cell::new(true),
            autocast: AutocastState::default(),
            tf32: Cell::new(false),
            next_id: Cell::new(0),
            summary: RefCell::new(None),
        })
    }

    /// Runs an operation.
    pub(crate) fn apply(
        &self,
        op: impl Into<Op>,
        inputs: &[&Tensor],
    ) -> Result<Tensor, TorchError> {
        if self.autocast.is_on() {
            return self.run_in_autocast(op.into(), inputs);
        }
        self.run(op.into(), inputs)
    }

    /// Runs an operation in the types of its inputs.
    fn run(&self, op: Op, inputs: &[&Tensor]) -> Result<Tensor, TorchError> {
        let place = common_device(&op, inputs)?;
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
        Ok(self.linked(GradFn::Op(op), inputs, state))
    }

    fn compute(
        &self,
        op: &Op,
        inputs: &[&Tensor],
        work: Work,
        (meta, place): (Meta, TensorDevice),
    ) -> Result<State, TorchError> {
        let charge = self.charge(place, meta.bytes())?;
        let value = self.timed(op, work, place, || {
            self.value(op, inputs, (&meta, place, work.cost))
        })?;
        Ok(State::new(meta, place, charge, value))
    }

    /// Computes values and records when; without asking for the time where nobody would see it.
    fn timed(
        &self,
        op: &Op,
        work: Work,
        place: TensorDevice,
        compute: impl FnOnce() -> Result<Option<Computed>, TorchError>,
    ) -> Result<Option<Values>, TorchError> {
        if !self.tells_times.get() {
            return Ok(compute()?.map(|it| it.values));
        }
        let begun = self.begin(place)?;
        let computed = compute()?;
        if computed.as_ref().is_some_and(|it| it.on_host) {
            // No kernel did it: the values came to the host and went back.
            let when = Interval {
                start_ns: begun.at_ns,
                end_ns: self.now(),
            };
            self.settle();
            let name = format!("{} on the host", op.name());
            self.record_one(&name, Lane::Host, when, work.cost);
            return Ok(computed.map(|it| it.values));
        }
        let timing = self.device.borrow_mut().end_op(place, work, begun);
        self.time_assertion();
        self.record(op.name(), Lane::Kernel, timing, work.cost);
        Ok(computed.map(|it| it.values))
    }

    /// The values of a result, if they are kept.
    fn value(
        &self,
        op: &Op,
        inputs: &[&Tensor],
        (meta, place, cost): (&Meta, TensorDevice, Cost),
    ) -> Result<Option<Computed>, TorchError> {
        let states: Few<Ref<'_, State>> = inputs.iter().map(|it| it.state()).collect();
        let values: Option<Few<&candle_core::Tensor>> =
            states.iter().map(|it| it.value.as_ref()).collect();
        let Some(values) = values else {
            check_has_values(op, inputs)?;
            return Ok(None);
        };
        let kept = self
            .device
            .borrow_mut()
            .computes_values(place, meta.count(), cost.flops);
        if !kept {
            return Ok(None);
        }
        match op.run(&values, meta) {
            Ok(Computed { values, on_host }) => {
                let values = self.at_home(values, place)?;
                Ok(Some(Computed { values, on_host }))
            }
            Err(error) if self.asserts(op, place, &error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Values where those of this place are kept.
    fn at_home(&self, value: Values, place: TensorDevice) -> Result<Values, TorchError> {
        if place == TensorDevice::Cpu || !self.has_real_card() {
            return Ok(value);
        }
        Ok(on_card_if_it_fits(value, &self.values(place))?)
    }

    /// A replacement for values that were not computed: NaN, or 0 of integers.
    fn unknown(&self, tensor: &Tensor) -> Result<candle_core::Tensor, TorchError> {
        let unknown = self.device.borrow().missing_value();
        match unknown {
            MissingValue::Raise(why) => Err(TorchError::runtime(why)),
            MissingValue::Nan => {
                self.unknown_read.borrow_mut().insert(self.line());
                let Meta { shape, dtype } = tensor.meta();
                let none = if dtype.is_float() { f64::NAN } else { 0.0 };
                let one = candle_core::Tensor::new(none, &candle_core::Device::Cpu)?;
                Ok(one.to_dtype(dtype.stored())?.broadcast_as(shape)?)
            }
        }
    }

    /// Whether there is a card.
    pub(crate) fn has_card(&self) -> bool {
        self.home == Home::Card
    }

    /// The card, if there is one, as it is now.
    pub(crate) fn card(&self) -> Option<CardFacts> {
        self.device.borrow().card()
    }

    /// Why the card was unavailable, which is not the program's mistake.
    pub(crate) fn unavailable(&self) -> Option<DeviceUnavailable> {
        self.device.borrow().unavailable()
    }

    /// Where times come from.
    pub(crate) fn clock(&self) -> Clock {
        self.device.borrow().clock()
    }

    /// The next tensor's number.
    pub(crate) fn next_id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        id
    }

    /// Whether operations remember how to go backward.
    pub(crate) fn grad_enabled(&self) -> bool {
        self.grad_enabled.get()
    }

    /// Makes operations remember how to go backward, or not; says what it was.
    pub(crate) fn set_grad_enabled(&self, enabled: bool) -> bool {
        self.grad_enabled.replace(enabled)
    }

    /// The program begins: the clock and the line times start here.
    pub(crate) fn start(&self) {
        self.device.borrow_mut().start_clock();
        self.recorder.borrow_mut().skip_to(self.now());
    }

    /// The program reaches a line.
    pub(crate) fn reach(&self, line: u32) {
        self.recorder.borrow_mut().reach_line(line, self.now());
        // The line's own time begins here, so that it is charged to this line.
        self.device.borrow_mut().reach_line();
    }

    /// A function of the program is called.
    pub(crate) fn enter(&self) {
        self.recorder.borrow_mut().enter_function();
    }

    /// A function of the program returns.
    pub(crate) fn leave(&self) {
        self.recorder.borrow_mut().leave_function(self.now());
    }

    /// The line that runs now.
    pub(crate) fn line(&self) -> u32 {
        self.recorder.borrow().line()
    }

    fn begin(&self, place: TensorDevice) -> Result<OpStart, TorchError> {
        if place != TensorDevice::Cpu {
            self.ask(Asks::Now)?;
        }
        let begun = self.device.borrow_mut().begin_op(place)?;
        match begun.context_creation {
            Some(ContextCreation::Now(when)) => {
                self.record_one(Span::FIRST_USE, Lane::Host, when, Cost::default());
            }
            Some(ContextCreation::BeforeStart(ns)) => {
                self.recorder.borrow_mut().record_context_creation(ns);
            }
            None => {}
        }
        Ok(begun)
    }

    /// Where candle keeps the values of tensors of a place.
    fn values(&self, place: TensorDevice) -> candle_core::Device {
        self.device.borrow().candle_device(place)
    }

    fn record(&self, name: &str, lane: Lane, timing: Timing, cost: Cost) {
        if !self.tells_times.get() {
            return;
        }
        let queued = || self.record_one("queue", Lane::Host, timing.host, Cost::default());
        match timing.device {
            DeviceTime::Known(device) => {
                queued();
                self.record_one(name, lane, device, cost);
            }
            DeviceTime::Pending(ticket) => {
                queued();
                let piece = Activity { lane, name, cost };
                let unsettled = self.recorder.borrow_mut().record_pending(piece, ticket);
                if unsettled > UNSETTLED {
                    self.settle();
                }
            }
            DeviceTime::OnHost => self.record_one(name, Lane::Host, timing.host, cost),
        }
    }

    fn record_one(&self, name: &str, lane: Lane, when: Interval, cost: Cost) {
        let piece = Activity { lane, name, cost };
        self.recorder.borrow_mut().record(piece, when);
    }

    fn linked(&self, function: GradFn, inputs: &[&Tensor], state: State) -> Tensor {
        let id = self.next_id();
        if !self.goes_back(inputs, &state.meta) {
            return Tensor::new(id, state);
        }
        let save = |it| match it {
            Operand::Result => Some(SavedTensor::of_state(it, state.clone())),
            Operand::Input(at) => inputs.get(at).map(|input| SavedTensor::new(it, input)),
        };
        let operands = match &function {
            GradFn::Op(op) => op.saved(&|at| wants(inputs, at)),
            GradFn::ToCopy { .. }
            | GradFn::Copy
            | GradFn::Fill(_)
            | GradFn::AsStrided(_)
            | GradFn::CopySlices { .. } => Saved::new(),
        };
        let saved = operands.into_iter().filter_map(save).collect();
        let metas = inputs.iter().map(|it| it.meta()).collect();
        let inputs = known(inputs, metas);
        let node = Node::new(id, function, inputs, state.meta.shape.len(), saved);
        Tensor::made(state, node)
    }

    /// Whether a result remembers how to go back to what it is made of.
    fn goes_back(&self, inputs: &[&Tensor], result: &Meta) -> bool {
        self.grad_enabled.get()
            && result.dtype.is_float()
            && inputs.iter().any(|it| it.requires_grad())
    }
}

/// Whether an input wants a gradient.
fn wants(inputs: &[&Tensor], at: usize) -> bool {
    inputs.get(at).is_some_and(|it| it.requires_grad())
}

/// What a node keeps of its inputs.
fn known(inputs: &[&Tensor], metas: Vec<Meta>) -> Vec<Input> {
    let known = metas.into_iter().zip(inputs).map(|(meta, input)| Input {
        meta,
        place: input.place(),
        layout: input.state().layout.clone(),
        edge: Edge::of(input),
    });
    known.collect()
}

/// A gradient formula reads only tensors that were saved for it. Reading another one is a bug of warpup.
fn check_has_values(op: &Op, inputs: &[&Tensor]) -> Result<(), TorchError> {
    if inputs
        .iter()
        .any(|it| it.state().storage.charge.is_metadata_only())
    {
        return Err(TorchError::runtime(format!(
            "internal error in warpup: a gradient takes {} of a tensor that was not saved for it",
            op.name()
        )));
    }
    Ok(())
}

/// The type for Python numbers of a kind.
pub(crate) fn default_dtype(kind: Category) -> DType {
    match kind {
        Category::Bool => DType::Bool,
        Category::Int => DType::I64,
        Category::Float => default_float(),
    }
}
