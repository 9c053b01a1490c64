//! What `PYTORCH_ALLOC_CONF` changes in the allocator. The rules are those of PyTorch 2.15 (`c10/core/AllocatorConfig.cpp` and
//! `c10/cuda/CUDACachingAllocator.cpp`).

use super::{ROUND, SMALL};

/// The size of segments for blocks between 1 and 10 MiB, if the options name no other.
const LARGE_SEGMENT: u64 = 20 << 20;

/// The sizes that have divisions of their own: from 1 MiB to 32 GiB, each twice the one before.
pub(super) const INTERVALS: usize = 16;

/// The options of a caching allocator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AllocatorOptions {
    /// `expandable_segments`
    pub(super) expandable: bool,
    /// `max_split_size_mb`, in bytes: blocks from this size on are not split.
    pub(super) max_split: u64,
    /// `max_non_split_rounding_mb`, in bytes: how much larger a block that is not split may be.
    pub(super) max_rounding: u64,
    /// `large_segment_size_mb`, in bytes.
    pub(super) large_segment: u64,
    /// `garbage_collection_threshold`
    pub(super) garbage: Option<f64>,
    /// `roundup_power2_divisions`: in how many parts the space between two powers of 2 is divided, by interval.
    pub(super) divisions: [u64; INTERVALS],
    /// `per_process_memory_fraction`
    pub(super) fraction: Option<f64>,
}

impl Default for AllocatorOptions {
    fn default() -> Self {
        Self {
            expandable: false,
            max_split: u64::MAX,
            max_rounding: LARGE_SEGMENT,
            large_segment: LARGE_SEGMENT,
            garbage: None,
            divisions: [0; INTERVALS],
            fraction: None,
        }
    }
}

impl AllocatorOptions {
    pub(super) fn has_expandable_segments(&self) -> bool {
        self.expandable
    }

    pub(super) fn large_segment(&self) -> u64 {
        self.large_segment
    }

    /// The size from which on blocks are not split.
    pub(super) fn splits_below(&self) -> u64 {
        self.max_split
    }

    /// The share of what the program allows itself above which cached memory is returned.
    pub(super) fn garbage_threshold(&self) -> Option<f64> {
        self.garbage
    }

    /// The share of the card that the program allows itself.
    pub(crate) fn memory_fraction(&self) -> Option<f64> {
        self.fraction
    }

    /// Whether it says no more than what the program allows itself.
    #[cfg_attr(
        not(feature = "cuda"),
        expect(
            dead_code,
            reason = "the pool of a real card has the other options not"
        )
    )]
    pub(crate) fn is_only_fraction(&self) -> bool {
        let fraction = self.fraction;
        *self
            == Self {
                fraction,
                ..Self::default()
            }
    }

    /// Whether a request of this size may take a free block of that one.
    pub(super) fn takes(&self, size: u64, free: u64) -> bool {
        if size < self.max_split {
            return free < self.max_split || self.max_split == u64::MAX;
        }
        free < size.saturating_add(self.max_rounding)
    }

    /// The size of the block for a request.
    pub(super) fn round(&self, bytes: u64) -> Option<u64> {
        let bytes = bytes.max(1);
        let interval = bytes.ilog2().saturating_sub(SMALL.ilog2());
        let divisions = self.divisions.get(interval as usize);
        let divisions = divisions.or(self.divisions.last()).copied().unwrap_or(0);
        if divisions <= 1 || bytes <= ROUND * divisions || bytes.is_power_of_two() {
            return bytes.checked_next_multiple_of(ROUND);
        }
        let part = (1_u64 << bytes.ilog2()) >> divisions.ilog2();
        bytes.checked_next_multiple_of(part.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_round_to_parts_of_a_power_of_two() {
        let round = |options: &str, bytes| AllocatorOptions::parse(options).unwrap().round(bytes);
        assert_eq!(round("", 1025), Some(1536));
        // PyTorch's own example: four parts between 1024 and 2048.
        assert_eq!(
            round("roundup_power2_divisions:4", 1200 << 10),
            Some(1280 << 10)
        );
        assert_eq!(round("roundup_power2_divisions:4", 1 << 20), Some(1 << 20));
        assert_eq!(round("roundup_power2_divisions:4", 1200), Some(1536));
        let by_size = "roundup_power2_divisions:[256:1,512:2,>:4]";
        let mib = |bytes: Option<u64>| bytes.unwrap() >> 20;
        assert_eq!(mib(round(by_size, 300 << 20)), 300);
        assert_eq!(mib(round(by_size, 600 << 20)), 768);
        assert_eq!(mib(round(by_size, 1100 << 20)), 1280);
        assert_eq!(round("", u64::MAX), None);
    }
}
