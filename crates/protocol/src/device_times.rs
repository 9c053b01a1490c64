//! What measured a real card, and what the host did for it.

use super::skip::is_default;
use serde::{Deserialize, Serialize};

/// Where the device times of a run on a real card come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceTimes {
    /// What measured them.
    pub by: DeviceTimer,
    /// Its version, or why it is not CUPTI.
    pub why: String,
    /// Operations and copies whose times are lost: the device times of their lines are too small.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: u64,
}

/// What measures device times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceTimer {
    /// The card itself, kernel by kernel, through CUPTI.
    Cupti,
    /// Pairs of CUDA events around each operation, whose own time is a part of it.
    Events,
}

impl DeviceTimer {
    /// Its name in a sentence.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cupti => "CUPTI",
            Self::Events => "CUDA events",
        }
    }
}

/// What computed the convolutions and recurrent layers of a run on a real card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CudnnUse {
    /// The version of cuDNN; `None` where it does not compute on this card.
    pub version: Option<String>,
    /// Why it does not; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Calls that cuDNN computed.
    pub calls: u64,
    /// Calls that warpup's slower kernels computed.
    pub other_calls: u64,
}

/// What the host did within an operation on a real card, without being asked: the same operation of PyTorch does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostWork {
    /// The line of the program; 0 if there is none.
    pub line: u32,
    /// The operation.
    pub operation: String,
    /// What the host did.
    pub what: HostWorkKind,
    /// How often.
    pub times: u64,
    /// The bytes that it computed with, or that were copied.
    pub bytes: u64,
}

/// What the host does for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostWorkKind {
    /// It waited for the values, computed, and sent the result back: no kernel does it.
    Computed,
    /// It copied values to the card, such as an index or the strides of a tensor. Known where CUPTI gives the times.
    CopiedToDevice,
    /// It copied values from the card. Known where CUPTI gives the times.
    CopiedToHost,
}
