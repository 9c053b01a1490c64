//! `_warpup`: the native functions and classes of `torch`. The public names are in `lib/warpup`, in Python.

use rustpython_vm::pymodule;

pub(super) use _warpup::module_def;

#[pymodule]
#[expect(
    clippy::unwrap_used,
    reason = "the interpreter's macro unwraps what it has just made"
)]
mod _warpup {
    use crate::device::HostCall;
    use crate::dtype::{self, DType};
    use crate::engine::{ForeachMode, Launch, default_dtype};
    use crate::kernels::card::FusedKernel;
    use crate::meta::Meta;
    use crate::ops::{Cat, Mask, MatMul, View};
    use crate::python::callbacks;
    use crate::python::context::{self, Classes};
    use crate::python::convert::{self, apply, checked, engine};
    use crate::python::dtype_and_device::{PyDType, PyDevice};
    use crate::python::generators::Generator;
    use crate::python::install::add_function;
    use crate::python::nodes::PyNode;
    use crate::python::tensor::PyTensor;
    use crate::python::{
        arguments, create, dtype_and_device, functions, gradients, methods, node_hooks, outputs,
        random_tensors, sizes,
    };
    use crate::tensor::{Tensor, print};
    use rustpython_vm::builtins::{PyModule, PyTypeRef};
    use rustpython_vm::class::PyClassImpl;
    use rustpython_vm::function::OptionalArg;
    use rustpython_vm::{AsObject, FromArgs, Py, PyObjectRef, PyRef, PyResult, VirtualMachine};
    use warpup_protocol::{Purpose, WaitCause};

    /// Fills the module: what the macro has found here, and the functions that make tensors.
    pub(crate) fn module_exec(vm: &VirtualMachine, module: &Py<PyModule>) -> PyResult<()> {
        __module_exec(vm, module);
        let item = vm.new_method("__getitem__", vm.ctx.types.tuple_type, sizes::item);
        module.set_attr("size_item", item, vm)?;
        create::install(module, vm)?;
        random_tensors::install(module, vm)?;
        add_function(module, "function", functions::of_method, vm)?;
        add_function(module, "add_method", functions::add_method, vm)?;
        add_function(module, "add_later", functions::add_later, vm)?;
        add_function(module, "add_attribute", functions::add_attribute, vm)?;
        add_function(module, "named", functions::named, vm)?;
        add_function(module, "bind", functions::bind, vm)?;
        add_function(module, "cat", cat, vm)?;
        add_function(module, "matmul", matmul, vm)?;
        add_function(module, "hook_of", callbacks::hook_of, vm)?;
        add_function(module, "set_hook", callbacks::set_hook, vm)?;
        add_function(module, "node_hook", node_hooks::hook_of, vm)?;
        add_function(module, "set_node_hook", node_hooks::set_hook, vm)?;
        add_function(module, "apply_function", callbacks::apply_function, vm)?;
        add_function(module, "save_for", callbacks::save, vm)?;
        add_function(module, "saved_by", callbacks::saved, vm)?;
        add_function(module, "begin_packing", callbacks::begin_packing, vm)?;
        add_function(module, "end_packing", callbacks::end_packing, vm)?;
        add_function(module, "backward", gradients::backward_of_all, vm)?;
        add_function(module, "gradients", gradients::gradients, vm)
    }

    #[pyattr(name = "Tensor")]
    fn tensor_class(vm: &VirtualMachine) -> PyTypeRef {
        let class = PyTensor::make_static_type();
        let module = vm.ctx.intern_str("torch");
        class.set_attr(vm.ctx.intern_str("__module__"), module.to_object());
        methods::install(vm);
        class
    }

    #[pyattr(name = "dtype")]
    fn dtype_class(_vm: &VirtualMachine) -> PyTypeRef {
        PyDType::make_static_type()
    }

    #[pyattr(name = "_Node")]
    fn node_class(_vm: &VirtualMachine) -> PyTypeRef {
        PyNode::make_static_type()
    }

    #[pyattr(name = "device")]
    fn device_class(_vm: &VirtualMachine) -> PyTypeRef {
        PyDevice::make_static_type()
    }

    /// Pairs of a name and a `torch.dtype`.
    #[pyfunction]
    fn dtypes(vm: &VirtualMachine) -> PyResult {
        let pair = |it: &DType| {
            Ok(vm
                .new_tuple((it.name(), dtype_and_device::dtype(*it, vm)?))
                .into())
        };
        let all: PyResult<Vec<PyObjectRef>> = DType::ALL.iter().map(pair).collect();
        Ok(vm.ctx.new_list(all?).into())
    }

    /// Registers the classes that are written in Python and instantiated by native code.
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
            out_of_memory: out_of_memory.downcast().ok(),
            accelerator: accelerator.downcast().ok(),
            values_indices: Some(values_indices),
            ..Classes::default()
        };
        Ok(())
    }

    /// Seeds a generator: 0 is that of the CPU, 1 that of the card.
    #[pyfunction]
    fn seed(seed: i64, number: usize, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        if number == 0 {
            context.engine.count_seed(seed);
        }
        let mut generators = context.generators.borrow_mut();
        generators.seed(number, seed.cast_unsigned());
        Ok(())
    }

    /// Makes a generator; returns its number.
    #[pyfunction]
    fn open_generator(seed: i64, on_card: bool, vm: &VirtualMachine) -> PyResult<usize> {
        let context = context::current(vm)?;
        let mut generators = context.generators.borrow_mut();
        Ok(generators.open(seed.cast_unsigned(), on_card))
    }

    /// Copies the state of a generator into another, whose number it returns.
    #[pyfunction]
    fn copy_generator(from: usize, to: usize, vm: &VirtualMachine) -> PyResult<usize> {
        context::current(vm)?.generators.borrow_mut().copy(from, to);
        Ok(to)
    }

    /// Exchanges two generators.
    #[pyfunction]
    fn swap_generators(one: usize, other: usize, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?
            .generators
            .borrow_mut()
            .swap(one, other);
        Ok(())
    }

    /// Seed and offset of a generator of the card.
    #[pyfunction]
    fn card_generator(number: usize, vm: &VirtualMachine) -> PyResult<(u64, u64)> {
        let context = context::current(vm)?;
        let mut generators = context.generators.borrow_mut();
        Ok(match generators.get(number) {
            Some(Generator::Card(philox)) => (philox.seed, philox.offset),
            Some(Generator::Cpu(_)) | None => (0, 0),
        })
    }

    /// Gives a generator of the card this seed and offset.
    #[pyfunction]
    fn set_card_generator(
        number: usize,
        seed: u64,
        offset: u64,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        let context = context::current(vm)?;
        let mut generators = context.generators.borrow_mut();
        if let Some(Generator::Card(philox)) = generators.get(number) {
            (philox.seed, philox.offset) = (seed, offset);
        }
        Ok(())
    }

    #[derive(FromArgs)]
    struct PrintArgs {
        precision: usize,
        threshold: u64,
        edge: usize,
        line_width: usize,
        scientific: Option<bool>,
    }

    /// `torch.set_printoptions`, with everything given.
    #[pyfunction]
    fn print_options(args: PrintArgs, vm: &VirtualMachine) -> PyResult<()> {
        let options = print::Options {
            precision: args.precision.min(60),
            threshold: args.threshold,
            edge: args.edge,
            line_width: args.line_width,
            scientific: args.scientific,
        };
        context::current(vm)?.print_options.set(options);
        Ok(())
    }

    /// `torch.set_default_device`
    #[pyfunction]
    fn set_default_device(device: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let device = arguments::device(Some(&device), vm)?;
        let context = context::current(vm)?;
        let mut devices = context.devices.borrow_mut();
        devices.clear();
        devices.extend(device);
        Ok(())
    }

    #[pyfunction]
    fn get_default_device(vm: &VirtualMachine) -> PyResult<PyDevice> {
        Ok(PyDevice::of(context::current(vm)?.device()))
    }

    #[pyfunction]
    fn set_default_float(dtype: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let dtype = arguments::dtype(Some(&dtype), vm)?;
        let Some(dtype) = dtype.filter(|it| it.is_float()) else {
            return Err(
                vm.new_type_error("only floating-point types are supported as the default type")
            );
        };
        dtype::set_default_float(dtype);
        Ok(())
    }

    #[pyfunction]
    fn default_float(vm: &VirtualMachine) -> PyResult {
        dtype_and_device::dtype(dtype::default_float(), vm)
    }

    fn cat(tensors: PyObjectRef, dim: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        if convert::items(&tensors).is_none() {
            return Err(vm.new_type_error("cat() takes a list or tuple of tensors"));
        }
        let parts = convert::tensors(&tensors, vm)?;
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
        apply(Cat(dim), &parts.iter().collect::<Vec<_>>(), vm)
    }

    fn matmul(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        for (at, (name, it)) in [("input", &a), ("other", &b)].into_iter().enumerate() {
            if it.downcast_ref::<PyTensor>().is_none() {
                return Err(vm.new_type_error(format!(
                    "matmul(): argument '{name}' (position {}) must be Tensor, not {}",
                    at + 1,
                    it.class().name()
                )));
            }
        }
        let (a, b) = (convert::tensor(&a, vm)?, convert::tensor(&b, vm)?);
        apply(MatMul::MatMul, &[&a, &b], vm)
    }

    /// `torch.where(condition, a, b)`; numbers become tensors on the condition's device.
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
                let meta = Meta::new(vec![], default_dtype(kind));
                checked(engine(vm)?.full(meta, condition.device(), number), vm)
            }
            None => convert::tensor(it, vm),
        };
        let (a, b) = (side(&a)?, side(&b)?);
        apply(Mask::Where, &[&condition, &a, &b], vm)
    }

    /// The names of the methods in the table of operations.
    #[pyfunction]
    fn methods_of_table(vm: &VirtualMachine) -> PyObjectRef {
        let names = outputs::methods_of_table();
        let names = names.map(|it| vm.ctx.new_str(it).into());
        vm.ctx.new_list(names.collect()).into()
    }

    /// The functions that are written in Python and registered where they stand: modules with the names of functions and
    /// of methods.
    #[pyfunction]
    fn registered(vm: &VirtualMachine) -> PyObjectRef {
        let text = |it: &str| PyObjectRef::from(vm.ctx.new_str(it));
        let rows = warpup_python::REGISTERED.iter();
        let rows = rows.map(|(module, functions, methods)| {
            let row = [*module, *functions, *methods];
            vm.ctx.new_tuple(row.map(text).to_vec()).into()
        });
        vm.ctx.new_list(rows.collect()).into()
    }

    /// Switches the recording of gradients on or off; returns the previous state.
    #[pyfunction]
    fn set_grad_enabled(enabled: bool, vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.set_grad_enabled(enabled))
    }

    /// Enters or leaves `torch.inference_mode`; returns whether it was on.
    #[pyfunction]
    fn set_inference_mode(enabled: bool, vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.set_inference_mode(enabled))
    }

    #[pyfunction]
    fn is_inference_mode_enabled(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.inference_mode())
    }

    #[pyfunction]
    fn is_inference(input: PyRef<PyTensor>) -> bool {
        input.tensor().is_inference()
    }

    #[pyfunction]
    fn is_grad_enabled(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.grad_enabled())
    }

    /// The tensors with a dimension more, for `torch.stack`, which makes their views inside of its one call.
    #[pyfunction]
    fn unsqueezed(tensors: PyObjectRef, dim: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let tensors = convert::tensors(&tensors, vm)?;
        let views = engine(vm)?.in_one_call(|| -> PyResult<Vec<PyObjectRef>> {
            let each = tensors.iter().map(|it| {
                let mut shape = it.shape();
                let at = convert::dim(&dim, shape.len() + 1, vm)?;
                shape.insert(at, 1);
                apply(View::Reshape(shape), &[it], vm)
            });
            each.collect()
        })?;
        Ok(vm.ctx.new_list(views).into())
    }

    /// A module is called, which takes host time on a modelled card, as do the next three.
    #[pyfunction]
    fn module_called(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.call_on_host(HostCall::Module);
        Ok(())
    }

    /// The optimizer with this `id()` takes a step of so many parameters.
    #[pyfunction]
    fn optimizer_stepped(optimizer: usize, parameters: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.call_on_host(HostCall::OptimizerStep {
            optimizer,
            parameters,
        });
        Ok(())
    }

    /// An optimizer forgets the gradients of so many parameters.
    #[pyfunction]
    fn gradients_zeroed(parameters: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.call_on_host(HostCall::ZeroGrad { parameters });
        Ok(())
    }

    /// The operations that follow are launched together, as `torch._foreach_*` or, if fused, as one `torch._fused_*`.
    #[pyfunction]
    fn begin_together(fused: bool, vm: &VirtualMachine) -> PyResult<()> {
        let how = if fused {
            ForeachMode::Fused
        } else {
            ForeachMode::Foreach
        };
        engine(vm)?.begin_together(how);
        Ok(())
    }

    /// Launches them, under PyTorch's name, over so many lists of tensors, of which this is one.
    #[pyfunction]
    fn end_together(
        name: String,
        lists: usize,
        tensors: PyObjectRef,
        bytes: Option<u64>,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        let tensors = convert::tensors(&tensors, vm)?;
        let sizes: Vec<u64> = tensors.iter().map(|it| it.meta().count()).collect();
        let launch = Launch {
            name: name.into(),
            lists,
            sizes: &sizes,
            bytes,
        };
        checked(engine(vm)?.end_together(&launch), vm)
    }

    /// The step of an optimizer by one kernel of a real card; gives whether it has one for these tensors. The last two of
    /// the constants are flags; each parameter has two numbers.
    #[pyfunction]
    fn fused_step(
        name: String,
        lists: PyObjectRef,
        numbers: Vec<f64>,
        constants: Vec<f64>,
        vm: &VirtualMachine,
    ) -> PyResult<bool> {
        let lists = convert::items(&lists).unwrap_or_default();
        let lists = lists.iter().map(|it| convert::tensors(it, vm));
        let lists = lists.collect::<PyResult<Vec<_>>>()?;
        let (numbers, _) = numbers.as_chunks::<2>();
        let (constants, flags) = constants.split_at(constants.len().saturating_sub(2));
        let flags: Vec<bool> = flags.iter().map(|it| *it != 0.0).collect();
        let kernel = FusedKernel {
            name: if name.contains("sgd") { "sgd" } else { "adam" },
            constants,
            flags: &flags,
        };
        let taken = engine(vm)?.fused_step(&name, kernel, &lists, numbers);
        checked(taken, vm)
    }

    /// What a comparison of tensors says, for which the host waits.
    #[pyfunction]
    fn compared(result: PyRef<PyTensor>, vm: &VirtualMachine) -> PyResult<bool> {
        Ok(result.only_for(WaitCause::Compare, vm)? != 0.0)
    }

    /// Whether what a distribution checks holds, for which the host waits. What was not computed is no mistake.
    #[pyfunction]
    fn may_hold(checked_values: PyRef<PyTensor>, vm: &VirtualMachine) -> PyResult<bool> {
        let read = engine(vm)?.read_flag(checked_values.tensor(), WaitCause::Branch);
        Ok(checked(read, vm)?.unwrap_or(true))
    }

    /// Counts the memory of a tensor as optimizer state.
    #[pyfunction]
    fn keep_for_optimizer(state: PyRef<PyTensor>) {
        let tensor = state.tensor().state();
        tensor.storage.charge.hold_for(Purpose::OptimizerState);
    }
}
