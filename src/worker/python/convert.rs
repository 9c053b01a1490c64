//! Between Python's objects and the engine's values.

use super::context;
use super::kinds::{PyDType, PyDevice};
use super::tensor::PyTensor;
use crate::worker::device::TensorDevice;
use crate::worker::dtype::{Category, DType};
use crate::worker::engine::Engine;
use crate::worker::error::{Kind, TorchError};
use crate::worker::shape::{self, Shape};
use crate::worker::tensor::Tensor;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyFloat, PyInt, PyList, PyStr, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine};
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// The engine of the current run; a cancelled run goes no further.
pub(super) fn engine(vm: &VirtualMachine) -> PyResult<Rc<Engine>> {
    let context = context::current(vm)?;
    if context.interrupt.load(Ordering::Relaxed) {
        let class = vm.ctx.exceptions.keyboard_interrupt.to_owned();
        return Err(vm.new_exception_msg(class, "the run was cancelled".into()));
    }
    Ok(context.engine.clone())
}

/// A failed operation as the exception that PyTorch raises.
pub(super) fn raised(error: TorchError, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let message = error.message;
    match error.kind {
        Kind::Runtime => vm.new_runtime_error(message),
        Kind::Type => vm.new_type_error(message),
        Kind::Value => vm.new_value_error(message),
        Kind::Index => vm.new_index_error(message),
        Kind::NotImplemented => vm.new_not_implemented_error(message),
        Kind::OutOfMemory => of_ours(|it| it.out_of_memory.clone(), message, vm),
        Kind::Accelerator => of_ours(|it| it.accelerator.clone(), message, vm),
    }
}

/// An exception of a class that is written in Python.
fn of_ours(
    class: impl Fn(&context::Classes) -> Option<PyObjectRef>,
    message: String,
    vm: &VirtualMachine,
) -> PyBaseExceptionRef {
    let class = context::current(vm)
        .ok()
        .and_then(|it| class(&it.classes.borrow()))
        .and_then(|it| it.downcast::<rustpython_vm::builtins::PyType>().ok());
    match class {
        Some(class) => vm.new_exception_msg(class, message.into()),
        None => vm.new_runtime_error(message),
    }
}

/// The result of an operation as a Python tensor.
pub(super) fn wrapped(result: Result<Tensor, TorchError>, vm: &VirtualMachine) -> PyResult {
    match result {
        Ok(tensor) => Ok(PyTensor::from(tensor).into_pyobject(vm)),
        Err(error) => Err(raised(error, vm)),
    }
}

/// A result whose failure becomes an exception.
pub(super) fn checked<T>(result: Result<T, TorchError>, vm: &VirtualMachine) -> PyResult<T> {
    result.map_err(|error| raised(error, vm))
}

/// A Python number, and what kind it is.
pub(super) fn number(object: &PyObject, vm: &VirtualMachine) -> Option<(f64, Category)> {
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

/// A whole number of Python's.
pub(super) fn whole(object: &PyObject, vm: &VirtualMachine) -> PyResult<i64> {
    if let Some(tensor) = object.downcast_ref::<PyTensor>() {
        return tensor.whole(vm);
    }
    let number = object.to_owned().try_index(vm)?;
    // PyTorch's words, and its type, for what has no room in 64 bits.
    number
        .try_to_primitive(vm)
        .map_err(|_large| vm.new_value_error("Overflow when unpacking long long"))
}

/// Sizes or dimensions, given one by one or as one list or tuple.
pub(super) fn whole_list(args: &[PyObjectRef], vm: &VirtualMachine) -> PyResult<Vec<i64>> {
    if let [only] = args
        && let Some(items) = items(only)
    {
        return items.iter().map(|it| whole(it, vm)).collect();
    }
    args.iter().map(|it| whole(it, vm)).collect()
}

/// The items of a list or tuple; nothing for anything else.
pub(super) fn items(object: &PyObject) -> Option<Vec<PyObjectRef>> {
    if let Some(tuple) = object.downcast_ref::<PyTuple>() {
        return Some(tuple.as_slice().to_vec());
    }
    object
        .downcast_ref::<PyList>()
        .map(|list| list.borrow_vec().to_vec())
}

/// Dimensions of a tensor of this rank, one or several.
pub(super) fn dims(object: &PyObject, rank: usize, vm: &VirtualMachine) -> PyResult<Vec<usize>> {
    let given = match items(object) {
        Some(items) => items
            .iter()
            .map(|it| whole(it, vm))
            .collect::<PyResult<Vec<i64>>>()?,
        None => vec![whole(object, vm)?],
    };
    given
        .into_iter()
        .map(|it| checked(shape::dim(it, rank), vm))
        .collect()
}

/// Refuses a dimension that is named twice.
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

/// A `torch.dtype`, if the argument is there and not None.
pub(super) fn dtype(object: Option<&PyObject>, vm: &VirtualMachine) -> PyResult<Option<DType>> {
    match object.filter(|it| !vm.is_none(it)) {
        None => Ok(None),
        Some(it) => match it.downcast_ref::<PyDType>() {
            Some(dtype) => Ok(Some(dtype.0)),
            None => Err(vm.new_type_error(format!(
                "dtype must be a torch.dtype such as torch.float32, not {}",
                it.class().name()
            ))),
        },
    }
}

/// A device, given as `torch.device`, text, ordinal, or left out.
pub(super) fn place(
    object: Option<&PyObject>,
    vm: &VirtualMachine,
) -> PyResult<Option<TensorDevice>> {
    let Some(object) = object.filter(|it| !vm.is_none(it)) else {
        return Ok(None);
    };
    let device = PyDevice::from_argument(object, vm)?;
    usable(device.place(), vm).map(Some)
}

/// The place, if this run has it.
pub(super) fn usable(place: TensorDevice, vm: &VirtualMachine) -> PyResult<TensorDevice> {
    match (place, engine(vm)?.has_card()) {
        (TensorDevice::Cpu, _) | (TensorDevice::Card(0), true) => Ok(place),
        (TensorDevice::Card(_), true) => Err(vm.new_runtime_error(
            "CUDA error: invalid device ordinal\nthis run has one card, cuda:0",
        )),
        (TensorDevice::Card(_), false) => Err(vm.new_runtime_error(
            "Found no NVIDIA driver on your system: this run is on the CPU, as on a laptop without a card. Choose a modelled card to go on (d in the lab, or --device model:t4)",
        )),
    }
}

/// `torch.Size` of a shape.
pub(super) fn size(shape: &Shape, vm: &VirtualMachine) -> PyResult {
    let sizes = shape.iter().map(|it| vm.ctx.new_int(*it).into()).collect();
    let tuple: PyObjectRef = vm.ctx.new_tuple(sizes).into();
    let class = context::current(vm)?.classes.borrow().size.clone();
    match class {
        Some(class) => class.call((tuple,), vm),
        None => Ok(tuple),
    }
}

/// A float or int of Python for one element.
pub(super) fn element(value: f64, dtype: DType, vm: &VirtualMachine) -> PyObjectRef {
    match dtype.category() {
        Category::Bool => vm.ctx.new_bool(value != 0.0).into(),
        Category::Int => vm.ctx.new_int(value as i64).into(),
        Category::Float => vm.ctx.new_float(value).into(),
    }
}

/// Values in row-major order as `f64`.
pub(super) fn values(value: &candle_core::Tensor) -> Result<Vec<f64>, TorchError> {
    let flat = value.flatten_all()?.to_dtype(candle_core::DType::F64)?;
    Ok(flat.to_vec1::<f64>()?)
}

/// Text, if the object is some.
pub(super) fn text(object: &PyObject) -> Option<String> {
    object
        .downcast_ref::<PyStr>()
        .map(|it| it.to_string_lossy().into_owned())
}
