//! Sizes as arguments: given one by one, or as one list or tuple.
//!
//! What is no whole number is told in PyTorch's words, which name the function and the argument.

use super::convert;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyBool};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

/// The sizes that a function was given as an argument of this name.
pub(super) fn sizes(
    given: &[PyObjectRef],
    (function, argument): (&str, &str),
    vm: &VirtualMachine,
) -> PyResult<Vec<i64>> {
    let listed = match given {
        [only] => convert::items(only),
        _ => None,
    };
    let (items, how) = match &listed {
        Some(items) => (items.as_slice(), How::Listed),
        None => (given, How::OneByOne),
    };
    let size = |(at, item): (usize, &PyObjectRef)| {
        let argument = (function, argument, how);
        if how == How::OneByOne && item.downcast_ref::<PyBool>().is_some() {
            return Err(refused((item, at), argument, None, vm));
        }
        convert::whole(item, vm).map_err(|why| refused((item, at), argument, Some(&why), vm))
    };
    items.iter().enumerate().map(size).collect()
}

/// How sizes were given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    OneByOne,
    Listed,
}

/// What is said of an item that is no size.
fn refused(
    (item, at): (&PyObject, usize),
    (function, argument, how): (&str, &str, How),
    why: Option<&PyBaseExceptionRef>,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    let kind = item.class().name().to_string();
    let is_large = why.is_some_and(|it| it.class().fast_issubclass(vm.ctx.exceptions.value_error));
    let problem = if is_large {
        "Overflow when unpacking long long".to_owned()
    } else {
        format!("type must be tuple of ints,but got {kind}")
    };
    let position = at + 1;
    vm.new_type_error(if is_large || at > 0 {
        format!(
            "{function}(): argument '{argument}' failed to unpack the object at pos {position} with error \"{problem}\""
        )
    } else if how == How::Listed {
        format!(
            "{function}(): argument '{argument}' (position 1) must be tuple of ints, but found element of type {kind} at pos 0"
        )
    } else {
        format!("{function}(): argument '{argument}' (position 1) must be tuple of ints, not {kind}")
    })
}
