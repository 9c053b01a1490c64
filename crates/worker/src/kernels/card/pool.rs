//! Pooling: windows over planes of up to three dimensions.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{floats, on_one_card, wide_type};
use crate::kernels::fast::contiguous;
use crate::kernels::pool::{Divisor, Windows};
use candle_core::{DType, Result, Tensor};

/// The windows along three dimensions, as kernels take them (`Windows` in `pool.cu`).
struct Layout([[u32; 8]; 3]);

impl Layout {
    /// Windows on planes of these sizes; dimensions that are missing have one element.
    fn of(windows: &[Windows], sizes: &[usize]) -> Option<Self> {
        const ONE: [u32; 8] = [1, 1, 1, 1, 0, 1, 0, 0];
        let mut all = [ONE; 3];
        let free = all.len().checked_sub(windows.len())?;
        let places = all.iter_mut().skip(free);
        for (place, (windows, size)) in places.zip(windows.iter().zip(sizes)) {
            let [kernel, stride, padding, dilation] = match *windows {
                // They divide the dimension among them.
                Windows::Adaptive(_) => [0, 1, 0, 1],
                Windows::Regular {
                    kernel,
                    stride,
                    padding,
                    dilation,
                    ..
                } => [kernel, stride, padding, dilation],
            };
            let numbers = [
                *size,
                windows.count(*size),
                kernel,
                stride,
                padding,
                dilation,
            ];
            for (to, number) in place.iter_mut().zip(numbers) {
                *to = u32::try_from(number).ok()?;
            }
        }
        Some(Self(all))
    }

    fn arguments(&self) -> [Argument<'_>; 3] {
        let Self([depth, height, width]) = self;
        [depth, height, width].map(Argument::Sizes)
    }
}

/// The kernel for a result of so many elements, which kernels of windows count in 32 bits.
fn kernel(name: &str, inputs: &[&Tensor], elements: usize) -> Option<String> {
    let first = inputs.first()?;
    let fits = on_one_card(inputs) && elements > 0 && u32::try_from(elements).is_ok();
    fits.then(|| Some(format!("pool_{name}_{}", floats(first.dtype())?)))?
}

/// Runs a kernel whose threads take so many elements each of their own.
fn run(
    kernel: &str,
    out: &Tensor,
    (count, elements): (Argument<'_>, usize),
    rest: &[Argument<'_>],
) -> Result<()> {
    let all: Vec<Argument<'_>> = [count, Argument::Data(out)]
        .into_iter()
        .chain(rest.iter().copied())
        .collect();
    let grid = Grid::over(elements);
    launch(out.device(), (Module::Pool, kernel), grid, &all)
}

/// A thread for each element of the result.
fn of_result(out: &Tensor) -> Result<(Argument<'static>, usize)> {
    let count = out.elem_count();
    Ok((Argument::U32(narrow(count)?), count))
}

/// A thread for each position.
fn of_positions(positions: &Tensor) -> (Argument<'static>, usize) {
    let count = positions.elem_count();
    (Argument::U64(count as u64), count)
}

/// Where the largest element of each window is, on its flattened plane; nothing on the host, or for other types.
pub(crate) fn largest(
    input: &Tensor,
    windows: &[Windows],
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let count = shape.iter().product();
    let kernel = kernel("largest", &[input], count)?;
    let layout = Layout::of(windows, input.dims().get(2..)?)?;
    let made = || {
        let input = contiguous(input)?;
        let out = memory(shape, DType::I64, input.device())?;
        let [depth, height, width] = layout.arguments();
        let rest = [Argument::Data(&input), depth, height, width];
        run(&kernel, &out, of_result(&out)?, &rest)?;
        Ok(out)
    };
    Some(made())
}

/// The elements of each plane at positions of it.
pub(crate) fn taken(
    [input, positions]: [&Tensor; 2],
    plane: usize,
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let count: usize = shape.iter().product();
    let kernel = kernel("taken", &[input, positions], count)?;
    if positions.dtype() != DType::I64 {
        return None;
    }
    let made = || {
        let (input, positions) = (contiguous(input)?, contiguous(positions)?);
        let out = memory(shape, input.dtype(), input.device())?;
        let each = count / (input.elem_count() / plane.max(1)).max(1);
        let rest = [
            Argument::Data(&input),
            Argument::Data(&positions),
            Argument::U64(plane as u64),
            Argument::U64(each as u64),
        ];
        run(&kernel, &out, of_positions(&positions), &rest)?;
        Ok(out)
    };
    Some(made())
}

/// Adds the elements to zeros, each at its position of its plane.
pub(crate) fn put(
    [source, positions]: [&Tensor; 2],
    plane: usize,
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let count: usize = shape.iter().product();
    let kernel = kernel("put", &[source, positions], count)?;
    if positions.dtype() != DType::I64 {
        return None;
    }
    let made = || {
        let (source, positions) = (contiguous(source)?, contiguous(positions)?);
        // Sums in the narrow type would lose what is added late.
        let out = Tensor::zeros(shape, wide_type(source.dtype()), source.device())?;
        let each = source.elem_count() / (count / plane.max(1)).max(1);
        let rest = [
            Argument::Data(&source),
            Argument::Data(&positions),
            Argument::U64(plane as u64),
            Argument::U64(each as u64),
        ];
        run(&kernel, &out, of_positions(&positions), &rest)?;
        out.to_dtype(source.dtype())
    };
    Some(made())
}

/// The gradients of windows, each for the largest element of its window, whose positions are given.
pub(crate) fn largest_backward(
    [grad, positions]: [&Tensor; 2],
    windows: &[Windows],
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let kernel = kernel(
        "largest_backward",
        &[grad, positions],
        shape.iter().product(),
    )?;
    let layout = Layout::of(windows, shape.get(2..)?)?;
    let made = || {
        let (grad, positions) = (contiguous(grad)?, contiguous(positions)?);
        let out = memory(shape, grad.dtype(), grad.device())?;
        let [depth, height, width] = layout.arguments();
        let rest = [
            Argument::Data(&grad),
            Argument::Data(&positions),
            depth,
            height,
            width,
        ];
        run(&kernel, &out, of_result(&out)?, &rest)?;
        Ok(out)
    };
    Some(made())
}

/// The sum of each window over its divisor.
pub(crate) fn means(
    input: &Tensor,
    (windows, divisor): (&[Windows], Divisor),
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let sizes = input.dims().get(2..)?;
    averaged("means", input, (windows, sizes, divisor), shape)
}

/// Distributes each element over its window: the transpose of [`means`].
pub(crate) fn spread(
    grad: &Tensor,
    (windows, divisor): (&[Windows], Divisor),
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let sizes = shape.get(2..)?;
    averaged("spread", grad, (windows, sizes, divisor), shape)
}

fn averaged(
    name: &str,
    input: &Tensor,
    (windows, sizes, divisor): (&[Windows], &[usize], Divisor),
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let kernel = kernel(name, &[input], shape.iter().product())?;
    let layout = Layout::of(windows, sizes)?;
    let (kind, number) = match divisor {
        Divisor::Inside => (0, 0.0),
        Divisor::WithPadding => (1, 0.0),
        Divisor::Number(number) => (2, number),
    };
    let made = || {
        let input = contiguous(input)?;
        let out = memory(shape, input.dtype(), input.device())?;
        let [depth, height, width] = layout.arguments();
        let rest = [
            Argument::Data(&input),
            depth,
            height,
            width,
            Argument::U32(kind),
            Argument::F64(number),
        ];
        run(&kernel, &out, of_result(&out)?, &rest)?;
        Ok(out)
    };
    Some(made())
}
