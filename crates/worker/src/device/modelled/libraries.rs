//! NVIDIA's libraries, which a process starts at their first use: they load their kernels and reserve what they need.

use crate::device::cards::Card;
use crate::meta::KernelKind;

/// Which of them have started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Libraries {
    cublas: bool,
    cudnn: bool,
}

impl Libraries {
    /// Nanoseconds of host time that the library takes to start, if this kernel is the first one of it.
    pub(super) fn start_ns(&mut self, card: &Card, kind: KernelKind) -> u64 {
        let (started, ns) = match kind {
            KernelKind::Gemm(_) => (&mut self.cublas, card.assumed.cublas_ns),
            KernelKind::Convolution(_) | KernelKind::Recurrent { .. } => {
                (&mut self.cudnn, card.assumed.cudnn_ns)
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
            | KernelKind::MultiTensor { .. } => return 0,
        };
        if std::mem::replace(started, true) {
            0
        } else {
            ns
        }
    }
}
