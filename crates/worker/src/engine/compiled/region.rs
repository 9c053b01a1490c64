//! The operations of compiled code, from its call until its return, and from the first of its nodes in backward to the last.

use super::fusion::{CompiledOp, ValueId, is_generated};
use crate::device::{TensorDevice, Work};
use crate::engine::state::Engine;
use crate::meta::KernelKind;
use crate::tensor::{Storage, Tensor};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

/// Operations that are collected.
#[derive(Default)]
pub(in crate::engine) struct Region {
    pub(super) ops: Vec<CollectedOp>,
    /// The value that is in each memory now, by address.
    current: HashMap<u64, ValueId>,
    next: ValueId,
    /// The number of the first node that it may make.
    first_node: u64,
    /// Memory from before the region: its address, by the value that was in it. This keeps addresses from being used twice.
    pub(super) outside: HashMap<ValueId, (u64, Weak<Storage>)>,
    /// Whether its kernels are launched as a CUDA graph.
    pub(super) as_graph: bool,
    /// What the compiler could not go on after, with its line.
    pub(super) breaks: Vec<(&'static str, u32)>,
    /// Operations, breaks before included.
    pub(super) seen: u64,
}

/// An operation and the memory of its result.
pub(super) struct CollectedOp {
    pub(super) op: CompiledOp,
    pub(super) storage: Weak<Storage>,
    /// Whether the memory was there before the compiled code.
    pub(super) is_outside: bool,
}

/// What backward computes again from what is in memory, where memory is what it would cost to keep it.
pub(in crate::engine) struct Recomputation {
    pub(super) storage: Weak<Storage>,
    /// The address and the bytes of what it is computed from.
    pub(super) from: Vec<(u64, u64)>,
}

/// Nodes of the graph that compiled code made, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct CompiledNodes {
    from: u64,
    to: u64,
    as_graph: bool,
}

/// Where an operation writes its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum WriteMode {
    New,
    InPlace,
}

/// What became of compiled code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RegionEnd {
    /// How many operations there were.
    pub(crate) operations: u64,
    /// How many kernels they became.
    pub(crate) kernels: u64,
    /// Where the graph broke: the cause and the line.
    pub(crate) breaks: Vec<(&'static str, u32)>,
}

impl Region {
    /// The value in a memory, which may be from before the region.
    fn value(&mut self, storage: &Rc<Storage>) -> ValueId {
        let address = address(storage);
        if let Some(known) = self.current.get(&address) {
            return *known;
        }
        let value = self.written(address);
        let memory = (address, Rc::downgrade(storage));
        self.outside.insert(value, memory);
        value
    }

    fn written(&mut self, address: u64) -> ValueId {
        self.next += 1;
        self.current.insert(address, self.next);
        self.next
    }

    /// The value of memory that backward does not read, since it computes again what was there.
    fn value_at(&mut self, address: u64) -> ValueId {
        let known = self.current.get(&address).copied();
        known.unwrap_or_else(|| self.written(address))
    }
}

pub(super) fn address(storage: &Rc<Storage>) -> u64 {
    Rc::as_ptr(storage) as usize as u64
}

impl Engine {
    /// Whether the code that runs is compiled.
    pub(crate) fn is_compiled(&self) -> bool {
        self.region.borrow().is_some()
    }

    /// Whether operations on this device are collected.
    pub(in crate::engine) fn collects(&self, device: TensorDevice) -> bool {
        device != TensorDevice::Cpu && self.is_compiled()
    }

    /// Whether the result of this kernel may stay in registers, so that it takes memory only at the end of the code.
    pub(in crate::engine) fn may_stay_in_registers(
        &self,
        device: TensorDevice,
        kind: KernelKind,
    ) -> bool {
        self.collects(device) && is_generated(kind)
    }

    /// Operations on the card are those of compiled code from now on.
    pub(crate) fn begin_region(&self, as_graph: bool) {
        let mut device = self.backend.borrow_mut();
        let Some(graphs) = device.graphs() else {
            return;
        };
        graphs.set_compiled(true);
        *self.region.borrow_mut() = Some(Region {
            as_graph,
            first_node: self.next_id.get(),
            ..Region::default()
        });
    }

    /// Remembers the nodes of compiled code that ends, of which backward is compiled, too.
    pub(super) fn end_nodes(&self, region: &Region) {
        let (from, to) = (region.first_node, self.next_id.get());
        let as_graph = region.as_graph;
        let mut nodes = self.compiled_nodes.borrow_mut();
        nodes.push(CompiledNodes { from, to, as_graph });
    }

    /// Backward comes to a node: those of compiled code are compiled, one after the other.
    pub(crate) fn go_back_through(&self, node: u64) {
        let found = {
            let nodes = self.compiled_nodes.borrow();
            let after = nodes.partition_point(|it| it.from <= node);
            let last = after.checked_sub(1).and_then(|it| nodes.get(it)).copied();
            last.filter(|it| node < it.to)
        };
        match (found, self.is_compiled()) {
            (Some(it), false) => self.begin_region(it.as_graph),
            (None, true) => self.end_backward_region(),
            (Some(_), true) | (None, false) => {}
        }
    }

    /// Backward has left compiled code.
    pub(crate) fn end_backward_region(&self) {
        self.end_region(&[], 0);
    }

    /// Collects an operation, whose result is in this tensor.
    pub(in crate::engine) fn collect(
        &self,
        (name, work): (&'static str, Work),
        inputs: &[&Tensor],
        result: &Tensor,
        written: WriteMode,
    ) {
        let mut region = self.region.borrow_mut();
        let Some(region) = region.as_mut() else {
            return;
        };
        // A batch is launched as one, at its end.
        if self.together.get().is_some() {
            return;
        }
        let recomputed = self.recomputed.borrow();
        let mut reads = Vec::new();
        for input in inputs.iter().filter(|it| it.device() != TensorDevice::Cpu) {
            let (storage, bytes) = (Rc::clone(&input.state().storage), input.meta().bytes());
            let is_same = |it: &&Recomputation| it.storage.as_ptr() == Rc::as_ptr(&storage);
            match recomputed.get(&address(&storage)).filter(is_same) {
                Some(it) => {
                    for (address, bytes) in &it.from {
                        reads.push((region.value_at(*address), *bytes));
                    }
                }
                None => reads.push((region.value(&storage), bytes)),
            }
        }
        let state = result.state();
        let (storage, meta) = (&state.storage, &state.meta);
        let own = address(storage);
        let is_outside = written == WriteMode::InPlace
            && !region.ops.iter().any(|it| same(&it.storage, storage));
        let op = CompiledOp {
            name,
            work,
            elements: match work.kind {
                KernelKind::Reduction | KernelKind::ColumnParts | KernelKind::ColumnWalk { .. } => {
                    inputs.first().map_or(1, |it| it.meta().count())
                }
                KernelKind::Elementwise
                | KernelKind::Copy
                | KernelKind::Transpose
                | KernelKind::Norm
                | KernelKind::Indexed { .. }
                | KernelKind::Gemm(_)
                | KernelKind::Convolution(_)
                | KernelKind::Recurrent { .. }
                | KernelKind::Random { .. }
                | KernelKind::Radix { .. }
                | KernelKind::Attention(_)
                | KernelKind::MultiTensor { .. } => meta.count(),
            },
            reads,
            result: region.written(own),
            result_bytes: meta.bytes(),
            result_elements: meta.count(),
            is_kept: false,
        };
        region.seen += 1;
        region.ops.push(CollectedOp {
            op,
            storage: Rc::downgrade(storage),
            is_outside,
        });
    }

    /// Collects the launch of a batch of operations, such as those of an optimizer's step.
    pub(in crate::engine) fn collect_batch(&self, name: &'static str, work: Work) {
        let mut region = self.region.borrow_mut();
        let Some(region) = region.as_mut() else {
            return;
        };
        region.next += 1;
        let op = CompiledOp {
            name,
            work,
            elements: 0,
            reads: Vec::new(),
            result: region.next,
            result_bytes: 0,
            result_elements: 0,
            is_kept: true,
        };
        let storage = Weak::new();
        region.seen += 1;
        region.ops.push(CollectedOp {
            op,
            storage,
            is_outside: true,
        });
    }

    /// The host needs a value, or does something that the compiler does not follow: what was collected is launched, and the
    /// rest is compiled on its own.
    pub(crate) fn break_region(&self, why: &'static str) {
        if self.is_compiled() {
            self.pause_region(why);
            self.resume_region();
        }
    }

    /// A copy to the host, which the compiler follows: what was collected is launched before it, without a break.
    pub(crate) fn launch_before_copy(&self) {
        if self.is_compiled() {
            self.launch_collected(None);
            self.resume_region();
        }
    }

    /// Code that is not compiled begins within compiled code.
    pub(crate) fn pause_region(&self, why: &'static str) {
        self.launch_collected(Some((why, self.line())));
    }

    /// Launches what was collected, up to a break if there is one. Its region is paused.
    fn launch_collected(&self, broken: Option<(&'static str, u32)>) {
        let Some(mut region) = self.region.take() else {
            return;
        };
        let mut breaks = std::mem::take(&mut region.breaks);
        let is_new = broken.filter(|it| !breaks.contains(it));
        breaks.extend(is_new);
        let paused = Region {
            as_graph: region.as_graph,
            seen: region.seen,
            breaks,
            ..Region::default()
        };
        // Whatever is alive may be read later.
        self.launch_region(region, None);
        *self.paused_region.borrow_mut() = Some(paused);
    }

    /// Compiled code goes on after a break.
    pub(crate) fn resume_region(&self) {
        let Some(paused) = self.paused_region.take() else {
            return;
        };
        self.begin_region(paused.as_graph);
        if let Some(region) = self.region.borrow_mut().as_mut() {
            (region.breaks, region.seen) = (paused.breaks, paused.seen);
        }
    }
}

fn same(weak: &Weak<Storage>, storage: &Rc<Storage>) -> bool {
    weak.as_ptr() == Rc::as_ptr(storage)
}
