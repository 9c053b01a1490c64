//! A program, and the run of it that native functions belong to.
//!
//! Python calls a native function with nothing but its arguments, and a run stays on one thread, so the
//! context of the run is held in a thread-local while the run lasts.

use super::cuda_graphs::Graphs;
use super::environment::Variables;
use super::generators::Generators;
use super::line_trace::LineTrace;
use crate::device::TensorDevice;
use crate::dtype::DType;
use crate::engine::Engine;
use crate::reporter::Reporter;
use crate::tensor::{Tensor, print};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyTypeRef};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use warpup_protocol::{Aim, ModuleFile, ProgramFolders, Standard};

/// A program to run.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The file name in tracebacks.
    pub(crate) name: String,
    /// Its Python source.
    pub(crate) source: String,
    /// The files beside it that it can import.
    pub(crate) modules: Vec<ModuleFile>,
    /// Where it is; nothing for a lab.
    pub(crate) place: Option<Box<ProgramFolders>>,
    /// What follows its name in `sys.argv`.
    pub(crate) arguments: Vec<String>,
    /// Python source of the lab's check, which runs after the program in the same namespace.
    pub(crate) check: Option<String>,
    /// Whether the program is run or planned.
    pub(crate) aim: Aim,
    /// Whether lines are traced. Without it, a run can be cancelled at tensor operations only.
    pub(crate) steps: bool,
    /// The most host memory that it may use, in bytes; 0 if nobody has said.
    pub(crate) host_bytes: u64,
    /// Set by another thread to cancel the run.
    pub(crate) interrupt: Arc<AtomicBool>,
}

impl Program {
    /// Its path: absolute, or only its name where it is in no folder.
    pub(super) fn path(&self) -> String {
        let Some(place) = &self.place else {
            return self.name.clone();
        };
        format!("{}/{}", place.folder.trim_end_matches('/'), self.name)
    }
}

/// What native functions need of the run.
pub(super) struct Context {
    /// Every tensor operation goes through it.
    pub(super) engine: Rc<Engine>,
    /// Receives printed text, checks, metrics and plots.
    pub(super) reporter: Rc<Reporter>,
    /// The sources of random numbers.
    pub(super) generators: RefCell<Generators>,
    /// CUDA graphs.
    pub(super) graphs: Graphs,
    /// How tensors are printed.
    pub(super) print_options: Cell<print::Options>,
    /// The default device of new tensors, and those of the open `with torch.device(…)` blocks, innermost last.
    pub(super) devices: RefCell<Vec<TensorDevice>>,
    /// Whether the program sees the card.
    pub(super) card: Cell<CardVisibility>,
    /// What CUDA and PyTorch read from the environment.
    pub(super) variables: Variables,
    /// The learner's program.
    pub(super) program: Program,
    /// What its lines are followed by, if they are.
    pub(super) lines: RefCell<Option<Rc<LineTrace>>>,
    /// The objects of the element types that were asked for.
    pub(super) dtypes: RefCell<Vec<(DType, PyObjectRef)>>,
    /// The classes of the nodes of graphs, by name: `AddBackward0` and so on.
    pub(super) nodes: RefCell<HashMap<String, PyTypeRef>>,
    /// Where the next operation writes its result, for a function with `out=`.
    pub(super) destination: RefCell<Option<Tensor>>,
    /// The exception of Python code that the engine has called, until it has come back to Python.
    pub(super) raised: RefCell<Option<PyBaseExceptionRef>>,
    /// Classes that are written in Python and instantiated by native code.
    pub(super) classes: RefCell<Classes>,
    /// Functions that are written in Python and called by native ones, which live longer than the run.
    pub(super) written: RefCell<HashMap<&'static str, PyObjectRef>>,
}

impl Context {
    /// Whether the run has a card and the program sees it. CUDA reads the variable that hides it only once.
    pub(super) fn has_card(&self) -> bool {
        if !self.card.get().is_for_good() {
            self.card.set(self.card.get().for_good());
            self.read_by_cuda();
        }
        self.engine.has_card() && self.card.get() == CardVisibility::SeenForGood
    }

    /// The device of new tensors whose call names none.
    pub(super) fn device(&self) -> TensorDevice {
        self.devices
            .borrow()
            .last()
            .copied()
            .unwrap_or(TensorDevice::Cpu)
    }

    /// Prints text of the program.
    pub(super) fn print(&self, text: &str, to: Standard, vm: &VirtualMachine) -> PyResult<()> {
        self.engine.break_region("print()");
        let printed = self.say(|reporter| reporter.print(text, to));
        printed.map_err(|_too_much| self.too_much(vm))
    }

    /// Tells the app something, in a time that is no line's.
    pub(super) fn say<T>(&self, what: impl FnOnce(&Reporter) -> T) -> T {
        self.engine.beside_lines(|| what(&self.reporter))
    }

    /// What ends a program that has printed or reported more than a run may.
    pub(super) fn too_much(&self, vm: &VirtualMachine) -> PyBaseExceptionRef {
        self.reporter.flush();
        let class = vm.ctx.exceptions.system_exit.to_owned();
        vm.new_exception_msg(class, "the program printed more than a run may".into())
    }

    /// Prints a remark of warpup's on a line of its own.
    pub(super) fn remark(&self, remark: &str, vm: &VirtualMachine) -> PyResult<()> {
        let begun = !matches!(self.reporter.last_printed(), None | Some('\n'));
        let before = if begun { "\n" } else { "" };
        self.print(&format!("{before}{remark}\n"), Standard::Error, vm)
    }

    /// Keeps a function under a name for a native one to call, for the time of the run.
    pub(super) fn keep_written(
        &self,
        name: &'static str,
        function: PyObjectRef,
    ) -> LibraryFunction {
        let before = self.written.borrow_mut().insert(name, function);
        drop(before);
        LibraryFunction(name)
    }

    /// Raises `KeyboardInterrupt` once the run has been cancelled.
    pub(super) fn check_cancelled(&self, vm: &VirtualMachine) -> PyResult<()> {
        if !self.program.interrupt.load(Ordering::Relaxed) {
            return Ok(());
        }
        let class = vm.ctx.exceptions.keyboard_interrupt.to_owned();
        Err(vm.new_exception_msg(class, "the run was cancelled".into()))
    }
}

/// Whether the program sees the card of the run: `CUDA_VISIBLE_DEVICES` in `os.environ` may hide it, until CUDA was asked
/// for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CardVisibility {
    #[default]
    Seen,
    Hidden,
    SeenForGood,
    HiddenForGood,
}

impl CardVisibility {
    /// Whether CUDA has read the variable.
    pub(super) fn is_for_good(self) -> bool {
        match self {
            Self::Seen | Self::Hidden => false,
            Self::SeenForGood | Self::HiddenForGood => true,
        }
    }

    /// What it is once CUDA has read the variable.
    pub(super) fn for_good(self) -> Self {
        match self {
            Self::Seen | Self::SeenForGood => Self::SeenForGood,
            Self::Hidden | Self::HiddenForGood => Self::HiddenForGood,
        }
    }

    /// What it is after the program set the variable.
    pub(super) fn set(self, is_seen: bool) -> Self {
        match (self, is_seen) {
            (Self::SeenForGood | Self::HiddenForGood, _) => self,
            (Self::Seen | Self::Hidden, true) => Self::Seen,
            (Self::Seen | Self::Hidden, false) => Self::Hidden,
        }
    }
}

/// A function in [`Context::written`].
#[derive(Clone, Copy)]
pub(super) struct LibraryFunction(&'static str);

impl LibraryFunction {
    /// Calls the function.
    pub(super) fn call(self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let function = current(vm)?.written.borrow().get(self.0).cloned();
        let function = function.ok_or_else(|| vm.new_runtime_error("the run has ended"))?;
        function.call(args, vm)
    }
}

/// Classes that are written in Python and instantiated by native code; `None` until `warpup` is imported.
#[derive(Default)]
pub(super) struct Classes {
    /// `torch.Size`
    pub(super) size: Option<PyObjectRef>,
    /// `torch.cuda.OutOfMemoryError`
    pub(super) out_of_memory: Option<PyTypeRef>,
    /// `torch.AcceleratorError`
    pub(super) accelerator: Option<PyTypeRef>,
    /// `torch.return_types.*`: the pair of values and indices of `max(dim)`, `sort` and the like.
    pub(super) values_indices: Option<PyObjectRef>,
    /// `numpy.ndarray`, and `numpy.generic`: the class of its scalars. `None` until `numpy` is imported.
    pub(super) array: Option<PyTypeRef>,
    pub(super) scalar: Option<PyTypeRef>,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Context>>> = const { RefCell::new(None) };
}

/// Calls `f` with this context as the current one.
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

/// The context of the current run.
pub(super) fn current(vm: &VirtualMachine) -> PyResult<Rc<Context>> {
    let found = CURRENT.with(|current| current.borrow().clone());
    found.ok_or_else(|| vm.new_runtime_error("the run has ended"))
}
