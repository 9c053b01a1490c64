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
use rustpython_vm::vm::PyGlobalState;
use rustpython_vm::{AsObject, Context, PyObject, PyObjectRef};
use std::collections::HashSet;

/// The generations of the collector whose objects came with this run; `freeze` has moved the others.
const GENERATIONS: std::ops::Range<i32> = 0..3;

/// Frees the objects of an interpreter that has ended, and keeps later runs from looking at what remains.
pub(super) fn free(state: &PyGlobalState) {
    let objects = || GENERATIONS.flat_map(|it| state.gc.get_objects(Some(it)));
    let kept: HashSet<usize> = objects()
        .flat_map(|it| of_interpreters_class(&it))
        .collect();
    for object in objects().filter(|it| !kept.contains(&address(it))) {
        empty(&object);
    }
    state.gc.collect_force(2);
    // All interpreters of the process share the collector's lists. Without this, every later run would scan what
    // this one has left behind, and each run would be slower than the one before.
    state.gc.freeze();
}

/// Classes of the program have their attributes in a dictionary.
fn empty(object: &PyObject) {
    if let Some(dictionary) = object.downcast_ref::<PyDict>() {
        dictionary.clear();
    }
}

/// Whether a `class` statement of Python made it, or a call of `type`. Native modules make classes in another way, and keep
/// some for later runs, such as `zlib.error`.
fn is_of_program(class: &PyType) -> bool {
    let has = |name: &'static str| {
        class
            .attributes
            .contains(Context::genesis().intern_str(name))
    };
    class.heaptype_ext.is_some() && (has("__firstlineno__") || has("__dict__"))
}

/// The addresses of what a class of the interpreter refers to, and of the dictionary that refers to it.
fn of_interpreters_class(object: &PyObjectRef) -> Vec<usize> {
    let class = object.downcast_ref::<PyType>();
    let Some(class) = class.filter(|it| !is_of_program(it)) else {
        return Vec::new();
    };
    let values = class.attributes.entries().into_iter();
    let values = values.map(|(_, it)| address(&it));
    let dictionary = class.attributes.as_dict();
    values
        .chain(dictionary.map(|it| address(it.as_object())))
        .collect()
}

fn address(object: &PyObject) -> usize {
    std::ptr::from_ref(object).addr()
}
