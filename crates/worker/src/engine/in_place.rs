//! Changes in place: a kernel writes where it has read, so no memory is given out for the result.

use super::compiled::WriteMode;
use super::copies;
use super::create::{Fill, work_of};
use super::cuda_graph::GraphStep;
use super::devices::{common_device, mismatch};
use super::execute::reads_columns;
use super::grad_fn::{known, wants};
use super::state::Engine;
use super::values::OpValue;
use crate::device::{Blocking, Direction, HostMemory, TensorDevice, Work};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::elementwise::{in_range, to_bool};
use crate::kernels::host::{Host, is_on_card};
use crate::kernels::{card, fast};
use crate::meta::{Cost, Meta};
use crate::ops::{Op, OpOutput, Operand, ToCopy};
use crate::shape;
use crate::tensor::layout::Layout;
use crate::tensor::{Edge, GradFn, Input, Node, SavedTensor, Tensor, Value, ViewGradMode};
use candle_core::Tensor as Values;
use std::rc::Rc;
use warpup_protocol::Lane;

impl Engine {
    /// Does an operation and writes the result into a tensor, which may be one of the inputs.
    pub(crate) fn apply_in_place(
        &self,
        op: impl Into<Op>,
        inputs: &[&Tensor],
        into: &Tensor,
    ) -> Result<(), TorchError> {
        let op = op.into();
        let device = common_device(&op, inputs)?;
        if into.device() != device {
            return Err(mismatch(device, into.device(), None));
        }
        let metas: Vec<Meta> = inputs.iter().map(|it| it.meta()).collect();
        let of_inputs: Vec<&Meta> = metas.iter().collect();
        let meta = op.facts().result(&of_inputs)?;
        fits(&meta, &into.meta())?;
        self.may_change(into, inputs)?;
        self.count_change(into);
        not_torn(into, inputs)?;
        let written = Meta::new(meta.shape.clone(), into.dtype());
        let work = self.work(&op, inputs, (&of_inputs, &written));
        let before = self.before(Some(&op), (inputs, &metas), into)?;
        if self.captures(device) {
            self.timed((&op, inputs), work, device, || Ok(OpValue::default()))?;
            into.count_write();
            self.capture_step(|graph| GraphStep::Change {
                op: op.clone(),
                inputs: graph.tensors(inputs),
                meta,
                cost: work.cost,
                into: graph.tensor(into),
            });
            return self.remember(GradFn::Op(op), before, into);
        }
        let seen = self.seen(inputs)?;
        let seen: Option<Vec<&Tensor>> = seen.as_ref().map(|it| it.iter().collect());
        let read = seen.as_deref().unwrap_or(inputs);
        let value = self.timed((&op, inputs), work, device, || {
            let own = into.own_values();
            let computed =
                card::changing(own, || self.value(&op, read, (&meta, device, work.cost)))?;
            if computed.value.is_waiting() {
                let value = later_as(&computed.value, &into.meta())?;
                return Ok(OpValue { value, ..computed });
            }
            let Some(values) = computed.value.read()? else {
                return Ok(computed);
            };
            let OpOutput { values, on_host } = cast(&values, into.dtype())?;
            Ok(OpValue {
                value: values.into(),
                on_host: computed.on_host.or(on_host),
            })
        })?;
        self.write(into, value)?;
        if self.collects(device) {
            self.collect((op.facts().name(), work), inputs, into, WriteMode::InPlace);
        }
        self.remember(GradFn::Op(op), before, into)
    }

    /// Gives a tensor new values, whatever it was.
    pub(crate) fn fill_in_place(
        &self,
        into: &Tensor,
        fill: &Fill<'_>,
        function: &'static str,
    ) -> Result<(), TorchError> {
        self.may_change(into, &[into])?;
        not_torn(into, &[])?;
        into.clear_gradient();
        let (meta, device) = (into.meta(), into.device());
        let before = self.before(None, (&[into], std::slice::from_ref(&meta)), into)?;
        let value = self.written(&meta, device, fill)?;
        if self.captures(device) {
            self.capture_fill(into, fill, value)?;
            into.count_write();
        } else {
            self.write(into, value)?;
        }
        if self.collects(device) {
            let work = work_of(fill, &meta);
            self.collect(("fill", work), &[], into, WriteMode::InPlace);
        }
        self.remember(GradFn::Fill(function), before, into)
    }

    /// Copies into a tensor from wherever the values are, in whatever type, broadcast.
    pub(crate) fn copy_in_place(
        &self,
        into: &Tensor,
        from: &Tensor,
        waits: Blocking,
    ) -> Result<(), TorchError> {
        let (to, had) = (into.meta(), from.meta());
        let spread = shape::broadcast(&to.shape, &had.shape)?;
        fits(&Meta::new(spread, to.dtype), &to)?;
        self.may_change(into, &[into, from])?;
        let before = self.before(None, (&[into, from], &[to.clone(), had]), into)?;
        let (value, queued) = if is_same_memory(into, from) {
            (from.state().value.clone(), None)
        } else {
            not_torn(into, &[from])?;
            self.bring(into, from, waits)?
        };
        if self.captures(into.device()) {
            into.count_write();
            self.capture_step(|graph| GraphStep::Copy {
                from: graph.tensor(from),
                into: graph.tensor(into),
            });
            return self.remember(GradFn::Copy, before, into);
        }
        let value = later_as(&value, &to)?;
        match queued {
            Some(Direction::Out) => {
                self.queued_fill(&into.state(), value.read()?);
                into.count_write();
            }
            Some(Direction::In) => {
                self.write(into, value)?;
                self.queued_read(&from.state(), &into.state());
            }
            None => self.write(into, value)?,
        }
        if from.device() == into.device() && self.collects(into.device()) {
            let work = Work::moving(to.bytes(), to.dtype);
            self.collect(("copy", work), &[from], into, WriteMode::InPlace);
        }
        self.remember(GradFn::Copy, before, into)
    }

    /// The values to write, and the time of their copy: a kernel on one device, a transfer between two, with
    /// a change of type on the host, or on the card if the host does not wait. Says which way the values go if they
    /// do that while the program goes on.
    fn bring(
        &self,
        into: &Tensor,
        from: &Tensor,
        waits: Blocking,
    ) -> Result<(Value, Option<Direction>), TorchError> {
        let spread = |value: &Value| {
            let shape = into.shape();
            value.then(0, move |it| Ok(Some(it.broadcast_as(&*shape)?)))
        };
        let device = into.device();
        if from.device() != device {
            let casts_later = device == TensorDevice::Cpu && waits == Blocking::Yes;
            let typed = if from.dtype() == into.dtype() || casts_later {
                from.clone()
            } else {
                self.apply(ToCopy::Cast(into.dtype()), &[from])?
            };
            let pin = self.writable(into, &typed.meta());
            let host = match device {
                TensorDevice::Cpu if pin.is_none() => HostMemory::Pageable,
                TensorDevice::Card(_) if !self.is_locked(&typed) => HostMemory::Pageable,
                TensorDevice::Cpu | TensorDevice::Card(_) => HostMemory::Pinned,
            };
            let transfer = copies::transfer(&typed, waits, host);
            let how = (transfer, copies::cause_of_copy(device));
            let value = spread(&self.transfer(&typed, device, how, pin.as_ref())?.into())?;
            return Ok((
                value,
                self.is_queued(transfer).then_some(transfer.direction),
            ));
        }
        let seen = self.seen(&[from])?;
        let read = seen.as_ref().and_then(|it| it.first()).unwrap_or(from);
        let bytes = from.meta().bytes().saturating_add(into.meta().bytes());
        let cost = Cost::moving(bytes);
        let begun = self.begin(device)?;
        let mut work = Work::moving(bytes, into.dtype());
        if reads_columns(&[from]) {
            work.kind = work.kind.reading_columns();
        }
        let value = read.state().value.clone();
        let written = match value.known() {
            // All of the memory is replaced, and must not be the other tensor's.
            Some(value) if into.state().layout.is_none() && is_on_card(value) => {
                let spread = value.broadcast_as(&*into.shape())?;
                let own = into.own_values();
                Value::Known(match own.filter(|it| it.dtype() == spread.dtype()) {
                    Some(own) => {
                        card::write_all(&own, &spread)?;
                        own
                    }
                    None => fast::copied(&spread)?,
                })
            }
            Some(_) | None => spread(&value)?,
        };
        let timing = self.backend.borrow_mut().end_op(device, work, begun);
        self.record("copy", Lane::Kernel, timing, cost);
        self.after_launch(device)?;
        Ok((written, None))
    }

    /// PyTorch's refusals to change what a gradient is wanted of.
    pub(super) fn may_change(&self, tensor: &Tensor, inputs: &[&Tensor]) -> Result<(), TorchError> {
        if tensor.is_inference() && !self.inference_mode() {
            return Err(TorchError::runtime(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.",
            ));
        }
        if !self.grad_enabled() || !inputs.iter().any(|it| it.requires_grad()) {
            return Ok(());
        }
        if let (Some(base), Some((_, when))) = (tensor.base(), tensor.path()) {
            if when == ViewGradMode::NoGrad {
                return Err(TorchError::runtime(
                    "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
                ));
            }
            if tensor.requires_grad() && base.is_leaf() {
                return Err(TorchError::runtime(
                    "a view of a leaf Variable that requires grad is being used in an in-place operation.",
                ));
            }
        }
        if tensor.requires_grad() && tensor.is_leaf() {
            return Err(TorchError::runtime(
                "a leaf Variable that requires grad is being used in an in-place operation.",
            ));
        }
        Ok(())
    }

    /// What the graph will need to know of the inputs, and what has to be saved of them: of what is about
    /// to be overwritten, a copy. Nothing if no graph is recorded.
    fn before(
        &self,
        op: Option<&Op>,
        (inputs, metas): (&[&Tensor], &[Meta]),
        into: &Tensor,
    ) -> Result<Option<InPlaceChange>, TorchError> {
        if !self.goes_back(inputs, &into.meta()) {
            return Ok(None);
        }
        let operands = op.map(|it| it.facts().saved(&|at| wants(inputs, at)));
        let was_enabled = self.set_grad_enabled(false);
        let save = |operand| {
            let input = match operand {
                Operand::Input(at) => inputs.get(at),
                Operand::Result => None,
            };
            match input {
                None => Ok::<_, TorchError>(None),
                Some(input) if input.id() == into.id() => {
                    let copy = self.apply(ToCopy::Clone, &[input])?;
                    self.saved(operand, &copy).map(Some)
                }
                Some(input) => self.saved(operand, input).map(Some),
            }
        };
        let saved: Result<_, TorchError> = operands.into_iter().flatten().map(save).collect();
        self.set_grad_enabled(was_enabled);
        Ok(Some(InPlaceChange {
            inputs: known(inputs, metas.to_vec()),
            own: inputs.iter().position(|it| it.id() == into.id()),
            saved: saved?,
        }))
    }

    /// The graph after a change in place.
    fn remember(
        &self,
        function: GradFn,
        before: Option<InPlaceChange>,
        into: &Tensor,
    ) -> Result<(), TorchError> {
        let Some(InPlaceChange {
            mut inputs,
            own,
            saved,
        }) = before
        else {
            return Ok(());
        };
        let saved = saved.into_iter().map(|kept| match kept {
            Some(kept) => Ok(kept),
            None => self.saved(Operand::Result, into),
        });
        let saved: Result<Vec<_>, TorchError> = saved.collect();
        let function = match (into.base(), into.path()) {
            (Some(base), Some((path, _))) => {
                // What comes to the rest of the base goes on to what the base was made of.
                inputs.push(Input::of(base, Edge::of(base)));
                GradFn::CopySlices {
                    path,
                    part: own,
                    function: Box::new(function),
                }
            }
            (Some(_) | None, _) => function,
        };
        let node = Node::new(self.next_id(), function, inputs, into.rank(), saved?);
        into.remade(node);
        Ok(())
    }
}

/// What is known before a change in place.
struct InPlaceChange {
    inputs: Vec<Input>,
    /// Where among the inputs the changed tensor is.
    own: Option<usize>,
    /// Nothing for the result.
    saved: Vec<Option<SavedTensor>>,
}

/// Whether a result can be held by a tensor, in PyTorch's words.
fn fits(found: &Meta, into: &Meta) -> Result<(), TorchError> {
    if found.shape != into.shape {
        return Err(TorchError::runtime(format!(
            "output with shape {:?} doesn't match the broadcast shape {:?}",
            into.shape, found.shape
        )));
    }
    if found.dtype.category() > into.dtype.category() {
        return Err(TorchError::runtime(format!(
            "result type {} can't be cast to the desired output type {}",
            found.dtype.scalar_name(),
            into.dtype.scalar_name()
        )));
    }
    Ok(())
}

pub(super) fn cast(values: &Values, to: DType) -> Result<OpOutput, TorchError> {
    let host = Host::default();
    let values = if to == DType::Bool {
        to_bool(values)?
    } else {
        in_range(host.cast(values, to.stored())?, to)?
    };
    let on_host = host.card_read();
    Ok(OpOutput { values, on_host })
}

/// Values in the type of a tensor that gets them; later, if they wait.
pub(super) fn later_as(value: &Value, into: &Meta) -> Result<Value, TorchError> {
    let to = into.dtype;
    value.then(into.bytes(), move |it| Ok(Some(cast(it, to)?.values)))
}

/// Whether two tensors are the same elements of the same memory.
fn is_same_memory(a: &Tensor, b: &Tensor) -> bool {
    let (a, b) = (a.state(), b.state());
    a.shares_with(&b) && a.meta == b.meta && a.strides() == b.strides() && a.offset() == b.offset()
}

/// PyTorch's refusals to write where one place is several elements, or where it still has to be read.
fn not_torn(into: &Tensor, inputs: &[&Tensor]) -> Result<(), TorchError> {
    let overlaps = |it: &Rc<Layout>| it.overlaps_itself();
    if into.state().layout.as_ref().is_some_and(overlaps) {
        return Err(TorchError::runtime(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.",
        ));
    }
    inputs.iter().try_for_each(|input| partly(into, input))
}

fn partly(into: &Tensor, input: &Tensor) -> Result<(), TorchError> {
    let (a, b) = (into.state(), input.state());
    let apart = a.end() <= b.offset() || b.end() <= a.offset();
    let dense = a.is_dense() && b.is_dense();
    if !a.shares_with(&b) || apart || !dense || is_same_memory(into, input) {
        return Ok(());
    }
    Err(TorchError::runtime(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.",
    ))
}
