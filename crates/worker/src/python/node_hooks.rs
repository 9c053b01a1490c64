//! Hooks of nodes: Python code that is given the gradients before a node has them, and those that it made.
//!
//! The engine knows them as a trait. `utils/hooks.py` has the functions of a node in one object.

use super::callbacks::{calling, object, optional};
use super::convert;
use super::nodes::{PyNode, has_bias_first, lacks_operand, turned_weight};
use crate::error::TorchError;
use crate::tensor::{NodeHook, Tensor};
use rustpython_vm::{PyObjectRef, PyRef, PyResult, VirtualMachine};
use std::any::Any;
use std::rc::Rc;

type Grads = Vec<Option<Tensor>>;

/// An object with `before(results)` and `after(inputs, results)`, which give a list.
#[derive(Debug)]
struct PyNodeHook {
    object: PyObjectRef,
    /// A linear layer with a bias, which comes first.
    has_bias_first: bool,
    /// The place of the weight of a linear layer, which PyTorch's product has turned.
    turned: Option<usize>,
    /// An operand that is no tensor here, for which PyTorch has an input without a gradient.
    lacks_operand: bool,
}

impl NodeHook for PyNodeHook {
    fn before(&self, results: Grads) -> Result<Grads, TorchError> {
        calling(|vm| {
            let given = list(&results, vm);
            read(&vm.call_method(&self.object, "before", (given,))?, vm)
        })
    }

    fn after(&self, mut inputs: Grads, results: &[Option<Tensor>]) -> Result<Grads, TorchError> {
        if self.has_bias_first {
            inputs.rotate_right(1);
        }
        if self.lacks_operand {
            inputs.push(None);
        }
        let mut found = calling(|vm| {
            let turned = self
                .turned
                .map_or_else(|| vm.ctx.none(), |at| vm.ctx.new_int(at).into());
            let given = (list(&inputs, vm), list(results, vm), turned);
            read(&vm.call_method(&self.object, "after", given)?, vm)
        })?;
        if self.lacks_operand {
            found.pop();
        }
        if self.has_bias_first {
            found.rotate_left(1);
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
            has_bias_first: has_bias_first(node),
            turned: turned_weight(node),
            lacks_operand: lacks_operand(node),
        }));
    }
}
