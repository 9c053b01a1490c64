//! Counts facts about the program, where they happen.

use super::state::Engine;
use crate::device::{DeviceTime, HostCall, TensorDevice, Timing, Transfer, Work};
use crate::dtype::DType;
use crate::facts::{ClockReading, FactCounter};
use crate::meta::{Gemm, KernelKind};
use crate::ops::{ChannelNorm, Dropout, Loss, Nll, Op, StatisticsGroup, ToCopy};
use crate::tensor::{Tensor, graph_use};
use std::cell::RefMut;
use warpup_protocol::{Call, LineFacts, WaitCause};

/// Bytes that an operation on the host moves at least, to count: a counter or a learning rate is less.
const FEW_BYTES: u64 = 256;

/// Bytes of which tensor cores want a multiple in each row.
const ALIGNED_BYTES: u64 = 16;

impl Engine {
    /// The facts that were counted so far.
    pub(crate) fn facts(&self) -> RefMut<'_, FactCounter> {
        self.facts.borrow_mut()
    }

    fn at_line(&self, change: impl FnOnce(&mut LineFacts)) {
        let line = self.line();
        self.facts.borrow_mut().at(line, change);
    }

    /// An operation of the program, or of backward, was computed or queued.
    pub(super) fn count_operation(&self, op: &Op, inputs: &[&Tensor], work: Work, timing: Timing) {
        if !self.has_card() {
            return;
        }
        match timing.device {
            DeviceTime::OnHost => {
                let counts = work.cost.bytes >= FEW_BYTES && self.facts.borrow().has_stepped();
                if counts && !self.is_loading.get() && !self.recorder.borrow().is_beside() {
                    self.at_line(|it| {
                        it.host_operations += 1;
                        it.host_operation_ns += timing.host.ns();
                    });
                }
            }
            DeviceTime::Known(when) => self.count_kernel(op, inputs, work, when.ns()),
            DeviceTime::Pending(_) | DeviceTime::InGraph(_) => {
                self.count_kernel(op, inputs, work, 0);
            }
        }
    }

    fn count_kernel(&self, op: &Op, inputs: &[&Tensor], work: Work, ns: u64) {
        let odd = odd_product(work);
        let reorders = matches!(op, Op::ToCopy(ToCopy::RowMajor))
            && inputs.first().is_some_and(|it| !it.requires_grad())
            && self.grad_enabled.get()
            && !self.in_flight.in_backward.get();
        let is_double = work.dtype == DType::F64;
        if !is_double && odd.is_none() && !reorders {
            return;
        }
        self.at_line(|it| {
            if is_double {
                it.double_kernels += 1;
                it.double_ns += ns;
            }
            if let Some(odd) = odd {
                it.odd_products += 1;
                it.odd_product_ns += ns;
                let size = |of: [u64; 3]| of.iter().product::<u64>();
                let largest = it.odd_product.map_or(0, size);
                if size([odd.m, odd.n, odd.k]) > largest {
                    it.odd_product = Some([odd.m, odd.n, odd.k]);
                }
            }
            if reorders {
                it.reorders += 1;
                it.reorder_ns += ns;
                it.reorder_bytes += work.cost.bytes / 2;
            }
        });
        if is_double {
            let line = self.line();
            self.facts.borrow_mut().compute_in_double(line);
        }
    }

    /// Something was queued for the device.
    pub(super) fn count_queued(&self, timing: Timing, is_kernel: bool) {
        let mut facts = self.facts.borrow_mut();
        facts.queued();
        if let Some(start) = timing.library {
            facts.started(start.when);
        }
        if !is_kernel {
            return;
        }
        let ns = match timing.device {
            DeviceTime::Known(when) => when.ns(),
            DeviceTime::OnHost | DeviceTime::Pending(_) | DeviceTime::InGraph(_) => 0,
        };
        drop(facts);
        self.at_line(|it| {
            it.kernels += 1;
            it.kernel_ns += ns;
        });
    }

    /// The program asked for a copy between host and card.
    pub(super) fn count_copy(&self, transfer: Transfer, cause: WaitCause, timing: Timing) {
        let DeviceTime::Known(when) = timing.device else {
            return;
        };
        let is_asked_for = match cause {
            WaitCause::CopyToDevice | WaitCause::CopyToHost | WaitCause::Tensor => true,
            WaitCause::Item
            | WaitCause::Branch
            | WaitCause::Compare
            | WaitCause::Tolist
            | WaitCause::Print
            | WaitCause::Nonzero
            | WaitCause::Synchronize
            | WaitCause::Event
            | WaitCause::Stream
            | WaitCause::Scaler
            | WaitCause::LaunchBlocking
            | WaitCause::Allocator
            | WaitCause::Loader
            | WaitCause::Unknown => false,
        };
        if is_asked_for && !transfer.is_weight {
            let line = self.line();
            self.facts.borrow_mut().copied(line, transfer, when.ns());
        }
    }

    /// The program itself has made a copy in page-locked memory, which began at this time.
    pub(super) fn count_pin(&self, begun_ns: u64) {
        if self.is_loading.get() || self.recorder.borrow().is_beside() {
            return;
        }
        let ns = self.now().saturating_sub(begun_ns);
        self.at_line(|it| {
            it.pins += 1;
            it.pin_ns += ns;
        });
    }

    /// A call of the program that launches nothing.
    pub(super) fn count_call(&self, call: HostCall) {
        match call {
            HostCall::OptimizerStep { optimizer, .. } => {
                self.count_plain_call(Call::Step);
                let now = self.now();
                self.facts.borrow_mut().step(optimizer, now);
            }
            HostCall::Module => {
                self.count_plain_call(Call::Module);
                let (line, hits) = self.recorder.borrow().line_and_hits();
                self.facts.borrow_mut().call_module(line, hits);
            }
            HostCall::Backward => self.count_plain_call(Call::Backward),
            HostCall::ZeroGrad { .. } => self.count_plain_call(Call::ZeroGrad),
            HostCall::View
            | HostCall::Record
            | HostCall::Node
            | HostCall::Batch
            | HostCall::SendBatch { .. }
            | HostCall::ReceiveBatch { .. }
            | HostCall::Message
            | HostCall::Stated { .. } => {}
        }
    }

    /// Before an operation: a layer that behaves otherwise in training, in a pass without gradients.
    pub(super) fn watch_training_layers(&self, op: &Op) {
        if self.grad_enabled.get() || self.in_flight.in_backward.get() {
            return;
        }
        let is_dropout = matches!(op, Op::Dropout(Dropout::Cpu { .. } | Dropout::Forward(_)));
        let is_norm = matches!(op, Op::ChannelNorm(ChannelNorm::Forward(it)) if it.by == StatisticsGroup::Batch);
        let is_training = is_dropout || is_norm;
        if is_training && self.training_layer.get() == 0 {
            self.training_layer.set(self.line());
        }
        // The loss of a validation may be read much later.
        if matches!(op, Op::Loss(Loss::Forward(..)) | Op::Nll(Nll::Forward(_))) {
            self.count_training_pass();
        }
    }

    /// A pass without gradients has a result that counts.
    fn count_training_pass(&self) {
        let line = self.training_layer.take();
        if line > 0 {
            let mut facts = self.facts.borrow_mut();
            facts.at(line, |it| it.training_passes += 1);
        }
    }

    /// The program reads a value: that of a graph, or of a pass without gradients.
    pub(super) fn count_read(&self, tensor: &Tensor) {
        if let Some(node) = tensor.node() {
            graph_use::read(&node);
        }
        if !self.grad_enabled.get() {
            self.count_training_pass();
        }
    }

    /// An operation on the host records a graph.
    pub(super) fn count_node(&self, device: TensorDevice) {
        let is_on_host = device == TensorDevice::Cpu && self.has_card();
        // Before the first step a program may check something.
        if is_on_host && self.facts.borrow().has_stepped() {
            self.at_line(|it| it.host_nodes += 1);
        }
    }

    /// The program changes a tensor in place, or its `.data`, which may be a step.
    pub(crate) fn count_change(&self, into: &Tensor) {
        if into.is_leaf() && into.step_with_gradient() {
            self.facts.borrow_mut().use_uncleared();
        }
    }

    /// The program reads the clock.
    pub(crate) fn read_clock(&self) -> u64 {
        let now = self.now();
        let done_ns = self.backend.borrow().queued_until();
        let recorder = self.recorder.borrow();
        self.facts.borrow_mut().read_clock(ClockReading {
            line: recorder.line(),
            caller: recorder.caller(),
            now,
            done_ns,
        });
        now
    }

    /// A loader without workers makes a batch, in the program's own time: the line that asks for it, when, and when the device
    /// will have done what it was given.
    pub(crate) fn begin_batch(&self) -> (u32, u64, u64) {
        self.is_loading.set(true);
        let now = self.now();
        let done_ns = self.backend.borrow().queued_until().unwrap_or(now);
        (self.line(), now, done_ns)
    }

    /// It has made it.
    pub(crate) fn end_batch(&self, (line, begun_ns, done_ns): (u32, u64, u64)) {
        self.is_loading.set(false);
        let now = self.now();
        self.facts.borrow_mut().at(line, |it| {
            it.batches += 1;
            it.batch_ns += now.saturating_sub(begun_ns);
            it.batch_idle_ns += now.saturating_sub(begun_ns.max(done_ns));
        });
    }
}

/// A product for tensor cores whose rows are not aligned.
fn odd_product(work: Work) -> Option<Gemm> {
    let KernelKind::Gemm(gemm) = work.kind else {
        return None;
    };
    let is_16_bit = matches!(work.dtype, DType::F16 | DType::BF16);
    let is_odd = gemm.alignment.saturating_mul(work.dtype.size()) < ALIGNED_BYTES;
    (is_16_bit && is_odd && !gemm.is_of_vector()).then_some(gemm)
}
