//! The names that PyTorch gives to the nodes of functions which are made of other operations here: `squeeze` is a view
//! like any other, but its `grad_fn` is `SqueezeBackward0`.

use super::tensor::PyTensor;
use rustpython_vm::builtins::{PyList, PyTuple};
use rustpython_vm::{PyObject, PyObjectRef};

/// The name for a native method with so many arguments beside its tensor, if it is not that of its operation. For a
/// function that is written in Python, `@torch_function` says it.
pub(super) fn of(method: &str, arguments: usize) -> Option<&'static str> {
    Some(match method {
        "transpose" => "TransposeBackward0",
        "t" => "TBackward0",
        "squeeze" if arguments == 0 => "SqueezeBackward0",
        "squeeze" => "SqueezeBackward1",
        "unsqueeze" => "UnsqueezeBackward0",
        "clamp" | "clip" => "ClampBackward1",
        "masked_fill" => "MaskedFillBackward0",
        _ => return None,
    })
}

/// Whether a native method has such a name.
pub(super) fn has(method: &str) -> bool {
    of(method, 0).is_some()
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
