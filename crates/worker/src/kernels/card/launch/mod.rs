//! Launches of our own kernels, and memory for their results.
//!
//! A kernel takes addresses. That they stay valid, and that nothing else reads a result before it is written, follows from
//! the one stream of a worker: memory is given out and taken back in its order.

use super::many_tensors;
use super::walk::Walk;
#[cfg(not(feature = "cuda"))]
use candle_core::{DType, Shape};
use candle_core::{Device, Error, Result, Tensor};

#[cfg(feature = "cuda")]
mod real;
#[cfg(feature = "cuda")]
pub(super) use real::{
    address_of, copy_bytes, fill_with_zeros, has_length, launch_now, launch_sharing, limits, memory,
};

/// A source of kernels in `vendor/candle-kernels/warpup`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Module {
    AtIndex,
    Attention,
    AttentionBackward,
    Channels,
    Choices,
    Creation,
    Elementwise,
    ManyTensors,
    Optimizers,
    Permutation,
    Pool,
    Positions,
    Random,
    Ranking,
    Reduction,
    Resample,
    Rows,
    Scan,
    StridedCopy,
}

/// What a kernel is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument<'a> {
    /// The address of the first element.
    Data(&'a Tensor),
    /// The address of an element, counted from the start of the memory in which a tensor lies.
    InMemoryOf(&'a Tensor, usize),
    /// The address of nothing.
    Absent,
    U32(u32),
    U64(u64),
    I64(i64),
    F64(f64),
    Walk(&'a Walk),
    /// Sizes that a kernel takes as one structure.
    Sizes(&'a [u32; 8]),
    /// A structure, whose members are of 64 bits together.
    Words(&'a [u64]),
}

/// What a card allows a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CardLimits {
    /// The first number of its compute capability.
    pub(super) capability: i32,
    /// Bytes that the threads of a block may share.
    pub(super) shared: usize,
}

/// How many rows of blocks, how many blocks in each, and how many threads in each of these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) rows: u32,
    pub(super) blocks: u32,
    pub(super) threads: u32,
}

impl Grid {
    /// One block, for sums over everything.
    pub(super) const ONE: Self = Self {
        rows: 1,
        blocks: 1,
        threads: 1024,
    };

    /// Threads of an ordinary block.
    const THREADS: u32 = 256;

    /// More blocks than any card runs at once; each thread goes on with further elements.
    const MOST_BLOCKS: u64 = 1 << 16;

    /// A block for each of so many rows, with so many threads if there may be as many.
    pub(super) fn of_rows(rows: usize, threads: usize) -> Result<Self> {
        let most = Self::THREADS as usize;
        Ok(Self {
            rows: 1,
            blocks: narrow(rows.clamp(1, 1 << 20))?,
            threads: narrow(threads.next_multiple_of(32).clamp(32, most))?,
        })
    }

    /// A thread for each of so many elements.
    pub(super) fn over(elements: usize) -> Self {
        let blocks = (elements as u64).div_ceil(Self::THREADS.into());
        let blocks = blocks.clamp(1, Self::MOST_BLOCKS);
        Self {
            rows: 1,
            blocks: u32::try_from(blocks).unwrap_or(1),
            threads: Self::THREADS,
        }
    }
}

/// A size as kernels take it.
pub(super) fn narrow(size: usize) -> Result<u32> {
    u32::try_from(size).map_err(Error::wrap)
}

/// Runs a kernel behind all that the stream has been given, and behind what waits for its launch.
pub(super) fn launch(
    on: &Device,
    kernel: (Module, &str),
    grid: Grid,
    arguments: &[Argument<'_>],
) -> Result<()> {
    many_tensors::flush()?;
    launch_now(on, kernel, grid, arguments)
}

#[cfg(not(feature = "cuda"))]
pub(super) fn launch_now(
    _on: &Device,
    _kernel: (Module, &str),
    _grid: Grid,
    _arguments: &[Argument<'_>],
) -> Result<()> {
    Err(Error::NotCompiledWithCudaSupport)
}

#[cfg(not(feature = "cuda"))]
pub(super) fn address_of(_tensor: &Tensor) -> Result<u64> {
    Err(Error::NotCompiledWithCudaSupport)
}

#[cfg(not(feature = "cuda"))]
pub(super) fn fill_with_zeros(_tensor: &Tensor) -> Result<()> {
    Err(Error::NotCompiledWithCudaSupport)
}

#[cfg(not(feature = "cuda"))]
pub(super) fn memory(_shape: impl Into<Shape>, _dtype: DType, _on: &Device) -> Result<Tensor> {
    Err(Error::NotCompiledWithCudaSupport)
}

#[cfg(not(feature = "cuda"))]
pub(super) fn launch_sharing(
    _on: &Device,
    _kernel: (Module, &str),
    _grid: (Grid, usize),
    _arguments: &[Argument<'_>],
) -> Result<()> {
    Err(Error::NotCompiledWithCudaSupport)
}

#[cfg(not(feature = "cuda"))]
pub(super) fn limits(_on: &Device) -> Result<CardLimits> {
    Err(Error::NotCompiledWithCudaSupport)
}

#[cfg(not(feature = "cuda"))]
pub(super) fn has_length(_tensor: &Tensor, _length: usize) -> bool {
    false
}
