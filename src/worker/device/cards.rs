//! The cards that can be modelled, from `assets/cards.toml`.

use crate::worker::tensor::dtype::DType;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Everything in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cards {
    /// The host that stands beside each card.
    pub host: Host,
    /// The cards by id.
    pub cards: BTreeMap<String, Card>,
}

/// The modelled host.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Floating point operations a second.
    pub flops: f64,
    /// Bytes a second.
    pub bandwidth: f64,
    /// Nanoseconds to dispatch one operation.
    pub op_ns: u64,
    /// Nanoseconds for one line of Python.
    pub line_ns: u64,
}

/// One card.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Its name.
    pub title: String,
    /// Its compute capability, such as `7.5`.
    pub capability: String,
    /// Its memory in bytes.
    pub memory: u64,
    /// Where the figures were published.
    pub source: String,
    /// Bytes a second between its memory and its cores.
    pub bandwidth: f64,
    /// Bytes a second of its link to the host, one direction.
    pub link_peak: f64,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Peak rates.
    pub flops: Rates,
    /// What no vendor publishes.
    pub assumed: Assumed,
}

/// Peak floating point operations a second, by element type.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// `float32`; whole numbers are taken to run at this rate, too.
    pub f32: f64,
    /// `float16`
    pub f16: f64,
    /// `bfloat16`
    pub bf16: f64,
    /// `float64`
    pub f64: f64,
}

/// What no vendor publishes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    /// Share of the peak rate that large matrix products reach.
    pub matmul_share: f64,
    /// Share of the peak bandwidth that large elementwise work reaches.
    pub bandwidth_share: f64,
    /// Share of the link that copies from pageable memory reach.
    pub pageable_share: f64,
    /// Share of the link that copies from pinned memory reach.
    pub pinned_share: f64,
    /// Nanoseconds before the first byte of a copy moves.
    pub copy_ns: u64,
    /// Nanoseconds of host time to queue one kernel.
    pub launch_ns: u64,
    /// Shortest time a kernel keeps the card busy, in nanoseconds.
    pub kernel_ns: u64,
    /// Nanoseconds of host time at the first use of the card.
    pub first_use_ns: u64,
    /// Bytes that the context holds outside the pool.
    pub context_bytes: u64,
}

impl Card {
    /// Peak rate for an element type.
    pub fn rate(&self, dtype: DType) -> f64 {
        match dtype {
            DType::F16 => self.flops.f16,
            DType::BF16 => self.flops.bf16,
            DType::F64 => self.flops.f64,
            DType::F32 | DType::Bool | DType::U8 | DType::I16 | DType::I32 | DType::I64 => {
                self.flops.f32
            }
        }
    }
}

/// The shipped cards.
///
/// The file is part of the executable and a test reads it, so a fault in it cannot reach a learner; it
/// would show as a course without modelled cards.
pub fn shipped() -> &'static Cards {
    static CARDS: OnceLock<Cards> = OnceLock::new();
    CARDS.get_or_init(|| {
        toml::from_str(include_str!("../../../assets/cards.toml")).unwrap_or_else(|_fault| Cards {
            host: Host {
                flops: 1e11,
                bandwidth: 1e10,
                op_ns: 1000,
                line_ns: 100,
            },
            cards: BTreeMap::new(),
        })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_shipped_cards_can_be_read_and_name_their_sources() {
        let cards: super::Cards =
            toml::from_str(include_str!("../../../assets/cards.toml")).unwrap();
        assert!(cards.cards.contains_key("t4"));
        assert!(cards.cards.values().all(|card| card.source.len() > 20));
    }
}
