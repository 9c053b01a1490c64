//! Python: the interpreter, the torch-shaped module, and how one program is run.
//!
//! The interpreter is built without host access: no files, network, processes or environment exist in
//! it. The import list in `lib/warpup/_start.py` is for clear messages; the boundary is the process.

mod context;
mod convert;
mod create;
mod index;
mod kinds;
mod module;
mod operators;
mod program;
mod random;
mod reduce;
mod steps;
mod tensor;
mod traceback;

pub use program::{Program, run};
