//! `_graphs`: the native functions of `torch.cuda.CUDAGraph`. Checks of arguments are in `lib/warpup/cuda/graphs.py`.

use super::generators::{Drawing, Generator};
use crate::engine::{CudaGraph, Engine};
use crate::kernels::philox::{self, DrawShift, Philox, Sample};
use crate::meta::Meta;
use candle_core::Device;
use rustpython_vm::pymodule;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) use _graphs::module_def;

/// The graphs of a run, by their numbers.
#[derive(Default)]
pub(super) struct Graphs {
    all: RefCell<BTreeMap<u32, Rc<CapturedGraph>>>,
    next: Cell<u32>,
    /// The generator of the card when the capture began.
    begun: Cell<Philox>,
}

/// A graph, and what a replay draws of the card's generator.
struct CapturedGraph {
    graph: CudaGraph,
    captured: Philox,
    numbers: u64,
}

/// The number of the card's own generator.
const CARD: usize = 1;

/// Lets a replay of the graph that is captured draw these values again, from where the generator is then.
pub(super) fn draw_again(engine: &Engine, drawing: &Drawing, sample: Sample, meta: &Meta) {
    let Drawing::Card(draws) = drawing else {
        return;
    };
    if !engine.is_capturing() {
        return;
    }
    let (draws, meta) = (draws.clone(), meta.clone());
    engine.draw_in_graph(Rc::new(move |moved: DrawShift| {
        let draws: Vec<_> = draws.iter().map(|it| moved.draw(*it)).collect();
        philox::values(sample, &draws, (&meta.shape, meta.dtype), &Device::Cpu)
    }));
}

#[pymodule]
mod _graphs {
    use super::{CARD, CapturedGraph, Generator};
    use crate::error::TorchError;
    use crate::kernels::philox::{DrawShift, Philox};
    use crate::python::context::{self, Context};
    use crate::python::convert::{checked, engine};
    use rustpython_vm::{PyResult, VirtualMachine};
    use std::rc::Rc;

    /// Whether a graph is captured.
    #[pyfunction]
    fn is_capturing(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.is_capturing())
    }

    /// A pool of memory that graphs can share.
    #[pyfunction]
    fn pool(vm: &VirtualMachine) -> PyResult<u32> {
        Ok(engine(vm)?.graph_pool())
    }

    /// Begins to capture, in a pool that is there or in a new one.
    #[pyfunction]
    fn begin(pool: Option<u32>, vm: &VirtualMachine) -> PyResult<()> {
        checked(engine(vm)?.begin_capture(pool), vm)?;
        let context = context::current(vm)?;
        let begun = generator(&context, |it| *it);
        context.graphs.begun.set(begun);
        Ok(())
    }

    /// Ends the capture; returns the number of the graph, and whether it has a kernel.
    #[pyfunction]
    fn end(vm: &VirtualMachine) -> PyResult<(u32, bool)> {
        let ended = engine(vm)?.end_capture();
        let context = context::current(vm)?;
        let captured = context.graphs.begun.get();
        // What was captured has drawn nothing.
        let used = generator(&context, |it| std::mem::replace(it, captured));
        let graph = checked(ended, vm)?;
        let number = context.graphs.next.get();
        context.graphs.next.set(number + 1);
        let is_empty = graph.is_empty();
        let captured = CapturedGraph {
            graph,
            captured,
            numbers: used.offset.wrapping_sub(captured.offset),
        };
        let mut all = context.graphs.all.borrow_mut();
        all.insert(number, Rc::new(captured));
        Ok((number, !is_empty))
    }

    /// Replays a graph; the generator of the card moves on by what it draws.
    #[pyfunction]
    fn replay(number: u32, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        let found = context.graphs.all.borrow().get(&number).cloned();
        let Some(it) = found else {
            let text = "Called CUDAGraph::replay without a preceding successful capture.";
            return checked(Err(TorchError::runtime(text)), vm);
        };
        let now = generator(&context, |own| {
            let now = *own;
            own.offset = own.offset.wrapping_add(it.numbers);
            now
        });
        let moved = DrawShift {
            captured: it.captured,
            now,
        };
        checked(engine(vm)?.replay_graph(&it.graph, moved), vm)
    }

    /// The pool of a graph.
    #[pyfunction]
    fn pool_of(number: u32, vm: &VirtualMachine) -> PyResult<u32> {
        let context = context::current(vm)?;
        let all = context.graphs.all.borrow();
        Ok(all.get(&number).map_or(0, |it| it.graph.pool()))
    }

    /// The program no longer has a graph.
    #[pyfunction]
    fn forget(number: u32, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        let gone = context.graphs.all.borrow_mut().remove(&number);
        if let Some(gone) = gone {
            context.engine.drop_graph(&gone.graph);
        }
        Ok(())
    }

    /// Looks at the generator of the card, or changes it.
    fn generator(context: &Context, look: impl FnOnce(&mut Philox) -> Philox) -> Philox {
        match context.generators.borrow_mut().get(CARD) {
            Some(Generator::Card(philox)) => look(philox),
            Some(Generator::Cpu(_)) | None => Philox::default(),
        }
    }
}
