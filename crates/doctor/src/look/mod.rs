//! Looks at the machine: files, the environment, and a few programs with time limits.
//!
//! The only impure part of the doctor beside [`super::nvml`]. It judges nothing but whether to start the worker.
//! Tests look at made-up machines: a [`Machine`] may have a folder instead of `/`, and scripts instead of
//! programs.

mod confinement;
mod driver;
mod files;
mod gather;
mod host;
mod installed_by;
mod libraries;
mod machine;
mod process;
mod toolkits;
mod worker;

pub use confinement::attempts;
pub use machine::{Machine, TimeLimits};
