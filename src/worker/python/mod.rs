//! Python: the interpreter, the torch-shaped module, and how one program is run.
//!
//! The interpreter is built without host access: no files, network, processes or environment exist in
//! it. The import list in `lib/warpup/_start.py` is for clear messages; the boundary is the process.

#![expect(
    clippy::needless_pass_by_value,
    reason = "the interpreter hands arguments over by value"
)]

mod arguments;
mod brackets;
mod context;
mod convert;
mod create;
mod draw;
mod functions;
mod gradients;
mod in_place;
mod index;
mod kinds;
mod layers;
mod methods;
mod module;
mod moves;
mod operators;
mod ordering;
mod picks;
mod plots;
mod pointwise;
mod program;
mod random;
mod reduce;
mod said;
mod scatters;
mod sizes;
mod steps;
mod syntax;
mod tensor;
mod traceback;
mod views;

pub use program::Program;
pub(crate) use program::run;
