//! Tensors: shape and type, values where they are kept, memory that is charged while a handle lives, and the graph
//! for backward.

mod backlog;
mod charge;
mod custom_function;
mod deferred;
mod gradient_use;
mod graph;
pub(crate) mod graph_use;
mod handle;
pub(crate) mod layout;
mod node;
pub(crate) mod print;
mod queued_write;
mod state;
mod storage;
mod value;
mod view;

pub(crate) use backlog::Backlog;
pub(crate) use charge::{Accountant, Charge};
pub(crate) use deferred::Deferred;
pub(crate) use graph::{
    Edge, Function, FunctionCall, GradFn, Hook, Input, Node, NodeHook, Origin, Pack, PackedTensor,
    SavedTensor, Tensor, ViewGradMode,
};
pub(crate) use queued_write::{Before, QueuedWork};
pub(crate) use state::State;
pub(crate) use storage::Storage;
pub(crate) use value::Value;
