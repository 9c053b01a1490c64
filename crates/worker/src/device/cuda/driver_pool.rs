//! The driver's memory pool of a card (`cudaMemPool_t`), from which candle allocates, and its counters.

use candle_core::cuda::cudarc::driver::result::{device, mem_pool};
use candle_core::cuda::cudarc::driver::sys::{CUmemPool_attribute as Attribute, CUmemoryPool};
use candle_core::cuda::cudarc::driver::{CudaContext, DriverError};

/// The pool. It belongs to the card, and lives as long as its context.
#[derive(Clone, Copy, Debug)]
pub(super) struct DriverPool(CUmemoryPool);

impl DriverPool {
    /// The card's current pool; `None` where the driver has none, as on some virtual cards.
    pub(super) fn of(context: &CudaContext) -> Result<Option<Self>, DriverError> {
        if !context.has_async_alloc() {
            return Ok(None);
        }
        #[expect(unsafe_code, reason = "cudarc has no safe call for it")]
        // SAFETY: the device is that of a living context.
        let pool = unsafe { device::get_mem_pool(context.cu_device()) }?;
        Ok(Some(Self(pool)))
    }

    /// Bytes that are allocated.
    pub(super) fn used(self) -> u64 {
        self.get(Attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
    }

    /// Bytes reserved from the card.
    pub(super) fn reserved(self) -> u64 {
        self.get(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
    }

    /// The peak of the reserved bytes.
    pub(super) fn peak_reserved(self) -> u64 {
        self.get(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
    }

    /// Sets the peaks to the current values.
    pub(super) fn reset_peaks(self) -> Result<(), DriverError> {
        // 0 is the one value that the driver takes for them.
        self.set(Attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0)?;
        self.set(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0)
    }

    /// The release threshold: cached bytes that stay reserved at a synchronize.
    pub(super) fn set_release_threshold(self, bytes: u64) -> Result<(), DriverError> {
        self.set(Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, bytes)
    }

    /// Returns all cached memory to the card.
    pub(super) fn trim(self) -> Result<(), DriverError> {
        #[expect(unsafe_code, reason = "cudarc has no safe call for it")]
        // SAFETY: the pool belongs to a card whose context lives.
        unsafe {
            mem_pool::trim_to(self.0, 0)
        }
    }

    /// A counter; 0 where it cannot be read.
    fn get(self, attribute: Attribute) -> u64 {
        let mut value = 0_u64;
        #[expect(unsafe_code, reason = "cudarc has no safe call for it")]
        // SAFETY: these attributes are 64 bits wide, and the value outlives the call.
        let read = unsafe { mem_pool::get_attribute(self.0, attribute, (&raw mut value).cast()) };
        read.map_or(0, |()| value)
    }

    fn set(self, attribute: Attribute, mut value: u64) -> Result<(), DriverError> {
        #[expect(unsafe_code, reason = "cudarc has no safe call for it")]
        // SAFETY: these attributes are 64 bits wide, and the value outlives the call.
        unsafe {
            mem_pool::set_attribute(self.0, attribute, (&raw mut value).cast())
        }
    }
}
