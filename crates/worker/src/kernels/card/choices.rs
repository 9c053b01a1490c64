//! Comparisons of elements, and elements that a condition chooses.

use super::floats;
use super::launch::{Argument, Grid, Module, launch, memory};
use super::on_one_card;
use super::walk::Walk;
use candle_core::{DType, Result, Tensor};

/// The kernel of a comparison (`eq`, `lt`) for this type.
fn kernel(name: &str, dtype: DType) -> Option<String> {
    let whole = [(DType::I64, "i64"), (DType::U8, "u8")];
    let whole = whole.into_iter().find(|(of, _)| *of == dtype);
    let suffix = whole.map_or_else(|| floats(dtype), |(_, name)| Some(name))?;
    Some(format!("{name}_{suffix}"))
}

/// 1 where a comparison holds, else 0, broadcast; nothing on the host, or for other types.
pub(crate) fn compared(name: &str, a: &Tensor, b: &Tensor) -> Option<Result<Tensor>> {
    if !on_one_card(&[a, b]) || a.dtype() != b.dtype() {
        return None;
    }
    let kernel = kernel(name, a.dtype())?;
    let shape = a
        .shape()
        .broadcast_shape_binary_op(b.shape(), "compare")
        .ok()?;
    let (a, b) = (a.broadcast_as(&shape).ok()?, b.broadcast_as(&shape).ok()?);
    let (walk_a, walk_b) = (walk(&a)?, walk(&b)?);
    let run = || {
        let out = memory(&shape, DType::U8, a.device())?;
        let arguments = [
            Argument::U64(shape.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(&a),
            Argument::Walk(&walk_a),
            Argument::Data(&b),
            Argument::Walk(&walk_b),
        ];
        run_over(&out, &kernel, &arguments)?;
        Ok(out)
    };
    Some(run())
}

/// The same with a number, which is rounded to the type of floats.
pub(crate) fn compared_with(name: &str, a: &Tensor, number: f64) -> Option<Result<Tensor>> {
    if !on_one_card(&[a]) {
        return None;
    }
    let kernel = kernel(&format!("{name}_number"), a.dtype())?;
    let walk = walk(a)?;
    let run = || {
        let out = memory(a.shape(), DType::U8, a.device())?;
        let arguments = [
            Argument::U64(a.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(a),
            Argument::Walk(&walk),
            Argument::F64(number),
        ];
        run_over(&out, &kernel, &arguments)?;
        Ok(out)
    };
    Some(run())
}

/// Elements of the first where the condition is not 0, else of the second; all are broadcast to a shape, and the choices are
/// of one type.
pub(crate) fn chosen(
    condition: &Tensor,
    [yes, no]: [&Tensor; 2],
    shape: &[usize],
) -> Option<Result<Tensor>> {
    if !on_one_card(&[condition, yes, no]) || yes.dtype() != no.dtype() {
        return None;
    }
    if condition.dtype() != DType::U8 {
        return None;
    }
    let wide = [condition, yes, no].map(|it| it.broadcast_as(shape).ok());
    let [Some(condition), Some(yes), Some(no)] = wide else {
        return None;
    };
    let (walk_condition, walk_yes, walk_no) = (walk(&condition)?, walk(&yes)?, walk(&no)?);
    let kernel = format!("choose_{}", yes.dtype().size_in_bytes());
    let run = || {
        let out = memory(shape, yes.dtype(), yes.device())?;
        let arguments = [
            Argument::U64(out.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(&condition),
            Argument::Walk(&walk_condition),
            Argument::Data(&yes),
            Argument::Walk(&walk_yes),
            Argument::Data(&no),
            Argument::Walk(&walk_no),
        ];
        run_over(&out, &kernel, &arguments)?;
        Ok(out)
    };
    Some(run())
}

fn walk(a: &Tensor) -> Option<Walk> {
    Walk::over(a.dims(), a.stride())
}

fn run_over(out: &Tensor, kernel: &str, arguments: &[Argument<'_>]) -> Result<()> {
    let grid = Grid::over(out.elem_count());
    launch(out.device(), (Module::Choices, kernel), grid, arguments)
}
