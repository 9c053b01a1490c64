//! Kernels of our own for values on a real card (`vendor/candle-kernels/warpup`), where candle has none, or several for
//! what is one step of PyTorch's.

mod at_index;
mod attention;
mod channels;
mod choices;
mod creation;
pub(crate) mod cudnn;
mod functions;
mod in_place;
#[cfg_attr(
    not(feature = "cuda"),
    expect(dead_code, reason = "only a card reads it")
)]
mod launch;
mod many_tensors;
mod non_finite;
mod optimizers;
mod permutation;
pub(crate) mod pool;
mod positions;
mod products;
mod random;
mod ranking;
mod rearranged;
mod reduction;
pub(crate) mod resample;
mod rows;
mod scan;
mod strided_copy;
mod walk;

use super::host::is_on_card;
use candle_core::{DType, Tensor};

pub(crate) use at_index::{Classes, Reduced, nll, nll_backward, rows_added};
pub(crate) use attention::{AttentionInputs, attention, attention_backward};
pub(crate) use channels::{
    Channels, Given, channel_affine, channel_norm, channel_norm_backward, moments,
};
pub(crate) use choices::{chosen, compared, compared_with};
pub(crate) use creation::{evenly, eye, full};
pub(crate) use functions::{Function, of_one, of_three, of_two};
pub(crate) use in_place::{changing, clear, is_changed};
pub(crate) use many_tensors::{begin, end, forget};
pub(crate) use non_finite::non_finite;
pub(crate) use optimizers::{FusedKernel, FusedTensors, step};
pub(crate) use permutation::permutation;
pub(crate) use positions::{Positions, added_at, read_at, written_at};
pub(crate) use products::linear;
pub(crate) use random::{drawn, dropout, mask, masked};
pub(crate) use ranking::ranked;
pub(crate) use rearranged::{cat, flipped, stepped, triangle};
pub(crate) use reduction::{Reducer, reduce};
pub(crate) use rows::{norm, norm_affine, norm_backward, over_rows};
pub(crate) use scan::{Running, running};
pub(crate) use strided_copy::{Strided, contiguous, padded, write, write_all};

/// Whether all of these are on a card, with elements.
fn on_one_card(tensors: &[&Tensor]) -> bool {
    tensors
        .iter()
        .all(|it| is_on_card(it) && it.elem_count() > 0)
}

/// The end of the name of a kernel for this type, if it is one of floats.
fn floats(dtype: DType) -> Option<&'static str> {
    let all = [
        (DType::F32, "f32"),
        (DType::F64, "f64"),
        (DType::F16, "f16"),
        (DType::BF16, "bf16"),
    ];
    all.into_iter()
        .find(|(of, _)| *of == dtype)
        .map(|(_, name)| name)
}

/// The same for a type of floats, for `int64`, or for bytes.
fn suffix(dtype: DType) -> Option<&'static str> {
    let whole = [(DType::I64, "i64"), (DType::U8, "u8")];
    let whole = whole.into_iter().find(|(of, _)| *of == dtype);
    floats(dtype).or(whole.map(|(_, name)| name))
}

/// The type in which a kernel computes.
fn wide_type(dtype: DType) -> DType {
    if dtype == DType::F64 {
        DType::F64
    } else {
        DType::F32
    }
}
