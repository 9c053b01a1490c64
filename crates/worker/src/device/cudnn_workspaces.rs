//! The memory that cuDNN's convolutions work in.
//!
//! PyTorch asks cuDNN which algorithms there are and takes the first one whose workspace it can allocate (`Conv_v8.cpp`,
//! `try_configs`). With `torch.backends.cudnn.benchmark` it allocates the largest workspace of all of them at the first call
//! with a shape, tries each, and empties its cache (`get_plans_from_find`). What the algorithms need are bounds from what they
//! write.

use crate::device::cards::Card;
use crate::dtype::DType;
use crate::meta::ConvolutionMemory;
use std::collections::HashSet;

/// What `torch.backends.cudnn` says, and which shapes were tried.
#[derive(Clone, Debug)]
pub(crate) struct CudnnWorkspaces {
    enabled: bool,
    benchmark: bool,
    /// The types that tensor cores compute in; `float32` only as TF32.
    on_tensor_cores: Vec<DType>,
    tried: HashSet<([u64; 4], DType)>,
}

/// What a call needs, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorkspaceNeed {
    /// What is allocated before, for algorithms that are tried; nothing if none is tried now.
    pub(crate) trial: Option<u64>,
    /// What the algorithm of the call works in.
    pub(crate) usual: u64,
    /// What it would be with the algorithm that takes most.
    pub(crate) most: u64,
}

impl WorkspaceNeed {
    const NONE: Self = Self {
        trial: None,
        usual: 0,
        most: 0,
    };
}

impl CudnnWorkspaces {
    /// PyTorch's settings at the start.
    pub(super) fn of(card: &Card) -> Self {
        Self {
            enabled: true,
            benchmark: false,
            on_tensor_cores: [
                Some(DType::F16),
                (card.flops.bf16 > card.flops.f32).then_some(DType::BF16),
                card.flops.tf32.map(|_| DType::F32),
            ]
            .into_iter()
            .flatten()
            .collect(),
            tried: HashSet::new(),
        }
    }

    /// `torch.backends.cudnn.enabled` and `benchmark`
    pub(crate) fn set(&mut self, enabled: bool, benchmark: bool) {
        self.enabled = enabled;
        self.benchmark = benchmark;
    }

    /// Whether PyTorch calls cuDNN.
    pub(crate) fn are_enabled(&self) -> bool {
        self.enabled
    }

    /// What a call with tensors of this type needs.
    pub(crate) fn need(
        &mut self,
        memory: ConvolutionMemory,
        dtype: DType,
        allows_tf32: bool,
    ) -> WorkspaceNeed {
        if !self.enabled || !matches!(dtype, DType::F32 | DType::F16 | DType::BF16) {
            return WorkspaceNeed::NONE;
        }
        let is_allowed = dtype != DType::F32 || allows_tf32;
        let usual = if is_allowed && self.on_tensor_cores.contains(&dtype) {
            memory.reordered
        } else {
            0
        };
        let most = memory.reordered.saturating_add(memory.lowered);
        let is_trial = self.benchmark && self.tried.insert((memory.shape, dtype));
        WorkspaceNeed {
            trial: is_trial.then_some(most.max(memory.transforms)),
            usual,
            most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cards::shipped;

    const MEMORY: ConvolutionMemory = ConvolutionMemory {
        reordered: 10,
        lowered: 90,
        transforms: 300,
        shape: [0, 1, 2, 3],
    };

    fn need(card: &str, dtype: DType, benchmark: bool) -> [WorkspaceNeed; 2] {
        let mut cudnn = CudnnWorkspaces::of(&shipped().cards[card]);
        cudnn.set(true, benchmark);
        [(); 2].map(|()| cudnn.need(MEMORY, dtype, true))
    }

    #[test]
    fn a_benchmark_takes_the_largest_workspace_once() {
        let [first, second] = need("h200", DType::F32, true);
        assert_eq!((first.trial, first.usual), (Some(300), 10));
        assert_eq!((second.trial, second.usual, second.most), (None, 10, 100));
    }

    #[test]
    fn only_tensor_cores_need_the_channels_side_by_side() {
        let usual = |card, dtype| need(card, dtype, false)[0].usual;
        assert_eq!(usual("t4", DType::F32), 0);
        assert_eq!(usual("t4", DType::F16), 10);
        assert_eq!(usual("t4", DType::BF16), 0);
        assert_eq!(usual("a100", DType::F32), 10);
        assert_eq!(usual("a100", DType::F64), 0);
    }
}
