//! Tensors from nothing but numbers. Nothing on the host, or for types that have no kernel.

use super::floats;
use super::launch::{Argument, Grid, Module, launch, memory};
use candle_core::{DType, Device, Result, Tensor};

/// One number everywhere.
pub(crate) fn full(number: f64, of: (&[usize], DType), on: &Device) -> Option<Result<Tensor>> {
    made("full", of, on, &[Argument::F64(number)])
}

/// Numbers from a start, with a gap between one and the next.
pub(crate) fn evenly(
    (start, gap): (f64, f64),
    of: (&[usize], DType),
    on: &Device,
) -> Option<Result<Tensor>> {
    made(
        "evenly",
        of,
        on,
        &[Argument::F64(start), Argument::F64(gap)],
    )
}

/// A matrix with ones on its diagonal.
pub(crate) fn eye(columns: usize, of: (&[usize], DType), on: &Device) -> Option<Result<Tensor>> {
    made("eye", of, on, &[Argument::U64(columns as u64)])
}

fn made(
    name: &str,
    (shape, dtype): (&[usize], DType),
    on: &Device,
    numbers: &[Argument<'_>],
) -> Option<Result<Tensor>> {
    let count = shape.iter().product();
    if !on.is_cuda() || count == 0 {
        return None;
    }
    let whole = [(DType::I64, "i64"), (DType::U8, "u8")];
    let whole = whole.into_iter().find(|(of, _)| *of == dtype);
    let suffix = whole.map_or_else(|| floats(dtype), |(_, name)| Some(name))?;
    let run = || {
        let out = memory(shape, dtype, on)?;
        let mut arguments = vec![Argument::U64(count as u64), Argument::Data(&out)];
        arguments.extend(numbers);
        let kernel = format!("{name}_{suffix}");
        launch(
            on,
            (Module::Creation, &kernel),
            Grid::over(count),
            &arguments,
        )?;
        Ok(out)
    };
    Some(run())
}
