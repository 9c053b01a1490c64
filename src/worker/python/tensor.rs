//! `torch.Tensor`: what Python sees of a tensor.

use super::convert::{self, checked, engine, raised, wrapped};
use super::index;
use super::kinds::{PyDType, PyDevice};
use crate::worker::device::TensorDevice;
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::ops::{Op, ToCopy, View};
use crate::worker::tensor::Tensor;
use crate::worker::tensor::print;
use rustpython_vm::builtins::PyType;
use rustpython_vm::function::{FuncArgs, OptionalArg, PySetterValue};
use rustpython_vm::types::{
    AsMapping, AsNumber, AsSequence, Comparable, Constructor, Hashable, Iterable, Representable,
};
use rustpython_vm::{
    Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass,
};

/// A tensor as methods get it.
pub(super) type This = PyRef<PyTensor>;

/// A tensor as Python holds it.
#[pyclass(module = "torch", name = "Tensor")]
#[derive(Clone, Debug, PyPayload)]
pub(super) struct PyTensor {
    tensor: Tensor,
}

impl From<Tensor> for PyTensor {
    fn from(tensor: Tensor) -> Self {
        Self { tensor }
    }
}

impl PyTensor {
    /// The engine's tensor.
    pub(super) fn tensor(&self) -> &Tensor {
        &self.tensor
    }

    /// The only element, as a whole number.
    pub(super) fn whole(&self, vm: &VirtualMachine) -> PyResult<i64> {
        let value = self.only(vm)?;
        if self.tensor.dtype().is_float() {
            return Err(vm.new_type_error(
                "only integer tensors of a single element can be converted to an index",
            ));
        }
        Ok(value as i64)
    }

    /// The only element; asks the device for it.
    pub(super) fn only(&self, vm: &VirtualMachine) -> PyResult<f64> {
        let count = self.tensor.meta().count();
        if count != 1 {
            return Err(vm.new_runtime_error(format!(
                "a Tensor with {count} elements cannot be converted to Scalar"
            )));
        }
        Ok(self.values(vm)?.first().copied().unwrap_or(f64::NAN))
    }

    /// All elements in row-major order; asks the device for them.
    pub(super) fn values(&self, vm: &VirtualMachine) -> PyResult<Vec<f64>> {
        let read = engine(vm)?
            .read(&self.tensor)
            .and_then(|it| convert::values(&it));
        checked(read, vm)
    }

    /// An operation on this tensor.
    pub(super) fn op(&self, op: impl Into<Op>, vm: &VirtualMachine) -> PyResult {
        wrapped(engine(vm)?.apply(op, &[&self.tensor]), vm)
    }

    /// The tensor in another type; itself if it has it already.
    pub(super) fn cast(&self, to: DType, vm: &VirtualMachine) -> PyResult {
        if self.tensor.dtype() == to {
            return Ok(Self::from(self.tensor.clone()).into_pyobject(vm));
        }
        self.op(ToCopy::Cast(to), vm)
    }

    /// The text of the tensor, with its values as PyTorch prints them.
    fn printed(&self, vm: &VirtualMachine) -> PyResult<String> {
        let meta = self.tensor.meta();
        let values = self.values(vm)?;
        let what = print::Printed {
            shape: &meta.shape,
            dtype: meta.dtype,
            device: match self.tensor.place() {
                TensorDevice::Cpu => None,
                card @ TensorDevice::Card(_) => Some(card.to_string()),
            },
            grad: match self.tensor.made_by() {
                Some(name) => Some(format!("grad_fn=<{name}>")),
                None if self.tensor.requires_grad() => Some("requires_grad=True".to_owned()),
                None => None,
            },
        };
        Ok(print::tensor(&what, &values))
    }
}

impl Constructor for PyTensor {
    type Args = FuncArgs;

    /// Only for subclasses such as `nn.Parameter`, which take a tensor over.
    fn py_new(_cls: &Py<PyType>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        match args.take_positional() {
            Some(data) => {
                let tensor = convert::tensor(&data, vm)?;
                let engine = engine(vm)?;
                let taken = tensor.detached(engine.next_id());
                Ok(Self::from(taken))
            }
            None => Err(vm.new_type_error("use torch.tensor(…) to make a tensor from values")),
        }
    }
}

impl Representable for PyTensor {
    fn repr_str(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<String> {
        zelf.printed(vm)
    }
}

impl Hashable for PyTensor {
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<i64> {
        Ok(zelf.tensor.id() as i64)
    }
}

#[pyclass(
    flags(BASETYPE, HAS_DICT),
    with(
        Constructor,
        Representable,
        Hashable,
        Comparable,
        AsNumber,
        AsMapping,
        AsSequence,
        Iterable
    )
)]
impl PyTensor {
    #[pygetset]
    fn shape(&self, vm: &VirtualMachine) -> PyResult {
        convert::size(&self.tensor.shape(), vm)
    }

    #[pygetset]
    fn dtype(&self) -> PyDType {
        PyDType(self.tensor.dtype())
    }

    #[pygetset]
    fn device(&self) -> PyDevice {
        PyDevice::of(self.tensor.place())
    }

    #[pygetset]
    fn ndim(&self) -> usize {
        self.tensor.rank()
    }

    #[pygetset]
    fn is_cuda(&self) -> bool {
        self.tensor.place() != TensorDevice::Cpu
    }

    #[pygetset]
    fn is_cpu(&self) -> bool {
        self.tensor.place() == TensorDevice::Cpu
    }

    #[pygetset]
    fn is_leaf(&self) -> bool {
        self.tensor.is_leaf()
    }

    #[pygetset]
    fn itemsize(&self) -> u64 {
        self.tensor.dtype().size()
    }

    #[pygetset]
    fn nbytes(&self) -> u64 {
        self.tensor.meta().bytes()
    }

    #[pygetset(name = "T")]
    fn transposed(&self, vm: &VirtualMachine) -> PyResult {
        let order = (0..self.tensor.rank()).rev().collect();
        self.op(View::Permute(order), vm)
    }

    #[pygetset(name = "mT")]
    fn matrix_transposed(&self, vm: &VirtualMachine) -> PyResult {
        let order = swapped_last(self.tensor.rank());
        self.op(View::Permute(order), vm)
    }

    #[pygetset]
    fn data(&self, vm: &VirtualMachine) -> PyResult {
        let id = engine(vm)?.next_id();
        Ok(Self::from(self.tensor.data(id)).into_pyobject(vm))
    }

    #[pygetset(setter)]
    fn set_data(&self, value: PySetterValue<PyRef<Self>>, vm: &VirtualMachine) -> PyResult<()> {
        match value {
            PySetterValue::Assign(other) => {
                if self.tensor.requires_grad() && !other.tensor.dtype().is_float() {
                    return Err(vm.new_runtime_error(
                        "data set to a tensor that requires gradients must be floating point or complex dtype",
                    ));
                }
                self.tensor.set_data(&other.tensor);
                Ok(())
            }
            PySetterValue::Delete => Err(vm.new_type_error("a tensor keeps its data")),
        }
    }

    #[pygetset]
    fn grad(&self) -> Option<Self> {
        self.tensor.grad().map(Self::from)
    }

    #[pygetset(setter)]
    fn set_grad(&self, value: PySetterValue<Option<PyRef<Self>>>) {
        let grad = match value {
            PySetterValue::Assign(grad) => grad.map(|it| it.tensor.clone()),
            PySetterValue::Delete => None,
        };
        self.tensor.set_grad(grad);
    }

    #[pygetset]
    fn grad_fn(&self) -> Option<String> {
        self.tensor.made_by().map(|name| format!("<{name}>"))
    }

    #[pygetset]
    fn requires_grad(&self) -> bool {
        self.tensor.requires_grad()
    }

    #[pygetset(setter)]
    fn set_requires_grad(&self, value: PySetterValue<bool>, vm: &VirtualMachine) -> PyResult<()> {
        match value {
            PySetterValue::Assign(wanted) => checked(self.tensor.set_requires_grad(wanted), vm),
            PySetterValue::Delete => Ok(()),
        }
    }

    #[pymethod]
    fn requires_grad_(
        zelf: PyRef<Self>,
        wanted: OptionalArg<bool>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let wanted = wanted.unwrap_or(true);
        if wanted && !zelf.tensor.dtype().is_float() {
            // This one has words of its own.
            return Err(
                vm.new_runtime_error("only Tensors of floating point dtype can require gradients")
            );
        }
        checked(zelf.tensor.set_requires_grad(wanted), vm)?;
        Ok(zelf.into())
    }

    #[pymethod]
    fn size(&self, dim: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        let shape = self.tensor.shape();
        match dim.present().filter(|it| !vm.is_none(it)) {
            None => convert::size(&shape, vm),
            Some(dim) => {
                let at = convert::dim(&dim, shape.len(), vm)?;
                Ok(vm.ctx.new_int(shape.get(at).copied().unwrap_or(1)).into())
            }
        }
    }

    #[pymethod]
    fn dim(&self) -> usize {
        self.tensor.rank()
    }

    #[pymethod]
    fn numel(&self) -> u64 {
        self.tensor.meta().count()
    }

    #[pymethod]
    fn nelement(&self) -> u64 {
        self.numel()
    }

    #[pymethod]
    fn element_size(&self) -> u64 {
        self.tensor.dtype().size()
    }

    #[pymethod]
    fn is_floating_point(&self) -> bool {
        self.tensor.dtype().is_float()
    }

    #[pygetset]
    fn retains_grad(&self) -> bool {
        self.tensor.retains_grad()
    }

    /// How often it has been changed in place.
    #[pygetset(name = "_version")]
    fn version(&self) -> u64 {
        self.tensor.state().version()
    }

    #[pygetset(name = "_base")]
    fn base(&self) -> Option<Self> {
        self.tensor.base().map(|it| Self::from(it.clone()))
    }

    #[pymethod]
    fn stride(&self, dim: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        let strides = self.tensor.state().strides();
        let number = |it: &usize| vm.ctx.new_int(*it).into();
        match dim.present() {
            None => Ok(vm
                .ctx
                .new_tuple(strides.iter().map(number).collect())
                .into()),
            Some(dim) => {
                let at = convert::dim(&dim, strides.len(), vm)?;
                Ok(number(strides.get(at).unwrap_or(&1)))
            }
        }
    }

    #[pymethod]
    fn storage_offset(&self) -> usize {
        self.tensor.state().offset()
    }

    /// Memory has no address here; but the same memory has the same one.
    #[pymethod]
    fn data_ptr(&self) -> u64 {
        let state = self.tensor.state();
        state.address() + state.offset() as u64 * state.meta.dtype.size()
    }

    #[pymethod]
    fn is_contiguous(&self) -> bool {
        self.tensor.state().is_contiguous()
    }

    #[pymethod]
    fn is_pinned(&self) -> bool {
        self.tensor.state().pinned.is_some()
    }

    #[pymethod]
    fn item(&self, vm: &VirtualMachine) -> PyResult {
        Ok(convert::element(self.only(vm)?, self.tensor.dtype(), vm))
    }

    #[pymethod]
    fn tolist(&self, vm: &VirtualMachine) -> PyResult {
        let values = self.values(vm)?;
        Ok(nested(
            &self.tensor.shape(),
            &values,
            self.tensor.dtype(),
            vm,
        ))
    }

    #[pymethod]
    #[expect(clippy::unused_self, reason = "it is a method in Python")]
    fn numpy(&self, vm: &VirtualMachine) -> PyResult {
        Err(raised(
            TorchError::missing(
                "NumPy is not part of warpup; use .tolist() for Python numbers. In PyTorch a tensor on a card has to come to the CPU first: .cpu().numpy()",
            ),
            vm,
        ))
    }

    #[pymethod]
    fn __format__(&self, spec: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let empty = convert::text(&spec).is_none_or(|it| it.is_empty());
        if self.tensor.rank() == 0 {
            let item = self.item(vm)?;
            return vm.call_method(&item, "__format__", (spec,));
        }
        if empty {
            return Ok(vm.ctx.new_str(self.printed(vm)?).into());
        }
        Err(vm.new_type_error("unsupported format string passed to Tensor.__format__"))
    }
}

impl PyTensor {
    /// `x[…]`
    pub(super) fn picked(&self, key: &PyObject, vm: &VirtualMachine) -> PyResult {
        index::pick(&self.tensor, key, vm)
    }
}

/// Values as lists in lists.
fn nested(shape: &[usize], values: &[f64], dtype: DType, vm: &VirtualMachine) -> PyObjectRef {
    let Some((size, rest)) = shape.split_first() else {
        let only = values.first().copied().unwrap_or(f64::NAN);
        return convert::element(only, dtype, vm);
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

/// All dimensions in order, the last two exchanged.
fn swapped_last(rank: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    if let Some(before_last) = rank.checked_sub(2) {
        order.swap(before_last, rank - 1);
    }
    order
}
