//! Pooling: the largest or the mean element of each window.
//!
//! The largest are found first and then read, as positions of a flattened plane (`return_indices`); PyTorch's kernel
//! does both at once, so the reading is charged with its memory and hardly any work.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{Dispatch, Operation, Saved, Types, all_bytes, first, inputs as all_of};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::pool::{Divisor, Field, Windows, fields, largest, means, put, spread, taken};
use crate::meta::{Cost, Meta};
use crate::shape::Shape;
use candle_core::Tensor;

/// A step of pooling; the tensors are in brackets. They have a batch and channels before their spatial dimensions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pool {
    /// Where the largest elements are (input).
    Largest(Vec<Windows>),
    /// The elements there (input, positions).
    Max(PositionsOf),
    /// Gradients put back there, onto planes of these sizes (gradient, positions).
    MaxBackward(PositionsOf, Shape),
    /// (input)
    Average(Average),
    /// The gradients distributed over their windows, on planes of these sizes (gradient).
    AverageBackward(Average, Shape),
}

/// What the positions of elements are of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PositionsOf {
    /// The largest elements of these windows.
    Windows(Vec<Windows>),
    /// Anything, as those of `max_unpool`.
    Any,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Average {
    pub(crate) windows: Vec<Windows>,
    pub(crate) divisor: Divisor,
}

impl Average {
    fn fields(&self, sizes: &[usize]) -> Vec<(Field, f64)> {
        let divided = |it: Field| {
            let divisor = match self.divisor {
                Divisor::Inside => it.inside.len() as f64,
                Divisor::WithPadding => it.with_padding as f64,
                Divisor::Number(number) => number,
            };
            (it, divisor)
        };
        fields(&self.windows, sizes)
            .into_iter()
            .map(divided)
            .collect()
    }

    /// Kernels of a card: a mean over all of a plane has many threads.
    fn on_card(&self, input: &Tensor, shape: &[usize]) -> Option<candle_core::Result<Tensor>> {
        if self.divisor == Divisor::Inside && self.windows.iter().all(is_whole) {
            let count = plane(input.dims()) as f64;
            let over: Vec<usize> = (2..input.rank()).collect();
            let mean = card::Reducer::named("sum", [count, 0.0]);
            return if input.dtype().is_float() {
                card::reduce(mean, input, &over)
            } else {
                None
            };
        }
        card::pool::means(input, (&self.windows, self.divisor), shape)
    }

    fn is_adaptive(&self) -> bool {
        self.windows
            .iter()
            .any(|it| matches!(it, Windows::Adaptive(_)))
    }
}

/// Whether one window is a whole dimension.
fn is_whole(it: &Windows) -> bool {
    *it == Windows::Adaptive(1)
}

fn spatial(shape: &[usize]) -> &[usize] {
    shape.get(2..).unwrap_or_default()
}

fn plane(shape: &[usize]) -> usize {
    spatial(shape).iter().product()
}

/// The shape with the number of windows for its spatial sizes.
fn pooled(windows: &[Windows], shape: &[usize]) -> Result<Shape, TorchError> {
    let sizes = spatial(shape);
    let counts: Vec<usize> = windows
        .iter()
        .zip(sizes)
        .map(|(it, size)| it.count(*size))
        .collect();
    let ends = shape.get(..2).unwrap_or_default();
    if counts.contains(&0) && !sizes.contains(&0) {
        let by = |channels: &[usize], sizes: &[usize]| {
            let all: Vec<String> = channels
                .iter()
                .chain(sizes)
                .map(ToString::to_string)
                .collect();
            all.join("x")
        };
        let channels = ends.get(1..).unwrap_or_default();
        return Err(TorchError::runtime(format!(
            "Given input size: ({}). Calculated output size: ({}). Output size is too small",
            by(channels, &one_more(sizes)),
            by(channels, &one_more(&counts))
        )));
    }
    Ok([ends, &counts].concat())
}

/// PyTorch pools one dimension as two, of which the first has one row.
fn one_more(sizes: &[usize]) -> Vec<usize> {
    match sizes {
        [one] => vec![1, *one],
        all => all.to_vec(),
    }
}

/// The shape with spatial sizes in place of its own.
fn on_planes(shape: &[usize], sizes: &[usize]) -> Shape {
    [shape.get(..2).unwrap_or_default(), sizes].concat()
}

impl Operation for Pool {
    fn name(&self) -> &'static str {
        match self {
            Self::Largest(windows) => match (windows.as_slice(), windows.len()) {
                ([Windows::Adaptive(_), ..], 3) => "adaptive_max_pool3d",
                ([Windows::Adaptive(_), ..], _) => "adaptive_max_pool2d",
                (_, 3) => "max_pool3d_with_indices",
                _ => "max_pool2d_with_indices",
            },
            Self::Max(_) => "max_pool2d_with_indices",
            Self::MaxBackward(..) => "max_pool2d_with_indices_backward",
            Self::Average(it) => match (it.is_adaptive(), it.windows.len()) {
                (true, 3) => "_adaptive_avg_pool3d",
                (true, _) => "_adaptive_avg_pool2d",
                (false, 3) => "avg_pool3d",
                (false, _) => "avg_pool2d",
            },
            Self::AverageBackward(it, _) => match (it.is_adaptive(), it.windows.len()) {
                (true, 3) => "_adaptive_avg_pool3d_backward",
                (true, _) => "_adaptive_avg_pool2d_backward",
                (false, 3) => "avg_pool3d_backward",
                (false, _) => "avg_pool2d_backward",
            },
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        Ok(match self {
            Self::Largest(windows) => {
                Types::NoBool("max_pool2d").result(dtype)?;
                Meta::new(pooled(windows, &shape)?, DType::I64)
            }
            Self::Max(_) => {
                let [_, positions] = self.operands(inputs)?;
                Meta::new(positions.shape.clone(), dtype)
            }
            Self::MaxBackward(_, sizes) | Self::AverageBackward(_, sizes) => {
                Meta::new(on_planes(&shape, sizes), dtype)
            }
            Self::Average(it) => {
                let kernel = if it.is_adaptive() {
                    "adaptive_avg_pool2d"
                } else {
                    "avg_pool2d"
                };
                let dtype = Types::NoBool(kernel).result(dtype)?;
                Meta::new(pooled(&it.windows, &shape)?, dtype)
            }
        })
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let bytes = all_bytes(inputs, result);
        let of_windows = |windows: &[Windows], of: &[usize], results: u64| {
            let each = |(it, size): (&Windows, &usize)| match it {
                Windows::Regular { kernel, .. } => *kernel,
                Windows::Adaptive(count) => size.div_ceil((*count).max(1)),
            };
            let each: usize = windows.iter().zip(of).map(each).product();
            results.saturating_mul(each as u64)
        };
        let flops = match self {
            Self::Largest(windows) => {
                of_windows(windows, spatial(&first(inputs).shape), result.count())
            }
            Self::Average(it) => {
                of_windows(&it.windows, spatial(&first(inputs).shape), result.count())
            }
            // The values of the windows are at hand where they were found.
            Self::Max(_) => return Cost::moving(result.bytes()),
            Self::MaxBackward(..) => first(inputs).count(),
            Self::AverageBackward(it, sizes) => {
                of_windows(&it.windows, sizes, first(inputs).count())
            }
        };
        Cost { flops, bytes }
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let shape = result.shape.as_slice();
        match self {
            Self::Largest(windows) => {
                let [input] = *self.operands(inputs)?;
                if let Some(made) = card::pool::largest(input, windows, shape) {
                    return Ok(made?);
                }
                let fields = fields(windows, spatial(input.dims()));
                largest(host, input, &fields, plane(input.dims()), shape)
            }
            Self::Max(_) => {
                let both = *self.operands(inputs)?;
                let [input, _] = both;
                let plane = plane(input.dims());
                match card::pool::taken(both, plane, shape) {
                    Some(made) => Ok(made?),
                    None => taken(host, both, plane, shape),
                }
            }
            Self::MaxBackward(of, _) => {
                let (both, plane) = (*self.operands(inputs)?, plane(shape));
                let made = match of {
                    PositionsOf::Windows(windows) => {
                        card::pool::largest_backward(both, windows, shape)
                    }
                    PositionsOf::Any => card::pool::put(both, plane, shape),
                };
                match made {
                    Some(made) => Ok(made?),
                    None => put(host, both, plane, shape),
                }
            }
            Self::Average(it) => {
                let [input] = *self.operands(inputs)?;
                if let Some(made) = it.on_card(input, shape) {
                    return Ok(made?);
                }
                let fields = it.fields(spatial(input.dims()));
                means(host, input, &fields, plane(input.dims()), shape)
            }
            Self::AverageBackward(it, sizes) => {
                let [grad] = *self.operands(inputs)?;
                let windows = (&*it.windows, it.divisor);
                if let Some(made) = card::pool::spread(grad, windows, shape) {
                    return Ok(made?);
                }
                spread(host, grad, &it.fields(sizes), plane(shape), shape)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Max(_) | Self::MaxBackward(..) => all_of(0..2),
            Self::Average(_) => all_of(0..1),
            // Positions have no gradient.
            Self::Largest(_) | Self::AverageBackward(..) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let sizes = |of: &A::Tensor| e.shape(of).split_off(2);
        match self {
            Self::Largest(_) => Ok(Gradients::None),
            Self::Max(of) => {
                let [input, positions] = self.operands(at.inputs)?;
                let back = Self::MaxBackward(of.clone(), sizes(input));
                let back = e.apply(back, &[at.grad, positions])?;
                Ok(Gradients::Of(vec![Some(back), None]))
            }
            Self::MaxBackward(of, _) => {
                let [_, positions] = self.operands(at.inputs)?;
                let back = e.apply(Self::Max(of.clone()), &[at.grad, positions])?;
                Ok(Gradients::Of(vec![Some(back), None]))
            }
            Self::Average(it) => {
                let [input] = self.operands(at.inputs)?;
                let back = Self::AverageBackward(it.clone(), sizes(input));
                Ok(Gradients::first(e.apply(back, &[at.grad])?))
            }
            Self::AverageBackward(it, _) => Ok(Gradients::first(
                e.apply(Self::Average(it.clone()), &[at.grad])?,
            )),
        }
    }
}

impl Dispatch for Pool {}
