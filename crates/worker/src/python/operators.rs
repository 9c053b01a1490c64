//! Python's operators on tensors: arithmetic, comparison, `@`, indexing, iteration, truth.

use super::arithmetic::{arithmetic, compared};
use super::convert::apply;
use super::tensor::PyTensor;
use super::{in_place, index, pointwise};
use crate::dtype::DType;
use crate::ops::{Binary, Compare, MatMul, Unary};
use rustpython_vm::function::{Either, PyComparisonValue};
use rustpython_vm::protocol::{PyMappingMethods, PyNumberMethods, PySequenceMethods};
use rustpython_vm::types::{AsMapping, AsNumber, AsSequence, Comparable, Iterable, PyComparisonOp};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine};
use warpup_protocol::WaitCause;

impl AsNumber for PyTensor {
    fn as_number() -> &'static PyNumberMethods {
        static METHODS: PyNumberMethods = PyNumberMethods {
            add: Some(|a, b, vm| arithmetic(Binary::Add, a, b, vm)),
            subtract: Some(|a, b, vm| arithmetic(Binary::Sub, a, b, vm)),
            multiply: Some(|a, b, vm| arithmetic(Binary::Mul, a, b, vm)),
            true_divide: Some(|a, b, vm| arithmetic(Binary::Div, a, b, vm)),
            floor_divide: Some(|a, b, vm| arithmetic(Binary::FloorDivide, a, b, vm)),
            remainder: Some(|a, b, vm| arithmetic(Binary::Remainder, a, b, vm)),
            power: Some(|a, b, _modulus, vm| arithmetic(Binary::Pow, a, b, vm)),
            matrix_multiply: Some(|a, b, vm| {
                match (a.downcast_ref::<PyTensor>(), b.downcast_ref::<PyTensor>()) {
                    (Some(a), Some(b)) => apply(MatMul::MatMul, &[a.tensor(), b.tensor()], vm),
                    _ => Ok(vm.ctx.not_implemented()),
                }
            }),
            inplace_add: Some(|a, b, vm| in_place::operator(Binary::Add, a, b, vm)),
            inplace_subtract: Some(|a, b, vm| in_place::operator(Binary::Sub, a, b, vm)),
            inplace_multiply: Some(|a, b, vm| in_place::operator(Binary::Mul, a, b, vm)),
            inplace_true_divide: Some(|a, b, vm| in_place::operator(Binary::Div, a, b, vm)),
            negative: Some(|it, vm| PyTensor::number_downcast(it).op(Unary::Neg, vm)),
            absolute: Some(|it, vm| PyTensor::number_downcast(it).op(Unary::Abs, vm)),
            invert: Some(|it, vm| pointwise::inverted(PyTensor::number_downcast(it), vm)),
            positive: Some(|it, vm| positive(PyTensor::number_downcast(it), vm)),
            and: Some(|a, b, vm| arithmetic(Binary::BitwiseAnd, a, b, vm)),
            or: Some(|a, b, vm| arithmetic(Binary::BitwiseOr, a, b, vm)),
            xor: Some(|a, b, vm| arithmetic(Binary::BitwiseXor, a, b, vm)),
            lshift: Some(|a, b, vm| arithmetic(Binary::LeftShift, a, b, vm)),
            rshift: Some(|a, b, vm| arithmetic(Binary::RightShift, a, b, vm)),
            boolean: Some(|it, vm| truth(PyTensor::number_downcast(it), vm)),
            float: Some(|it, vm| {
                let value = scalar(PyTensor::number_downcast(it), vm)?;
                Ok(vm.ctx.new_float(value).into())
            }),
            int: Some(|it, vm| {
                let it = PyTensor::number_downcast(it);
                let value = scalar(it, vm)?;
                if it.tensor().dtype() == DType::I64 {
                    return Ok(vm.ctx.new_int(it.whole(vm)?).into());
                }
                Ok(vm.ctx.new_int(value as i64).into())
            }),
            index: Some(|it, vm| {
                let value = PyTensor::number_downcast(it).whole(vm)?;
                Ok(vm.ctx.new_int(value).into())
            }),
            ..PyNumberMethods::NOT_IMPLEMENTED
        };
        &METHODS
    }
}

/// `+x`: the tensor itself, but for truths, which have no sign.
fn positive(zelf: &Py<PyTensor>, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().dtype() == DType::Bool {
        return Err(
            vm.new_not_implemented_error("The `+` operator, on a bool tensor is not supported.")
        );
    }
    Ok(zelf.to_owned().into())
}

/// The only element, for `float()` and `int()`.
fn scalar(zelf: &Py<PyTensor>, vm: &VirtualMachine) -> PyResult<f64> {
    if zelf.tensor().meta().count() != 1 {
        return Err(
            vm.new_value_error("only one element tensors can be converted to Python scalars")
        );
    }
    zelf.only(vm)
}

/// `value in tensor`
fn contains(zelf: &Py<PyTensor>, value: &PyObject, vm: &VirtualMachine) -> PyResult<bool> {
    let Some(hits) = compared(Compare::Eq, zelf.tensor(), value, vm)? else {
        return Err(vm.new_runtime_error(format!(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a {}.",
            value.class().as_object().repr(vm)?
        )));
    };
    let hits = PyTensor::from(hits).values(WaitCause::Item, vm)?;
    Ok(hits.into_iter().any(|it| it != 0.0))
}

impl AsSequence for PyTensor {
    fn as_sequence() -> &'static PySequenceMethods {
        static METHODS: PySequenceMethods = PySequenceMethods {
            contains: Some(|it, value, vm| contains(PyTensor::sequence_downcast(it), value, vm)),
            ..PySequenceMethods::NOT_IMPLEMENTED
        };
        &METHODS
    }
}

fn truth(zelf: &Py<PyTensor>, vm: &VirtualMachine) -> PyResult<bool> {
    match zelf.tensor().meta().count() {
        1 => Ok(zelf.only_for(WaitCause::Branch, vm)? != 0.0),
        0 => Err(vm.new_runtime_error("Boolean value of Tensor with no values is ambiguous")),
        _ => {
            Err(vm
                .new_runtime_error("Boolean value of Tensor with more than one value is ambiguous"))
        }
    }
}

impl Comparable for PyTensor {
    fn slot_richcompare(
        zelf: &PyObject,
        other: &PyObject,
        op: PyComparisonOp,
        vm: &VirtualMachine,
    ) -> PyResult<Either<PyObjectRef, PyComparisonValue>> {
        let how = match op {
            PyComparisonOp::Eq => Compare::Eq,
            PyComparisonOp::Ne => Compare::Ne,
            PyComparisonOp::Lt => Compare::Lt,
            PyComparisonOp::Le => Compare::Le,
            PyComparisonOp::Gt => Compare::Gt,
            PyComparisonOp::Ge => Compare::Ge,
        };
        let Some(a) = zelf.downcast_ref::<Self>() else {
            return Ok(Either::B(PyComparisonValue::NotImplemented));
        };
        Ok(match compared(how, a.tensor(), other, vm)? {
            Some(result) => Either::A(Self::from(result).into_pyobject(vm)),
            None => Either::B(PyComparisonValue::NotImplemented),
        })
    }

    fn cmp(
        _zelf: &Py<Self>,
        _other: &PyObject,
        _op: PyComparisonOp,
        _vm: &VirtualMachine,
    ) -> PyResult<PyComparisonValue> {
        Ok(PyComparisonValue::NotImplemented)
    }
}

impl AsMapping for PyTensor {
    fn as_mapping() -> &'static PyMappingMethods {
        static METHODS: PyMappingMethods = PyMappingMethods {
            length: Some(
                |it, vm| match PyTensor::mapping_downcast(it).tensor().shape().first() {
                    Some(size) => Ok(*size),
                    None => Err(vm.new_type_error("len() of a 0-d tensor")),
                },
            ),
            subscript: Some(|it, key, vm| PyTensor::mapping_downcast(it).picked(key, vm)),
            ass_subscript: Some(|it, key, value, vm| {
                let tensor = PyTensor::mapping_downcast(it).tensor();
                match value {
                    Some(value) => index::put(tensor, key, &value, vm),
                    None => Err(vm.new_type_error("Tensor does not support deleting items")),
                }
            }),
        };
        &METHODS
    }
}

impl Iterable for PyTensor {
    fn iter(zelf: rustpython_vm::PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        let Some(size) = zelf.tensor().shape().first().copied() else {
            return Err(vm.new_type_error("iteration over a 0-d tensor"));
        };
        let rows: PyResult<Vec<PyObjectRef>> = (0..size)
            .map(|row| zelf.picked(vm.ctx.new_int(row).as_object(), vm))
            .collect();
        let list: PyObjectRef = vm.ctx.new_list(rows?).into();
        Ok(list.get_iter(vm)?.into())
    }
}
