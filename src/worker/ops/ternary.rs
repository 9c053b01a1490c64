//! Operations on three tensors that PyTorch does in one kernel.

use super::unary::lacking;
use crate::worker::dtype::{DType, Standing, result_type};
use crate::worker::error::TorchError;
use crate::worker::meta::{Cost, Meta};
use crate::worker::shape::{self, Shape};

/// Operations on three tensors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ternary {
    /// `a + value · b · c`
    AddCMul(f64),
    /// `a + value · b / c`
    AddCDiv(f64),
    /// `a + c · (b - a)`
    Lerp,
    /// `beta · a + alpha · b @ c` of matrices.
    AddMM {
        /// The share of the first tensor; with 0 it is not read.
        beta: f64,
        /// The share of the product.
        alpha: f64,
    },
    /// `beta · a + alpha · b @ c` of batches of matrices.
    BAddBMM {
        /// The share of the first tensor; with 0 it is not read.
        beta: f64,
        /// The share of the product.
        alpha: f64,
    },
}

impl Ternary {
    /// The name in torch.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddCMul(_) => "addcmul",
            Self::AddCDiv(_) => "addcdiv",
            Self::Lerp => "lerp",
            Self::AddMM { .. } => "addmm",
            Self::BAddBMM { .. } => "baddbmm",
        }
    }

    /// Whether it is a matrix product.
    pub fn is_product(self) -> bool {
        matches!(self, Self::AddMM { .. } | Self::BAddBMM { .. })
    }

    /// The shape of the result.
    pub(super) fn shape(self, [a, b, c]: [&[usize]; 3]) -> Result<Shape, TorchError> {
        let product = match self {
            Self::AddCMul(_) | Self::AddCDiv(_) | Self::Lerp => {
                return shape::broadcast(&shape::broadcast(a, b)?, c);
            }
            Self::AddMM { .. } => {
                if b.len() != 2 || c.len() != 2 {
                    let (which, rank) = if b.len() == 2 {
                        ("mat2", c.len())
                    } else {
                        ("self", b.len())
                    };
                    return Err(TorchError::runtime(format!(
                        "addmm: {which} must be a matrix, got {rank}-D tensor"
                    )));
                }
                shape::matmul(b, c)?
            }
            Self::BAddBMM { .. } => batches(b, c)?,
        };
        if a.len() > product.len() {
            return Err(TorchError::runtime(format!(
                "expand: the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
                product.len(),
                a.len()
            )));
        }
        let sizes: Vec<i64> = product.iter().map(|size| *size as i64).collect();
        shape::expand(a, &sizes)
    }

    /// The type of the result.
    pub(super) fn dtype(self, inputs: [&Meta; 3]) -> Result<DType, TorchError> {
        let [a, b, c] = inputs.map(|it| it.dtype);
        match self {
            Self::AddCMul(_) | Self::AddCDiv(_) => {
                let [a, b, c] = inputs.map(|it| (it.dtype, it.standing()));
                let higher = |x: Standing, y| if x == Standing::Tensor { x } else { y };
                let wide = result_type((result_type(a, b), higher(a.1, b.1)), c);
                if matches!(self, Self::AddCDiv(_)) && !wide.is_float() {
                    return Err(TorchError::runtime(
                        "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.",
                    ));
                }
                if wide == DType::Bool {
                    return Err(lacking("addcmul_cpu_out", wide));
                }
                Ok(wide)
            }
            Self::Lerp => {
                for (name, other) in [("end", b), ("weight", c)] {
                    if other != a {
                        return Err(TorchError::runtime(format!(
                            "expected dtype {} for `{name}` but got dtype {}",
                            cpp_name(a),
                            cpp_name(other)
                        )));
                    }
                }
                if a.is_float() {
                    Ok(a)
                } else {
                    Err(lacking("lerp_kernel_tensor", a))
                }
            }
            Self::AddMM { .. } | Self::BAddBMM { .. } => {
                let other = if a == b { c } else { b };
                let (found, wanted) = (other.scalar_name(), a.scalar_name());
                if other != a && matches!(self, Self::AddMM { .. }) {
                    return Err(TorchError::runtime(format!(
                        "self and mat2 must have the same dtype, but got {wanted} and {found}"
                    )));
                }
                if other != a {
                    return Err(TorchError::runtime(format!(
                        "expected scalar type {wanted} but found {found}"
                    )));
                }
                if a == DType::Bool {
                    let product = matches!(self, Self::AddMM { .. });
                    let kernel = if product {
                        "addmm_impl_cpu_"
                    } else {
                        "baddbmm"
                    };
                    return Err(lacking(kernel, a));
                }
                Ok(a)
            }
        }
    }

    /// What it costs to compute.
    pub(super) fn cost(self, [a, b, c]: [&Meta; 3], result: &Meta) -> Cost {
        let read = [a, b, c].map(Meta::bytes);
        let bytes = read.into_iter().fold(result.bytes(), u64::saturating_add);
        let each = match self {
            Self::AddCMul(_) | Self::AddCDiv(_) | Self::Lerp => 3,
            Self::AddMM { .. } | Self::BAddBMM { .. } => {
                2 * b.shape.last().copied().unwrap_or(1) as u64 + 2
            }
        };
        Cost {
            flops: result.count().saturating_mul(each),
            bytes,
        }
    }
}

/// The shape of the product of two batches of matrices.
pub(super) fn batches(a: &[usize], b: &[usize]) -> Result<Shape, TorchError> {
    match (a, b) {
        ([batch, rows, inner], [other, k, columns]) => {
            if batch != other || inner != k {
                return Err(TorchError::runtime(format!(
                    "Expected size for first two dimensions of batch2 tensor to be: [{batch}, {inner}] but got: [{other}, {k}]."
                )));
            }
            Ok(vec![*batch, *rows, *columns])
        }
        ([_, _, _], _) => Err(TorchError::runtime("batch2 must be a 3D tensor")),
        _ => Err(TorchError::runtime("batch1 must be a 3D tensor")),
    }
}

/// The type as C++ names it.
pub(super) fn cpp_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::U8 => "unsigned char",
        DType::I16 => "short int",
        DType::I32 => "int",
        DType::I64 => "long int",
        DType::F16 => "c10::Half",
        DType::BF16 => "c10::BFloat16",
        DType::F32 => "float",
        DType::F64 => "double",
    }
}
