//! Conversions between Python objects and the values of the engine.

use super::context::{self, Classes};
use super::tensor::PyTensor;
use crate::device::TensorDevice;
use crate::device::card_messages::invalid_device;
use crate::dtype::{Category, DType};
use crate::engine::Engine;
use crate::error::{Kind, TorchError};
use crate::meta::Meta;
use crate::ops::Op;
use crate::shape;
use crate::tensor::Tensor;
use rustpython_vm::builtins::{
    PyBaseExceptionRef, PyFloat, PyInt, PyList, PyRange, PyStr, PyTuple, PyTypeRef,
};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine};
use std::rc::Rc;

/// The engine of the current run. Raises `KeyboardInterrupt` once the run has been cancelled.
pub(super) fn engine(vm: &VirtualMachine) -> PyResult<Rc<Engine>> {
    let context = context::current(vm)?;
    context.check_cancelled(vm)?;
    context.engine.return_to(vm.current_recursion_depth());
    Ok(context.engine.clone())
}

/// A failed operation as the exception that PyTorch raises.
pub(super) fn raised(error: TorchError, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let hint = error.hint.map(|it| format!("hint: {it}"));
    let exception = exception(error.kind, error.message, vm);
    if let Some(hint) = hint {
        // Without its note the exception still says what PyTorch says.
        drop(vm.call_method(exception.as_object(), "add_note", (hint,)));
    }
    exception
}

fn exception(kind: Kind, message: String, vm: &VirtualMachine) -> PyBaseExceptionRef {
    match kind {
        Kind::Runtime => vm.new_runtime_error(message),
        Kind::Type => vm.new_type_error(message),
        Kind::Value => vm.new_value_error(message),
        Kind::Index => vm.new_index_error(message),
        Kind::NotImplemented => vm.new_not_implemented_error(message),
        Kind::OutOfMemory => of_class(|it| it.out_of_memory.clone(), message, vm),
        Kind::Raised => {
            let waiting = context::current(vm).ok().and_then(|it| it.raised.take());
            waiting.unwrap_or_else(|| vm.new_runtime_error(message))
        }
        Kind::Accelerator => of_class(|it| it.accelerator.clone(), message, vm),
    }
}

/// An exception of a class that is written in Python, or `RuntimeError` if there is no such class yet.
fn of_class(
    class: impl Fn(&Classes) -> Option<PyTypeRef>,
    message: String,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    let context = context::current(vm).ok();
    match context.and_then(|it| class(&it.classes.borrow())) {
        Some(class) => vm.new_exception_msg(class, message.into()),
        None => vm.new_runtime_error(message),
    }
}

/// The result of an operation as a Python tensor.
pub(super) fn wrapped(result: Result<Tensor, TorchError>, vm: &VirtualMachine) -> PyResult {
    Ok(PyTensor::from(checked(result, vm)?).into_pyobject(vm))
}

/// The result of applying an operation to these inputs, as a Python tensor.
pub(super) fn apply(op: impl Into<Op>, inputs: &[&Tensor], vm: &VirtualMachine) -> PyResult {
    let context = context::current(vm)?;
    context.check_cancelled(vm)?;
    if let Some(into) = context.destination.take() {
        return applied_into(&context.engine, op.into(), inputs, into, vm);
    }
    wrapped(context.engine.apply(op, inputs), vm)
}

/// The operation of a function with `out=`: its kernel writes there if the shapes agree.
fn applied_into(
    engine: &Engine,
    op: Op,
    inputs: &[&Tensor],
    into: Tensor,
    vm: &VirtualMachine,
) -> PyResult {
    let metas: Vec<Meta> = inputs.iter().map(|it| it.meta()).collect();
    let metas: Vec<&Meta> = metas.iter().collect();
    let meta = checked(op.facts().result(&metas), vm)?;
    if meta.shape != into.shape() {
        return wrapped(engine.apply(op, inputs), vm);
    }
    checked(engine.apply_in_place(op, inputs, &into), vm)?;
    Ok(PyTensor::from(into).into_pyobject(vm))
}

/// A result with its error as an exception.
pub(super) fn checked<T>(result: Result<T, TorchError>, vm: &VirtualMachine) -> PyResult<T> {
    result.map_err(|error| raised(error, vm))
}

/// The tensor behind a `numpy.ndarray` or a scalar of NumPy's; `None` for anything else.
pub(super) fn array_or_scalar(object: &PyObject, vm: &VirtualMachine) -> Option<PyRef<PyTensor>> {
    let of_numpy = {
        let context = context::current(vm).ok()?;
        let classes = context.classes.borrow();
        let mut known = [&classes.array, &classes.scalar].into_iter().flatten();
        known.any(|it| object.class().fast_issubclass(it))
    };
    let tensor = of_numpy.then(|| object.get_attr("_t", vm).ok())??;
    tensor.downcast::<PyTensor>().ok()
}

/// The value of a scalar of NumPy's; `None` for anything else.
fn scalar(object: &PyObject, vm: &VirtualMachine) -> Option<PyObjectRef> {
    let of_numpy = {
        let context = context::current(vm).ok()?;
        let classes = context.classes.borrow();
        let scalar = classes.scalar.as_ref()?;
        object.class().fast_issubclass(scalar)
    };
    of_numpy.then(|| object.get_attr("_value", vm).ok())?
}

/// A `bool`, `int`, `float` or scalar of NumPy's, and which of them it is; `None` for anything else.
pub(super) fn number(object: &PyObject, vm: &VirtualMachine) -> Option<(f64, Category)> {
    builtin_number(object, vm).or_else(|| builtin_number(&*scalar(object, vm)?, vm))
}

fn builtin_number(object: &PyObject, vm: &VirtualMachine) -> Option<(f64, Category)> {
    if object.class().is(vm.ctx.types.bool_type) {
        let truth = object.is(&vm.ctx.true_value);
        return Some((if truth { 1.0 } else { 0.0 }, Category::Bool));
    }
    if let Some(float) = object.downcast_ref::<PyFloat>() {
        return Some((float.to_f64(), Category::Float));
    }
    let int = object.downcast_ref::<PyInt>()?;
    let value = rustpython_vm::builtins::try_bigint_to_f64(int.as_bigint(), vm).ok()?;
    Some((value, Category::Int))
}

/// An `int`, or the result of `__index__`, such as the only element of a tensor.
pub(super) fn whole(object: &PyObject, vm: &VirtualMachine) -> PyResult<i64> {
    let number = object.to_owned().try_index(vm)?;
    // PyTorch's message for a number that does not fit into 64 bits.
    number
        .try_to_primitive(vm)
        .map_err(|_large| vm.new_value_error("Overflow when unpacking long long"))
}

/// Sizes or dimensions: `f(2, 3)` or `f((2, 3))`.
pub(super) fn whole_list(args: &[PyObjectRef], vm: &VirtualMachine) -> PyResult<Vec<i64>> {
    let listed = match args {
        [only] => items(only),
        _ => None,
    };
    let given = listed.as_deref().unwrap_or(args);
    given.iter().map(|it| whole(it, vm)).collect()
}

/// The items of a list or tuple; `None` for anything else.
pub(super) fn items(object: &PyObject) -> Option<Vec<PyObjectRef>> {
    if let Some(tuple) = object.downcast_ref::<PyTuple>() {
        return Some(tuple.as_slice().to_vec());
    }
    object
        .downcast_ref::<PyList>()
        .map(|list| list.borrow_vec().to_vec())
}

/// The items of a list, a tuple or a `range`: anything that holds several numbers.
pub(super) fn sequence(
    object: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<Option<Vec<PyObjectRef>>> {
    match items(object) {
        Some(items) => Ok(Some(items)),
        None if object.downcast_ref::<PyRange>().is_some() => {
            vm.extract_elements_with(object, Ok).map(Some)
        }
        None => Ok(None),
    }
}

/// The dtype that Python's own `float`, `int` or `bool` maps to.
pub(super) fn python_type(object: &PyObject, vm: &VirtualMachine) -> Option<DType> {
    let types = &vm.ctx.types;
    let known = [
        (types.float_type, DType::F64),
        (types.int_type, DType::I64),
        (types.bool_type, DType::Bool),
    ];
    let found = known.into_iter().find(|(class, _)| object.is(*class));
    found.map(|it| it.1)
}

/// One or several dimensions of a tensor of this rank; negative ones count from the end.
pub(super) fn dims(
    given: &[PyObjectRef],
    rank: usize,
    vm: &VirtualMachine,
) -> PyResult<Vec<usize>> {
    let dims = whole_list(given, vm)?.into_iter();
    dims.map(|dim| checked(shape::dim(dim, rank), vm)).collect()
}

/// Raises if a dimension occurs twice.
pub(super) fn no_twice(dims: &[usize], vm: &VirtualMachine) -> PyResult<()> {
    let twice = dims.iter().enumerate().find(|(at, dim)| {
        let before = dims.iter().take(*at);
        before.into_iter().any(|it| it == *dim)
    });
    match twice {
        Some((_, dim)) => Err(vm.new_runtime_error(format!(
            "dim {dim} appears multiple times in the list of dims"
        ))),
        None => Ok(()),
    }
}

/// One dimension of a tensor of this rank.
pub(super) fn dim(object: &PyObject, rank: usize, vm: &VirtualMachine) -> PyResult<usize> {
    checked(shape::dim(whole(object, vm)?, rank), vm)
}

/// A tensor argument.
pub(super) fn tensor(object: &PyObject, vm: &VirtualMachine) -> PyResult<Tensor> {
    match object.downcast_ref::<PyTensor>() {
        Some(it) => Ok(it.tensor().clone()),
        None => Err(vm.new_type_error(format!(
            "expected Tensor as argument, but got {}",
            object.class().name()
        ))),
    }
}

/// The tensors of a list or tuple; none for anything else.
pub(super) fn tensors(object: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<Tensor>> {
    let items = items(object).unwrap_or_default();
    items.iter().map(|it| tensor(it, vm)).collect()
}

/// The device, if this run has it.
pub(super) fn usable(device: TensorDevice, vm: &VirtualMachine) -> PyResult<TensorDevice> {
    if device == TensorDevice::Cpu {
        return Ok(device);
    }
    let context = context::current(vm)?;
    match (device, context.has_card()) {
        (TensorDevice::Cpu, _) => Ok(device),
        (TensorDevice::Card(0), true) => {
            checked(context.configure_allocator(), vm)?;
            Ok(device)
        }
        (TensorDevice::Card(_), true) => {
            let refused = Err(invalid_device("this run has one card, cuda:0"));
            checked(refused, vm)
        }
        (TensorDevice::Card(_), false) if context.engine.has_card() => {
            Err(vm.new_runtime_error(
                "No CUDA GPUs are available\nCUDA_VISIBLE_DEVICES hides the card of this run from the program",
            ))
        }
        (TensorDevice::Card(_), false) => Err(no_card(vm)),
    }
}

/// The exception for using `cuda` in a run on the CPU.
pub(super) fn no_card(vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_runtime_error(
        "Found no NVIDIA driver on your system: this run is on the CPU, as on a laptop without a card. Choose a modelled card to go on (d in the lab, or --device model:t4)",
    )
}

/// The text of a `str`; `None` for anything else.
pub(super) fn text(object: &PyObject) -> Option<String> {
    object
        .downcast_ref::<PyStr>()
        .map(|it| it.to_string_lossy().into_owned())
}
