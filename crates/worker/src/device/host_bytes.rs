//! The host memory that the tensors of a run hold, and how much they may hold.

use super::memory::Allocation;
use crate::error::TorchError;
use warpup_protocol::Limits;

/// What the tensors of a program without a limit of its own may hold together, in bytes.
const USUAL: u64 = 4 << 30;

/// The host memory of a run's tensors, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostBytes {
    held: u64,
    most: u64,
}

impl Default for HostBytes {
    fn default() -> Self {
        Self {
            held: 0,
            most: USUAL,
        }
    }
}

impl HostBytes {
    /// For a run with these limits: its tensors may hold what the whole program may.
    pub(crate) fn of(limits: &Limits) -> Self {
        let asked = Some(limits.host_bytes).filter(|it| *it > 0);
        Self {
            held: 0,
            most: asked.unwrap_or(USUAL),
        }
    }

    /// How much they may hold.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Adds memory, up to the limit; beyond it, the error is PyTorch's.
    pub(super) fn take(&mut self, bytes: u64) -> Result<Allocation, TorchError> {
        if self.held.saturating_add(bytes) > self.most {
            let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
            return Err(TorchError::runtime(format!(
                "DefaultCPUAllocator: can't allocate memory: you tried to allocate {bytes} bytes. Error code 12 (Cannot allocate memory)\nwarpup lets the tensors of this program hold {} GiB of host memory together; {:.2} GiB are held",
                gib(self.most),
                gib(self.held),
            )));
        }
        Ok(self.take_any(bytes))
    }

    /// Adds memory without a limit.
    pub(super) fn take_any(&mut self, bytes: u64) -> Allocation {
        self.held += bytes;
        Allocation::Host(bytes)
    }

    /// Takes off memory that was freed.
    pub(super) fn give_back(&mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_hold_what_the_limit_of_the_run_says_and_the_error_names_it() {
        let limits = |host_bytes| Limits {
            host_bytes,
            ..Limits::default()
        };
        let mut large = HostBytes::of(&limits(6 << 30));
        assert!(large.take(5 << 30).is_ok());
        let error = large.take(2 << 30).unwrap_err().to_string();
        assert!(
            error.contains("hold 6 GiB of host memory together; 5.00 GiB are held"),
            "{error}"
        );
        large.give_back(5 << 30);
        assert!(large.take(2 << 30).is_ok());
        assert_eq!(HostBytes::of(&limits(0)), HostBytes::default());
        assert_eq!(HostBytes::of(&limits(0)).most(), USUAL);
    }
}
