//! The largest elements of windows over planes: where they are, what they are, and gradients put back there.

use super::floats::{fill_rows, filled, of, part, tensor, wide};
use candle_core::{CpuStorage, Device, Result, Storage, Tensor};
use pulp::NullaryFnOnce;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Planes that a thread takes at a time.
const PLANES: usize = 8;

/// Gives elements and positions to a function; nothing if they are of other types or not contiguous on the host.
fn with_positions<R>(
    [values, positions]: [&Tensor; 2],
    work: impl FnOnce(&[f32], &[i64]) -> R,
) -> Option<R> {
    let (storage, layout) = positions.storage_and_layout();
    let Storage::Cpu(CpuStorage::I64(all)) = &*storage else {
        return None;
    };
    let (start, end) = layout.contiguous_offsets()?;
    let positions = all.get(start..end)?;
    of([values], |[values]| work(values, positions))
}

/// The windows on one plane.
struct OnPlane<'a> {
    elements: &'a [f32],
    /// The positions of each window, one window after the other, and how many a window has.
    windows: &'a [usize],
    size: usize,
    found: &'a mut [i64],
}

impl NullaryFnOnce for OnPlane<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let windows = self.windows.chunks_exact(self.size);
        for (found, window) in self.found.iter_mut().zip(windows) {
            let (mut most, mut place) = (f32::NEG_INFINITY, None);
            for at in window {
                let value = self.elements.get(*at).copied().unwrap_or(f32::NAN);
                // NaN is the largest, and the last one counts, as in PyTorch.
                let is_larger = value > most || value.is_nan() || place.is_none();
                most = if is_larger { value } else { most };
                place = if is_larger { Some(*at) } else { place };
            }
            *found = place.map_or(0, |it| it as i64);
        }
    }
}

/// Where the largest element of each window is on its plane. All windows have this size.
pub(crate) fn largest(
    input: &Tensor,
    (windows, size): (&[usize], usize),
    plane: usize,
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let count = windows.len() / size.max(1);
    if count * plane == 0 {
        return None;
    }
    of([input], |[input]| {
        let mut found = vec![0_i64; input.len() / plane * count];
        found
            .par_chunks_exact_mut(count)
            .zip(input.par_chunks_exact(plane))
            .with_min_len(PLANES)
            .for_each(|(found, elements)| {
                wide(OnPlane {
                    elements,
                    windows,
                    size,
                    found,
                });
            });
        Tensor::from_vec(found, shape, &Device::Cpu)
    })
}

/// The elements of each plane at positions of it.
pub(crate) fn taken(pair: [&Tensor; 2], plane: usize, shape: &[usize]) -> Option<Result<Tensor>> {
    let plane = plane.max(1);
    let made = with_positions(pair, |values, positions| {
        let planes = values.len() / plane;
        let each = positions.len() / planes.max(1);
        filled(planes, each, 2, |first, out| {
            let planes = values.chunks_exact(plane).skip(first);
            let positions = positions.chunks_exact(each.max(1)).skip(first);
            let rows = out.chunks_exact_mut(each.max(1)).zip(positions);
            for ((out, positions), plane) in rows.zip(planes) {
                for (out, at) in out.iter_mut().zip(positions) {
                    *out = plane.get(*at as usize).copied().unwrap_or(f32::NAN);
                }
            }
        })
    })?;
    Some(tensor(made, shape))
}

/// Adds elements to planes of zeros, each at its position.
pub(crate) fn put(pair: [&Tensor; 2], plane: usize, shape: &[usize]) -> Option<Result<Tensor>> {
    let count: usize = shape.iter().product();
    let plane = plane.max(1);
    let made = with_positions(pair, |values, positions| {
        let each = values.len() / (count / plane).max(1);
        let mut out = vec![0.0; count];
        fill_rows(&mut out, plane, 1, |first, out| {
            let len = out.len() / plane * each;
            let values = part(values, first * each, len).chunks_exact(each.max(1));
            let positions = positions.chunks_exact(each.max(1)).skip(first);
            for ((plane, values), positions) in
                out.chunks_exact_mut(plane).zip(values).zip(positions)
            {
                for (value, at) in values.iter().zip(positions) {
                    if let Some(sum) = plane.get_mut(*at as usize) {
                        *sum += value;
                    }
                }
            }
        });
        out
    })?;
    Some(tensor(made, shape))
}
