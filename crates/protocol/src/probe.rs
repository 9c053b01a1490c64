//! The result of `warpup-worker-cuda probe`, which prints one [`Probe`] as a JSON object and ends. It is the only
//! check of a card that creates a CUDA context.

use super::device_times::DeviceTimes;
use serde::{Deserialize, Serialize};

/// How a worker was built, and what it found on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// How it was built.
    pub built: Built,
    /// The newest CUDA that the driver supports, such as `13.0`; `None` if it did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver_cuda: Option<String>,
    /// The cards that CUDA shows to this process, in CUDA's order.
    pub cards: Vec<ProbedCard>,
    /// The steps on the first of them, in order, up to the first failure.
    pub steps: Vec<ProbeStep>,
    /// What gives the times of operations on the first of them; `None` if it came to no kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_times: Option<DeviceTimes>,
}

/// How a CUDA worker was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// The package version.
    pub warpup: String,
    /// The CUDA whose libraries it was linked with, such as `13.0`.
    pub cuda: String,
    /// The compute capability its kernels are compiled for, such as `8.0`; newer cards compile them when they
    /// are first used.
    pub capability: String,
}

/// A card as CUDA sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbedCard {
    /// CUDA's number of the card, which may differ from that of `nvidia-smi`.
    pub ordinal: u32,
    /// Its name.
    pub name: String,
    /// Its UUID, such as `GPU-8c1a…` or `MIG-…`.
    pub uuid: String,
    /// Its compute capability.
    pub capability: (u32, u32),
    /// Its memory in bytes.
    pub memory_bytes: u64,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
}

/// One step of the probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeStep {
    /// The step.
    pub what: StepKind,
    /// Host time it took, in nanoseconds.
    pub took_ns: u64,
    /// Its result.
    pub found: StepResult,
}

/// The steps, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// `cuInit` and the count of cards.
    Init,
    /// A context on the first card, with cuBLAS and a stream.
    Context,
    /// The kernels are loaded; the driver compiles PTX unless it has cached it.
    Kernels,
    /// One kernel, whose result is compared with the CPU's.
    Kernel,
    /// One matrix product by cuBLAS, whose result is compared with the CPU's.
    Matmul,
    /// One convolution, by cuDNN if it is there, whose result is compared with the CPU's.
    Convolution,
    /// A copy to the card.
    CopyToDevice,
    /// A copy back, compared with what went there.
    CopyToHost,
    /// The counters of the driver's memory pool.
    Memory,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub enum StepResult {
    /// It worked.
    Fine {
        /// The evidence, in words.
        said: String,
    },
    /// It failed.
    Failed {
        /// CUDA's name of the error, such as `CUDA_ERROR_NO_DEVICE`; empty for other errors.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        code: String,
        /// The error message.
        why: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_reads_back_as_it_was_written() {
        let probe = Probe {
            built: Built {
                warpup: "0.1.0".to_owned(),
                cuda: "13.0".to_owned(),
                capability: "8.0".to_owned(),
            },
            driver_cuda: None,
            cards: vec![],
            steps: vec![ProbeStep {
                what: StepKind::Init,
                took_ns: 1_200,
                found: StepResult::Failed {
                    code: "CUDA_ERROR_NO_DEVICE".to_owned(),
                    why: "no CUDA-capable device is detected".to_owned(),
                },
            }],
            device_times: None,
        };
        let line = serde_json::to_string(&probe).unwrap();
        insta::assert_snapshot!(line, @r#"{"built":{"warpup":"0.1.0","cuda":"13.0","capability":"8.0"},"cards":[],"steps":[{"what":"init","took_ns":1200,"found":{"came":"failed","code":"CUDA_ERROR_NO_DEVICE","why":"no CUDA-capable device is detected"}}]}"#);
        assert_eq!(serde_json::from_str::<Probe>(&line).unwrap(), probe);
    }
}
