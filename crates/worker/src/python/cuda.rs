//! `_cuda`: the native functions of `torch.cuda`. Names, defaults and checks of arguments are in `lib/warpup/cuda`.

use rustpython_vm::pymodule;

pub(super) use _cuda::module_def;

#[pymodule]
mod _cuda {
    use crate::device::{EventId, SegmentState, TensorDevice};
    use crate::error::TorchError;
    use crate::meta::BlasLibrary;
    use crate::python::context;
    use crate::python::convert::{self, checked, engine};
    use crate::python::environment::MODELLED_UUID;
    use rustpython_vm::{PyResult, VirtualMachine};
    use warpup_protocol::{Clock, Lane, Span, WaitCause};

    /// Whether the run has a card, which the program may not see.
    #[pyfunction]
    fn run_has_card(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.has_card())
    }

    #[pyfunction]
    fn has_card(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(context::current(vm)?.has_card())
    }

    /// A variable of the program's environment has this value from now on, or none.
    #[pyfunction]
    fn set_variable(name: String, value: Option<String>, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.set_variable(&name, value.as_deref());
        Ok(())
    }

    /// The UUID of the card, where it is known.
    #[pyfunction]
    fn uuid(vm: &VirtualMachine) -> PyResult<Option<&'static str>> {
        Ok(is_modelled(vm)?.then_some(MODELLED_UUID))
    }

    /// Name, major and minor compute capability, memory in bytes, number of multiprocessors and of threads on each.
    #[pyfunction]
    fn card(vm: &VirtualMachine) -> PyResult {
        let it = engine(vm)?.card().ok_or_else(|| convert::no_card(vm))?;
        let (major, minor) = it.capability;
        let facts = (
            it.name,
            major,
            minor,
            it.memory,
            it.multiprocessors,
            it.threads_per_multiprocessor,
        );
        Ok(vm.new_tuple(facts).into())
    }

    #[pyfunction]
    fn is_modelled(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.clock() == Clock::Modelled)
    }

    /// `torch.profiler` begins to record; the answer goes to `end_profile`.
    #[pyfunction]
    fn begin_profile(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.begin_profile())
    }

    /// What was recorded in so many steps: lane, name, start and end in nanoseconds, and floating point operations.
    #[pyfunction]
    fn end_profile(told_times: bool, steps: u64, vm: &VirtualMachine) -> PyResult {
        let spans = engine(vm)?.end_profile(told_times, steps);
        let facts = |it: Span| {
            let lane = Lane::OF_A_CARD.iter().position(|lane| *lane == it.lane);
            let fact = (lane.unwrap_or(0), it.name, it.start_ns, it.end_ns, it.flops);
            vm.new_tuple(fact).into()
        };
        Ok(vm
            .ctx
            .new_list(spans.into_iter().map(facts).collect())
            .into())
    }

    /// Bytes on the card: allocated, reserved, peak allocated, peak reserved, free.
    #[pyfunction]
    fn memory(vm: &VirtualMachine) -> PyResult<(u64, u64, u64, u64, u64)> {
        let card = engine(vm)?.card().ok_or_else(|| convert::no_card(vm))?;
        let it = card.counts;
        Ok((
            it.live,
            it.reserved,
            it.peak_live,
            it.peak_reserved,
            card.free,
        ))
    }

    fn library(is_lt: bool) -> BlasLibrary {
        if is_lt {
            BlasLibrary::CublasLt
        } else {
            BlasLibrary::Cublas
        }
    }

    /// The workspace belongs to the model. On a real card, candle's cuBLAS takes memory of its own.
    fn only_modelled(vm: &VirtualMachine) -> PyResult<()> {
        if is_modelled(vm)? {
            return Ok(());
        }
        let text = "torch.backends.cuda has a workspace on modelled cards only; the cuBLAS of a real one takes memory that warpup does not see";
        checked(Err(TorchError::missing(text)), vm)
    }

    /// Bytes that cuBLAS, or cuBLASLt, works in during a product.
    #[pyfunction]
    fn blas_workspace(is_lt: bool, vm: &VirtualMachine) -> PyResult<u64> {
        needs_card(vm)?;
        only_modelled(vm)?;
        let engine = engine(vm)?;
        let mut device = engine.device();
        let workspaces = device.blas_workspaces();
        Ok(workspaces.map_or(0, |it| it.bytes(library(is_lt))))
    }

    #[pyfunction]
    fn set_blas_workspace(is_lt: bool, bytes: u64, vm: &VirtualMachine) -> PyResult<()> {
        needs_card(vm)?;
        only_modelled(vm)?;
        if let Some(workspaces) = engine(vm)?.device().blas_workspaces() {
            workspaces.set(library(is_lt), bytes);
        }
        Ok(())
    }

    /// `torch._C._cuda_clearCublasWorkspaces`
    #[pyfunction]
    fn clear_workspaces(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.clear_workspaces();
        Ok(())
    }

    /// `torch.backends.cudnn.enabled` and `benchmark`, which change the memory of modelled cards.
    #[pyfunction]
    fn set_cudnn(enabled: bool, benchmark: bool, vm: &VirtualMachine) -> PyResult<()> {
        if let Some(cudnn) = engine(vm)?.device().cudnn_workspaces() {
            cudnn.set(enabled, benchmark);
        }
        Ok(())
    }

    #[pyfunction]
    fn needs_card(vm: &VirtualMachine) -> PyResult<()> {
        convert::usable(TensorDevice::Card(0), vm).map(drop)
    }

    /// The card of this number becomes the current one.
    #[pyfunction]
    fn use_card(number: u32, vm: &VirtualMachine) -> PyResult<()> {
        convert::usable(TensorDevice::Card(number), vm).map(drop)
    }

    #[pyfunction]
    fn reset_peaks(vm: &VirtualMachine) -> PyResult<()> {
        if let Some(memory) = engine(vm)?.device().cached_memory() {
            memory.reset_peaks();
        }
        Ok(())
    }

    /// The share of the card that the run may hold.
    #[pyfunction]
    fn set_memory_fraction(fraction: f64, vm: &VirtualMachine) -> PyResult<()> {
        needs_card(vm)?;
        if let Some(memory) = engine(vm)?.device().cached_memory() {
            memory.set_memory_fraction(fraction);
        }
        Ok(())
    }

    /// The segments of the caching allocator: whether small, its pool, whether expandable, its size, and its blocks as triples of offset,
    /// size and what was asked for, which a free one has not.
    #[pyfunction]
    fn snapshot(vm: &VirtualMachine) -> PyResult {
        needs_card(vm)?;
        let engine = engine(vm)?;
        let segments = engine.device().cached_memory().and_then(|it| it.snapshot());
        let Some(segments) = segments else {
            let text = "torch.cuda.memory_snapshot() is there on modelled cards only: the memory of a real one comes from the driver's pool, which does not say what is in it";
            return checked(Err(TorchError::missing(text)), vm);
        };
        let segment = |it: SegmentState| {
            let blocks = it.blocks.into_iter();
            let blocks = blocks.map(|it| vm.new_tuple((it.offset, it.size, it.requested)).into());
            let blocks = vm.ctx.new_list(blocks.collect());
            vm.new_tuple((it.small, it.pool, it.is_expandable, it.size, blocks))
                .into()
        };
        let segments = segments.into_iter().map(segment).collect();
        Ok(vm.ctx.new_list(segments).into())
    }

    /// `torch.use_deterministic_algorithms`
    #[pyfunction]
    fn set_deterministic(mode: bool, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.set_deterministic(mode);
        Ok(())
    }

    #[pyfunction]
    fn empty_cache(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.empty_cache();
        Ok(())
    }

    #[pyfunction]
    fn synchronize(vm: &VirtualMachine) -> PyResult<()> {
        needs_card(vm)?;
        checked(engine(vm)?.synchronize(), vm)
    }

    /// Records an event behind everything queued on the current stream; returns its number.
    #[pyfunction]
    fn event(vm: &VirtualMachine) -> PyResult<u64> {
        needs_card(vm)?;
        Ok(checked(engine(vm)?.event(), vm)?.0)
    }

    /// Whether everything before an event is done.
    #[pyfunction]
    fn reached(mark: u64, vm: &VirtualMachine) -> PyResult<bool> {
        checked(engine(vm)?.reached(EventId(mark)), vm)
    }

    /// The device time between two events, in nanoseconds.
    #[pyfunction]
    fn between(from: u64, to: u64, vm: &VirtualMachine) -> PyResult<f64> {
        let elapsed = engine(vm)?.device().elapsed_ns(EventId(from), EventId(to));
        checked(elapsed, vm)
    }

    #[pyfunction]
    fn open_stream(vm: &VirtualMachine) -> PyResult<u32> {
        needs_card(vm)?;
        Ok(engine(vm)?.open_stream())
    }

    #[pyfunction]
    fn choose_stream(stream: u32, vm: &VirtualMachine) -> PyResult<u32> {
        let engine = engine(vm)?;
        let mut device = engine.device();
        Ok(device.streams().map_or(0, |it| it.set_stream(stream)))
    }

    #[pyfunction]
    fn stream_waits(mark: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.wait_in_stream(EventId(mark));
        Ok(())
    }

    /// `Event.synchronize`.
    #[pyfunction]
    fn wait_until(mark: u64, vm: &VirtualMachine) -> PyResult<()> {
        checked(engine(vm)?.wait_until(EventId(mark), WaitCause::Event), vm)
    }

    /// `Stream.synchronize`, of a stream that has this event behind all its work.
    #[pyfunction]
    fn wait_for_stream(mark: u64, vm: &VirtualMachine) -> PyResult<()> {
        checked(engine(vm)?.wait_until(EventId(mark), WaitCause::Stream), vm)
    }
}
