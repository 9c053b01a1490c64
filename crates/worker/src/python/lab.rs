//! `_lab`: the native functions of `lab`, with which a program reports checks, metrics and plots. The public names
//! are in `lib/warpup/lab.py`.

use rustpython_vm::pymodule;

pub(super) use _lab::module_def;

#[pymodule]
mod _lab {
    use crate::python::context::{self, Context};
    use crate::python::convert::engine;
    use crate::python::line_trace::LineTrace;
    use crate::python::plots;
    use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
    use serde_json::Value;
    use warpup_protocol::{Aim, Check, MAX_BARS, MAX_POINTS, MAX_SERIES, Metric, Report};

    /// Once a value was read that was not computed, no check holds: NaN is not smaller than anything, and not larger.
    #[pyfunction]
    fn check(name: String, ok: bool, hint: Option<String>, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        let check = match lines_without_values(&context) {
            None => Check { name, ok, hint },
            Some(lines) => Check {
                name,
                ok: false,
                hint: Some(format!(
                    "this cannot be judged: {lines} read values that were not computed; make the program smaller"
                )),
            },
        };
        let reported = context.say(|it| it.check(check));
        reported.map_err(|_too_much| context.too_much(vm))
    }

    /// A metric may be NaN or infinite, but not because values were not computed: then the output says why.
    #[pyfunction]
    fn metric(name: String, value: f64, unit: String, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        let missing = lines_without_values(&context).filter(|_| !value.is_finite());
        let Some(lines) = missing else {
            let reported = context.say(|it| it.metric(Metric { name, value, unit }));
            return reported.map_err(|_too_much| context.too_much(vm));
        };
        let value = value.to_string().to_lowercase();
        let remark = format!(
            "[warpup] The metric `{name}` is {value}, since {lines} read values that were not computed: it is not reported."
        );
        context.remark(&remark, vm)
    }

    /// The lines of a run that read values which were not computed. A plan is not judged.
    fn lines_without_values(context: &Context) -> Option<String> {
        let is_judged = context.program.aim == Aim::Run;
        let read = context.engine.unknown_read();
        let lines: Vec<String> = read.iter().map(u32::to_string).collect();
        match lines.as_slice() {
            [] => None,
            [line] => Some(format!("line {line}")),
            [first, .., last] => Some(format!("lines {first} to {last}")),
        }
        .filter(|_| is_judged)
    }

    /// Shows a plot, given as its texts, its series and the names of its bars; false if the run has shown too many.
    #[pyfunction]
    fn plot(
        texts: PyObjectRef,
        series: PyObjectRef,
        names: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult<bool> {
        let plot = plots::plot(&texts, &series, &names, vm)?;
        let context = context::current(vm)?;
        Ok(context.say(|it| it.plot(plot)).is_ok())
    }

    /// The most series of a plot, the most points, and the most names of bars.
    #[pyfunction]
    fn plot_limits() -> (usize, usize, usize) {
        (MAX_SERIES, MAX_POINTS, MAX_BARS)
    }

    #[pyfunction]
    fn release_threshold(bytes: u64, vm: &VirtualMachine) -> PyResult<()> {
        if let Some(memory) = engine(vm)?.device().cached_memory() {
            memory.set_release_threshold(bytes);
        }
        Ok(())
    }

    /// The CPU works for so many nanoseconds: where times are modelled on the clock only.
    #[pyfunction]
    fn cpu_work(name: String, ns: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.state_cpu_work(&name, ns);
        Ok(())
    }

    /// The line of the program that runs now; 0 where lines are not traced.
    #[pyfunction]
    fn line(vm: &VirtualMachine) -> PyResult<u32> {
        Ok(engine(vm)?.line())
    }

    /// What the program did; only its check can ask.
    #[pyfunction]
    fn report(vm: &VirtualMachine) -> PyResult {
        let ended = engine(vm)?.ended();
        let report = ended.ok_or_else(|| {
            vm.new_runtime_error("lab.run is for checks: the program has not ended yet".to_owned())
        })?;
        dictionary(report, vm)
    }

    /// Calls a function of the program in its check; its result, and what it did.
    #[pyfunction]
    fn apart(function: PyObjectRef, vm: &VirtualMachine) -> PyResult<(PyObjectRef, PyObjectRef)> {
        let context = context::current(vm)?;
        let (result, report) = LineTrace::during(&context, vm, || {
            context.engine.apart(|| function.call((), vm))
        });
        Ok((result?, dictionary(report, vm)?))
    }

    /// A report as dictionaries, without what no check reads.
    fn dictionary(mut report: Report, vm: &VirtualMachine) -> PyResult {
        if let Some(memory) = &mut report.memory {
            memory.over_time.clear();
        }
        let value = serde_json::to_value(&report);
        object(
            &value.map_err(|it| vm.new_runtime_error(it.to_string()))?,
            vm,
        )
    }

    fn object(value: &Value, vm: &VirtualMachine) -> PyResult {
        Ok(match value {
            Value::Null => vm.ctx.none(),
            Value::Bool(it) => vm.ctx.new_bool(*it).into(),
            Value::Number(it) => match (it.as_i64(), it.as_u64()) {
                (Some(it), _) => vm.ctx.new_int(it).into(),
                (None, Some(it)) => vm.ctx.new_int(it).into(),
                (None, None) => vm.ctx.new_float(it.as_f64().unwrap_or(f64::NAN)).into(),
            },
            Value::String(it) => vm.ctx.new_str(it.as_str()).into(),
            Value::Array(items) => {
                let items = items.iter().map(|it| object(it, vm));
                vm.ctx.new_list(items.collect::<PyResult<_>>()?).into()
            }
            Value::Object(fields) => {
                let object_of = vm.ctx.new_dict();
                for (name, it) in fields {
                    object_of.set_item(name.as_str(), object(it, vm)?, vm)?;
                }
                object_of.into()
            }
        })
    }

    #[pyfunction]
    fn printed(vm: &VirtualMachine) -> PyResult<String> {
        Ok(context::current(vm)?.reporter.printed())
    }

    #[pyfunction]
    fn source(vm: &VirtualMachine) -> PyResult<String> {
        Ok(context::current(vm)?.program.source.clone())
    }
}
