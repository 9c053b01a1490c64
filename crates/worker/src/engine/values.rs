//! The values of a result: whether they are computed, how long that took, and what a program gets that reads values
//! which were not.

use super::cpu_time::cpu_time;
use super::deferral::OpCall;
use super::order::MemoryOrder;
use super::state::Engine;
use crate::device::{TensorDevice, ValueDecision, ValueDemand};
use crate::error::TorchError;
use crate::kernels::host::{CardRead, is_on_card, on_card_if_it_fits, shares_memory};
use crate::kernels::{card, fast};
use crate::meta::{Cost, Meta};
use crate::ops::{Op, OpOutput};
use crate::tensor::{State, Tensor, Value};
use candle_core::Tensor as Values;
use smallvec::SmallVec;
use std::cell::Ref;
use std::time::Instant;
use warpup_protocol::{Clock, MissingValues, NotComputed};

/// As many as most operations take, without asking for memory.
type FewTensors<T> = SmallVec<[T; 3]>;

/// The values of a result, as far as they are kept.
#[derive(Debug, Default)]
pub(super) struct OpValue {
    pub(super) value: Value,
    /// When a card's values were read on the host for them, if they were.
    pub(super) on_host: Option<CardRead>,
}

impl Engine {
    /// The values of a result, if they are kept.
    pub(super) fn value(
        &self,
        op: &Op,
        inputs: &[&Tensor],
        of: (&Meta, TensorDevice, Cost),
    ) -> Result<OpValue, TorchError> {
        self.value_in(None, op, inputs, of)
    }

    /// The values of a result, in the order of its memory.
    pub(super) fn value_in(
        &self,
        order: Option<&MemoryOrder>,
        op: &Op,
        inputs: &[&Tensor],
        (meta, device, cost): (&Meta, TensorDevice, Cost),
    ) -> Result<OpValue, TorchError> {
        let states: FewTensors<Ref<'_, State>> = inputs.iter().map(|it| it.state()).collect();
        let all: FewTensors<Value> = states.iter().map(|it| it.value.clone()).collect();
        if all.iter().any(Value::is_missing) {
            check_has_values(op, inputs)?;
            return Ok(OpValue::default());
        }
        let known: FewTensors<&Meta> = states.iter().map(|it| &it.meta).collect();
        let call = OpCall {
            op,
            order,
            inputs: &known,
            result: meta,
            device,
            cost: self.on_host(op, &known, (meta, cost)),
        };
        if self.defers(call, &all) {
            return self.deferred(call, &all);
        }
        let mut values = FewTensors::new();
        for value in &all {
            let Some(read) = value.read()? else {
                return Ok(OpValue::default());
            };
            values.push(read);
        }
        let values: FewTensors<&Values> = values.iter().collect();
        let run = || match run_in(order, op, &values, meta) {
            Ok(OpOutput {
                values: made,
                on_host,
            }) => {
                let made = self.at_home(made, device)?;
                let value = in_own_memory(made, &values)?.into();
                Ok(OpValue { value, on_host })
            }
            Err(error) if self.asserts(op, device, &error) => Ok(OpValue::default()),
            Err(error) => Err(error),
        };
        let made = self.if_kept((meta, device, call.cost), run)?;
        Ok(made.unwrap_or_default())
    }

    /// The cost of values of a modelled card, with what this machine moves for them besides.
    fn on_host(&self, op: &Op, known: &[&Meta], (meta, cost): (&Meta, Cost)) -> Cost {
        if self.clock() != Clock::Modelled {
            return cost;
        }
        let scratch = op.facts().host_scratch(known, meta);
        Cost {
            bytes: cost.bytes.saturating_add(scratch),
            ..cost
        }
    }

    /// Computes values if the device keeps them, and tells it how long that took if it wants to know.
    pub(super) fn if_kept<T>(
        &self,
        (meta, device, cost): (&Meta, TensorDevice, Cost),
        compute: impl FnOnce() -> Result<T, TorchError>,
    ) -> Result<Option<T>, TorchError> {
        self.within_budget(device, self.demand(meta, cost), self.line(), compute)
    }

    /// Computes values of a result of this line if the device keeps them.
    pub(super) fn within_budget<T>(
        &self,
        device: TensorDevice,
        demand: ValueDemand,
        line: u32,
        compute: impl FnOnce() -> Result<T, TorchError>,
    ) -> Result<Option<T>, TorchError> {
        match self.computes(device, demand) {
            ValueDecision::Yes => compute().map(Some),
            ValueDecision::Timed => {
                let began = Instant::now();
                let result = compute();
                if let Some(budget) = self.backend.borrow_mut().value_budget() {
                    budget.took(began.elapsed());
                }
                result.map(Some)
            }
            ValueDecision::No(why) => {
                self.leave_out(line, why);
                Ok(None)
            }
        }
    }

    /// Whether values of a result of this line will never be computed.
    pub(super) fn is_left_out(&self, device: TensorDevice, demand: ValueDemand, line: u32) -> bool {
        match self.computes(device, demand) {
            ValueDecision::Yes | ValueDecision::Timed => false,
            ValueDecision::No(why) => {
                self.leave_out(line, why);
                true
            }
        }
    }

    fn leave_out(&self, line: u32, why: MissingValues) {
        if self.not_computed.get().is_none() {
            self.not_computed.set(Some(NotComputed { line, why }));
        }
    }

    /// What computing a result of this cost takes now.
    pub(super) fn demand(&self, meta: &Meta, cost: Cost) -> ValueDemand {
        ValueDemand {
            elements: meta.count(),
            cost,
            held: self.value_bytes.get(),
        }
    }

    /// Whether the device keeps these values.
    fn computes(&self, device: TensorDevice, demand: ValueDemand) -> ValueDecision {
        let mut backend = self.backend.borrow_mut();
        let Some(budget) = backend.value_budget() else {
            return ValueDecision::Yes;
        };
        let computes = budget.computes(device, demand);
        if computes != ValueDecision::No(MissingValues::OutOfTime) {
            return computes;
        }
        budget.run_used(cpu_time().saturating_sub(self.cpu_before));
        budget.computes(device, demand)
    }

    /// Values where those of this device are kept.
    fn at_home(&self, value: Values, device: TensorDevice) -> Result<Values, TorchError> {
        if device == TensorDevice::Cpu || !self.has_real_card() {
            return Ok(value);
        }
        Ok(on_card_if_it_fits(value, &self.values(device))?)
    }

    /// A replacement for values that were not computed: NaN, or 0 of integers.
    pub(super) fn unknown(&self, tensor: &Tensor) -> Result<Values, TorchError> {
        if self.not_computed.get().is_none() {
            return Err(TorchError::runtime(
                "internal error in warpup: a value is missing",
            ));
        }
        self.unknown_read.borrow_mut().insert(self.line());
        let Meta { shape, dtype } = tensor.meta();
        let none = if dtype.is_float() { f64::NAN } else { 0.0 };
        let one = Values::new(none, &candle_core::Device::Cpu)?;
        Ok(one.to_dtype(dtype.stored())?.broadcast_as(shape)?)
    }

    /// The lines that have read such values.
    pub(crate) fn unknown_read(&self) -> Vec<u32> {
        self.unknown_read.borrow().iter().copied().collect()
    }

    /// The first result without values, once the program has read such values.
    pub(crate) fn missed(&self) -> Option<NotComputed> {
        let has_read = !self.unknown_read.borrow().is_empty();
        self.not_computed.get().filter(|_| has_read)
    }

    /// The warning shown about missing values, the first time that one is read in a run. A plan shows it at the end.
    pub(crate) fn missing_notice(&self) -> Option<String> {
        let notice = self.missed()?.notice()?;
        (!self.noticed.replace(true)).then_some(notice)
    }
}

/// Computes in the order of the memory, or puts what was computed into it.
pub(super) fn run_in(
    order: Option<&MemoryOrder>,
    op: &Op,
    inputs: &[&Values],
    meta: &Meta,
) -> Result<OpOutput, TorchError> {
    let Some(order) = order else {
        return op.run(inputs, meta);
    };
    if !order.computes {
        let OpOutput { values, on_host } = op.run(inputs, meta)?;
        let values = fast::contiguous(&order.permuted(&values)?)?;
        return Ok(OpOutput { values, on_host });
    }
    let inputs = inputs.iter().map(|it| order.permuted(it));
    let inputs = inputs.collect::<Result<FewTensors<Values>, _>>()?;
    let inputs: FewTensors<&Values> = inputs.iter().collect();
    let OpOutput { values, on_host } = op.run(&inputs, &order.of_memory(meta))?;
    let values = fast::contiguous(&values)?;
    Ok(OpOutput { values, on_host })
}

/// A gradient formula reads only tensors that were saved for it. Reading another one is a bug of warpup.
pub(super) fn check_has_values(op: &Op, inputs: &[&Tensor]) -> Result<(), TorchError> {
    if inputs
        .iter()
        .any(|it| it.state().storage.charge.is_metadata_only())
    {
        return Err(TorchError::runtime(format!(
            "internal error in warpup: a gradient takes {} of a tensor that was not saved for it",
            op.facts().name()
        )));
    }
    Ok(())
}

/// Values of a result that shares no memory with an input, but for one that it changes: on a real card, tensors are written
/// where they lie.
fn in_own_memory(value: Values, inputs: &[&Values]) -> Result<Values, TorchError> {
    let mut inputs = inputs.iter();
    if is_on_card(&value) && !card::is_changed(&value) && inputs.any(|it| shares_memory(it, &value))
    {
        return Ok(value.copy()?);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::open;
    use crate::dtype::DType;
    use warpup_protocol::{Aim, DeviceName, Limits};

    #[test]
    fn values_take_memory_of_this_machine_as_long_as_a_tensor_has_them() {
        let t4 = DeviceName::Model("t4".to_owned());
        let card = open(&t4, Aim::Run, &Limits::default()).unwrap();
        let engine = Engine::new(card, 0);
        let ones = |count| {
            let meta = Meta::new(vec![count], DType::F32);
            engine.full(meta, TensorDevice::Card(0), 1.0).unwrap()
        };
        let (first, second) = (ones(10), ones(100));
        assert_eq!(engine.value_bytes.get(), 440);
        engine.number_in_place(&first, 2.0, "fill_").unwrap();
        let view = first.detached(engine.next_id());
        drop(first);
        assert_eq!(engine.value_bytes.get(), 440);
        drop((view, second));
        assert_eq!(engine.value_bytes.get(), 0);
    }
}
