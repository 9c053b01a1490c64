//! Comparisons of a tensor with a tensor or a number, element by element and broadcast.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    Devices, Dispatch, Operation, ResultOrder, Saved, broadcast_all, cost_per_element, first,
    not_differentiable, variants,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::fast::pairs::{AtLeast, AtMost, Equal, Greater, Less, Unequal, compared};
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::meta::{Cost, Meta};
use candle_core::{DType as Stored, Tensor};

variants! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Compare { Eq, Ne, Lt, Le, Gt, Ge }
}

/// A comparison with a Python number on the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CompareScalar(pub(crate) Compare, pub(crate) f64);

impl Compare {
    /// PyTorch's two names.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Eq => ["eq", "eq"],
            Self::Ne => ["ne", "not_equal"],
            Self::Lt => ["lt", "less"],
            Self::Le => ["le", "less_equal"],
            Self::Gt => ["gt", "greater"],
            Self::Ge => ["ge", "greater_equal"],
        }
    }

    /// The methods of tensors, with what they do.
    pub(crate) fn methods() -> impl Iterator<Item = (Self, &'static str)> {
        let all = Self::ALL.iter();
        all.flat_map(|it| it.names().map(|name| (*it, name)))
    }

    fn compute(self, host: &Host, [a, b]: [&Tensor; 2]) -> KernelResult {
        let wide = if a.dtype() == b.dtype() {
            a.dtype()
        } else if a.dtype().is_float() || b.dtype().is_float() {
            Stored::F64
        } else {
            Stored::I64
        };
        let (a, b) = (host.cast(a, wide)?, host.cast(b, wide)?);
        let [name, _] = self.names();
        if let Some(made) = card::compared(name, &a, &b) {
            return Ok(made?);
        }
        let made = match self {
            Self::Eq => compared(Equal, &a, &b),
            Self::Ne => compared(Unequal, &a, &b),
            Self::Lt => compared(Less, &a, &b),
            Self::Le => compared(AtMost, &a, &b),
            Self::Gt => compared(Greater, &a, &b),
            Self::Ge => compared(AtLeast, &a, &b),
        };
        if let Some(made) = made {
            return Ok(made?);
        }
        Ok(match self {
            Self::Eq => a.broadcast_eq(&b)?,
            Self::Ne => a.broadcast_ne(&b)?,
            Self::Lt => a.broadcast_lt(&b)?,
            Self::Le => a.broadcast_le(&b)?,
            Self::Gt => a.broadcast_gt(&b)?,
            Self::Ge => a.broadcast_ge(&b)?,
        })
    }
}

/// Whether a number is one of the integers that a tensor on the host is stored in.
fn is_whole_of(number: f64, a: &Tensor) -> bool {
    let types = [DType::U8, DType::I16, DType::I32, DType::I64];
    let Some(stored) = types.into_iter().find(|it| it.stored() == a.dtype()) else {
        return false;
    };
    !is_on_card(a) && number.fract() == 0.0 && stored.holds(number as i64)
}

impl Operation for Compare {
    fn name(&self) -> &'static str {
        let [name, _] = self.names();
        name
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(Meta::new(broadcast_all(inputs)?, DType::Bool))
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        self.compute(host, *self.operands(inputs)?)
    }

    not_differentiable!();
}

impl Dispatch for Compare {
    fn devices(&self) -> Devices {
        Devices::CpuScalarsToo
    }
}

impl Operation for CompareScalar {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(Meta::new(first(inputs).shape, DType::Bool))
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        let [a] = self.operands(inputs)?;
        if let Some(made) = card::compared_with(self.0.name(), a, self.1) {
            return Ok(made?);
        }
        let number = Tensor::full(self.1, (), a.device())?;
        // As in PyTorch, a number is rounded to the type of the tensor: 0.1 is equal to an element made of 0.1.
        if a.dtype().is_float() || is_whole_of(self.1, a) {
            return self.0.compute(host, [a, &number.to_dtype(a.dtype())?]);
        }
        self.0.compute(host, [&a.to_dtype(Stored::F64)?, &number])
    }

    not_differentiable!();
}

impl Dispatch for CompareScalar {}
