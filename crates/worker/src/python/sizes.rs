//! Sizes as arguments, `f(2, 3)` or `f((2, 3))`, with PyTorch's messages for what is not an `int`.

use super::convert;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyBool, PyInt, PyTupleRef};
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

/// The sizes that `function` was given as this argument.
pub(super) fn sizes(
    given: &[PyObjectRef],
    function: &str,
    argument: &str,
    vm: &VirtualMachine,
) -> PyResult<Vec<i64>> {
    let listed = match given {
        [only] => convert::items(only),
        _ => None,
    };
    let items = listed.as_deref().unwrap_or(given);
    let size = |(at, item): (usize, &PyObjectRef)| {
        let refused = |error: Option<&PyBaseExceptionRef>| {
            let is_overflow =
                error.is_some_and(|it| it.class().fast_issubclass(vm.ctx.exceptions.value_error));
            let kind = item.class().name().to_string();
            let problem = if is_overflow {
                "Overflow when unpacking long long".to_owned()
            } else {
                format!("type must be tuple of ints,but got {kind}")
            };
            let position = at + 1;
            let text = if is_overflow || at > 0 {
                format!("failed to unpack the object at pos {position} with error \"{problem}\"")
            } else if listed.is_some() {
                format!(
                    "(position 1) must be tuple of ints, but found element of type {kind} at pos 0"
                )
            } else {
                format!("(position 1) must be tuple of ints, not {kind}")
            };
            vm.new_type_error(format!("{function}(): argument '{argument}' {text}"))
        };
        if listed.is_none() && item.downcast_ref::<PyBool>().is_some() {
            return Err(refused(None));
        }
        convert::whole(item, vm).map_err(|error| refused(Some(&error)))
    };
    items.iter().enumerate().map(size).collect()
}

/// `torch.Size.__getitem__`: a slice of a size is a size, too. In Rust, for programs ask for a size often.
pub(super) fn item(zelf: PyTupleRef, at: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let sizes = zelf.as_slice();
    if at.downcast_ref::<PyInt>().is_some() {
        let at = convert::whole(&at, vm)?;
        let at = if at < 0 { at + sizes.len() as i64 } else { at };
        let found = usize::try_from(at).ok().and_then(|it| sizes.get(it));
        return found
            .cloned()
            .ok_or_else(|| vm.new_index_error("tuple index out of range"));
    }
    let plain: PyObjectRef = vm.ctx.new_tuple(sizes.to_vec()).into();
    let found = plain.get_item(&*at, vm)?;
    zelf.class().as_object().call((found,), vm)
}
