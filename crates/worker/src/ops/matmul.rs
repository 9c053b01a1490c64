//! Matrix products, alone and with what PyTorch adds to them in the same kernel.

use super::formula::{
    Autograd, AutogradOf, Backward, FormulaEngine, Gradient, Gradients, Primitive,
};
use super::operation::{
    Autocast, Devices, Dispatch, Operation, Saved, Types, all_bytes, each_for_the_other,
};
use super::product_shape::{batches, clash, expanded, linear_shape, product_type};
use super::{binary::Binary, ternary::scaled};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::matmul::matmul;
use crate::meta::{BlasLibrary, Cost, Gemm, KernelKind, Meta};
use crate::shape::{self, Shape};
use candle_core::Tensor;

/// A matrix product; its tensors are in brackets.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::enum_variant_names, reason = "the names are PyTorch's")]
pub(crate) enum MatMul {
    /// `a @ b` (a, b).
    MatMul,
    /// `input @ weight.T` (input, weight).
    Linear,
    /// `input @ weight.T + bias` (input, weight, bias).
    LinearBias,
    /// `beta · a + alpha · b @ c` of matrices (a, b, c). With a `beta` of 0, `a` is not read.
    AddMM { beta: f64, alpha: f64 },
    /// The same for batches of matrices.
    BAddBMM { beta: f64, alpha: f64 },
}

impl MatMul {
    fn shape(self, inputs: &[&Meta]) -> Result<Shape, TorchError> {
        match self {
            Self::MatMul => {
                let [a, b] = self.operands(inputs)?;
                shape::matmul(&a.shape, &b.shape)
            }
            Self::Linear => {
                let [input, weight] = self.operands(inputs)?;
                linear_shape(&input.shape, &weight.shape, None)
            }
            Self::LinearBias => {
                let [input, weight, bias] = self.operands(inputs)?;
                linear_shape(&input.shape, &weight.shape, Some(&bias.shape))
            }
            Self::AddMM { .. } => {
                let [a, b, c] = self.operands(inputs)?;
                if b.shape.len() != 2 || c.shape.len() != 2 {
                    let (which, rank) = if b.shape.len() == 2 {
                        ("mat2", c.shape.len())
                    } else {
                        ("self", b.shape.len())
                    };
                    return Err(TorchError::runtime(format!(
                        "addmm: {which} must be a matrix, got {rank}-D tensor"
                    )));
                }
                expanded(&a.shape, &shape::product("addmm", &b.shape, &c.shape)?)
            }
            Self::BAddBMM { .. } => {
                let [a, b, c] = self.operands(inputs)?;
                expanded(&a.shape, &batches(&b.shape, &c.shape)?)
            }
        }
    }

    fn dtype(self, inputs: &[&Meta]) -> Result<DType, TorchError> {
        match self {
            Self::MatMul | Self::Linear => {
                let [a, b] = self.operands(inputs)?;
                product_type(a, b)
            }
            Self::LinearBias => {
                let [input, weight, bias] = self.operands(inputs)?;
                if weight.dtype != input.dtype {
                    return Err(clash("mat1", input.dtype, weight.dtype));
                }
                if bias.dtype != input.dtype {
                    return Err(clash("self", bias.dtype, input.dtype));
                }
                Ok(input.dtype)
            }
            Self::AddMM { .. } | Self::BAddBMM { .. } => {
                let [a, b, c] = *self.operands(inputs)?;
                let is_batched = matches!(self, Self::BAddBMM { .. });
                let other = if a.dtype == b.dtype { c.dtype } else { b.dtype };
                match (other == a.dtype, is_batched) {
                    (true, true) => Types::NoBool("baddbmm").result(other),
                    (true, false) => Types::NoBool("addmm_impl_cpu_").result(other),
                    (false, true) => Err(TorchError::runtime(format!(
                        "expected scalar type {} but found {}",
                        a.dtype.scalar_name(),
                        other.scalar_name()
                    ))),
                    (false, false) => Err(clash("self", a.dtype, other)),
                }
            }
        }
    }

    /// A product and what is added to it, in `float32` on a CPU where they are shorter: PyTorch rounds the sum only, and a
    /// bias added to a rounded product differs in the last digit.
    fn in_float32(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> Option<KernelResult> {
        let is_short = matches!(result.dtype, DType::F16 | DType::BF16);
        if !is_short || inputs.len() < 3 || inputs.iter().any(|it| !it.device().is_cpu()) {
            return None;
        }
        let compute = || {
            let wide = |it: &&Tensor| it.to_dtype(candle_core::DType::F32);
            let wide = inputs.iter().map(wide).collect::<Result<Vec<_>, _>>()?;
            let wide: Vec<&Tensor> = wide.iter().collect();
            let meta = Meta::new(result.shape.clone(), DType::F32);
            let sum = self.kernel(host, &wide, &meta)?;
            let first = inputs.first().map(|it| it.dtype());
            Ok(sum.to_dtype(first.unwrap_or(sum.dtype()))?)
        };
        Some(compute())
    }

    fn add_product(
        host: &Host,
        [a, b, c]: [&Tensor; 3],
        [beta, alpha]: [f64; 2],
        dtype: DType,
    ) -> KernelResult {
        let product = matmul(b, c, &shape::matmul(b.dims(), c.dims())?)?;
        let product = scaled(host, &product, alpha, dtype)?;
        if beta == 0.0 || (!dtype.is_float() && beta as i64 == 0) {
            // NaN does not pass through a factor of 0.
            return Ok(product);
        }
        Binary::Add.compute(host, [&product, &scaled(host, a, beta, dtype)?], dtype)
    }
}

impl Operation for MatMul {
    fn name(&self) -> &'static str {
        match self {
            Self::MatMul => "matmul",
            Self::Linear => "mm",
            Self::LinearBias | Self::AddMM { .. } => "addmm",
            Self::BAddBMM { .. } => "baddbmm",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(Meta::new(self.shape(inputs)?, self.dtype(inputs)?))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let inner = |at: usize| {
            let last = inputs.get(at).and_then(|it| it.shape.last());
            2 * last.copied().unwrap_or(1) as u64
        };
        let each = match self {
            Self::MatMul | Self::Linear => inner(0),
            Self::LinearBias => inner(0) + 1,
            Self::AddMM { .. } | Self::BAddBMM { .. } => inner(1) + 2,
        };
        Cost {
            flops: result.count().saturating_mul(each),
            bytes: all_bytes(inputs, result),
        }
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        if let Some(result) = self.in_float32(host, inputs, result) {
            return result;
        }
        match *self {
            Self::MatMul => {
                let [a, b] = self.operands(inputs)?;
                matmul(a, b, &result.shape)
            }
            Self::Linear | Self::LinearBias => {
                let [input, weight] = *self.operands(inputs)?;
                let with_bias = inputs
                    .get(2)
                    .and_then(|bias| card::linear(input, weight, bias));
                if let Some(done) = with_bias {
                    return Ok(done?);
                }
                let transposed = if weight.rank() == 2 {
                    weight.t()?
                } else {
                    weight.clone()
                };
                let product = matmul(input, &transposed, &result.shape)?;
                match inputs.get(2) {
                    Some(bias) => Binary::Add.compute(host, [&product, bias], result.dtype),
                    None => Ok(product),
                }
            }
            Self::AddMM { beta, alpha } | Self::BAddBMM { beta, alpha } => {
                Self::add_product(host, *self.operands(inputs)?, [beta, alpha], result.dtype)
            }
        }
    }

    fn saved(&self, wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::MatMul | Self::Linear | Self::LinearBias => each_for_the_other(wants, [0, 1]),
            Self::AddMM { .. } | Self::BAddBMM { .. } => {
                let mut saved = each_for_the_other(wants, [1, 2]);
                saved.reverse();
                saved
            }
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        match *self {
            Self::MatMul => {
                let [a, b] = self.operands(at.inputs)?;
                Ok(Gradients::Of(product_gradient(e, [a, b], at.grad)?))
            }
            Self::Linear | Self::LinearBias => {
                let [input, weight] = self.operands(at.inputs)?;
                let gradients = linear_gradient(e, [input, weight], at.inputs.get(2), at.grad)?;
                Ok(Gradients::Of(gradients))
            }
            Self::AddMM { beta, alpha } | Self::BAddBMM { beta, alpha } => {
                let [a, b, c] = self.operands(at.inputs)?;
                let by = |number: f64| match number {
                    1.0 => Ok(at.grad.clone()),
                    _ => e.scale(at.grad, number),
                };
                let mut gradients = vec![e.wanted(a, || e.sum_to(&by(beta)?, a))?];
                gradients.extend(product_gradient(e, [b, c], &by(alpha)?)?);
                Ok(Gradients::Of(gradients))
            }
        }
    }

    fn backward_name(&self, rank: usize) -> (&'static str, u8) {
        // PyTorch multiplies rows and sees the result as more dimensions.
        let name = match self {
            Self::MatMul if rank > 2 => "unsafe_view",
            Self::MatMul if rank == 0 => "dot",
            Self::MatMul => "mm",
            Self::Linear if rank == 1 => return ("squeeze", 4),
            Self::Linear | Self::LinearBias | Self::AddMM { .. } if rank != 2 => "unsafe_view",
            Self::Linear | Self::LinearBias | Self::AddMM { .. } | Self::BAddBMM { .. } => {
                self.name()
            }
        };
        (name, 0)
    }
}

impl Dispatch for MatMul {
    fn kernel_kind(&self, inputs: &[&Meta], result: &Meta) -> KernelKind {
        let factors = match self {
            Self::MatMul | Self::Linear | Self::LinearBias => inputs.first().zip(inputs.get(1)),
            Self::AddMM { .. } | Self::BAddBMM { .. } => inputs.get(1).zip(inputs.get(2)),
        };
        let Some((left, right)) = factors else {
            return KernelKind::Elementwise;
        };
        let from_end = |it: &Meta, at: usize| {
            let size = it.shape.iter().rev().nth(at).copied();
            size.unwrap_or(1).max(1) as u64
        };
        let inner = from_end(left, 0);
        let columns = match self {
            Self::Linear | Self::LinearBias => from_end(right, 1),
            Self::MatMul | Self::AddMM { .. } | Self::BAddBMM { .. } => {
                let vector = right.shape.len() < 2;
                if vector { 1 } else { from_end(right, 0) }
            }
        };
        KernelKind::Gemm(if right.shape.len() <= 2 {
            // A shared second matrix: all rows of all batches are one product.
            let sizes = [left.count() / inner, columns, inner];
            match self {
                Self::Linear | Self::LinearBias => Gemm::by_rows(1, sizes),
                Self::MatMul | Self::AddMM { .. } | Self::BAddBMM { .. } => Gemm::new(1, sizes),
            }
        } else {
            let rows = from_end(left, 1);
            Gemm::new(result.count() / (rows * columns), [rows, columns, inner])
        })
    }

    fn library(&self, inputs: &[&Meta], result: &Meta) -> Option<BlasLibrary> {
        let KernelKind::Gemm(product) = self.kernel_kind(inputs, result) else {
            return None;
        };
        if !result.dtype.is_float() || result.count() == 0 {
            return None;
        }
        // A bias goes to cuBLASLt, if the second matrix has rows and columns (`addmm_out_cuda_impl`).
        let adds_bias = match *self {
            Self::MatMul | Self::Linear | Self::BAddBMM { .. } => false,
            Self::LinearBias => inputs.first().is_some_and(|it| it.shape.len() > 1),
            Self::AddMM { beta, .. } => match beta {
                1.0 => inputs.first().is_some_and(|it| it.shape.len() == 1),
                _ => false,
            },
        };
        Some(if adds_bias && product.n > 1 && product.k > 1 {
            BlasLibrary::CublasLt
        } else {
            BlasLibrary::Cublas
        })
    }

    fn autocast(&self) -> Autocast {
        Autocast::Lower
    }

    fn devices(&self) -> Devices {
        match self {
            Self::MatMul => Devices::same("mat2", "mm"),
            Self::Linear | Self::LinearBias => Devices::same("mat1", "addmm"),
            Self::AddMM { .. } | Self::BAddBMM { .. } => Devices::CpuScalarsToo,
        }
    }
}

type Optional<A> = Result<Vec<Option<<A as FormulaEngine>::Tensor>>, TorchError>;

/// The gradients of both factors of a product.
fn product_gradient<A: Autograd>(e: &A, [a, b]: [&A::Tensor; 2], grad: &A::Tensor) -> Optional<A> {
    let rank = |it: &A::Tensor| e.shape(it).len();
    let product = |a: &A::Tensor, b: &A::Tensor| e.apply(Primitive::MatMul, &[a, b]);
    // Vectors take part as matrices of one row (a 1 at 0) or column (a 1 at 1).
    let matrix = |it: &A::Tensor, at: usize| {
        let mut shape = e.shape(it);
        if shape.len() == 1 {
            shape.insert(at, 1);
        }
        e.reshape(it, shape)
    };
    let mut shape = e.shape(grad);
    if rank(b) == 1 {
        shape.push(1);
    }
    if rank(a) == 1 {
        shape.insert(shape.len() - 1, 1);
    }
    let grad = e.reshape(grad, shape)?;
    let like = |of: &A::Tensor, like: &A::Tensor| {
        // The one row or column of a vector is dropped once the batches are summed up.
        let matrix = e.shape(of).split_off(rank(of).saturating_sub(2));
        if rank(like) == 1 {
            return e.reshape(&e.sum_to_size(of, &matrix)?, e.shape(like));
        }
        e.sum_to(of, like)
    };
    // The gradient of a transposed matrix is made transposed, so that what it was transposed from gets a
    // row-major one.
    let of_a = e.wanted(a, || {
        let product = if e.is_transposed(a) {
            e.transpose(&product(&matrix(b, 1)?, &e.transpose(&grad)?)?)?
        } else {
            product(&grad, &e.transpose(&matrix(b, 1)?)?)?
        };
        like(&product, a)
    })?;
    let of_b = e.wanted(b, || {
        let (rows, grad) = if rank(b) <= 2 && rank(a) > 2 {
            // A shared second matrix: one product over all batches instead of one each and a sum.
            let flat = |it: &A::Tensor| {
                let mut rows = e.shape(it);
                let size = rows.pop().unwrap_or(1);
                e.reshape(it, vec![rows.iter().product(), size])
            };
            (flat(a)?, flat(&grad)?)
        } else {
            (matrix(a, 0)?, grad.clone())
        };
        let product = if e.is_transposed(b) {
            e.transpose(&product(&e.transpose(&grad)?, &rows)?)?
        } else {
            product(&e.transpose(&rows)?, &grad)?
        };
        like(&product, b)
    })?;
    Ok(vec![of_a, of_b])
}

/// The gradients of input, weight and bias.
fn linear_gradient<A: Autograd>(
    e: &A,
    [input, weight]: [&A::Tensor; 2],
    bias: Option<&A::Tensor>,
    grad: &A::Tensor,
) -> Optional<A> {
    let (from, of_weight) = (e.meta(input), e.shape(weight));
    let columns = from.shape.last().copied().unwrap_or(1);
    let rows = (from.count() / columns.max(1) as u64) as usize;
    // A weight of one dimension gives one number for each row of the input.
    let features = match of_weight.as_slice() {
        [features, _] => *features,
        _ => 1,
    };
    let grad_rows = e.reshape(grad, vec![rows, features])?;
    let matrix = e.reshape(weight, vec![features, columns])?;
    let of_input = e.wanted(input, || {
        let product = e.apply(Primitive::MatMul, &[&grad_rows, &matrix])?;
        e.reshape(&product, from.shape.clone())
    })?;
    let of_weight = e.wanted(weight, || {
        let input_rows = e.reshape(input, vec![rows, columns])?;
        let product = e.apply(Primitive::MatMul, &[&e.transpose(&grad_rows)?, &input_rows])?;
        e.reshape(&product, of_weight)
    })?;
    let mut gradients = vec![of_input, of_weight];
    if let Some(bias) = bias {
        gradients.push(e.wanted(bias, || {
            let like = e.shape(bias);
            let sum = e.one(Primitive::Sum(vec![0]), &grad_rows)?;
            if like.iter().product::<usize>() == features {
                return e.reshape(&sum, like);
            }
            e.sum_to(grad, bias)
        })?);
    }
    Ok(gradients)
}
