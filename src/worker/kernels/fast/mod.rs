//! Our own kernels for `float32` on the host: elements, rows and sums, with the processor's widest instructions and
//! several threads.
//!
//! Each takes contiguous `float32` in host memory and leaves everything else to candle, whose kernels for it neither
//! use vector instructions nor several threads, or let idle threads spin. `pulp` picks the instructions at run time.

#![expect(
    clippy::inline_always,
    reason = "a loop has wide instructions only if all of it is inlined into the function that may use them"
)]

mod arithmetic;
mod convolution;
mod copies;
mod floats;
mod functions;
mod layer_norm;
mod lstm;
mod lstm_step;
mod pool;
mod product;
mod softmax;
mod sums;
mod threads;
mod unary;

pub(crate) use arithmetic::{add, affine, div, mul, sub, with_three, with_two};
pub(crate) use arithmetic::{backward, fused};
pub(crate) use convolution::Planes;
pub(crate) use copies::{contiguous, copied, full, repeated, reshape};
pub(crate) use layer_norm::{Rows, affine_backward, layer_norm, layer_norm_backward};
pub(crate) use lstm::{Lstm, Walk as LstmWalk};
pub(crate) use pool::{largest, put, taken};
pub(crate) use softmax::{log_softmax, log_softmax_backward, softmax, softmax_backward};
pub(crate) use sums::{mean, sum};
pub(crate) use threads::{stay_awake, take_part};
pub(crate) use unary::{
    erf, exp, gelu, gelu_tanh, neg, recip, relu, sigmoid, silu, sqr, sqrt, tanh,
};
