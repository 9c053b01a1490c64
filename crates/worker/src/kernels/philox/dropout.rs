//! Who gets which number in dropout's kernel, which reads and writes several neighbours at a time where it can.
//!
//! Source: `ATen/native/cuda/Dropout.cu`.

use super::words::uniform;
use super::{Draw, DrawShift, GROUP, Philox};
use crate::dtype::DType;

/// The numbers that are set aside for a launch of dropout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DropoutDraw {
    pub(crate) draw: Draw,
    /// How many neighbours a thread takes at a time; with 1, they are as far apart as there are threads.
    pub(crate) pack: u64,
    /// The probability to keep an element, in the precision that the kernel computes in.
    pub(crate) keep: f64,
}

impl DropoutDraw {
    /// Sets numbers aside for an input of so many elements, which lie side by side from `offset` on; nothing if they do not.
    pub(crate) fn of(
        generator: &mut Philox,
        (count, dtype, offset): (u64, DType, Option<u64>),
        keep: f64,
        most_blocks: u64,
    ) -> Self {
        let keep = if dtype == DType::F64 {
            keep
        } else {
            f64::from(keep as f32)
        };
        let pack = offset.map_or(1, |offset| pack(count, dtype, offset));
        let blocks = super::blocks(count, most_blocks);
        let from = if keep > 0.0 && count > 0 {
            let groups = (count - 1) / (blocks * super::BLOCK * GROUP) + 1;
            generator.advance(groups * GROUP)
        } else {
            // Nothing is drawn.
            *generator
        };
        let draw = Draw {
            from,
            count,
            blocks,
        };
        Self { draw, pack, keep }
    }
}

impl DropoutDraw {
    /// The same when a CUDA graph is replayed.
    pub(crate) fn moved(self, moved: DrawShift) -> Self {
        Self {
            draw: moved.draw(self.draw),
            ..self
        }
    }
}

/// How many neighbours fit into an access of 16 bytes, such that none are left over.
fn pack(count: u64, dtype: DType, offset: u64) -> u64 {
    let mut pack = 16 / dtype.size();
    while pack > 1 && (!count.is_multiple_of(pack) || !offset.is_multiple_of(pack)) {
        pack /= 2;
    }
    pack
}

/// The mask, in the order of the elements: 1 where one is kept.
pub(crate) fn kept(of: &DropoutDraw) -> Vec<u8> {
    let DropoutDraw { draw, pack, keep } = of;
    let threads = draw.threads();
    let is_kept = |element: u64| {
        let (thread, group, lane) = if *pack == 1 {
            let round = element % (threads * GROUP);
            let group = element / (threads * GROUP);
            (round % threads, group, round / threads)
        } else {
            let (chunk, within) = (element / pack, element % pack);
            let groups = pack.div_ceil(GROUP);
            let group = chunk / threads * groups + within / GROUP;
            (chunk % threads, group, within % GROUP)
        };
        let words = draw.from.group(thread, group);
        let word = words.get(lane as usize).copied().unwrap_or(0);
        u8::from(f64::from(uniform(word)) < *keep)
    };
    (0..draw.count).map(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(count: u64, dtype: DType, offset: Option<u64>) -> (DropoutDraw, Vec<u8>) {
        let mut generator = Philox::new(1);
        let draw = DropoutDraw::of(&mut generator, (count, dtype, offset), 0.5, 2);
        (draw, kept(&draw))
    }

    #[test]
    fn neighbours_of_an_access_share_a_group() {
        let (draw, made) = mask(4096, DType::F32, Some(0));
        assert_eq!(draw.pack, 4);
        let expected = |thread, group| {
            let words = Philox::new(1).group(thread, group);
            words.map(|it| u8::from(uniform(it) < 0.5)).to_vec()
        };
        assert_eq!(made[4..8], expected(1, 0));
        // Two blocks have 512 threads.
        assert_eq!(made[4 * 513..4 * 514], expected(1, 1));
        let (draw, made) = mask(64, DType::F16, Some(0));
        assert_eq!(draw.pack, 8);
        assert_eq!(made[8..12], expected(1, 0));
        assert_eq!(made[12..16], expected(1, 1));
    }

    #[test]
    fn what_is_left_over_or_lies_between_is_taken_one_by_one() {
        let pack = |count, offset| mask(count, DType::F32, offset).0.pack;
        assert_eq!(pack(7, Some(0)), 1);
        assert_eq!(pack(6, Some(0)), 2);
        assert_eq!(pack(8, Some(2)), 2);
        assert_eq!(pack(8, None), 1);
        let (_, made) = mask(1025, DType::F32, Some(0));
        let words = Philox::new(1).group(3, 0);
        assert_eq!(made[512 + 3], u8::from(uniform(words[1]) < 0.5));
    }

    #[test]
    fn nothing_is_drawn_where_nothing_is_kept() {
        let mut generator = Philox::new(1);
        let draw = DropoutDraw::of(&mut generator, (8, DType::F32, Some(0)), 0.0, 2);
        assert_eq!((generator.offset, kept(&draw)), (0, vec![0; 8]));
    }
}
