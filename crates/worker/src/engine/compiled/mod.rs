//! Code that `torch.compile` has compiled, on modelled cards: its operations compute their values one by one, as always,
//! and the card works on the kernels that the compiler would make of them.
//!
//! `region` collects the operations, `fusion` makes kernels of them, `launch` launches these.

mod fusion;
mod launch;
mod region;

pub(super) use region::{CompiledNodes, Recomputation, Region, WriteMode};
