//! What a run held in memory: how much, for what, when, and at which line it was most.

use super::skip::is_default;
use serde::{Deserialize, Serialize};

/// What memory is held for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Parameters: leaf tensors with `requires_grad`.
    Weights,
    /// Gradients that backward accumulated in `.grad`.
    Gradients,
    /// State of an optimizer, such as its moments.
    OptimizerState,
    /// Tensors that an operation saved for backward.
    Activations,
    /// Data and constants: tensors created from values, or copied, without gradients.
    Inputs,
    /// What a matrix product's library works in while it runs: PyTorch allocates it for each product.
    Workspace,
    /// What cuDNN works in during a convolution or a recurrent layer: a bound.
    CudnnWorkspace,
    /// Everything else, such as results that no other operation needs.
    Temporaries,
}

impl Purpose {
    /// All purposes, in the order of the screen.
    pub const ALL: [Self; 8] = [
        Self::Weights,
        Self::Gradients,
        Self::OptimizerState,
        Self::Activations,
        Self::Inputs,
        Self::Workspace,
        Self::CudnnWorkspace,
        Self::Temporaries,
    ];

    /// Its name on screen.
    pub fn word(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Gradients => "gradients",
            Self::OptimizerState => "optimizer state",
            Self::Activations => "saved activations",
            Self::Inputs => "inputs and buffers",
            Self::Workspace => "cuBLAS workspace",
            Self::CudnnWorkspace => "cuDNN workspace",
            Self::Temporaries => "temporaries",
        }
    }
}

/// Bytes for each purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Purposes {
    /// [`Purpose::Weights`]
    #[serde(skip_serializing_if = "is_default")]
    pub weights: u64,
    /// [`Purpose::Gradients`]
    #[serde(skip_serializing_if = "is_default")]
    pub gradients: u64,
    /// [`Purpose::OptimizerState`]
    #[serde(skip_serializing_if = "is_default")]
    pub optimizer_state: u64,
    /// [`Purpose::Activations`]
    #[serde(skip_serializing_if = "is_default")]
    pub activations: u64,
    /// [`Purpose::Inputs`]
    #[serde(skip_serializing_if = "is_default")]
    pub inputs: u64,
    /// [`Purpose::Workspace`]
    #[serde(skip_serializing_if = "is_default")]
    pub workspace: u64,
    /// [`Purpose::CudnnWorkspace`]
    #[serde(skip_serializing_if = "is_default")]
    pub cudnn_workspace: u64,
    /// [`Purpose::Temporaries`]
    #[serde(skip_serializing_if = "is_default")]
    pub temporaries: u64,
}

impl Purposes {
    /// The bytes for a purpose.
    pub fn of(mut self, purpose: Purpose) -> u64 {
        *self.of_mut(purpose)
    }

    /// The bytes for a purpose, mutable.
    pub fn of_mut(&mut self, purpose: Purpose) -> &mut u64 {
        match purpose {
            Purpose::Weights => &mut self.weights,
            Purpose::Gradients => &mut self.gradients,
            Purpose::OptimizerState => &mut self.optimizer_state,
            Purpose::Activations => &mut self.activations,
            Purpose::Inputs => &mut self.inputs,
            Purpose::Workspace => &mut self.workspace,
            Purpose::CudnnWorkspace => &mut self.cudnn_workspace,
            Purpose::Temporaries => &mut self.temporaries,
        }
    }

    /// The bytes for all purposes.
    pub fn total(&self) -> u64 {
        let all = Purpose::ALL.iter().map(|it| self.of(*it));
        all.fold(0, u64::saturating_add)
    }

    /// Weights, gradients and optimizer state: the memory of training without activations.
    pub fn floor(&self) -> u64 {
        let state = self.gradients.saturating_add(self.optimizer_state);
        self.weights.saturating_add(state)
    }
}

/// The memory of tensors at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Nanoseconds since the run began, on the host's clock.
    pub at_ns: u64,
    /// The current line; 0 outside the program.
    pub line: u32,
    /// Bytes of tensors by purpose.
    pub held: Purposes,
}

/// An allocation beyond the capacity, in a plan, which continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overflow {
    /// The line that allocated.
    pub line: u32,
    /// The size of the allocation in bytes.
    pub asked: u64,
    /// Bytes of tensors before it.
    pub live: u64,
    /// Bytes that the allocator holds between tensors, in pieces of which none is large enough.
    #[serde(default, skip_serializing_if = "is_default")]
    pub in_pieces: u64,
}

/// The most that a convolution may work in, besides what is held: a bound, for cuDNN tells nobody before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceBound {
    /// The line of the convolution.
    pub line: u32,
    /// Its workspace with the algorithm that needs most.
    pub bytes: u64,
    /// Bytes of tensors at that time.
    pub held: u64,
    /// Whether the card had room for it. If not, cuDNN takes an algorithm that needs less.
    pub fits: bool,
}

/// Workspaces of cuBLAS that PyTorch before 2.15 keeps from the first product on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptWorkspaces {
    /// Their bytes.
    pub bytes: u64,
    /// The peak of what is allocated, with them.
    pub peak_live: u64,
}

/// The memory of a device, in bytes; on a CPU, the host memory of tensors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Allocated to tensors at the end.
    pub live: u64,
    /// Reserved by the caching allocator at the end; 0 on a CPU.
    pub reserved: u64,
    /// The peak of `live`.
    pub peak_live: u64,
    /// The peak of `reserved`; 0 on a CPU.
    pub peak_reserved: u64,
    /// The line of the peak; 0 without tensors.
    pub peak_line: u32,
    /// The memory of the device, or the limit of the run.
    pub capacity: u64,
    /// Outside of the allocator: the CUDA context and its libraries.
    #[serde(default, skip_serializing_if = "is_default")]
    pub workspace: u64,
    /// Bytes by purpose at the peak.
    #[serde(default)]
    pub peak: Purposes,
    /// The peak of weights, gradients and optimizer state together.
    #[serde(default, skip_serializing_if = "is_default")]
    pub floor: u64,
    /// Memory over time: the peak of each time interval.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_time: Vec<Moment>,
    /// The first allocation beyond the capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
    /// The convolution that may need most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convolution_workspace: Option<WorkspaceBound>,
    /// What older versions of PyTorch hold besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_before_2_15: Option<KeptWorkspaces>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_has_bytes_of_its_own() {
        let mut held = Purposes::default();
        for (at, purpose) in Purpose::ALL.into_iter().enumerate() {
            *held.of_mut(purpose) += 1 << at;
        }
        assert_eq!(held.total(), 0b1111_1111);
        assert_eq!(held.floor(), 0b111);
    }
}
