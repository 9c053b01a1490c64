//! `torch.tensor(data)`: a tensor from numbers, nested lists and other tensors.

use super::options::Options;
use super::tensor::PyTensor;
use super::{arguments, convert};
use crate::dtype::{Category, DType, default_float};
use crate::engine::{Fill, default_dtype};
use crate::error::TorchError;
use crate::kernels::elementwise::in_range;
use crate::meta::Meta;
use crate::shape::Shape;
use candle_core::{Device, Tensor as Values};
use rustpython_vm::builtins::PyInt;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObject, PyResult, VirtualMachine};
use warpup_protocol::WaitCause;

/// `torch.tensor(values)`
pub(super) fn tensor(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let data = arguments::take(&mut args, "tensor", "data", vm)?;
    let options = Options::take(&mut args, "tensor", vm)?;
    from_values(&data, &options, vm)
}

/// A list of numbers as a tensor on the CPU.
pub(super) fn tensor_of(data: &PyObject, vm: &VirtualMachine) -> PyResult {
    from_values(data, &Options::CPU, vm)
}

fn from_values(data: &PyObject, options: &Options, vm: &VirtualMachine) -> PyResult {
    let mut elements = Elements {
        tensors_are_numbers: true,
        ..Elements::default()
    };
    let shape = elements.gather(data, 0, vm)?;
    let own = convert::array_or_scalar(data, vm).and(elements.array);
    let inferred = match (own, elements.kind, elements.float) {
        (Some(own), _, _) => own,
        (None, _, Some(float)) => float,
        (None, Some(kind), None) => default_dtype(kind),
        (None, None, None) => default_float(),
    };
    let dtype = options.dtype.unwrap_or(inferred);
    if dtype == DType::I64 && !elements.large.is_empty() {
        let make = |on: &Device| elements.whole(&shape, on);
        return options.finish(Meta::new(shape.clone(), dtype), &Fill::Values(&make), vm);
    }
    finished((elements.values, shape), inferred, options, vm)
}

/// The tensor on the CPU of nested lists, with NumPy's dtype for them.
pub(super) fn array_of(data: &PyObject, dtype: Option<DType>, vm: &VirtualMachine) -> PyResult {
    let mut elements = Elements::default();
    let shape = elements.gather(data, 0, vm)?;
    let inferred = elements.array.unwrap_or(DType::F64);
    finished(
        (elements.values, shape),
        inferred,
        &Options::on_cpu(dtype),
        vm,
    )
}

fn finished(
    (values, shape): (Vec<f64>, Shape),
    inferred: DType,
    options: &Options,
    vm: &VirtualMachine,
) -> PyResult {
    let dtype = options.dtype.unwrap_or(inferred);
    let meta = Meta::new(shape.clone(), dtype);
    let make = |on: &Device| stored(values.clone(), &shape, dtype, on);
    options.finish(meta, &Fill::Values(&make), vm)
}

/// The elements of nested lists, and what their dtype is inferred from.
#[derive(Default)]
struct Elements {
    values: Vec<f64>,
    /// The whole numbers that `f64` does not hold, with their places.
    large: Vec<(usize, i64)>,
    kind: Option<Category>,
    /// The dtype of a float tensor among the values, which decides.
    float: Option<DType>,
    /// The dtype that NumPy gives an array of them.
    array: Option<DType>,
    /// Whether a tensor inside a list stands for its only element, as in `torch.tensor`.
    tensors_are_numbers: bool,
}

impl Elements {
    /// Adds the elements of `data`, a value `depth` lists deep; returns its shape.
    fn gather(&mut self, data: &PyObject, depth: usize, vm: &VirtualMachine) -> PyResult<Shape> {
        if depth > 64 {
            let problem = "too many dimensions: a list of lists is at most 64 deep";
            return Err(vm.new_value_error(problem));
        }
        let array = convert::array_or_scalar(data, vm);
        if let Some(tensor) = array.as_deref().or_else(|| data.downcast_ref::<PyTensor>()) {
            self.values.extend(tensor.values(WaitCause::Item, vm)?);
            self.widen_by(tensor.tensor().dtype());
            if self.tensors_are_numbers && depth > 0 && array.is_none() {
                if tensor.tensor().meta().count() != 1 {
                    let problem = "only one element tensors can be converted to Python scalars";
                    return Err(vm.new_value_error(problem));
                }
                return Ok(vec![]);
            }
            return Ok(tensor.tensor().shape());
        }
        if let Some((number, kind)) = convert::number(data, vm) {
            self.promote(match kind {
                Category::Bool => DType::Bool,
                Category::Int => DType::I64,
                Category::Float => DType::F64,
            });
            if kind == Category::Int && number.abs() >= 2_f64.powi(64) {
                return Err(vm.new_value_error("Overflow when unpacking long long"));
            }
            if kind == Category::Int && number.abs() >= 2_f64.powi(53) {
                let exact = data.downcast_ref::<PyInt>();
                let exact = exact.and_then(|it| it.try_to_primitive::<i64>(vm).ok());
                self.large.extend(exact.map(|it| (self.values.len(), it)));
            }
            self.values.push(number);
            self.widen(kind);
            return Ok(vec![]);
        }
        let Some(items) = convert::sequence(data, vm)? else {
            return Err(match convert::text(data) {
                Some(_) if depth > 0 && self.values.is_empty() => {
                    vm.new_value_error("too many dimensions 'str'")
                }
                Some(_) => vm.new_type_error("new(): invalid data type 'str'"),
                None => vm
                    .new_runtime_error(format!("Could not infer dtype of {}", data.class().name())),
            });
        };
        let mut inner: Option<Shape> = None;
        for (at, item) in items.iter().enumerate() {
            let shape = self.gather(item, depth + 1, vm)?;
            match &inner {
                Some(first) if *first != shape => {
                    return Err(vm.new_value_error(match (first.first(), shape.first()) {
                        (Some(want), Some(got)) => format!(
                            "expected sequence of length {want} at dim {} (got {got})",
                            depth + 1
                        ),
                        _ => format!("item {at} has another depth than the ones before it"),
                    }));
                }
                Some(_) => {}
                None => inner = Some(shape),
            }
        }
        let mut shape = vec![items.len()];
        shape.extend(inner.unwrap_or_default());
        Ok(shape)
    }

    /// The elements as `int64`, in which large ones keep their last digits.
    fn whole(&self, shape: &[usize], on: &Device) -> Result<Values, TorchError> {
        let mut whole: Vec<i64> = self.values.iter().map(|it| *it as i64).collect();
        for (at, exact) in &self.large {
            if let Some(it) = whole.get_mut(*at) {
                *it = *exact;
            }
        }
        Ok(Values::from_vec(whole, shape, &Device::Cpu)?.to_device(on)?)
    }

    fn widen_by(&mut self, dtype: DType) {
        self.promote(dtype);
        self.widen(dtype.category());
        if dtype.is_float() {
            self.float = Some(dtype);
        }
    }

    fn promote(&mut self, dtype: DType) {
        let wide = self.array.map_or(dtype, |it| it.promote_as_numpy(dtype));
        self.array = Some(wide);
    }

    fn widen(&mut self, kind: Category) {
        self.kind = Some(self.kind.map_or(kind, |before| before.max(kind)));
    }
}

/// Values as candle stores this dtype. They are converted on the host, so that a card is sent no wider type.
pub(super) fn stored(
    values: Vec<f64>,
    shape: &[usize],
    dtype: DType,
    on: &Device,
) -> Result<Values, TorchError> {
    let wide = Values::from_vec(values, shape, &Device::Cpu)?;
    let stored = if dtype == DType::Bool {
        wide.ne(&wide.zeros_like()?)?
    } else {
        in_range(wide.to_dtype(dtype.stored())?, dtype)?
    };
    Ok(stored.to_device(on)?)
}
