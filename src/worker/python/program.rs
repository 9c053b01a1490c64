//! Runs one program from its text to its outcome.

use super::context::{self, Context};
use super::random::Random;
use super::{layers, module, said, steps, syntax, traceback};
use crate::protocol::{Aim, Outcome, Raised};
use crate::worker::dtype::{DType, set_default_float};
use crate::worker::engine::Engine;
use crate::worker::reporter::Reporter;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyInt};
use rustpython_vm::compiler::{CompileError, Mode};
use rustpython_vm::frozen::FrozenLib;
use rustpython_vm::gc_state::gc_state;
use rustpython_vm::scope::Scope;
use rustpython_vm::{
    AsObject, Interpreter, PyObjectRef, PyResult, Settings, VirtualMachine, py_freeze,
};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The half of the torch-shaped module that is written in Python, compiled with the executable.
const LIB: &FrozenLib<[u8]> = py_freeze!(dir = "lib", crate_name = "rustpython_vm");

/// The files of `lib`, so that a change of one compiles this file, and the macro above with it, again.
const _: &[&[u8]] = &[
    include_bytes!("lib/warpup/__init__.py"),
    include_bytes!("lib/warpup/_contextlib.py"),
    include_bytes!("lib/warpup/_dataclasses.py"),
    include_bytes!("lib/warpup/_einsum.py"),
    include_bytes!("lib/warpup/_functions.py"),
    include_bytes!("lib/warpup/_expect.py"),
    include_bytes!("lib/warpup/_generator.py"),
    include_bytes!("lib/warpup/_limits.py"),
    include_bytes!("lib/warpup/_names.py"),
    include_bytes!("lib/warpup/_plot.py"),
    include_bytes!("lib/warpup/_random.py"),
    include_bytes!("lib/warpup/_shapes.py"),
    include_bytes!("lib/warpup/_settings.py"),
    include_bytes!("lib/warpup/_start.py"),
    include_bytes!("lib/warpup/_statistics.py"),
    include_bytes!("lib/warpup/_sys.py"),
    include_bytes!("lib/warpup/_time.py"),
    include_bytes!("lib/warpup/_torch_names.py"),
    include_bytes!("lib/warpup/amp.py"),
    include_bytes!("lib/warpup/autograd.py"),
    include_bytes!("lib/warpup/backends.py"),
    include_bytes!("lib/warpup/cuda/__init__.py"),
    include_bytes!("lib/warpup/cuda/amp.py"),
    include_bytes!("lib/warpup/cuda/streams.py"),
    include_bytes!("lib/warpup/lab.py"),
    include_bytes!("lib/warpup/linalg.py"),
    include_bytes!("lib/warpup/nn/__init__.py"),
    include_bytes!("lib/warpup/nn/activations.py"),
    include_bytes!("lib/warpup/nn/attention.py"),
    include_bytes!("lib/warpup/nn/containers.py"),
    include_bytes!("lib/warpup/nn/functional.py"),
    include_bytes!("lib/warpup/nn/init.py"),
    include_bytes!("lib/warpup/nn/layers.py"),
    include_bytes!("lib/warpup/nn/losses.py"),
    include_bytes!("lib/warpup/nn/module.py"),
    include_bytes!("lib/warpup/nn/utils.py"),
    include_bytes!("lib/warpup/optim/__init__.py"),
    include_bytes!("lib/warpup/optim/lr_scheduler.py"),
    include_bytes!("lib/warpup/utils/__init__.py"),
    include_bytes!("lib/warpup/utils/data.py"),
];

/// A program to run.
#[derive(Debug)]
pub struct Program {
    /// What tracebacks call it.
    pub name: String,
    /// Its text.
    pub source: String,
    /// Text run after it in the same namespace.
    pub check: Option<String>,
    /// What it is run for.
    pub aim: Aim,
    /// Whether its lines are followed; without that only operations can be interrupted.
    pub steps: bool,
    /// Set to stop it.
    pub interrupt: Arc<AtomicBool>,
}

/// Runs a program and its check. Exceptions, cancelling and too much output are outcomes, not errors.
pub(crate) fn run(program: &Program, engine: &Rc<Engine>, reporter: &Rc<Reporter>) -> Outcome {
    let context = Rc::new(Context {
        engine: Rc::clone(engine),
        reporter: Rc::clone(reporter),
        random: RefCell::new(Random::new(0)),
        places: RefCell::default(),
        source: program.source.clone(),
        aim: program.aim,
        classes: RefCell::default(),
        interrupt: Arc::clone(&program.interrupt),
    });
    set_default_float(DType::F32);
    context::during(context, || {
        let interpreter = interpreter();
        let outcome = interpreter.enter(|vm| match execute(program, engine, vm) {
            Ok(()) => Outcome::Done,
            Err(failure) => outcome_of(failure, program, (engine, reporter), vm),
        });
        interpreter.finalize(None);
        // The collector is shared by all interpreters of the process. What an ended one leaves behind it
        // would look at again in every later run, which made each run slower than the one before.
        gc_state().freeze();
        outcome
    })
}

fn interpreter() -> Interpreter {
    let settings = Settings::default();
    let builder = Interpreter::builder(settings);
    let native = module::module_def(&builder.ctx);
    let said = said::module_def(&builder.ctx);
    // RustPython 0.5 forgets to intern these names of its own types, and panics when a program asks for them.
    for name in ["async_generator_wrapped_value", "HeapMethodDef"] {
        builder.ctx.intern_str(name);
    }
    let layers = layers::module_def(&builder.ctx);
    let standard = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    builder
        .add_native_modules(&standard)
        .add_native_module(native)
        .add_native_module(said)
        .add_native_module(layers)
        .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
        .add_frozen_modules(LIB)
        .build()
}

struct Failure {
    exception: PyBaseExceptionRef,
    /// The line that ran last.
    running: u32,
    in_check: bool,
}

fn execute(program: &Program, engine: &Engine, vm: &VirtualMachine) -> Result<(), Failure> {
    let ours = |exception| Failure {
        exception,
        running: engine.line(),
        in_check: false,
    };
    vm.import("warpup._start", 0).map_err(ours)?;
    let scope = vm.new_scope_with_main().map_err(ours)?;
    give_lab(&scope, vm).map_err(ours)?;
    if program.steps {
        steps::watch(&program.name, vm);
    }
    engine.start();
    let result = execute_text(&program.source, &program.name, &scope, vm).map_err(ours);
    steps::stop(vm);
    engine.finish();
    match result {
        // Who leaves early is checked all the same.
        Err(failure) if is_wanted_end(&failure.exception, vm) => {}
        other => other?,
    }
    let Some(check) = &program.check else {
        return Ok(());
    };
    let in_check = |exception| Failure {
        exception,
        running: 0,
        in_check: true,
    };
    // The program may have used the name for something else.
    give_lab(&scope, vm).map_err(in_check)?;
    execute_text(check, "check", &scope, vm).map_err(in_check)
}

/// Puts `lab` in reach without an import, as for a check.
fn give_lab(scope: &Scope, vm: &VirtualMachine) -> PyResult<()> {
    vm.import("warpup.lab", 0)?;
    let modules = vm.sys_module.get_attr("modules", vm)?;
    let lab = modules.get_item("warpup.lab", vm)?;
    scope.globals.set_item("lab", lab, vm)
}

fn execute_text(text: &str, name: &str, scope: &Scope, vm: &VirtualMachine) -> PyResult<()> {
    let code = vm
        .compile(text, Mode::Exec, name.to_owned())
        .map_err(|error| unreadable(&error, text, vm))?;
    vm.run_code_obj(code, scope.clone()).map(drop)
}

/// The `SyntaxError` of a text that cannot be compiled.
fn unreadable(error: &CompileError, text: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let exception = vm.new_syntax_error(error, Some(text));
    let (start, end) = match error {
        CompileError::Parse(it) => (it.raw_location.start(), it.raw_location.end()),
        CompileError::Codegen(_) => Default::default(),
    };
    let said = error.to_string();
    let found = syntax::Found {
        said: &said,
        source: text,
        start: start.to_usize(),
        end: end.to_usize(),
    };
    let Some(words) = found.words() else {
        return exception;
    };
    let set = |name: &'static str, value: PyObjectRef| {
        // The attributes of a SyntaxError can always be set; without them its own words stay.
        drop(exception.as_object().set_attr(name, value, vm));
    };
    set("msg", vm.ctx.new_str(words.text).into());
    if let Some(read) = words.at.and_then(|at| text.get(..at)) {
        let line = read.rsplit('\n').next().unwrap_or_default();
        set(
            "lineno",
            vm.ctx.new_int(1 + read.matches('\n').count()).into(),
        );
        set("offset", vm.ctx.new_int(1 + line.chars().count()).into());
    }
    exception
}

/// Whether an exception is an end that the program wanted, as `exit()` is.
fn is_wanted_end(exception: &PyBaseExceptionRef, vm: &VirtualMachine) -> bool {
    let is_exit = exception
        .class()
        .fast_issubclass(vm.ctx.exceptions.system_exit);
    is_exit
        && exception.get_arg(0).is_none_or(|code| {
            vm.is_none(&code)
                || code
                    .downcast_ref::<PyInt>()
                    .is_some_and(|it| it.try_to_primitive::<u8>(vm).is_ok_and(|it| it == 0))
        })
}

fn outcome_of(
    failure: Failure,
    program: &Program,
    (engine, reporter): (&Engine, &Reporter),
    vm: &VirtualMachine,
) -> Outcome {
    if reporter.is_full() {
        return Outcome::TooMuchOutput;
    }
    if program.interrupt.load(Ordering::Relaxed) {
        return Outcome::Cancelled;
    }
    let Failure {
        exception,
        running,
        in_check,
    } = failure;
    if is_wanted_end(&exception, vm) {
        return Outcome::Done;
    }
    if let Some(unavailable) = engine.unavailable() {
        return unavailable.into();
    }
    let told = traceback::told(&exception, program, running, vm);
    Outcome::Raised(Raised { in_check, ..told })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    fn assert_listed(folder: &Path, root: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                assert_listed(&path, root);
            } else {
                let file = path.strip_prefix(root).unwrap().display();
                let line = format!("include_bytes!(\"{file}\")");
                assert!(include_str!("program.rs").contains(&line), "add {line}");
            }
        }
    }

    #[test]
    fn every_file_of_the_library_is_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/worker/python");
        assert_listed(&root.join("lib"), &root);
    }
}
