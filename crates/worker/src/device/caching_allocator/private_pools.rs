//! Private pools (`PrivatePool`), from which CUDA graphs have their memory.

use super::CachingAllocator;
use std::collections::BTreeMap;

/// The pool of all memory that belongs to no CUDA graph.
pub(in crate::device) const COMMON_POOL: u32 = 0;

/// Whether a graph uses a pool: one that is replayed writes to all of it, so none of it goes back to the card.
pub(super) fn is_in_graph(pools: &BTreeMap<u32, u32>, pool: u32) -> bool {
    pools.get(&pool).is_some_and(|it| *it > 0)
}

impl CachingAllocator {
    /// A new private pool, which one graph uses.
    pub(in crate::device) fn create_pool(&mut self) -> u32 {
        let last = self.private_pools.keys().next_back();
        let pool = last.map_or(COMMON_POOL + 1, |it| it + 1);
        self.private_pools.insert(pool, 1);
        pool
    }

    /// One more graph uses a private pool.
    pub(in crate::device) fn share_pool(&mut self, pool: u32) {
        if let Some(uses) = self.private_pools.get_mut(&pool) {
            *uses += 1;
        }
    }

    /// One graph less uses a private pool. Its segments stay until the cache is emptied.
    pub(in crate::device) fn release_pool(&mut self, pool: u32) {
        if let Some(uses) = self.private_pools.get_mut(&pool) {
            *uses = uses.saturating_sub(1);
        }
    }

    /// Memory comes from this pool from now on.
    pub(in crate::device) fn use_pool(&mut self, pool: u32) {
        self.pool = pool;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::caching_allocator::AllocatorOptions;

    const MIB: u64 = 1 << 20;

    fn reserved_after_each(options: &str) -> [u64; 3] {
        let mut allocator = CachingAllocator::new(100 * MIB);
        allocator.configure(AllocatorOptions::parse(options).unwrap());
        let pool = allocator.create_pool();
        allocator.use_pool(pool);
        let block = allocator.alloc(24).unwrap();
        allocator.free(block);
        allocator.use_pool(COMMON_POOL);
        allocator.alloc(24).unwrap();
        let both = allocator.stats().reserved;
        allocator.share_pool(pool);
        allocator.release_pool(pool);
        allocator.empty_cache();
        let with_graph = allocator.stats().reserved;
        allocator.release_pool(pool);
        allocator.empty_cache();
        [both, with_graph, allocator.stats().reserved]
    }

    #[test]
    fn a_private_pool_keeps_its_segments_as_long_as_a_graph_uses_it() {
        for options in ["", "expandable_segments:True"] {
            assert_eq!(
                reserved_after_each(options),
                [4 * MIB, 4 * MIB, 2 * MIB],
                "{options}"
            );
        }
    }
}
