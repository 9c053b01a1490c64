//! Autograd from Python: `backward`, `autograd.grad`, `retain_grad`, `detach_`.

use super::convert::{self, checked, engine};
use super::tensor::{PyTensor, PyTensorRef};
use crate::worker::autograd::{Graph, backward as go_back, gradients as gradients_of};
use crate::worker::tensor::Tensor;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// `backward(gradient, retain_graph, create_graph)`
pub(super) fn backward(zelf: PyTensorRef, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let mut next = |name: &str| {
        args.take_positional()
            .or_else(|| args.take_keyword(name))
            .filter(|it| !vm.is_none(it))
    };
    let (seed, retain, create) = (next("gradient"), next("retain_graph"), next("create_graph"));
    if let Some(unknown) = args.kwargs.keys().next() {
        return Err(vm.new_type_error(format!(
            "Tensor.backward() got an unexpected keyword argument '{unknown}'"
        )));
    }
    let seed = match seed {
        Some(it) => Some(convert::tensor(&it, vm)?),
        None => None,
    };
    let graph = graph(retain, create, vm)?;
    checked(
        go_back(&*engine(vm)?, zelf.tensor(), seed.as_ref(), graph),
        vm,
    )
}

/// What happens to the graph, by `retain_graph` and `create_graph`.
fn graph(
    retain: Option<PyObjectRef>,
    create: Option<PyObjectRef>,
    vm: &VirtualMachine,
) -> PyResult<Graph> {
    let flag = |it: Option<PyObjectRef>| match it.filter(|it| !vm.is_none(it)) {
        Some(it) => it.try_to_bool(vm).map(Some),
        None => Ok(None),
    };
    let (retain, create) = (flag(retain)?, flag(create)? == Some(true));
    Ok(match (create, retain) {
        (true, _) => Graph::Differentiable,
        (false, Some(true)) => Graph::Retained,
        (false, Some(false) | None) => Graph::Freed,
    })
}

/// `(outputs, grad_outputs, inputs, retain_graph, create_graph)`: the gradients of the inputs as a list, with
/// None for an input that has none.
pub(super) fn gradients(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut next = || args.take_positional().unwrap_or_else(|| vm.ctx.none());
    let (outputs, seeds, inputs, retain, create) = (next(), next(), next(), next(), next());
    let outputs = tensors(&outputs, vm)?;
    let inputs = tensors(&inputs, vm)?;
    let seeds: Vec<Option<Tensor>> = convert::items(&seeds)
        .unwrap_or_default()
        .iter()
        .map(|it| {
            (!vm.is_none(it))
                .then(|| convert::tensor(it, vm))
                .transpose()
        })
        .collect::<PyResult<_>>()?;
    let graph = graph(Some(retain), Some(create), vm)?;
    let found = gradients_of(&*engine(vm)?, (&outputs, &seeds), &inputs, graph);
    let found = checked(found, vm)?.into_iter().map(|it| match it {
        Some(grad) => PyTensor::from(grad).into_pyobject(vm),
        None => vm.ctx.none(),
    });
    Ok(vm.ctx.new_list(found.collect()).into())
}

fn tensors(object: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<Tensor>> {
    convert::items(object)
        .unwrap_or_default()
        .iter()
        .map(|it| convert::tensor(it, vm))
        .collect()
}

/// `retain_grad()`
pub(super) fn retain_grad(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult<()> {
    checked(zelf.tensor().retain_grad(), vm)
}

/// `detach_()`
pub(super) fn detach_(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult<PyTensorRef> {
    checked(zelf.tensor().detach_in_place(), vm)?;
    Ok(zelf)
}
