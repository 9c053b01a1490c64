//! Largest and smallest elements with candle's kernels, for values on a real card, where reading them would make
//! the host wait.
//!
//! Results may differ from the host's in the last bits, as they do between devices in PyTorch.

use super::host::KernelResult;
use candle_core::{DType as Stored, Tensor};

/// Which extreme a reduction looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extreme {
    Largest,
    Smallest,
}

/// The larger or smaller of two; NaN wins.
pub(crate) fn extreme(which: Extreme, a: &Tensor, b: &Tensor) -> KernelResult {
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), "extreme")?;
    let (a, b) = (a.broadcast_as(&shape)?, b.broadcast_as(&shape)?);
    let best = match which {
        Extreme::Largest => a.maximum(&b)?,
        Extreme::Smallest => a.minimum(&b)?,
    };
    // The kernels pass over NaN, which alone is not equal to itself.
    let best = a.ne(&a)?.where_cond(&a, &best)?;
    Ok(b.ne(&b)?.where_cond(&b, &best)?)
}

/// The extremes along dimensions, which stay with size 1; NaN wins.
pub(crate) fn extremes(which: Extreme, a: &Tensor, dims: &[usize]) -> KernelResult {
    let mut best = a.contiguous()?;
    let mut is_nan = a.ne(a)?;
    for dim in dims {
        best = match which {
            Extreme::Largest => best.max_keepdim(*dim)?,
            Extreme::Smallest => best.min_keepdim(*dim)?,
        };
        is_nan = is_nan.max_keepdim(*dim)?;
    }
    let nan = best.zeros_like()?.affine(0.0, f64::NAN)?;
    Ok(is_nan.where_cond(&nan, &best)?)
}

/// Positions of extremes along a dimension. Which of several equal ones is found is not fixed, as in PyTorch.
pub(crate) fn positions(which: Extreme, a: &Tensor, dim: usize) -> KernelResult {
    let a = a.contiguous()?;
    let found = match which {
        Extreme::Largest => a.argmax(dim)?,
        Extreme::Smallest => a.argmin(dim)?,
    };
    Ok(found.to_dtype(Stored::I64)?.flatten_all()?)
}
