//! `memory_format=`: tensors whose elements are in another order in memory, such as `torch.channels_last`.

use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

/// The module that knows the formats.
const FORMATS: &str = "warpup._layouts";

/// Takes `memory_format=` from the arguments if it names an order that is not the usual one.
pub(super) fn take(args: &mut FuncArgs, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    if args.kwargs.is_empty() || !args.kwargs.contains_key("memory_format") {
        return Ok(None);
    }
    let Some(format) = args.kwargs.get("memory_format").cloned() else {
        return Ok(None);
    };
    let formats = module(vm)?;
    let special = vm.call_method(&formats, "is_special", (format.clone(),))?;
    if !special.try_to_bool(vm)? {
        return Ok(None);
    }
    args.kwargs.swap_remove("memory_format");
    Ok(Some(format))
}

fn module(vm: &VirtualMachine) -> PyResult {
    vm.import(FORMATS, 0)?;
    let modules = vm.sys_module.get_attr("modules", vm)?;
    modules.get_item(FORMATS, vm)
}

/// The result of a function or method in this format.
pub(super) fn apply(
    name: &str,
    (subject, result): (Option<PyObjectRef>, PyObjectRef),
    format: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let formats = module(vm)?;
    // Whether it is contiguous is a question about the tensor itself.
    match subject.filter(|_| name == "is_contiguous") {
        Some(tensor) => vm.call_method(&formats, "is_contiguous", (tensor, format)),
        None => vm.call_method(&formats, "formatted", (result, format)),
    }
}
