//! PyTorch's words for arguments that fit no overload.

use super::convert;
use super::overload::{CallArguments, OverloadError};
use super::signatures::{Parameter, Receiver, Signature};
use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::common::wtf8::Wtf8Buf;
use rustpython_vm::{AsObject, PyObject, VirtualMachine};
use std::fmt::Write;

/// The exception where the name has one overload.
pub(super) fn of_one(
    (place, name): (Receiver, &str),
    signature: &Signature,
    why: &OverloadError,
    given: &CallArguments<'_>,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    if place == Receiver::Method && signature.parameters.is_empty() {
        return nothing_taken(name, given, vm);
    }
    let text = match why {
        OverloadError::TooMany => format!("{name}() {}", too_many(signature, given)),
        OverloadError::Missing(at) => format!("{name}() {}", missing(signature, *at)),
        OverloadError::Unknown(key) => {
            format!("{name}() got an unexpected keyword argument '{key}'")
        }
        OverloadError::Twice(key) => format!("{name}() got multiple values for argument '{key}'"),
        OverloadError::Type(at) => match signature.parameters.get(*at) {
            Some(parameter) => format!("{name}(): {}", wrong_type(parameter, *at, given, vm)),
            None => format!("{name}(): wrong arguments"),
        },
    };
    vm.new_type_error(text)
}

/// A method without parameters is not PyTorch's parser's but Python's.
fn nothing_taken(name: &str, given: &CallArguments<'_>, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let text = if given.all.kwargs.is_empty() {
        let count = given.positional().len();
        format!("TensorBase.{name}() takes no arguments ({count} given)")
    } else {
        format!("TensorBase.{name}() takes no keyword arguments")
    };
    vm.new_type_error(text)
}

fn too_many(signature: &Signature, given: &CallArguments<'_>) -> String {
    let (least, most) = (signature.required(), signature.positional);
    let count = given.positional().len();
    if least != most {
        return format!("takes from {least} to {most} positional arguments but {count} were given");
    }
    let (plural, verb) = (
        if most == 1 { "" } else { "s" },
        if count == 1 { "was" } else { "were" },
    );
    format!("takes {most} positional argument{plural} but {count} {verb} given")
}

fn missing(signature: &Signature, from: usize) -> String {
    let rest = signature.parameters.iter().skip(from);
    let names = rest.filter(|it| it.default.is_none());
    let names: Vec<String> = names.map(|it| format!("\"{}\"", it.name)).collect();
    // PyTorch has the plural the wrong way round.
    let plural = if names.len() == 1 { "s" } else { "" };
    format!(
        "missing {} required positional argument{plural}: {}",
        names.len(),
        names.join(", ")
    )
}

fn wrong_type(
    parameter: &Parameter,
    at: usize,
    given: &CallArguments<'_>,
    vm: &VirtualMachine,
) -> String {
    let by_position = given.positional().get(at);
    let value = by_position.or_else(|| given.all.kwargs.get(parameter.name));
    let place = match by_position {
        Some(_) => format!(" (position {})", at + 1),
        None => String::new(),
    };
    let items = value.and_then(|it| convert::items(it)).unwrap_or_default();
    let odd = items
        .iter()
        .position(|it| !parameter.kind.takes_item(it, vm));
    let problem = match odd.and_then(|at| Some((at, items.get(at)?))) {
        Some((at, item)) if parameter.kind.is_list() => {
            format!(
                "but found element of type {} at pos {at}",
                item.class().name()
            )
        }
        Some(_) | None => format!("not {}", value.map_or_else(String::new, |it| typename(it))),
    };
    format!(
        "argument '{}'{place} must be {}, {problem}",
        parameter.name,
        parameter.kind.words()
    )
}

/// The exception where the name has several overloads.
pub(super) fn of_several(
    name: &str,
    overloads: &[Signature],
    given: &CallArguments<'_>,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    let mut text = format!(
        "{name}() received an invalid combination of arguments - got ({}), but expected one of:\n",
        listed(given)
    );
    for it in overloads {
        let _always = writeln!(text, " * ({})", it.shown());
        if it.has_as_many(given) {
            let _always = writeln!(text, "      didn't match because {}", reason(it, given, vm));
        }
    }
    vm.new_type_error(text)
}

/// The types of the arguments, as PyTorch lists them.
fn listed(given: &CallArguments<'_>) -> String {
    let positional = given.positional();
    let mut parts: Vec<String> = positional.iter().map(|it| typename(it)).collect();
    let named = given.all.kwargs.iter();
    parts.extend(named.map(|(key, it)| format!("{key}={}", typename(it))));
    let text = parts.join(", ");
    if positional.is_empty() && !text.is_empty() {
        text + ", "
    } else {
        text
    }
}

fn reason(signature: &Signature, given: &CallArguments<'_>, vm: &VirtualMachine) -> String {
    let named = given.all.kwargs.keys();
    let unknown: Vec<String> = named
        .filter(|key| signature.parameters.iter().all(|it| ***key != *it.name))
        .map(Wtf8Buf::to_string)
        .collect();
    if !unknown.is_empty() {
        return format!(
            "some of the keywords were incorrect: {}",
            unknown.join(", ")
        );
    }
    let mut parts = Vec::new();
    for (at, parameter) in signature.parameters.iter().enumerate() {
        let by_position = given.positional().get(at);
        let Some(value) = by_position.or_else(|| given.all.kwargs.get(parameter.name)) else {
            continue;
        };
        let key = match by_position {
            Some(_) => String::new(),
            None => format!("{}=", parameter.name),
        };
        let sign = if parameter.takes(value, vm) { "" } else { "!" };
        parts.push(format!("{sign}{key}{}{sign}", with_items(value)));
    }
    let text = parts.join(", ");
    let end = if given.positional().is_empty() {
        ", "
    } else {
        ""
    };
    format!("some of the arguments have invalid types: ({text}{end})")
}

fn with_items(value: &PyObject) -> String {
    match convert::items(value) {
        None => typename(value),
        Some(items) => {
            let kinds: Vec<String> = items.iter().map(|it| typename(it) + ",").collect();
            format!("{} of ({})", typename(value), kinds.join(" "))
        }
    }
}

fn typename(value: &PyObject) -> String {
    value.class().name().to_string()
}

impl Signature {
    /// Whether it has as many parameters as there are arguments. `out` counts if it was given; PyTorch counts the
    /// asterisk, too.
    fn has_as_many(&self, given: &CallArguments<'_>) -> bool {
        let out = self.parameters.iter().filter(|it| it.name == "out").count();
        let out = if given.all.kwargs.contains_key("out") {
            0
        } else {
            out
        };
        let asterisk = usize::from(self.positional < self.parameters.len());
        self.parameters.len() + asterisk - out == given.count()
    }

    /// The parameters as PyTorch's messages list them.
    fn shown(&self) -> String {
        let mut parts = Vec::new();
        for (at, it) in self.parameters.iter().enumerate() {
            if at == self.positional {
                parts.push("*".to_owned());
            }
            let default = it.default.map_or_else(String::new, |it| format!(" = {it}"));
            parts.push(format!("{} {}{default}", it.kind.words(), it.name));
        }
        parts.join(", ")
    }
}
