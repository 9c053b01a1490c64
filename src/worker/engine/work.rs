//! What an operation asks of a device.

use super::state::Engine;
use crate::worker::device::{Matmul, Work};
use crate::worker::dtype::DType;
use crate::worker::meta::Meta;
use crate::worker::ops::Op;

impl Engine {
    /// Whether products of `float32` may take the faster units with fewer digits.
    pub(crate) fn tf32(&self) -> bool {
        self.tf32.get()
    }

    /// Lets products of `float32` take the faster units, or not.
    pub(crate) fn set_tf32(&self, allowed: bool) {
        self.tf32.set(allowed);
        self.device.borrow_mut().set_tf32(allowed);
    }

    /// Its cost, the type it computes in, and the units that do it.
    pub(super) fn work(&self, op: &Op, inputs: &[&Meta], result: &Meta) -> Work {
        let dtype = inputs.first().map_or(result.dtype, |it| it.dtype);
        let matmul = if op.uses_matrix_units() && self.tf32.get() && dtype == DType::F32 {
            Matmul::Tf32
        } else if op.uses_matrix_units() {
            Matmul::Yes
        } else {
            Matmul::No
        };
        Work {
            cost: op.cost(inputs, result),
            dtype,
            matmul,
        }
    }
}
