//! The names that PyTorch gives to the nodes of functions which are made of other operations here: `squeeze` is a view
//! like any other, but its `grad_fn` is `SqueezeBackward0`.

use super::tensor::PyTensor;
use rustpython_vm::builtins::{PyList, PyTuple};
use rustpython_vm::{PyObject, PyObjectRef};

/// The name for a method or function with so many arguments beside its tensor, if it is not that of its operation.
pub(super) fn of(function: &str, arguments: usize) -> Option<&'static str> {
    Some(match function {
        "stack" => "StackBackward0",
        "transpose" | "swapaxes" | "swapdims" => "TransposeBackward0",
        "t" => "TBackward0",
        "squeeze" if arguments == 0 => "SqueezeBackward0",
        "squeeze" => "SqueezeBackward1",
        "unsqueeze" => "UnsqueezeBackward0",
        "repeat" | "tile" => "RepeatBackward0",
        "chunk" | "split" => "SplitBackward0",
        "split_with_sizes" => "SplitWithSizesBackward0",
        "unbind" => "UnbindBackward0",
        "masked_select" => "MaskedSelectBackward0",
        "roll" => "RollBackward0",
        "diagonal" => "DiagonalBackward0",
        "diag_embed" => "DiagEmbedBackward0",
        "trace" => "TraceBackward0",
        "mv" => "MvBackward0",
        "clamp" | "clip" => "ClampBackward1",
        "clamp_min" => "ClampMinBackward0",
        "clamp_max" => "ClampMaxBackward0",
        "masked_fill" => "MaskedFillBackward0",
        "aminmax" => "AminmaxBackward0",
        "var_mean" => "VarMeanBackward0",
        "std_mean" => "StdMeanBackward0",
        "cdist" => "CdistBackward0",
        "logaddexp" => "LogaddexpBackward0",
        "cross" => "LinalgCrossBackward0",
        "unfold" => "UnfoldBackward0",
        "take" => "TakeBackward0",
        "renorm" => "RenormBackward0",
        _ => return None,
    })
}

/// Whether a function has such a name.
pub(super) fn has(function: &str) -> bool {
    of(function, 0).is_some()
}

/// Names the node of a result, or of each result; those that the first argument has already stay as they are.
pub(super) fn rename(result: &PyObject, first: Option<&PyObjectRef>, name: &'static str) {
    if let Some(tuple) = result.downcast_ref::<PyTuple>() {
        for it in tuple.as_slice() {
            rename(it, first, name);
        }
    } else if let Some(list) = result.downcast_ref::<PyList>() {
        for it in list.borrow_vec().iter() {
            rename(it, first, name);
        }
    } else if let Some(tensor) = result.downcast_ref::<PyTensor>() {
        let before = first.and_then(|it| it.downcast_ref::<PyTensor>());
        let same = before.is_some_and(|it| {
            let (node, new) = (it.tensor().node(), tensor.tensor().node());
            node.map(|it| it.id) == new.map(|it| it.id)
        });
        if !same && let Some(node) = tensor.tensor().node() {
            node.rename(name);
        }
    }
}
