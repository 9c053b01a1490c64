//! A caching allocator as PyTorch's, over a card's memory: rounding, segments, best fit, splitting,
//! joining, and what is live against what is reserved.
//!
//! Only sizes are kept; there is no memory behind it. The rules and constants are those of PyTorch's
//! `CUDACachingAllocator` documentation: requests round up to 512 bytes, small ones come out of 2 MiB
//! segments, middle ones out of 20 MiB segments, large ones get segments of whole 2 MiB.

use std::collections::BTreeMap;

const ROUND: u64 = 512;
const SMALL: u64 = 1 << 20;
const SMALL_SEGMENT: u64 = 2 << 20;
const LARGE_SEGMENT: u64 = 20 << 20;
const LARGE_FROM: u64 = 10 << 20;
const LARGE_ROUND: u64 = 2 << 20;

/// The allocator of one card.
#[derive(Clone, Debug)]
pub struct Pool {
    capacity: u64,
    /// Whether more is given out than there is.
    overcommits: bool,
    segments: BTreeMap<u64, Segment>,
    next_segment: u64,
    counts: Counts,
}

/// What the allocator holds, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Given out to tensors.
    pub live: u64,
    /// Held from the card.
    pub reserved: u64,
    /// The most that was live.
    pub peak_live: u64,
    /// The most that was reserved.
    pub peak_reserved: u64,
}

/// One piece of memory given out; give it back with [`Pool::free`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    segment: u64,
    offset: u64,
    size: u64,
}

#[derive(Clone, Debug)]
struct Segment {
    size: u64,
    small: bool,
    /// Offset to size of the free parts.
    free: BTreeMap<u64, u64>,
}

impl Block {
    /// Its bytes, rounding included.
    pub fn size(self) -> u64 {
        self.size
    }
}

/// The card has not enough memory left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// What was asked for.
    pub asked: u64,
    /// What the card still has outside the pool.
    pub free: u64,
    /// What the pool holds.
    pub counts: Counts,
}

impl Pool {
    /// An empty pool over this many bytes.
    pub fn new(capacity: u64) -> Self {
        Self {
            capacity,
            overcommits: false,
            segments: BTreeMap::new(),
            next_segment: 0,
            counts: Counts::default(),
        }
    }

    /// The same pool, from now on one that gives out more than there is: a plan wants to know how much.
    pub fn overcommit(&mut self) {
        self.overcommits = true;
    }

    /// What it holds.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Bytes of the card that the pool does not hold.
    pub fn free_on_card(&self) -> u64 {
        self.capacity.saturating_sub(self.counts.reserved)
    }

    /// Whether it holds more than the card has.
    pub fn is_overfull(&self) -> bool {
        self.counts.reserved > self.capacity
    }

    /// Sets the high marks to what is held now.
    pub fn reset_peaks(&mut self) {
        self.counts.peak_live = self.counts.live;
        self.counts.peak_reserved = self.counts.reserved;
    }

    /// Gives out memory, from a cached segment if one fits.
    pub fn alloc(&mut self, bytes: u64) -> Result<Block, Exhausted> {
        let exhausted = |pool: &Self| Exhausted {
            asked: bytes,
            free: pool.free_on_card(),
            counts: pool.counts,
        };
        let Some(size) = bytes.max(1).checked_next_multiple_of(ROUND) else {
            return Err(exhausted(self));
        };
        let block = match self.best_fit(size) {
            Some(found) => found,
            None => {
                if !self.grow(size, self.free_on_card()) {
                    // As PyTorch does: cached segments go back to the card before it gives up.
                    self.empty_cache();
                    let most = if self.overcommits {
                        u64::MAX
                    } else {
                        self.free_on_card()
                    };
                    if !self.grow(size, most) {
                        return Err(exhausted(self));
                    }
                }
                self.best_fit(size).ok_or_else(|| exhausted(self))?
            }
        };
        self.counts.live += block.size;
        self.counts.peak_live = self.counts.peak_live.max(self.counts.live);
        Ok(block)
    }

    /// Takes memory back; the segment stays cached.
    pub fn free(&mut self, block: Block) {
        self.counts.live -= block.size;
        let Some(segment) = self.segments.get_mut(&block.segment) else {
            return;
        };
        let mut start = block.offset;
        let mut size = block.size;
        if let Some(after) = segment.free.remove(&(start + size)) {
            size += after;
        }
        if let Some((&before, &length)) = segment.free.range(..start).next_back()
            && before + length == start
        {
            segment.free.remove(&before);
            start = before;
            size += length;
        }
        segment.free.insert(start, size);
    }

    /// Gives segments that hold nothing back to the card.
    pub fn empty_cache(&mut self) {
        let reserved = &mut self.counts.reserved;
        self.segments.retain(|_, segment| {
            let idle = segment.free.get(&0) == Some(&segment.size);
            if idle {
                *reserved -= segment.size;
            }
            !idle
        });
    }

    fn best_fit(&mut self, size: u64) -> Option<Block> {
        let small = size <= SMALL;
        let (free, id, offset) = self
            .segments
            .iter()
            .filter(|(_, segment)| segment.small == small)
            .flat_map(|(id, segment)| segment.free.iter().map(move |(at, free)| (*free, *id, *at)))
            .filter(|(free, ..)| *free >= size)
            .min()?;
        let segment = self.segments.get_mut(&id)?;
        segment.free.remove(&offset);
        let rest = free - size;
        let splits = if small { rest >= ROUND } else { rest > SMALL };
        if splits {
            segment.free.insert(offset + size, rest);
        }
        Some(Block {
            segment: id,
            offset,
            size: if splits { size } else { free },
        })
    }

    /// Gets a segment of the card for so much, if it needs no more than `most`.
    fn grow(&mut self, size: u64, most: u64) -> bool {
        let segment = if size <= SMALL {
            SMALL_SEGMENT
        } else if size < LARGE_FROM {
            LARGE_SEGMENT
        } else {
            match size.checked_next_multiple_of(LARGE_ROUND) {
                Some(rounded) => rounded,
                None => return false,
            }
        };
        if segment > most {
            return false;
        }
        let free = BTreeMap::from([(0, segment)]);
        let small = size <= SMALL;
        self.segments.insert(
            self.next_segment,
            Segment {
                size: segment,
                small,
                free,
            },
        );
        self.next_segment += 1;
        self.counts.reserved += segment;
        self.counts.peak_reserved = self.counts.peak_reserved.max(self.counts.reserved);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_small_tensor_is_rounded_up_and_takes_a_whole_segment() {
        let mut pool = Pool::new(100 * MIB);
        pool.alloc(24).unwrap();
        assert_eq!((pool.counts().live, pool.counts().reserved), (512, 2 * MIB));
    }

    #[test]
    fn freed_memory_stays_reserved_until_the_cache_is_emptied() {
        let mut pool = Pool::new(100 * MIB);
        let block = pool.alloc(30 * MIB).unwrap();
        pool.free(block);
        assert_eq!((pool.counts().live, pool.counts().reserved), (0, 30 * MIB));
        assert_eq!(pool.alloc(30 * MIB).unwrap(), block);
        pool.free(block);
        pool.empty_cache();
        assert_eq!(pool.counts().reserved, 0);
    }

    #[test]
    fn too_much_says_what_was_asked_for_and_what_is_left() {
        let mut pool = Pool::new(40 * MIB);
        pool.alloc(30 * MIB).unwrap();
        let refusal = pool.alloc(20 * MIB).unwrap_err();
        assert_eq!((refusal.asked, refusal.free), (20 * MIB, 10 * MIB));
        assert_eq!(refusal.counts.live, 30 * MIB);
    }

    #[test]
    fn cached_segments_are_given_back_before_giving_up() {
        let mut pool = Pool::new(40 * MIB);
        let block = pool.alloc(30 * MIB).unwrap();
        pool.free(block);
        assert!(pool.alloc(36 * MIB).is_ok());
    }

    #[test]
    fn a_pool_that_overcommits_gives_its_cache_back_first_and_then_more_than_there_is() {
        let mut pool = Pool::new(40 * MIB);
        pool.overcommit();
        let block = pool.alloc(30 * MIB).unwrap();
        pool.free(block);
        let _held = pool.alloc(36 * MIB).unwrap();
        assert_eq!(pool.counts().reserved, 36 * MIB);
        let _more = pool.alloc(30 * MIB).unwrap();
        assert_eq!((pool.counts().reserved, pool.free_on_card()), (66 * MIB, 0));
    }

    proptest! {
        #[test]
        fn what_was_given_out_comes_back(
            steps in prop::collection::vec((any::<bool>(), 0_u64..40 * MIB), 1..60),
        ) {
            let mut pool = Pool::new(200 * MIB);
            let mut held = Vec::new();
            for (frees, size) in steps {
                if frees && !held.is_empty() {
                    pool.free(held.swap_remove(size as usize % held.len()));
                } else if let Ok(block) = pool.alloc(size) {
                    held.push(block);
                }
                let live: u64 = held.iter().map(|it| it.size).sum();
                prop_assert_eq!(pool.counts().live, live);
                prop_assert!(pool.counts().reserved >= live);
                prop_assert!(pool.counts().reserved <= 200 * MIB);
            }
            for block in held {
                pool.free(block);
            }
            pool.empty_cache();
            prop_assert_eq!((pool.counts().live, pool.counts().reserved), (0, 0));
        }
    }
}
