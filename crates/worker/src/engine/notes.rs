//! What a run says of its program beside its findings: each kind once, for the line where it was first.

use super::state::Engine;
use crate::device::card_messages::size;
use crate::dtype::DType;
use crate::tensor::Tensor;
use candle_core::{DType as Stored, Tensor as Values};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The most elements of a tensor that are looked at: a program that reads a result reads few.
const FEW: usize = 4096;

/// The kinds of notes, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NoteKind {
    HalfOverflow,
    Determinism,
    EmptyCache,
}

/// The notes so far, and what the program has set.
#[derive(Debug, Default)]
pub(super) struct ProgramNotes {
    texts: RefCell<BTreeMap<NoteKind, String>>,
    /// `torch.use_deterministic_algorithms(True)`.
    is_deterministic: Cell<bool>,
    /// `CUBLAS_WORKSPACE_CONFIG` with one of the two values for that.
    has_workspace_config: Cell<bool>,
}

impl ProgramNotes {
    /// Keeps the first note of a kind.
    fn keep(&self, kind: NoteKind, text: impl FnOnce() -> String) {
        self.texts.borrow_mut().entry(kind).or_insert_with(text);
    }

    /// All of them, in order.
    pub(super) fn texts(&self) -> Vec<String> {
        self.texts.borrow().values().cloned().collect()
    }
}

impl Engine {
    /// The program reads these values: infinite ones of float16 were too large for it.
    pub(super) fn note_half_overflow(&self, tensor: &Tensor, values: &Values) {
        if tensor.dtype() != DType::F16 || values.elem_count() > FEW {
            return;
        }
        let numbers = values
            .flatten_all()
            .and_then(|it| it.to_dtype(Stored::F32)?.to_vec1::<f32>());
        // Minus infinity is what masks are made of.
        if !numbers.is_ok_and(|it| it.contains(&f32::INFINITY)) {
            return;
        }
        let line = self.line();
        self.notes.keep(NoteKind::HalfOverflow, || {
            format!(
                "line {line} reads inf in float16, which ends at 65,504: a larger value becomes inf, and one below 6e-8 becomes 0. bfloat16 has the range of float32; torch.autocast with a GradScaler keeps sums and losses in float32 and small gradients from 0"
            )
        });
    }

    /// The program asks for deterministic operations, or no longer.
    pub(crate) fn set_deterministic(&self, is_deterministic: bool) {
        self.notes.is_deterministic.set(is_deterministic);
    }

    /// The value of `CUBLAS_WORKSPACE_CONFIG`.
    pub(crate) fn set_cublas_config(&self, value: Option<&str>) {
        let is_one = matches!(value, Some(":4096:8" | ":16:8"));
        self.notes.has_workspace_config.set(is_one);
    }

    /// A product of cuBLAS: PyTorch 2.15 gives it a workspace of its own, which makes it deterministic; older versions leave that
    /// to a variable (`Context::checkCuBLASConfigDeterministic`, which 2.15 has no more).
    pub(super) fn note_product(&self) {
        if !self.notes.is_deterministic.get() || self.notes.has_workspace_config.get() {
            return;
        }
        let line = self.line();
        self.notes.keep(NoteKind::Determinism, || {
            format!(
                "line {line} calls cuBLAS under use_deterministic_algorithms(True): PyTorch 2.15 does so without more, an older one raises an error there unless CUBLAS_WORKSPACE_CONFIG=:4096:8 or :16:8 is set before the program starts"
            )
        });
    }

    /// `empty_cache()` gives back what no tensor uses: a graph for backward that somebody holds uses most of the memory.
    pub(super) fn note_kept_activations(&self) {
        let (saved, all) = {
            let ledger = self.ledger.borrow();
            (ledger.held().activations, ledger.live())
        };
        if all == 0 || saved < all / 2 {
            return;
        }
        let line = self.line();
        self.notes.keep(NoteKind::EmptyCache, || {
            format!(
                "empty_cache() on line {line} gives back only memory that no tensor uses. Tensors use {} now, {} of it for what a graph saved for backward, which lives as long as a name holds its output or its loss: del these names first, or compute under torch.no_grad()",
                size(all),
                size(saved)
            )
        });
    }
}
