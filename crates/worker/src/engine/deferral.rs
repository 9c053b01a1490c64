//! Which results of a modelled card wait until somebody reads their values, and how those are computed then.
//!
//! Their times are those of the model, so that the clock of the program does not see it. What draws random numbers or may
//! assert an index is computed at once.

use super::order::MemoryOrder;
use super::state::Engine;
use super::values::{OpValue, run_in};
use crate::device::TensorDevice;
use crate::error::TorchError;
use crate::meta::{Cost, Meta};
use crate::ops::{Embedding, Loss, LossFunction, Nll, Op, Pool, PositionsOf};
use crate::tensor::{Deferred, Value};
use candle_core::{DType as Stored, Tensor as Values};
use warpup_protocol::Clock;

/// An operation whose values may wait.
#[derive(Clone, Copy)]
pub(super) struct OpCall<'a> {
    pub(super) op: &'a Op,
    pub(super) order: Option<&'a MemoryOrder>,
    pub(super) inputs: &'a [&'a Meta],
    pub(super) result: &'a Meta,
    pub(super) device: TensorDevice,
    pub(super) cost: Cost,
}

impl Engine {
    /// Whether the values of a result wait: computing them would take long, or one of the inputs waits already.
    pub(super) fn defers(&self, call: OpCall<'_>, values: &[Value]) -> bool {
        if call.device == TensorDevice::Cpu || self.clock() != Clock::Modelled {
            return false;
        }
        let takes_long = || {
            let mut device = self.backend.borrow_mut();
            device
                .value_budget()
                .is_some_and(|it| it.takes_long(call.cost))
        };
        (values.iter().any(Value::is_waiting) || takes_long()) && is_pure(call, values)
    }

    /// The values of a result, which wait. What would never be computed is left out now.
    pub(super) fn deferred(
        &self,
        call: OpCall<'_>,
        values: &[Value],
    ) -> Result<OpValue, TorchError> {
        let (device, cost, line) = (call.device, call.cost, self.line());
        let demand = self.demand(call.result, cost);
        if self.is_left_out(device, demand, line) {
            return Ok(OpValue::default());
        }
        // Its bytes are counted from now on.
        let demand = demand.of_new_values();
        let engine = self.this.clone();
        let op = call.op.clone();
        let order = call.order.cloned();
        let meta = call.result.clone();
        let bytes = meta.count() * meta.dtype.stored().size_in_bytes() as u64;
        let compute = move |inputs: &[&Values]| {
            let Some(engine) = engine.upgrade() else {
                return Ok(None);
            };
            engine.within_budget(device, demand, line, || {
                run_in(order.as_ref(), &op, inputs, &meta).map(|it| it.values)
            })
        };
        let value = Deferred::value(&self.backlog, values.to_vec(), bytes, Box::new(compute))?;
        Ok(OpValue {
            value,
            on_host: None,
        })
    }
}

/// Whether values follow from the inputs alone, and no value of an input is an error.
fn is_pure(call: OpCall<'_>, values: &[Value]) -> bool {
    let are_floats = || call.inputs.iter().all(|it| it.dtype.is_float());
    match call.op {
        Op::Unary(_)
        | Op::Binary(_)
        | Op::BinaryScalar(_)
        | Op::Ternary(_)
        | Op::MatMul(_)
        | Op::Softmax(_)
        | Op::Activate(_)
        | Op::Norm(_)
        | Op::Convolution(_)
        | Op::ChannelNorm(_)
        | Op::Resample(_)
        | Op::Scan(_)
        | Op::Pool(Pool::Largest(_) | Pool::Average(_) | Pool::AverageBackward(..)) => are_floats(),
        Op::Compare(_)
        | Op::CompareScalar(_)
        | Op::Reduce(_)
        | Op::ArgReduction(_)
        | Op::ToCopy(_)
        | Op::Cat(_)
        | Op::Mask(_)
        | Op::Pad(_)
        | Op::Dropout(_)
        | Op::Attention(_) => true,
        Op::Loss(Loss::Forward(function, _) | Loss::Backward(function, _)) => {
            *function != LossFunction::Bce && are_floats()
        }
        Op::Pool(Pool::Max(of) | Pool::MaxBackward(of, _)) => *of != PositionsOf::Any,
        Op::Nll(nll) => {
            let (options, scores) = match nll {
                Nll::Forward(options) => (options, call.inputs.first().map(|it| &*it.shape)),
                Nll::Backward(options, scores) => (options, Some(&**scores)),
            };
            let classes = scores.and_then(|it| it.get(1).or(it.first()));
            are_in_range(values.get(1), classes, Some(options.ignore))
        }
        Op::Embedding(embedding) => {
            let rows = match embedding {
                Embedding::Forward { .. } => call.inputs.first().and_then(|it| it.shape.first()),
                Embedding::Backward { rows, .. } => Some(rows),
            };
            are_in_range(values.get(1), rows, None)
        }
        Op::SortIndices(_)
        | Op::View(_)
        | Op::Index(_)
        | Op::Scatter(_)
        | Op::FoundInf(_)
        | Op::Recurrent(_) => false,
    }
}

/// Whether indices are known, and none of them is out of range.
fn are_in_range(indices: Option<&Value>, count: Option<&usize>, ignored: Option<i64>) -> bool {
    let (Some(indices), Some(count)) = (indices.and_then(Value::known), count) else {
        return false;
    };
    let read = |it: &Values| it.flatten_all()?.to_dtype(Stored::I64)?.to_vec1::<i64>();
    let is_inside = |it: &i64| Some(*it) == ignored || (0..*count as i64).contains(it);
    read(indices).is_ok_and(|all| all.iter().all(is_inside))
}
