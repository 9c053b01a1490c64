//! Random numbers of a card, as PyTorch draws them there: Philox4x32-10 of cuRAND, number for number.
//!
//! A generator of a card is a seed and an offset. Each thread of a kernel has a sequence of numbers of its own and begins at
//! the offset, so which number an element gets follows from how many threads the card runs at once. Here are the numbers
//! and who gets which; `kernels::card` has the kernels for a real card, and the functions of this module do the same on the
//! host for a modelled one.
//!
//! Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011; cuRAND's documentation;
//! `ATen/native/cuda/DistributionTemplates.h` and `ATen/cuda/CUDAGeneratorImpl.cpp`.

mod dropout;
mod permutation;
mod sample;
mod values;
mod words;

pub(crate) use dropout::{DropoutDraw, kept};
pub(crate) use permutation::Shuffle;
pub(crate) use sample::{Distribution, Sample, is_wide, range, whole_range};
pub(crate) use values::values;

/// Threads of a block of the kernels that draw.
pub(crate) const BLOCK: u64 = 256;

/// Numbers of 32 bits that Philox makes at a time. Offsets count numbers, and are whole multiples of it.
const GROUP: u64 = 4;

/// A generator of a card (`torch.Generator(device="cuda")`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Philox {
    pub(crate) seed: u64,
    /// How many numbers of each thread are used.
    pub(crate) offset: u64,
}

impl Philox {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, offset: 0 }
    }

    /// Moves on by so many numbers of each thread, in whole groups; returns where it was.
    pub(crate) fn advance(&mut self, numbers: u64) -> Self {
        let before = *self;
        let numbers = numbers.div_ceil(GROUP).wrapping_mul(GROUP);
        self.offset = self.offset.wrapping_add(numbers);
        before
    }

    /// A group of numbers of a thread, counted from the offset.
    pub(crate) fn group(self, thread: u64, group: u64) -> [u32; 4] {
        let at = (self.offset / GROUP).wrapping_add(group);
        let [low, high] = halves(at);
        let [thread_low, thread_high] = halves(thread);
        rounds([low, high, thread_low, thread_high], halves(self.seed))
    }

    /// Sets aside the numbers of a kernel that fills memory, for each of the launches that PyTorch makes for it: one
    /// that has to count in more than 31 bits is split into halves. `bytes` is the size of an element, and `each` how
    /// many elements a group of numbers makes.
    pub(crate) fn fill(
        &mut self,
        count: u64,
        (bytes, each): (u64, u64),
        most_blocks: u64,
    ) -> Vec<Draw> {
        if count == 0 {
            return Vec::new();
        }
        let blocks = blocks(count, most_blocks);
        let groups = (count - 1) / (blocks * BLOCK * each) + 1;
        let from = self.advance(groups * GROUP);
        if count.saturating_mul(bytes) > 1 << 31 {
            let half = count / 2;
            let mut halves = self.fill(half, (bytes, each), most_blocks);
            halves.extend(self.fill(count - half, (bytes, each), most_blocks));
            return halves;
        }
        vec![Draw {
            from,
            count,
            blocks,
        }]
    }
}

/// What a CUDA graph draws from when it is replayed: the numbers after those that were used since it was captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DrawShift {
    /// The generator when the capture began.
    pub(crate) captured: Philox,
    /// The generator now.
    pub(crate) now: Philox,
}

impl DrawShift {
    /// A place in the sequence as it is in this replay.
    pub(crate) fn place(self, captured: Philox) -> Philox {
        Philox {
            seed: self.now.seed,
            offset: captured.offset.wrapping_add(self.numbers()),
        }
    }

    /// What was set aside for a launch, as it is in this replay.
    pub(crate) fn draw(self, captured: Draw) -> Draw {
        Draw {
            from: self.place(captured.from),
            ..captured
        }
    }

    /// How far the generator has moved on.
    pub(crate) fn numbers(self) -> u64 {
        self.now.offset.wrapping_sub(self.captured.offset)
    }
}

/// How many blocks draw for so many elements, on a card that runs `most` at once.
fn blocks(count: u64, most: u64) -> u64 {
    count.div_ceil(BLOCK).clamp(1, most.max(1))
}

/// The numbers that are set aside for one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Draw {
    /// The generator at the launch.
    pub(crate) from: Philox,
    /// The elements to fill.
    pub(crate) count: u64,
    pub(crate) blocks: u64,
}

impl Draw {
    fn threads(&self) -> u64 {
        self.blocks * BLOCK
    }
}

/// The lower and the upper half.
fn halves(it: u64) -> [u32; 2] {
    [it as u32, (it >> 32) as u32]
}

/// Ten rounds of Philox4x32 over a counter.
fn rounds(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let [a, b, c, d] = counter;
        let [low, high] = halves(u64::from(a) * 0xd251_1f53);
        let [other_low, other_high] = halves(u64::from(c) * 0xcd9e_8d57);
        let [first, second] = key;
        counter = [other_high ^ b ^ first, other_low, high ^ d ^ second, low];
        key = [
            first.wrapping_add(0x9e37_79b9),
            second.wrapping_add(0xbb67_ae85),
        ];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_random123() {
        // The known answers of Random123, the library of the paper.
        assert_eq!(
            rounds([0; 4], [0; 2]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            rounds([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            rounds(
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn a_generator_moves_on_by_what_a_thread_draws() {
        let moved = |count, each| {
            let mut generator = Philox::new(0);
            generator.fill(count, (4, each), 1056);
            generator.offset
        };
        assert_eq!(moved(0, 4), 0);
        assert_eq!(moved(1, 4), 4);
        assert_eq!(moved(1056 * 256 * 4, 4), 4);
        assert_eq!(moved(1056 * 256 * 4 + 1, 4), 8);
        assert_eq!(moved(1056 * 256 * 4 + 1, 2), 12);
        let mut generator = Philox::new(0);
        assert_eq!(generator.advance(10).offset, 0);
        assert_eq!(generator.offset, 12);
    }

    #[test]
    fn a_launch_that_counts_in_more_than_31_bits_is_split() {
        let mut generator = Philox::new(0);
        let draws = generator.fill((1 << 29) + 2, (4, 4), 1056);
        let counts: Vec<u64> = draws.iter().map(|it| it.count).collect();
        assert_eq!(counts, [(1 << 28) + 1, (1 << 28) + 1]);
        // The offset of the launch that was split is used up.
        let [first, second] = [0, 1].map(|at: usize| draws.get(at).map(|it| it.from.offset));
        assert!(first > Some(0) && second > first);
    }
}
