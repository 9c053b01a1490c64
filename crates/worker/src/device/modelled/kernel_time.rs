//! How long a kernel keeps a card busy: it begins, then computes or moves, whichever takes longer, by the kind of kernel.

use super::convolution;
use super::gemm;
use super::rate::ns_at;
use crate::device::cards::Card;
use crate::device::work::{Tf32, Work};
use crate::dtype::DType;
use crate::meta::{AttentionKernel, AttentionWork, Gemm, KernelKind};

/// The least that a card reads or writes anywhere: a sector of 32 bytes (CUDA C++ Best Practices Guide, *Coalesced
/// Access to Global Memory*).
const SECTOR: u64 = 32;

/// Cycles of a multiprocessor for each element of a copy from rows to columns: a sector for every element. An A100 needs 1.75
/// (1024 × 96 × 647: 726 µs, facebookresearch/HolisticTraceAnalysis, tests/data, diff-control), an H200 1.83 (8192 × 8192 in
/// 470 µs, PyTorch 2.11, 2026-11), though its memory is three times as fast.
const CYCLES_A_SECTOR: f64 = 1.8;

/// Nanoseconds of a load from memory for which a thread waits, with what it does with the number. Softmax over the columns
/// of 8192 × 8192 takes 9,978 µs on an H200, in which a thread does 3 × 8192 loads (PyTorch 2.11, 2026-11).
const LOAD_NS: u64 = 400;

/// The share of the rate of sums that sums over columns in parts reach: 8192 × 2048 in 33 µs on an H200 (PyTorch 2.11, 2026-11).
const COLUMN_PARTS: f64 = 0.6;

/// Exponentials of a multiprocessor in a cycle (CUDA C++ Programming Guide, *Throughput of Native Arithmetic Instructions*).
const EXPONENTIALS: f64 = 16.0;

/// What memory-efficient attention reaches of the rates of `FlashAttention`: in products, and in what it does for each score. An H200
/// needs 1,953 µs for 32 × 32 heads of 1024 × 32, with `FlashAttention` 715 (`float16`, PyTorch 2.11, 2026-11).
const EFFICIENT: (f64, f64) = (0.5, 0.25);

/// What a kernel takes, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KernelTime {
    pub(super) computing: u64,
    pub(super) moving: u64,
    /// The shortest time of any kernel, in which it begins and ends.
    pub(super) least: u64,
}

impl KernelTime {
    pub(super) fn of(card: &Card, work: Work) -> Self {
        let (computing, moving) = (computing(card, work), moving(card, work));
        let least = card.assumed.kernel_ns;
        match work.kind {
            // The threads of a grid that just fills the card take turns with both.
            KernelKind::Random { .. } => Self {
                computing: 0,
                moving: moving.saturating_add(computing),
                least,
            },
            KernelKind::Gemm(it) if it.is_of_vector() => Self {
                computing,
                // Each block has part of the sums, and a kernel of its own adds the parts.
                moving: moving.saturating_add(2 * least),
                least,
            },
            KernelKind::Elementwise
            | KernelKind::Copy
            | KernelKind::Transpose
            | KernelKind::Reduction
            | KernelKind::ColumnParts
            | KernelKind::ColumnWalk { .. }
            | KernelKind::Norm
            | KernelKind::Indexed { .. }
            | KernelKind::Radix { .. }
            | KernelKind::Gemm(_)
            | KernelKind::Convolution(_)
            | KernelKind::Recurrent { .. }
            | KernelKind::Attention(_)
            | KernelKind::MultiTensor { .. } => Self {
                computing,
                moving,
                least,
            },
        }
    }

    /// Before it moves anything at the full rate, and after that, it fills and drains the card. The time of a product has that
    /// in its tiles.
    pub(super) fn ns(self) -> u64 {
        self.computing.max(self.moving.saturating_add(self.least))
    }
}

fn computing(card: &Card, work: Work) -> u64 {
    let on_multiprocessors = |amount: u64, each: f64| ns_at(amount, card.in_a_second(each));
    match work.kind {
        KernelKind::Gemm(it) => gemm::compute_ns(card, work, it),
        KernelKind::Convolution(it) => convolution::ns(card, work, it),
        KernelKind::Recurrent {
            inputs,
            step,
            steps,
            passes,
        } => recurring(card, work, (inputs, passes), (step, steps)),
        KernelKind::Attention(it) => attending(card, work, it),
        KernelKind::Transpose => {
            let elements = work.cost.bytes / (2 * work.dtype.size());
            on_multiprocessors(elements, 1.0 / CYCLES_A_SECTOR)
        }
        KernelKind::ColumnWalk { loads } => loads.saturating_mul(LOAD_NS),
        KernelKind::Random { operations } => ns_at(operations, card.flops.f32),
        // Counting is an atomic addition in shared memory.
        KernelKind::Radix { digits } => on_multiprocessors(digits, 1.0),
        // These do not use the matrix units.
        KernelKind::Elementwise
        | KernelKind::Copy
        | KernelKind::Reduction
        | KernelKind::ColumnParts
        | KernelKind::Norm
        | KernelKind::Indexed { .. }
        | KernelKind::MultiTensor { .. } => ns_at(work.cost.flops, card.flops.f32),
    }
}

/// A step is a product and a kernel for the gates, and each waits for the one before it: cuDNN launches them one by one, of which
/// none can be early. Without the framework the two launches take `launch_ns` together (docs/measured/model-host.md). A step of 64 × 512 of an
/// LSTM takes 18 µs on an H200 beside a host with 11.5 µs for `launch_ns` (PyTorch 2.11, 2026-11).
fn recurring(
    card: &Card,
    work: Work,
    (inputs, passes): (Gemm, u64),
    (step, steps): (Gemm, u64),
) -> u64 {
    let assumed = card.assumed;
    let each = gemm::compute_ns(card, work, step) + assumed.kernel_ns + assumed.launch_ns;
    let once = gemm::compute_ns(card, work, inputs).saturating_mul(passes);
    once.saturating_add(steps.saturating_mul(each))
}

/// The products, and for each score an exponential. The units for both do not work at the same time in one block.
fn attending(card: &Card, work: Work, it: AttentionWork) -> u64 {
    let (of_products, of_scores) = match it.kernel {
        AttentionKernel::Flash => (1.0, 1.0),
        AttentionKernel::Efficient => EFFICIENT,
    };
    let peak = match (work.dtype, card.flops.tf32) {
        // It multiplies `float32` as three products of TF32 (CUTLASS, `OpMultiplyAddFastF32`).
        (DType::F32, Some(tf32)) if work.tf32 == Tf32::Off => card.flops.f32.max(tf32 / 3.0),
        (
            DType::F32
            | DType::F16
            | DType::BF16
            | DType::F64
            | DType::Bool
            | DType::U8
            | DType::I8
            | DType::I16
            | DType::I32
            | DType::I64,
            _,
        ) => gemm::peak(card, work),
    };
    let products = ns_at(it.flops, peak * card.assumed.attention_share * of_products);
    let scores = ns_at(it.scores, card.in_a_second(EXPONENTIALS * of_scores));
    products.saturating_add(scores)
}

fn moving(card: &Card, work: Work) -> u64 {
    let assumed = card.assumed;
    let bytes = work.cost.bytes;
    let (bytes, share) = match work.kind {
        KernelKind::Elementwise
        | KernelKind::Copy
        | KernelKind::Transpose
        | KernelKind::Random { .. }
        | KernelKind::Radix { .. }
        | KernelKind::Gemm(_)
        | KernelKind::Convolution(_)
        | KernelKind::Recurrent { .. }
        | KernelKind::Attention(_) => (bytes, assumed.bandwidth_share),
        // A kernel for many tensors goes through up to five lists at once.
        KernelKind::Reduction | KernelKind::ColumnWalk { .. } | KernelKind::MultiTensor { .. } => {
            (bytes, assumed.reduction_share)
        }
        KernelKind::ColumnParts => (bytes, assumed.reduction_share * COLUMN_PARTS),
        KernelKind::Norm => (bytes, assumed.norm_share),
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
    use crate::meta::{Cost, NORMAL_OPERATIONS};

    const COUNT: u64 = 8192 * 8192;

    /// Microseconds of a kernel that moves so many bytes of `float32`.
    fn took(card: &str, bytes: u64, kind: KernelKind) -> u64 {
        let work = Work {
            cost: Cost::moving(bytes),
            dtype: DType::F32,
            kind,
            tf32: Tf32::Off,
        };
        KernelTime::of(&shipped().cards[card], work).ns() / 1000
    }

    #[test]
    fn a_kernel_begins_before_it_moves_anything() {
        // 64 MiB and as much again, of which gelu takes 36 µs on an H200.
        assert_eq!(took("h200", 2 << 26, KernelKind::Elementwise), 34);
        assert_eq!(took("h200", 64, KernelKind::Elementwise), 2);
    }

    #[test]
    fn columns_are_slower_than_rows() {
        let bytes = 4 * COUNT;
        let rows = took("h200", 2 * bytes, KernelKind::Reduction);
        let loads = 3 * 8192;
        let columns = took("h200", 4 * bytes, KernelKind::ColumnWalk { loads });
        assert_eq!((rows, columns), (151, 9830));
        let sums = [KernelKind::Reduction, KernelKind::ColumnParts];
        assert_eq!(sums.map(|it| took("h200", 8 << 23, it)), [20, 33]);
    }

    #[test]
    fn a_transposed_copy_takes_a_sector_for_each_element() {
        let copied =
            |card| [KernelKind::Copy, KernelKind::Transpose].map(|it| took(card, 8 * COUNT, it));
        assert_eq!(copied("h200"), [133, 461]);
        assert_eq!(copied("a100"), [311, 792]);
    }

    #[test]
    fn random_numbers_and_digits_are_computed() {
        let operations = NORMAL_OPERATIONS * COUNT;
        let normal = took("h200", 4 * COUNT, KernelKind::Random { operations });
        assert_eq!(normal, 159);
        let digits = 4 * COUNT;
        assert_eq!(took("h200", 20 * COUNT, KernelKind::Radix { digits }), 1025);
    }

    #[test]
    fn memory_efficient_attention_is_slower_than_flash_attention() {
        // 32 × 32 heads of 1024 × 32 in `float16`.
        let scores = 1 << 30;
        let attended = |kernel| {
            let flops = 4 * 32 * scores;
            let it = AttentionWork {
                kernel,
                flops,
                scores,
            };
            let work = Work {
                cost: Cost::default(),
                dtype: DType::F16,
                kind: KernelKind::Attention(it),
                tf32: Tf32::Off,
            };
            KernelTime::of(&shipped().cards["h200"], work).ns() / 1000
        };
        let both = [AttentionKernel::Flash, AttentionKernel::Efficient];
        assert_eq!(both.map(attended), [587, 1687]);
    }

    #[test]
    fn a_recurrent_layer_waits_for_each_step() {
        let inputs = Gemm::new(1, [6400, 2048, 256]);
        let step = Gemm::new(1, [64, 2048, 512]);
        let of = |steps| {
            let kind = KernelKind::Recurrent {
                inputs,
                step,
                steps,
                passes: 1,
            };
            took("h200", 0, kind)
        };
        assert_eq!(of(100) - of(0), 1152);
    }
}
