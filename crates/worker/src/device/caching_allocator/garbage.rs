//! Cached segments that go back to the card before anything has failed, or because a request failed
//! (`garbage_collection_threshold`, `max_split_size_mb`).

use super::private_pools::{COMMON_POOL, is_in_graph};
use super::segment::Segment;
use super::{CachingAllocator, SMALL};

impl CachingAllocator {
    /// The segments that nothing uses, nor a graph that is replayed: number, size, and since which search.
    pub(super) fn idle(&self) -> impl Iterator<Item = (u64, (u64, u64))> {
        let all = self.segments.iter();
        let all = all.filter(|(_, it)| !is_in_graph(&self.private_pools, it.pool));
        all.filter_map(|(id, segment)| Some((*id, segment.idle()?)))
    }

    /// Returns a segment to the card, which nothing uses.
    pub(super) fn release(&mut self, id: u64) {
        if let Some((size, _)) = self.segments.get(&id).and_then(Segment::idle) {
            self.segments.remove(&id);
            self.stats.reserved -= size;
            self.emptied += 1;
        }
    }

    /// Above the threshold, returns the large segments that nothing has used for longer than the average, until enough are back.
    /// As in PyTorch, only for a program that has set what it allows itself.
    pub(super) fn collect_garbage(&mut self) {
        let (Some(threshold), Some(allowed)) = (self.options.garbage_threshold(), self.allowed)
        else {
            return;
        };
        let most = (threshold * allowed as f64) as u64;
        let mut target = self.stats.reserved.saturating_sub(most);
        while target > 0 {
            let segments = self.segments.iter();
            let segments = segments.filter(|(_, it)| !it.small && it.pool == COMMON_POOL);
            let idle = segments.filter_map(|(id, it)| Some((*id, it.idle()?)));
            let idle = idle.map(|(id, (size, since))| (id, size, self.searches - since));
            let idle: Vec<(u64, u64, u64)> = idle.collect();
            let all: u64 = idle.iter().map(|(.., age)| age).sum();
            let count = idle.len() as u64;
            // Never empty where there is one: the oldest is at least as old as the average.
            let old = idle.iter().filter(|(.., age)| age * count >= all);
            let old: Vec<(u64, u64)> = old.map(|(id, size, _)| (*id, *size)).collect();
            if old.is_empty() {
                return;
            }
            for (id, size) in old {
                self.release(id);
                target = target.saturating_sub(size);
            }
        }
    }

    /// Returns cached segments above the split size, which nothing smaller may use: one that is large enough, or the largest until
    /// they are together. Whether that was enough.
    pub(super) fn release_oversize(&mut self, size: u64) -> bool {
        let most = self.options.splits_below();
        if most == u64::MAX || size <= SMALL {
            return false;
        }
        let wanted = size.max(most);
        let mut idle: Vec<(u64, u64)> = self.idle().map(|(id, (size, _))| (size, id)).collect();
        idle.retain(|(size, _)| *size >= most);
        idle.sort_unstable();
        if let Some((_, id)) = idle.iter().find(|(size, _)| *size >= wanted) {
            self.release(*id);
            return true;
        }
        let mut released = 0;
        while released < wanted
            && let Some((size, id)) = idle.pop()
        {
            self.release(id);
            released += size;
        }
        released >= wanted
    }
}
