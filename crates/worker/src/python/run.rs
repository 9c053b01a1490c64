//! Runs one program from its text to its outcome.

use super::context::{self, Context, Program};
use super::cuda_graphs::Graphs;
use super::environment::Variables;
use super::generators::Generators;
use super::interpreter::{import, interpreter};
use super::line_marks::marked;
use super::line_trace::LineTrace;
use super::{free_objects, syntax, traceback};
use crate::dtype::{DType, set_default_float};
use crate::engine::Engine;
use crate::reporter::Reporter;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyCode, PyInt};
use rustpython_vm::compiler::{CompileError, Mode};
use rustpython_vm::scope::Scope;
use rustpython_vm::vm::VmCompileError;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyRef, PyResult, VirtualMachine};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use warpup_protocol::{Outcome, UncaughtException};

/// Runs a program and its check. An exception, a cancelled run and too much output are outcomes, not errors.
pub(crate) fn run(program: &Program, engine: &Rc<Engine>, reporter: &Rc<Reporter>) -> Outcome {
    let context = Rc::new(Context {
        engine: Rc::clone(engine),
        reporter: Rc::clone(reporter),
        generators: RefCell::new(Generators::new(0)),
        graphs: Graphs::default(),
        print_options: Cell::default(),
        devices: RefCell::default(),
        card: Cell::default(),
        variables: Variables::default(),
        program: program.clone(),
        lines: RefCell::default(),
        dtypes: RefCell::default(),
        destination: RefCell::default(),
        nodes: RefCell::default(),
        raised: RefCell::default(),
        classes: RefCell::default(),
        written: RefCell::default(),
    });
    set_default_float(DType::F32);
    context.read_shell();
    context::during(context, || {
        let interpreter = interpreter();
        let outcome = interpreter.enter(|vm| match execute(program, engine, vm) {
            Ok(()) => Outcome::Done,
            Err(failure) => outcome_of(failure, program, engine, reporter, vm),
        });
        let state = interpreter.enter(|vm| Rc::clone(&vm.state));
        interpreter.finalize(None);
        free_objects::free(&state);
        outcome
    })
}

/// An exception that nothing caught.
struct Failure {
    exception: PyBaseExceptionRef,
    /// The line of the program that ran last, counted from 1; 0 if there is none.
    running: u32,
    in_check: bool,
}

fn execute(program: &Program, engine: &Engine, vm: &VirtualMachine) -> Result<(), Failure> {
    let in_program = |exception| Failure {
        exception,
        running: engine.line(),
        in_check: false,
    };
    vm.import("warpup._start", 0).map_err(in_program)?;
    let scope = vm.new_scope_with_main().map_err(in_program)?;
    bind_lab(&scope, vm).map_err(in_program)?;
    let file = vm.ctx.new_str(program.path());
    let bound = scope.globals.set_item("__file__", file.into(), vm);
    bound.map_err(in_program)?;
    // Reading the program is no line's time, so the clock starts after it.
    let code = code_of(&program.source, &program.name, vm);
    let context = context::current(vm).map_err(in_program)?;
    let trace = Rc::new(LineTrace::of(Rc::clone(&context)));
    context.lines.replace(Some(Rc::clone(&trace)));
    let code = code.map(|it| {
        if program.steps {
            marked(&it, &trace, vm)
        } else {
            it
        }
    });
    engine.start();
    let result = code.and_then(|it| vm.run_code_obj(it, scope.clone()));
    trace.stop(vm);
    engine.return_to(vm.current_recursion_depth());
    let result = result.map(drop).map_err(in_program);
    engine.finish();
    context.reporter.end_program();
    match result {
        // A program that exits successfully is still checked.
        Err(failure) if is_successful_exit(&failure.exception, vm) => {}
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
    // The program may have bound the name to something else.
    bind_lab(&scope, vm).map_err(in_check)?;
    let code = code_of(check, "check", vm).map_err(in_check)?;
    vm.run_code_obj(code, scope).map(drop).map_err(in_check)
}

/// Binds the global `lab`, so that programs and checks need not import it.
fn bind_lab(scope: &Scope, vm: &VirtualMachine) -> PyResult<()> {
    scope.globals.set_item("lab", import("warpup.lab", vm)?, vm)
}

/// A text as the code that it means.
fn code_of(text: &str, name: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    vm.compile(text, Mode::Exec, name.to_owned())
        .map_err(|error| match error {
            VmCompileError::Compile(error) => syntax_error(&error, text, vm),
            warning @ VmCompileError::Warning(_) => warning.into_pyexception(vm, Some(text)),
        })
}

/// The `SyntaxError` of a text that does not compile, with Python's message where we know it.
fn syntax_error(error: &CompileError, text: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let exception = vm.new_syntax_error(error, Some(text));
    let (start, end) = match error {
        CompileError::Parse(it) => (it.raw_location.start(), it.raw_location.end()),
        CompileError::Codegen(_) => Default::default(),
    };
    let parser_error = syntax::ParserError {
        message: &error.to_string(),
        source: text,
        start: start.to_usize(),
        end: end.to_usize(),
    };
    let Some(found) = parser_error.as_cpython() else {
        return exception;
    };
    let set = |name: &'static str, value: PyObjectRef| {
        // If an attribute could not be set, the parser's own message would stay, which is acceptable.
        drop(exception.as_object().set_attr(name, value, vm));
    };
    set("msg", vm.ctx.new_str(found.message).into());
    if let Some(read) = found.at.and_then(|at| text.get(..at)) {
        let line = read.rsplit('\n').next().unwrap_or_default();
        let set_number = |name, number| set(name, vm.ctx.new_int(number).into());
        set_number("lineno", 1 + read.matches('\n').count());
        set_number("offset", 1 + line.chars().count());
    }
    exception
}

/// Whether an exception is the `SystemExit` of `exit()` with no code, `None` or 0.
fn is_successful_exit(exception: &PyBaseExceptionRef, vm: &VirtualMachine) -> bool {
    let is_exit = exception
        .class()
        .fast_issubclass(vm.ctx.exceptions.system_exit);
    let is_zero = |code: &PyObject| {
        let code = code.downcast_ref::<PyInt>();
        code.is_some_and(|it| it.try_to_primitive::<u8>(vm).is_ok_and(|it| it == 0))
    };
    let code = exception.get_arg(0).filter(|it| !vm.is_none(it));
    is_exit && code.is_none_or(|it| is_zero(&it))
}

fn outcome_of(
    failure: Failure,
    program: &Program,
    engine: &Engine,
    reporter: &Reporter,
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
    if is_successful_exit(&exception, vm) {
        return Outcome::Done;
    }
    if let Some(unavailable) = engine.unavailable() {
        return unavailable.into();
    }
    let raised = traceback::raised(&exception, program, running, vm);
    Outcome::Raised(UncaughtException { in_check, ..raised })
}
