//! Formats an uncaught exception as Python does, with the frames of the learner's program only.

use super::context::Program;
use super::convert::{self, items};
use super::interpreter::import;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyInt};
use rustpython_vm::suggestion::offer_suggestions;
use rustpython_vm::{AsObject, PyObject, VirtualMachine};
use std::fmt::Write;
use warpup_protocol::UncaughtException;

/// The most exceptions of a chain that are printed.
const MAX_CHAIN: usize = 8;

/// The report of an uncaught exception; `running` is the line that ran last.
pub(super) fn raised(
    exception: &PyBaseExceptionRef,
    program: &Program,
    running: u32,
    vm: &VirtualMachine,
) -> UncaughtException {
    let mut text = String::new();
    for (before, link) in chain(exception, vm).iter().rev() {
        print_one(&mut text, before, program, running, vm);
        let _infallible = write!(text, "\n{link}\n\n");
    }
    let Printed {
        kind,
        message,
        line,
    } = print_one(&mut text, exception, program, running, vm);
    if let Some(hint) = hint((&kind, &message), exception, &text, vm) {
        let _infallible = writeln!(text, "hint: {hint}");
    }
    UncaughtException {
        kind,
        message,
        line,
        traceback: text,
        in_check: false,
        status: status(exception, vm),
    }
}

/// The exit status of a `SystemExit` with a number: its last eight bits, as the system takes them.
fn status(exception: &PyBaseExceptionRef, vm: &VirtualMachine) -> Option<u8> {
    let exits = vm.ctx.exceptions.system_exit;
    if !exception.class().fast_issubclass(exits) {
        return None;
    }
    let code = exception.get_arg(0)?;
    let code: i64 = code.downcast_ref::<PyInt>()?.try_to_primitive(vm).ok()?;
    u8::try_from(code.rem_euclid(256)).ok()
}

/// The causes and contexts of an exception, nearest first, each with the sentence that Python prints after it.
fn chain(
    exception: &PyBaseExceptionRef,
    vm: &VirtualMachine,
) -> Vec<(PyBaseExceptionRef, &'static str)> {
    let mut found: Vec<(PyBaseExceptionRef, &'static str)> = Vec::new();
    let mut last = exception.clone();
    while found.len() < MAX_CHAIN {
        let is_hidden = attribute(&last, "__suppress_context__", vm).as_deref() == Some("True");
        let next = if let Some(cause) = last.__cause__() {
            (
                cause,
                "The above exception was the direct cause of the following exception:",
            )
        } else if let Some(context) = last.__context__().filter(|_| !is_hidden) {
            (
                context,
                "During handling of the above exception, another exception occurred:",
            )
        } else {
            break;
        };
        // A chain may be cyclic.
        if next.0.is(exception) || found.iter().any(|(seen, _)| seen.is(&next.0)) {
            break;
        }
        last = next.0.clone();
        found.push(next);
    }
    found
}

/// An exception that has been printed.
struct Printed {
    kind: String,
    message: String,
    line: u32,
}

/// Prints one exception of a chain.
fn print_one(
    text: &mut String,
    exception: &PyBaseExceptionRef,
    program: &Program,
    running: u32,
    vm: &VirtualMachine,
) -> Printed {
    let kind = qualified(exception, vm);
    let is_syntax = exception
        .class()
        .fast_issubclass(vm.ctx.exceptions.syntax_error);
    let message = if is_syntax {
        attribute(exception, "msg", vm)
    } else {
        text_of(exception.as_object(), vm)
    };
    let message = message.unwrap_or_default();
    // RustPython ends this message with a space.
    let message = match message.strip_suffix("recursion depth exceeded ") {
        Some(begin) => format!("{begin}recursion depth exceeded"),
        None => message,
    };
    // The lines of a text given to `eval` are not lines of the program.
    let file = attribute(exception, "filename", vm).filter(|_| is_syntax);
    let line = if file.as_deref() == Some(&program.name) {
        let line = number(exception, "lineno", vm);
        syntax(text, exception, (&program.name, &program.source), vm);
        line
    } else {
        let line = frames(text, exception, program).unwrap_or(running);
        if let Some(path) = &file
            && let Some(source) = module(program, path)
        {
            syntax(text, exception, (path, source), vm);
        }
        line
    };
    let message = if kind == "MemoryError" && message.is_empty() {
        let gib = program.host_bytes as f64 / f64::from(1 << 30);
        format!("there is no room for it; a program may use {gib:.2} GiB in all")
    } else {
        message
    };
    text.push_str(&kind);
    if !message.is_empty() {
        let _infallible = write!(text, ": {message}");
    }
    // The messages of our library may have a suggestion already.
    let has_suggestion = message.contains("did you mean");
    if let Some(near) = offer_suggestions(exception, vm).filter(|_| !has_suggestion) {
        let _infallible = write!(text, ". Did you mean: '{}'?", near.to_string_lossy());
    }
    text.push('\n');
    for note in notes(exception, vm) {
        let _infallible = writeln!(text, "{note}");
    }
    Printed {
        kind,
        message,
        line,
    }
}

/// The notes of `add_note`.
fn notes(exception: &PyBaseExceptionRef, vm: &VirtualMachine) -> Vec<String> {
    let notes = exception.as_object().get_attr("__notes__", vm).ok();
    let notes = notes.and_then(|it| items(&it)).unwrap_or_default();
    notes.iter().filter_map(|it| text_of(it, vm)).collect()
}

/// The name of the exception's class, with `torch.` in front of those of PyTorch.
fn qualified(exception: &PyBaseExceptionRef, vm: &VirtualMachine) -> String {
    let module = attribute(exception, "__module__", vm).filter(|it| it.starts_with("torch"));
    match (&*exception.class().name(), module) {
        (name, Some(module)) => format!("{module}.{name}"),
        (name @ ("OutOfMemoryError" | "AcceleratorError"), None) => format!("torch.{name}"),
        (name, None) => name.to_owned(),
    }
}

/// The text of a file beside the program.
fn module<'a>(program: &'a Program, path: &str) -> Option<&'a str> {
    let modules = program.modules.iter();
    let mut of_path = modules.filter(|it| it.path == path);
    of_path.next().map(|it| it.source.as_str())
}

/// Prints the frames of the program, its modules and its check; returns the innermost line that is no module's.
fn frames(text: &mut String, exception: &PyBaseExceptionRef, program: &Program) -> Option<u32> {
    let traceback = exception.__traceback__()?;
    let mut innermost = None;
    let _infallible = writeln!(text, "Traceback (most recent call last):");
    let mut repeats = Repeats::default();
    for entry in traceback.iter() {
        let code = entry.frame.f_code();
        let path = code.source_path().as_str();
        let source = match path {
            _ if path == program.name => Some(program.source.as_str()),
            "check" => program.check.as_deref(),
            _ => module(program, path),
        };
        let Some(source) = source else { continue };
        let line = entry.lineno.get();
        if module(program, path).is_none() {
            innermost = u32::try_from(line).ok();
        }
        let function = code.obj_name.as_str();
        let echo = source.lines().nth(line - 1).unwrap_or_default().trim();
        let frame = format!("  File \"{path}\", line {line}, in {function}\n    {echo}\n");
        repeats.write(text, frame);
    }
    repeats.finish(text);
    innermost
}

/// Python's rule for recursion: a frame is printed three times, then counted.
#[derive(Default)]
struct Repeats {
    last: String,
    count: usize,
}

impl Repeats {
    fn write(&mut self, text: &mut String, frame: String) {
        if frame == self.last {
            self.count += 1;
        } else {
            self.finish(text);
            self.last = frame;
            self.count = 1;
        }
        if self.count <= 3 {
            text.push_str(&self.last);
        }
    }

    fn finish(&mut self, text: &mut String) {
        if self.count > 3 {
            let more = self.count - 3;
            let plural = if more == 1 { "" } else { "s" };
            let _infallible = writeln!(text, "  [Previous line repeated {more} more time{plural}]");
        }
        self.count = 0;
    }
}

/// Prints the line of a `SyntaxError` with a caret; the file is its name and what is in it.
fn syntax(
    text: &mut String,
    exception: &PyBaseExceptionRef,
    (name, source): (&str, &str),
    vm: &VirtualMachine,
) {
    let line = number(exception, "lineno", vm);
    let _infallible = writeln!(text, "  File \"{name}\", line {line}");
    let above = (line as usize).saturating_sub(1);
    let Some(source) = source.lines().nth(above) else {
        return;
    };
    let trimmed = source.trim_start();
    let _infallible = writeln!(text, "    {trimmed}");
    let indent = source.chars().count() - trimmed.chars().count();
    let column = (number(exception, "offset", vm) as usize).saturating_sub(1 + indent);
    let spaces = " ".repeat(column.min(trimmed.chars().count()));
    let _infallible = writeln!(text, "    {spaces}^");
}

fn attribute(
    exception: &PyBaseExceptionRef,
    name: &'static str,
    vm: &VirtualMachine,
) -> Option<String> {
    let value = exception.as_object().get_attr(name, vm).ok()?;
    (!vm.is_none(&value)).then(|| text_of(&value, vm))?
}

/// What `str` gives.
fn text_of(object: &PyObject, vm: &VirtualMachine) -> Option<String> {
    let text = object.str(vm).ok()?;
    Some(text.to_string_lossy().into_owned())
}

fn number(exception: &PyBaseExceptionRef, name: &'static str, vm: &VirtualMachine) -> u32 {
    attribute(exception, name, vm)
        .and_then(|it| it.parse().ok())
        .unwrap_or(0)
}

/// What a beginner can try, for errors whose message does not say it.
fn hint(
    (kind, message): (&str, &str),
    exception: &PyBaseExceptionRef,
    traceback: &str,
    vm: &VirtualMachine,
) -> Option<String> {
    let hint = match kind {
        "AttributeError" | "TypeError"
            if message.contains("'NoneType'") && last_echo(traceback).contains(".grad") =>
        {
            "`.grad` is None until a backward() has reached the parameter, and again after zero_grad(), which sets it to None: read it between the two, or call zero_grad(set_to_none=False)"
        }
        "AttributeError" => {
            let rest = message.strip_prefix("'Tensor' object has no attribute '")?;
            return tensor_attribute_hint(rest.split('\'').next()?, vm);
        }
        "torch.OutOfMemoryError" => {
            "make the batch smaller, delete tensors that you no longer need, or choose a larger card"
        }
        "NameError" => {
            let (_, rest) = message.split_once("name '")?;
            let name = rest.split('\'').next()?;
            ["input", "breakpoint"].iter().find(|it| **it == name)?;
            "programs here have no keyboard: make the data in the program"
        }
        "RuntimeError" if message == "ZeroDivisionError" => {
            "whole numbers cannot be divided by 0; PyTorch says it in this way, too"
        }
        "RuntimeError" if message.starts_with("Expected all tensors to be on the same device") => {
            if let Some(hint) = left_behind(exception, vm) {
                return Some(hint);
            }
            "print the .device of each tensor on this line, and move the one that stayed behind with .to(device)"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// The line of a program that a traceback shows last.
fn last_echo(traceback: &str) -> &str {
    let mut lines = traceback.lines().rev();
    lines.find(|it| it.starts_with("    ")).unwrap_or_default()
}

/// The hint of `lib/warpup/_hints.py` for modules of which a part stayed on the CPU.
fn left_behind(exception: &PyBaseExceptionRef, vm: &VirtualMachine) -> Option<String> {
    let hints = import("warpup._hints", vm).ok()?;
    let hint = hints.get_attr("of_devices", vm).ok()?;
    convert::text(&*hint.call((exception.clone(),), vm).ok()?)
}

/// The hint of `lib/warpup/_names.py` for an attribute that tensors do not have.
fn tensor_attribute_hint(name: &str, vm: &VirtualMachine) -> Option<String> {
    let names = import("warpup._names", vm).ok()?;
    let hint = names.get_attr("hint_of_tensor", vm).ok()?;
    convert::text(&*hint.call((name,), vm).ok()?)
}
