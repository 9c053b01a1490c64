//! Operations on three tensors that PyTorch does in one kernel.

use super::types::torch_name;
use super::{Cost, Meta};
use crate::worker::tensor::dtype::{DType, Standing, result_type};
use crate::worker::tensor::fault::Fault;
use crate::worker::tensor::shape::{self, Shape};

/// Operations on three tensors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ternary {
    /// `a + value · b · c`
    AddCMul(f64),
    /// `a + value · b / c`
    AddCDiv(f64),
    /// `a + c · (b - a)`
    Lerp,
}

impl Ternary {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddCMul(_) => "addcmul",
            Self::AddCDiv(_) => "addcdiv",
            Self::Lerp => "lerp",
        }
    }

    /// The shape of the result.
    pub(super) fn shape(self, [a, b, c]: [&[usize]; 3]) -> Result<Shape, Fault> {
        match self {
            Self::AddCMul(_) | Self::AddCDiv(_) | Self::Lerp => {
                shape::broadcast(&shape::broadcast(a, b)?, c)
            }
        }
    }

    /// The type of the result.
    pub(super) fn dtype(self, inputs: [&Meta; 3]) -> Result<DType, Fault> {
        match self {
            Self::AddCMul(_) | Self::AddCDiv(_) => {
                let [a, b, c] = inputs.map(|it| (it.dtype, it.standing()));
                let higher = |x: Standing, y| if x == Standing::Tensor { x } else { y };
                let wide = result_type((result_type(a, b), higher(a.1, b.1)), c);
                if matches!(self, Self::AddCDiv(_)) && !wide.is_float() {
                    return Err(Fault::runtime(
                        "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.",
                    ));
                }
                Ok(wide)
            }
            Self::Lerp => {
                let [a, b, c] = inputs.map(|it| it.dtype);
                for (name, other) in [("end", b), ("weight", c)] {
                    if other != a {
                        return Err(Fault::runtime(format!(
                            "expected dtype {} for `{name}` but got dtype {}",
                            torch_name(a),
                            torch_name(other)
                        )));
                    }
                }
                Ok(a)
            }
        }
    }

    /// What it costs to compute.
    pub(super) fn cost(self, [a, b, c]: [&Meta; 3], result: &Meta) -> Cost {
        let read = [a, b, c].map(Meta::bytes);
        let each = match self {
            Self::AddCMul(_) | Self::AddCDiv(_) | Self::Lerp => 3,
        };
        Cost {
            flops: result.count().saturating_mul(each),
            bytes: read.into_iter().fold(result.bytes(), u64::saturating_add),
        }
    }
}
