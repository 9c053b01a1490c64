//! What was captured: operations and the memory that they read and write, and the kernels that a card launches for them.
//!
//! The memory of a graph is a twin of the program's. It keeps no memory of the card alive, as on a card, where a graph knows
//! only addresses: a tensor that the program no longer has can be written, and its values are the graph's own.

use super::super::order::MemoryOrder;
use crate::device::{TensorDevice, Work};
use crate::error::TorchError;
use crate::kernels::philox::DrawShift;
use crate::meta::{Cost, Meta};
use crate::ops::Op;
use crate::tensor::{State, Storage, Tensor, Value};
use crate::trace::SpanName;
use candle_core::Tensor as Values;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

/// Draws the values of a captured random function, from where the generator is in a replay.
pub(crate) type GraphDraw = Rc<dyn Fn(DrawShift) -> Result<Values, TorchError>>;

/// A captured graph.
#[derive(Default)]
pub(crate) struct CudaGraph {
    pub(super) steps: Vec<GraphStep>,
    pub(super) kernels: Vec<GraphKernel>,
    memory: Vec<GraphMemory>,
    /// Where in `memory` the program's is, by its address.
    known: HashMap<u64, usize>,
    /// The pool that its tensors came from.
    pub(super) pool: u32,
}

/// One operation of a graph. Its tensors are in the graph's memory.
pub(in crate::engine) enum GraphStep {
    /// An operation with a result of its own.
    Result {
        op: Op,
        order: Option<MemoryOrder>,
        inputs: Vec<Tensor>,
        meta: Meta,
        cost: Cost,
        into: Tensor,
    },
    /// An operation that changes a tensor.
    Change {
        op: Op,
        inputs: Vec<Tensor>,
        meta: Meta,
        cost: Cost,
        into: Tensor,
    },
    /// A copy within the card.
    Copy { from: Tensor, into: Tensor },
    /// The same values each time: `zeros`, `arange`.
    Values { values: Values, into: Tensor },
    /// Random numbers.
    Draw { draw: GraphDraw, into: Tensor },
}

/// A kernel of a graph.
pub(super) struct GraphKernel {
    pub(super) name: SpanName,
    pub(super) work: Work,
    pub(super) cost: Cost,
}

/// Memory that a graph reads or writes.
struct GraphMemory {
    program: Weak<Storage>,
    twin: Rc<Storage>,
    /// Whether it was allocated in the capture: what is in it before a replay, the replay writes again.
    is_from_capture: bool,
}

impl CudaGraph {
    pub(super) fn in_pool(pool: u32) -> Self {
        Self {
            pool,
            ..Self::default()
        }
    }

    /// A tensor of the program in the graph's memory.
    pub(in crate::engine) fn tensor(&mut self, tensor: &Tensor) -> Tensor {
        let state = tensor.state();
        // The kernel takes a number of the host as an argument, which never changes.
        let is_argument = state.device == TensorDevice::Cpu;
        self.with_memory(&state, is_argument, false)
    }

    pub(in crate::engine) fn tensors(&mut self, tensors: &[&Tensor]) -> Vec<Tensor> {
        tensors.iter().map(|it| self.tensor(it)).collect()
    }

    /// All memory of a new tensor, with this meta.
    pub(in crate::engine) fn new_memory(&mut self, state: &State, meta: Meta) -> Tensor {
        let mut whole = state.clone();
        (whole.meta, whole.layout) = (meta, None);
        self.with_memory(&whole, false, true)
    }

    fn with_memory(&mut self, state: &State, is_argument: bool, is_from_capture: bool) -> Tensor {
        let address = state.address();
        let at = *self.known.entry(address).or_insert_with(|| {
            let (program, twin) = if is_argument {
                (Weak::new(), state.storage.snapshot())
            } else {
                (Rc::downgrade(&state.storage), state.storage.twin())
            };
            self.memory.push(GraphMemory {
                program,
                twin,
                is_from_capture,
            });
            self.memory.len() - 1
        });
        let twin = self.memory.get(at).map(|it| Rc::clone(&it.twin));
        Tensor::new(
            0,
            state.in_memory(twin.unwrap_or_else(|| state.storage.snapshot())),
        )
    }

    /// Takes over what the program's memory holds, as the engine reads it; gives the values of each memory.
    pub(super) fn load(&self, read: impl Fn(&Storage) -> Value) -> Vec<Value> {
        let all = self.memory.iter().map(|it| {
            if let Some(program) = it.program.upgrade() {
                it.twin.replace_values(if it.is_from_capture {
                    program.whole_values()
                } else {
                    read(&program)
                });
            }
            it.twin.whole_values()
        });
        all.collect()
    }

    /// Gives the program's memory what the graph has written since it was loaded; `note` gets what was there before.
    pub(super) fn store(&self, loaded: &[Value], note: impl Fn(&Storage, Value)) {
        for (it, loaded) in self.memory.iter().zip(loaded) {
            let made = it.twin.whole_values();
            let is_same = made.is_same(loaded);
            match it.program.upgrade() {
                Some(_) if is_same => {}
                Some(program) => {
                    note(&program, program.whole_values());
                    program.replace_values(made);
                }
                None if it.is_from_capture && !it.twin.is_shared_by_graphs() => {
                    it.twin.replace_values(Value::Missing);
                }
                None => {}
            }
        }
    }

    /// Whether nothing was captured.
    pub(crate) fn is_empty(&self) -> bool {
        self.kernels.is_empty()
    }

    /// The pool that its tensors came from.
    pub(crate) fn pool(&self) -> u32 {
        self.pool
    }
}
