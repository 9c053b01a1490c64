//! Which implementation of attention PyTorch takes on a card (`sdp_utils.cpp`).

use crate::dtype::DType;
use crate::meta::{AttentionKernel, Meta};

/// The implementations that a program allows: a bit for each of PyTorch's `SDPBackend`, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AttentionBackends(pub(crate) u8);

const MATH: u8 = 1 << 0;
const FLASH: u8 = 1 << 1;
const EFFICIENT: u8 = 1 << 2;
const CUDNN: u8 = 1 << 3;

/// How attention is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttentionBackend {
    /// As one operation after the other, which store the scores.
    Math,
    Fused(AttentionKernel),
}

/// What the choice depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttentionCall<'a> {
    pub(crate) query: &'a Meta,
    pub(crate) value: &'a Meta,
    /// The type that it is computed in: `torch.autocast` may change that of the tensors.
    pub(crate) dtype: DType,
    pub(crate) has_mask: bool,
    /// Of the card.
    pub(crate) capability: (u32, u32),
}

impl AttentionBackends {
    /// What PyTorch allows unless a program says otherwise.
    pub(crate) const ALL: Self = Self(MATH | FLASH | EFFICIENT | CUDNN);

    /// Whether the program allows one that keeps no scores.
    pub(crate) fn has_fused(self) -> bool {
        self.0 & !MATH != 0
    }

    /// The first that takes these inputs; `None` if none does.
    pub(crate) fn choose(self, call: AttentionCall<'_>) -> Option<AttentionBackend> {
        let allows = |backend: u8| self.0 & backend != 0;
        // cuDNN's kernel is modelled as FlashAttention, but it takes masks.
        if call.has_half_precision()
            && (allows(FLASH) && !call.has_mask && call.width() <= 256
                || allows(CUDNN) && !allows(FLASH) && call.width() <= 128)
        {
            return Some(AttentionBackend::Fused(AttentionKernel::Flash));
        }
        if allows(EFFICIENT) && call.is_efficient() {
            return Some(AttentionBackend::Fused(AttentionKernel::Efficient));
        }
        allows(MATH).then_some(AttentionBackend::Math)
    }
}

impl AttentionCall<'_> {
    /// Batch, heads, length and width: the fused kernels take no other dimensions.
    fn has_four_dims(self) -> bool {
        self.query.shape.len() == 4
    }

    fn width(self) -> usize {
        self.query.shape.last().copied().unwrap_or(1)
    }

    fn has_half_precision(self) -> bool {
        let is_half = matches!(self.dtype, DType::F16 | DType::BF16);
        is_half && self.has_four_dims() && self.capability >= (8, 0)
    }

    /// The rows of a head begin at multiples of 16 bytes where tensor cores compute, and of one element elsewhere
    /// (`minimum_gemm_alignment`).
    fn is_efficient(self) -> bool {
        let (takes, alignment) = match self.dtype {
            DType::F32 if self.capability >= (8, 0) => (true, 4),
            DType::F32 => (true, 1),
            DType::F16 => (true, 8),
            DType::BF16 => (self.capability >= (8, 0), 8),
            DType::F64
            | DType::Bool
            | DType::U8
            | DType::I8
            | DType::I16
            | DType::I32
            | DType::I64 => (false, 1),
        };
        let widths = [self.query, self.value].map(|it| it.shape.last().copied().unwrap_or(1));
        takes && self.has_four_dims() && widths.iter().all(|it| it % alignment == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(
        allowed: u8,
        (dtype, width): (DType, usize),
        has_mask: bool,
        capability: (u32, u32),
    ) -> String {
        let query = Meta::new(vec![2, 4, 8, width], dtype);
        let call = AttentionCall {
            query: &query,
            value: &query,
            dtype,
            has_mask,
            capability,
        };
        match AttentionBackends(allowed).choose(call) {
            Some(AttentionBackend::Math) => "math".to_owned(),
            Some(AttentionBackend::Fused(it)) => format!("{it:?}").to_lowercase(),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn the_first_backend_that_takes_the_inputs_is_chosen() {
        let all = AttentionBackends::ALL.0;
        assert_eq!(chosen(all, (DType::F16, 64), false, (9, 0)), "flash");
        assert_eq!(chosen(all, (DType::F16, 64), true, (9, 0)), "efficient");
        assert_eq!(chosen(all, (DType::F16, 64), false, (7, 5)), "efficient");
        assert_eq!(chosen(all, (DType::BF16, 64), false, (7, 5)), "math");
        assert_eq!(chosen(all, (DType::F32, 64), false, (9, 0)), "efficient");
        assert_eq!(chosen(all, (DType::F32, 3), false, (9, 0)), "math");
        assert_eq!(chosen(all, (DType::F64, 64), false, (9, 0)), "math");
        assert_eq!(chosen(MATH, (DType::F16, 64), false, (9, 0)), "math");
        assert_eq!(
            chosen(EFFICIENT, (DType::F16, 64), false, (9, 0)),
            "efficient"
        );
        assert_eq!(chosen(FLASH, (DType::F32, 64), false, (9, 0)), "none");
    }
}
