//! The Python interpreter of a run: RustPython with our native modules and the library of `crates/python`.

use super::{
    bytecode, compiled, cuda, cuda_graphs, host, lab, layers, loader, matrices, numpy, precision,
    spatial, torch,
};
use rustpython_vm::{Interpreter, PyResult, Settings, VirtualMachine};

/// A new interpreter; nothing has been imported yet.
pub(super) fn interpreter() -> Interpreter {
    let builder = Interpreter::builder(Settings::default());
    // RustPython 0.5 does not intern these names of its own types, and panics when a program looks them up.
    for name in ["async_generator_wrapped_value", "HeapMethodDef"] {
        builder.ctx.intern_str(name);
    }
    let own = [
        torch::module_def(&builder.ctx),
        layers::module_def(&builder.ctx),
        spatial::module_def(&builder.ctx),
        precision::module_def(&builder.ctx),
        cuda::module_def(&builder.ctx),
        cuda_graphs::module_def(&builder.ctx),
        compiled::module_def(&builder.ctx),
        host::module_def(&builder.ctx),
        lab::module_def(&builder.ctx),
        loader::module_def(&builder.ctx),
        matrices::module_def(&builder.ctx),
        numpy::module_def(&builder.ctx),
    ];
    let standard = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    builder
        .add_native_modules(&standard)
        .add_native_modules(&own)
        .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
        .add_frozen_modules(warpup_python::LIB)
        .init_hook(bytecode::seal)
        .build()
}

/// The module of this name, imported if it was not yet.
pub(super) fn import(name: &'static str, vm: &VirtualMachine) -> PyResult {
    vm.import(name, 0)?;
    let modules = vm.sys_module.get_attr("modules", vm)?;
    modules.get_item(name, vm)
}
