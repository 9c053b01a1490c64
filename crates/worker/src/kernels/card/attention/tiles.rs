//! How the kernels of attention share out rows among blocks, and the memory that a block shares.

use crate::kernels::card::launch::{Grid, narrow};
use candle_core::{DType, Result};

/// A block has at most so many warps.
const MOST_WARPS: usize = 4;

/// A card has about so many multiprocessors: with fewer blocks some of them do nothing.
const ENOUGH_BLOCKS: usize = 128;

/// The sizes of all heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeadSizes {
    pub(super) dtype: DType,
    /// Of all batches.
    pub(super) count: usize,
    pub(super) queries: usize,
    pub(super) keys: usize,
    pub(super) width: usize,
    pub(super) value_width: usize,
}

/// What a kernel goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Forward,
    BackwardOfKeys,
    BackwardOfQueries,
}

/// The tiles of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiles {
    warps: usize,
    /// All blocks of a head.
    blocks: usize,
    /// How many blocks take the same rows, each for another result.
    of_same_rows: u32,
    /// Bytes that the threads of a block share.
    pub(super) shared: usize,
}

impl HeadSizes {
    /// A kernel's heads have at most so many numbers; nothing if none is for so many.
    pub(super) fn most_numbers(&self) -> Option<usize> {
        let widest = self.width.max(self.value_width);
        [64, 128, 256].into_iter().find(|it| widest <= *it)
    }

    pub(super) fn all_queries(&self) -> usize {
        self.count * self.queries
    }
}

impl Tiles {
    /// For these heads on a card whose blocks share at most so many bytes; nothing if a warp alone needs more.
    pub(super) fn of(pass: Pass, heads: &HeadSizes, limit: usize) -> Option<Self> {
        let numbers = heads.most_numbers()?;
        let (rows, step) = warp_sizes(pass, numbers, heads.dtype == DType::F32);
        // `apart` in `attention.cuh`.
        let row_bytes = numbers * heads.dtype.size_in_bytes() + 16;
        let (length, tiles, of_step) = match pass {
            Pass::Forward => (heads.queries, 1, 0),
            Pass::BackwardOfKeys => (heads.keys, 2, 16 * step),
            Pass::BackwardOfQueries => (heads.queries, 2, 0),
        };
        // Two tiles that are read, and two that come meanwhile.
        let shared = |warps: usize| (warps * rows * tiles + 4 * step) * row_bytes + of_step;
        let is_wide = pass == Pass::BackwardOfKeys && numbers == 256;
        let mut warps = MOST_WARPS;
        let blocks = |warps: usize| length.div_ceil(warps * rows);
        while warps > 1
            && (shared(warps) > limit
                || (warps - 1) * rows >= length
                || heads.count * blocks(warps) < ENOUGH_BLOCKS)
        {
            warps /= 2;
        }
        (shared(warps) <= limit).then(|| Self {
            warps,
            blocks: blocks(warps),
            of_same_rows: if is_wide { 2 } else { 1 },
            shared: shared(warps),
        })
    }

    pub(super) fn grid(&self, heads: usize) -> Result<Grid> {
        Ok(Grid {
            rows: self.of_same_rows,
            blocks: narrow(heads * self.blocks)?,
            threads: narrow(self.warps * 32)?,
        })
    }
}

/// The rows of a warp, and those of the tiles that they are multiplied by: `Sizes` in `attention.cuh`.
fn warp_sizes(pass: Pass, numbers: usize, is_float32: bool) -> (usize, usize) {
    let (mt, nt) = match (pass, is_float32, numbers) {
        (Pass::Forward, false, 64) => (2, 8),
        (Pass::Forward, false, 128) | (_, true, 64) => (2, 4),
        (Pass::Forward, true, 128) => (2, 2),
        (_, false, 64) => (1, 8),
        (Pass::Forward, false, _) | (_, false, 128) => (1, 4),
        (_, _, _) => (1, 2),
    };
    (mt * 16, nt * 8)
}

#[cfg(test)]
mod tests {
    use super::{HeadSizes, Pass, Tiles};
    use candle_core::DType;

    const KIB: usize = 1024;
    const PASSES: [Pass; 3] = [Pass::Forward, Pass::BackwardOfKeys, Pass::BackwardOfQueries];

    fn heads(dtype: DType, width: usize) -> HeadSizes {
        HeadSizes {
            dtype,
            count: 128,
            queries: 1024,
            keys: 1024,
            width,
            value_width: width,
        }
    }

    #[test]
    fn halves_of_any_width_fit_all_cards_but_the_widest_that_of_the_least_room() {
        let widest = heads(DType::F16, 256);
        assert_eq!(Tiles::of(Pass::Forward, &widest, 64 * KIB), None);
        for limit in [64 * KIB, 99 * KIB, 163 * KIB, 227 * KIB] {
            for width in [1, 64, 80, 128, 256] {
                if (limit, width) == (64 * KIB, 256) {
                    continue;
                }
                for pass in PASSES {
                    let tiles = Tiles::of(pass, &heads(DType::F16, width), limit).unwrap();
                    assert!(tiles.shared <= limit);
                }
            }
        }
    }

    #[test]
    fn a_kernel_that_does_not_fit_is_not_taken() {
        let wide = heads(DType::F32, 256);
        assert_eq!(Tiles::of(Pass::BackwardOfKeys, &wide, 64 * KIB), None);
        assert!(Tiles::of(Pass::BackwardOfKeys, &wide, 163 * KIB).is_some());
        assert_eq!(
            Tiles::of(Pass::Forward, &heads(DType::F16, 257), 227 * KIB),
            None
        );
    }

    #[test]
    fn few_rows_take_few_warps() {
        let one = HeadSizes {
            queries: 1,
            ..heads(DType::F16, 64)
        };
        let threads = |it: &HeadSizes| {
            let tiles = Tiles::of(Pass::Forward, it, 227 * KIB).unwrap();
            let grid = tiles.grid(it.count).unwrap();
            (grid.blocks, grid.threads)
        };
        assert_eq!(threads(&one), (128, 32));
        assert_eq!(threads(&heads(DType::F16, 64)), (1024, 128));
    }
}
