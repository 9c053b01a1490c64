//! Convolutions of any number of spatial dimensions, and the two products that their gradients are.
//!
//! On a card cuDNN computes them, if it is there. Where candle has the convolution (one or two dimensions, one group, the same stride, padding and dilation in each
//! dimension), candle computes it. Elsewhere the input is unfolded to columns, one for each window, and multiplied.

use super::card::cudnn::{Computed, convolution};
use super::elementwise::at_least_float32;
use super::fast::{self, Planes};
use super::host::{KernelResult, is_on_card};
use candle_core::{DType as Stored, Result, Tensor};

/// How a convolution goes over its input: one number for each spatial dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Steps {
    pub(crate) stride: Vec<usize>,
    /// Zeros at both ends.
    pub(crate) padding: Vec<usize>,
    pub(crate) dilation: Vec<usize>,
    pub(crate) groups: usize,
}

/// The numbers of one spatial dimension.
#[derive(Clone, Copy)]
struct SpatialDim {
    stride: usize,
    padding: usize,
    dilation: usize,
}

impl Steps {
    fn along(&self) -> impl DoubleEndedIterator<Item = SpatialDim> + '_ {
        let numbers = self.stride.iter().zip(&self.padding).zip(&self.dilation);
        numbers
            .map(|((stride, padding), dilation)| SpatialDim {
                stride: *stride,
                padding: *padding,
                dilation: *dilation,
            })
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The sizes of the result's spatial dimensions; nothing where a kernel is larger than its padded input.
    pub(crate) fn output(&self, input: &[usize], kernel: &[usize]) -> Option<Vec<usize>> {
        let sizes = input.iter().zip(kernel).zip(self.along());
        sizes
            .map(|((size, kernel), it)| {
                let covered = it.dilation * kernel.saturating_sub(1) + 1;
                let free = (size + 2 * it.padding).checked_sub(covered)?;
                Some(free / it.stride.max(1) + 1)
            })
            .collect()
    }
}

/// `input` (N, C, …) with `weight` (O, C/groups, …), to spatial sizes of `out`, plus a bias if there is one.
pub(crate) fn convolve(
    [input, weight]: [&Tensor; 2],
    bias: Option<&Tensor>,
    steps: &Steps,
    out: &[usize],
) -> KernelResult {
    let shape = shaped(input.dims(), weight.dims(), out);
    if let Some(done) = convolution(Computed::Output, [input, weight], steps, &shape) {
        return biased(done?, bias);
    }
    let stored = input.dtype();
    let (input, weight) = (wide(input)?, wide(weight)?);
    if shape.contains(&0) || weight.elem_count() == 0 || input.elem_count() == 0 {
        return biased(Tensor::zeros(shape, stored, input.device())?, bias);
    }
    let kernel = weight.dims().get(2..).unwrap_or_default();
    if let Some(planes) = planes(&input, kernel, steps, out) {
        let (input, weight) = (fast::contiguous(&input)?, fast::contiguous(&weight)?);
        let bias = bias.map(wide).transpose()?;
        if let Some(made) = fast::convolve(&planes, [&input, &weight], bias.as_ref()) {
            return Ok(made?.reshape(shape)?.to_dtype(stored)?);
        }
    }
    let result = match native(&input, &weight, steps)? {
        Some(result) => result,
        None => product(&input, &weight, steps, out)?.reshape(shape)?,
    };
    biased(result.to_dtype(stored)?, bias)
}

/// The result of a convolution plus a number for each of its channels.
pub(crate) fn biased(result: Tensor, bias: Option<&Tensor>) -> KernelResult {
    let Some(bias) = bias else {
        return Ok(result);
    };
    let mut shape = vec![1; result.rank()];
    if let Some(channels) = shape.get_mut(1) {
        *channels = bias.elem_count();
    }
    Ok(fast::add(&result, &bias.reshape(shape)?)?)
}

/// What gives `grad` (N, O, …) back to an input of the spatial sizes `input`: the transposed convolution.
pub(crate) fn transposed(
    grad: &Tensor,
    weight: &Tensor,
    steps: &Steps,
    input: &[usize],
) -> KernelResult {
    let shape = {
        let inner = weight.dims().get(1).copied().unwrap_or(1);
        shaped(grad.dims(), &[inner * steps.groups], input)
    };
    if let Some(done) = convolution(Computed::Input, [grad, weight], steps, &shape) {
        return Ok(done?);
    }
    let stored = grad.dtype();
    let (mut grad, weight) = (wide(grad)?, wide(weight)?);
    if shape.contains(&0) || grad.elem_count() == 0 {
        return Ok(Tensor::zeros(shape, stored, grad.device())?);
    }
    let kernel = weight.dims().get(2..).unwrap_or_default().to_vec();
    let sizes = grad.dims().get(2..).unwrap_or_default().to_vec();
    let is_ours = !is_on_card(&grad) && grad.dtype() == Stored::F32 && steps.groups == 1;
    let channels = weight.dim(1)?;
    let planes = planes_on((channels, input), &kernel, steps, &sizes).filter(|_| is_ours);
    if let Some(planes) = planes {
        let (grad, weight) = (fast::contiguous(&grad)?, fast::contiguous(&weight)?);
        if let Some(made) = fast::of_input(&planes, [&grad, &weight]) {
            return Ok(made?.reshape(shape)?.to_dtype(stored)?);
        }
    }
    // Zeros between the elements undo the stride. Then it is a convolution of stride 1 with the mirrored kernel.
    for (at, ((it, kernel), size)) in steps.along().zip(&kernel).zip(input).enumerate() {
        grad = stretched(&grad, at + 2, it.stride)?;
        let reach = it.dilation * (kernel - 1);
        grad = padded(
            &grad,
            at + 2,
            reach as i64 - it.padding as i64,
            size + reach,
        )?;
    }
    let once = Steps {
        stride: vec![1; input.len()],
        padding: vec![0; input.len()],
        dilation: steps.dilation.clone(),
        groups: steps.groups,
    };
    let mirrored = mirrored(&weight, steps.groups)?;
    Ok(convolve([&grad, &mirrored], None, &once, input)?.to_dtype(stored)?)
}

/// The gradient of a weight whose spatial sizes are `kernel`.
pub(crate) fn of_weight(
    input: &Tensor,
    grad: &Tensor,
    steps: &Steps,
    kernel: &[usize],
) -> KernelResult {
    let channels = input.dim(1)? / steps.groups.max(1);
    let outputs = grad.dim(1)?;
    let shape = shaped(&[outputs], &[channels], kernel);
    if let Some(done) = convolution(Computed::Weight, [input, grad], steps, &shape) {
        return Ok(done?);
    }
    let stored = input.dtype();
    let (input, grad) = (wide(input)?, wide(grad)?);
    let out = grad.dims().get(2..).unwrap_or_default().to_vec();
    if input.elem_count() == 0 || grad.elem_count() == 0 {
        return Ok(Tensor::zeros(shape, stored, input.device())?);
    }
    if let Some(planes) = planes(&input, kernel, steps, &out) {
        let (input, grad) = (fast::contiguous(&input)?, fast::contiguous(&grad)?);
        if let Some(made) = fast::of_weight(&planes, [&input, &grad], outputs) {
            return Ok(made?.reshape(shape)?.to_dtype(stored)?);
        }
    }
    let columns = unfolded(&input, kernel, steps, &out)?;
    let count = columns.dims().last().copied().unwrap_or(1);
    let rows = grad.transpose(0, 1)?.contiguous()?;
    let rows = rows.reshape((steps.groups, outputs / steps.groups.max(1), count))?;
    let product = rows.matmul(&columns.transpose(1, 2)?.contiguous()?)?;
    Ok(product.reshape(shape)?.to_dtype(stored)?)
}

/// Half precision has no products of its own on the host.
fn wide(a: &Tensor) -> Result<Tensor> {
    if is_on_card(a) && a.dtype() != Stored::BF16 {
        return Ok(a.clone());
    }
    a.to_dtype(at_least_float32(a.dtype()))
}

fn shaped(first: &[usize], second: &[usize], spatial: &[usize]) -> Vec<usize> {
    let ends = first.first().into_iter().chain(second.first());
    ends.chain(spatial).copied().collect()
}

/// What our own kernels convolve: one group, one or two dimensions, `float32` on the host.
fn planes(input: &Tensor, kernel: &[usize], steps: &Steps, out: &[usize]) -> Option<Planes> {
    if is_on_card(input) || input.dtype() != Stored::F32 || steps.groups != 1 {
        return None;
    }
    let [_, channels, sizes @ ..] = input.dims() else {
        return None;
    };
    planes_on((*channels, sizes), kernel, steps, out)
}

/// Planes of these channels and sizes. A single dimension is a plane of one row.
fn planes_on(
    (channels, sizes): (usize, &[usize]),
    kernel: &[usize],
    steps: &Steps,
    out: &[usize],
) -> Option<Planes> {
    let two = |numbers: &[usize], fill: usize| match *numbers {
        [columns] => Some([fill, columns]),
        [rows, columns] => Some([rows, columns]),
        _ => None,
    };
    Some(Planes {
        channels,
        input: two(sizes, 1)?,
        kernel: two(kernel, 1)?,
        output: two(out, 1)?,
        stride: two(&steps.stride, 1)?,
        padding: two(&steps.padding, 0)?,
        dilation: two(&steps.dilation, 1)?,
    })
}

/// candle's own convolution, where it has this one.
fn native(input: &Tensor, weight: &Tensor, steps: &Steps) -> Result<Option<Tensor>> {
    let all: Vec<SpatialDim> = steps.along().collect();
    let same = |f: fn(&SpatialDim) -> usize| match all.split_first() {
        Some((first, rest)) if rest.iter().all(|it| f(it) == f(first)) => Some(f(first)),
        Some(_) | None => None,
    };
    let (Some(stride), Some(padding), Some(dilation), 1) = (
        same(|it| it.stride),
        same(|it| it.padding),
        same(|it| it.dilation),
        steps.groups,
    ) else {
        return Ok(None);
    };
    let (input, weight) = (input.contiguous()?, weight.contiguous()?);
    Ok(match all.len() {
        1 => Some(input.conv1d(&weight, padding, stride, dilation, 1)?),
        2 => Some(input.conv2d(&weight, padding, stride, dilation, 1)?),
        _ => None,
    })
}

/// The convolution as one product for each group, as rows of (N, O) with the windows as columns.
fn product(input: &Tensor, weight: &Tensor, steps: &Steps, out: &[usize]) -> Result<Tensor> {
    let (batch, outputs) = (input.dim(0)?, weight.dim(0)?);
    let kernel = weight.dims().get(2..).unwrap_or_default();
    let columns = unfolded(input, kernel, steps, out)?;
    let rows = weight.reshape((steps.groups, outputs / steps.groups, ()))?;
    let product = rows.matmul(&columns)?;
    let count: usize = out.iter().product();
    let by_output = product.reshape((outputs, batch, count))?;
    by_output.transpose(0, 1)?.contiguous()
}

/// The elements below each place of the kernel: (groups, C/groups · places, N · windows).
fn unfolded(input: &Tensor, kernel: &[usize], steps: &Steps, out: &[usize]) -> Result<Tensor> {
    let mut input = input.transpose(0, 1)?;
    let (channels, batch) = (input.dim(0)?, input.dim(1)?);
    for (at, (it, (kernel, out))) in steps.along().zip(kernel.iter().zip(out)).enumerate() {
        // Room at the end for whole strides.
        let size = it.dilation * (kernel - 1) + out * it.stride;
        input = padded(&input, at + 2, it.padding as i64, size)?;
    }
    let windows: usize = out.iter().product();
    let places: usize = kernel.iter().product();
    let mut taken = Vec::with_capacity(places);
    for place in 0..places {
        let mut rest = place;
        let mut part = input.clone();
        let sizes = steps.along().zip(kernel.iter().zip(out));
        for (at, (it, (kernel, out))) in sizes.enumerate().collect::<Vec<_>>().into_iter().rev() {
            let start = rest % kernel * it.dilation;
            rest /= kernel;
            part = strided(
                &part.narrow(at + 2, start, out * it.stride)?,
                at + 2,
                it.stride,
            )?;
        }
        taken.push(part.contiguous()?.reshape((channels, batch * windows))?);
    }
    let columns = Tensor::stack(&taken, 1)?;
    columns.reshape((
        steps.groups,
        channels / steps.groups.max(1) * places,
        batch * windows,
    ))
}

/// Each element of a dimension that is a multiple of the stride away from the first.
fn strided(a: &Tensor, dim: usize, stride: usize) -> Result<Tensor> {
    if stride == 1 {
        return Ok(a.clone());
    }
    let mut split = a.dims().to_vec();
    let Some(size) = split.get_mut(dim) else {
        return Ok(a.clone());
    };
    *size /= stride;
    split.insert(dim + 1, stride);
    a.contiguous()?
        .reshape(split)?
        .narrow(dim + 1, 0, 1)?
        .squeeze(dim + 1)
}

/// Zeros after each element of a dimension, until they are a stride apart.
fn stretched(a: &Tensor, dim: usize, stride: usize) -> Result<Tensor> {
    if stride == 1 {
        return Ok(a.clone());
    }
    let mut shape = a.dims().to_vec();
    if let Some(size) = shape.get_mut(dim) {
        *size *= stride;
    }
    let apart = a.unsqueeze(dim + 1)?;
    apart.pad_with_zeros(dim + 1, 0, stride - 1)?.reshape(shape)
}

/// A dimension with `before` zeros in front, cut or filled with zeros to a size; a negative number cuts.
fn padded(a: &Tensor, dim: usize, before: i64, size: usize) -> Result<Tensor> {
    let own = a.dim(dim)?;
    let cut = usize::try_from(-before).unwrap_or(0).min(own);
    let zeros = usize::try_from(before).unwrap_or(0);
    let kept = (own - cut).min(size.saturating_sub(zeros));
    let a = a.narrow(dim, cut, kept)?;
    let after = size.saturating_sub(zeros + kept);
    if zeros == 0 && after == 0 {
        return Ok(a);
    }
    a.contiguous()?.pad_with_zeros(dim, zeros, after)
}

/// A weight (O, C/groups, …) as (C, O/groups, …), its kernel read backwards.
fn mirrored(weight: &Tensor, groups: usize) -> Result<Tensor> {
    let (outputs, inner) = (weight.dim(0)?, weight.dim(1)?);
    let kernel = weight.dims().get(2..).unwrap_or_default();
    let shape = |ends: &[usize]| [ends, kernel].concat();
    let grouped = weight
        .contiguous()?
        .reshape(shape(&[groups, outputs / groups.max(1), inner]))?
        .transpose(1, 2)?
        .contiguous()?
        .reshape(shape(&[groups * inner, outputs / groups.max(1)]))?;
    let spatial: Vec<usize> = (2..grouped.rank()).collect();
    grouped.flip(&spatial)
}
