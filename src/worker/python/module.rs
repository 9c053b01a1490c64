//! `_warpup`: the native half of the torch-shaped module. `lib/` has the half that is written in Python
//! and gives everything its public name.

use rustpython_vm::pymodule;

pub(super) use _warpup::module_def;

#[pymodule]
#[expect(
    clippy::unwrap_used,
    reason = "the interpreter's macro unwraps what it has just made"
)]
mod _warpup {
    use crate::protocol::{Aim, Clock, Purpose};
    use crate::worker::device::EventId;
    use crate::worker::dtype::{self, DType};
    use crate::worker::ops::{Binary, Cat, Mask, MatMul};
    use crate::worker::python::context::{self, Classes};
    use crate::worker::python::convert::{self, checked, engine, wrapped};
    use crate::worker::python::create;
    use crate::worker::python::draw::{self, Spread};
    use crate::worker::python::functions;
    use crate::worker::python::gradients as back;
    use crate::worker::python::kinds::{PyDType, PyDevice};
    use crate::worker::python::methods;
    use crate::worker::python::tensor::PyTensor;
    use crate::worker::tensor::Tensor;
    use rustpython_vm::builtins::{PyBaseExceptionRef, PyStrRef, PyTypeRef};
    use rustpython_vm::class::PyClassImpl;
    use rustpython_vm::function::{FuncArgs, OptionalArg};
    use rustpython_vm::{PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine};

    #[pyattr(name = "Tensor")]
    fn tensor_class(vm: &VirtualMachine) -> PyTypeRef {
        let class = PyTensor::make_static_type();
        methods::install(vm);
        class
    }

    #[pyattr(name = "dtype")]
    fn dtype_class(_vm: &VirtualMachine) -> PyTypeRef {
        PyDType::make_static_type()
    }

    #[pyattr(name = "device")]
    fn device_class(_vm: &VirtualMachine) -> PyTypeRef {
        PyDevice::make_static_type()
    }

    /// The element types, by name.
    #[pyfunction]
    fn dtypes(vm: &VirtualMachine) -> PyObjectRef {
        let all = DType::ALL.iter().map(|it| {
            let pair = vec![
                vm.ctx.new_str(it.name()).into(),
                PyDType(*it).into_pyobject(vm),
            ];
            vm.ctx.new_tuple(pair).into()
        });
        vm.ctx.new_list(all.collect()).into()
    }

    /// Tells native code of the classes that are written in Python.
    #[pyfunction]
    fn register(
        size: PyObjectRef,
        out_of_memory: PyObjectRef,
        accelerator: PyObjectRef,
        values_indices: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        *context::current(vm)?.classes.borrow_mut() = Classes {
            size: Some(size),
            out_of_memory: Some(out_of_memory),
            accelerator: Some(accelerator),
            values_indices: Some(values_indices),
        };
        Ok(())
    }

    #[pyfunction]
    fn tensor(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::tensor(args, vm)
    }

    #[pyfunction]
    fn zeros(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::filled(args, "zeros", 0.0, vm)
    }

    #[pyfunction]
    fn ones(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::filled(args, "ones", 1.0, vm)
    }

    /// Memory as it is has no counterpart here; zeros are as good as any.
    #[pyfunction]
    fn empty(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::filled(args, "empty", 0.0, vm)
    }

    #[pyfunction]
    fn full(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::full(args, vm)
    }

    #[pyfunction]
    fn zeros_like(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::filled_like(args, "zeros_like", 0.0, vm)
    }

    #[pyfunction]
    fn ones_like(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::filled_like(args, "ones_like", 1.0, vm)
    }

    #[pyfunction]
    fn empty_like(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::filled_like(args, "empty_like", 0.0, vm)
    }

    #[pyfunction]
    fn arange(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::arange(args, vm)
    }

    #[pyfunction]
    fn linspace(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::linspace(args, vm)
    }

    #[pyfunction]
    fn eye(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        create::eye(args, vm)
    }

    #[pyfunction]
    fn rand(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        draw::random(args, Spread::Uniform, vm)
    }

    #[pyfunction]
    fn randn(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        draw::random(args, Spread::Normal, vm)
    }

    #[pyfunction]
    fn rand_like(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        draw::random_like(args, Spread::Uniform, vm)
    }

    #[pyfunction]
    fn randn_like(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        draw::random_like(args, Spread::Normal, vm)
    }

    #[pyfunction]
    fn randint(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        draw::randint(args, vm)
    }

    #[pyfunction]
    fn randperm(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        draw::randperm(args, vm)
    }

    /// Starts a stream of random values again: that of the run, or that of a generator.
    #[pyfunction]
    fn seed(seed: i64, stream: OptionalArg<usize>, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        let mut random = context.random.borrow_mut();
        random.restart(stream.unwrap_or(0), seed.cast_unsigned());
        Ok(())
    }

    /// One more stream of random values; gives its number.
    #[pyfunction]
    fn open_generator(seed: i64, vm: &VirtualMachine) -> PyResult<usize> {
        let context = context::current(vm)?;
        let number = context.random.borrow_mut().open(seed.cast_unsigned());
        Ok(number)
    }

    /// Where tensors are made that say no place, unless a block says otherwise.
    #[pyfunction]
    fn set_default_device(device: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let place = convert::place(Some(&device), vm)?;
        let context = context::current(vm)?;
        let mut places = context.places.borrow_mut();
        places.clear();
        places.extend(place);
        Ok(())
    }

    #[pyfunction]
    fn get_default_device(vm: &VirtualMachine) -> PyResult<PyDevice> {
        Ok(PyDevice::of(context::current(vm)?.place()))
    }

    #[pyfunction]
    fn set_default_float(dtype: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let dtype = convert::dtype(Some(&dtype), vm)?;
        let Some(dtype) = dtype.filter(|it| it.is_float()) else {
            return Err(
                vm.new_type_error("only floating-point types are supported as the default type")
            );
        };
        dtype::set_default_float(dtype);
        Ok(())
    }

    #[pyfunction]
    fn default_float() -> PyDType {
        PyDType(dtype::default_float())
    }

    #[pyfunction]
    fn matmul(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let (a, b) = (convert::tensor(&a, vm)?, convert::tensor(&b, vm)?);
        wrapped(engine(vm)?.apply(MatMul::MatMul, &[&a, &b]), vm)
    }

    #[pyfunction]
    fn maximum(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let (a, b) = (convert::tensor(&a, vm)?, convert::tensor(&b, vm)?);
        wrapped(engine(vm)?.binary(Binary::Maximum, &a, &b), vm)
    }

    #[pyfunction]
    fn minimum(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let (a, b) = (convert::tensor(&a, vm)?, convert::tensor(&b, vm)?);
        wrapped(engine(vm)?.binary(Binary::Minimum, &a, &b), vm)
    }

    #[pyfunction]
    fn cat(tensors: PyObjectRef, dim: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        let Some(items) = convert::items(&tensors) else {
            return Err(vm.new_type_error("cat() takes a list or tuple of tensors"));
        };
        let parts: Vec<_> = items
            .iter()
            .map(|it| convert::tensor(it, vm))
            .collect::<PyResult<_>>()?;
        let rank = parts.first().map_or(0, Tensor::rank);
        if parts.iter().any(|it| it.rank() == 0) {
            return Err(vm.new_runtime_error(
                "zero-dimensional tensor (at position 0) cannot be concatenated",
            ));
        }
        let dim = match dim.present() {
            Some(dim) => convert::dim(&dim, rank, vm)?,
            None => 0,
        };
        wrapped(
            engine(vm)?.apply(Cat(dim), &parts.iter().collect::<Vec<_>>()),
            vm,
        )
    }

    /// `torch.where(condition, a, b)`; numbers become tensors beside the condition.
    #[pyfunction(name = "where")]
    fn where_(
        condition: PyObjectRef,
        a: PyObjectRef,
        b: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult {
        let condition = convert::tensor(&condition, vm)?;
        let side = |it: &PyObjectRef| match convert::number(it, vm) {
            Some((number, kind)) => {
                let dtype = crate::worker::engine::default_dtype(kind);
                let meta = crate::worker::meta::Meta::new(vec![], dtype);
                checked(engine(vm)?.full(meta, condition.place(), number), vm)
            }
            None => convert::tensor(it, vm),
        };
        let (a, b) = (side(&a)?, side(&b)?);
        wrapped(engine(vm)?.apply(Mask::Where, &[&condition, &a, &b]), vm)
    }

    /// The methods that the table of operations names.
    #[pyfunction]
    fn methods_of_table(vm: &VirtualMachine) -> PyObjectRef {
        let names = functions::methods_of_table();
        let names = names.map(|it| vm.ctx.new_str(it).into());
        vm.ctx.new_list(names.collect()).into()
    }

    /// A function that does what the method of its name does.
    #[pyfunction]
    fn function(name: PyStrRef, vm: &VirtualMachine) -> PyObjectRef {
        functions::of_method(&name, vm)
    }

    /// Makes a function that is written in Python a method of tensors.
    #[pyfunction]
    fn add_method(name: PyStrRef, method: PyObjectRef, vm: &VirtualMachine) {
        functions::add_method(&name, method, vm);
    }

    /// Switches gradients on or off; says what they were.
    #[pyfunction]
    fn set_grad_enabled(enabled: bool, vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.set_grad_enabled(enabled))
    }

    #[pyfunction]
    fn is_grad_enabled(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.grad_enabled())
    }

    #[pyfunction]
    fn gradients(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        back::gradients(args, vm)
    }

    #[pyfunction]
    fn has_card(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.has_card())
    }

    /// Name, capability, memory, multiprocessors of the card.
    #[pyfunction]
    fn card(vm: &VirtualMachine) -> PyResult {
        let card = engine(vm)?.card().ok_or_else(|| no_card(vm))?;
        let (major, minor) = card.capability;
        let facts: Vec<PyObjectRef> = vec![
            vm.ctx.new_str(card.name).into(),
            vm.ctx.new_int(major).into(),
            vm.ctx.new_int(minor).into(),
            vm.ctx.new_int(card.memory).into(),
            vm.ctx.new_int(card.multiprocessors).into(),
        ];
        Ok(vm.ctx.new_tuple(facts).into())
    }

    /// Live, reserved, most live, most reserved, free on the card; in bytes.
    #[pyfunction]
    fn memory(vm: &VirtualMachine) -> PyResult<(u64, u64, u64, u64, u64)> {
        let card = engine(vm)?.card().ok_or_else(|| no_card(vm))?;
        let it = card.counts;
        Ok((
            it.live,
            it.reserved,
            it.peak_live,
            it.peak_reserved,
            card.free,
        ))
    }

    #[pyfunction]
    fn needs_card(vm: &VirtualMachine) -> PyResult<()> {
        if engine(vm)?.has_card() {
            Ok(())
        } else {
            Err(no_card(vm))
        }
    }

    fn no_card(vm: &VirtualMachine) -> PyBaseExceptionRef {
        vm.new_runtime_error(
            "Found no NVIDIA driver on your system: this run is on the CPU, as on a laptop without a card. Choose a modelled card to go on (d in the lab, or --device model:t4)",
        )
    }

    #[pyfunction]
    fn reset_peaks(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.reset_peaks();
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

    /// A mark behind everything queued so far.
    #[pyfunction]
    fn event(vm: &VirtualMachine) -> PyResult<u64> {
        needs_card(vm)?;
        Ok(checked(engine(vm)?.event(), vm)?.0)
    }

    /// Whether everything before a mark is done.
    #[pyfunction]
    fn reached(mark: u64, vm: &VirtualMachine) -> PyResult<bool> {
        checked(engine(vm)?.reached(EventId(mark)), vm)
    }

    /// The card's time between two marks, in nanoseconds.
    #[pyfunction]
    fn between(from: u64, to: u64, vm: &VirtualMachine) -> PyResult<f64> {
        checked(engine(vm)?.between(EventId(from), EventId(to)), vm)
    }

    #[pyfunction]
    fn open_stream(vm: &VirtualMachine) -> PyResult<u32> {
        needs_card(vm)?;
        Ok(engine(vm)?.open_stream())
    }

    #[pyfunction]
    fn choose_stream(stream: u32, vm: &VirtualMachine) -> PyResult<u32> {
        Ok(engine(vm)?.choose_stream(stream))
    }

    #[pyfunction]
    fn stream_waits(mark: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.stream_waits(EventId(mark));
        Ok(())
    }

    #[pyfunction]
    fn wait_until(mark: u64, vm: &VirtualMachine) -> PyResult<()> {
        checked(engine(vm)?.wait_until(EventId(mark)), vm)
    }

    /// How many threads work on the CPU.
    #[pyfunction]
    fn threads() -> usize {
        candle_core::utils::get_num_threads()
    }

    /// The host's clock, in nanoseconds.
    #[pyfunction]
    fn now(vm: &VirtualMachine) -> PyResult<u64> {
        Ok(engine(vm)?.now())
    }

    #[pyfunction]
    fn sleep(seconds: f64, vm: &VirtualMachine) -> PyResult<()> {
        if seconds.is_nan() || seconds < 0.0 {
            return Err(vm.new_value_error("sleep length must be non-negative"));
        }
        engine(vm)?.sleep((seconds * 1e9) as u64);
        Ok(())
    }

    #[pyfunction]
    fn is_modelled(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.clock() == Clock::Modelled)
    }

    /// Says what a tensor is held for: an optimizer keeps it.
    #[pyfunction]
    fn keep_for_optimizer(state: PyRef<PyTensor>) {
        let tensor = state.tensor().state();
        tensor.storage.charge.hold_for(Purpose::OptimizerState);
    }

    #[pyfunction]
    fn is_plan(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(context::current(vm)?.aim == Aim::Plan)
    }

    /// What `sys.stdout.flush` does.
    #[pyfunction]
    fn flush(vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.reporter.flush();
        Ok(())
    }

    /// What `sys.stdout.write` does.
    #[pyfunction]
    fn write(text: String, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        context.reporter.print(&text).map_err(|_too_much| {
            vm.new_exception_msg(
                vm.ctx.exceptions.system_exit.to_owned(),
                "the program printed more than a run may".into(),
            )
        })
    }
}
