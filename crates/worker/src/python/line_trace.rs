//! Follows the learner's program from line to line, for line times and so that it can be cancelled.

use super::context::Context;
use rustpython_vm::{PyResult, VirtualMachine};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// What the marks in the code of a program tell where it is.
///
/// Functions are told apart by how deep they are in the stack: who comes to a line deeper than the one before was called from it,
/// and who comes to one less deep has been left, by a `return` or by an exception.
pub(super) struct LineTrace {
    /// The run, until its program has ended: its functions live longer, and may be called again.
    context: RefCell<Option<Rc<Context>>>,
}

impl fmt::Debug for LineTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineTrace").finish_non_exhaustive()
    }
}

impl LineTrace {
    pub(super) fn of(context: Rc<Context>) -> Self {
        Self {
            context: RefCell::new(Some(context)),
        }
    }

    /// Follows the program's functions while its check calls them.
    pub(super) fn during<T>(
        context: &Rc<Context>,
        vm: &VirtualMachine,
        work: impl FnOnce() -> T,
    ) -> T {
        let trace = context.lines.borrow().clone();
        if let Some(trace) = &trace {
            trace.context.replace(Some(Rc::clone(context)));
        }
        let done = work();
        if let Some(trace) = trace {
            trace.stop(vm);
        }
        done
    }

    /// Ends it: marks tell nothing any more, and what the program gave to `sys.settrace` sees nothing of what follows.
    pub(super) fn stop(&self, vm: &VirtualMachine) {
        drop(self.context.take());
        vm.trace_func.replace(vm.ctx.none());
        vm.use_tracing.set(false);
    }

    /// The program reaches a line.
    pub(super) fn reach(&self, line: u32, vm: &VirtualMachine) -> PyResult<()> {
        let context = self.context.borrow();
        let Some(context) = context.as_ref() else {
            return Ok(());
        };
        context.engine.reach(line, vm.current_recursion_depth());
        context.check_cancelled(vm)
    }

    /// A function of the program returns, or yields.
    pub(super) fn leave(&self, vm: &VirtualMachine) -> PyResult<()> {
        let context = self.context.borrow();
        let Some(context) = context.as_ref() else {
            return Ok(());
        };
        context.engine.leave(vm.current_recursion_depth());
        context.check_cancelled(vm)
    }
}
