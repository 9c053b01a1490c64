//! `_host`: printing, the clock and the CPU, for `sys`, `time` and the start of a run in `lib/`.

use rustpython_vm::pymodule;

pub(super) use _host::module_def;

#[pymodule]
mod _host {
    use crate::python::context;
    use crate::python::convert::{engine, whole};
    use crate::reporter::Reporter;
    use rustpython_vm::builtins::PyFloat;
    use rustpython_vm::function::OptionalArg;
    use rustpython_vm::{AsObject, FromArgs, PyObjectRef, PyResult, VirtualMachine};
    use warpup_protocol::{DataFile, ModuleFile, Standard};

    /// `torch.get_num_threads`
    #[pyfunction]
    fn threads() -> usize {
        candle_core::utils::get_num_threads()
    }

    /// The host clock of the run, in nanoseconds: measured, or virtual on a modelled card.
    #[pyfunction]
    fn now(vm: &VirtualMachine) -> PyResult<u64> {
        Ok(engine(vm)?.now())
    }

    /// The same, read by `time`. What the program itself reads is one of the times that it takes.
    #[pyfunction]
    fn clock(vm: &VirtualMachine) -> PyResult<u64> {
        let context = context::current(vm)?;
        // The frame above is that of the function in `time`.
        let caller = vm.current_frame().and_then(|it| it.f_back(vm));
        let name = context.program.name.as_str();
        let is_own = caller.is_some_and(|it| it.f_code().source_path().as_str() == name);
        Ok(if is_own {
            context.engine.read_clock()
        } else {
            context.engine.now()
        })
    }

    #[pyfunction]
    fn sleep(seconds: f64, vm: &VirtualMachine) -> PyResult<()> {
        if seconds.is_nan() || seconds < 0.0 {
            return Err(vm.new_value_error("sleep length must be non-negative"));
        }
        engine(vm)?.device().sleep((seconds * 1e9) as u64);
        Ok(())
    }

    /// The file name of the program, for `sys.argv`.
    #[pyfunction]
    fn program(vm: &VirtualMachine) -> PyResult<String> {
        Ok(context::current(vm)?.program.name.clone())
    }

    /// What follows it in `sys.argv`.
    #[pyfunction]
    fn arguments(vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        let arguments = &context::current(vm)?.program.arguments;
        let text = |it: &String| vm.ctx.new_str(it.as_str()).into();
        Ok(arguments.iter().map(text).collect())
    }

    /// The paths of the files beside the program, and what is in them.
    #[pyfunction]
    fn modules(vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        let modules = &context::current(vm)?.program.modules;
        let pair = |it: &ModuleFile| vm.new_tuple((it.path.as_str(), it.source.as_str())).into();
        Ok(modules.iter().map(pair).collect())
    }

    /// The text of the program.
    #[pyfunction]
    fn source(vm: &VirtualMachine) -> PyResult<String> {
        Ok(context::current(vm)?.program.source.clone())
    }

    /// The folder of the program, the working folder, the program's path and its text; nothing for a lab.
    #[pyfunction]
    fn place(vm: &VirtualMachine) -> PyResult {
        let context = context::current(vm)?;
        let program = &context.program;
        let Some(place) = &program.place else {
            return Ok(vm.ctx.none());
        };
        let (folder, working) = (place.folder.as_str(), place.working.as_str());
        Ok(vm
            .new_tuple((folder, working, program.path(), program.source.as_str()))
            .into())
    }

    /// The variables of the shell that the program sees, as pairs.
    #[pyfunction]
    fn environment(vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        let context = context::current(vm)?;
        let all = context.program.place.iter().flat_map(|it| &it.environment);
        let pair = |(name, value): (&String, &String)| {
            vm.new_tuple((name.as_str(), value.as_str())).into()
        };
        Ok(all.map(pair).collect())
    }

    /// The paths of the text files that the program may read, and what is in them.
    #[pyfunction]
    fn data(vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        let context = context::current(vm)?;
        let files = context.program.place.iter().flat_map(|it| &it.files);
        let pair = |it: &DataFile| vm.new_tuple((it.path.as_str(), it.text.as_str())).into();
        Ok(files.map(pair).collect())
    }

    /// Tells the learner what the run does otherwise than PyTorch; the same words once.
    #[pyfunction]
    fn note(text: String, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.reporter.note(text);
        Ok(())
    }

    #[derive(FromArgs)]
    struct RoundArgs {
        number: PyObjectRef,
        #[pyarg(any, optional)]
        ndigits: OptionalArg<PyObjectRef>,
    }

    /// `round`. RustPython rounds a product, which is not exact: `round(2.675, 2)` would be 2.68.
    #[pyfunction]
    fn round(args: RoundArgs, vm: &VirtualMachine) -> PyResult {
        let RoundArgs { number, ndigits } = args;
        let digits = ndigits.present().filter(|it| !vm.is_none(it));
        if let (Some(float), Some(digits)) = (number.downcast_ref_if_exact::<PyFloat>(vm), &digits)
        {
            let (value, places) = (float.to_f64(), whole(digits, vm)?);
            if let Ok(places @ 0..=400) = usize::try_from(places)
                && value.is_finite()
            {
                let text = format!("{value:.places$}");
                return Ok(vm.ctx.new_float(text.parse().unwrap_or(value)).into());
            }
        }
        if !number.class().has_attr(vm.ctx.intern_str("__round__")) {
            let class = number.class().name().to_string();
            let text = format!("type {class} doesn't define __round__ method");
            return Err(vm.new_type_error(text));
        }
        let digits: Vec<PyObjectRef> = digits.into_iter().collect();
        vm.call_method(&number, "__round__", digits)
    }

    /// `sys.stdout.flush`
    #[pyfunction]
    fn flush(vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.say(Reporter::flush);
        Ok(())
    }

    /// `sys.stdout.write`
    #[pyfunction]
    fn write(text: String, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.print(&text, Standard::Output, vm)
    }

    /// `sys.stderr.write`
    #[pyfunction]
    fn write_error(text: String, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.print(&text, Standard::Error, vm)
    }
}
