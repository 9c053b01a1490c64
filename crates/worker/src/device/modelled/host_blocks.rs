//! Page-locked memory of the host: PyTorch's caching allocator for the host keeps what was locked.

use super::rate::ns_at;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes whose pages the driver locks in a second: `pin_memory()` of 256 MiB takes 105 ms beside an H200, of which the copy is
/// 54 ms (PyTorch 2.11, 2026-11).
const LOCKED_A_SECOND: f64 = 5.2e9;

/// Free blocks by their size.
type Free = Rc<RefCell<BTreeMap<u64, u64>>>;

/// The blocks of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct HostBlocks {
    free: Free,
}

/// A block in use; free again when it is dropped.
#[derive(Debug)]
pub(super) struct HostBlock {
    size: u64,
    free: Free,
}

impl HostBlocks {
    /// A block for so many bytes, and how long the driver takes to lock its pages; a free one is locked already. The allocator
    /// has blocks of powers of two.
    pub(super) fn take(&self, bytes: u64) -> (HostBlock, u64) {
        let size = bytes.next_power_of_two();
        let mut free = self.free.borrow_mut();
        let is_locked = match free.get_mut(&size) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            Some(_) | None => false,
        };
        let block = HostBlock {
            size,
            free: Rc::clone(&self.free),
        };
        let ns = if is_locked {
            0
        } else {
            ns_at(size, LOCKED_A_SECOND)
        };
        (block, ns)
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        *self.free.borrow_mut().entry(self.size).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_locked_once() {
        let blocks = HostBlocks::default();
        let (first, took) = blocks.take(256 << 20);
        assert_eq!(took / 1_000_000, 51);
        let (second, took) = blocks.take(200 << 20);
        assert_eq!(took / 1_000_000, 51);
        drop((first, second));
        assert_eq!(blocks.take(256 << 20).1, 0);
    }
}
