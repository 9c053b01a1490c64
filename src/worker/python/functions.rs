//! Functions of the module that do what methods do, and methods that are written in Python.

use super::arguments;
use super::tensor::PyTensor;
use crate::worker::ops::{Binary, Compare, Reduction, Unary};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyStrRef};
use rustpython_vm::class::StaticType;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyObjectRef, VirtualMachine};

/// The methods that the table of operations names.
pub(super) fn methods_of_table() -> impl Iterator<Item = &'static str> {
    let unary = Unary::methods().map(|(_, name, _)| name);
    let binary = Binary::methods().map(|(_, name)| name);
    let comparisons = Compare::methods().map(|(_, name)| name);
    let reductions = Reduction::METHODS.into_iter().map(Reduction::name);
    unary.chain(binary).chain(comparisons).chain(reductions)
}

/// A function that does what the method of its name does; its first argument is the tensor.
pub(super) fn of_method(name: PyStrRef, vm: &VirtualMachine) -> PyObjectRef {
    let name = vm.ctx.intern_str(name.to_string_lossy().as_ref());
    let call = move |mut args: FuncArgs, vm: &VirtualMachine| {
        let input = arguments::take(&mut args, name.as_str(), "input", vm)?;
        if input.downcast_ref::<PyTensor>().is_none() {
            return Err(vm.new_type_error(format!(
                "{name}(): argument 'input' (position 1) must be Tensor, not {}",
                input.class().name()
            )));
        }
        let given = args.args.len() + 1;
        let method = input.get_attr(name, vm)?;
        method
            .call(args, vm)
            .map_err(|error| as_of_function(error, name.as_str(), given, vm))
    };
    vm.new_function(name.as_str(), call).into()
}

/// The words of a method for wrong arguments, as those of the function: the tensor counts, too.
fn as_of_function(
    error: PyBaseExceptionRef,
    name: &str,
    given: usize,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    if !error.class().is(vm.ctx.exceptions.type_error) {
        return error;
    }
    let Ok(text) = error.as_object().str(vm) else {
        return error;
    };
    let text = text.to_string_lossy().into_owned();
    if text.starts_with("expected at most 1 arguments") {
        return vm.new_type_error(format!(
            "{name}() takes 1 positional argument but {given} were given"
        ));
    }
    let Some((before, rest)) = text.split_once("(position ") else {
        return error;
    };
    let Some((position, after)) = rest.split_once(')') else {
        return error;
    };
    match position.parse::<usize>() {
        Ok(position) => vm.new_type_error(format!("{before}(position {}){after}", position + 1)),
        Err(_no_number) => error,
    }
}

/// Makes a function that is written in Python a method of tensors.
pub(super) fn add_method(name: PyStrRef, method: PyObjectRef, vm: &VirtualMachine) {
    let name = vm.ctx.intern_str(name.to_string_lossy().as_ref());
    PyTensor::static_type().set_attr(name, method);
}
