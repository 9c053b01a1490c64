//! Autograd from Python: `backward`, `autograd.grad`, `retain_grad`, `detach_`.

use super::arguments::{is_set, no_more_keywords};
use super::convert::{self, checked, engine};
use super::tensor::{PyTensor, PyTensorRef};
use crate::autograd::{Graph, backward_of as go_back, gradients as gradients_of};
use crate::tensor::Tensor;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// `backward(gradient, retain_graph, create_graph, inputs)`
pub(super) fn backward(zelf: PyTensorRef, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let mut next = |name: &str| {
        args.take_positional_keyword(name)
            .filter(|it| !vm.is_none(it))
    };
    let (seed, retain, create) = (next("gradient"), next("retain_graph"), next("create_graph"));
    if let Some(inputs) = next("inputs") {
        let none = || vm.ctx.none();
        let given = [seed, retain, create].map(|it| it.unwrap_or_else(none));
        let [seed, retain, create] = given;
        let module = vm.import("warpup", 0)?.get_attr("autograd", vm)?;
        let into = module.get_attr("backward", vm)?;
        return into
            .call((zelf, seed, retain, create, none(), inputs), vm)
            .map(drop);
    }
    no_more_keywords("Tensor.backward", &args, vm)?;
    let seed = seed.map(|it| convert::tensor(&it, vm)).transpose()?;
    let graph = graph(retain, create, vm)?;
    let outputs = std::slice::from_ref(zelf.tensor());
    let done = go_back(&*engine(vm)?, (outputs, &[seed]), graph);
    checked(done, vm)
}

/// `(outputs, grad_outputs, retain_graph, create_graph)`
pub(super) fn backward_of_all(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let mut next = || args.take_positional().unwrap_or_else(|| vm.ctx.none());
    let (outputs, given, retain, create) = (next(), next(), next(), next());
    let outputs = convert::tensors(&outputs, vm)?;
    let seeds = seeds(&given, vm)?;
    let graph = graph(Some(retain), Some(create), vm)?;
    checked(go_back(&*engine(vm)?, (&outputs, &seeds), graph), vm)
}

fn seeds(given: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Vec<Option<Tensor>>> {
    let given = convert::items(given).unwrap_or_default();
    let given = given.iter().map(|it| Some(it).filter(|it| !vm.is_none(it)));
    given
        .map(|it| it.map(|it| convert::tensor(it, vm)).transpose())
        .collect()
}

/// What happens to the graph, by `retain_graph` and `create_graph`.
fn graph(
    retain: Option<PyObjectRef>,
    create: Option<PyObjectRef>,
    vm: &VirtualMachine,
) -> PyResult<Graph> {
    let flag = |it: Option<PyObjectRef>| is_set(it.filter(|it| !vm.is_none(it)), vm);
    let (retain, create) = (flag(retain)?, flag(create)?);
    Ok(match (create, retain) {
        (true, _) => Graph::Differentiable,
        (false, true) => Graph::Retained,
        (false, false) => Graph::Freed,
    })
}

/// `(outputs, grad_outputs, inputs, retain_graph, create_graph)`: the gradients of the inputs as a list, with
/// None for an input that has none.
pub(super) fn gradients(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut next = || args.take_positional().unwrap_or_else(|| vm.ctx.none());
    let (outputs, given, inputs, retain, create) = (next(), next(), next(), next(), next());
    let outputs = convert::tensors(&outputs, vm)?;
    let inputs = convert::tensors(&inputs, vm)?;
    let seeds = seeds(&given, vm)?;
    let graph = graph(Some(retain), Some(create), vm)?;
    let found = gradients_of(&*engine(vm)?, (&outputs, &seeds), &inputs, graph);
    let found = checked(found, vm)?.into_iter().map(|it| match it {
        Some(grad) => PyTensor::from(grad).into_pyobject(vm),
        None => vm.ctx.none(),
    });
    Ok(vm.ctx.new_list(found.collect()).into())
}

/// `retain_grad()`
pub(super) fn retain_grad(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult<()> {
    checked(zelf.tensor().retain_grad(), vm)
}

/// `detach_()`
pub(super) fn detach_(zelf: &Py<PyTensor>, (): (), vm: &VirtualMachine) -> PyResult<()> {
    checked(zelf.tensor().detach_in_place(), vm)
}
