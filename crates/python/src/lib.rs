//! The library of labs that is written in Python: what `import torch`, `import numpy` and `import torchvision` find.
//!
//! The files are in `lib/`, and are compiled to bytecode at build time. `README.md` says how to run their tests.

use rustpython_compiler_core::frozen::FrozenLib;
use rustpython_derive::py_freeze;

/// The bytecode of each file of `lib/`, under the name of its module.
pub const LIB: &FrozenLib = py_freeze!(dir = "../lib", crate_name = "rustpython_compiler_core");

/// The functions that `@torch_function` registers: a module, its functions of torch, and its methods of tensors, as
/// names with spaces between them.
pub const REGISTERED: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/registered.rs"));
