//! NVIDIA's cuDNN, which PyTorch computes convolutions and recurrent layers with. It is loaded when the worker starts, if
//! it is there (PyTorch's wheels and `pip install 'warpup[cuda]'` bring it); else slower kernels do the same.

#[cfg(feature = "cuda")]
mod convolution;
#[cfg(feature = "cuda")]
mod descriptors;
#[cfg(feature = "cuda")]
mod handle;
#[cfg(feature = "cuda")]
mod layer;
#[cfg(feature = "cuda")]
mod library;
#[cfg(feature = "cuda")]
mod recurrent;
#[cfg(feature = "cuda")]
mod reversed;
#[cfg(feature = "cuda")]
mod weights;

use crate::kernels::convolution::Steps;
use crate::kernels::recurrent::RecurrentLayer;
use candle_core::{Result, Tensor};
use std::cell::Cell;
#[cfg(feature = "cuda")]
use warpup_protocol::CudnnUse;

#[cfg(feature = "cuda")]
thread_local! {
    static CALLS: Cell<Calls> = const { Cell::new(Calls { here: 0, elsewhere: 0 }) };
}

thread_local! {
    static ALLOWS_TF32: Cell<bool> = const { Cell::new(true) };
}

/// Calls on a card, by what computed them.
#[cfg(feature = "cuda")]
#[derive(Clone, Copy, Debug, Default)]
struct Calls {
    here: u64,
    elsewhere: u64,
}

/// Which of the three tensors of a convolution is computed from the other two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Computed {
    /// The result, from input and weight.
    Output,
    /// The input's gradient, from the result's and the weight.
    Input,
    /// The weight's gradient, from input and the result's gradient.
    Weight,
}

/// What the backward of a layer reads besides its tensors: the result, in the order in which cuDNN computed it, and cuDNN's
/// reserve space.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "cuda"),
    expect(dead_code, reason = "only a card has one")
)]
pub(crate) struct LayerReserve {
    pub(crate) outputs: Tensor,
    pub(crate) space: Tensor,
}

/// Loads the library, and gives its version. A confined process cannot look for it.
///
/// # Errors
///
/// Why it is not used, in the loader's words.
#[cfg(feature = "cuda")]
pub(crate) fn load() -> std::result::Result<String, &'static str> {
    library::loaded().map(library::Library::version)
}

/// The version that computes on a card.
///
/// # Errors
///
/// Why it does not compute there.
#[cfg(feature = "cuda")]
pub(crate) fn version_on(card: &candle_core::Device) -> std::result::Result<String, &'static str> {
    let version = load()?;
    let device = card.as_cuda_device().ok();
    match device.and_then(handle::Handle::of) {
        Some(_) => Ok(version),
        None => Err("it refuses this card"),
    }
}

/// Lets `float32` take tensor cores, or not (`torch.backends.cudnn.allow_tf32`).
pub(crate) fn allow_tf32(allowed: bool) {
    ALLOWS_TF32.set(allowed);
}

/// What computed convolutions and recurrent layers on this card since this was asked last; nothing if there were none.
#[cfg(feature = "cuda")]
pub(crate) fn take_use(card: &candle_core::Device) -> Option<CudnnUse> {
    let calls = CALLS.take();
    if calls.here + calls.elsewhere == 0 {
        return None;
    }
    let version = version_on(card);
    Some(CudnnUse {
        why: version
            .as_ref()
            .err()
            .copied()
            .unwrap_or_default()
            .to_owned(),
        version: version.ok(),
        calls: calls.here,
        other_calls: calls.elsewhere,
    })
}

/// Counts a call on a card.
#[cfg(feature = "cuda")]
fn counted<T>(of: &Tensor, done: Option<T>) -> Option<T> {
    if of.device().is_cuda() {
        let mut calls = CALLS.get();
        match done {
            Some(_) => calls.here += 1,
            None => calls.elsewhere += 1,
        }
        CALLS.set(calls);
    }
    done
}

/// One of the tensors of a convolution, of this shape; nothing on the host, and where cuDNN cannot.
pub(crate) fn convolution(
    computed: Computed,
    tensors: [&Tensor; 2],
    steps: &Steps,
    shape: &[usize],
) -> Option<Result<Tensor>> {
    #[cfg(feature = "cuda")]
    return counted(
        tensors[0],
        convolution::run(computed, tensors, steps, shape),
    );
    #[cfg(not(feature = "cuda"))]
    {
        let _ = (computed, tensors, steps, shape);
        None
    }
}

/// The hidden states of all steps, then the last states, and what backward reads; nothing on the host, and where cuDNN
/// cannot.
pub(crate) fn recurrent(layer: RecurrentLayer<'_>) -> Option<Result<(Tensor, LayerReserve)>> {
    #[cfg(feature = "cuda")]
    return counted(layer.tensors[0], reversed::forward(layer));
    #[cfg(not(feature = "cuda"))]
    {
        let _ = layer;
        None
    }
}

/// The gradients of all tensors of a layer, flattened and joined.
pub(crate) fn recurrent_backward(
    layer: RecurrentLayer<'_>,
    grad: &Tensor,
    reserve: &LayerReserve,
) -> Option<Result<Tensor>> {
    #[cfg(feature = "cuda")]
    return counted(grad, reversed::backward(layer, grad, reserve));
    #[cfg(not(feature = "cuda"))]
    {
        let _ = (layer, grad, reserve);
        None
    }
}
