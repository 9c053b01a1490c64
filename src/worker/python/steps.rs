//! Follows the learner's program line by line: for line times, and to stop it when asked.

use super::context;
use rustpython_vm::builtins::{PyStr, PyStrRef};
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
        b"line" => {
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
