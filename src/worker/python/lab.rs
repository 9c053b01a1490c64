//! `_lab`: the native functions of `lab`, with which a program reports checks, metrics and plots. The public names
//! are in `lib/warpup/lab.py`.

use rustpython_vm::pymodule;

pub(super) use _lab::module_def;

#[pymodule]
mod _lab {
    use crate::protocol::{Check, MAX_POINTS, MAX_SERIES, Metric};
    use crate::worker::python::context;
    use crate::worker::python::convert::engine;
    use crate::worker::python::plots;
    use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

    #[pyfunction]
    fn check(name: String, ok: bool, hint: Option<String>, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?
            .reporter
            .check(Check { name, ok, hint });
        Ok(())
    }

    #[pyfunction]
    fn metric(name: String, value: f64, unit: String, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?
            .reporter
            .metric(Metric { name, value, unit });
        Ok(())
    }

    /// Shows a plot, given as its texts and its series; false if the run has shown too many.
    #[pyfunction]
    fn plot(texts: PyObjectRef, series: PyObjectRef, vm: &VirtualMachine) -> PyResult<bool> {
        let plot = plots::plot(&texts, &series, vm)?;
        Ok(context::current(vm)?.reporter.plot(plot).is_ok())
    }

    /// The most series of a plot, and the most points.
    #[pyfunction]
    fn plot_limits() -> (usize, usize) {
        (MAX_SERIES, MAX_POINTS)
    }

    #[pyfunction]
    fn release_threshold(bytes: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.device().set_release_threshold(bytes);
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
