//! Windows over the spatial dimensions of a tensor, for pooling. The values are read on the host.

use super::host::{Host, KernelResult};
use super::lanes::is_nan;
use candle_core::{DType as Stored, Tensor};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use std::ops::AddAssign;

/// The windows along one spatial dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Windows {
    /// As many as fit, a stride apart.
    Regular {
        kernel: usize,
        stride: usize,
        padding: usize,
        dilation: usize,
        /// How the number of windows is rounded: a last one may reach over the end (`ceil_mode`).
        rounded: Rounded,
    },
    /// So many, which divide the dimension among them.
    Adaptive(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounded {
    Down,
    Up,
}

/// One window along one dimension.
struct Window {
    /// The positions of the input in it.
    inside: Vec<usize>,
    /// How many positions it has with those in the padding.
    with_padding: usize,
}

impl Windows {
    /// How many windows there are on an input of this size.
    pub(crate) fn count(&self, size: usize) -> usize {
        match *self {
            Self::Adaptive(count) => count,
            Self::Regular {
                kernel,
                stride,
                padding,
                dilation,
                rounded,
            } => {
                let covered = dilation * kernel.saturating_sub(1) + 1;
                let Some(free) = (size + 2 * padding).checked_sub(covered) else {
                    return 0;
                };
                match rounded {
                    Rounded::Down => free / stride + 1,
                    Rounded::Up => {
                        let count = free.div_ceil(stride) + 1;
                        // The last one begins inside of the input or of the padding before it.
                        if (count - 1) * stride >= size + padding {
                            count - 1
                        } else {
                            count
                        }
                    }
                }
            }
        }
    }

    fn all(&self, size: usize) -> Vec<Window> {
        let window = |at: usize| match *self {
            Self::Adaptive(count) => {
                let (start, end) = (at * size / count, ((at + 1) * size).div_ceil(count));
                Window {
                    inside: (start..end).collect(),
                    with_padding: end - start,
                }
            }
            Self::Regular {
                kernel,
                stride,
                padding,
                dilation,
                ..
            } => {
                let places = (0..kernel).map(|it| at * stride + it * dilation);
                let inside = places.clone().filter_map(|it| it.checked_sub(padding));
                Window {
                    inside: inside.filter(|it| *it < size).collect(),
                    with_padding: places.filter(|it| *it < size + 2 * padding).count(),
                }
            }
        };
        (0..self.count(size)).map(window).collect()
    }
}

/// A window over all spatial dimensions: positions of the flattened plane, and their number with padding.
pub(crate) struct Field {
    pub(crate) inside: Vec<usize>,
    pub(crate) with_padding: usize,
}

/// All windows on planes of these sizes, in row-major order.
pub(crate) fn fields(windows: &[Windows], sizes: &[usize]) -> Vec<Field> {
    let mut fields = vec![Field {
        inside: vec![0],
        with_padding: 1,
    }];
    for (windows, size) in windows.iter().zip(sizes) {
        let along = windows.all(*size);
        let joined = |field: &Field| {
            let join = |it: &Window| {
                let rows = field.inside.iter();
                Field {
                    inside: rows
                        .flat_map(|row| it.inside.iter().map(move |at| row * size + at))
                        .collect(),
                    with_padding: field.with_padding * it.with_padding,
                }
            };
            along.iter().map(join).collect::<Vec<_>>()
        };
        fields = fields.iter().flat_map(joined).collect();
    }
    fields
}

/// Where the largest element of each window is, on its flattened plane; NaN is the largest.
pub(crate) fn largest(
    host: &Host,
    input: &Tensor,
    fields: &[Field],
    plane: usize,
    shape: &[usize],
) -> KernelResult {
    let planes = input.elem_count() / plane.max(1);
    let mut found = vec![0; fields.len() * planes];
    // Every other type is exact in 64 bits.
    if input.dtype() == Stored::F32 {
        largest_of(&host.read::<f32>(input)?, fields, plane, &mut found);
    } else {
        largest_of(
            &host.read_as::<f64>(input, Stored::F64)?,
            fields,
            plane,
            &mut found,
        );
    }
    Ok(Tensor::from_vec(found, shape, input.device())?)
}

fn largest_of<T: PartialOrd + Copy + Sync>(
    values: &[T],
    fields: &[Field],
    plane: usize,
    found: &mut [i64],
) {
    let found = found.par_chunks_mut(fields.len().max(1));
    let planes = values.par_chunks(plane.max(1));
    found.zip(planes).for_each(|(found, plane)| {
        for (found, field) in found.iter_mut().zip(fields) {
            let mut best: Option<(usize, T)> = None;
            for at in &field.inside {
                let Some(value) = plane.get(*at) else {
                    continue;
                };
                if best.is_none_or(|(_, most)| *value > most || is_nan(value)) {
                    best = Some((*at, *value));
                }
            }
            *found = best.map_or(0, |(at, _)| at as i64);
        }
    });
}

/// The elements of each plane at positions of it.
pub(crate) fn taken(
    host: &Host,
    [input, positions]: [&Tensor; 2],
    plane: usize,
    shape: &[usize],
) -> KernelResult {
    let positions: Vec<i64> = host.read(positions)?;
    let each = (positions.len() / (input.elem_count() / plane.max(1)).max(1)).max(1);
    if input.dtype() == Stored::F32 {
        let taken = taken_from(
            &host.read::<f32>(input)?,
            &positions,
            (plane, each),
            f32::NAN,
        );
        return Ok(Tensor::from_vec(taken, shape, input.device())?);
    }
    let values: Vec<f64> = host.read_as(input, Stored::F64)?;
    let taken = taken_from(&values, &positions, (plane, each), f64::NAN);
    Ok(Tensor::from_vec(taken, shape, input.device())?.to_dtype(input.dtype())?)
}

/// Elements of planes of one size, so many of each plane.
fn taken_from<T: Copy>(
    values: &[T],
    positions: &[i64],
    (plane, each): (usize, usize),
    none: T,
) -> Vec<T> {
    let mut out = Vec::with_capacity(positions.len());
    let planes = values.chunks(plane.max(1));
    for (plane, positions) in planes.zip(positions.chunks(each)) {
        let at = |it: &i64| plane.get(*it as usize).copied().unwrap_or(none);
        out.extend(positions.iter().map(at));
    }
    out
}

/// Adds the elements to zeros, each at its position of its plane.
pub(crate) fn put(
    host: &Host,
    [source, positions]: [&Tensor; 2],
    plane: usize,
    shape: &[usize],
) -> KernelResult {
    let positions: Vec<i64> = host.read(positions)?;
    let count: usize = shape.iter().product();
    let each = (source.elem_count() / (count / plane.max(1)).max(1)).max(1);
    if source.dtype() == Stored::F32 {
        let mut out = vec![0.0_f32; count];
        add_at(
            &host.read::<f32>(source)?,
            &positions,
            (plane, each),
            &mut out,
        );
        return Ok(Tensor::from_vec(out, shape, source.device())?);
    }
    let mut out = vec![0.0_f64; count];
    let values: Vec<f64> = host.read_as(source, Stored::F64)?;
    add_at(&values, &positions, (plane, each), &mut out);
    Ok(Tensor::from_vec(out, shape, source.device())?.to_dtype(source.dtype())?)
}

/// Adds elements at their positions of planes of one size, so many to each plane.
fn add_at<T: Copy + AddAssign>(
    values: &[T],
    positions: &[i64],
    (plane, each): (usize, usize),
    out: &mut [T],
) {
    let pairs = values.chunks(each).zip(positions.chunks(each));
    for (plane, (values, positions)) in out.chunks_mut(plane.max(1)).zip(pairs) {
        for (value, at) in values.iter().zip(positions) {
            if let Some(sum) = plane.get_mut(*at as usize) {
                *sum += *value;
            }
        }
    }
}

/// The sum of each window over its divisor.
pub(crate) fn means(
    host: &Host,
    input: &Tensor,
    fields: &[(Field, f64)],
    plane: usize,
    shape: &[usize],
) -> KernelResult {
    let values: Vec<f64> = host.read_as(input, Stored::F64)?;
    let mut out = Vec::with_capacity(shape.iter().product());
    for plane in values.chunks(plane.max(1)) {
        for (field, divisor) in fields {
            let inside = field.inside.iter().filter_map(|at| plane.get(*at));
            out.push(inside.sum::<f64>() / divisor);
        }
    }
    Ok(Tensor::from_vec(out, shape, input.device())?.to_dtype(input.dtype())?)
}

/// Distributes each element over its window: the transpose of [`means`].
pub(crate) fn spread(
    host: &Host,
    grad: &Tensor,
    fields: &[(Field, f64)],
    plane: usize,
    shape: &[usize],
) -> KernelResult {
    let values: Vec<f64> = host.read_as(grad, Stored::F64)?;
    let mut out = vec![0.0; shape.iter().product()];
    let pairs = values.chunks(fields.len().max(1));
    for (plane, values) in out.chunks_mut(plane.max(1)).zip(pairs) {
        for ((field, divisor), value) in fields.iter().zip(values) {
            for at in &field.inside {
                if let Some(sum) = plane.get_mut(*at) {
                    *sum += value / divisor;
                }
            }
        }
    }
    Ok(Tensor::from_vec(out, shape, grad.device())?.to_dtype(grad.dtype())?)
}
