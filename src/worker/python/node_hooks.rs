//! Hooks of nodes: Python code that is given the gradients before a node has them, and those that it made.
//!
//! The engine knows them as a trait. `utils/hooks.py` has the functions of a node in one object.

use super::callbacks::{calling, object, optional};
use super::convert;
use super::nodes::{PyNode, has_bias_first, has_number};
use crate::worker::error::TorchError;
use crate::worker::tensor::{NodeHook, Tensor};
use rustpython_vm::{PyObjectRef, PyRef, PyResult, VirtualMachine};
use std::any::Any;
use std::rc::Rc;

type Grads = Vec<Option<Tensor>>;

/// An object with `before(results)` and `after(inputs, results)`, which give a list.
#[derive(Debug)]
struct PyNodeHook {
    object: PyObjectRef,
    /// A linear layer: its bias comes first, and its weight as `addmm` has it.
    is_linear: bool,
    /// A number is an operand, for which PyTorch has an input without a gradient.
    has_number: bool,
}

impl NodeHook for PyNodeHook {
    fn before(&self, results: Grads) -> Result<Grads, TorchError> {
        calling(|vm| {
            let given = list(&results, vm);
            read(&vm.call_method(&self.object, "before", (given,))?, vm)
        })
    }

    fn after(&self, mut inputs: Grads, results: &[Option<Tensor>]) -> Result<Grads, TorchError> {
        if self.is_linear {
            inputs.rotate_right(1);
        }
        if self.has_number {
            inputs.push(None);
        }
        let mut found = calling(|vm| {
            let given = (list(&inputs, vm), list(results, vm), self.is_linear);
            read(&vm.call_method(&self.object, "after", given)?, vm)
        })?;
        if self.is_linear {
            found.rotate_left(1);
        }
        if self.has_number {
            found.pop();
        }
        Ok(found)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn list(grads: &[Option<Tensor>], vm: &VirtualMachine) -> PyObjectRef {
    let objects = grads.iter().map(|it| match it {
        Some(grad) => object(grad.clone(), vm),
        None => vm.ctx.none(),
    });
    vm.ctx.new_list(objects.collect()).into()
}

fn read(found: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Grads> {
    let found = convert::items(found).unwrap_or_default();
    found.iter().map(|it| optional(it, vm)).collect()
}

/// The object with the hooks of a node; None if it has none.
pub(super) fn hook_of(node: PyRef<PyNode>, vm: &VirtualMachine) -> PyObjectRef {
    let hook = node.node().and_then(|it| it.around());
    let hook = hook.as_ref().and_then(|it| it.as_any().downcast_ref());
    hook.map_or_else(|| vm.ctx.none(), |PyNodeHook { object, .. }| object.clone())
}

pub(super) fn set_hook(node: PyRef<PyNode>, object: PyObjectRef) {
    if let Some(node) = node.node() {
        node.set_around(Rc::new(PyNodeHook {
            object,
            is_linear: has_bias_first(node),
            has_number: has_number(node),
        }));
    }
}
