//! Losses and gradients at given classes, and gradients of looked-up rows.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{floats, on_one_card, wide_type};
use crate::kernels::fast::contiguous;
use crate::kernels::host::is_on_card;
use candle_core::{DType, Result, Tensor};

/// Classes of scores of the shape `[rows, count, rest]`, as `int64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Classes<'a> {
    pub(crate) of: &'a Tensor,
    pub(crate) weight: Option<&'a Tensor>,
    /// The class that does not count.
    pub(crate) ignored: i64,
    pub(crate) count: usize,
    pub(crate) rest: usize,
}

/// What becomes of the losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduced {
    No,
    Sum,
    Mean,
}

impl Classes<'_> {
    fn kernel(&self, name: &str, a: &Tensor) -> Option<String> {
        if !is_on_card(a) {
            return None;
        }
        let all: Vec<&Tensor> = [a, self.of].into_iter().chain(self.weight).collect();
        let fits = self.weight.is_none_or(|it| it.dtype() == a.dtype());
        let is_meant = fits && a.elem_count() > 0 && self.of.elem_count() > 0;
        (is_meant && on_one_card(&all)).then(|| Some(format!("{name}_{}", floats(a.dtype())?)))?
    }
}

/// The losses at these classes, in the shape of the classes or reduced; nothing on the host, or for other types.
pub(crate) fn nll(
    scores: &Tensor,
    classes: Classes<'_>,
    reduced: Reduced,
) -> Option<Result<Tensor>> {
    let name = match reduced {
        Reduced::No => "nll",
        Reduced::Sum | Reduced::Mean => "nll_reduced",
    };
    let kernel = classes.kernel(name, scores)?;
    let run = || {
        let (scores, of) = (contiguous(scores)?, targets(classes)?);
        let weight = classes.weight.map(contiguous).transpose()?;
        let (out, blocks) = match reduced {
            Reduced::No => (
                memory(of.shape(), scores.dtype(), scores.device())?,
                Grid::over(of.elem_count()),
            ),
            Reduced::Sum | Reduced::Mean => {
                (memory((), scores.dtype(), scores.device())?, Grid::ONE)
            }
        };
        let mut arguments = vec![
            Argument::U64(of.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(&scores),
        ];
        arguments.extend(about(classes, &of, weight.as_ref())?);
        if reduced != Reduced::No {
            arguments.push(Argument::U32((reduced == Reduced::Mean).into()));
        }
        launch(
            scores.device(),
            (Module::AtIndex, &kernel),
            blocks,
            &arguments,
        )?;
        Ok(out)
    };
    Some(run())
}

/// The gradient of scores of this shape.
pub(crate) fn nll_backward(
    shape: &[usize],
    grad: &Tensor,
    classes: Classes<'_>,
    reduced: Reduced,
) -> Option<Result<Tensor>> {
    let kernel = classes.kernel("nll_backward", grad)?;
    let total_kernel = classes.kernel("nll_weights", grad)?;
    let run = || {
        let (grad, of, on) = (contiguous(grad)?, targets(classes)?, grad.device());
        let weight = classes.weight.map(contiguous).transpose()?;
        let about = about(classes, &of, weight.as_ref())?;
        let total = match reduced {
            Reduced::Mean => Some(memory((), wide_type(grad.dtype()), on)?),
            Reduced::No | Reduced::Sum => None,
        };
        if let Some(total) = &total {
            let mut arguments = vec![Argument::U64(of.elem_count() as u64), Argument::Data(total)];
            arguments.extend(about);
            launch(on, (Module::AtIndex, &total_kernel), Grid::ONE, &arguments)?;
        }
        let out = memory(shape, grad.dtype(), on)?;
        let mut arguments = vec![
            Argument::U64(out.elem_count() as u64),
            Argument::Data(&out),
            Argument::Data(&grad),
        ];
        arguments.extend(about);
        arguments.push(total.as_ref().map_or(Argument::Absent, Argument::Data));
        arguments.push(Argument::U32((reduced == Reduced::No).into()));
        let blocks = Grid::over(out.elem_count());
        launch(on, (Module::AtIndex, &kernel), blocks, &arguments)?;
        Ok(out)
    };
    Some(run())
}

/// Rows added to zeros at their numbers, but not at `padding`; nothing on the host, or for other types.
pub(crate) fn rows_added(
    all: usize,
    padding: Option<usize>,
    [grad, rows]: [&Tensor; 2],
) -> Option<Result<Tensor>> {
    if !on_one_card(&[grad, rows]) || grad.elem_count() == 0 || rows.dtype() != DType::I64 {
        return None;
    }
    let kernel = format!("add_rows_{}", floats(grad.dtype())?);
    let run = || {
        let (grad, rows) = (contiguous(grad)?, contiguous(rows)?);
        let count = rows.elem_count();
        let width = grad.elem_count() / count;
        // Sums in the narrow type would lose what is added late.
        let out = Tensor::zeros((all, width), wide_type(grad.dtype()), grad.device())?;
        let arguments = [
            Argument::U64(count as u64),
            Argument::U32(narrow(width)?),
            Argument::I64(signed(all)),
            Argument::I64(padding.map_or(-1, signed)),
            Argument::Data(&out),
            Argument::Data(&rows),
            Argument::Data(&grad),
        ];
        let blocks = Grid {
            rows: 1,
            blocks: narrow(count.min(1 << 20))?,
            threads: narrow(width.next_multiple_of(32).clamp(32, 256))?,
        };
        launch(
            grad.device(),
            (Module::AtIndex, &kernel),
            blocks,
            &arguments,
        )?;
        out.to_dtype(grad.dtype())
    };
    Some(run())
}

fn targets(classes: Classes<'_>) -> Result<Tensor> {
    contiguous(&classes.of.to_dtype(DType::I64)?)
}

fn about<'a>(
    classes: Classes<'_>,
    of: &'a Tensor,
    weight: Option<&'a Tensor>,
) -> Result<[Argument<'a>; 5]> {
    Ok([
        Argument::Data(of),
        Argument::I64(classes.ignored),
        Argument::U32(narrow(classes.count)?),
        Argument::U32(narrow(classes.rest)?),
        weight.map_or(Argument::Absent, Argument::Data),
    ])
}

fn signed(it: usize) -> i64 {
    i64::try_from(it).unwrap_or(i64::MAX)
}
