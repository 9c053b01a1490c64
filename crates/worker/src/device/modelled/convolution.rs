//! The time of a convolution: an implicit product, and the copies and additions around it.

use super::gemm;
use super::rate::ns_at;
use crate::device::cards::Card;
use crate::device::work::{Tf32, Work};
use crate::meta::{Convolution, Gemm, Window};

/// Multiplications that Winograd's algorithm saves: it does 16 in place of 36 for four results of a 3 × 3 window (Lavin
/// and Gray, *Fast Algorithms for Convolutional Neural Networks*, 2015).
const WINOGRAD: (u64, u64) = (16, 36);

/// Bytes of a pixel's channels that kernels for TF32 need: with 3 channels cuDNN takes a kernel for `float32`
/// (facebookresearch/HolisticTraceAnalysis, tests/data, alexnet-benchmark).
const TF32_PIXEL: u64 = 16;

/// Elements that a multiprocessor brings to another order of dimensions in a cycle. On an A100 `nchwToNhwcKernel` is as fast as the
/// memory (the same trace), on an H200 two of these copies are half of the time of 128 of 3 × 3 on 32 × 128 × 28² (54 µs,
/// PyTorch 2.11, 2026-11).
const REORDERED: f64 = 1.5;

/// Elements of windows that a multiprocessor multiplies in a cycle where each channel is by itself: PyTorch's own kernel
/// (`conv_depthwise2d`) finds each in memory. 64 of 3 × 3 on 32 × 56² take 68 µs on an H200 (PyTorch 2.11, 2026-11).
const DEPTHWISE: f64 = 3.5;

pub(super) fn ns(card: &Card, mut work: Work, it: Convolution) -> u64 {
    let Gemm { batch, m, n, k, .. } = it.product;
    if batch > 1 && n == 1 {
        let elements = batch.saturating_mul(m).saturating_mul(k);
        return ns_at(elements, card.in_a_second(DEPTHWISE)).saturating_add(bias(card, work, it));
    }
    if it.product.alignment.saturating_mul(work.dtype.size()) < TF32_PIXEL {
        work.tf32 = Tf32::Off;
    }
    let product = if gemm::on_tensor_cores(card, work) {
        gemm::compute_ns(card, work, it.product).saturating_add(reordering(card, work, it))
    } else {
        let product = match it.window {
            Window::Winograd => Gemm {
                k: (it.product.k.saturating_mul(WINOGRAD.0) / WINOGRAD.1).max(1),
                ..it.product
            },
            Window::Other => it.product,
        };
        gemm::compute_ns(card, work, product)
    };
    product.saturating_add(bias(card, work, it))
}

/// Both inputs are copied to the order that kernels for tensor cores need. Kernels before capability 9.0 write the result in the
/// order of the inputs (`nhwckrsc_nchw` in the trace); those for Hopper write it in their own, and it is copied back.
fn reordering(card: &Card, work: Work, it: Convolution) -> u64 {
    let (elements, kernels) = if card.version().0 < 9 {
        (it.inputs, 2)
    } else {
        (it.inputs.saturating_add(it.result), 3)
    };
    let computing = ns_at(elements, card.in_a_second(REORDERED));
    let moving = moving(card, work, elements);
    computing
        .max(moving)
        .saturating_add(kernels * card.assumed.kernel_ns)
}

/// PyTorch adds a bias with a kernel of its own (`cudnn_convolution_add_bias_` in the trace).
fn bias(card: &Card, work: Work, it: Convolution) -> u64 {
    match it.biased {
        0 => 0,
        elements => moving(card, work, elements).saturating_add(card.assumed.kernel_ns),
    }
}

/// Nanoseconds to read and write so many elements.
fn moving(card: &Card, work: Work, elements: u64) -> u64 {
    let bytes = elements.saturating_mul(2 * work.dtype.size());
    ns_at(bytes, card.bandwidth * card.assumed.bandwidth_share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::dtype::DType;
    use crate::meta::{Cost, KernelKind};

    /// Microseconds of a 3 × 3 convolution of 128 images of 14 × 14, with so many channels in and out.
    fn convolved(card: &str, dtype: DType, tf32: Tf32, channels: u64, window: Window) -> u64 {
        let sizes = [128 * 14 * 14, channels, channels * 9];
        let it = Convolution {
            product: Gemm::of_channels(1, sizes, [channels, channels]),
            inputs: 128 * 14 * 14 * channels,
            result: 128 * 14 * 14 * channels,
            window,
            biased: 0,
        };
        let work = Work {
            cost: Cost::default(),
            dtype,
            kind: KernelKind::Convolution(it),
            tf32,
        };
        ns(&shipped().cards[card], work, it) / 1000
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
        assert_eq!(rows(256), [1706, 293]);
        assert_eq!(rows(3).first(), rows(3).last());
    }
}
