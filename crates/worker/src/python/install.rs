//! Adds methods to `torch.Tensor` and functions to a module, from Rust functions and from Python's. The table of
//! signatures orders their arguments.

use super::arguments::Arguments;
use super::bind::NativeFunction;
use super::context::LibraryFunction;
use super::signatures::Receiver;
use super::tensor::PyTensor;
use super::{context, memory_format, node_names, outputs};
use rustpython_vm::builtins::PyModule;
use rustpython_vm::class::StaticType;
use rustpython_vm::function::{FromArgs, FuncArgs, IntoPyNativeFn};
use rustpython_vm::{Py, PyObjectRef, PyRef, PyResult, VirtualMachine};
use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;

thread_local! {
    /// Native functions and methods by name and by the Rust function that they call. RustPython never frees one, and
    /// all runs of a thread can use the same: what belongs to a run is found in its context.
    static MADE: RefCell<HashMap<(&'static str, TypeId), PyObjectRef>> = RefCell::default();
}

/// The native function for this Rust function and name, made when it is first needed.
pub(super) fn made_once<F: 'static>(
    name: &'static str,
    make: impl FnOnce() -> PyObjectRef,
) -> PyObjectRef {
    let key = (name, TypeId::of::<F>());
    if let Some(made) = MADE.with(|it| it.borrow().get(&key).cloned()) {
        return made;
    }
    let object = make();
    let before = MADE.with(|it| it.borrow_mut().insert(key, object.clone()));
    drop(before);
    object
}

/// Adds a method.
pub(super) fn add<Kind, F: IntoPyNativeFn<Kind>>(
    name: &'static str,
    method: F,
    vm: &VirtualMachine,
) {
    let called = NativeFunction::new(Receiver::Method, name);
    let method = method.into_func();
    let renamed = node_names::has(name);
    let run = move |args: FuncArgs, vm: &VirtualMachine| {
        let args = called.bind(args, vm)?;
        if renamed {
            return with_name(name, args, |args| method(vm, args, name.into()));
        }
        method(vm, args, name.into())
    };
    let bound =
        move |mut args: FuncArgs, vm: &VirtualMachine| match memory_format::take(&mut args, vm)? {
            None => run(args, vm),
            Some(format) => {
                let subject = args.args.first().cloned();
                let result = run(args, vm)?;
                memory_format::apply(name, (subject, result), format, vm)
            }
        };
    let class = PyTensor::static_type();
    let method = made_once::<F>(name, || vm.new_method(name, class, bound).into());
    class.set_attr(vm.ctx.intern_str(name), method);
}

/// Adds a method that parses its arguments.
pub(super) fn add_parsing(
    name: &'static str,
    method: impl Fn(&Py<PyTensor>, Arguments, &VirtualMachine) -> PyResult + Send + Sync + 'static,
    vm: &VirtualMachine,
) {
    let parsing = move |zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine| {
        method(zelf, Arguments::of(name, args), vm)
    };
    add(name, parsing, vm);
}

/// Adds a method that writes into its tensor, which it returns.
pub(super) fn add_in_place<A: FromArgs + 'static>(
    name: &'static str,
    write: impl Fn(&Py<PyTensor>, A, &VirtualMachine) -> PyResult<()> + Send + Sync + 'static,
    vm: &VirtualMachine,
) {
    let writing = move |zelf: PyRef<PyTensor>, args: A, vm: &VirtualMachine| {
        write(&zelf, args, vm).map(|()| zelf)
    };
    add(name, writing, vm);
}

/// Adds a function to a module.
pub(super) fn add_function<Kind, F: IntoPyNativeFn<Kind>>(
    module: &Py<PyModule>,
    name: &'static str,
    function: F,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let called = NativeFunction::new(Receiver::Function, name);
    let function = function.into_func();
    let bound = move |args: FuncArgs, vm: &VirtualMachine| {
        outputs::call(&called, args, vm, |args| function(vm, args, name.into()))
    };
    let made = made_once::<F>(name, || vm.new_function(name, bound).into());
    module.set_attr(name, made, vm)
}

/// A function that is written in Python, as a method of tensors.
pub(super) fn add_written(
    name: &'static str,
    method: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let written = context::current(vm)?.keep_written(name, method);
    let method = move |args: FuncArgs, vm: &VirtualMachine| written.call(args, vm);
    add(name, method, vm);
    Ok(())
}

/// Adds a method that is written in Python, in a module that is loaded with the first call.
pub(super) fn add_later(name: &'static str, module: &'static str, vm: &VirtualMachine) {
    let method = move |args: FuncArgs, vm: &VirtualMachine| {
        vm.import(module, 0)?;
        let modules = vm.sys_module.get_attr("modules", vm)?;
        let function = modules.get_item(module, vm)?.get_attr(name, vm)?;
        function.call(args, vm)
    };
    add(name, method, vm);
}

/// A function that is written in Python, with its arguments bound.
pub(super) fn bound(
    (module, name): (&str, &'static str),
    function: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    // A module may have a function with the name of a method, and with that of another module's.
    let full = vm.ctx.intern_str(format!("{module}.{name}")).as_str();
    let written = context::current(vm)?.keep_written(full, function);
    let called = NativeFunction::new(Receiver::Function, name);
    let bound = move |args: FuncArgs, vm: &VirtualMachine| {
        outputs::call(&called, args, vm, |args| written.call(args, vm))
    };
    Ok(made_once::<LibraryFunction>(full, || {
        vm.new_function(name, bound).into()
    }))
}

/// Calls a method whose nodes PyTorch has another name for.
fn with_name(function: &str, args: FuncArgs, call: impl FnOnce(FuncArgs) -> PyResult) -> PyResult {
    let (first, count) = (args.args.first().cloned(), args.args.len());
    let result = call(args)?;
    if let Some(name) = node_names::of(function, count.saturating_sub(1)) {
        node_names::rename(&result, first.as_ref(), name);
    }
    Ok(result)
}
