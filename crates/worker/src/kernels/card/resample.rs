//! Interpolation of planes to other sizes.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{floats, on_one_card, wide_type};
use crate::kernels::fast::contiguous;
use crate::kernels::resample::{Axis, InterpolationMode};
use candle_core::{Result, Tensor};

/// The interpolated planes, in this shape; nothing on the host, or for other types.
pub(crate) fn forward(a: &Tensor, axes: &[Axis], shape: &[usize]) -> Option<Result<Tensor>> {
    let kernel = format!("resample_{}", floats(a.dtype())?);
    run(&kernel, a, axes, |a| {
        let out = memory(shape, a.dtype(), a.device())?;
        let count = out.elem_count();
        Ok((out, count))
    })
}

/// Gradients of results, given back to the elements that they were made of.
pub(crate) fn backward(grad: &Tensor, axes: &[Axis], shape: &[usize]) -> Option<Result<Tensor>> {
    let kernel = format!("resample_backward_{}", floats(grad.dtype())?);
    let made = run(&kernel, grad, axes, |grad| {
        // Sums in the narrow type would lose what is added late.
        let out = Tensor::zeros(shape, wide_type(grad.dtype()), grad.device())?;
        Ok((out, grad.elem_count()))
    });
    Some(made?.and_then(|it| it.to_dtype(grad.dtype())))
}

/// Runs a kernel with a thread for each element of the interpolated planes; `room` gives memory and how many these are.
fn run(
    kernel: &str,
    a: &Tensor,
    axes: &[Axis],
    room: impl FnOnce(&Tensor) -> Result<(Tensor, usize)>,
) -> Option<Result<Tensor>> {
    const ONE: [u32; 8] = [1, 1, 0, 0, 0, 0, 0, 0];
    if !on_one_card(&[a]) || axes.iter().any(|it| it.from == 0 || it.to == 0) {
        return None;
    }
    let (mut sizes, mut steps) = ([ONE; 3], [1.0; 3]);
    let free = sizes.len().checked_sub(axes.len())?;
    let places = sizes.iter_mut().zip(&mut steps).skip(free);
    for ((place, step), axis) in places.zip(axes) {
        let mode = match axis.between {
            InterpolationMode::Nearest => 0,
            InterpolationMode::NearestMiddle => 1,
            InterpolationMode::Linear => 2,
            InterpolationMode::LinearCorners => 3,
        };
        let (from, to) = (u32::try_from(axis.from).ok()?, u32::try_from(axis.to).ok()?);
        *place = [from, to, mode, 0, 0, 0, 0, 0];
        *step = axis.step;
    }
    let made = || {
        let a = contiguous(a)?;
        let (out, count) = room(&a)?;
        let [depth, height, width] = sizes.each_ref().map(Argument::Sizes);
        let [step_d, step_h, step_w] = steps.map(Argument::F64);
        let arguments = [
            Argument::U32(narrow(count)?),
            Argument::Data(&out),
            Argument::Data(&a),
            depth,
            height,
            width,
            step_d,
            step_h,
            step_w,
        ];
        let grid = Grid::over(count);
        launch(a.device(), (Module::Resample, kernel), grid, &arguments)?;
        Ok(out)
    };
    Some(made())
}
