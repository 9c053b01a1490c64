//! Convolutions, transposed convolutions, and their gradients.
//!
//! The three products of a convolution are each other's gradients: an input with a weight gives a result, a result
//! with a weight gives an input (the transposed convolution), and an input with a result gives a weight. So each has
//! gradients of any order.

use super::convolution_memory::ConvolutionTensors;
use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{
    AllowTf32, Autocast, Dispatch, Operation, Saved, all_bytes, inputs as all_of,
};
use crate::error::TorchError;
use crate::kernels::convolution::{Steps, biased, convolve, of_weight, transposed};
use crate::kernels::fast::PARTS;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{self, Cost, CudnnMemory, Gemm, KernelKind, Meta, Window};
use crate::shape::Shape;
use candle_core::Tensor;

/// A product of a convolution; the tensors are in brackets. They have a batch and channels before their spatial
/// dimensions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Convolution {
    /// (input, weight, and a bias if there is one)
    Forward(Steps),
    /// (result of a convolution, weight, and a bias if there is one), to these spatial sizes.
    Transposed(Steps, Vec<usize>, Direction),
    /// (input, result), to a weight of these spatial sizes.
    OfWeight(Steps, Vec<usize>),
}

/// What a product is for, which gives it its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl Steps {
    fn window(&self, kernel: &[usize]) -> Window {
        let is_plain = self.stride.iter().chain(&self.dilation).all(|it| *it == 1);
        if kernel == [3, 3] && is_plain && self.groups == 1 {
            Window::Winograd
        } else {
            Window::Other
        }
    }
}

impl Convolution {
    fn steps(&self) -> &Steps {
        match self {
            Self::Forward(it) | Self::Transposed(it, ..) | Self::OfWeight(it, _) => it,
        }
    }
}

impl Operation for Convolution {
    fn name(&self) -> &'static str {
        match self {
            Self::Forward(_) | Self::Transposed(.., Direction::Forward) => "convolution",
            Self::Transposed(.., Direction::Backward) | Self::OfWeight(..) => {
                "convolution_backward"
            }
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let [first, second] = *self.operands(inputs)?;
        let shape = match self {
            Self::Forward(steps) => {
                check_types(inputs)?;
                check_channels(
                    steps,
                    first,
                    second,
                    inputs.get(2).copied(),
                    WeightLayout::Outputs,
                )?;
                forward_shape(steps, first, second)?
            }
            Self::Transposed(steps, sizes, direction) => {
                if *direction == Direction::Forward {
                    check_types(inputs)?;
                    check_channels(
                        steps,
                        first,
                        second,
                        inputs.get(2).copied(),
                        WeightLayout::Inputs,
                    )?;
                }
                joined([size(first, 0), size(second, 1) * steps.groups], sizes)
            }
            Self::OfWeight(steps, sizes) => joined(
                [size(second, 1), size(first, 1) / steps.groups.max(1)],
                sizes,
            ),
        };
        Ok(Meta::new(shape, first.dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let of = |at: usize| inputs.get(at).copied();
        // Each element of the convolution's result is a sum over a kernel and its channels.
        let (results, weight) = match self {
            Self::Forward(_) => (Some(result), of(1)),
            Self::Transposed(..) => (of(0), of(1)),
            Self::OfWeight(..) => (of(1), Some(result)),
        };
        let each: usize = weight.map_or(1, |it| it.shape.iter().skip(1).product());
        let products = results.map_or(0, Meta::count).saturating_mul(each as u64);
        let bias = if inputs.len() > 2 { result.count() } else { 0 };
        Cost {
            flops: products.saturating_mul(2).saturating_add(bias),
            bytes: all_bytes(inputs, result),
        }
    }

    fn host_scratch(&self, inputs: &[&Meta], result: &Meta) -> u64 {
        let Ok([first, second]) = self.operands(inputs) else {
            return 0;
        };
        let spatial = |it: &Meta| -> usize { it.shape.iter().skip(2).product() };
        let (places, windows) = match self {
            Self::Forward(_) | Self::Transposed(..) => (spatial(second), spatial(result)),
            Self::OfWeight(..) => (spatial(result), spatial(second)),
        };
        let float = first.dtype.size().max(4);
        let has_planes = result.shape.len() <= 4 && float == 4 && self.steps().groups == 1;
        let elements = match self {
            Self::OfWeight(..) if has_planes => result.count() * size(first, 0).min(PARTS) as u64,
            Self::Forward(_) | Self::Transposed(..) if has_planes => 0,
            // The columns of all samples, and the parts that they are put together from.
            Self::Forward(_) | Self::Transposed(..) | Self::OfWeight(..) => {
                2 * (size(first, 0) * size(first, 1) * places * windows) as u64
            }
        };
        elements.saturating_mul(float)
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [first, second] = *self.operands(inputs)?;
        let spatial = result.shape.get(2..).unwrap_or_default();
        let bias = inputs.get(2).copied();
        match self {
            Self::Forward(steps) => convolve([first, second], bias, steps, spatial),
            Self::Transposed(steps, ..) => biased(transposed(first, second, steps, spatial)?, bias),
            Self::OfWeight(steps, _) => of_weight(first, second, steps, spatial),
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        all_of(0..2)
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [first, second] = self.operands(at.inputs)?;
        let spatial = |of: &A::Tensor| e.shape(of).split_off(2);
        let steps = self.steps().clone();
        let forward = || Self::Forward(steps.clone());
        let back =
            |to: &A::Tensor| Self::Transposed(steps.clone(), spatial(to), Direction::Backward);
        let of_weight = |weight: &A::Tensor| Self::OfWeight(steps.clone(), spatial(weight));
        let (of_first, of_second) = match self {
            Self::Forward(_) => (
                e.wanted(first, || e.apply(back(first), &[at.grad, second]))?,
                e.wanted(second, || e.apply(of_weight(second), &[first, at.grad]))?,
            ),
            Self::Transposed(..) => (
                e.wanted(first, || e.apply(forward(), &[at.grad, second]))?,
                e.wanted(second, || e.apply(of_weight(second), &[at.grad, first]))?,
            ),
            Self::OfWeight(..) => (
                e.wanted(first, || e.apply(back(first), &[second, at.grad]))?,
                e.wanted(second, || e.apply(forward(), &[first, at.grad]))?,
            ),
        };
        let mut gradients = vec![of_first, of_second];
        for bias in at.inputs.iter().skip(2) {
            gradients.push(e.wanted(bias, || bias_gradient(e, at.grad))?);
        }
        Ok(Gradients::Of(gradients))
    }

    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        ("convolution", 0)
    }
}

impl Dispatch for Convolution {
    fn cudnn_memory(&self, inputs: &[&Meta], result: &Meta) -> Option<CudnnMemory> {
        let (first, second) = (*inputs.first()?, *inputs.get(1)?);
        let (product, [input, weight, output]) = match self {
            Self::Forward(_) => (0, [first, second, result]),
            Self::Transposed(..) => (1, [result, second, first]),
            Self::OfWeight(..) => (2, [first, result, second]),
        };
        let tensors = ConvolutionTensors {
            input,
            weight,
            output,
        };
        Some(CudnnMemory::Convolution(
            tensors.memory(self.steps(), product),
        ))
    }

    /// An implicit product, with the sizes of NVIDIA's *Convolutional Layers User's Guide* (DU-09798-001, table 1): its
    /// matrices are read from the tensors, and never written.
    fn kernel_kind(&self, inputs: &[&Meta], result: &Meta) -> KernelKind {
        let (Some(first), Some(second)) = (inputs.first(), inputs.get(1)) else {
            return KernelKind::Elementwise;
        };
        let (input, weight, output) = match self {
            Self::Forward(_) => (*first, *second, result),
            Self::Transposed(..) => (result, *second, *first),
            Self::OfWeight(..) => (*first, result, *second),
        };
        let groups = self.steps().groups.max(1) as u64;
        let channels = |it: &Meta| size(it, 1).max(1) as u64;
        // Of a group: the channels of both sides, and the elements of a kernel in one plane.
        let [into, from] = [output, input].map(|it| (channels(it) / groups).max(1));
        let window = (weight.count() / (channels(weight) * size(weight, 0).max(1) as u64)).max(1);
        let pixels = |it: &Meta| it.count() / channels(it);
        let sizes = match self {
            Self::Forward(_) => [pixels(output), into, from * window],
            // With a stride only some elements of a kernel meet each element of the input.
            Self::Transposed(..) => {
                let met = (into * window * pixels(output)).div_ceil(pixels(input).max(1));
                [pixels(input), from, met]
            }
            Self::OfWeight(..) => [from * window, into, pixels(output)],
        };
        KernelKind::Convolution(meta::Convolution {
            product: Gemm::of_channels(groups, sizes, [from, into]),
            inputs: first.count().saturating_add(second.count()),
            result: result.count(),
            biased: if inputs.len() > 2 { result.count() } else { 0 },
            window: self
                .steps()
                .window(weight.shape.get(2..).unwrap_or_default()),
        })
    }

    /// cuDNN takes the faster units unless a program says otherwise (`cudnn.allow_tf32`).
    fn takes_tf32(&self, allowed: AllowTf32) -> bool {
        allowed.cudnn
    }

    fn autocast(&self) -> Autocast {
        Autocast::Lower
    }
}

fn bias_gradient<A: Autograd>(e: &A, grad: &A::Tensor) -> Result<A::Tensor, TorchError> {
    let shape = e.shape(grad);
    let dims = (0..shape.len()).filter(|it| *it != 1).collect();
    let channels = shape.get(1).copied().unwrap_or(1);
    e.reshape(&e.one(Primitive::Sum(dims), grad)?, vec![channels])
}

fn size(of: &Meta, dim: usize) -> usize {
    of.shape.get(dim).copied().unwrap_or(1)
}

fn joined(ends: [usize; 2], spatial: &[usize]) -> Shape {
    [&ends, spatial].concat()
}

fn check_types(inputs: &[&Meta]) -> Result<(), TorchError> {
    let [input, weight, bias @ ..] = inputs else {
        return Ok(());
    };
    let other = bias.first().map_or(weight.dtype, |it| it.dtype);
    if other != input.dtype && !bias.is_empty() {
        return Err(TorchError::runtime(format!(
            "Input type ({}) and bias type ({}) should be the same",
            input.dtype.cpp_name(),
            other.cpp_name()
        )));
    }
    if weight.dtype != input.dtype {
        return Err(TorchError::runtime(format!(
            "expected scalar type {} but found {}",
            input.dtype.scalar_name(),
            weight.dtype.scalar_name()
        )));
    }
    Ok(())
}

/// Which channels the first dimension of a weight has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WeightLayout {
    Outputs,
    Inputs,
}

fn check_channels(
    steps: &Steps,
    input: &Meta,
    weight: &Meta,
    bias: Option<&Meta>,
    at: WeightLayout,
) -> Result<(), TorchError> {
    let groups = steps.groups;
    let of = format!("weight of size {:?}", weight.shape);
    let (own, rank) = (size(input, 1), weight.shape.len());
    if input.shape.len() != rank {
        return Err(TorchError::runtime(format!(
            "Expected {rank}-dimensional input for {rank}-dimensional {of}, but got {}-dimensional input of size {:?} instead",
            input.shape.len(),
            input.shape
        )));
    }
    let kernel = if at == WeightLayout::Inputs {
        " transposed=1,"
    } else {
        ""
    };
    let first = size(weight, 0);
    if first < groups {
        return Err(TorchError::runtime(format!(
            "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got {of} instead"
        )));
    }
    if !first.is_multiple_of(groups.max(1)) {
        return Err(TorchError::runtime(format!(
            "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size [{:?}] instead",
            weight.shape
        )));
    }
    let (expected, outputs) = match at {
        WeightLayout::Outputs => (size(weight, 1) * groups, first),
        WeightLayout::Inputs => (first, size(weight, 1) * groups),
    };
    if own != expected {
        let input = &input.shape;
        let given = if at == WeightLayout::Inputs {
            format!("Given{kernel} {of}")
        } else {
            format!("Given groups={groups}, {of}")
        };
        return Err(TorchError::runtime(format!(
            "{given}, expected input{input:?} to have {expected} channels, but got {own} channels instead"
        )));
    }
    match bias {
        Some(bias) if *bias.shape != [outputs] => {
            let given = if at == WeightLayout::Inputs {
                format!("Given{kernel} {of}")
            } else {
                format!("Given {of}")
            };
            Err(TorchError::runtime(format!(
                "{given}, expected bias to be 1-dimensional with {outputs} elements, but got bias of size {:?} instead",
                bias.shape
            )))
        }
        Some(_) | None => Ok(()),
    }
}

fn forward_shape(steps: &Steps, input: &Meta, weight: &Meta) -> Result<Shape, TorchError> {
    let (sizes, kernel) = (
        input.shape.get(2..).unwrap_or_default(),
        weight.shape.get(2..).unwrap_or_default(),
    );
    match steps.output(sizes, kernel) {
        Some(out) => Ok(joined([size(input, 0), size(weight, 0)], &out)),
        None => {
            let by = |all: Vec<usize>| {
                let all: Vec<String> = all.iter().map(ToString::to_string).collect();
                all.join(" x ")
            };
            let padded = sizes
                .iter()
                .zip(&steps.padding)
                .map(|(it, pad)| it + 2 * pad);
            let covered = kernel
                .iter()
                .zip(&steps.dilation)
                .map(|(it, dilation)| dilation * it.saturating_sub(1) + 1);
            Err(TorchError::runtime(format!(
                "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                by(padded.collect()),
                by(covered.collect())
            )))
        }
    }
}
