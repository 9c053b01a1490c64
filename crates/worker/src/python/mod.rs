//! Python: the interpreter, the library in the shape of PyTorch, and the run of one program.
//!
//! The interpreter is built without host access: it has no files, network, processes or environment. The list of
//! imports in `lib/warpup/_start.py` is there for clear messages; the security boundary is the process.
//!
//! Files import one way, lowest first: `context` (the program and its run), `tensor` (the Python object), `convert`
//! (Python values to the engine's and back), `kinds` and `arguments`, `signatures` to `install` (what is called with
//! what), `options` and `from_values`; then the methods
//! and functions by family, which `methods` installs; then the native modules, one file each: `torch`, `layers`,
//! `precision`, `cuda`, `cuda_graphs`, `compiled`, `host`, `lab`, `loader`, `numpy`; then `bytecode`, `interpreter`, `free_objects`, `assembly`, `line_trace`,
//! `line_marks`, `traceback`, `syntax`; last `run`.

#![expect(
    clippy::needless_pass_by_value,
    reason = "the interpreter hands arguments over by value"
)]

mod arguments;
mod arithmetic;
mod assembly;
mod attributes;
mod bind;
mod brackets;
mod bytecode;
mod callbacks;
mod compiled;
mod context;
mod convert;
mod create;
mod cuda;
mod cuda_graphs;
mod device_copies;
mod dtype_and_device;
mod elements;
mod environment;
mod float_text;
mod free_objects;
mod from_values;
mod functions;
mod gather_scatter;
mod generators;
mod gradients;
mod host;
mod in_place;
mod index;
mod install;
mod interpreter;
mod lab;
mod layers;
mod line_marks;
mod line_trace;
mod loader;
mod matrices;
mod memory_format;
mod mersenne;
mod methods;
mod node_hooks;
mod node_names;
mod nodes;
mod numpy;
mod operators;
mod options;
mod ordering;
mod outputs;
mod overload;
mod overload_error;
mod pcg64;
mod plots;
mod pointwise;
mod precision;
mod random;
mod random_tensors;
mod reduce;
mod run;
mod selection;
mod signatures;
mod sizes;
mod spatial;
mod syntax;
mod tensor;
mod torch;
mod traceback;
mod views;

pub(crate) use context::Program;
pub(crate) use run::run;
