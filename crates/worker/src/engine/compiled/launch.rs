//! The end of compiled code: what has to be in memory, and the launch of its kernels.

use super::fusion::{CompiledKernel, CompiledOp, ValueId, fuse, is_generated};
use super::region::{CollectedOp, Recomputation, Region, RegionEnd, address};
use crate::device::TensorDevice;
use crate::engine::state::Engine;
use crate::meta::Cost;
use crate::tensor::{Storage, Tensor};
use crate::trace::{Activity, SpanName};
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};
use warpup_protocol::{Lane, Purpose, Span};

impl Engine {
    /// The compiled code returns these tensors. The first call of a kind also compiles it: so many times as many operations
    /// as there are, since backward is compiled with it.
    pub(crate) fn end_region(&self, outputs: &[Tensor], compiles: u64) -> RegionEnd {
        let Some(region) = self.region.take() else {
            return RegionEnd::default();
        };
        let operations = region.seen;
        let breaks = region.breaks.clone();
        let call = {
            let mut device = self.backend.borrow_mut();
            device.graphs().map(|it| {
                it.set_compiled(false);
                let when = (compiles > 0).then(|| it.compile(operations * compiles));
                it.call_compiled();
                when
            })
        };
        if let Some(when) = call.flatten() {
            let activity = Activity {
                lane: Lane::Host,
                name: Span::COMPILE.into(),
                cost: Cost::default(),
            };
            let mut recorder = self.recorder.borrow_mut();
            recorder.record(activity, when);
            let line = recorder.line_and_hits();
            self.facts.borrow_mut().compiled(line, when);
        }
        let kernels = self.launch_region(region, Some(outputs));
        RegionEnd {
            operations,
            kernels,
            breaks,
        }
    }

    /// Launches what was collected. Without outputs, everything that is alive is read after it.
    pub(super) fn launch_region(&self, region: Region, outputs: Option<&[Tensor]>) -> u64 {
        if let Some(graphs) = self.backend.borrow_mut().graphs() {
            graphs.set_compiled(false);
        }
        self.end_nodes(&region);
        let Region {
            mut ops,
            as_graph,
            outside,
            ..
        } = region;
        self.decide_what_is_kept(&mut ops, outside, outputs);
        let kept = ops.iter().filter(|it| it.op.is_kept);
        let kept: Vec<Weak<Storage>> = kept.map(|it| it.storage.clone()).collect();
        let ops: Vec<CompiledOp> = ops.into_iter().map(|it| it.op).collect();
        let kernels = fuse(&ops);
        if as_graph && !self.is_capturing() {
            self.launch_compiled_graph(&kernels);
        } else {
            for kernel in &kernels {
                self.launch_compiled(kernel);
            }
        }
        for memory in kept.iter().filter_map(Weak::upgrade) {
            self.queued_compiled(&memory);
        }
        kernels.len() as u64
    }

    /// Marks what is read later, gives it memory, and remembers what backward computes again.
    fn decide_what_is_kept(
        &self,
        ops: &mut [CollectedOp],
        outside: HashMap<ValueId, (u64, Weak<Storage>)>,
        outputs: Option<&[Tensor]>,
    ) {
        let returned: Option<HashSet<u64>> = outputs.map(|all| {
            let addresses = all.iter().map(|it| address(&it.state().storage));
            addresses.collect()
        });
        // The last write is what is in the memory at the end.
        let last: HashMap<*const Storage, ValueId> = ops
            .iter()
            .map(|it| (it.storage.as_ptr(), it.op.result))
            .collect();
        let mut recomputed = self.recomputed.borrow_mut();
        recomputed.retain(|_, it| it.storage.strong_count() > 0);
        let mut from = Sources::new(outside);
        for collected in ops.iter_mut() {
            let op = &mut collected.op;
            let generated = is_generated(op.work.kind);
            // A sum is kept: to compute it again takes all that was summed.
            let is_cheap = generated && !collected.is_outside && op.result_elements == op.elements;
            let sources = is_cheap.then(|| from.of(op)).flatten();
            let is_last = last.get(&collected.storage.as_ptr()) == Some(&op.result);
            let alive = collected.storage.upgrade().filter(|_| is_last);
            let Some(storage) = alive else {
                if let Some(sources) = sources {
                    from.of_value.insert(op.result, sources);
                }
                continue;
            };
            let own = address(&storage);
            let is_saved = storage.charge.purpose() == Purpose::Activations;
            let is_returned = returned.as_ref().is_none_or(|it| it.contains(&own));
            match sources.filter(|_| is_saved && !is_returned) {
                Some(sources) => {
                    from.of_value.insert(op.result, sources.clone());
                    let storage = collected.storage.clone();
                    let again = Recomputation {
                        storage,
                        from: sources,
                    };
                    recomputed.insert(own, again);
                }
                None => {
                    op.is_kept = true;
                    from.in_memory
                        .insert(op.result, (own, collected.storage.clone()));
                    if generated {
                        self.put_in_memory(&storage, op.result_bytes);
                    }
                }
            }
        }
    }

    /// Gives a result memory that had none while it could have stayed in registers.
    fn put_in_memory(&self, storage: &Rc<Storage>, bytes: u64) {
        if storage.charge.bytes() > 0 {
            return;
        }
        // An allocation that fails does so at the next one: the values are there.
        if let Ok(charge) = self.charge(TensorDevice::Card(0), bytes) {
            storage.charge.take_over(&charge);
        }
    }

    fn launch_compiled(&self, kernel: &CompiledKernel) {
        let times = {
            let mut device = self.backend.borrow_mut();
            device.graphs().map(|it| it.launch_compiled(kernel.work))
        };
        if let Some(timing) = times {
            let name = SpanName::Launch(kernel.name.as_str().into());
            self.record(name, Lane::Kernel, timing, kernel.work.cost);
        }
    }

    /// `mode="reduce-overhead"`: the kernels are a CUDA graph.
    fn launch_compiled_graph(&self, kernels: &[CompiledKernel]) {
        let works: Vec<_> = kernels.iter().map(|it| it.work).collect();
        let times = {
            let mut device = self.backend.borrow_mut();
            device.graphs().map(|it| it.launch_graph(&works))
        };
        let named = kernels.iter().map(|it| {
            let name = SpanName::Launch(it.name.as_str().into());
            (name, it.work.cost)
        });
        if let Some((host, when)) = times {
            self.record_graph(host, named.zip(when));
        }
    }
}

/// What values can be computed from again: memory that is still there, by address, with the bytes that are read of it.
struct Sources {
    in_memory: HashMap<ValueId, (u64, Weak<Storage>)>,
    of_value: HashMap<ValueId, Vec<(u64, u64)>>,
}

impl Sources {
    fn new(in_memory: HashMap<ValueId, (u64, Weak<Storage>)>) -> Self {
        Self {
            in_memory,
            of_value: HashMap::new(),
        }
    }

    /// What the result of an operation is computed from; nothing if some of it is gone.
    fn of(&self, op: &CompiledOp) -> Option<Vec<(u64, u64)>> {
        let mut all: Vec<(u64, u64)> = Vec::new();
        for (id, bytes) in &op.reads {
            let own = match (self.of_value.get(id), self.in_memory.get(id)) {
                (Some(sources), _) => sources.clone(),
                (None, Some((address, storage))) if storage.strong_count() > 0 => {
                    vec![(*address, *bytes)]
                }
                (None, _) => return None,
            };
            for source in own {
                if !all.contains(&source) {
                    all.push(source);
                }
            }
        }
        Some(all)
    }
}
