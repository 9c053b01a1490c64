//! The memory of a card: what is free on it, and what the driver's pool holds.

use super::driver_pool::DriverPool;
use crate::device::caching_allocator::PoolStats;
use candle_core::cuda::cudarc::driver::{CudaContext, DriverError};
use std::sync::Arc;

/// The memory of a card that has a context.
#[derive(Clone)]
pub(super) struct CardMemory {
    pub(super) context: Arc<CudaContext>,
    pub(super) pool: Option<DriverPool>,
}

impl CardMemory {
    /// Bytes that are free on the card for any process, and its total.
    pub(super) fn free_and_total(&self) -> Result<(u64, u64), DriverError> {
        let (free, total) = self.context.mem_get_info()?;
        Ok((free as u64, total as u64))
    }

    /// What the run has allocated, and what the driver's pool reserves for it.
    pub(super) fn stats(&self, live: u64, peak_live: u64) -> PoolStats {
        let (reserved, peak_reserved) = match &self.pool {
            Some(pool) => (pool.reserved(), pool.peak_reserved()),
            None => (live, peak_live),
        };
        PoolStats {
            live,
            reserved,
            peak_live,
            peak_reserved,
        }
    }
}
