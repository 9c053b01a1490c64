//! How long a kernel keeps a card busy: computing or moving, whichever takes longer, by the kind of kernel.

use super::gemm;
use super::rate::ns_at;
use crate::device::cards::Card;
use crate::device::work::{Tf32, Work};
use crate::meta::{Convolution, Gemm, KernelKind, Window};

/// The least that a card reads or writes anywhere: a sector of 32 bytes (CUDA C++ Best Practices Guide, *Coalesced
/// Access to Global Memory*).
const SECTOR: u64 = 32;

/// What a kernel takes, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KernelTime {
    pub(super) computing: u64,
    pub(super) moving: u64,
    /// The shortest time of any kernel.
    pub(super) least: u64,
}

impl KernelTime {
    pub(super) fn of(card: &Card, work: Work) -> Self {
        Self {
            computing: computing(card, work),
            moving: moving(card, work),
            least: card.assumed.kernel_ns,
        }
    }

    pub(super) fn ns(self) -> u64 {
        self.computing.max(self.moving).max(self.least)
    }
}

fn computing(card: &Card, work: Work) -> u64 {
    match work.kind {
        KernelKind::Gemm(it) => gemm::compute_ns(card, work, it),
        KernelKind::Convolution(it) => convolving(card, work, it),
        KernelKind::Recurrent {
            inputs,
            step,
            steps,
            passes,
        } => {
            let each = gemm::compute_ns(card, work, step).max(card.assumed.kernel_ns);
            let once =
                gemm::compute_ns(card, work, inputs).saturating_add(steps.saturating_mul(each));
            once.saturating_mul(passes)
        }
        KernelKind::Attention { flops } => {
            let rate = gemm::peak(card, work) * card.assumed.attention_share;
            ns_at(flops, rate)
        }
        // These do not use the matrix units.
        KernelKind::Elementwise
        | KernelKind::Copy
        | KernelKind::Transpose
        | KernelKind::Reduction
        | KernelKind::Norm
        | KernelKind::Indexed { .. }
        | KernelKind::MultiTensor { .. } => ns_at(work.cost.flops, card.flops.f32),
    }
}

/// Multiplications that Winograd's algorithm saves: it does 16 in place of 36 for four results of a 3 × 3 window (Lavin
/// and Gray, *Fast Algorithms for Convolutional Neural Networks*, 2015).
const WINOGRAD: (u64, u64) = (16, 36);

/// Bytes of a pixel's channels that kernels for TF32 need: with 3 channels cuDNN takes a kernel for `float32`
/// (facebookresearch/HolisticTraceAnalysis, tests/data, alexnet-benchmark).
const TF32_PIXEL: u64 = 16;

fn convolving(card: &Card, mut work: Work, it: Convolution) -> u64 {
    if it.product.alignment.saturating_mul(work.dtype.size()) < TF32_PIXEL {
        work.tf32 = Tf32::Off;
    }
    if gemm::on_tensor_cores(card, work) {
        let bandwidth = card.bandwidth * card.assumed.bandwidth_share;
        let reordering = ns_at(it.inputs.saturating_mul(2), bandwidth);
        return gemm::compute_ns(card, work, it.product).saturating_add(reordering);
    }
    let product = match it.window {
        Window::Winograd => Gemm {
            k: (it.product.k.saturating_mul(WINOGRAD.0) / WINOGRAD.1).max(1),
            ..it.product
        },
        Window::Other => it.product,
    };
    gemm::compute_ns(card, work, product)
}

fn moving(card: &Card, work: Work) -> u64 {
    let assumed = card.assumed;
    let bytes = work.cost.bytes;
    let (bytes, share) = match work.kind {
        KernelKind::Elementwise
        | KernelKind::Copy
        | KernelKind::Gemm(_)
        | KernelKind::Convolution(_)
        | KernelKind::Recurrent { .. }
        | KernelKind::Attention { .. }
        | KernelKind::MultiTensor { .. } => (bytes, assumed.bandwidth_share),
        KernelKind::Reduction => (bytes, assumed.reduction_share),
        KernelKind::Norm => (bytes, assumed.norm_share),
        KernelKind::Transpose => (bytes, assumed.transpose_share),
        KernelKind::Indexed { run } => {
            let whole = run.max(1).next_multiple_of(SECTOR) as f64 / run.max(1) as f64;
            ((bytes as f64 * whole) as u64, assumed.bandwidth_share)
        }
    };
    ns_at(bytes, card.bandwidth * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::dtype::DType;
    use crate::meta::Cost;

    /// Microseconds that a 3 × 3 convolution of 128 images of 14 × 14 computes, with so many channels in and out.
    fn convolved(card: &str, dtype: DType, tf32: Tf32, channels: u64, window: Window) -> u64 {
        let sizes = [128 * 14 * 14, channels, channels * 9];
        let kind = KernelKind::Convolution(Convolution {
            product: Gemm::of_channels(1, sizes, [channels, channels]),
            inputs: 128 * 14 * 14 * channels * dtype.size(),
            window,
        });
        let work = Work {
            cost: Cost::default(),
            dtype,
            kind,
            tf32,
        };
        computing(&shipped().cards[card], work) / 1000
    }

    #[test]
    fn winograd_saves_more_than_half_of_a_convolution_without_tensor_cores() {
        let on_t4 = |window| convolved("t4", DType::F32, Tf32::Off, 256, window);
        assert_eq!([Window::Other, Window::Winograd].map(on_t4), [7034, 3126]);
        let half = |window| convolved("t4", DType::F16, Tf32::Off, 256, window);
        assert_eq!(half(Window::Other), half(Window::Winograd));
    }

    #[test]
    fn few_channels_run_on_no_tensor_core_with_tf32() {
        let rows = |channels| {
            [Tf32::Off, Tf32::Allowed]
                .map(|tf32| convolved("a100", DType::F32, tf32, channels, Window::Other))
        };
        assert_eq!(rows(256), [1706, 289]);
        assert_eq!(rows(3).first(), rows(3).last());
    }
}
