//! Runs an operation: its device, its memory, its time. Its values are in `values.rs`.

use super::assertions::AssertionCheck;
use super::compiled::WriteMode;
use super::cuda_graph::GraphStep;
use super::devices::common_device;
use super::order::MemoryOrder;
use super::state::Engine;
use super::values::OpValue;
use super::workspaces::{LibraryCalls, LibraryCharges};
use crate::device::{
    ContextCreation, DeviceTime, HostCall, Interval, Library, OpStart, TensorDevice, Tf32, Timing,
    Work,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card::cudnn;
use crate::kernels::host::CardRead;
use crate::meta::{Cost, Meta};
use crate::ops::{AllowTf32, Op};
use crate::tensor::{GradFn, State, Tensor, Value};
use crate::trace::{Activity, SpanName};
use smallvec::SmallVec;
use std::cell::Ref;
use std::time::Duration;
use warpup_protocol::{Clock, Lane, Span, WaitCause};

/// As many as most operations take, without asking for memory.
type FewTensors<T> = SmallVec<[T; 3]>;

impl Engine {
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
    pub(super) fn run(&self, op: Op, inputs: &[&Tensor]) -> Result<Tensor, TorchError> {
        let device = common_device(&op, inputs)?;
        self.watch_training_layers(&op);
        let (meta, work, calls, order) = {
            let states: FewTensors<Ref<'_, State>> = inputs.iter().map(|it| it.state()).collect();
            let known: FewTensors<&Meta> = states.iter().map(|it| &it.meta).collect();
            let meta = op.facts().result(&known)?;
            let order = MemoryOrder::of(&op, &states, &meta.shape);
            // In the order of the memory, neighbours are neighbours.
            let in_order = order.as_ref().is_some_and(|it| it.computes);
            let read = if in_order { &[] } else { inputs };
            let work = self.work(&op, read, (&known, &meta));
            let calls = LibraryCalls {
                blas: op.facts().library(&known, &meta),
                cudnn: op.facts().cudnn_memory(&known, &meta),
                dtype: work.dtype,
                tf32: work.tf32,
            };
            (meta, work, calls, order)
        };
        if let Op::View(view) = &op {
            if self.views_take_time.get() {
                self.call_on_host(HostCall::View);
            }
            return self.view(view, inputs, meta);
        }
        let charge = if self.may_stay_in_registers(device, work.kind) {
            self.no_memory()
        } else {
            self.charge(device, meta.bytes())?
        };
        let seen = self.seen(inputs)?;
        let seen: Option<Vec<&Tensor>> = seen.as_ref().map(|it| it.iter().collect());
        let read = seen.as_deref().unwrap_or(inputs);
        let LibraryCharges { workspace, reserve } = self.library_memory(calls, device)?;
        if op.facts().copies_first() {
            self.launch_copy(&meta, device)?;
        }
        let captures = self.captures(device);
        let in_memory = order.as_ref().map(|it| it.of_memory(&meta));
        let value = if captures {
            self.timed((&op, inputs), work, device, || Ok(OpValue::default()))?;
            self.before_replay(in_memory.as_ref().unwrap_or(&meta), device)?
                .into()
        } else {
            self.timed((&op, inputs), work, device, || {
                self.value_in(order.as_ref(), &op, read, (&meta, device, work.cost))
            })?
        };
        drop(workspace);
        let result = captures.then(|| meta.clone());
        let state = match (&order, &in_memory) {
            (Some(order), Some(in_memory)) => {
                let memory = State::new(in_memory.clone(), device, charge, value);
                order.state(&memory, meta)?
            }
            (Some(_) | None, _) => State::new(meta, device, charge, value),
        };
        self.queued_new(&state);
        if let Some(result) = result {
            let in_memory = in_memory.unwrap_or_else(|| result.clone());
            self.capture_step(|graph| GraphStep::Result {
                op: op.clone(),
                order,
                inputs: graph.tensors(inputs),
                into: graph.new_memory(&state, in_memory),
                meta: result,
                cost: work.cost,
            });
        }
        let name = op.facts().name();
        let made = self.linked(GradFn::Op(op), inputs, state)?;
        if let (Some(reserve), Some(node)) = (reserve, made.node()) {
            node.keep_reserve(reserve);
        }
        if self.collects(device) {
            self.collect((name, work), inputs, &made, WriteMode::New);
        }
        Ok(made)
    }

    /// Launches a copy into memory that is there, on a modelled card; what candle runs on a real one needs none.
    fn launch_copy(&self, meta: &Meta, device: TensorDevice) -> Result<(), TorchError> {
        if device == TensorDevice::Cpu || self.clock() != Clock::Modelled {
            return Ok(());
        }
        let work = Work::moving(meta.bytes().saturating_mul(2), meta.dtype);
        let begun = self.begin(device)?;
        let timing = self.backend.borrow_mut().end_op(device, work, begun);
        self.record("clone", Lane::Kernel, timing, work.cost);
        self.after_launch(device)
    }

    /// Does something whose views are no calls of their own, such as those of all tensors that `torch.stack` joins.
    pub(crate) fn in_one_call<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.views_take_time.replace(false);
        let done = work();
        self.views_take_time.set(before);
        done
    }

    /// The program does something that launches nothing, and takes host time on a modelled card.
    pub(crate) fn call_on_host(&self, call: HostCall) {
        self.count_call(call);
        self.backend.borrow_mut().call(call);
    }

    /// Where `float32` may take the faster units with fewer digits.
    pub(crate) fn tf32(&self) -> AllowTf32 {
        self.tf32.get()
    }

    /// Lets `float32` take the faster units there, or not.
    pub(crate) fn set_tf32(&self, allowed: AllowTf32) {
        self.tf32.set(allowed);
        if let Some(card) = self.backend.borrow_mut().real_card() {
            card.set_tf32(allowed.products);
            cudnn::allow_tf32(allowed.cudnn);
        }
    }

    /// Its cost, the type it computes in, and the kernel that does it.
    pub(super) fn work(
        &self,
        op: &Op,
        inputs: &[&Tensor],
        (known, result): (&[&Meta], &Meta),
    ) -> Work {
        let dtype = known.first().map_or(result.dtype, |it| it.dtype);
        let mut kind = op.facts().kernel_kind(known, result);
        if reads_columns(inputs) {
            kind = kind.reading_columns();
        }
        let tf32 = if op.facts().takes_tf32(self.tf32.get()) && dtype == DType::F32 {
            Tf32::Allowed
        } else {
            Tf32::Off
        };
        Work {
            cost: op.facts().cost(known, result),
            dtype,
            kind,
            tf32,
        }
    }

    /// Computes values and records when; without asking for the time where nobody would see it.
    pub(super) fn timed(
        &self,
        (op, inputs): (&Op, &[&Tensor]),
        work: Work,
        device: TensorDevice,
        compute: impl FnOnce() -> Result<OpValue, TorchError>,
    ) -> Result<Value, TorchError> {
        self.count_op(op, device, work);
        if !self.tells_times.get() {
            return Ok(compute()?.value);
        }
        if self.joins(device, work.cost) {
            return Ok(compute()?.value);
        }
        let begun = self.begin(device)?;
        let computed = compute()?;
        if let Some(read) = computed.on_host {
            // No kernel did it: the host waited for the values, computed, and sent the result back.
            let when = begun.until(self.now());
            let waited = wait_within(when, read);
            self.recorder_waited(WaitCause::CopyToHost, waited);
            let computing = Interval {
                start_ns: waited.end_ns,
                ..when
            };
            let name = op.facts().name();
            self.recorder
                .borrow_mut()
                .record_on_host(name, work.cost, computing);
            self.exclude_since(when.end_ns);
            return Ok(computed.value);
        }
        let timing = self.backend.borrow_mut().end_op(device, work, begun);
        self.time_assertion();
        self.count_operation(op, inputs, work, timing);
        self.record(op.facts().name(), Lane::Kernel, timing, work.cost);
        self.after_launch(device)?;
        Ok(computed.value)
    }

    pub(super) fn begin(&self, device: TensorDevice) -> Result<OpStart, TorchError> {
        if device != TensorDevice::Cpu {
            self.ask(AssertionCheck::Now)?;
        }
        let begun = self.backend.borrow_mut().begin_op(device)?;
        if begun.recording_ns > 0 {
            self.recorder.borrow_mut().exclude(begun.recording_ns);
        }
        self.record_context(begun.context_creation);
        Ok(begun)
    }

    /// Records the creation of the CUDA context, if this is what made it.
    pub(super) fn record_context(&self, created: Option<ContextCreation>) {
        match created {
            Some(ContextCreation::Now(when)) => {
                self.facts.borrow_mut().started(when);
                self.record_one(Span::FIRST_USE, Lane::Host, when, Cost::default());
            }
            Some(ContextCreation::BeforeStart(preparation)) => {
                self.recorder.borrow_mut().record_preparation(preparation);
            }
            None => {}
        }
    }

    /// Where candle keeps the values of tensors of a device.
    pub(super) fn values(&self, device: TensorDevice) -> candle_core::Device {
        self.backend.borrow().candle_device(device)
    }

    /// Records an operation. What that takes is no line's.
    pub(super) fn record(&self, name: impl Into<SpanName>, lane: Lane, timing: Timing, cost: Cost) {
        if self.tells_times.get() {
            self.record_timing(name.into(), lane, timing, cost);
            self.exclude_since(timing.host.end_ns);
        }
    }

    /// Records a copy, and the host's wait for it.
    pub(super) fn record_copy(
        &self,
        (name, cause): (&'static str, WaitCause),
        lane: Lane,
        timing: Timing,
        cost: Cost,
    ) {
        if self.tells_times.get() {
            self.record_timing(name.into(), lane, timing, cost);
        }
        if let Some(when) = timing.waited {
            self.recorder_waited(cause, when);
        }
        let done_ns = timing.waited.map_or(timing.host.end_ns, |it| it.end_ns);
        self.exclude_since(done_ns);
    }

    fn record_timing(&self, name: SpanName, lane: Lane, timing: Timing, cost: Cost) {
        if let Some(start) = timing.library {
            let name = match start.library {
                Library::Cublas => Span::CUBLAS,
                Library::Cudnn => Span::CUDNN,
            };
            self.record_one(name, Lane::Host, start.when, Cost::default());
        }
        if let DeviceTime::InGraph(work) = timing.device {
            if self.is_compiled() {
                // The kernel that it becomes a part of is launched at the end of the code.
                return;
            }
            self.capture_kernel(name.clone(), work, cost);
        }
        if timing.device != DeviceTime::OnHost {
            self.count_queued(timing, lane == Lane::Kernel);
        }
        let is_due = {
            let mut recorder = self.recorder.borrow_mut();
            if timing.device != DeviceTime::OnHost {
                if recorder.is_profiled() {
                    recorder.profile_launch(name.clone(), timing.host, cost);
                }
                let queue = Activity {
                    lane: Lane::Host,
                    name: Span::QUEUE.into(),
                    cost: Cost::default(),
                };
                recorder.record(queue, timing.host);
            }
            let activity = Activity { lane, name, cost };
            match timing.device {
                DeviceTime::Known(device) => {
                    recorder.record(activity, device);
                    false
                }
                DeviceTime::InGraph(_) => false,
                DeviceTime::Pending(ticket) => {
                    recorder.record_pending(activity, (ticket, timing.host.end_ns))
                }
                DeviceTime::OnHost => {
                    let lane = Lane::Host;
                    recorder.record(Activity { lane, ..activity }, timing.host);
                    false
                }
            }
        };
        if is_due {
            self.settle();
        }
    }

    /// Does what is no line's, such as sending what the program has printed: it wakes others, who may take the core.
    pub(crate) fn beside_lines<T>(&self, work: impl FnOnce() -> T) -> T {
        let began_ns = self.now();
        let done = work();
        self.exclude_since(began_ns);
        done
    }

    /// The host's time from then until now went into recording, and is no line's. A model's clock stands still meanwhile.
    pub(super) fn exclude_since(&self, ns: u64) {
        if self.clock() == Clock::Measured {
            let now = self.now();
            let own_ns = now.saturating_sub(ns);
            self.recorder.borrow_mut().exclude(own_ns);
            self.note_interruption_of_recording(own_ns, now);
        }
    }

    fn record_one(&self, name: &'static str, lane: Lane, when: Interval, cost: Cost) {
        let name = name.into();
        let piece = Activity { lane, name, cost };
        self.recorder.borrow_mut().record(piece, when);
    }
}

/// The wait for a card's values within an operation that the host has just computed.
fn wait_within(when: Interval, read: CardRead) -> Interval {
    let ns = |it: Duration| u64::try_from(it.as_nanos()).unwrap_or(u64::MAX);
    let start_ns = when.end_ns.saturating_sub(ns(read.began.elapsed()));
    let start_ns = start_ns.max(when.start_ns);
    let end_ns = start_ns.saturating_add(ns(read.waited)).min(when.end_ns);
    Interval { start_ns, end_ns }
}

/// Whether neighbours in the rows of the first tensor are no neighbours in memory, as in a transposed matrix.
pub(super) fn reads_columns(inputs: &[&Tensor]) -> bool {
    inputs.first().is_some_and(|it| {
        let state = it.state();
        let is_row = state.meta.shape.last().is_none_or(|it| *it <= 1);
        !is_row && state.layout.is_some() && state.strides().last().is_some_and(|it| *it > 1)
    })
}
