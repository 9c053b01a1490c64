//! A model of PyTorch's caching allocator: rounding, segments, best fit, splitting and merging of blocks, and
//! allocated against reserved memory.
//!
//! It counts sizes and owns no memory. The rules and constants are those of PyTorch's `c10/cuda/CUDACachingAllocator.cpp`:
//! requests round up to 512 bytes, small ones come from segments of 2 MiB, middle ones from segments of 20 MiB, and large ones get
//! segments of a multiple of 2 MiB. `PYTORCH_ALLOC_CONF` changes some of them ([`AllocatorOptions`]).

mod conf;
mod garbage;
mod options;
mod private_pools;
mod segment;

pub(crate) use options::AllocatorOptions;
pub(crate) use segment::SegmentState;

pub(super) use private_pools::COMMON_POOL;

use private_pools::is_in_graph;
use segment::Segment;
use std::collections::BTreeMap;

const ROUND: u64 = 512;
const SMALL: u64 = 1 << 20;
const SMALL_SEGMENT: u64 = 2 << 20;
const LARGE_FROM: u64 = 10 << 20;
const LARGE_ROUND: u64 = 2 << 20;

#[derive(Clone, Debug)]
pub(super) struct CachingAllocator {
    capacity: u64,
    /// What the program allows itself (`set_per_process_memory_fraction`).
    allowed: Option<u64>,
    options: AllocatorOptions,
    overcommits: bool,
    segments: BTreeMap<u64, Segment>,
    next_segment: u64,
    /// Where memory comes from now.
    pool: u32,
    /// How many graphs use each private pool (`PrivatePool`), by its number.
    private_pools: BTreeMap<u32, u32>,
    /// Searches for a free block so far, which is the age of cached ones.
    searches: u64,
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
    /// What the program allows itself, if it does not take all.
    pub(super) allowed: Option<u64>,
    pub(super) stats: PoolStats,
}

impl CachingAllocator {
    /// An empty allocator for a card of this many bytes.
    pub(super) fn new(capacity: u64) -> Self {
        Self {
            capacity,
            allowed: None,
            options: AllocatorOptions::default(),
            overcommits: false,
            segments: BTreeMap::new(),
            next_segment: 0,
            pool: COMMON_POOL,
            private_pools: BTreeMap::new(),
            searches: 0,
            emptied: 0,
            stats: PoolStats::default(),
        }
    }

    /// Allocates beyond the capacity from now on: a plan reports how much a program would need.
    pub(super) fn overcommit(&mut self) {
        self.overcommits = true;
    }

    /// Follows these options from now on.
    pub(super) fn configure(&mut self, options: AllocatorOptions) {
        self.options = options;
    }

    /// Reserves at most this many bytes from now on.
    pub(super) fn allow(&mut self, bytes: u64) {
        self.allowed = Some(bytes);
    }

    pub(super) fn stats(&self) -> PoolStats {
        self.stats
    }

    /// Each segment with its blocks, in the order of their addresses (`torch.cuda.memory_snapshot`).
    pub(super) fn snapshot(&self) -> Vec<SegmentState> {
        self.segments.values().map(Segment::state).collect()
    }

    /// Bytes of the card that are not reserved.
    pub(super) fn free_on_card(&self) -> u64 {
        self.capacity.saturating_sub(self.stats.reserved)
    }

    /// Bytes that may still be reserved.
    fn room(&self) -> u64 {
        let allowed = self.allowed.unwrap_or(u64::MAX);
        self.free_on_card()
            .min(allowed.saturating_sub(self.stats.reserved))
    }

    /// How often cached segments went back to the card.
    pub(super) fn emptied(&self) -> u64 {
        self.emptied
    }

    pub(super) fn is_overfull(&self) -> bool {
        self.stats.reserved > self.capacity.min(self.allowed.unwrap_or(u64::MAX))
    }

    /// Whether an allocation of so many bytes would succeed within the capacity: in a free part of a segment, or in a new
    /// segment, with the idle ones returned to the card.
    pub(super) fn has_room(&self, bytes: u64) -> bool {
        let Some(size) = self.options.round(bytes) else {
            return false;
        };
        let in_graph = |it: &Segment| is_in_graph(&self.private_pools, it.pool);
        let all = self.segments.values().filter(|it| !in_graph(it));
        let returnable = || all.map(Segment::returnable).sum();
        let fits = |it| it <= self.room().saturating_add(returnable());
        self.best_fit(size).is_some() || self.growth(size).is_some_and(fits)
    }

    /// Sets the peaks to the current values.
    pub(super) fn reset_peaks(&mut self) {
        self.stats.peak_live = self.stats.live;
        self.stats.peak_reserved = self.stats.reserved;
    }

    /// Allocates memory, from a cached segment if one fits.
    pub(super) fn alloc(&mut self, bytes: u64) -> Result<Block, OutOfMemory> {
        let place = self.options.round(bytes).and_then(|size| {
            self.searches += 1;
            let place = self.best_fit(size).or_else(|| self.reserve(size));
            Some((place?, size))
        });
        let taken = place.and_then(|((id, offset), size)| {
            let splits = self.options.splits_below();
            let segment = self.segments.get_mut(&id)?;
            Some((id, offset, segment.take(offset, (size, bytes), splits)?))
        });
        let Some((segment, offset, size)) = taken else {
            return Err(OutOfMemory {
                asked: bytes,
                free: self.free_on_card(),
                allowed: self.allowed,
                stats: self.stats,
            });
        };
        self.stats.live += size;
        self.stats.peak_live = self.stats.peak_live.max(self.stats.live);
        Ok(Block {
            segment,
            offset,
            size,
        })
    }

    /// Frees a block; its segment stays cached.
    pub(super) fn free(&mut self, block: Block) {
        self.stats.live -= block.size;
        let searches = self.searches;
        if let Some(segment) = self.segments.get_mut(&block.segment) {
            segment.give_back(block.offset, searches);
        }
    }

    /// Returns segments without blocks to the card, and what is not in use of those that can be returned in part.
    pub(super) fn empty_cache(&mut self) {
        let idle: Vec<u64> = self.idle().map(|(id, _)| id).collect();
        for id in idle {
            self.release(id);
        }
        let mut unmapped = 0;
        for segment in self.segments.values_mut() {
            if !is_in_graph(&self.private_pools, segment.pool) {
                unmapped += segment.unmap();
            }
        }
        self.stats.reserved -= unmapped;
        self.emptied += u64::from(unmapped > 0);
    }

    /// Reserves room for this size: like PyTorch, it returns cached memory to the card before it gives up.
    fn reserve(&mut self, size: u64) -> Option<(u64, u64)> {
        self.collect_garbage();
        if let Some(place) = self.grow(size, self.room()) {
            return Some(place);
        }
        if self.release_oversize(size)
            && let Some(place) = self.grow(size, self.room())
        {
            return Some(place);
        }
        self.empty_cache();
        let most = if self.overcommits {
            u64::MAX
        } else {
            self.room()
        };
        self.grow(size, most)
    }

    /// The segment and the place of the smallest free block that holds this size, if it may be taken.
    fn best_fit(&self, size: u64) -> Option<(u64, u64)> {
        let kind = (size <= SMALL, self.pool);
        let segments = self.segments.iter();
        let segments = segments.filter(|(_, it)| (it.small, it.pool) == kind);
        let free = segments.flat_map(|(id, segment)| {
            let free = segment.free_blocks();
            free.map(move |(at, free)| (free, *id, at))
        });
        let free = free.filter(|(free, ..)| *free >= size);
        let (free, id, at) = if self.options.has_expandable_segments() {
            self.least_to_expand(free.collect())?
        } else {
            free.min()?
        };
        self.options.takes(size, free).then_some((id, at))
    }

    /// The smallest of free blocks, where one that could grow counts as large as it could become: it is left for what needs it.
    fn least_to_expand(&self, mut free: Vec<(u64, u64, u64)>) -> Option<(u64, u64, u64)> {
        let could_become = |(free, id, at): (u64, u64, u64)| {
            let segment = self.segments.get(&id);
            segment.and_then(|it| it.can_become(at)).unwrap_or(free)
        };
        free.sort_unstable();
        let mut free = free.into_iter();
        let mut found = free.next()?;
        for next in free {
            if could_become(next) >= could_become(found) {
                break;
            }
            found = next;
        }
        Some(found)
    }

    /// Reserves a segment for this size, or more of one that can grow, if that is at most `most` bytes; where it is.
    fn grow(&mut self, size: u64, most: u64) -> Option<(u64, u64)> {
        if self.options.has_expandable_segments() {
            return self.expand(size, most);
        }
        let segment = self.growth(size)?;
        if segment > most {
            return None;
        }
        let id = self.add(Segment::of(segment, size <= SMALL, self.pool));
        self.count_reserved(segment);
        Some((id, 0))
    }

    /// What is reserved where no free block holds this size: a segment, or pieces of one that can grow.
    fn growth(&self, size: u64) -> Option<u64> {
        if size <= SMALL {
            return Some(SMALL_SEGMENT);
        }
        let large = self.options.large_segment();
        if self.options.has_expandable_segments() {
            return size.checked_next_multiple_of(large);
        }
        if size < LARGE_FROM {
            return Some(large);
        }
        size.checked_next_multiple_of(LARGE_ROUND)
    }

    /// Maps memory at the end of the segment that can grow, or into its gaps.
    fn expand(&mut self, size: u64, most: u64) -> Option<(u64, u64)> {
        let small = size <= SMALL;
        let mut all = self.segments.iter();
        let found =
            all.find(|(_, it)| it.is_expandable() && (it.small, it.pool) == (small, self.pool));
        let id = match found.map(|(id, _)| *id) {
            Some(id) => id,
            None => {
                let piece = self.options.large_segment();
                self.add(Segment::expandable(small, self.pool, piece))
            }
        };
        let (offset, mapped) = self.segments.get_mut(&id)?.map(size, most)?;
        self.count_reserved(mapped);
        Some((id, offset))
    }

    fn add(&mut self, segment: Segment) -> u64 {
        let id = self.next_segment;
        self.next_segment += 1;
        self.segments.insert(id, segment);
        id
    }

    fn count_reserved(&mut self, bytes: u64) {
        self.stats.reserved += bytes;
        self.stats.peak_reserved = self.stats.peak_reserved.max(self.stats.reserved);
    }
}

#[cfg(test)]
mod tests;
