//! The engine as what gradient formulas are computed with.

use crate::device::{Blocking, TensorDevice};
use crate::dtype::DType;
use crate::engine::Engine;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::{FormulaEngine, Op, TensorFacts};
use crate::shape::Shape;
use crate::tensor::Tensor;
use warpup_protocol::Purpose;

impl FormulaEngine for Engine {
    type Tensor = Tensor;
    type Op = Op;

    fn apply(&self, op: impl Into<Op>, inputs: &[&Tensor]) -> Result<Tensor, TorchError> {
        Self::apply(self, op, inputs)
    }

    fn apply_in_place(&self, op: impl Into<Op>, inputs: &[&Tensor]) -> Result<(), TorchError> {
        match inputs {
            [into, ..] => Self::apply_in_place(self, op, inputs, into),
            [] => Ok(()),
        }
    }

    fn copy_in_place(&self, into: &Tensor, from: &Tensor) -> Result<(), TorchError> {
        Self::copy_in_place(self, into, from, Blocking::Yes)
    }

    fn full(&self, meta: Meta, beside: &Tensor, number: f64) -> Result<Tensor, TorchError> {
        let made = Self::full(self, meta, beside.device(), number)?;
        // It lies between two gradients, and is not an input of the program.
        made.state().storage.charge.hold_for(Purpose::Temporaries);
        Ok(made)
    }

    fn cpu_scalar(&self, dtype: DType, number: f64) -> Result<Tensor, TorchError> {
        Self::full(
            self,
            Meta::new(Shape::new(), dtype),
            TensorDevice::Cpu,
            number,
        )
    }

    fn parts(&self, all: Tensor, inputs: &[Tensor]) -> Result<Vec<Option<Tensor>>, TorchError> {
        Self::parts(self, all, inputs)
    }
}

impl TensorFacts for Engine {
    fn meta(&self, of: &Tensor) -> Meta {
        of.meta()
    }

    fn requires_grad(&self, of: &Tensor) -> bool {
        of.requires_grad()
    }

    fn is_transposed(&self, of: &Tensor) -> bool {
        let state = of.state();
        match (&*state.meta.shape, &*state.strides()) {
            ([rows, columns], [1, step]) => step == rows && *columns > 1 && *rows > 1,
            _ => false,
        }
    }

    fn creates_graph(&self) -> bool {
        self.grad_enabled()
    }
}
