//! Follows the learner's program line by line: for line times, and to stop it when asked.

use super::context;
use rustpython_vm::builtins::{PyStr, PyStrRef};
use rustpython_vm::bytecode::Instruction;
use rustpython_vm::frame::FrameRef;
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};
use std::sync::atomic::Ordering;

/// Follows frames of the program with this name.
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

/// Follows no more.
pub(super) fn stop(vm: &VirtualMachine) {
    vm.trace_func.replace(vm.ctx.none());
    vm.use_tracing.set(false);
}

/// A frame of the program gets this function for its lines, too; frames of other files get none, so that
/// our own Python costs no step for each line.
fn on_event(name: &str, frame: &FrameRef, event: &PyStr, vm: &VirtualMachine) -> PyResult {
    if frame.code.source_path().as_str() != name {
        return Ok(vm.ctx.none());
    }
    let context = context::current(vm)?;
    match event.as_bytes() {
        b"line" if is_beginning(frame) => {
            let line = u32::try_from(frame.f_lineno()).unwrap_or(u32::MAX);
            context.engine.reach(line);
        }
        b"call" => context.engine.enter(),
        b"return" => context.engine.leave(),
        _ => {}
    }
    if context.interrupt.load(Ordering::Relaxed) {
        let class = vm.ctx.exceptions.keyboard_interrupt.to_owned();
        return Err(vm.new_exception_msg(class, "the run was cancelled".into()));
    }
    Ok(vm.trace_func.borrow().as_object().to_owned())
}

/// Whether the frame is where a line begins, or comes around to a loop's head.
///
/// What the compiler adds, such as a function's return or the way out of a `try`, bears the line of the
/// statement before it, and would count as one more visit of a line that may never have run.
fn is_beginning(frame: &FrameRef) -> bool {
    // The next instruction is already set when the event comes.
    let at = (frame.lasti() as usize).saturating_sub(1);
    let code = &frame.code;
    if at >= code.instructions.len() {
        return false;
    }
    let instruction = code.instructions.read_op(at);
    let line_of = |at: usize| code.locations.get(at).map(|(start, _)| start.line);
    // The very first instruction only says that the frame has begun.
    let is_new = at <= 1 || line_of(at - 1) != line_of(at);
    // The head of an `except` is not the statement whose line it bears.
    let is_handler = matches!(instruction, Instruction::PushExcInfo);
    (is_new && !is_handler) || is_loop_head(instruction)
}

/// Whether an instruction takes the next item of a loop, in any of the forms it has been sped up to.
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
