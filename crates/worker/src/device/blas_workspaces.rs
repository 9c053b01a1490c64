//! The memory that cuBLAS and cuBLASLt work in during a product.
//!
//! Since 2.15 PyTorch allocates it for each product and frees it after that (`CublasHandlePool.cpp`, and
//! `TORCH_CUBLAS_WORKSPACE_CACHE` in `torch.backends.cuda.blas_workspace_size`). Before, it stayed allocated from the
//! first product of a stream on.

use crate::device::cards::Card;
use crate::meta::BlasLibrary;

const KIB: u64 = 1 << 10;

/// Bytes for each library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlasWorkspaces {
    cublas: u64,
    cublas_lt: u64,
    /// Whether PyTorch has read the environment.
    is_read: bool,
    are_kept: bool,
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
        }
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

    pub(crate) fn are_kept(self) -> bool {
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

    #[test]
    fn hopper_has_a_larger_workspace() {
        let of = |card: &str| BlasWorkspaces::of(&shipped().cards[card]).bytes(BlasLibrary::Cublas);
        assert_eq!(
            ["t4", "a100", "h100"].map(of),
            [8_519_680, 8_519_680, 33_554_432]
        );
    }
}
