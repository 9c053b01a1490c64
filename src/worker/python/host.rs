//! `_host`: printing, the clock and the CPU, for `sys`, `time` and the start of a run in `lib/`.

use rustpython_vm::pymodule;

pub(super) use _host::module_def;

#[pymodule]
mod _host {
    use crate::protocol::Aim;
    use crate::worker::python::context;
    use crate::worker::python::convert::engine;
    use rustpython_vm::{PyResult, VirtualMachine};

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

    #[pyfunction]
    fn sleep(seconds: f64, vm: &VirtualMachine) -> PyResult<()> {
        if seconds.is_nan() || seconds < 0.0 {
            return Err(vm.new_value_error("sleep length must be non-negative"));
        }
        engine(vm)?.device().sleep((seconds * 1e9) as u64);
        Ok(())
    }

    /// Whether the program is planned rather than run.
    #[pyfunction]
    fn is_plan(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(context::current(vm)?.program.aim == Aim::Plan)
    }

    /// `sys.stdout.flush`
    #[pyfunction]
    fn flush(vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.reporter.flush();
        Ok(())
    }

    /// `sys.stdout.write`
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
