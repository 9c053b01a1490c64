//! A matrix product with a bias in its epilogue, by cuBLASLt, as PyTorch computes a linear layer.

#[cfg(feature = "cuda")]
mod cublas_lt;

use candle_core::{Result, Tensor};

/// The rows of `input` times the transposed `weight` (features, inner), plus `bias`; nothing on the host, for other types,
/// and where cuBLASLt cannot.
pub(crate) fn linear(input: &Tensor, weight: &Tensor, bias: &Tensor) -> Option<Result<Tensor>> {
    #[cfg(feature = "cuda")]
    return cublas_lt::linear(input, weight, bias);
    #[cfg(not(feature = "cuda"))]
    {
        let _ = (input, weight, bias);
        None
    }
}
