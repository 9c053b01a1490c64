//! Windows over the spatial dimensions of a tensor, for pooling. `card::pool` has the kernels for values on a card; here they are
//! read on the host.

use super::fast;
use super::host::{Host, KernelResult};
use candle_core::{DType as Stored, Tensor};

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
        rounded: RoundingMode,
    },
    /// So many, which divide the dimension among them.
    Adaptive(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoundingMode {
    Down,
    Up,
}

/// What the sum of a window is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Divisor {
    /// How many elements are in it.
    Inside,
    /// The same with those in the padding.
    WithPadding,
    Number(f64),
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
                    RoundingMode::Down => free / stride + 1,
                    RoundingMode::Up => {
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
    let size = fields.first().map_or(0, |it| it.inside.len());
    if fields.iter().all(|it| it.inside.len() == size) {
        let windows: Vec<usize> = fields.iter().flat_map(|it| it.inside.clone()).collect();
        if let Some(made) = fast::largest(input, (&windows, size), plane, shape) {
            return Ok(made?);
        }
    }
    let planes = input.elem_count() / plane.max(1);
    let mut found = vec![0; fields.len() * planes];
    // Every other type is exact in 64 bits.
    let values: Vec<f64> = host.read_as(input, Stored::F64)?;
    largest_of(&values, fields, plane, &mut found);
    Ok(Tensor::from_vec(found, shape, input.device())?)
}

fn largest_of(values: &[f64], fields: &[Field], plane: usize, found: &mut [i64]) {
    let found = found.chunks_mut(fields.len().max(1));
    for (found, plane) in found.zip(values.chunks(plane.max(1))) {
        for (found, field) in found.iter_mut().zip(fields) {
            let mut best: Option<(usize, f64)> = None;
            for at in &field.inside {
                let Some(value) = plane.get(*at) else {
                    continue;
                };
                if best.is_none_or(|(_, most)| *value > most || value.is_nan()) {
                    best = Some((*at, *value));
                }
            }
            *found = best.map_or(0, |(at, _)| at as i64);
        }
    }
}

/// The elements of each plane at positions of it.
pub(crate) fn taken(
    host: &Host,
    [input, positions]: [&Tensor; 2],
    plane: usize,
    shape: &[usize],
) -> KernelResult {
    if let Some(made) = fast::taken([input, positions], plane, shape) {
        return Ok(made?);
    }
    let positions: Vec<i64> = host.read(positions)?;
    let each = (positions.len() / (input.elem_count() / plane.max(1)).max(1)).max(1);
    let values: Vec<f64> = host.read_as(input, Stored::F64)?;
    let mut out = Vec::with_capacity(positions.len());
    for (plane, positions) in values.chunks(plane.max(1)).zip(positions.chunks(each)) {
        let at = |it: &i64| plane.get(*it as usize).copied().unwrap_or(f64::NAN);
        out.extend(positions.iter().map(at));
    }
    Ok(Tensor::from_vec(out, shape, input.device())?.to_dtype(input.dtype())?)
}

/// Adds the elements to zeros, each at its position of its plane.
pub(crate) fn put(
    host: &Host,
    [source, positions]: [&Tensor; 2],
    plane: usize,
    shape: &[usize],
) -> KernelResult {
    if let Some(made) = fast::put([source, positions], plane, shape) {
        return Ok(made?);
    }
    let positions: Vec<i64> = host.read(positions)?;
    let count: usize = shape.iter().product();
    let each = (source.elem_count() / (count / plane.max(1)).max(1)).max(1);
    let values: Vec<f64> = host.read_as(source, Stored::F64)?;
    let mut out = vec![0.0_f64; count];
    let pairs = values.chunks(each).zip(positions.chunks(each));
    for (plane, (values, positions)) in out.chunks_mut(plane.max(1)).zip(pairs) {
        for (value, at) in values.iter().zip(positions) {
            if let Some(sum) = plane.get_mut(*at as usize) {
                *sum += *value;
            }
        }
    }
    Ok(Tensor::from_vec(out, shape, source.device())?.to_dtype(source.dtype())?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    /// Where the largest elements are, those elements, and ones put back there.
    fn pooled(input: &Tensor, windows: &[Windows; 2]) -> [Vec<f64>; 3] {
        let (planes, sizes) = (input.dims()[0], [input.dims()[1], input.dims()[2]]);
        let host = Host::default();
        let fields = fields(windows, &sizes);
        let (plane, shape) = (sizes[0] * sizes[1], [planes, fields.len()]);
        let found = largest(&host, input, &fields, plane, &shape).unwrap();
        let values = taken(&host, [input, &found], plane, &shape).unwrap();
        let back = put(&host, [&values, &found], plane, input.dims()).unwrap();
        [found, values, back].map(|it| {
            let wide = it.to_dtype(Stored::F64).unwrap();
            wide.flatten_all().unwrap().to_vec1().unwrap()
        })
    }

    #[test]
    fn float32_is_pooled_as_float64_is() {
        let regular = |kernel, stride, padding, rounded| Windows::Regular {
            kernel,
            stride,
            padding,
            dilation: 1,
            rounded,
        };
        for (planes, height, width) in [(1, 2, 2), (5, 7, 6), (40, 28, 28)] {
            let count = planes * height * width;
            let mut all: Vec<f32> = (0..count).map(|it| (it * 37 % 19) as f32).collect();
            all[count / 2] = f32::NAN;
            let input = Tensor::from_vec(all, (planes, height, width), &Device::Cpu).unwrap();
            let exact = input.to_dtype(Stored::F64).unwrap();
            for windows in [
                [2, 2].map(|it| regular(it, it, 0, RoundingMode::Down)),
                [3, 2].map(|it| regular(it, 1, 1, RoundingMode::Up)),
                [Windows::Adaptive(2), Windows::Adaptive(1)],
            ] {
                let (ours, theirs) = (pooled(&input, &windows), pooled(&exact, &windows));
                for (ours, theirs) in ours.iter().zip(&theirs) {
                    let bits = |all: &[f64]| all.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(ours), bits(theirs), "{windows:?}");
                }
            }
        }
    }
}
