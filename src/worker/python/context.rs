//! The run that native functions belong to.
//!
//! Python calls native functions without handing them anything of ours, and all of a run happens on one
//! thread, so the run is kept in that thread while it lasts.

use super::random::Random;
use crate::protocol::Aim;
use crate::worker::device::TensorDevice;
use crate::worker::engine::Engine;
use crate::worker::reporter::Reporter;
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What native functions need of the run.
pub(super) struct Context {
    /// Every operation goes through it.
    pub(super) engine: Rc<Engine>,
    /// Where printed text, checks and metrics go.
    pub(super) reporter: Rc<Reporter>,
    /// Values for `rand` and its relatives.
    pub(super) random: RefCell<Random>,
    /// Where tensors are made that say no place: the innermost choice is the last.
    pub(super) places: RefCell<Vec<TensorDevice>>,
    /// The learner's program, for `lab.source`.
    pub(super) source: String,
    /// What the program is run for.
    pub(super) aim: Aim,
    /// Classes that are written in Python and made by native code.
    pub(super) classes: RefCell<Classes>,
    /// Set to stop the program.
    pub(super) interrupt: Arc<AtomicBool>,
}

impl Context {
    /// Where tensors are made that say no place.
    pub(super) fn place(&self) -> TensorDevice {
        self.places
            .borrow()
            .last()
            .copied()
            .unwrap_or(TensorDevice::Cpu)
    }
}

/// Classes that are written in Python and made by native code.
#[derive(Default)]
pub(super) struct Classes {
    /// `torch.Size`
    pub(super) size: Option<PyObjectRef>,
    /// `torch.cuda.OutOfMemoryError`
    pub(super) out_of_memory: Option<PyObjectRef>,
    /// `torch.AcceleratorError`
    pub(super) accelerator: Option<PyObjectRef>,
    /// The result of `max(dim=…)` and `min(dim=…)`.
    pub(super) values_indices: Option<PyObjectRef>,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Context>>> = const { RefCell::new(None) };
}

/// Makes a run the current one while `f` runs.
pub(super) fn during<R>(context: Rc<Context>, f: impl FnOnce() -> R) -> R {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            let left = CURRENT.with(|current| current.borrow_mut().take());
            drop(left);
        }
    }
    CURRENT.with(|current| *current.borrow_mut() = Some(context));
    let _leave = Leave;
    f()
}

/// The current run.
pub(super) fn current(vm: &VirtualMachine) -> PyResult<Rc<Context>> {
    let found = CURRENT.with(|current| current.borrow().clone());
    found.ok_or_else(|| ended(vm))
}

fn ended(vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_runtime_error("the run has ended")
}
