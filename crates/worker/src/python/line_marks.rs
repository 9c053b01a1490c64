//! Marks the lines of the learner's program in its bytecode, so that each says when it is reached.
//!
//! A trace function of the interpreter would be called with new objects for every line, and every instruction would look
//! whether there is one. A mark costs two plain instructions and a call, and code without marks costs nothing.

use super::assembly::{CodeStep, Marks, assemble, steps};
use super::line_trace::LineTrace;
use rustpython_vm::builtins::PyCode;
use rustpython_vm::bytecode::{CodeFlags, CodeObject, Instruction};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::protocol::PyNumberMethods;
use rustpython_vm::types::{AsNumber, Representable};
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A constant of the program's code that tells the trace where the program is when its truth is asked for.
///
/// A program finds it in `co_consts`. It can do no more with it than count a line once more.
#[pyclass(module = false, name = "line")]
#[derive(Clone, Debug, PyPayload)]
struct Mark {
    place: MarkPlace,
    trace: Rc<LineTrace>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MarkPlace {
    /// The start of a line.
    Line(u32),
    /// The end of a function, or a `yield`.
    Leave,
}

#[pyclass(with(AsNumber, Representable))]
impl Mark {}

impl AsNumber for Mark {
    fn as_number() -> &'static PyNumberMethods {
        static AS_NUMBER: PyNumberMethods = PyNumberMethods {
            boolean: Some(|mark, vm| {
                if let Some(mark) = mark.downcast_ref::<Mark>() {
                    match mark.place {
                        MarkPlace::Line(line) => mark.trace.reach(line, vm)?,
                        MarkPlace::Leave => mark.trace.leave(vm)?,
                    }
                }
                Ok(true)
            }),
            ..PyNumberMethods::NOT_IMPLEMENTED
        };
        &AS_NUMBER
    }
}

impl Representable for Mark {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(match zelf.place {
            MarkPlace::Line(line) => format!("<line {line}>"),
            MarkPlace::Leave => "<leave>".into(),
        })
    }
}

/// The code with marks that tell `trace`, and so the functions in it.
pub(super) fn marked(code: &PyCode, trace: &Rc<LineTrace>, vm: &VirtualMachine) -> PyRef<PyCode> {
    let _class = Mark::make_static_type();
    let mut constants: Vec<PyObjectRef> = code
        .constants
        .iter()
        .map(|constant| {
            let constant = PyObjectRef::from(constant.clone());
            match constant.downcast_ref::<PyCode>() {
                Some(inner) => marked(inner, trace, vm).into(),
                None => constant,
            }
        })
        .collect();
    let mut known = BTreeMap::new();
    let mut constant = |place: MarkPlace| {
        *known.entry(place).or_insert_with(|| {
            let trace = Rc::clone(trace);
            constants.push(Mark { place, trace }.into_pyobject(vm));
            constants.len() - 1
        })
    };
    let steps = steps(code);
    let marks = marks(code, &steps, &mut constant);
    let assembled = assemble(code, &steps, &marks);
    let locations = assembled.origins.iter();
    let locations = locations.filter_map(|it| code.locations.get(*it).copied());
    let locations = locations.collect();
    vm.ctx.new_code(CodeObject {
        instructions: assembled.instructions,
        locations,
        constants: constants.into_iter().map(Into::into).collect(),
        max_stackdepth: code.max_stackdepth + 1,
        linetable: assembled.lines,
        exceptiontable: assembled.handlers,
        ..code.code.clone()
    })
}

/// Where marks are necessary. A line is reached at its first instruction, and at the head of a loop, when the instruction
/// before was of another line.
///
/// Instructions that the compiler adds, such as the return of a function or the exit of a `try`, have the line of
/// the statement before them, and would count as another execution of a line that may never have run.
fn marks(
    code: &PyCode,
    steps: &[CodeStep],
    constant: &mut impl FnMut(MarkPlace) -> usize,
) -> Vec<Marks> {
    let line_of_unit = |at: usize| {
        let location = code.locations.get(at);
        location.map_or(0, |it| u32::try_from(it.0.line.get()).unwrap_or(u32::MAX))
    };
    let line = |at: usize| steps.get(at).map_or(0, |it| line_of_unit(it.start));
    // What the code of a class does before its first statement, and behind its last one, has the line of the `class`.
    let class = is_class(code).then(|| line(0));
    let line_before = |at: usize| {
        let mut lines = (0..at).rev().map(line);
        lines.find(|it| class != Some(*it)).unwrap_or(0)
    };
    let mut marks = vec![Marks::default(); steps.len()];
    let entry = steps.iter().position(is_resume);
    let arrives_from_before = |at: usize| match at.checked_sub(1) {
        // What makes cells, or a generator, is no line of the program.
        None => false,
        Some(before) if Some(before) == entry => true,
        Some(before) if is_resume(&steps[before]) => line(before - 1) != line(at),
        Some(before) => !steps[before].is_last() && line_before(at) != line(at),
    };
    for (at, step) in steps.iter().enumerate() {
        if class != Some(line(at))
            && is_line_start(step, line(at), line_of_unit)
            && arrives_from_before(at)
        {
            marks[at].arriving = Some(constant(MarkPlace::Line(line(at))));
        }
        if is_end(step) {
            marks[at].always = Some(constant(MarkPlace::Leave));
        }
    }
    for (at, step) in steps.iter().enumerate() {
        let Some(target) = step.target else {
            continue;
        };
        // The end of a loop is not a line of its own, and the interpreter looks for it at the target.
        marks[at].passes = is_loop_head(step) || line(at) == line(target);
        if marks[at].passes {
            continue;
        }
        if class == Some(line(target)) {
            continue;
        }
        if is_line_start(&steps[target], line(target), line_of_unit) {
            marks[target].arriving = Some(constant(MarkPlace::Line(line(target))));
        } else if is_loop_head(&steps[target]) && step.is_backward() {
            // Who comes to a loop is on its line already.
            marks[at].always = Some(constant(MarkPlace::Line(line(target))));
        }
    }
    marks
}

/// Whether a step, which has this line, is the first of the line.
fn is_line_start(step: &CodeStep, line: u32, line_of_unit: impl Fn(usize) -> u32) -> bool {
    // The first instruction of a frame only marks its start.
    let is_new = step.start <= 1 || line_of_unit(step.start - 1) != line;
    // The first instruction of an `except` is not the statement whose line it has.
    is_new && !matches!(step.instruction, Instruction::PushExcInfo)
}

/// Whether it is the body of a class: neither a function nor the program.
fn is_class(code: &PyCode) -> bool {
    !code.flags.contains(CodeFlags::OPTIMIZED) && code.obj_name.as_str() != "<module>"
}

/// Whether a step takes the next item of a loop.
fn is_loop_head(step: &CodeStep) -> bool {
    matches!(step.instruction, Instruction::ForIter { .. })
}

fn is_resume(step: &CodeStep) -> bool {
    matches!(step.instruction, Instruction::Resume { .. })
}

/// Whether the frame is left by a step.
fn is_end(step: &CodeStep) -> bool {
    matches!(
        step.instruction,
        Instruction::ReturnValue | Instruction::YieldValue { .. }
    )
}
