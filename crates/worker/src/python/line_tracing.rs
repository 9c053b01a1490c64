//! Traces the learner's program line by line, for line times and so that it can be cancelled.

use super::context;
use rustpython_vm::builtins::{PyStr, PyStrRef};
use rustpython_vm::bytecode::Instruction;
use rustpython_vm::frame::FrameRef;
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

/// Traces the frames whose file has this name.
pub(super) fn watch(name: &str, vm: &VirtualMachine) {
    let name = name.to_owned();
    let step = vm.new_function(
        "step",
        move |frame: FrameRef, event: PyStrRef, _argument: PyObjectRef, vm: &VirtualMachine| {
            on_event(&name, &frame, &event, vm)
        },
    );
    vm.trace_func.replace(step.into());
    vm.use_tracing.set(true);
}

/// Ends tracing.
pub(super) fn stop(vm: &VirtualMachine) {
    vm.trace_func.replace(vm.ctx.none());
    vm.use_tracing.set(false);
}

/// Called for each new frame. A frame of the program keeps the trace function for its lines; frames of the library
/// do not, so that tracing does not slow them down.
fn on_event(name: &str, frame: &FrameRef, event: &PyStr, vm: &VirtualMachine) -> PyResult {
    if frame.code.source_path().as_str() != name {
        return Ok(vm.ctx.none());
    }
    let context = context::current(vm)?;
    match event.as_bytes() {
        b"line" if is_line_start(frame) => {
            let line = u32::try_from(frame.f_lineno()).unwrap_or(u32::MAX);
            context.engine.reach(line);
        }
        b"call" => context.engine.enter(),
        b"return" => context.engine.leave(),
        _ => {}
    }
    context.check_cancelled(vm)?;
    Ok(vm.trace_func.borrow().as_object().to_owned())
}

/// Whether the frame is at the first instruction of a line, or back at the head of a loop.
///
/// Instructions that the compiler adds, such as the return of a function or the exit of a `try`, have the line of
/// the statement before them, and would count as another execution of a line that may never have run.
fn is_line_start(frame: &FrameRef) -> bool {
    // `lasti` already points to the next instruction when the event is raised.
    let at = (frame.lasti() as usize).saturating_sub(1);
    let code = &frame.code;
    if at >= code.instructions.len() {
        return false;
    }
    let instruction = code.instructions.read_op(at);
    let line_of = |at: usize| code.locations.get(at).map(|(start, _)| start.line);
    // The first instruction of a frame only marks its start.
    let is_new = at <= 1 || line_of(at - 1) != line_of(at);
    // The first instruction of an `except` is not the statement whose line it has.
    let is_handler = matches!(instruction, Instruction::PushExcInfo);
    (is_new && !is_handler) || is_loop_head(instruction)
}

/// Whether an instruction takes the next item of a loop, specialized or not.
fn is_loop_head(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::ForIter { .. }
            | Instruction::ForIterGen
            | Instruction::ForIterList
            | Instruction::ForIterRange
            | Instruction::ForIterTuple
            | Instruction::InstrumentedForIter
    )
}
