//! `_lab`: the native half of `lab`, which is what a program says about itself. The other half, with the
//! names that learners use, is `lib/warpup/lab.py`.

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

    /// Shows a plot, given as its texts and its series; says whether the run may show it.
    #[pyfunction]
    fn plot(texts: PyObjectRef, series: PyObjectRef, vm: &VirtualMachine) -> PyResult<bool> {
        let plot = plots::plot(&texts, &series, vm)?;
        Ok(context::current(vm)?.reporter.plot(plot).is_ok())
    }

    /// The most series and the most points of a plot.
    #[pyfunction]
    fn plot_limits() -> (usize, usize) {
        (MAX_SERIES, MAX_POINTS)
    }

    #[pyfunction]
    fn release_threshold(bytes: u64, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.keep_at_most(bytes);
        Ok(())
    }

    /// The line of the program that runs now; 0 where lines are not followed.
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
        Ok(context::current(vm)?.source.clone())
    }
}
