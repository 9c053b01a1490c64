//! Helpers around candle's calls: broadcasting, type conversion, indexing, and what candle has no kernel for.
//!
//! Nothing here knows the table of operations; each operation calls what it needs. Tensors are candle's, in their
//! stored types, on the host or on a real card.

pub(crate) mod attention;
pub(crate) mod card;
pub(crate) mod convolution;
#[cfg(test)]
mod convolution_tests;
pub(crate) mod elementwise;
pub(crate) mod fast;
pub(crate) mod host;
pub(crate) mod index;
pub(crate) mod lanes;
pub(crate) mod matmul;
pub(crate) mod matrices;
pub(crate) mod philox;
pub(crate) mod pool;
pub(crate) mod recurrent;
mod recurrent_steps;
#[cfg(test)]
mod recurrent_tests;
pub(crate) mod reduce;
pub(crate) mod resample;
pub(crate) mod scalar;
pub(crate) mod scatter;
pub(crate) mod slices;
pub(crate) mod special;
