//! Keeps programs from making bytecode of their own.
//!
//! RustPython executes bytecode without checking it: an instruction for lists takes whatever object it finds for a list,
//! and then writes to an address that a program chooses. So a code object comes from the compiler only: what makes one
//! from bytes is taken away, and what makes a frame continue elsewhere. Compiling text and `ast` stays, and so do
//! functions with the code of other functions.
//!
//! The interpreter is the smaller obstacle; the process that it runs in ([`crate::confine`]) is the boundary.

use rustpython_vm::builtins::{PyCode, PyModuleDef, PyModuleSlots, PyTypeRef};
use rustpython_vm::frame::FrameObject;
use rustpython_vm::function::{FuncArgs, PyMethodDef, PyMethodFlags, static_func};
use rustpython_vm::{Py, PyRef, PyResult, VirtualMachine, import};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// The error of a program that tries.
const REFUSAL: &str = "warpup makes code objects from text only: its interpreter executes bytecode without checking it";

/// The functions that make code objects from bytes, by module; and those that would write marks of lines as bytes, at which
/// RustPython panics.
const READERS: [(&str, &[&str]); 2] = [
    ("marshal", &["load", "loads", "dump", "dumps"]),
    ("_imp", &["get_frozen_object"]),
];

/// Modules that make code objects, or other interpreters, for RustPython's own tests and for debuggers.
const LEFT_OUT: [&str; 5] = [
    "_interpchannels",
    "_interpqueues",
    "_interpreters",
    "_remote_debugging",
    "_testinternalcapi",
];

/// What `importlib` needs of `_imp.get_frozen_object`, which also takes bytes.
const FROZEN: PyMethodDef = PyMethodDef {
    name: "get_frozen_object",
    func: static_func(frozen_object),
    flags: PyMethodFlags::EMPTY,
    doc: None,
};

/// The methods of code objects that make others.
const REPLACE: [PyMethodDef; 2] = [refusing("replace"), refusing("__replace__")];

thread_local! {
    /// The modules above without those functions. All interpreters of a thread share their types and modules.
    static MODULES: OnceCell<Vec<&'static PyModuleDef>> = const { OnceCell::new() };
    static TYPES_ARE_SEALED: Cell<bool> = const { Cell::new(false) };
}

/// Takes it away from an interpreter that has imported nothing yet.
pub(super) fn seal(vm: &mut VirtualMachine) {
    // Nothing else has the state of an interpreter that is being built.
    if let Some(state) = Rc::get_mut(&mut vm.state) {
        let found = |(name, _): &(&str, _)| state.module_defs.get(name).copied();
        let modules = MODULES.with(|it| {
            let all = || {
                READERS
                    .iter()
                    .filter_map(found)
                    .map(without_readers)
                    .collect()
            };
            it.get_or_init(all).clone()
        });
        for def in modules {
            state.module_defs.insert(def.name.as_str(), def);
        }
        for name in LEFT_OUT {
            state.module_defs.remove(name);
        }
    }
    if !TYPES_ARE_SEALED.replace(true) {
        seal_types(vm);
    }
}

/// The module without its functions that read bytecode.
fn without_readers(def: &'static PyModuleDef) -> &'static PyModuleDef {
    let is_reader = |name| {
        READERS
            .iter()
            .any(|(module, readers)| *module == def.name.as_str() && readers.contains(&name))
    };
    let kept = def.methods.iter().filter(|it| !is_reader(it.name)).cloned();
    let frozen = def
        .methods
        .iter()
        .any(|it| it.name == FROZEN.name)
        .then_some(FROZEN);
    let methods: Vec<PyMethodDef> = kept.chain(frozen).collect();
    // Once a thread, and a worker interprets on one.
    Box::leak(Box::new(PyModuleDef {
        name: def.name,
        doc: def.doc,
        methods: methods.leak(),
        slots: PyModuleSlots {
            create: def.slots.create,
            exec: def.slots.exec,
        },
    }))
}

/// The code of a module of the standard library.
fn frozen_object(name: String, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    import::make_frozen(vm, &name)
}

fn seal_types(vm: &VirtualMachine) {
    let types = &vm.ctx.types;
    let code = types.code_type;
    code.slots.new.store(Some(refuse_new));
    for method in &REPLACE {
        let name = vm.ctx.intern_str(method.name);
        code.set_attr(name, method.to_proper_method(code, &vm.ctx));
    }
    // A debugger can move a frame to another line, for which the interpreter trusts its own analysis of the stack.
    let line = |frame: &Py<FrameObject>| Some(frame.lineno()).filter(|it| *it >= 0);
    let line = vm
        .ctx
        .new_readonly_getset("f_lineno", types.frame_type, line);
    types
        .frame_type
        .set_attr(vm.ctx.intern_str("f_lineno"), line.into());
}

const fn refusing(name: &'static str) -> PyMethodDef {
    PyMethodDef {
        name,
        func: static_func(refuse),
        flags: PyMethodFlags::METHOD,
        doc: None,
    }
}

fn refuse(_arguments: FuncArgs, vm: &VirtualMachine) -> PyResult {
    Err(vm.new_type_error(REFUSAL))
}

fn refuse_new(_class: PyTypeRef, arguments: FuncArgs, vm: &VirtualMachine) -> PyResult {
    refuse(arguments, vm)
}
