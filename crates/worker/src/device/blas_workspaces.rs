//! The memory that cuBLAS and cuBLASLt work in during a product.
//!
//! Since 2.15 PyTorch allocates it for each product and frees it after that (`CublasHandlePool.cpp`, and
//! `TORCH_CUBLAS_WORKSPACE_CACHE` in `torch.backends.cuda.blas_workspace_size`). Before, it stayed allocated from the
//! first product of a stream on: one for each thread, and backward has a thread of its own. What that would be is counted,
//! for those who have an older PyTorch.

use crate::device::cards::Card;
use crate::meta::BlasLibrary;
use std::collections::BTreeSet;

const KIB: u64 = 1 << 10;

/// A handle of cuBLAS with a stream. PyTorch has handles for each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlasHandle {
    pub(crate) thread: BlasThread,
    pub(crate) stream: u32,
}

/// A thread of PyTorch's that calls cuBLAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BlasThread {
    Program,
    Backward,
}

/// Bytes for each library.
#[derive(Clone, Debug)]
pub(crate) struct BlasWorkspaces {
    cublas: u64,
    cublas_lt: u64,
    /// Whether PyTorch has read the environment.
    is_read: bool,
    are_kept: bool,
    /// The handles that products used.
    handles: BTreeSet<BlasHandle>,
    /// Those that cuBLASLt used, which has a workspace besides.
    lt_handles: BTreeSet<BlasHandle>,
}

impl BlasWorkspaces {
    /// PyTorch's defaults for a card: `:4096:2:16:8`, in KiB, or 32 MiB from capability 9.0 on, as NVIDIA recommends; and
    /// 1 MiB for cuBLASLt.
    pub(super) fn of(card: &Card) -> Self {
        Self {
            cublas: match card.version() {
                (9..=12, _) => 32 * KIB * KIB,
                _ => (4096 * 2 + 16 * 8) * KIB,
            },
            cublas_lt: KIB * KIB,
            is_read: false,
            are_kept: false,
            handles: BTreeSet::new(),
            lt_handles: BTreeSet::new(),
        }
    }

    /// A product is about to be computed.
    pub(crate) fn note(&mut self, handle: BlasHandle, library: BlasLibrary) {
        // The handle of cuBLASLt is that of cuBLAS, which takes its workspace when it is asked for.
        self.handles.insert(handle);
        if library == BlasLibrary::CublasLt {
            self.lt_handles.insert(handle);
        }
    }

    /// What PyTorch before 2.15 would keep allocated; nothing if this run keeps it, too.
    pub(crate) fn kept_before_2_15(&self) -> u64 {
        if self.are_kept {
            return 0;
        }
        let all =
            |handles: &BTreeSet<BlasHandle>, each: u64| (handles.len() as u64).saturating_mul(each);
        all(&self.handles, self.cublas).saturating_add(all(&self.lt_handles, self.cublas_lt))
    }

    pub(crate) fn bytes(&mut self, library: BlasLibrary) -> u64 {
        self.is_read = true;
        match library {
            BlasLibrary::Cublas => self.cublas,
            // Kept workspaces are the same for both libraries.
            BlasLibrary::CublasLt if self.are_kept => self.cublas.max(self.cublas_lt),
            BlasLibrary::CublasLt => self.cublas_lt,
        }
    }

    /// What `TORCH_CUBLAS_WORKSPACE_CACHE` says counts if it is set before the first product.
    pub(crate) fn keep(&mut self, kept: bool) {
        if !self.is_read {
            self.are_kept = kept;
        }
    }

    pub(crate) fn are_kept(&self) -> bool {
        self.are_kept
    }

    /// What `CUBLAS_WORKSPACE_CONFIG` says counts if it is set before the first product.
    pub(crate) fn configure(&mut self, bytes: u64) {
        if !self.is_read {
            self.cublas = bytes;
        }
    }

    pub(crate) fn set(&mut self, library: BlasLibrary, bytes: u64) {
        match library {
            BlasLibrary::Cublas => self.cublas = bytes,
            BlasLibrary::CublasLt => self.cublas_lt = bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;

    /// `tiny.py`: two linear layers forward, with their bias by cuBLASLt, and their products backward. PyTorch 2.11 on an
    /// H200 holds 65.0 MiB.
    #[test]
    fn older_versions_keep_a_workspace_for_each_thread() {
        let mut workspaces = BlasWorkspaces::of(&shipped().cards["h200"]);
        let mut product = |thread, library| {
            workspaces.note(BlasHandle { thread, stream: 0 }, library);
            workspaces.kept_before_2_15() >> 20
        };
        assert_eq!(product(BlasThread::Program, BlasLibrary::CublasLt), 33);
        assert_eq!(product(BlasThread::Program, BlasLibrary::Cublas), 33);
        assert_eq!(product(BlasThread::Backward, BlasLibrary::Cublas), 65);
        workspaces.keep(true);
        assert_eq!(workspaces.kept_before_2_15(), 0);
    }

    #[test]
    fn hopper_has_a_larger_workspace() {
        let of = |card: &str| BlasWorkspaces::of(&shipped().cards[card]).bytes(BlasLibrary::Cublas);
        assert_eq!(
            ["t4", "a100", "h100"].map(of),
            [8_519_680, 8_519_680, 33_554_432]
        );
    }
}
