//! Reading the elements of a tensor: `item()`, `tolist()`, `repr()`. Each waits for the device.

use super::context;
use super::convert::{checked, engine};
use super::tensor::PyTensor;
use crate::device::TensorDevice;
use crate::dtype::{Category, DType};
use crate::tensor::print;
use candle_core::DType as CandleDType;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
use warpup_protocol::WaitCause;

impl PyTensor {
    /// The only element as a whole number, for `__index__`.
    pub(super) fn whole(&self, vm: &VirtualMachine) -> PyResult<i64> {
        if self.tensor().dtype() == DType::I64 && self.tensor().meta().count() == 1 {
            return self.long(WaitCause::Item, vm);
        }
        let value = self.only(vm)?;
        if self.tensor().dtype().is_float() {
            return Err(vm.new_type_error(
                "only integer tensors of a single element can be converted to an index",
            ));
        }
        Ok(value as i64)
    }

    /// The only element of 64 bits, all of which count.
    fn long(&self, cause: WaitCause, vm: &VirtualMachine) -> PyResult<i64> {
        let engine = engine(vm)?;
        let read = engine
            .read(self.tensor(), cause)
            .and_then(|it| Ok(it.flatten_all()?.to_vec1::<i64>()?));
        if let Some(notice) = engine.missing_notice() {
            context::current(vm)?.remark(&notice, vm)?;
        }
        Ok(checked(read, vm)?.first().copied().unwrap_or_default())
    }

    /// The only element.
    pub(super) fn only(&self, vm: &VirtualMachine) -> PyResult<f64> {
        self.only_for(WaitCause::Item, vm)
    }

    /// The same; the cause is what waits for it.
    pub(super) fn only_for(&self, cause: WaitCause, vm: &VirtualMachine) -> PyResult<f64> {
        let count = self.tensor().meta().count();
        if count != 1 {
            return Err(vm.new_runtime_error(format!(
                "a Tensor with {count} elements cannot be converted to Scalar"
            )));
        }
        Ok(self.values(cause, vm)?.first().copied().unwrap_or(f64::NAN))
    }

    /// All elements in row-major order; the cause is what waits for them.
    pub(super) fn values(&self, cause: WaitCause, vm: &VirtualMachine) -> PyResult<Vec<f64>> {
        let engine = engine(vm)?;
        let read = engine.read(self.tensor(), cause).and_then(|it| {
            let flat = it.flatten_all()?.to_dtype(CandleDType::F64)?;
            Ok(flat.to_vec1::<f64>()?)
        });
        if let Some(notice) = engine.missing_notice() {
            context::current(vm)?.remark(&notice, vm)?;
        }
        checked(read, vm)
    }

    /// The only element as a number of Python's.
    pub(super) fn python_number(&self, cause: WaitCause, vm: &VirtualMachine) -> PyResult {
        if self.tensor().dtype() == DType::I64 && self.tensor().meta().count() == 1 {
            return Ok(vm.ctx.new_int(self.long(cause, vm)?).into());
        }
        let value = self.only_for(cause, vm)?;
        Ok(python_number(value, self.tensor().dtype(), vm))
    }

    /// All elements as nested lists.
    pub(super) fn nested_lists(&self, vm: &VirtualMachine) -> PyResult {
        let (values, tensor) = (self.values(WaitCause::Tolist, vm)?, self.tensor());
        Ok(nested(&tensor.shape(), &values, tensor.dtype(), vm))
    }

    /// What `repr()` gives, formatted as PyTorch does.
    pub(super) fn printed(&self, vm: &VirtualMachine) -> PyResult<String> {
        let meta = self.tensor().meta();
        let values = self.values(WaitCause::Print, vm)?;
        let printed = print::Printed {
            options: context::current(vm)?.print_options.get(),
            shape: &meta.shape,
            dtype: meta.dtype,
            device: match self.tensor().device() {
                TensorDevice::Cpu => None,
                card @ TensorDevice::Card(_) => Some(card.to_string()),
            },
            grad: match self.tensor().made_by() {
                Some(name) => Some(format!("grad_fn=<{name}>")),
                None if self.tensor().requires_grad() => Some("requires_grad=True".to_owned()),
                None => None,
            },
        };
        Ok(print::tensor(&printed, &values))
    }
}

/// An element as `bool`, `int` or `float`.
fn python_number(value: f64, dtype: DType, vm: &VirtualMachine) -> PyObjectRef {
    match dtype.category() {
        Category::Bool => vm.ctx.new_bool(value != 0.0).into(),
        Category::Int => vm.ctx.new_int(value as i64).into(),
        Category::Float => vm.ctx.new_float(value).into(),
    }
}

/// Values in row-major order as lists in lists.
fn nested(shape: &[usize], values: &[f64], dtype: DType, vm: &VirtualMachine) -> PyObjectRef {
    let Some((size, rest)) = shape.split_first() else {
        let only = values.first().copied().unwrap_or(f64::NAN);
        return python_number(only, dtype, vm);
    };
    let stride: usize = rest.iter().product();
    let rows = (0..*size)
        .map(|row| {
            let part = values
                .get(row * stride..(row + 1) * stride)
                .unwrap_or_default();
            nested(rest, part, dtype, vm)
        })
        .collect();
    vm.ctx.new_list(rows).into()
}
