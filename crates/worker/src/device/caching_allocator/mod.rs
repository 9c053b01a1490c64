//! A model of PyTorch's caching allocator: rounding, segments, best fit, splitting and merging of blocks, and
//! allocated against reserved memory.
//!
//! It stats sizes and owns no memory. The rules and constants are those of PyTorch's `CUDACachingAllocator`
//! documentation: requests round up to 512 bytes, small ones come from segments of 2 MiB, middle ones from
//! segments of 20 MiB, and large ones get segments of a multiple of 2 MiB.

use std::collections::BTreeMap;

const ROUND: u64 = 512;
const SMALL: u64 = 1 << 20;
const SMALL_SEGMENT: u64 = 2 << 20;
const LARGE_SEGMENT: u64 = 20 << 20;
const LARGE_FROM: u64 = 10 << 20;
const LARGE_ROUND: u64 = 2 << 20;

#[derive(Clone, Debug)]
pub(super) struct CachingAllocator {
    capacity: u64,
    overcommits: bool,
    segments: BTreeMap<u64, Segment>,
    next_segment: u64,
    /// How often cached segments went back to the card.
    emptied: u64,
    stats: PoolStats,
}

/// Allocated and reserved memory, in bytes (`torch.cuda.memory_stats`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PoolStats {
    /// Allocated to tensors (`memory_allocated`).
    pub(crate) live: u64,
    /// Reserved from the card (`memory_reserved`).
    pub(crate) reserved: u64,
    /// The peak of `live` (`max_memory_allocated`).
    pub(crate) peak_live: u64,
    /// The peak of `reserved` (`max_memory_reserved`).
    pub(crate) peak_reserved: u64,
}

/// Memory that was allocated; `CachingAllocator::free` takes it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    segment: u64,
    offset: u64,
    size: u64,
}

#[derive(Clone, Debug)]
struct Segment {
    size: u64,
    small: bool,
    /// The free parts: offset to size.
    free: BTreeMap<u64, u64>,
}

impl Block {
    /// Its size in bytes, rounding included.
    pub(super) fn size(self) -> u64 {
        self.size
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfMemory {
    /// Bytes that were asked for.
    pub(super) asked: u64,
    /// Bytes of the card that are not reserved.
    pub(super) free: u64,
    pub(super) stats: PoolStats,
}

impl CachingAllocator {
    /// An empty allocator for a card of this many bytes.
    pub(super) fn new(capacity: u64) -> Self {
        Self {
            capacity,
            overcommits: false,
            segments: BTreeMap::new(),
            next_segment: 0,
            emptied: 0,
            stats: PoolStats::default(),
        }
    }

    /// Allocates beyond the capacity from now on: a plan reports how much a program would need.
    pub(super) fn overcommit(&mut self) {
        self.overcommits = true;
    }

    pub(super) fn stats(&self) -> PoolStats {
        self.stats
    }

    /// Bytes of the card that are not reserved.
    pub(super) fn free_on_card(&self) -> u64 {
        self.capacity.saturating_sub(self.stats.reserved)
    }

    /// How often cached segments went back to the card.
    pub(super) fn emptied(&self) -> u64 {
        self.emptied
    }

    pub(super) fn is_overfull(&self) -> bool {
        self.stats.reserved > self.capacity
    }

    /// Whether an allocation of so many bytes would succeed within the capacity: in a free part of a segment, or in a new
    /// segment, with the idle ones returned to the card.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        let size = bytes.max(1).next_multiple_of(ROUND);
        let small = size <= SMALL;
        let segments = self.segments.values();
        let idle: u64 = segments
            .clone()
            .filter(|it| it.free.get(&0) == Some(&it.size))
            .map(|it| it.size)
            .sum();
        let free = segments.filter(|it| it.small == small);
        free.flat_map(|it| it.free.values()).any(|it| *it >= size)
            || size.next_multiple_of(LARGE_ROUND) <= self.free_on_card().saturating_add(idle)
    }

    /// Sets the peaks to the current values.
    pub(super) fn reset_peaks(&mut self) {
        self.stats.peak_live = self.stats.live;
        self.stats.peak_reserved = self.stats.reserved;
    }

    /// Allocates memory, from a cached segment if one fits.
    pub(super) fn alloc(&mut self, bytes: u64) -> Result<Block, OutOfMemory> {
        let out_of_memory = |allocator: &Self| OutOfMemory {
            asked: bytes,
            free: allocator.free_on_card(),
            stats: allocator.stats,
        };
        let Some(size) = bytes.max(1).checked_next_multiple_of(ROUND) else {
            return Err(out_of_memory(self));
        };
        let block = match self.best_fit(size) {
            Some(found) => found,
            None => {
                if !self.grow(size, self.free_on_card()) {
                    // Like PyTorch, it returns cached segments to the card before it gives up.
                    self.empty_cache();
                    let most = if self.overcommits {
                        u64::MAX
                    } else {
                        self.free_on_card()
                    };
                    if !self.grow(size, most) {
                        return Err(out_of_memory(self));
                    }
                }
                self.best_fit(size).ok_or_else(|| out_of_memory(self))?
            }
        };
        self.stats.live += block.size;
        self.stats.peak_live = self.stats.peak_live.max(self.stats.live);
        Ok(block)
    }

    /// Frees a block; its segment stays cached.
    pub(super) fn free(&mut self, block: Block) {
        self.stats.live -= block.size;
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

    /// Returns segments without blocks to the card.
    pub(super) fn empty_cache(&mut self) {
        let before = self.stats.reserved;
        let reserved = &mut self.stats.reserved;
        self.segments.retain(|_, segment| {
            let idle = segment.free.get(&0) == Some(&segment.size);
            if idle {
                *reserved -= segment.size;
            }
            !idle
        });
        self.emptied += u64::from(self.stats.reserved < before);
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

    /// Reserves a segment for this size, if the segment is at most `most` bytes; whether it did.
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
        self.stats.reserved += segment;
        self.stats.peak_reserved = self.stats.peak_reserved.max(self.stats.reserved);
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
        let mut allocator = CachingAllocator::new(100 * MIB);
        allocator.alloc(24).unwrap();
        assert_eq!(
            (allocator.stats().live, allocator.stats().reserved),
            (512, 2 * MIB)
        );
    }

    #[test]
    fn freed_memory_stays_reserved_until_the_cache_is_emptied() {
        let mut allocator = CachingAllocator::new(100 * MIB);
        let block = allocator.alloc(30 * MIB).unwrap();
        allocator.free(block);
        assert_eq!(
            (allocator.stats().live, allocator.stats().reserved),
            (0, 30 * MIB)
        );
        assert_eq!(allocator.alloc(30 * MIB).unwrap(), block);
        allocator.free(block);
        allocator.empty_cache();
        assert_eq!(allocator.stats().reserved, 0);
    }

    #[test]
    fn too_much_says_what_was_asked_for_and_what_is_left() {
        let mut allocator = CachingAllocator::new(40 * MIB);
        allocator.alloc(30 * MIB).unwrap();
        let refusal = allocator.alloc(20 * MIB).unwrap_err();
        assert_eq!((refusal.asked, refusal.free), (20 * MIB, 10 * MIB));
        assert_eq!(refusal.stats.live, 30 * MIB);
    }

    #[test]
    fn there_is_room_in_free_parts_and_in_what_can_be_returned() {
        let mut allocator = CachingAllocator::new(40 * MIB);
        let kept = allocator.alloc(12 * MIB).unwrap();
        let freed = allocator.alloc(20 * MIB).unwrap();
        allocator.free(freed);
        assert!(allocator.has_room(28 * MIB) && !allocator.has_room(29 * MIB));
        assert!(allocator.alloc(28 * MIB).is_ok());
        assert!(!allocator.has_room(1));
        allocator.free(kept);
        assert!(allocator.has_room(12 * MIB));
    }

    #[test]
    fn cached_segments_are_given_back_before_giving_up() {
        let mut allocator = CachingAllocator::new(40 * MIB);
        let block = allocator.alloc(30 * MIB).unwrap();
        allocator.free(block);
        assert!(allocator.alloc(36 * MIB).is_ok());
    }

    #[test]
    fn a_pool_that_overcommits_gives_its_cache_back_first_and_then_more_than_there_is() {
        let mut allocator = CachingAllocator::new(40 * MIB);
        allocator.overcommit();
        let block = allocator.alloc(30 * MIB).unwrap();
        allocator.free(block);
        let _held = allocator.alloc(36 * MIB).unwrap();
        assert_eq!(allocator.stats().reserved, 36 * MIB);
        let _more = allocator.alloc(30 * MIB).unwrap();
        assert_eq!(
            (allocator.stats().reserved, allocator.free_on_card()),
            (66 * MIB, 0)
        );
    }

    proptest! {
        #[test]
        fn what_was_given_out_comes_back(
            steps in prop::collection::vec((any::<bool>(), 0_u64..40 * MIB), 1..60),
        ) {
            let mut allocator = CachingAllocator::new(200 * MIB);
            let mut held = Vec::new();
            for (frees, size) in steps {
                if frees && !held.is_empty() {
                    allocator.free(held.swap_remove(size as usize % held.len()));
                } else if let Ok(block) = allocator.alloc(size) {
                    held.push(block);
                }
                let live: u64 = held.iter().map(|it| it.size).sum();
                prop_assert_eq!(allocator.stats().live, live);
                prop_assert!(allocator.stats().reserved >= live);
                prop_assert!(allocator.stats().reserved <= 200 * MIB);
            }
            for block in held {
                allocator.free(block);
            }
            allocator.empty_cache();
            prop_assert_eq!((allocator.stats().live, allocator.stats().reserved), (0, 0));
        }
    }
}
