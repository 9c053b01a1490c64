//! Elements in host memory, most of them `float32`, and loops over them that several threads share.

use super::threads::stay_awake;
use candle_core::{Device, Result, Storage, Tensor, WithDType};
use pulp::{Arch, NullaryFnOnce};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use std::mem::MaybeUninit;

/// Elements that a thread takes at a time; fewer are not worth another thread (PyTorch's `GRAIN_SIZE`).
pub(super) const GRAIN: usize = 1 << 15;

/// Pieces for each thread, so that one which has to wait does not hold up the rest.
const PIECES: usize = 4;

/// Gives the elements of tensors to a function; nothing if one of them is not contiguous `float32` on the host.
pub(super) fn of<const N: usize, R>(
    tensors: [&Tensor; N],
    work: impl FnOnce([&[f32]; N]) -> R,
) -> Option<R> {
    of_type(tensors, work)
}

/// The same for elements of any type.
pub(crate) fn of_type<T: WithDType, const N: usize, R>(
    tensors: [&Tensor; N],
    work: impl FnOnce([&[T]; N]) -> R,
) -> Option<R> {
    let (mut work, mut made) = (Some(work), None);
    with_elements(tensors, &mut |all| made = work.take().map(|work| work(all)));
    made
}

/// The tensors are read by a function that is compiled once for each type, and not for each `work`.
fn with_elements<T: WithDType, const N: usize>(
    tensors: [&Tensor; N],
    work: &mut dyn FnMut([&[T]; N]),
) -> Option<()> {
    let held = tensors.map(Tensor::storage_and_layout);
    let mut all: [&[T]; N] = [&[]; N];
    for (slot, (storage, layout)) in all.iter_mut().zip(&held) {
        let Storage::Cpu(elements) = &**storage else {
            return None;
        };
        let (start, end) = layout.contiguous_offsets()?;
        *slot = T::cpu_storage_as_slice(elements).ok()?.get(start..end)?;
    }
    work(all);
    Some(())
}

/// A tensor of these elements.
pub(crate) fn tensor<T: WithDType>(elements: Vec<T>, shape: &[usize]) -> Result<Tensor> {
    Tensor::from_vec(elements, shape, &Device::Cpu)
}

/// Runs a loop with the widest instructions of this processor.
#[inline]
pub(crate) fn wide<W: NullaryFnOnce>(work: W) -> W::Output {
    Arch::new().dispatch(work)
}

/// Elements that are cleared at a time, just before they are made: they are still in the nearest cache then.
const BLOCK: usize = 1024;

/// Fills a piece, given the number of its first element or row.
type Fill<'f, T> = &'f (dyn Fn(usize, &mut [T]) + Sync);

/// Elements of which each belongs to its position alone: so many at a time, from the number of the first one. `cost` is
/// how many elements one element counts for.
pub(crate) fn mapped<T: Copy + Default + Send>(
    count: usize,
    cost: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) -> Vec<T> {
    mapped_by(count, cost, &fill)
}

/// The loop itself, compiled once for each type of elements: with each of some 350 functions in it, the threads' machinery was
/// 4 of the worker's 11 MB of code.
///
/// Blocks are made where they stay. As values they were copied in some builds, and the copy took up to ten times as long as the
/// operation.
fn mapped_by<T: Copy + Default + Send>(count: usize, cost: usize, fill: Fill<'_, T>) -> Vec<T> {
    let mut out = Vec::with_capacity(count);
    if is_shared(count, cost) {
        let blocks_at_a_time = (GRAIN / cost.max(1)).div_ceil(BLOCK);
        let spare = out.spare_capacity_mut().get_mut(..count);
        spare
            .unwrap_or_default()
            .par_chunks_mut(BLOCK)
            .with_min_len(blocks_at_a_time)
            .enumerate()
            .for_each(|(at, block)| fill(at * BLOCK, cleared(block)));
        // SAFETY: the vector has room for `count` elements, and `cleared` has written each of them.
        #[expect(
            unsafe_code,
            reason = "memory that several threads fill has no safe way to become a vector"
        )]
        unsafe {
            out.set_len(count);
        }
        return out;
    }
    while out.len() < count {
        let start = out.len();
        out.resize(count.min(start + BLOCK), T::default());
        if let Some(block) = out.get_mut(start..) {
            fill(start, block);
        }
    }
    out
}

/// The same memory with elements in it.
fn cleared<T: Copy + Default>(block: &mut [MaybeUninit<T>]) -> &mut [T] {
    for it in block.iter_mut() {
        it.write(T::default());
    }
    // SAFETY: the loop has written all of them.
    #[expect(
        unsafe_code,
        reason = "the standard library's own loop for this is not stable yet"
    )]
    unsafe {
        block.assume_init_mut()
    }
}

/// Whether so many elements are worth several threads, which then stay awake for the next operation.
fn is_shared(count: usize, cost: usize) -> bool {
    let shared = count >= 2 * (GRAIN / cost.max(1)).max(1) && rayon::current_num_threads() > 1;
    if shared {
        stay_awake();
    }
    shared
}

/// Makes rows of this width, several at a time, from the number of the first one. `cost` is how many elements one
/// element counts for.
pub(crate) fn filled<T: Copy + Default + Send>(
    rows: usize,
    width: usize,
    cost: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) -> Vec<T> {
    let count = rows * width;
    let mut out = Vec::with_capacity(count);
    let spare = out.spare_capacity_mut().get_mut(..count);
    fill_rows_by(spare.unwrap_or_default(), width, cost, &|at, rows| {
        fill(at, cleared(rows));
    });
    // SAFETY: the vector has room for `count` elements, and `cleared` has written each of them.
    #[expect(
        unsafe_code,
        reason = "memory that several threads fill has no safe way to become a vector"
    )]
    unsafe {
        out.set_len(count);
    }
    out
}

/// The same into memory that is there.
pub(crate) fn fill_rows<T: Send>(
    out: &mut [T],
    width: usize,
    cost: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) {
    fill_rows_by(out, width, cost, &fill);
}

/// The loop itself, compiled once for each type of elements.
fn fill_rows_by<T: Send>(out: &mut [T], width: usize, cost: usize, fill: Fill<'_, T>) {
    let width = width.max(1);
    if !is_shared(out.len(), cost) {
        let rows = GRAIN.div_ceil(width);
        let pieces = out.chunks_mut(rows * width).enumerate();
        return pieces.for_each(|(at, part)| fill(at * rows, part));
    }
    let grain = (GRAIN / cost.max(1)).max(1);
    let piece = (out.len() / (rayon::current_num_threads() * PIECES)).max(grain);
    let rows = piece.div_ceil(width);
    out.par_chunks_mut(rows * width)
        .enumerate()
        .for_each(|(at, part)| fill(at * rows, part));
}

/// The part of a slice that belongs to so many elements from a position on.
pub(crate) fn part<T>(all: &[T], start: usize, len: usize) -> &[T] {
    all.get(start..start + len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    /// Counts up, by position in one and by row in the other.
    fn counted(count: usize) -> [Vec<f32>; 2] {
        let count_from = |start: usize, out: &mut [f32]| {
            for (at, it) in out.iter_mut().enumerate() {
                *it = (start + at) as f32;
            }
        };
        let by_rows = |first: usize, out: &mut [f32]| count_from(first * 7, out);
        [
            mapped(count * 7, 1, count_from),
            filled(count, 7, 1, by_rows),
        ]
    }

    #[test]
    fn every_element_is_made_once_whatever_the_number_of_threads() {
        for count in [0, 1, 146, 147, 5_000, 30_011] {
            let expected: Vec<f32> = (0..count * 7).map(|it| it as f32).collect();
            for threads in [1, 2, 5] {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                let made = pool.unwrap().install(|| counted(count));
                assert!(made.iter().all(|it| *it == expected), "{count} {threads}");
            }
        }
    }
}
