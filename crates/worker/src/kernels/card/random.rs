//! Random numbers, and dropout, whose mask is drawn in the same launch.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{floats, on_one_card};
use crate::dtype::DType;
use crate::kernels::fast::contiguous;
use crate::kernels::philox::{
    BLOCK, Distribution, Draw, DropoutDraw, Sample, is_wide, range, whole_range,
};
use candle_core::{DType as Stored, Device, Error, Result, Tensor};

/// Numbers of these launches on a card.
pub(crate) fn drawn(
    sample: Sample,
    draws: &[Draw],
    (shape, dtype): (&[usize], DType),
    on: &Device,
) -> Result<Tensor> {
    let out = memory(shape, dtype.stored(), on)?;
    let flat = out.flatten_all()?;
    let (name, numbers) = kernel(sample, dtype);
    let suffix = suffix(dtype)
        .ok_or_else(|| Error::msg("internal error in warpup: no kernel draws such numbers"))?;
    let kernel = format!("{name}_{suffix}");
    let mut at = 0;
    for draw in draws {
        let count = draw.count as usize;
        let part = flat.narrow(0, at, count)?;
        let [first, second] = numbers;
        let arguments = [
            Argument::U64(draw.count),
            Argument::Data(&part),
            Argument::U64(draw.from.seed),
            Argument::U64(draw.from.offset),
            first,
            second,
        ];
        launch(
            on,
            (Module::Random, &kernel),
            Grid::of_draw(draw)?,
            &arguments,
        )?;
        at += count;
    }
    Ok(out)
}

/// The name of a sample's kernel without the type, and its numbers.
fn kernel(sample: Sample, dtype: DType) -> (&'static str, [Argument<'static>; 2]) {
    let two = |a, b| [Argument::F64(a), Argument::F64(b)];
    let whole = |range, low, is_wide| {
        let name = if is_wide { "wide_integers" } else { "integers" };
        (name, [Argument::U64(range), Argument::I64(low)])
    };
    match sample {
        Sample::Of(Distribution::Uniform(low, high)) => ("uniform", two(low, high)),
        Sample::Of(Distribution::Normal(mean, std)) => ("normal", two(mean, std)),
        Sample::Of(Distribution::LogNormal(mean, std)) => ("log_normal", two(mean, std)),
        Sample::Of(Distribution::Exponential(rate)) => ("exponential", two(rate, 0.0)),
        Sample::Of(Distribution::Cauchy(median, scale)) => ("cauchy", two(median, scale)),
        Sample::Of(Distribution::Bernoulli(p)) => ("bernoulli", two(p, 0.0)),
        Sample::Of(Distribution::Geometric(p)) => ("geometric", two(p, 0.0)),
        Sample::Range(low, high) => whole(range(low, high), low, is_wide(low, high)),
        Sample::Whole => whole(whole_range(dtype), 0, sample.each(dtype) == 2),
    }
}

fn suffix(dtype: DType) -> Option<&'static str> {
    match dtype {
        DType::Bool => Some("bool"),
        DType::U8 => Some("u8"),
        DType::I64 => Some("i64"),
        DType::I8 | DType::I16 | DType::I32 => None,
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 => floats(dtype.stored()),
    }
}

impl Grid {
    /// As many blocks as PyTorch launches: who gets which number depends on it.
    pub(super) fn of_draw(draw: &Draw) -> Result<Self> {
        Ok(Self {
            rows: 1,
            blocks: narrow(draw.blocks as usize)?,
            threads: narrow(BLOCK as usize)?,
        })
    }
}

/// Memory for a mask, which the kernel that draws it writes.
pub(crate) fn mask(shape: &[usize], on: &Device) -> Result<Tensor> {
    memory(shape, Stored::U8, on)
}

/// Draws a mask into its memory, and gives the kept elements, scaled; nothing on the host, or for other types.
pub(crate) fn dropout(of: &DropoutDraw, input: &Tensor, mask: &Tensor) -> Option<Result<Tensor>> {
    let fits = on_one_card(&[input, mask])
        && mask.is_contiguous()
        && mask.elem_count() as u64 == of.draw.count
        && mask.elem_count() == input.elem_count();
    let kernel = format!("dropout_{}", floats(input.dtype()).filter(|_| fits)?);
    let run = || {
        let input = contiguous(input)?;
        let out = memory(input.shape(), input.dtype(), input.device())?;
        let arguments = [
            Argument::U64(of.draw.count),
            Argument::Data(&out),
            Argument::Data(mask),
            Argument::Data(&input),
            Argument::U64(of.draw.from.seed),
            Argument::U64(of.draw.from.offset),
            Argument::U32(narrow(of.pack as usize)?),
            Argument::F64(of.keep),
            Argument::F64(if of.keep > 0.0 { 1.0 / of.keep } else { 0.0 }),
        ];
        let grid = Grid::of_draw(&of.draw)?;
        launch(input.device(), (Module::Random, &kernel), grid, &arguments)?;
        Ok(out)
    };
    Some(run())
}

/// The elements that a mask keeps, scaled; nothing on the host, or for other types.
pub(crate) fn masked(input: &Tensor, mask: &Tensor, scale: f64) -> Option<Result<Tensor>> {
    let fits = on_one_card(&[input, mask]) && mask.dtype() == Stored::U8;
    let fits = fits && mask.shape() == input.shape();
    let kernel = format!("masked_{}", floats(input.dtype()).filter(|_| fits)?);
    let run = || {
        let (input, mask) = (contiguous(input)?, contiguous(mask)?);
        let out = memory(input.shape(), input.dtype(), input.device())?;
        let arguments = [
            Argument::U64(input.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(&input),
            Argument::Data(&mask),
            Argument::F64(scale),
        ];
        let grid = Grid::over(input.elem_count());
        launch(input.device(), (Module::Random, &kernel), grid, &arguments)?;
        Ok(out)
    };
    Some(run())
}
