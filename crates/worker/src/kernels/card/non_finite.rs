//! The check of many tensors for infinity and NaN, in one launch.

use super::launch::{Argument, Grid, Module, launch};
use super::many_tensors::{MOST, words};
use super::{floats, on_one_card};
use crate::kernels::fast::contiguous;
use candle_core::{DType, Result, Tensor};

/// 1 if an element of a tensor is infinite or NaN, else 0; nothing on the host, or for other types.
pub(crate) fn non_finite(tensors: &[&Tensor]) -> Option<Result<Tensor>> {
    let full: Vec<&Tensor> = tensors
        .iter()
        .copied()
        .filter(|it| it.elem_count() > 0)
        .collect();
    let first = *full.first()?;
    if !on_one_card(&full) || full.iter().any(|it| floats(it.dtype()).is_none()) {
        return None;
    }
    let made = || {
        let found = Tensor::zeros((), DType::F32, first.device())?;
        for dtype in [DType::F32, DType::F16, DType::BF16, DType::F64] {
            let own = full.iter().filter(|it| it.dtype() == dtype);
            let own: Vec<[Tensor; 1]> =
                own.map(|it| Ok([contiguous(it)?])).collect::<Result<_>>()?;
            for some in own.chunks(MOST) {
                note_non_finite(&found, some, dtype)?;
            }
        }
        Ok(found)
    };
    Some(made())
}

fn note_non_finite(found: &Tensor, tensors: &[[Tensor; 1]], dtype: DType) -> Result<()> {
    let count = |it: &[Tensor; 1]| it.iter().map(Tensor::elem_count).sum::<usize>();
    let largest = tensors.iter().map(count).max();
    let blocks = Grid {
        rows: u32::try_from(tensors.len()).unwrap_or(1),
        ..Grid::over(largest.unwrap_or(1).div_ceil(4))
    };
    let own = |it| (found, <[Tensor; 1]>::as_slice(it), [count(it) as f64, 0.0]);
    let words = words(tensors.iter().map(own))?;
    let kernel = format!("non_finite_many_{}", floats(dtype).unwrap_or_default());
    let kernel = (Module::ManyTensors, &*kernel);
    launch(found.device(), kernel, blocks, &[Argument::Words(&words)])
}
