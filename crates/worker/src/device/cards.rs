//! The cards that can be modelled, from `assets/cards.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Everything in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cards {
    /// The host of every card, with which modelled clocks run.
    pub host: Host,
    /// The hosts of a report where the host is the limit.
    pub host_range: HostRange,
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
    /// Processes that run at once.
    pub cores: u32,
    /// What the workers of a `DataLoader` cost.
    pub loader: LoaderCosts,
    /// What calls take beyond the launch of a simple kernel.
    pub calls: CallCosts,
    /// What CUDA graphs cost.
    pub graphs: GraphCosts,
    /// What `torch.compile` costs.
    pub compiled: CompileCosts,
}

/// The host of the clocks, and a slower one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostRange {
    /// What the host of the clocks is.
    pub faster: String,
    /// What the slower host is.
    pub slower: String,
    /// How many times longer its calls take.
    pub times: f64,
}

impl HostRange {
    /// The slower host beside a card.
    pub(crate) fn slower_host(&self, card: &Card, host: &Host) -> (Card, Host) {
        let longer = |ns: u64| (ns as f64 * self.times).round() as u64;
        let mut card = card.clone();
        card.assumed.launch_ns = longer(card.assumed.launch_ns);
        let host = Host {
            op_ns: longer(host.op_ns),
            line_ns: longer(host.line_ns),
            calls: host.calls.each(longer),
            loader: host.loader.each(longer),
            graphs: host.graphs.each(longer),
            compiled: host.compiled.each(longer),
            ..*host
        };
        (card, host)
    }
}

/// Nanoseconds of host time by the kind of call, beyond the launch of a simple kernel.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallCosts {
    /// A view, which launches nothing: the whole time.
    pub view_ns: u64,
    /// Sums, softmax.
    pub reduction_ns: u64,
    /// Norms.
    pub norm_ns: u64,
    /// Lookups and indexing.
    pub indexed_ns: u64,
    /// A matrix product.
    pub gemm_ns: u64,
    /// A convolution, or a recurrent layer.
    pub convolution_ns: u64,
    /// Fused attention.
    pub attention_ns: u64,
    /// Each tensor of one call for many.
    pub tensor_ns: u64,
    /// A call of a `torch.nn.Module`, without what its `forward` does.
    pub module_ns: u64,
    /// An operation that autograd records.
    pub record_ns: u64,
    /// `backward()`, without its nodes.
    pub backward_ns: u64,
    /// A node of the graph in backward, without its kernels.
    pub node_ns: u64,
    /// The Python of an optimizer's step, without its parameters.
    pub step_ns: u64,
    /// The Python of `zero_grad()`, without its parameters.
    pub zero_grad_ns: u64,
    /// One parameter of either.
    pub parameter_ns: u64,
    /// A batch of a `DataLoader`.
    pub batch_ns: u64,
}

impl CallCosts {
    fn each(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            view_ns: change(self.view_ns),
            reduction_ns: change(self.reduction_ns),
            norm_ns: change(self.norm_ns),
            indexed_ns: change(self.indexed_ns),
            gemm_ns: change(self.gemm_ns),
            convolution_ns: change(self.convolution_ns),
            attention_ns: change(self.attention_ns),
            tensor_ns: change(self.tensor_ns),
            module_ns: change(self.module_ns),
            record_ns: change(self.record_ns),
            backward_ns: change(self.backward_ns),
            node_ns: change(self.node_ns),
            step_ns: change(self.step_ns),
            zero_grad_ns: change(self.zero_grad_ns),
            parameter_ns: change(self.parameter_ns),
            batch_ns: change(self.batch_ns),
        }
    }
}

/// Nanoseconds of host time for the workers of a `DataLoader`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoaderCosts {
    /// The program starts a worker.
    pub fork_ns: u64,
    /// From then until the worker takes its first indices.
    pub start_ns: u64,
    /// The program waits until all workers have ended.
    pub end_ns: u64,
    /// A message without tensors, such as the indices of a batch, or a batch from the pinning thread.
    pub message_ns: u64,
    /// A worker sends a batch, without its tensors.
    pub send_ns: u64,
    /// The program receives a batch from a worker, without its tensors.
    pub receive_ns: u64,
    /// Each tensor that is sent or received.
    pub tensor_ns: u64,
}

impl LoaderCosts {
    fn each(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            fork_ns: change(self.fork_ns),
            start_ns: change(self.start_ns),
            end_ns: change(self.end_ns),
            message_ns: change(self.message_ns),
            send_ns: change(self.send_ns),
            receive_ns: change(self.receive_ns),
            tensor_ns: change(self.tensor_ns),
        }
    }
}

/// What CUDA graphs cost on every card.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphCosts {
    /// Nanoseconds of host time for `CUDAGraph.replay`, however many kernels there are.
    pub launch_ns: u64,
    /// Nanoseconds of host time for each kernel of a launch.
    pub node_ns: u64,
    /// Nanoseconds of host time to build a graph, for each kernel.
    pub instantiate_node_ns: u64,
    /// Share of the shortest time between two kernels of a stream that is left between those of a graph.
    pub kernel_share: f64,
}

impl GraphCosts {
    fn each(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            launch_ns: change(self.launch_ns),
            node_ns: change(self.node_ns),
            instantiate_node_ns: change(self.instantiate_node_ns),
            kernel_share: self.kernel_share,
        }
    }
}

/// Nanoseconds of host time for `torch.compile`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompileCosts {
    /// The first compilation of a program.
    pub start_ns: u64,
    /// Each compilation.
    pub graph_ns: u64,
    /// Each operation of it.
    pub operation_ns: u64,
    /// Each call of what was compiled, beyond its launches.
    pub call_ns: u64,
}

impl CompileCosts {
    fn each(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            start_ns: change(self.start_ns),
            graph_ns: change(self.graph_ns),
            operation_ns: change(self.operation_ns),
            call_ns: change(self.call_ns),
        }
    }
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
    pub assumed: CostAssumptions,
}

/// Peak floating point operations a second, by element type.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// `float32`; whole numbers are taken to run at this rate, too.
    pub f32: f64,
    /// `float32` with factors rounded to TF32; `None` for a card without TF32 units.
    pub tf32: Option<f64>,
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
pub struct CostAssumptions {
    /// Shares of the peak rates that matrix products of the best shape reach.
    pub matmul: Shares,
    /// Share of the peak rate that fused attention reaches.
    pub attention_share: f64,
    /// Share of the peak bandwidth that large elementwise work reaches.
    pub bandwidth_share: f64,
    /// Share of the peak bandwidth that sums and softmax reach.
    pub reduction_share: f64,
    /// Share of the peak bandwidth that norms reach.
    pub norm_share: f64,
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
    /// Nanoseconds of host time in which cuBLAS starts, in the first product.
    pub cublas_ns: u64,
    /// Nanoseconds of host time in which cuDNN starts, in the first convolution.
    pub cudnn_ns: u64,
    /// Bytes that the context holds outside the pool.
    pub context_bytes: u64,
}

/// Shares of the peak rates, by element type.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// `float32`, and whole numbers.
    pub f32: f64,
    /// `float32` with factors rounded to TF32; `None` for a card without TF32 units.
    pub tf32: Option<f64>,
    /// `float16`
    pub f16: f64,
    /// `bfloat16`
    pub bf16: f64,
    /// `float64`
    pub f64: f64,
}

impl Card {
    /// The major and the minor number of its compute capability.
    pub(crate) fn version(&self) -> (u32, u32) {
        let mut parts = self.capability.split('.').map(str::parse);
        let mut part = || parts.next().and_then(Result::ok).unwrap_or(0);
        (part(), part())
    }

    /// So many in each cycle of each multiprocessor, in a second. Its clock follows from its rate in `float32`, of which a core
    /// does two operations in a cycle.
    pub(crate) fn in_a_second(&self, each: f64) -> f64 {
        let cores = match self.version() {
            (7, 5) | (8, 0) => 64.0,
            _other => 128.0,
        };
        self.flops.f32 / (2.0 * cores) * each
    }

    /// Threads that a multiprocessor holds at once, which follow from the compute capability.
    pub(crate) fn threads_per_multiprocessor(&self) -> u32 {
        match self.version() {
            (7, 5) => 1024,
            (8, 6..=9) | (12, _) => 1536,
            _other => 2048,
        }
    }
}

impl Cards {
    /// The cards with their ids, from the slowest in half precision to the fastest, then by bandwidth.
    ///
    /// They are offered in this order. The first is the default of a lab that needs a card, so it is the one that
    /// most people can get.
    pub fn in_order(&self) -> Vec<(&String, &Card)> {
        let mut cards: Vec<_> = self.cards.iter().collect();
        cards.sort_by(|(_, one), (_, other)| {
            let rates = one.flops.f16.total_cmp(&other.flops.f16);
            rates.then(one.bandwidth.total_cmp(&other.bandwidth))
        });
        cards
    }
}

/// The shipped cards.
///
/// The file is part of the executable and a test parses it, so an error in it cannot reach a learner. It would
/// leave a course without modelled cards.
pub fn shipped() -> &'static Cards {
    static CARDS: OnceLock<Cards> = OnceLock::new();
    CARDS.get_or_init(|| {
        toml::from_str(include_str!("../../../../assets/cards.toml")).unwrap_or_else(|_error| {
            Cards {
                host: Host {
                    flops: 1e11,
                    bandwidth: 1e10,
                    op_ns: 1000,
                    line_ns: 100,
                    cores: 8,
                    loader: LoaderCosts::default(),
                    calls: CallCosts::default(),
                    graphs: GraphCosts::default(),
                    compiled: CompileCosts::default(),
                },
                host_range: HostRange {
                    faster: String::new(),
                    slower: String::new(),
                    times: 1.0,
                },
                cards: BTreeMap::new(),
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read() -> Cards {
        toml::from_str(include_str!("../../../../assets/cards.toml")).unwrap()
    }

    #[test]
    fn the_shipped_cards_are_offered_from_the_slowest_to_the_fastest() {
        let cards = read();
        let offered = cards.in_order();
        assert_eq!(offered.len(), cards.cards.len());
        let rates: Vec<f64> = offered.iter().map(|(_, card)| card.flops.f16).collect();
        assert!(rates.is_sorted(), "{rates:?}");
        let ends = [offered.first(), offered.last()].map(|it| it.unwrap().0.as_str());
        assert_eq!(ends, ["t4", "h200"]);
    }

    #[test]
    fn every_card_names_its_source_and_has_a_capability_of_two_numbers() {
        for (id, card) in &read().cards {
            assert!(card.source.starts_with("NVIDIA "), "{id}");
            assert!(card.source.contains(", 20"), "{id} names no year");
            let (major, minor) = card.capability.split_once('.').unwrap();
            assert!(major.parse::<u32>().unwrap() >= 7, "{id}");
            minor.parse::<u32>().unwrap();
        }
    }

    #[test]
    fn the_figures_of_every_card_have_sane_relations() {
        let cards = read();
        for (id, card) in &cards.cards {
            let Rates {
                f32,
                tf32,
                f16,
                bf16,
                f64,
            } = card.flops;
            // Units for TF32 came with capability 8.0, too.
            assert_eq!(tf32.is_none(), card.capability.starts_with('7'), "{id}");
            assert!(tf32.is_none_or(|it| it >= f32 && it < f16), "{id}");
            assert!(f16 > f32 && f64 <= f32, "{id}: {:?}", card.flops);
            assert!(tf32.is_none_or(|it| f32 <= it && it < f16), "{id}");
            // Bfloat16 has units of its own from capability 8.0 on, and they are those of float16.
            let expected = if card.capability.starts_with('7') {
                f32
            } else {
                f16
            };
            assert!((bf16 - expected).abs() < 1.0, "{id}: {:?}", card.flops);
            assert!(card.bandwidth > card.link_peak * 5.0, "{id}");
            assert!(f16 / card.bandwidth > 100.0, "{id}");
            assert!((14..=141).contains(&(card.memory >> 30)), "{id}");
            // 3.2 MiB for each multiprocessor, to the nearest 32 MiB.
            let context = f64::from(card.multiprocessors) * 3.2 / 32.0;
            assert_eq!(
                card.assumed.context_bytes,
                (context.round() as u64) << 25,
                "{id}"
            );
        }
    }

    #[test]
    fn assumed_shares_are_shares_and_pageable_copies_are_bound_by_the_host() {
        let cards = read();
        for (id, card) in &cards.cards {
            let assumed = card.assumed;
            let matmul = assumed.matmul;
            for share in [
                matmul.f32,
                matmul.tf32.unwrap_or(0.5),
                matmul.f16,
                matmul.bf16,
                matmul.f64,
                assumed.attention_share,
                assumed.bandwidth_share,
                assumed.reduction_share,
                assumed.norm_share,
                assumed.pinned_share,
                assumed.pageable_share,
            ] {
                assert!(share > 0.1 && share <= 1.0, "{id}: {share}");
            }
            assert_eq!(matmul.tf32.is_some(), card.flops.tf32.is_some(), "{id}");
            assert!(assumed.pageable_share < assumed.pinned_share, "{id}");
            assert!(
                card.link_peak * assumed.pageable_share <= cards.host.bandwidth,
                "{id}"
            );
            assert!(assumed.kernel_ns < assumed.launch_ns, "{id}");
        }
    }

    #[test]
    fn a_newer_card_is_not_faster_in_everything() {
        let cards = read().cards;
        assert!(cards["l4"].bandwidth < cards["t4"].bandwidth);
        assert!(cards["a100"].flops.f32 < cards["rtx4090"].flops.f32);
        let bandwidths = ["t4", "rtx4090", "a100", "h100", "h200"].map(|id| cards[id].bandwidth);
        assert!(bandwidths.is_sorted());
    }
}
