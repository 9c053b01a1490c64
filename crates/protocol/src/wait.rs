//! What made the host wait for the device, or for a loader.

use serde::{Deserialize, Serialize};

/// The call that waited, as PyTorch names it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum WaitCause {
    /// `item()`, and what calls it: `int()`, `float()`.
    Item,
    /// `if tensor`, `bool(tensor)`.
    Branch,
    /// `torch.equal`, `torch.allclose`: a comparison whose result Python gets.
    Compare,
    /// `tolist()`.
    Tolist,
    /// Printing or formatting a tensor.
    Print,
    /// A result whose size depends on values: `nonzero()`, a boolean index.
    Nonzero,
    /// `torch.tensor(…, device=…)`, which copies from pageable memory.
    Tensor,
    /// A copy to the device that blocks or reads pageable memory.
    CopyToDevice,
    /// A copy to the host: `cpu()`, `to("cpu")`.
    CopyToHost,
    /// `torch.cuda.synchronize()`.
    Synchronize,
    /// `Event.synchronize()`.
    Event,
    /// `Stream.synchronize()`.
    Stream,
    /// `GradScaler.step`, which reads whether a gradient is infinite before it takes a step; not with a fused optimizer.
    Scaler,
    /// `CUDA_LAUNCH_BLOCKING=1`: each kernel is waited for.
    LaunchBlocking,
    /// The allocator gave cached memory back to the card: `empty_cache()`, or an allocation that did not fit.
    Allocator,
    /// The next batch of a `DataLoader` with workers was not ready.
    Loader,
    /// Unknown, as from a version that did not report causes.
    #[default]
    #[serde(other)]
    Unknown,
}

impl WaitCause {
    /// Its name on screen; `None` if it is unknown.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Item => Some("item()"),
            Self::Branch => Some("if"),
            Self::Compare => Some("a comparison"),
            Self::Tolist => Some("tolist()"),
            Self::Print => Some("printing"),
            Self::Nonzero => Some("the size of a result"),
            Self::Tensor => Some("torch.tensor(…, device=…)"),
            Self::CopyToDevice => Some("copy to device"),
            Self::CopyToHost => Some("copy to host"),
            Self::Synchronize => Some("synchronize()"),
            Self::Event => Some("Event.synchronize()"),
            Self::Stream => Some("Stream.synchronize()"),
            Self::Scaler => Some("GradScaler.step()"),
            Self::LaunchBlocking => Some("CUDA_LAUNCH_BLOCKING"),
            Self::Allocator => Some("the allocator"),
            Self::Loader => Some("the loader"),
            Self::Unknown => None,
        }
    }
}
