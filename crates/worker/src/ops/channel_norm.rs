//! Normalization of channels: `batch_norm` and `group_norm`, and their backward kernels. `instance_norm` is a batch
//! norm of more channels, as in PyTorch.
//!
//! As in `norm.rs`, the mean is taken before the square, and sums are made in `float32` at least.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{
    Autocast, Dispatch, Operation, Saved, cost_per_element, first, inputs as all_of,
    not_implemented,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::elementwise::at_least_float32;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::{card, fast};
use crate::meta::{Cost, KernelKind, Meta};
use candle_core::{D, Tensor};

/// A normalization, its statistics, or one of its backward kernels; the tensors are in brackets. An input has a batch
/// and channels before its other dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ChannelNorm {
    /// Mean and unbiased variance of each channel, as two rows, for running statistics (input).
    Moments,
    /// (input, statistics, then weight and bias if there are any)
    Forward(ChannelNormOptions),
    /// The gradient of the input (gradient, input, statistics, the weight if there is one, and of a batch norm what
    /// `AffineBackward` gave if that was wanted).
    Backward(ChannelNormOptions),
    /// The gradients of weight and bias as two rows (gradient, input, statistics). A batch norm adds the mean and the factor of
    /// each channel, so that the gradient of the input needs no further sums.
    AffineBackward(ChannelNormOptions),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChannelNormOptions {
    pub(crate) by: StatisticsGroup,
    /// Added to the variance, so that nothing is divided by 0.
    pub(crate) eps: f64,
}

/// What mean and variance are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatisticsGroup {
    /// Each channel over the batch.
    Batch,
    /// They are given: a mean and a variance for each channel are two tensors more, the statistics.
    Running,
    /// Each of so many groups of channels of a sample.
    Group(usize),
}

/// The normalized rows, and the mean and the factor of each.
struct NormOutput {
    rows: Tensor,
    mean: Tensor,
    factor: Tensor,
}

/// The input as one row for each mean.
fn rows(by: StatisticsGroup, input: &Tensor) -> KernelResult {
    let (batch, channels) = (input.dim(0)?, input.dim(1)?);
    let wide = input.to_dtype(at_least_float32(input.dtype()))?;
    Ok(match by {
        StatisticsGroup::Batch | StatisticsGroup::Running => {
            let flat = wide.reshape((batch, channels, ()))?.transpose(0, 1)?;
            flat.contiguous()?.reshape((channels, ()))?
        }
        StatisticsGroup::Group(groups) => wide.reshape((batch * groups, ()))?,
    })
}

/// Undoes [`rows`].
fn back(by: StatisticsGroup, rows: &Tensor, like: &Tensor) -> KernelResult {
    let (batch, channels) = (like.dim(0)?, like.dim(1)?);
    let rows = match by {
        StatisticsGroup::Batch | StatisticsGroup::Running => {
            let split = rows.reshape((channels, batch, ()))?;
            split.transpose(0, 1)?.contiguous()?
        }
        StatisticsGroup::Group(_) => rows.clone(),
    };
    Ok(rows.reshape(like.dims())?)
}

/// One number for each channel, in a shape that broadcasts over an input.
fn channels(numbers: &Tensor, like: &Tensor) -> KernelResult {
    let mut shape = vec![1; like.rank()];
    if let Some(size) = shape.get_mut(1) {
        *size = numbers.elem_count();
    }
    Ok(numbers
        .to_dtype(at_least_float32(like.dtype()))?
        .reshape(shape)?)
}

fn given<'a>(statistics: &[&'a Tensor], parameters: &[&'a Tensor]) -> card::Given<'a> {
    card::Given {
        statistics: match statistics {
            [mean, variance, ..] => Some([*mean, *variance]),
            [] | [_] => None,
        },
        weight: parameters.first().copied(),
        bias: parameters.get(1).copied(),
        sums: None,
    }
}

fn mean(rows: &Tensor) -> KernelResult {
    Ok(rows.mean_keepdim(D::Minus1)?)
}

impl ChannelNormOptions {
    /// How many of the tensors after the input are statistics.
    fn statistics(self) -> usize {
        match self.by {
            StatisticsGroup::Running => 2,
            StatisticsGroup::Batch | StatisticsGroup::Group(_) => 0,
        }
    }

    /// What a kernel of a card is told.
    fn channels(self) -> card::Channels {
        let groups = match self.by {
            StatisticsGroup::Group(groups) => Some(groups),
            StatisticsGroup::Batch | StatisticsGroup::Running => None,
        };
        let eps = self.eps;
        card::Channels { groups, eps }
    }

    fn normalized(self, input: &Tensor, statistics: &[&Tensor]) -> Result<NormOutput, TorchError> {
        let rows = rows(self.by, input)?;
        let given = |it: &Tensor| it.to_dtype(rows.dtype())?.reshape(((), 1));
        let (mean_of, spread) = match statistics {
            [mean, variance, ..] => (given(mean)?, given(variance)?),
            _ => {
                let mean_of = mean(&rows)?;
                let spread = mean(&rows.broadcast_sub(&mean_of)?.sqr()?)?;
                (mean_of, spread)
            }
        };
        let factor = (spread + self.eps)?.sqrt()?.recip()?;
        let rows = rows.broadcast_sub(&mean_of)?.broadcast_mul(&factor)?;
        let mean = mean_of;
        Ok(NormOutput { rows, mean, factor })
    }

    fn forward(self, inputs: &[&Tensor]) -> KernelResult {
        let Some((input, rest)) = inputs.split_first() else {
            return Err(TorchError::runtime("a normalization needs an input"));
        };
        let (statistics, parameters) = rest.split_at(self.statistics().min(rest.len()));
        let given = given(statistics, parameters);
        let made = fast::channel_norm(self.channels(), input, given);
        if let Some(made) = made.or_else(|| card::channel_norm(self.channels(), input, given)) {
            return Ok(made?);
        }
        let mut out = back(self.by, &self.normalized(input, statistics)?.rows, input)?;
        if let Some(weight) = parameters.first() {
            out = out.broadcast_mul(&channels(weight, input)?)?;
        }
        if let Some(bias) = parameters.get(1) {
            out = out.broadcast_add(&channels(bias, input)?)?;
        }
        Ok(out.to_dtype(input.dtype())?)
    }

    /// For each row `factor · (g − mean(g) − out · mean(g · out))` with `g = grad · weight`; given statistics do not
    /// depend on the input, so that only `factor · g` is left.
    fn backward(self, [grad, input]: [&Tensor; 2], rest: &[&Tensor]) -> KernelResult {
        let (statistics, weight) = rest.split_at(self.statistics().min(rest.len()));
        let given = card::Given {
            sums: weight.get(1).copied(),
            bias: None,
            ..given(statistics, weight)
        };
        let (it, both) = (self.channels(), [grad, input]);
        let made = fast::channel_norm_backward(it, both, given);
        if let Some(made) = made.or_else(|| card::channel_norm_backward(it, both, given)) {
            return Ok(made?);
        }
        let NormOutput {
            rows: out, factor, ..
        } = self.normalized(input, statistics)?;
        let mut grad = grad.to_dtype(out.dtype())?;
        if let Some(weight) = weight.first() {
            grad = grad.broadcast_mul(&channels(weight, input)?)?;
        }
        let grad = rows(self.by, &grad)?;
        let inner = match self.by {
            StatisticsGroup::Running => grad,
            StatisticsGroup::Batch | StatisticsGroup::Group(_) => {
                let along = out.broadcast_mul(&mean(&grad.mul(&out)?)?)?;
                grad.broadcast_sub(&mean(&grad)?)?.sub(&along)?
            }
        };
        let of_input = back(self.by, &inner.broadcast_mul(&factor)?, input)?;
        Ok(of_input.to_dtype(input.dtype())?)
    }

    fn affine_backward(self, [grad, input]: [&Tensor; 2], rest: &[&Tensor]) -> KernelResult {
        let given = given(rest, &[]);
        let (it, both) = (self.channels(), [grad, input]);
        let made = fast::channel_affine(it, both, given);
        if let Some(made) = made.or_else(|| card::channel_affine(it, both, given)) {
            return Ok(made?);
        }
        let NormOutput {
            rows: out,
            mean,
            factor,
        } = self.normalized(input, rest)?;
        let out = back(self.by, &out, input)?;
        let (out, grad) = (
            rows(StatisticsGroup::Batch, &out)?,
            rows(StatisticsGroup::Batch, grad)?,
        );
        let of_weight = grad.mul(&out)?.sum(D::Minus1)?;
        let mut all = vec![of_weight, grad.sum(D::Minus1)?];
        if self.by == StatisticsGroup::Batch {
            all.extend([mean.squeeze(1)?, factor.squeeze(1)?]);
        }
        Ok(Tensor::stack(&all, 0)?)
    }
}

impl Operation for ChannelNorm {
    fn name(&self) -> &'static str {
        match self {
            Self::Moments => "batch_norm_stats",
            Self::Forward(it) => match it.by {
                StatisticsGroup::Batch | StatisticsGroup::Running => "native_batch_norm",
                StatisticsGroup::Group(_) => "native_group_norm",
            },
            Self::Backward(it) | Self::AffineBackward(it) => match it.by {
                StatisticsGroup::Batch | StatisticsGroup::Running => "native_batch_norm_backward",
                StatisticsGroup::Group(_) => "native_group_norm_backward",
            },
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let input = first(inputs);
        let channels = input.shape.get(1).copied().unwrap_or(1);
        match self {
            Self::Forward(it) => {
                check(*it, inputs)?;
                Ok(input)
            }
            Self::Backward(_) => {
                let [_, input] = *self.operands(inputs)?;
                Ok(input.clone())
            }
            Self::Moments => Ok(Meta::new(vec![2, channels], input.dtype)),
            Self::AffineBackward(it) => {
                let rows = match it.by {
                    StatisticsGroup::Batch => 4,
                    StatisticsGroup::Running | StatisticsGroup::Group(_) => 2,
                };
                // Sums of 16-bit floats have more digits.
                let dtype = input.dtype.promote(DType::F32);
                Ok(Meta::new(vec![rows, channels], dtype))
            }
        }
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let flops = match self {
            Self::Moments => 4,
            Self::Forward(it) if it.by == StatisticsGroup::Running => 4,
            Self::Forward(_) => 7,
            Self::Backward(_) | Self::AffineBackward(_) => 10,
        };
        cost_per_element(inputs, result, flops)
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let rest = inputs.get(2..).unwrap_or_default();
        match self {
            Self::Moments => {
                let [input] = *self.operands(inputs)?;
                if let Some(made) = fast::moments(input).or_else(|| card::moments(input)) {
                    return Ok(made?);
                }
                let rows = rows(StatisticsGroup::Batch, input)?;
                let count = rows.dim(1)? as f64;
                let mean_of = mean(&rows)?;
                let squares = rows.broadcast_sub(&mean_of)?.sqr()?.sum(D::Minus1)?;
                let both = [mean_of.squeeze(1)?, (squares / (count - 1.0))?];
                Ok(Tensor::stack(&both, 0)?.to_dtype(input.dtype())?)
            }
            Self::Forward(it) => it.forward(inputs),
            Self::Backward(it) => it.backward(*self.operands(inputs)?, rest),
            Self::AffineBackward(it) => {
                let both = it.affine_backward(*self.operands(inputs)?, rest)?;
                Ok(both.to_dtype(result.dtype.stored())?)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Forward(it) => all_of(0..2 + it.statistics()),
            Self::Moments | Self::Backward(_) | Self::AffineBackward(_) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let Self::Forward(it) = *self else {
            return match self {
                Self::Moments => Ok(Gradients::None),
                Self::Forward(_) | Self::Backward(_) | Self::AffineBackward(_) => {
                    Err(self.no_second_gradient())
                }
            };
        };
        let Some((input, rest)) = at.inputs.split_first() else {
            return Ok(Gradients::None);
        };
        let (statistics, parameters) = rest.split_at(it.statistics().min(rest.len()));
        let mut given = vec![at.grad, input];
        given.extend(statistics);
        let parts = if parameters.iter().any(|it| e.requires_grad(it)) {
            Some(e.apply(Self::AffineBackward(it), &given)?)
        } else {
            None
        };
        let of_input = e.wanted(input, || {
            let weight = parameters.first();
            let sums = parts.as_ref().filter(|_| it.by == StatisticsGroup::Batch);
            let all: Vec<_> = given.iter().copied().chain(weight).chain(sums).collect();
            e.apply(Self::Backward(it), &all)
        })?;
        let mut gradients = vec![of_input];
        gradients.extend(statistics.iter().map(|_| None));
        let Some(parts) = parts else {
            gradients.extend(parameters.iter().map(|_| None));
            return Ok(Gradients::Of(gradients));
        };
        for (start, parameter) in parameters.iter().enumerate() {
            let row = Primitive::Narrow {
                dim: 0,
                start,
                len: 1,
            };
            let Meta { shape, dtype } = e.meta(parameter);
            let own = e.one(row, &parts)?;
            gradients.push(Some(e.cast(e.reshape(&own, shape)?, dtype)?));
        }
        Ok(Gradients::Of(gradients))
    }
}

impl Dispatch for ChannelNorm {
    /// cuDNN's kernels read an input once for its statistics and once more to apply them, as these do. Given statistics
    /// are applied to each element by itself.
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        match self {
            Self::Forward(it) if it.by == StatisticsGroup::Running => KernelKind::Elementwise,
            Self::Moments | Self::Forward(_) | Self::Backward(_) | Self::AffineBackward(_) => {
                KernelKind::Reduction
            }
        }
    }

    fn autocast(&self) -> Autocast {
        match self {
            Self::Forward(it) => match it.by {
                // `batch_norm` is on no list: cuDNN takes half precision with parameters in `float32`.
                StatisticsGroup::Batch | StatisticsGroup::Running => Autocast::Unchanged,
                StatisticsGroup::Group(_) => Autocast::Float32OnCards,
            },
            Self::Moments | Self::Backward(_) | Self::AffineBackward(_) => Autocast::Unchanged,
        }
    }
}

/// Refuses a type, or a parameter whose size is not the number of channels.
fn check(it: ChannelNormOptions, inputs: &[&Meta]) -> Result<(), TorchError> {
    let input = first(inputs);
    let channels = input.shape.get(1).copied().unwrap_or(1);
    let names = match it.by {
        StatisticsGroup::Batch | StatisticsGroup::Group(_) => ["weight", "bias", "", ""],
        StatisticsGroup::Running => ["running_mean", "running_var", "weight", "bias"],
    };
    let kernel = match it.by {
        StatisticsGroup::Batch | StatisticsGroup::Running => "batch_norm",
        StatisticsGroup::Group(_) => "GroupNormKernelImpl",
    };
    if !input.dtype.is_float() {
        return Err(not_implemented(kernel, input.dtype));
    }
    for (parameter, name) in inputs.iter().skip(1).zip(names) {
        if *parameter.shape != [channels] {
            return Err(TorchError::runtime(match it.by {
                StatisticsGroup::Batch | StatisticsGroup::Running => format!(
                    "{name} should contain {channels} elements not {}",
                    parameter.count()
                ),
                StatisticsGroup::Group(_) => format!(
                    "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {:?} and input of shape {:?}",
                    parameter.shape, input.shape
                ),
            }));
        }
        let is_half = input.dtype.size() == 2 && parameter.dtype.size() == 4;
        if parameter.dtype != input.dtype && !is_half {
            return Err(TorchError::runtime(
                "mixed dtype (CPU): all inputs must share same datatype.",
            ));
        }
    }
    Ok(())
}
