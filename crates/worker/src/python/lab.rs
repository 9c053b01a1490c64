//! `_lab`: the native functions of `lab`, with which a program reports checks, metrics and plots. The public names
//! are in `lib/warpup/lab.py`.

use rustpython_vm::pymodule;

pub(super) use _lab::module_def;

#[pymodule]
mod _lab {
    use crate::python::context::{self, Context};
    use crate::python::convert::engine;
    use crate::python::plots;
    use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
    use warpup_protocol::{Aim, Check, MAX_BARS, MAX_POINTS, MAX_SERIES, Metric};

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
        let reported = context.reporter.check(check);
        reported.map_err(|_too_much| context.too_much(vm))
    }

    /// A metric may be NaN or infinite, but not because values were not computed: then the output says why.
    #[pyfunction]
    fn metric(name: String, value: f64, unit: String, vm: &VirtualMachine) -> PyResult<()> {
        let context = context::current(vm)?;
        let missing = lines_without_values(&context).filter(|_| !value.is_finite());
        let Some(lines) = missing else {
            let reported = context.reporter.metric(Metric { name, value, unit });
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
        Ok(context::current(vm)?.reporter.plot(plot).is_ok())
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

    #[pyfunction]
    fn printed(vm: &VirtualMachine) -> PyResult<String> {
        Ok(context::current(vm)?.reporter.printed())
    }

    #[pyfunction]
    fn source(vm: &VirtualMachine) -> PyResult<String> {
        Ok(context::current(vm)?.program.source.clone())
    }
}
