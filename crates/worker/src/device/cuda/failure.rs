//! What an error of CUDA means: who causes it, what to try, and whether the context is still usable.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "which errors there are depends on the CUDA that it is built with, and few mean something here"
)]

use super::run_state::{self, BROKEN, LAUNCH_BLOCKING, UNAVAILABLE};
use crate::device::card_messages::{assert_triggered, async_suffix};
use crate::device::unavailable::{DeviceUnavailable, OpenError};
use crate::error::{Kind, TorchError};
use candle_core::cuda::CudaError;
use candle_core::cuda::cudarc::cublas::sys::cublasStatus_t;
use candle_core::cuda::cudarc::driver::DriverError;
use candle_core::cuda::cudarc::driver::sys::CUresult;
use warpup_protocol::Reason;

/// An error of the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CudaFailure {
    pub(super) code: CUresult,
    /// CUDA's name for it, such as `CUDA_ERROR_ASSERT`.
    pub(super) name: String,
    /// CUDA's description, such as `device-side assert triggered`.
    pub(super) words: String,
}

impl From<DriverError> for CudaFailure {
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

/// The exception for the program. Notes in the run's state if the context is broken, or if the card is at fault.
impl From<CudaFailure> for TorchError {
    fn from(failure: CudaFailure) -> Self {
        if failure.code == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return run_state::out_of_memory(None);
        }
        if failure.is_sticky() {
            BROKEN.set(true);
        } else if let Some(unavailable) = failure.unavailable() {
            UNAVAILABLE.set(Some(unavailable));
        }
        failure.error()
    }
}

impl CudaFailure {
    /// Whether the context is unusable after it, so that only a new process helps.
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

    /// PyTorch's message, with a hint.
    fn error(&self) -> TorchError {
        if self.code == CUresult::CUDA_ERROR_ASSERT {
            return assert_triggered(
                "An index or a label was out of range in a kernel that was queued before: compare labels.max() with the number of classes. The card does nothing more in this run; the next run starts fresh",
                LAUNCH_BLOCKING.get(),
            );
        }
        let hint = match self.code {
            CUresult::CUDA_ERROR_NOT_FOUND => {
                "The worker has no kernel for this operation in this type: bfloat16 needs one that was built for capability 8.0 or newer"
            }
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS => {
                "A kernel has read or written outside of its memory; it may have been queued before this line. The card does nothing more in this run; the next run starts fresh"
            }
            _ if self.is_sticky() => {
                "It may belong to a line before this one, since kernels run behind the host. The card does nothing more in this run; the next run starts fresh"
            }
            _ => "",
        };
        let mut message = format!("CUDA error: {}", self.words);
        if self.is_sticky() {
            message.push_str(async_suffix(LAUNCH_BLOCKING.get()));
        }
        if !hint.is_empty() {
            message.push('\n');
            message.push_str(hint);
        }
        TorchError {
            kind: Kind::Accelerator,
            message,
            hint: None,
        }
    }

    /// Why no program can use the card, if this error says so.
    fn unavailable(&self) -> Option<DeviceUnavailable> {
        use CUresult as C;
        let reason = |why: &str, hint: &str| Reason {
            why: why.to_owned(),
            hint: hint.to_owned(),
            evidence: self.evidence(),
        };
        let elsewhere = "run on cpu or a modelled card meanwhile, and look with `warpup doctor`";
        let found = match self.code {
            C::CUDA_ERROR_DEVICE_UNAVAILABLE => {
                return Some(DeviceUnavailable::Busy(reason(
                    "somebody else has the card to themselves",
                    "try again when they are done; the card is in exclusive mode, or a process of theirs holds it",
                )));
            }
            C::CUDA_ERROR_NO_DEVICE => reason(
                "the driver shows no card to this process",
                "see whether CUDA_VISIBLE_DEVICES hides it, and whether nvidia-smi lists it",
            ),
            C::CUDA_ERROR_INVALID_DEVICE => reason(
                "there is no card with this number",
                "count them with `warpup doctor`; cuda is the first one",
            ),
            C::CUDA_ERROR_STUB_LIBRARY => reason(
                "the libcuda that was found is a stub for building and drives no card",
                "take the folder `stubs` out of LD_LIBRARY_PATH",
            ),
            C::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => reason(
                "the driver's library and its kernel module have different versions, as after an update",
                "restart the machine, or load the kernel module again",
            ),
            C::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE => reason(
                "the forward compatibility package does not support this card",
                "take its folder out of LD_LIBRARY_PATH, or install a newer driver",
            ),
            C::CUDA_ERROR_SYSTEM_NOT_READY => reason(
                "the card is not ready yet, as when a service of its driver does not run",
                "try again in a minute, and look with `warpup doctor`",
            ),
            C::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => reason(
                "the driver is older than the CUDA that the worker was built with",
                "warpup doctor prints the command that installs one for this driver",
            ),
            C::CUDA_ERROR_NO_BINARY_FOR_GPU | C::CUDA_ERROR_INVALID_PTX => reason(
                "the worker's kernels are not for a card of this compute capability",
                "warpup doctor prints the command that installs one for this card",
            ),
            C::CUDA_ERROR_INVALID_IMAGE => {
                reason("the driver does not take the worker's kernels", elsewhere)
            }
            C::CUDA_ERROR_NOT_INITIALIZED => reason("CUDA could not be started", elsewhere),
            _ => return None,
        };
        Some(DeviceUnavailable::Unavailable(found))
    }

    /// Why the card cannot be opened: the error appeared before the program ran.
    pub(super) fn at_open(&self) -> OpenError {
        OpenError::DeviceUnavailable(self.unavailable().unwrap_or_else(|| {
            if self.code == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
                return DeviceUnavailable::Busy(Reason {
                    why: "the card has no room for another context: others fill it".to_owned(),
                    hint: "try again when they are done, or run on cpu or a modelled card"
                        .to_owned(),
                    evidence: self.evidence(),
                });
            }
            let why = format!("CUDA could not be started: {}", self.words);
            not_started(why, self.evidence())
        }))
    }

    fn evidence(&self) -> String {
        format!("{} ({}): {}", self.name, self.code as u32, self.words)
    }
}

fn not_started(why: String, evidence: String) -> DeviceUnavailable {
    DeviceUnavailable::Unavailable(Reason {
        why,
        hint: "look with `warpup doctor`; cpu and modelled cards go on".to_owned(),
        evidence,
    })
}

/// Why a card cannot be opened, from an error that candle reports.
pub(super) fn open_error(error: &candle_core::Error) -> OpenError {
    match CudaFailure::within(error) {
        Some(failure) => failure.at_open(),
        None => {
            let why = TorchError::from_text(&error.to_string()).message;
            OpenError::DeviceUnavailable(not_started(why, String::new()))
        }
    }
}

/// An error of the driver as candle reports it.
pub(super) fn in_candle(error: DriverError) -> candle_core::Error {
    candle_core::Error::Cuda(Box::new(CudaError::Cuda(error)))
}

/// The exception for an error that candle reports, if it comes from CUDA.
pub(super) fn interpret(error: &candle_core::Error) -> Option<TorchError> {
    CudaFailure::within(error).map(TorchError::from)
}

impl CudaFailure {
    /// The driver's error inside an error of candle's, if there is one.
    pub(super) fn within(error: &candle_core::Error) -> Option<Self> {
        match error {
            candle_core::Error::WithBacktrace { inner, .. }
            | candle_core::Error::Context { inner, .. } => Self::within(inner),
            candle_core::Error::Cuda(inner) => match inner.downcast_ref::<CudaError>()? {
                CudaError::Cuda(error) | CudaError::Load { cuda: error, .. } => {
                    Some(Self::from(*error))
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
                    Some(Self::from(DriverError(code)))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
