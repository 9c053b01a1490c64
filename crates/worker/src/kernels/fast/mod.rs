//! Our own kernels for `float32` on the host: elements, rows and sums, with the processor's widest instructions and
//! several threads.
//!
//! Comparisons, functions of integers, extremes, running totals, sorting, and reading and writing at positions are for
//! elements of any type but 16-bit floats.
//!
//! Each takes contiguous `float32` in host memory and leaves everything else to candle, whose kernels for it neither
//! use vector instructions nor several threads, or let idle threads spin. `pulp` picks the instructions at run time.

#![expect(
    clippy::inline_always,
    reason = "a loop has wide instructions only if all of it is inlined into the function that may use them"
)]

mod arithmetic;
pub(crate) mod backward;
mod channel_planes;
mod channels;
mod convolution;
mod copies;
mod extremes;
mod floats;
mod functions;
pub(crate) mod fused;
mod gather_scatter;
mod layer_norm;
mod lstm;
mod lstm_step;
mod normal;
mod order;
pub(crate) mod pair_functions;
pub(crate) mod pairs;
mod planes;
mod pool;
mod precise;
mod product;
mod running;
mod shifted;
mod softmax;
mod sums;
mod threads;
mod unary;

pub(crate) use arithmetic::{add, affine, div, mul, over, sub, times, under, with_three, with_two};
pub(crate) use channels::{channel_affine, channel_norm, channel_norm_backward, moments};
pub(crate) use convolution::{PARTS, convolve, of_input, of_weight};
pub(crate) use copies::{contiguous, copied, full, repeated, reshape};
pub(crate) use extremes::{largest_along, places_of_largest, places_of_smallest, smallest_along};
pub(crate) use floats::of_type;
pub(crate) use gather_scatter::{Places, Write, padded};
pub(crate) use layer_norm::{Rows, affine_backward, layer_norm, layer_norm_backward};
pub(crate) use lstm::{Lstm, LstmStates};
pub(crate) use normal::normal;
pub(crate) use order::{Ranks, ranked};
pub(crate) use planes::Planes;
pub(crate) use pool::{largest, put, taken};
pub(crate) use precise::{cos, sin};
pub(crate) use running::{running_product, running_sum};
pub(crate) use softmax::{log_softmax, log_softmax_backward, softmax, softmax_backward};
pub(crate) use sums::{mean, sum};
pub(crate) use threads::{stay_awake, take_part};
pub(crate) use unary::{
    Elu, Hardtanh, LeakyRelu, abs, ceil, erf, exp, floor, frac, gelu, gelu_tanh, ln, ln_1p,
    log_sigmoid, log2, log10, map, neg, recip, relu, round, sigmoid, silu, softplus, sqr, sqrt,
    tanh, trunc, with_one,
};
