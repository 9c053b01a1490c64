//! Python code that backward runs: hooks, `torch.autograd.Function`, and the packing of saved tensors.
//!
//! The engine knows them as traits. An exception of theirs waits in the context while backward unwinds.

use super::context;
use super::convert::{self, checked, engine};
use super::nodes::PyNode;
use super::tensor::PyTensor;
use crate::error::{Kind, TorchError};
use crate::tensor::{Function, Hook, Node, Pack, PackedTensor, Tensor};
use rustpython_vm::function::OptionalArg;
use rustpython_vm::vm::thread::with_current_vm;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine};
use std::any::Any;
use std::rc::Rc;

/// Calls Python, whose exception waits in the context.
pub(super) fn calling<R>(
    call: impl FnOnce(&VirtualMachine) -> PyResult<R>,
) -> Result<R, TorchError> {
    with_current_vm(|vm| {
        call(vm).map_err(|error| {
            if let Ok(context) = context::current(vm) {
                context.raised.replace(Some(error));
            }
            TorchError::new(Kind::Raised, "Python code raised an exception")
        })
    })
}

pub(super) fn object(tensor: Tensor, vm: &VirtualMachine) -> PyObjectRef {
    PyTensor::from(tensor).into_pyobject(vm)
}

/// A tensor, or nothing for None.
pub(super) fn optional(value: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<Tensor>> {
    if vm.is_none(value) {
        return Ok(None);
    }
    convert::tensor(value, vm).map(Some)
}

/// A callable that is given a tensor.
#[derive(Debug)]
struct PyHook(PyObjectRef);

impl Hook for PyHook {
    fn call(&self, about: &Tensor) -> Result<Option<Tensor>, TorchError> {
        calling(|vm| optional(&self.0.call((object(about.clone(), vm),), vm)?, vm))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The hook of a tensor, before or after its gradient is added to `grad`; None if it has none.
pub(super) fn hook_of(tensor: PyRef<PyTensor>, after: bool, vm: &VirtualMachine) -> PyObjectRef {
    let tensor = tensor.tensor();
    let hook = if after {
        tensor.hook_after()
    } else {
        tensor.hook()
    };
    let hook = hook.as_ref().and_then(|it| it.as_any().downcast_ref());
    hook.map_or_else(|| vm.ctx.none(), |PyHook(callable)| callable.clone())
}

pub(super) fn set_hook(tensor: PyRef<PyTensor>, after: bool, callable: PyObjectRef) {
    let hook = Rc::new(PyHook(callable));
    if after {
        tensor.tensor().set_hook_after(hook);
    } else {
        tensor.tensor().set_hook(hook);
    }
}

/// The context object of a `torch.autograd.Function`; its method `_backward(node, grads)` gives the gradients.
#[derive(Debug)]
struct PyFunction {
    name: String,
    context: PyObjectRef,
}

impl Function for PyFunction {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn backward(
        &self,
        node: &Rc<Node>,
        grads: Vec<Option<Tensor>>,
    ) -> Result<Vec<Option<Tensor>>, TorchError> {
        calling(|vm| {
            let given = grads.into_iter().map(|it| match it {
                Some(grad) => object(grad, vm),
                None => vm.ctx.none(),
            });
            let given = vm.ctx.new_list(given.collect());
            let node = PyNode::of(node).into_pyobject(vm);
            let found = vm.call_method(&self.context, "_backward", (node, given))?;
            let found = convert::items(&found).unwrap_or_default();
            found.iter().map(|it| optional(it, vm)).collect()
        })
    }
}

/// `(ctx, inputs, results, dirty)`: makes the results, pairs of a number and a tensor, those of a function of the program. Gives the tensors that
/// are its results: a view, or a tensor with a history of its own, is replaced by one that shares its memory.
pub(super) fn apply_function(
    context: PyObjectRef,
    inputs: PyObjectRef,
    results: PyObjectRef,
    dirty: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let engine = engine(vm)?;
    let inputs = convert::tensors(&inputs, vm)?;
    let dirty = convert::tensors(&dirty, vm)?;
    let objects = convert::items(&results).unwrap_or_default();
    let mut made = Vec::new();
    let mut tensors = Vec::new();
    for it in objects {
        let (number, it) = numbered(&it, vm)?;
        let tensor = convert::tensor(&it, vm)?;
        let is_changed = dirty.iter().any(|it| it.id() == tensor.id());
        if is_changed && tensor.is_leaf() && tensor.requires_grad() {
            return Err(vm.new_runtime_error(
                "a leaf Variable that requires grad is being used in an in-place operation.",
            ));
        }
        let is_new = tensor.base().is_none() && tensor.is_leaf() && !tensor.requires_grad();
        if is_new || is_changed {
            made.push(it);
            tensors.push((number, tensor));
        } else {
            let own = tensor.detached(engine.next_id());
            made.push(object(own.clone(), vm));
            tensors.push((number, own));
        }
    }
    let name = convert::text(&*context.get_attr("_name", vm)?).unwrap_or_default();
    let function = Rc::new(PyFunction { name, context });
    let node = Tensor::made_by_function(function, &inputs, &tensors, &|| engine.next_id());
    made.push(PyNode::of(&node).into_pyobject(vm));
    Ok(vm.ctx.new_list(made).into())
}

fn numbered(pair: &PyObject, vm: &VirtualMachine) -> PyResult<(usize, PyObjectRef)> {
    let number = pair.get_item(&0, vm)?.try_into_value(vm)?;
    Ok((number, pair.get_item(&1, vm)?))
}

/// Saves tensors for the function whose node this is.
pub(super) fn save(node: PyRef<PyNode>, tensors: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    let tensors = convert::tensors(&tensors, vm)?;
    match node.node() {
        Some(node) => checked(engine(vm)?.save_for(node, &tensors), vm),
        None => Ok(()),
    }
}

/// The tensors that the function of this node saved.
pub(super) fn saved(node: PyRef<PyNode>, vm: &VirtualMachine) -> PyResult {
    let saved = node.node().map(|it| it.saved_by_program());
    let saved = checked(saved.unwrap_or_else(|| Ok(Vec::new())), vm)?;
    let saved = saved.into_iter().map(|it| object(it, vm)).collect();
    Ok(vm.ctx.new_list(saved).into())
}

/// `torch.autograd.graph.saved_tensors_hooks`
struct PyPack {
    pack: PyObjectRef,
    unpack: PyObjectRef,
}

impl Pack for PyPack {
    fn pack(&self, tensor: &Tensor) -> Result<Rc<dyn PackedTensor>, TorchError> {
        let packed = calling(|vm| self.pack.call((object(tensor.clone(), vm),), vm))?;
        let unpack = self.unpack.clone();
        Ok(Rc::new(PyPacked { packed, unpack }))
    }
}

#[derive(Debug)]
struct PyPacked {
    packed: PyObjectRef,
    unpack: PyObjectRef,
}

impl PackedTensor for PyPacked {
    fn unpack(&self) -> Result<Tensor, TorchError> {
        calling(|vm| {
            let found = self.unpack.call((self.packed.clone(),), vm)?;
            if found.downcast_ref::<PyTensor>().is_none() {
                return Err(vm.new_type_error(format!(
                    "Output of saved tensor unpack_hook expected to be a Tensor but got result of type {}",
                    found.class().name()
                )));
            }
            convert::tensor(&found, vm)
        })
    }
}

/// Begins a block in which these two functions keep what is saved; without them, the engine does.
pub(super) fn begin_packing(
    pack: PyObjectRef,
    unpack: OptionalArg<PyObjectRef>,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let pack = unpack.present().map(|unpack| {
        let pack: Rc<dyn Pack> = Rc::new(PyPack { pack, unpack });
        pack
    });
    engine(vm)?.begin_packing(pack);
    Ok(())
}

pub(super) fn end_packing(vm: &VirtualMachine) -> PyResult<()> {
    context::current(vm)?.engine.end_packing();
    Ok(())
}
