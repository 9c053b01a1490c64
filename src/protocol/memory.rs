//! What a run held in memory: how much, for what, when, and at which line it was most.

use serde::{Deserialize, Serialize};

/// What memory is held for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Parameters: tensors that gradients are gathered for.
    Weights,
    /// What backward gathered in `.grad`.
    Gradients,
    /// What an optimizer keeps from step to step.
    OptimizerState,
    /// What an operation saved for backward.
    Activations,
    /// Data and constants: tensors that were made from values, or copied, and that no gradient reaches.
    Inputs,
    /// Everything else, such as a result that nothing else will need.
    Temporaries,
}

impl Purpose {
    /// All purposes, in the order they are shown.
    pub const ALL: [Self; 6] = [
        Self::Weights,
        Self::Gradients,
        Self::OptimizerState,
        Self::Activations,
        Self::Inputs,
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
            Self::Temporaries => "temporaries",
        }
    }
}

/// Bytes for each purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Purposes {
    /// [`Purpose::Weights`]
    #[serde(skip_serializing_if = "super::is_zero")]
    pub weights: u64,
    /// [`Purpose::Gradients`]
    #[serde(skip_serializing_if = "super::is_zero")]
    pub gradients: u64,
    /// [`Purpose::OptimizerState`]
    #[serde(skip_serializing_if = "super::is_zero")]
    pub optimizer_state: u64,
    /// [`Purpose::Activations`]
    #[serde(skip_serializing_if = "super::is_zero")]
    pub activations: u64,
    /// [`Purpose::Inputs`]
    #[serde(skip_serializing_if = "super::is_zero")]
    pub inputs: u64,
    /// [`Purpose::Temporaries`]
    #[serde(skip_serializing_if = "super::is_zero")]
    pub temporaries: u64,
}

impl Purposes {
    /// The bytes for a purpose.
    pub fn of(&self, purpose: Purpose) -> u64 {
        match purpose {
            Purpose::Weights => self.weights,
            Purpose::Gradients => self.gradients,
            Purpose::OptimizerState => self.optimizer_state,
            Purpose::Activations => self.activations,
            Purpose::Inputs => self.inputs,
            Purpose::Temporaries => self.temporaries,
        }
    }

    /// The bytes for a purpose, to change them.
    pub fn of_mut(&mut self, purpose: Purpose) -> &mut u64 {
        match purpose {
            Purpose::Weights => &mut self.weights,
            Purpose::Gradients => &mut self.gradients,
            Purpose::OptimizerState => &mut self.optimizer_state,
            Purpose::Activations => &mut self.activations,
            Purpose::Inputs => &mut self.inputs,
            Purpose::Temporaries => &mut self.temporaries,
        }
    }

    /// The bytes for all purposes.
    pub fn total(&self) -> u64 {
        Purpose::ALL.iter().map(|it| self.of(*it)).sum()
    }

    /// What training holds before the first activation: weights, gradients and optimizer state.
    pub fn floor(&self) -> u64 {
        self.weights + self.gradients + self.optimizer_state
    }
}

/// What was held at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Nanoseconds since the run began, on the host's clock.
    pub at_ns: u64,
    /// The line that ran; 0 outside the program.
    pub line: u32,
    /// What tensors held.
    pub held: Purposes,
}

/// An allocation that did not fit, in a plan, which goes on all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overflow {
    /// The line that asked.
    pub line: u32,
    /// What it asked for, in bytes.
    pub asked: u64,
    /// What tensors held at that time, in bytes.
    pub live: u64,
}

/// Memory of a device, in bytes. On a CPU it is host memory, as far as tensors hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Held by tensors at the end.
    pub live: u64,
    /// Held by the caching allocator at the end; 0 where there is none, as on a CPU.
    pub reserved: u64,
    /// The most held by tensors.
    pub peak_live: u64,
    /// The most held by the allocator; 0 where there is none.
    pub peak_reserved: u64,
    /// The line at which tensors held the most; 0 if none was made.
    pub peak_line: u32,
    /// What the device has, or what a run may hold.
    pub capacity: u64,
    /// Held outside the allocator: the CUDA context and its libraries.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub workspace: u64,
    /// What was held for what when it was most.
    #[serde(default)]
    pub peak: Purposes,
    /// The most that weights, gradients and optimizer state held together.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub floor: u64,
    /// What was held in the course of the run, the highest of each stretch of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_time: Vec<Moment>,
    /// The first allocation that did not fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overflow: Option<Overflow>,
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
        assert_eq!(held.total(), 0b11_1111);
        assert_eq!(held.floor(), 0b111);
    }
}
