//! Softmax and norms over the last dimension, and their backward. A block takes a row.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{floats, on_one_card, wide_type};
use crate::kernels::fast::{self, contiguous};
use candle_core::{D, Result, Tensor};

/// A kernel over the elements of a dimension of tensors of one shape; nothing on the host, or for other types.
pub(crate) fn over_rows(name: &str, inputs: &[&Tensor], dim: usize) -> Option<Result<Tensor>> {
    let first = *inputs.first()?;
    let is_alike = |it: &&Tensor| it.dtype() == first.dtype() && it.shape() == first.shape();
    if !on_one_card(inputs) || first.rank() == 0 || !inputs.iter().all(is_alike) {
        return None;
    }
    let kernel = format!("{name}_{}", floats(first.dtype())?);
    let run = || {
        let rows = inputs
            .iter()
            .map(|it| contiguous(&it.transpose(dim, D::Minus1)?));
        let rows = rows.collect::<Result<Vec<_>>>()?;
        let shape = rows.first().map_or(first.shape(), |it| it.shape());
        let out = memory(shape, first.dtype(), first.device())?;
        let rows: Vec<&Tensor> = rows.iter().collect();
        let size = shape.dims().last().copied().unwrap_or(1);
        run_rows(&kernel, (out.elem_count() / size, size), &out, &rows, &[])?;
        contiguous(&out.transpose(dim, D::Minus1)?)
    };
    Some(run())
}

/// The normalized rows, times a weight, plus a bias; nothing on the host, or for other types.
pub(crate) fn norm(rows: fast::Rows, a: &Tensor, parameters: &[&Tensor]) -> Option<Result<Tensor>> {
    let kernel = kernel("norm", a, parameters)?;
    let run = || {
        let (a, weight, bias) = (contiguous(a)?, parameters.first(), parameters.get(1));
        let out = memory(a.shape(), a.dtype(), a.device())?;
        let (weight, bias) = (optional(weight)?, optional(bias)?);
        let rest = [
            data(weight.as_ref()),
            data(bias.as_ref()),
            centred(rows),
            eps(rows),
        ];
        run_rows(&kernel, shape(rows, &a), &out, &[&a], &rest)?;
        Ok(out)
    };
    Some(run())
}

/// The gradient of the input of a norm, from that of the result, the input, and the weight if there is one.
pub(crate) fn norm_backward(
    rows: fast::Rows,
    [grad, a]: [&Tensor; 2],
    weight: Option<&Tensor>,
) -> Option<Result<Tensor>> {
    let all: Vec<&Tensor> = [grad].into_iter().chain(weight).collect();
    let kernel = kernel("norm_backward", a, &all)?;
    let run = || {
        let (grad, a, weight) = (
            contiguous(grad)?,
            contiguous(a)?,
            optional(weight.as_ref())?,
        );
        let out = memory(a.shape(), a.dtype(), a.device())?;
        let rest = [data(weight.as_ref()), centred(rows), eps(rows)];
        run_rows(&kernel, shape(rows, &a), &out, &[&grad, &a], &rest)?;
        Ok(out)
    };
    Some(run())
}

/// The gradients of weight and bias, one behind the other, in the type that sums have.
pub(crate) fn norm_affine(rows: fast::Rows, [grad, a]: [&Tensor; 2]) -> Option<Result<Tensor>> {
    /// At most so many blocks share the rows of 32 columns; then their sums are added.
    const MOST_PARTS: usize = 64;
    let moments_kernel = kernel("norm_moments", a, &[grad])?;
    let kernel = kernel("norm_affine", a, &[grad])?;
    let run = || {
        let (grad, a) = (contiguous(grad)?, contiguous(a)?);
        let (count, width) = shape(rows, &a);
        let wide = wide_type(a.dtype());
        let moments = memory((count, 2), wide, a.device())?;
        let rest = [centred(rows), eps(rows)];
        run_rows(&moments_kernel, (count, width), &moments, &[&a], &rest)?;
        let parts = count.div_ceil(64).clamp(1, MOST_PARTS);
        let sums = memory((parts, 2 * width), wide, a.device())?;
        let blocks = Grid {
            rows: 1,
            blocks: narrow(width.div_ceil(32) * parts)?,
            threads: 256,
        };
        let arguments = [
            Argument::U64(count as u64),
            Argument::U32(narrow(width)?),
            Argument::U32(narrow(parts)?),
            Argument::Data(&sums),
            Argument::Data(&grad),
            Argument::Data(&a),
            Argument::Data(&moments),
        ];
        launch(a.device(), (Module::Rows, &kernel), blocks, &arguments)?;
        let sums = if parts == 1 { sums } else { sums.sum(0)? };
        sums.reshape((2, width))
    };
    Some(run())
}

/// The kernel for inputs of one type on a card.
fn kernel(name: &str, a: &Tensor, others: &[&Tensor]) -> Option<String> {
    let is_one_type = others.iter().all(|it| it.dtype() == a.dtype());
    let all: Vec<&Tensor> = [a].into_iter().chain(others.iter().copied()).collect();
    (is_one_type && on_one_card(&all) && a.elem_count() > 0)
        .then(|| Some(format!("{name}_{}", floats(a.dtype())?)))?
}

fn shape(rows: fast::Rows, a: &Tensor) -> (usize, usize) {
    (a.elem_count() / rows.width, rows.width)
}

fn optional(it: Option<&&Tensor>) -> Result<Option<Tensor>> {
    it.map(|it| contiguous(it)).transpose()
}

fn data(it: Option<&Tensor>) -> Argument<'_> {
    it.map_or(Argument::Absent, Argument::Data)
}

fn centred(rows: fast::Rows) -> Argument<'static> {
    Argument::U32(rows.centred.into())
}

fn eps(rows: fast::Rows) -> Argument<'static> {
    Argument::F64(rows.eps)
}

fn run_rows(
    kernel: &str,
    (rows, width): (usize, usize),
    out: &Tensor,
    inputs: &[&Tensor],
    rest: &[Argument<'_>],
) -> Result<()> {
    let mut arguments = vec![
        Argument::U64(rows as u64),
        Argument::U32(narrow(width)?),
        Argument::Data(out),
    ];
    arguments.extend(inputs.iter().map(|it| Argument::Data(it)));
    arguments.extend(rest);
    let blocks = Grid {
        rows: 1,
        blocks: narrow(rows.clamp(1, 1 << 20))?,
        // A thread for four elements, and whole warps.
        threads: narrow(width.div_ceil(4).next_multiple_of(32).clamp(32, 1024))?,
    };
    launch(out.device(), (Module::Rows, kernel), blocks, &arguments)
}
