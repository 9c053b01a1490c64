//! `_compile`: the native functions of `torch.compile`. What is compiled again, and why, is in `lib/warpup/_compiled.py`.

use rustpython_vm::pymodule;

pub(super) use _compile::module_def;

#[pymodule]
mod _compile {
    use crate::python::convert::{self, engine};
    use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
    use warpup_protocol::Clock;

    /// Whether code can be compiled: what is gained by it is only modelled.
    #[pyfunction]
    fn is_modelled(vm: &VirtualMachine) -> PyResult<bool> {
        let engine = engine(vm)?;
        Ok(engine.has_card() && engine.clock() == Clock::Modelled)
    }

    /// Whether the code that runs is compiled.
    #[pyfunction]
    fn is_active(vm: &VirtualMachine) -> PyResult<bool> {
        Ok(engine(vm)?.is_compiled())
    }

    /// Compiled code begins, whose kernels are launched one by one or as a CUDA graph.
    #[pyfunction]
    fn begin(as_graph: bool, vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.begin_region(as_graph);
        Ok(())
    }

    /// It ends with these tensors; `compiles` is how often each of its operations had to be compiled. Returns the number of
    /// operations, that of kernels, and where the graph broke: the causes and their lines.
    #[pyfunction]
    fn end(outputs: PyObjectRef, compiles: u64, vm: &VirtualMachine) -> PyResult {
        let outputs = convert::tensors(&outputs, vm)?;
        let ended = engine(vm)?.end_region(&outputs, compiles);
        let breaks = ended.breaks.into_iter();
        let breaks = breaks.map(|it| vm.new_tuple(it).into()).collect();
        let breaks = vm.ctx.new_list(breaks);
        Ok(vm
            .new_tuple((ended.operations, ended.kernels, breaks))
            .into())
    }

    /// Code that is not compiled begins within compiled code, until `resume`.
    #[pyfunction]
    fn pause(why: String, vm: &VirtualMachine) -> PyResult<()> {
        let why = match why.as_str() {
            "disable" => "torch.compiler.disable",
            "graph_break" => "torch._dynamo.graph_break",
            _ => "code that is not compiled",
        };
        engine(vm)?.pause_region(why);
        Ok(())
    }

    #[pyfunction]
    fn resume(vm: &VirtualMachine) -> PyResult<()> {
        engine(vm)?.resume_region();
        Ok(())
    }
}
