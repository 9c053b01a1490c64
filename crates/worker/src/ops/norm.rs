//! Normalization over the last dimensions, and its backward kernels.
//!
//! The mean is taken before the square: candle's fused kernels subtract two large squares from each other. Sums
//! are made in `float32` at least.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{
    Autocast, Devices, Dispatch, Operation, Saved, cost_per_element, first, inputs as all_of,
    not_implemented,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::elementwise::at_least_float32;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::{card, fast};
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::Shape;
use candle_core::{D, Tensor};

/// A normalization or one of its backward kernels; the tensors are in brackets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Norm {
    /// The normalization (input, then weight and bias if there are any).
    Forward(NormOptions),
    /// The gradient of the input (gradient, input, and the weight if there is one).
    Backward(NormOptions),
    /// The gradients of weight and bias (of RMS norm, of the weight), joined along dimension 0 (gradient, input, weight).
    AffineBackward(NormOptions),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NormOptions {
    pub(crate) kind: NormKind,
    /// Over how many of the last dimensions.
    pub(crate) dims: usize,
    /// Added to the mean square, so that nothing is divided by 0.
    pub(crate) eps: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NormKind {
    /// `layer_norm`: mean 0 and variance 1.
    Layer,
    /// `rms_norm`: mean square 1.
    Rms,
}

impl NormOptions {
    fn kernel_name(self) -> &'static str {
        match self.kind {
            NormKind::Layer => "LayerNormKernelImpl",
            NormKind::Rms => "rms_norm",
        }
    }

    /// The input as rows of what is normalized over, in a type that can be summed.
    fn rows(self, input: &Tensor) -> KernelResult {
        let kept = input.rank().saturating_sub(self.dims);
        let columns: usize = input.dims().iter().skip(kept).product();
        let rows = input.elem_count() / columns.max(1);
        let wide = at_least_float32(input.dtype());
        Ok(input.reshape((rows, columns))?.to_dtype(wide)?)
    }

    /// The normalized rows, and the factor of each.
    fn normalized(self, input: &Tensor) -> Result<(Tensor, Tensor), TorchError> {
        let rows = self.rows(input)?;
        let centred = match self.kind {
            NormKind::Layer => rows.broadcast_sub(&mean(&rows)?)?,
            NormKind::Rms => rows,
        };
        let factor = (mean(&centred.sqr()?)? + self.eps)?.sqrt()?.recip()?;
        Ok((centred.broadcast_mul(&factor)?, factor))
    }

    /// What our own kernels normalize; nothing if a row holds nothing.
    fn of_floats(self, input: &Tensor) -> Option<fast::Rows> {
        let over = input.dims().iter().rev().take(self.dims);
        let width: usize = over.product();
        let centred = self.kind == NormKind::Layer;
        (input.elem_count() > 0).then_some(fast::Rows {
            width,
            eps: self.eps,
            centred,
        })
    }

    fn forward(self, input: &Tensor, parameters: &[&Tensor]) -> KernelResult {
        let made = self.of_floats(input);
        let made = made.and_then(|it| {
            let made = fast::layer_norm(it, input, parameters);
            made.or_else(|| card::norm(it, input, parameters))
        });
        if let Some(made) = made {
            return Ok(made?);
        }
        let (mut out, _) = self.normalized(input)?;
        let mut parameters = parameters.iter();
        if let Some(weight) = parameters.next() {
            out = out.broadcast_mul(&flat(weight, &out)?)?;
        }
        if let Some(bias) = parameters.next() {
            out = out.broadcast_add(&flat(bias, &out)?)?;
        }
        Ok(out.reshape(input.shape())?.to_dtype(input.dtype())?)
    }

    /// For each row `factor * (g - mean(g) - out * mean(g * out))` with `g = grad * weight`; RMS norm has no `mean(g)`.
    fn backward(self, [grad, input]: [&Tensor; 2], weight: Option<&&Tensor>) -> KernelResult {
        let (rows, by) = (self.of_floats(input), weight.copied());
        let made = rows.and_then(|it| {
            let made = fast::layer_norm_backward(it, [grad, input], by);
            made.or_else(|| card::norm_backward(it, [grad, input], by))
        });
        if let Some(made) = made {
            return Ok(made?);
        }
        let (out, factor) = self.normalized(input)?;
        let mut grad = self.rows(grad)?.to_dtype(out.dtype())?;
        if let Some(weight) = weight {
            grad = grad.broadcast_mul(&flat(weight, &grad)?)?;
        }
        let along = out.broadcast_mul(&mean(&grad.mul(&out)?)?)?;
        let rest = match self.kind {
            NormKind::Layer => grad.broadcast_sub(&mean(&grad)?)?,
            NormKind::Rms => grad,
        };
        let of_input = rest.sub(&along)?.broadcast_mul(&factor)?;
        Ok(of_input.reshape(input.shape())?.to_dtype(input.dtype())?)
    }

    fn affine_backward(self, [grad, input]: [&Tensor; 2]) -> KernelResult {
        if let Some(rows) = self.of_floats(input)
            && let Some(made) = fast::affine_backward(rows, [grad, input])
                .or_else(|| card::norm_affine(rows, [grad, input]))
        {
            let made = made?;
            return Ok(match self.kind {
                NormKind::Layer => made,
                NormKind::Rms => made.narrow(0, 0, 1)?,
            });
        }
        let (out, _) = self.normalized(input)?;
        let grad = self.rows(grad)?.to_dtype(out.dtype())?;
        let of_weight = grad.mul(&out)?.sum(0)?;
        Ok(match self.kind {
            NormKind::Layer => Tensor::cat(&[of_weight, grad.sum(0)?], 0)?,
            NormKind::Rms => of_weight,
        })
    }
}

fn flat(parameter: &Tensor, like: &Tensor) -> KernelResult {
    Ok(parameter.flatten_all()?.to_dtype(like.dtype())?)
}

fn mean(rows: &Tensor) -> KernelResult {
    Ok(rows.mean_keepdim(D::Minus1)?)
}

impl Operation for Norm {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward(it) => match it.kind {
                NormKind::Layer => "native_layer_norm",
                NormKind::Rms => "fused_rms_norm",
            },
            Self::Backward(it) | Self::AffineBackward(it) => match it.kind {
                NormKind::Layer => "native_layer_norm_backward",
                NormKind::Rms => "fused_rms_norm_backward",
            },
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        match self {
            Self::Forward(it) => {
                let shape = forward_shape(*it, inputs)?;
                Ok(Meta::new(shape, forward_type(*it, inputs)?))
            }
            Self::Backward(_) => {
                let [_, input] = *self.operands(inputs)?;
                Ok(input.clone())
            }
            Self::AffineBackward(it) => {
                let [_, _, weight] = self.operands(inputs)?;
                let parts = match it.kind {
                    NormKind::Layer => 2,
                    NormKind::Rms => 1,
                };
                Ok(Meta::new([&[parts], &*weight.shape].concat(), weight.dtype))
            }
        }
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let flops = match self {
            // Mean, difference, square, its mean, scaling, weight and bias.
            Self::Forward(_) => 7,
            Self::Backward(_) | Self::AffineBackward(_) => 10,
        };
        cost_per_element(inputs, result, flops)
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        match self {
            Self::Forward(it) => {
                let [input] = self.operands(inputs)?;
                it.forward(input, inputs.get(1..).unwrap_or_default())
            }
            Self::Backward(it) => it.backward(*self.operands(inputs)?, inputs.get(2)),
            Self::AffineBackward(it) => {
                let parts = it.affine_backward(*self.operands(inputs)?)?;
                Ok(parts
                    .reshape(&*result.shape)?
                    .to_dtype(result.dtype.stored())?)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Forward(_) => all_of(0..2),
            Self::Backward(_) | Self::AffineBackward(_) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let Self::Forward(it) = *self else {
            return Err(self.no_second_gradient());
        };
        let [input, parameters @ ..] = at.inputs else {
            return Ok(Gradients::None);
        };
        let mut given = vec![at.grad, input];
        given.extend(parameters.first());
        let mut gradients = vec![e.wanted(input, || e.apply(Self::Backward(it), &given))?];
        if !parameters.iter().any(|it| e.requires_grad(it)) {
            gradients.extend(parameters.iter().map(|_| None));
            return Ok(Gradients::Of(gradients));
        }
        let parts = e.apply(Self::AffineBackward(it), &given)?;
        for (start, parameter) in parameters.iter().enumerate() {
            let (dim, len) = (0, 1);
            let part = Primitive::Narrow { dim, start, len };
            let Meta { shape, dtype } = e.meta(parameter);
            let own = e.one(part, &parts)?;
            gradients.push(Some(e.cast(e.reshape(&own, shape)?, dtype)?));
        }
        Ok(Gradients::Of(gradients))
    }
}

impl Dispatch for Norm {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Norm
    }

    fn autocast(&self) -> Autocast {
        match self {
            Self::Forward(it) if it.kind == NormKind::Layer => Autocast::Float32OnCards,
            Self::Forward(_) | Self::Backward(_) | Self::AffineBackward(_) => Autocast::Unchanged,
        }
    }

    fn devices(&self) -> Devices {
        match self {
            Self::Forward(_) => Devices::same("weight", "native_layer_norm"),
            Self::Backward(_) | Self::AffineBackward(_) => Devices::Same(None),
        }
    }
}

fn forward_shape(it: NormOptions, inputs: &[&Meta]) -> Result<Shape, TorchError> {
    let input = first(inputs).shape;
    // The parameters name the sizes; without any, `check_normalized_shape` has compared them.
    let over = input.split_at(input.len().saturating_sub(it.dims)).1;
    for (parameter, name) in inputs.iter().skip(1).zip(["weight", "bias"]) {
        if parameter.shape != over {
            return Err(TorchError::runtime(format!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {:?} and normalized_shape = {over:?}",
                parameter.shape
            )));
        }
    }
    Ok(input)
}

fn forward_type(it: NormOptions, inputs: &[&Meta]) -> Result<DType, TorchError> {
    let input = first(inputs).dtype;
    if !input.is_float() {
        return Err(not_implemented(it.kernel_name(), input));
    }
    let is_half = matches!(input, DType::F16 | DType::BF16);
    match inputs.get(1) {
        Some(weight) if weight.dtype != input && !(is_half && weight.dtype == DType::F32) => Err(
            TorchError::runtime("mixed dtype (CPU): expect parameter to have scalar type of Float"),
        ),
        Some(_) | None => Ok(input),
    }
}

/// Refuses an input whose last dimensions are not those to normalize over.
pub(crate) fn check_normalized_shape(
    kind: NormKind,
    over: &[usize],
    input: &[usize],
) -> Result<(), TorchError> {
    if over.is_empty() {
        return Err(TorchError::runtime(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []",
        ));
    }
    if input.ends_with(over) {
        return Ok(());
    }
    let sizes: Vec<String> = over.iter().map(ToString::to_string).collect();
    let star = match kind {
        NormKind::Layer => "*, ",
        NormKind::Rms => "*",
    };
    Err(TorchError::runtime(format!(
        "Given normalized_shape={over:?}, expected input with shape [{star}{}], but got input of size{input:?}",
        sizes.join(", ")
    )))
}
