//! NVIDIA's libraries, which a process starts at their first use: they load their kernels and reserve what they need.

use crate::device::cards::Card;
use crate::device::timing::Library;
use crate::meta::KernelKind;

/// Which of them have started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Libraries {
    cublas: bool,
    cudnn: bool,
}

impl Libraries {
    /// The library of which this kernel is the first one, and the nanoseconds of host time that it takes to start.
    pub(super) fn start(&mut self, card: &Card, kind: KernelKind) -> Option<(Library, u64)> {
        let (started, library, ns) = match kind {
            KernelKind::Gemm(_) => (&mut self.cublas, Library::Cublas, card.assumed.cublas_ns),
            KernelKind::Convolution(_) | KernelKind::Recurrent { .. } => {
                (&mut self.cudnn, Library::Cudnn, card.assumed.cudnn_ns)
            }
            KernelKind::Elementwise
            | KernelKind::Copy
            | KernelKind::Transpose
            | KernelKind::Reduction
            | KernelKind::ColumnParts
            | KernelKind::ColumnWalk { .. }
            | KernelKind::Norm
            | KernelKind::Indexed { .. }
            | KernelKind::Random { .. }
            | KernelKind::Radix { .. }
            | KernelKind::Attention(_)
            | KernelKind::MultiTensor { .. } => return None,
        };
        let is_first = !std::mem::replace(started, true);
        is_first.then_some((library, ns))
    }
}
