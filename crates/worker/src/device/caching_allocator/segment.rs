//! A segment of reserved memory and its blocks: those in use, free ones, and addresses without memory behind them.
//!
//! `cudaMalloc` gives a segment all at once. A segment that expands has addresses for the whole card, and memory is mapped behind
//! them in pieces (`expandable_segments`), which can go back to the card one by one.

use super::{ROUND, SMALL, SMALL_SEGMENT};
use std::collections::BTreeMap;

/// Addresses of a segment that expands: more than any card has memory, and a multiple of each piece's size.
const ADDRESSES: u64 = 5 << 40;

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) small: bool,
    /// The pool that its memory belongs to.
    pub(super) pool: u32,
    /// The size of the pieces that are mapped; nothing where all of it came at once.
    piece: Option<u64>,
    /// Blocks in use: offset to size and what was asked for.
    used: BTreeMap<u64, (u64, u64)>,
    /// Free blocks: offset to size.
    free: BTreeMap<u64, u64>,
    /// Addresses without memory: offset to size.
    unmapped: BTreeMap<u64, u64>,
    /// The number of searches for a block when it was last given back as a whole.
    idle_since: u64,
}

/// A segment as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SegmentState {
    pub(crate) small: bool,
    /// The pool that its memory belongs to.
    pub(crate) pool: u32,
    pub(crate) is_expandable: bool,
    /// Bytes of memory.
    pub(crate) size: u64,
    /// Its blocks in order; those without memory are left out.
    pub(crate) blocks: Vec<BlockState>,
}

/// A block of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockState {
    pub(crate) offset: u64,
    pub(crate) size: u64,
    /// What was asked for; nothing for a free one.
    pub(crate) requested: Option<u64>,
}

impl Segment {
    /// Memory that `cudaMalloc` gave.
    pub(super) fn of(size: u64, small: bool, pool: u32) -> Self {
        Self {
            small,
            pool,
            piece: None,
            used: BTreeMap::new(),
            free: BTreeMap::from([(0, size)]),
            unmapped: BTreeMap::new(),
            idle_since: 0,
        }
    }

    /// Addresses without memory yet.
    pub(super) fn expandable(small: bool, pool: u32, large_piece: u64) -> Self {
        let piece = if small { SMALL_SEGMENT } else { large_piece };
        Self {
            piece: Some(piece),
            free: BTreeMap::new(),
            unmapped: BTreeMap::from([(0, ADDRESSES.next_multiple_of(piece))]),
            ..Self::of(0, small, pool)
        }
    }

    pub(super) fn is_expandable(&self) -> bool {
        self.piece.is_some()
    }

    /// Free blocks: offset and size.
    pub(super) fn free_blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        self.free.iter().map(|(at, size)| (*at, *size))
    }

    /// The size that a free block has if all addresses after it get memory; nothing in a segment that does not expand.
    pub(super) fn can_become(&self, at: u64) -> Option<u64> {
        self.piece?;
        let size = self.free.get(&at)?;
        Some(size + self.unmapped.get(&(at + size)).unwrap_or(&0))
    }

    /// Its size, if none of it is in use and it goes back as a whole; and since when.
    pub(super) fn idle(&self) -> Option<(u64, u64)> {
        let size = *self.free.get(&0)?;
        let is_whole = self.piece.is_none() && self.used.is_empty();
        is_whole.then_some((size, self.idle_since))
    }

    /// Takes a size at the start of a free block, and the rest of it where that is not worth a block: of blocks of at least
    /// `splits_below`, in segments that do not expand, and of remainders that nothing would fit into. Gives the size taken.
    pub(super) fn take(
        &mut self,
        at: u64,
        (size, requested): (u64, u64),
        splits_below: u64,
    ) -> Option<u64> {
        let free = self.free.remove(&at)?;
        let rest = free.checked_sub(size)?;
        let splits = if self.small || self.is_expandable() {
            rest >= ROUND
        } else {
            size < splits_below && rest > SMALL
        };
        if splits {
            self.free.insert(at + size, rest);
        }
        let taken = if splits { size } else { free };
        self.used.insert(at, (taken, requested));
        Some(taken)
    }

    /// Frees the block at this place.
    pub(super) fn give_back(&mut self, at: u64, searches: u64) {
        if let Some((size, _)) = self.used.remove(&at) {
            merge(&mut self.free, at, size);
        }
        if self.used.is_empty() {
            self.idle_since = searches;
        }
    }

    /// Maps memory so that a free block of this size exists, if that needs at most `most` bytes: at the first address from which
    /// on nothing is in use. Gives the block's place and the bytes that were mapped.
    pub(super) fn map(&mut self, size: u64, most: u64) -> Option<(u64, u64)> {
        let piece = self.piece?;
        let start = self.room(size)?;
        let end = start + size;
        let mut missing = Vec::new();
        for (at, free) in &self.unmapped {
            let (from, to) = ((*at).max(start), (at + free).min(end));
            if from < to {
                missing.push((*at, *free, to.next_multiple_of(piece) - at));
            }
        }
        let bytes: u64 = missing.iter().map(|(.., mapped)| mapped).sum();
        if bytes > most {
            return None;
        }
        for (at, free, mapped) in missing {
            self.unmapped.remove(&at);
            if free > mapped {
                self.unmapped.insert(at + mapped, free - mapped);
            }
            merge(&mut self.free, at, mapped);
        }
        Some((start, bytes))
    }

    /// The first address from which on so many bytes are free or without memory, where some have none.
    fn room(&self, size: u64) -> Option<u64> {
        self.unmapped.iter().find_map(|(at, _)| {
            let before = self.free.range(..at).next_back();
            let before = before.filter(|(free, size)| *free + *size == *at);
            let start = before.map_or(*at, |(free, _)| *free);
            let mut end = start;
            while let Some(more) = self.free.get(&end).or_else(|| self.unmapped.get(&end)) {
                end += more;
            }
            (end - start >= size).then_some(start)
        })
    }

    /// Returns whole pieces that are free to the card; how many bytes.
    pub(super) fn unmap(&mut self) -> u64 {
        let Some(piece) = self.piece else {
            return 0;
        };
        let mut unmapped = 0;
        for (at, size) in std::mem::take(&mut self.free) {
            let end = at + size;
            let Some((from, to)) = whole_pieces(at, size, piece) else {
                self.free.insert(at, size);
                continue;
            };
            unmapped += to - from;
            merge(&mut self.unmapped, from, to - from);
            for (at, end) in [(at, from), (to, end)] {
                if at < end {
                    self.free.insert(at, end - at);
                }
            }
        }
        unmapped
    }

    /// Bytes that could go back to the card.
    pub(super) fn returnable(&self) -> u64 {
        let Some(piece) = self.piece else {
            return self.idle().map_or(0, |(size, _)| size);
        };
        let free = self.free_blocks();
        let pieces = free.filter_map(|(at, size)| whole_pieces(at, size, piece));
        pieces.map(|(from, to)| to - from).sum()
    }

    pub(super) fn state(&self) -> SegmentState {
        let used = self.used.iter().map(|(at, (size, requested))| BlockState {
            offset: *at,
            size: *size,
            requested: Some(*requested),
        });
        let free = self.free.iter().map(|(at, size)| BlockState {
            offset: *at,
            size: *size,
            requested: None,
        });
        let mut blocks: Vec<BlockState> = used.chain(free).collect();
        blocks.sort_unstable_by_key(|it| it.offset);
        SegmentState {
            small: self.small,
            pool: self.pool,
            is_expandable: self.is_expandable(),
            size: blocks.iter().map(|it| it.size).sum(),
            blocks,
        }
    }
}

/// The pieces that lie whole in a free block, from and to.
fn whole_pieces(at: u64, size: u64, piece: u64) -> Option<(u64, u64)> {
    let end = at + size;
    let (from, to) = (at.next_multiple_of(piece), end - end % piece);
    (from < to).then_some((from, to))
}

/// Adds a range to ranges, joined with its neighbours.
fn merge(ranges: &mut BTreeMap<u64, u64>, at: u64, size: u64) {
    let (mut start, mut length) = (at, size);
    if let Some(after) = ranges.remove(&(at + size)) {
        length += after;
    }
    if let Some((&before, &free)) = ranges.range(..at).next_back()
        && before + free == at
    {
        start = before;
        length += free;
    }
    ranges.insert(start, length);
}
