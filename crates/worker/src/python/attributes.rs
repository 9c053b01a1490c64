//! The attributes of `torch.Tensor`, and the methods that ask for a property or for values. Methods that are
//! operations are installed by `methods`.

use super::arguments;
use super::context;
use super::convert::{self, apply, checked, engine};
use super::dtype_and_device::{self, PyDevice};
use super::nodes;
use super::tensor::PyTensor;
use crate::device::{Blocking, TensorDevice};
use crate::dtype::DType;
use crate::ops::{Op, ToCopy, View};
use crate::shape::Shape;
use crate::tensor::Tensor;
use rustpython_vm::builtins::PyType;
use rustpython_vm::class::StaticType;
use rustpython_vm::function::{FuncArgs, OptionalArg, PySetterValue};
use rustpython_vm::types::{
    AsMapping, AsNumber, AsSequence, Comparable, Constructor, Hashable, Iterable, Representable,
};
use rustpython_vm::{
    AsObject, Py, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass,
};
use warpup_protocol::WaitCause;

impl PyTensor {
    /// The gradient, if it has the size and the dtype of the tensor.
    fn fitting_grad(&self, grad: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Tensor> {
        let Some(grad) = grad.downcast_ref::<Self>() else {
            return Err(vm.new_type_error(format!(
                "assigned grad expected to be a Tensor or None but got grad of type {}",
                grad.class().name()
            )));
        };
        let (own, given) = (self.tensor().meta(), grad.tensor().meta());
        if own.dtype != given.dtype {
            return Err(vm.new_runtime_error(format!(
                "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match.",
                given.dtype.cpp_name(),
                own.dtype.scalar_name()
            )));
        }
        if own.shape != given.shape {
            return Err(vm.new_runtime_error(format!(
                "attempting to assign a gradient of size '{:?}' to a tensor of size '{:?}'. Please ensure that the gradient and the tensor are the same size",
                given.shape, own.shape
            )));
        }
        Ok(grad.tensor().clone())
    }

    /// Applies an operation to this tensor alone.
    pub(super) fn op(&self, op: impl Into<Op>, vm: &VirtualMachine) -> PyResult {
        apply(op, &[self.tensor()], vm)
    }

    /// The tensor with this dtype; the same tensor if it has it already.
    pub(super) fn cast(&self, to: DType, vm: &VirtualMachine) -> PyResult {
        if self.tensor().dtype() == to {
            return Ok(self.clone().into_pyobject(vm));
        }
        self.op(ToCopy::Cast(to), vm)
    }
}

impl Constructor for PyTensor {
    type Args = FuncArgs;

    /// Subclasses such as `nn.Parameter` wrap a tensor; `torch.Tensor(…)` itself is PyTorch's legacy constructor.
    fn py_new(cls: &Py<PyType>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        if cls.is(Self::static_type()) {
            vm.import("warpup._legacy", 0)?;
            let modules = vm.sys_module.get_attr("modules", vm)?;
            let constructor = modules
                .get_item("warpup._legacy", vm)?
                .get_attr("tensor", vm)?;
            let made = convert::tensor(&*constructor.call(args, vm)?, vm)?;
            return Ok(Self::from(made));
        }
        match args.take_positional_keyword("data") {
            Some(data) => {
                let tensor = convert::tensor(&data, vm)?;
                Ok(Self::from(tensor.detached(engine(vm)?.next_id())))
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
        Ok(zelf.tensor().id() as i64)
    }
}

#[pyclass(
    // Messages call classes that are made at run time, as PyTorch makes this one, without their module.
    flags(BASETYPE, HAS_DICT, HEAPTYPE),
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
    fn shape(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        size(&zelf.tensor().shape(), vm)
    }

    #[pygetset]
    fn dtype(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        dtype_and_device::dtype(zelf.tensor().dtype(), vm)
    }

    #[pygetset]
    fn device(zelf: &Py<Self>) -> PyDevice {
        PyDevice::of(zelf.tensor().device())
    }

    #[pygetset]
    fn ndim(zelf: &Py<Self>) -> usize {
        zelf.tensor().rank()
    }

    #[pygetset]
    fn is_cuda(zelf: &Py<Self>) -> bool {
        zelf.tensor().device() != TensorDevice::Cpu
    }

    #[pygetset]
    fn is_cpu(zelf: &Py<Self>) -> bool {
        zelf.tensor().device() == TensorDevice::Cpu
    }

    #[pygetset]
    fn is_leaf(zelf: &Py<Self>) -> bool {
        zelf.tensor().is_leaf()
    }

    #[pygetset]
    fn itemsize(zelf: &Py<Self>) -> u64 {
        zelf.tensor().dtype().size()
    }

    #[pygetset]
    fn nbytes(zelf: &Py<Self>) -> u64 {
        zelf.tensor().meta().bytes()
    }

    #[pygetset(name = "T")]
    fn transposed(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let order = (0..zelf.tensor().rank()).rev().collect();
        zelf.op(View::Permute(order), vm)
    }

    #[pygetset(name = "mT")]
    fn matrix_transposed(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let order = swapped_last(zelf.tensor().rank());
        zelf.op(View::Permute(order), vm)
    }

    #[pygetset]
    fn data(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let id = engine(vm)?.next_id();
        Ok(Self::from(zelf.tensor().data(id)).into_pyobject(vm))
    }

    #[pygetset(setter)]
    fn set_data(
        zelf: &Py<Self>,
        value: PySetterValue<PyRef<Self>>,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        match value {
            PySetterValue::Assign(other) => {
                if zelf.tensor().requires_grad() && !other.tensor().dtype().is_float() {
                    return Err(vm.new_runtime_error(
                        "data set to a tensor that requires gradients must be floating point or complex dtype",
                    ));
                }
                engine(vm)?.count_change(zelf.tensor());
                zelf.tensor().set_data(other.tensor());
                Ok(())
            }
            PySetterValue::Delete => Err(vm.new_type_error("a tensor keeps its data")),
        }
    }

    #[pygetset]
    fn grad(zelf: &Py<Self>) -> Option<Self> {
        zelf.tensor().grad().map(Self::from)
    }

    #[pygetset(setter)]
    fn set_grad(
        zelf: &Py<Self>,
        value: PySetterValue<PyObjectRef>,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        let grad = match value {
            PySetterValue::Assign(grad) if !vm.is_none(&grad) => Some(grad),
            PySetterValue::Assign(_) | PySetterValue::Delete => None,
        };
        let grad = grad.map(|it| zelf.fitting_grad(&it, vm)).transpose()?;
        zelf.tensor().set_grad(grad);
        Ok(())
    }

    #[pygetset]
    fn grad_fn(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        nodes::grad_fn(zelf.tensor(), vm)
    }

    #[pygetset]
    fn requires_grad(zelf: &Py<Self>) -> bool {
        zelf.tensor().requires_grad()
    }

    #[pygetset(setter)]
    fn set_requires_grad(
        zelf: &Py<Self>,
        value: PySetterValue<bool>,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        match value {
            PySetterValue::Assign(wanted) => {
                zelf.may_require(wanted, vm)?;
                checked(zelf.tensor().set_requires_grad(wanted), vm)
            }
            PySetterValue::Delete => Ok(()),
        }
    }

    /// PyTorch's refusal of a gradient for what was made inside `torch.inference_mode`.
    fn may_require(&self, wanted: bool, vm: &VirtualMachine) -> PyResult<()> {
        if wanted && self.tensor().is_inference() && !engine(vm)?.inference_mode() {
            return Err(vm.new_runtime_error(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
            ));
        }
        Ok(())
    }

    pub(super) fn requires_grad_(
        zelf: PyRef<Self>,
        wanted: OptionalArg<bool>,
        vm: &VirtualMachine,
    ) -> PyResult {
        let wanted = wanted.unwrap_or(true);
        if wanted && !zelf.tensor().dtype().is_float() {
            // The message of this method is not that of the property.
            return Err(
                vm.new_runtime_error("only Tensors of floating point dtype can require gradients")
            );
        }
        zelf.may_require(wanted, vm)?;
        checked(zelf.tensor().set_requires_grad(wanted), vm)?;
        Ok(zelf.into())
    }

    pub(super) fn size(&self, dim: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        let shape = self.tensor().shape();
        match dim.present().filter(|it| !vm.is_none(it)) {
            None => size(&shape, vm),
            Some(dim) => {
                let at = convert::dim(&dim, shape.len(), vm)?;
                Ok(vm.ctx.new_int(shape.get(at).copied().unwrap_or(1)).into())
            }
        }
    }

    #[pymethod]
    fn dim(zelf: &Py<Self>) -> usize {
        zelf.tensor().rank()
    }

    #[pymethod]
    fn numel(zelf: &Py<Self>) -> u64 {
        zelf.tensor().meta().count()
    }

    #[pymethod]
    fn nelement(zelf: &Py<Self>) -> u64 {
        Self::numel(zelf)
    }

    #[pymethod]
    fn element_size(zelf: &Py<Self>) -> u64 {
        zelf.tensor().dtype().size()
    }

    #[pymethod]
    fn is_floating_point(zelf: &Py<Self>) -> bool {
        zelf.tensor().dtype().is_float()
    }

    #[pygetset]
    fn retains_grad(zelf: &Py<Self>) -> bool {
        zelf.tensor().retains_grad()
    }

    /// The version counter: how many in-place operations have written to it.
    #[pygetset(name = "_version")]
    fn version(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<u64> {
        if zelf.tensor().is_inference() {
            return Err(vm.new_runtime_error("Inference tensors do not track version counter."));
        }
        Ok(zelf.tensor().state().version())
    }

    #[pygetset(name = "_base")]
    fn base(zelf: &Py<Self>) -> Option<Self> {
        zelf.tensor().base().map(|it| Self::from(it.clone()))
    }

    pub(super) fn stride(&self, dim: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        let strides = self.tensor().state().strides();
        let number = |it: &usize| vm.ctx.new_int(*it).into();
        match dim.present().filter(|it| !vm.is_none(it)) {
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
    fn storage_offset(zelf: &Py<Self>) -> usize {
        zelf.tensor().state().offset()
    }

    /// A number in place of the address: equal for equal memory, but not an address.
    #[pymethod]
    fn data_ptr(zelf: &Py<Self>) -> u64 {
        let state = zelf.tensor().state();
        state.address() + state.offset() as u64 * state.meta.dtype.size()
    }

    /// All memory of the tensor as a tensor, for `storage()`.
    #[pymethod]
    fn _whole_storage(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let id = engine(vm)?.next_id();
        Ok(Self::from(zelf.tensor().whole(id)).into_pyobject(vm))
    }

    pub(super) fn is_contiguous(&self) -> bool {
        self.tensor().state().is_contiguous()
    }

    #[pymethod]
    fn is_pinned(zelf: &Py<Self>) -> bool {
        zelf.tensor().state().pinned.is_some()
    }

    #[pymethod]
    fn item(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        zelf.python_number(WaitCause::Item, vm)
    }

    #[pymethod]
    fn tolist(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        zelf.nested_lists(vm)
    }

    /// `numpy(force=False)`: an array that shares the memory.
    #[pymethod]
    fn numpy(zelf: &Py<Self>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let force = arguments::is_set(args.take_keyword("force"), vm)?;
        let tensor = if force {
            let on_cpu = engine(vm)?.copy(zelf.tensor(), TensorDevice::Cpu, Blocking::Yes);
            checked(on_cpu, vm)?
        } else {
            zelf.tensor().clone()
        };
        if let card @ TensorDevice::Card(_) = tensor.device() {
            return Err(vm.new_type_error(format!(
                "can't convert {card} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
            )));
        }
        if tensor.requires_grad() && !force {
            return Err(vm.new_runtime_error(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
            ));
        }
        if tensor.dtype() == DType::BF16 {
            return Err(vm.new_type_error("Got unsupported ScalarType BFloat16"));
        }
        // Writes of NumPy do not count as versions, so it shares the memory as `.data` does.
        let data = Self::from(tensor.data(engine(vm)?.next_id()));
        let module = vm.import("numpy", 0)?;
        let wrap = module.get_attr("ndarray", vm)?.get_attr("_of", vm)?;
        wrap.call((data.into_pyobject(vm),), vm)
    }

    #[pymethod]
    fn __format__(zelf: PyRef<Self>, spec: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let is_tensor = zelf.class().is(Self::class(&vm.ctx));
        if zelf.tensor().rank() == 0 && is_tensor {
            let item = zelf.python_number(WaitCause::Print, vm)?;
            return vm.call_method(&item, "__format__", (spec,));
        }
        // A parameter says that it is one, as when it is printed.
        let object = vm.ctx.types.object_type.as_object();
        object
            .get_attr("__format__", vm)?
            .call((PyObjectRef::from(zelf), spec), vm)
    }
}

/// A shape as `torch.Size`.
fn size(shape: &Shape, vm: &VirtualMachine) -> PyResult {
    let sizes = shape.iter().map(|it| vm.ctx.new_int(*it).into()).collect();
    let tuple: PyObjectRef = vm.ctx.new_tuple(sizes).into();
    let class = context::current(vm)?.classes.borrow().size.clone();
    match class {
        Some(class) => class.call((tuple,), vm),
        None => Ok(tuple),
    }
}

/// The dimensions in order, with the last two swapped.
fn swapped_last(rank: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    if let Some(before_last) = rank.checked_sub(2) {
        order.swap(before_last, rank - 1);
    }
    order
}
