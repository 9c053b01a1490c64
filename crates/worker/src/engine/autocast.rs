//! `torch.autocast`: inputs become the type that the table names for an operation.

use super::state::Engine;
use crate::device::TensorDevice;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::ops::{Autocast, Op, ToCopy};
use crate::tensor::Tensor;

impl Engine {
    /// The 16-bit type of autocast on a device; nothing if it is off.
    pub(crate) fn mixed_precision(&self, device: TensorDevice) -> Option<DType> {
        self.autocast.dtype(device)
    }

    /// Switches autocast on a device on or off; returns what it was.
    pub(crate) fn set_mixed_precision(
        &self,
        device: TensorDevice,
        half: Option<DType>,
    ) -> Option<DType> {
        match device {
            TensorDevice::Cpu => self.autocast.on_cpu.replace(half),
            TensorDevice::Card(_) => self.autocast.on_card.replace(half),
        }
    }

    /// Casts each weight once, or each time; returns what it was.
    pub(crate) fn cache_casts(&self, caching: bool) -> bool {
        self.autocast.caching.replace(caching)
    }

    /// Drops the weights that were cast: the outermost block has ended.
    pub(crate) fn forget_casts(&self) {
        drop(self.autocast.weights.take());
    }

    /// Does something without autocast, such as backward: a gradient has the type of its tensor.
    pub(crate) fn in_given_precision<R>(&self, work: impl FnOnce() -> R) -> R {
        let (cpu, card) = (self.autocast.on_cpu.take(), self.autocast.on_card.take());
        let result = work();
        self.autocast.on_cpu.set(cpu);
        self.autocast.on_card.set(card);
        result
    }

    /// Runs an operation with inputs in the type that the table names.
    pub(super) fn run_in_autocast(&self, op: Op, inputs: &[&Tensor]) -> Result<Tensor, TorchError> {
        let device = inputs.first().map_or(TensorDevice::Cpu, |it| it.device());
        let Some(half) = self.autocast.dtype(device) else {
            return self.run(op, inputs);
        };
        let on_card = device != TensorDevice::Cpu;
        let to = match op.facts().autocast() {
            Autocast::Lower => half,
            Autocast::RefusedOnCards(why) if on_card => return Err(TorchError::runtime(why)),
            Autocast::Float32 | Autocast::RefusedOnCards(_) => DType::F32,
            Autocast::Float32OnCards if on_card => DType::F32,
            Autocast::Widest => {
                let types = inputs.iter().map(|it| it.dtype());
                types.filter(|it| it.is_float()).fold(half, DType::promote)
            }
            Autocast::Float32OnCards | Autocast::Unchanged => return self.run(op, inputs),
        };
        let cast: Result<Vec<Tensor>, TorchError> =
            inputs.iter().map(|it| self.cast_to(it, to)).collect();
        self.run(op, &cast?.iter().collect::<Vec<_>>())
    }

    fn cast_to(&self, tensor: &Tensor, to: DType) -> Result<Tensor, TorchError> {
        let from = tensor.dtype();
        // PyTorch leaves float64 alone.
        if from == to || !from.is_float() || from == DType::F64 {
            return Ok(tensor.clone());
        }
        let is_weight = tensor.requires_grad() && tensor.is_leaf() && from == DType::F32;
        if !is_weight || !self.autocast.caching.get() {
            return self.run(ToCopy::Cast(to).into(), &[tensor]);
        }
        let known = self.autocast.weights.borrow().get(&tensor.id()).cloned();
        // Made without gradients, it would not lead back to the weight.
        let usable =
            known.filter(|it| it.dtype() == to && (it.requires_grad() || !self.grad_enabled()));
        if let Some(known) = usable {
            return Ok(known);
        }
        let cast = self.run(ToCopy::Cast(to).into(), &[tensor])?;
        let old = self
            .autocast
            .weights
            .borrow_mut()
            .insert(tensor.id(), cast.clone());
        drop(old);
        Ok(cast)
    }
}
