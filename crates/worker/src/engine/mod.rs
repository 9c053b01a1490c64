//! The engine of one run: every operation passes here, so that device check, memory, clocks, trace and graph exist
//! once.
//!
//! `state` holds the engine; each other file adds methods for one subject.

mod assertions;
mod autocast;
mod clocks;
mod compiled;
mod copies;
mod counts;
mod cpu_time;
mod create;
mod cuda_graph;
mod deferral;
mod devices;
mod execute;
mod facts;
mod flat_gradients;
mod foreach;
mod fused;
mod grad_fn;
mod hazards;
mod in_flight;
mod in_place;
mod interruptions;
mod ledger;
mod loaders;
mod memory;
mod notes;
mod order;
mod state;
mod summarize;
mod values;
mod view;
mod workspaces;

pub(crate) use create::{Fill, default_dtype, full_values};
pub(crate) use cuda_graph::{CudaGraph, GraphDraw};
pub(crate) use foreach::Launch;
pub(crate) use order::MemoryOrder;
pub(crate) use state::{Engine, ForeachMode};
