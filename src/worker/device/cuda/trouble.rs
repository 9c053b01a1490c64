//! What CUDA says, in sentences: whose fault it is, what to try, and whether anything can still be done.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "which errors there are depends on the CUDA that it is built with, and few mean something here"
)]

use super::card;
use crate::protocol::Reason;
use crate::worker::device::DeviceUnavailable;
use crate::worker::device::words::assert_triggered;
use crate::worker::error::{Kind, TorchError};
use candle_core::cuda::CudaError;
use candle_core::cuda::cudarc::cublas::sys::cublasStatus_t;
use candle_core::cuda::cudarc::driver::DriverError;
use candle_core::cuda::cudarc::driver::sys::CUresult;

/// An error of the driver's, with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) code: CUresult,
    /// CUDA's name for it, such as `CUDA_ERROR_ASSERT`.
    pub(super) name: String,
    /// CUDA's words, such as `device-side assert triggered`.
    pub(super) words: String,
}

impl From<DriverError> for Trouble {
    fn from(error: DriverError) -> Self {
        let text = |it: Result<&std::ffi::CStr, DriverError>| {
            it.map(|it| it.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        Self {
            code: error.0,
            name: text(error.error_name()),
            words: text(error.error_string()),
        }
    }
}

/// What became of an error: told to the program, and noted where it is not the program's doing.
impl From<Trouble> for TorchError {
    fn from(trouble: Trouble) -> Self {
        if trouble.code == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return card::out_of_memory(None);
        }
        if trouble.is_sticky() {
            card::note_broken();
        } else if let Some(unavailable) = trouble.unavailable() {
            card::note_unavailable(unavailable);
        }
        trouble.error()
    }
}

impl Trouble {
    /// Whether the context does nothing more after it, so that only a new process helps.
    fn is_sticky(&self) -> bool {
        use CUresult as C;
        matches!(
            self.code,
            C::CUDA_ERROR_ECC_UNCORRECTABLE
                | C::CUDA_ERROR_NVLINK_UNCORRECTABLE
                | C::CUDA_ERROR_ILLEGAL_ADDRESS
                | C::CUDA_ERROR_LAUNCH_TIMEOUT
                | C::CUDA_ERROR_CONTEXT_IS_DESTROYED
                | C::CUDA_ERROR_ASSERT
                | C::CUDA_ERROR_HARDWARE_STACK_ERROR
                | C::CUDA_ERROR_ILLEGAL_INSTRUCTION
                | C::CUDA_ERROR_MISALIGNED_ADDRESS
                | C::CUDA_ERROR_INVALID_ADDRESS_SPACE
                | C::CUDA_ERROR_INVALID_PC
                | C::CUDA_ERROR_LAUNCH_FAILED
                | C::CUDA_ERROR_UNKNOWN
        )
    }

    /// In PyTorch's words, with what to try.
    fn error(&self) -> TorchError {
        if self.code == CUresult::CUDA_ERROR_ASSERT {
            return assert_triggered(
                "An index or a label was out of range in a kernel that was queued before: compare labels.max() with the number of classes. The card does nothing more in this run; the next one starts anew",
            );
        }
        let hint = match self.code {
            CUresult::CUDA_ERROR_NOT_FOUND => {
                "The worker has no kernel for this operation in this type: bfloat16 needs one that was built for capability 8.0 or newer"
            }
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS => {
                "A kernel has read or written outside of its memory; it may have been queued before this line. The card does nothing more in this run; the next one starts anew"
            }
            _ if self.is_sticky() => {
                "It may belong to a line before this one, since kernels run behind the host. The card does nothing more in this run; the next one starts anew"
            }
            _ => "",
        };
        let mut message = format!("CUDA error: {}", self.words);
        if self.is_sticky() {
            message.push_str("\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.");
        }
        if !hint.is_empty() {
            message.push('\n');
            message.push_str(hint);
        }
        TorchError {
            kind: Kind::Accelerator,
            message,
        }
    }

    /// What keeps the card from every program, if it is that.
    pub(super) fn unavailable(&self) -> Option<DeviceUnavailable> {
        use CUresult as C;
        let told = |why: &str, hint: &str| Reason {
            why: why.to_owned(),
            hint: hint.to_owned(),
            evidence: self.evidence(),
        };
        let elsewhere = "run on cpu or a modelled card meanwhile, and look with `warpup doctor`";
        let reason = match self.code {
            C::CUDA_ERROR_DEVICE_UNAVAILABLE => {
                return Some(DeviceUnavailable::Busy(told(
                    "somebody else has the card to themselves",
                    "try again when they are done; the card is in exclusive mode, or a process of theirs holds it",
                )));
            }
            C::CUDA_ERROR_NO_DEVICE => told(
                "the driver shows no card to this process",
                "see whether CUDA_VISIBLE_DEVICES hides it, and whether nvidia-smi lists it",
            ),
            C::CUDA_ERROR_INVALID_DEVICE => told(
                "there is no card with this number",
                "count them with `warpup doctor`; cuda is the first one",
            ),
            C::CUDA_ERROR_STUB_LIBRARY => told(
                "the libcuda that was found is a stub for building and drives no card",
                "take the folder `stubs` out of LD_LIBRARY_PATH",
            ),
            C::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => told(
                "the driver's library and its kernel module have different versions, as after an update",
                "restart the machine, or load the kernel module again",
            ),
            C::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE => told(
                "the forward compatibility package does not support this card",
                "take its folder out of LD_LIBRARY_PATH, or install a newer driver",
            ),
            C::CUDA_ERROR_SYSTEM_NOT_READY => told(
                "the card is not ready yet, as when a service of its driver does not run",
                "try again in a minute, and look with `warpup doctor`",
            ),
            C::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => told(
                "the driver is older than the CUDA that the worker was built with",
                "build it for this driver: scripts/build-cuda-worker",
            ),
            C::CUDA_ERROR_NO_BINARY_FOR_GPU | C::CUDA_ERROR_INVALID_PTX => told(
                "the worker's kernels are not for a card of this compute capability",
                "build it for this card, as in scripts/build-cuda-worker --cap 75",
            ),
            C::CUDA_ERROR_INVALID_IMAGE => {
                told("the driver does not take the worker's kernels", elsewhere)
            }
            C::CUDA_ERROR_NOT_INITIALIZED => told("CUDA could not be started", elsewhere),
            _ => return None,
        };
        Some(DeviceUnavailable::Unavailable(reason))
    }

    /// The error while CUDA is being started, when nothing of the program's has run.
    pub(super) fn at_start(&self) -> DeviceUnavailable {
        self.unavailable().unwrap_or_else(|| {
            if self.code == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
                return DeviceUnavailable::Busy(Reason {
                    why: "the card has no room for another context: others fill it".to_owned(),
                    hint: "try again when they are done, or run on cpu or a modelled card"
                        .to_owned(),
                    evidence: self.evidence(),
                });
            }
            DeviceUnavailable::Unavailable(Reason {
                why: format!("CUDA could not be started: {}", self.words),
                hint: "look with `warpup doctor`; cpu and modelled cards go on".to_owned(),
                evidence: self.evidence(),
            })
        })
    }

    fn evidence(&self) -> String {
        format!("{} ({}): {}", self.name, self.code as u32, self.words)
    }
}

/// The driver's error within one of candle's, if there is one.
pub(super) fn within(error: &candle_core::Error) -> Option<Trouble> {
    match error {
        candle_core::Error::WithBacktrace { inner, .. }
        | candle_core::Error::Context { inner, .. } => within(inner),
        candle_core::Error::Cuda(inner) => match inner.downcast_ref::<CudaError>()? {
            CudaError::Cuda(error) | CudaError::Load { cuda: error, .. } => {
                Some(Trouble::from(*error))
            }
            CudaError::Cublas(status) => {
                let code = match status.0 {
                    cublasStatus_t::CUBLAS_STATUS_ALLOC_FAILED => {
                        CUresult::CUDA_ERROR_OUT_OF_MEMORY
                    }
                    cublasStatus_t::CUBLAS_STATUS_EXECUTION_FAILED => {
                        CUresult::CUDA_ERROR_LAUNCH_FAILED
                    }
                    cublasStatus_t::CUBLAS_STATUS_NOT_INITIALIZED => {
                        CUresult::CUDA_ERROR_NOT_INITIALIZED
                    }
                    _ => return None,
                };
                Some(Trouble::from(DriverError(code)))
            }
            _ => None,
        },
        _ => None,
    }
}
