//! Why a device cannot be opened or used.

use warpup_protocol::{Outcome, Reason};

/// Why a device cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No modelled card has this id.
    #[error("there is no modelled card `{card}`; there are: {known}")]
    NoSuchCard {
        /// The id that was asked for.
        card: String,
        /// The ids that exist.
        known: String,
    },
    /// This worker is the one without CUDA.
    #[error("this worker has no CUDA: choose cpu or a modelled card such as model:t4")]
    NoCuda,
    /// A plan needs a modelled card.
    #[error("a plan is made on a modelled card, such as model:t4")]
    NoPlan,
    /// The card is missing, or others hold it.
    #[error("{}", .0.reason().why)]
    DeviceUnavailable(DeviceUnavailable),
}

/// Why a program cannot use the card although the program is correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceUnavailable {
    /// This machine has no usable card.
    Unavailable(Reason),
    /// Other processes hold the card or its memory.
    Busy(Reason),
}

impl DeviceUnavailable {
    /// The cause, with a hint and the evidence.
    pub(crate) fn reason(&self) -> &Reason {
        match self {
            Self::Unavailable(reason) | Self::Busy(reason) => reason,
        }
    }
}

impl From<DeviceUnavailable> for Outcome {
    fn from(unavailable: DeviceUnavailable) -> Self {
        match unavailable {
            DeviceUnavailable::Unavailable(reason) => Self::Unavailable(reason),
            DeviceUnavailable::Busy(reason) => Self::Busy(reason),
        }
    }
}
