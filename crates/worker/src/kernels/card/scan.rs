//! Sums and products up to each element along a dimension.

use super::launch::{Argument, Grid, Module, launch, memory, narrow};
use super::{on_one_card, suffix};
use crate::kernels::fast::contiguous;
use candle_core::{DType, Result, Tensor};

/// What is made of the elements up to each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Running {
    Sum,
    Product,
}

/// Totals along a dimension, of whole numbers in 64 bits; nothing on the host, or for other types.
pub(crate) fn running(of: Running, a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    if !on_one_card(&[a]) {
        return None;
    }
    let name = match of {
        Running::Sum => "sum",
        Running::Product => "product",
    };
    let kernel = format!("scan_{name}_{}", suffix(a.dtype())?);
    let count = *a.dims().get(dim)?;
    let inner: usize = a.dims().iter().skip(dim + 1).product();
    let made = || {
        let a = contiguous(a)?;
        let to = if a.dtype().is_float() {
            a.dtype()
        } else {
            DType::I64
        };
        let out = memory(a.shape(), to, a.device())?;
        let outer = a.elem_count() / (count * inner);
        let arguments = [
            Argument::U32(narrow(outer)?),
            Argument::U32(narrow(count)?),
            Argument::U32(narrow(inner)?),
            Argument::Data(&out),
            Argument::Data(&a),
        ];
        let grid = if inner == 1 {
            Grid::of_rows(outer, count.div_ceil(4))?
        } else {
            Grid::over(outer * inner)
        };
        launch(a.device(), (Module::Scan, &kernel), grid, &arguments)?;
        Ok(out)
    };
    Some(made())
}
