//! Frees what a run has left behind.
//!
//! RustPython's collector does not free a module's functions and classes when its interpreter ends: many of its own
//! objects do not say what they refer to, so most cycles count as in use. That was 3.7 MiB a run. When an interpreter has
//! ended nothing can run in it, so this cuts the cycles instead of looking for them: it empties the dictionaries and
//! the classes of the run.
//!
//! Objects that RustPython keeps for later runs of the thread are left as they are: those from before the run, and
//! its own classes with what they refer to.

use rustpython_vm::builtins::{PyDict, PyType};
use rustpython_vm::gc_state::gc_state;
use rustpython_vm::types::PyTypeFlags;
use rustpython_vm::{PyObject, PyObjectRef};
use std::collections::HashSet;

/// The generations of the collector whose objects came with this run; `freeze` has moved the others.
const GENERATIONS: std::ops::Range<i32> = 0..3;

/// Frees the objects of an interpreter that has ended, and keeps later runs from looking at what remains.
pub(super) fn free() {
    let objects = || GENERATIONS.flat_map(|it| gc_state().get_objects(Some(it)));
    let kept: HashSet<usize> = objects()
        .flat_map(|it| of_interpreters_class(&it))
        .collect();
    for object in objects().filter(|it| !kept.contains(&address(it))) {
        empty(&object);
    }
    gc_state().collect_force(2);
    // All interpreters of the process share one garbage collector. Without this, every later run would scan what
    // this one has left behind, and each run would be slower than the one before.
    gc_state().freeze();
}

fn empty(object: &PyObject) {
    if let Some(dictionary) = object.downcast_ref::<PyDict>() {
        dictionary.clear();
    } else if let Some(class) = object.downcast_ref::<PyType>()
        && is_of_program(class)
    {
        // Dropped after the lock: an attribute may lead back here.
        let attributes = std::mem::take(&mut *class.attributes.write());
        drop(attributes);
    }
}

/// Whether a `class` statement of Python made it, or a call of `type`. Native modules make classes in another way, and keep
/// some for later runs, such as `zlib.error`.
fn is_of_program(class: &PyType) -> bool {
    let attributes = class.attributes.read();
    let has = |name: &str| attributes.keys().any(|it| it.as_str() == name);
    class.slots.flags.contains(PyTypeFlags::HEAPTYPE) && (has("__firstlineno__") || has("__dict__"))
}

/// The addresses of what a class of the interpreter refers to.
fn of_interpreters_class(object: &PyObjectRef) -> Vec<usize> {
    match object.downcast_ref::<PyType>() {
        Some(class) if !is_of_program(class) => class
            .attributes
            .read()
            .values()
            .map(|it| address(it))
            .collect(),
        Some(_) | None => Vec::new(),
    }
}

fn address(object: &PyObject) -> usize {
    std::ptr::from_ref(object).addr()
}
