//! Functions applied to each element or to pairs of elements, and the types that sums are made in.
//!
//! candle has kernels for few of them. The others are computed on 64 bits and converted afterwards.

use super::fast::pairs::{On64Bits, Unequal, compared, pairs};
use super::host::{Host, KernelResult, is_on_card};
use super::{card, fast};
use crate::dtype::DType;
use crate::error::TorchError;
use candle_core::{DType as Stored, Shape, Tensor, WithDType};

/// A function of each element, in the tensor's type.
pub(crate) fn map(host: &Host, a: &Tensor, f: impl Fn(f64) -> f64 + Sync) -> KernelResult {
    if !is_on_card(a)
        && let Some(made) = fast::map(&fast::contiguous(a)?, &f)
    {
        return Ok(made?);
    }
    let values: Vec<f64> = host.read_as(a, Stored::F64)?;
    let values: Vec<f64> = values.into_iter().map(f).collect();
    Ok(Tensor::from_vec(values, a.shape(), a.device())?.to_dtype(a.dtype())?)
}

/// A function of pairs of elements, broadcast, in the type of the first tensor.
pub(crate) fn zip(
    host: &Host,
    a: &Tensor,
    b: &Tensor,
    f: impl Fn(f64, f64) -> f64 + Sync,
) -> KernelResult {
    if let Some(made) = zip_here([a, b], &f)? {
        return Ok(made);
    }
    let (shape, pairs) = read_pairs(host, [a, b], Stored::F64)?;
    let values: Vec<f64> = pairs.map(|(a, b)| f(a, b)).collect();
    Ok(Tensor::from_vec(values, shape, a.device())?.to_dtype(a.dtype())?)
}

/// The same of `float32` on the host, in one pass.
fn zip_here(
    [a, b]: [&Tensor; 2],
    f: impl Fn(f64, f64) -> f64 + Sync,
) -> candle_core::Result<Option<Tensor>> {
    if [a, b]
        .iter()
        .any(|it| is_on_card(it) || it.dtype() != Stored::F32)
    {
        return Ok(None);
    }
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), "zip")?;
    let f = fast::pair_functions::OnWide(&f);
    let (a, b) = (fast::contiguous(a)?, fast::contiguous(b)?);
    if let Some(made) = fast::with_two(f, &a, &b) {
        return made.map(Some);
    }
    let wide = |it: &Tensor| fast::contiguous(&it.broadcast_as(&shape)?);
    fast::with_two(f, &wide(&a)?, &wide(&b)?).transpose()
}

/// A function of each element of an integer or bool tensor, on 64 bits.
///
/// candle panics on some of these functions and checks for overflow in the rest; PyTorch wraps around.
pub(crate) fn map_integers(
    host: &Host,
    a: &Tensor,
    dtype: DType,
    f: impl Fn(i64) -> i64 + Sync,
) -> KernelResult {
    if a.dtype() == dtype.stored() {
        let zero = Tensor::zeros((), a.dtype(), a.device())?;
        let each = On64Bits(|it, _| f(it));
        let made = pairs::<i64, _>(each, a, &zero)
            .or_else(|| pairs::<u8, _>(each, a, &zero))
            .or_else(|| pairs::<i32, _>(each, a, &zero))
            .or_else(|| pairs::<i16, _>(each, a, &zero));
        if let Some(made) = made {
            return Ok(made?);
        }
    }
    let values: Vec<i64> = host.read_as(a, Stored::I64)?;
    narrowed(values.into_iter().map(f).collect(), a, a.dims(), dtype)
}

/// A function of pairs of elements of integer or bool tensors, broadcast, on 64 bits.
pub(crate) fn zip_integers(
    host: &Host,
    a: &Tensor,
    b: &Tensor,
    dtype: DType,
    f: impl Fn(i64, i64) -> Result<i64, TorchError>,
) -> KernelResult {
    let (shape, pairs) = read_pairs(host, [a, b], Stored::I64)?;
    let values: Result<_, _> = pairs.map(|(a, b)| f(a, b)).collect();
    narrowed(values?, a, shape.dims(), dtype)
}

/// The pairs of elements of two tensors, broadcast and converted, and the shape that they have.
fn read_pairs<T: WithDType>(
    host: &Host,
    [a, b]: [&Tensor; 2],
    stored: Stored,
) -> candle_core::Result<(Shape, impl Iterator<Item = (T, T)>)> {
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), "zip")?;
    let wide = |it: &Tensor| host.read(&it.to_dtype(stored)?.broadcast_as(&shape)?);
    let (left, right): (Vec<T>, Vec<T>) = (wide(a)?, wide(b)?);
    Ok((shape, left.into_iter().zip(right)))
}

fn narrowed(values: Vec<i64>, like: &Tensor, shape: &[usize], dtype: DType) -> KernelResult {
    let values = Tensor::from_vec(values, shape, like.device())?;
    if dtype == DType::Bool {
        return to_bool(&values);
    }
    Ok(values.to_dtype(dtype.stored())?)
}

/// Which extreme a reduction looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extreme {
    Largest,
    Smallest,
}

/// The larger or smaller of two, by kernels of candle; NaN wins.
pub(crate) fn extreme_of_two(which: Extreme, a: &Tensor, b: &Tensor) -> KernelResult {
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

/// 1 where an element is not 0, which is how a bool tensor is stored.
pub(crate) fn to_bool(a: &Tensor) -> KernelResult {
    if let Some(made) = card::compared_with("ne", a, 0.0) {
        return Ok(made?);
    }
    let zero = Tensor::zeros((), a.dtype(), a.device())?;
    match compared(Unequal, a, &zero) {
        Some(made) => Ok(made?),
        None => Ok(a.ne(&a.zeros_like()?)?),
    }
}

/// Values in the range of their type, which is that of candle's but for `int8`: there they wrap around.
pub(crate) fn in_range(values: Tensor, dtype: DType) -> KernelResult {
    if dtype != DType::I8 || values.dtype() != candle_core::DType::I16 {
        return Ok(values);
    }
    let shape = values.shape().clone();
    let wide: Vec<i16> = values.flatten_all()?.to_vec1()?;
    let wrapped: Vec<i16> = wide.into_iter().map(|it| i16::from(it as i8)).collect();
    Ok(Tensor::from_vec(wrapped, shape, values.device())?)
}

/// A tensor with at least one dimension: a scalar becomes one element.
pub(crate) fn at_least_1d(a: &Tensor) -> KernelResult {
    Ok(if a.rank() == 0 {
        a.reshape(1)?
    } else {
        a.clone()
    })
}

/// The type that sums of such elements are made in: 16-bit floats would stop growing at 2048.
pub(crate) fn sum_type(a: &Tensor) -> Stored {
    if [Stored::F16, Stored::BF16].contains(&a.dtype()) {
        Stored::F32
    } else {
        a.dtype()
    }
}

/// `float64` for itself, `float32` for everything else.
pub(crate) fn at_least_float32(dtype: Stored) -> Stored {
    if dtype == Stored::F64 {
        Stored::F64
    } else {
        Stored::F32
    }
}
