//! The time of a matrix product: tiles of the result, in waves over the multiprocessors.
//!
//! After NVIDIA's *Matrix Multiplication Background User's Guide* (DU-09799-001): one block computes one tile of the
//! result, every multiprocessor works on tiles at the same time, and the last wave takes as long as a full one.

use super::rate::ns_at;
use crate::device::cards::Card;
use crate::device::work::{Tf32, Work};
use crate::dtype::DType;
use crate::meta::Gemm;

/// The tiles that the guide lists for cuBLAS (section 2.3), from the most to the least efficient, as rows and
/// columns, and three smaller ones for narrow products (`cublasLtMatmulTile_t`).
const TILES: [(u64, u64); 10] = [
    (256, 128),
    (128, 256),
    (128, 128),
    (256, 64),
    (64, 256),
    (128, 64),
    (64, 64),
    (128, 32),
    (32, 128),
    (32, 32),
];

/// Results that a multiprocessor must work on at once to keep its tensor cores busy: the largest tile. With less
/// it waits for its operands.
const OUTPUTS_IN_FLIGHT: u64 = 256 * 128;

/// Into how many parts `k` may be cut, each for blocks of its own (split-K), if a product has few tiles: enough to give
/// work to all multiprocessors if there is one tile only.
const SPLITS: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The shortest part of `k`: four steps of a kernel that takes 32 at a time.
const SHORTEST_PART: u64 = 128;

/// The units that a product uses.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Units {
    peak: f64,
    /// What the best shape reaches of it.
    share: f64,
    tensor_cores: bool,
    /// Bytes of an element.
    size: u64,
}

/// Nanoseconds that computing takes; without the time to move what it reads and writes.
pub(super) fn compute_ns(card: &Card, work: Work, gemm: Gemm) -> u64 {
    if gemm.is_of_vector() {
        // A product with a vector reads each number once; kernels without tensor cores do it (`gemv`).
        return ns_at(work.cost.flops, card.flops.f32);
    }
    let ns = compute_ns_on(card, units(card, work), gemm);
    match work.tf32 {
        // TF32 is allowed, not asked for: cuBLAS takes the kernel that is faster, and for a small product that is
        // one without tensor cores.
        Tf32::Allowed => {
            let tf32 = Tf32::Off;
            ns.min(compute_ns_on(
                card,
                units(card, Work { tf32, ..work }),
                gemm,
            ))
        }
        Tf32::Off => ns,
    }
}

fn compute_ns_on(card: &Card, units: Units, gemm: Gemm) -> u64 {
    let most = if units.tensor_cores {
        loading_rate(card, gemm.alignment, units.size)
    } else {
        f64::INFINITY
    };
    let each = (units.peak * units.share).min(most) / f64::from(card.multiprocessors);
    let times = TILES
        .iter()
        .flat_map(|tile| SPLITS.iter().map(|parts| (*tile, *parts)))
        .filter(|(tile, parts)| *parts == 1 || may_split(card, gemm, *tile, *parts))
        .map(|(tile, parts)| {
            let busiest = outputs_of_busiest(gemm, tile, parts, card.multiprocessors);
            let at_once = if units.tensor_cores {
                busiest.max(OUTPUTS_IN_FLIGHT)
            } else {
                busiest
            };
            let flops = 2 * at_once.saturating_mul(gemm.k.div_ceil(parts));
            let last = match parts {
                1 if units.tensor_cores => epilogue_ns(card, busiest.saturating_mul(units.size)),
                1 => 0,
                _ => gathering_ns(card, gemm, parts),
            };
            ns_at(flops, each * efficiency(tile)) + last
        });
    times.min().unwrap_or(0)
}

/// Whether a product of this type runs on tensor cores.
pub(super) fn on_tensor_cores(card: &Card, work: Work) -> bool {
    units(card, work).tensor_cores
}

/// The peak rate of the units that a product of this type uses.
pub(super) fn peak(card: &Card, work: Work) -> f64 {
    units(card, work).peak
}

/// Whether a product may be cut along `k`: its tiles leave half of the multiprocessors without work, and the parts
/// are long enough.
fn may_split(card: &Card, gemm: Gemm, tile: (u64, u64), parts: u64) -> bool {
    tiles(gemm, tile) * 2 <= u64::from(card.multiprocessors) && gemm.k / parts >= SHORTEST_PART
}

fn tiles(gemm: Gemm, (rows, columns): (u64, u64)) -> u64 {
    let each = gemm
        .m
        .div_ceil(rows)
        .saturating_mul(gemm.n.div_ceil(columns));
    each.saturating_mul(gemm.batch)
}

/// Results of the multiprocessor that has the most tiles; all others wait for it.
fn outputs_of_busiest(gemm: Gemm, tile: (u64, u64), parts: u64, of: u32) -> u64 {
    let all = tiles(gemm, tile).saturating_mul(parts);
    all.div_ceil(u64::from(of).max(1))
        .saturating_mul(tile.0 * tile.1)
}

/// The time of the epilogue of a kernel for tensor cores: a block writes its results when it has computed them all,
/// with the multiprocessor's part of the bandwidth. Its accumulators fill the registers, so that no other block
/// computes meanwhile (CUTLASS, *Efficient GEMM in CUDA*).
fn epilogue_ns(card: &Card, bytes: u64) -> u64 {
    let bandwidth = card.bandwidth * card.assumed.bandwidth_share;
    ns_at(bytes, bandwidth / f64::from(card.multiprocessors))
}

/// The time to add the partial results of a product that was cut along `k`: they are written in `float32`, and a
/// second kernel reads them.
fn gathering_ns(card: &Card, gemm: Gemm, parts: u64) -> u64 {
    let results = gemm.batch.saturating_mul(gemm.m).saturating_mul(gemm.n);
    let bytes = results.saturating_mul(2 * 4 * parts);
    card.assumed.kernel_ns + ns_at(bytes, card.bandwidth * card.assumed.bandwidth_share)
}

/// What a tile reaches of the largest one: a small tile reads more for each result. A tile of `a` × `b` does
/// `a · b / (a + b)` multiplications for each element that it reads; reading one costs it as much as 16 of them.
fn efficiency((rows, columns): (u64, u64)) -> f64 {
    let of = |rows: u64, columns: u64| {
        let intensity = (rows * columns) as f64 / (rows + columns) as f64;
        intensity / (intensity + 16.0)
    };
    of(rows, columns) / of(256, 128)
}

/// Operations of a multiprocessor in a cycle with elements that are loaded one by one. An H200 reaches 490 in `bfloat16`
/// (8192 × 1024 by 1024 × 50257, PyTorch 2.11, 2026-11), an A100 460 to 540 with TF32 (facebookresearch/HolisticTraceAnalysis,
/// tests/data, diff-control: 1024 × 512 by 512 × 9375 and 1024 × 1024 by 1024 × 1705).
const FLOPS_OF_SINGLE_LOADS: f64 = 490.0;

/// The highest rate for rows that begin at multiples of so many elements. From 16 bytes on, a thread loads 16 at once (the
/// guide, section 2.2). With less it takes more loads, whose number limits the rate.
fn loading_rate(card: &Card, alignment: u64, size: u64) -> f64 {
    if alignment.saturating_mul(size) >= 16 {
        return f64::INFINITY;
    }
    card.in_a_second(FLOPS_OF_SINGLE_LOADS * alignment as f64)
}

fn units(card: &Card, work: Work) -> Units {
    let (rates, shares) = (card.flops, card.assumed.matmul);
    let size = work.dtype.size();
    let with = |peak: f64, share: f64, tensor_cores: bool| Units {
        peak,
        share,
        tensor_cores,
        size,
    };
    match (work.dtype, work.tf32, rates.tf32.zip(shares.tf32)) {
        (DType::F32, Tf32::Allowed, Some((rate, share))) => with(rate, share, true),
        (DType::F16, _, _) => with(rates.f16, shares.f16, true),
        // Without units of its own it is computed as `float32`.
        (DType::BF16, _, _) => with(rates.bf16, shares.bf16, rates.bf16 > rates.f32),
        (DType::F64, _, _) => with(rates.f64, shares.f64, false),
        (
            DType::F32 | DType::Bool | DType::U8 | DType::I8 | DType::I16 | DType::I32 | DType::I64,
            Tf32::Allowed | Tf32::Off,
            _,
        ) => with(rates.f32, shares.f32, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;
    use crate::meta::{Cost, KernelKind};

    /// The rate of a product on a card, in TFLOP/s to one decimal.
    fn rate(card: &str, dtype: DType, [m, n, k]: [u64; 3]) -> String {
        let gemm = Gemm::new(1, [m, n, k]);
        let work = Work {
            cost: Cost::default(),
            dtype,
            kind: KernelKind::Gemm(gemm),
            tf32: Tf32::Off,
        };
        let ns = compute_ns(&shipped().cards[card], work, gemm);
        format!("{:.1}", (2 * m * n * k) as f64 / ns as f64 / 1e3)
    }

    #[test]
    fn a_product_whose_tiles_leave_multiprocessors_idle_is_slower() {
        let half = |side: u64| rate("a100", DType::F16, [side, side, side]);
        assert_eq!([half(8192), half(1024)], ["265.8", "85.8"]);
        assert_eq!(rate("a100", DType::F32, [1024, 1024, 1024]), "12.0");
    }

    #[test]
    fn one_tile_more_than_a_wave_takes_a_wave_more() {
        // 108 tiles of 256 x 128 are one wave on an A100, and each row of tiles beyond begins another.
        let waves = |columns: u64| {
            let gemm = Gemm::new(1, [256 * 9, columns, 4096]);
            outputs_of_busiest(gemm, (256, 128), 1, 108) / (256 * 128)
        };
        assert_eq!([waves(128 * 12), waves(128 * 12 + 1)], [1, 2]);
    }

    #[test]
    fn a_long_product_with_few_results_is_cut_along_k() {
        let few = rate("a100", DType::F16, [768, 768, 16384]);
        assert_eq!(few, "178.8");
    }

    #[test]
    fn a_product_of_one_tile_is_cut_into_enough_parts_for_the_card() {
        // 15 × 98304 by 98304 × 50 took 43 µs with TF32 (facebookresearch/HolisticTraceAnalysis, diff-control).
        let gemm = Gemm::new(1, [15, 50, 98_304]);
        let work = Work {
            cost: Cost::default(),
            dtype: DType::F32,
            kind: KernelKind::Gemm(gemm),
            tf32: Tf32::Allowed,
        };
        let us = compute_ns(&shipped().cards["a100-40gb"], work, gemm) / 1000;
        assert_eq!(us, 26);
    }

    #[test]
    fn rows_at_odd_addresses_slow_tensor_cores_and_no_others() {
        let shapes = [[8192, 50304, 768], [8192, 50257, 768]];
        let on = |dtype| shapes.map(|it| rate("a100", dtype, it));
        assert_eq!(on(DType::BF16), ["224.4", "70.3"]);
        assert_eq!(on(DType::F32), ["19.0", "19.0"]);
    }
}
