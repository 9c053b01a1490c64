//! CUDA graphs: operations that are captured instead of run, and run again from then on with one call.
//!
//! `graph` has what a graph is, `capture` what the engine does while it captures, `replay` what it does after that.

mod capture;
mod graph;
mod replay;

pub(super) use capture::Capture;
pub(super) use graph::GraphStep;
pub(crate) use graph::{CudaGraph, GraphDraw};
