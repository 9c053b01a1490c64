//! `torch.Tensor`: what Python sees of a tensor.

use super::convert::{self, checked, engine, raised, wrapped};
use super::kinds::{PyDType, PyDevice};
use super::{index, reduce};
use crate::worker::device::Place;
use crate::worker::device::model::Waits;
use crate::worker::tensor::Tensor;
use crate::worker::tensor::dtype::DType;
use crate::worker::tensor::fault::Fault;
use crate::worker::tensor::op::{Meta, Op, Unary, View};
use crate::worker::tensor::{backward, print, shape};
use rustpython_vm::builtins::PyType;
use rustpython_vm::function::{FuncArgs, OptionalArg, PySetterValue};
use rustpython_vm::types::{
    AsMapping, AsNumber, Comparable, Constructor, Hashable, Iterable, Representable,
};
use rustpython_vm::{
    AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass,
};

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

    fn op(&self, op: Op, vm: &VirtualMachine) -> PyResult {
        wrapped(engine(vm)?.apply(op, &[&self.tensor]), vm)
    }

    fn viewed(&self, shape: Result<shape::Shape, Fault>, vm: &VirtualMachine) -> PyResult {
        let shape = checked(shape, vm)?;
        self.op(Op::View(View::Reshape(shape)), vm)
    }

    fn moved(&self, to: Place, waits: Waits, vm: &VirtualMachine) -> PyResult {
        wrapped(engine(vm)?.copy(&self.tensor, to, waits), vm)
    }

    fn cast(&self, to: DType, vm: &VirtualMachine) -> PyResult {
        if self.tensor.dtype() == to {
            return Ok(Self::from(self.tensor.clone()).into_pyobject(vm));
        }
        self.op(Op::Cast(to), vm)
    }

    /// The text of the tensor, with its values as PyTorch prints them.
    fn printed(&self, vm: &VirtualMachine) -> PyResult<String> {
        let meta = self.tensor.meta();
        let values = self.values(vm)?;
        let what = print::Printed {
            shape: &meta.shape,
            dtype: meta.dtype,
            device: match self.tensor.place() {
                Place::Cpu => None,
                card @ Place::Card(_) => Some(card.to_string()),
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
        self.tensor.place() != Place::Cpu
    }

    #[pygetset]
    fn is_cpu(&self) -> bool {
        self.tensor.place() == Place::Cpu
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
        self.op(Op::View(View::Permute(order)), vm)
    }

    #[pygetset(name = "mT")]
    fn matrix_transposed(&self, vm: &VirtualMachine) -> PyResult {
        self.swap(-2, -1, vm)
    }

    #[pygetset]
    fn data(&self, vm: &VirtualMachine) -> PyResult {
        self.detach(vm)
    }

    #[pygetset(setter)]
    fn set_data(&self, value: PySetterValue<PyRef<Self>>, vm: &VirtualMachine) -> PyResult<()> {
        match value {
            PySetterValue::Assign(other) => {
                self.tensor.become_like(&other.tensor);
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
        checked(zelf.tensor.set_requires_grad(wanted.unwrap_or(true)), vm)?;
        Ok(zelf.into())
    }

    #[pymethod]
    fn backward(&self, gradient: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult<()> {
        let seed = match gradient.present().filter(|it| !vm.is_none(it)) {
            Some(it) => Some(convert::tensor(&it, vm)?),
            None => None,
        };
        checked(backward(&*engine(vm)?, &self.tensor, seed.as_ref()), vm)
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

    #[pymethod]
    fn is_contiguous(&self) -> bool {
        self.tensor
            .state()
            .value
            .as_ref()
            .is_none_or(candle_core::Tensor::is_contiguous)
    }

    #[pymethod]
    fn is_pinned(&self) -> bool {
        self.tensor.state().pinned
    }

    #[pymethod]
    fn pin_memory(&self, vm: &VirtualMachine) -> PyResult {
        if self.tensor.place() != Place::Cpu {
            return Err(vm.new_runtime_error(format!(
                "cannot pin 'torch.cuda.{}Tensor' only dense CPU tensors can be pinned",
                self.tensor.dtype().scalar_name()
            )));
        }
        let copy = checked(engine(vm)?.apply(Op::Clone, &[&self.tensor]), vm)?;
        let mut state = copy.state().clone();
        state.pinned = true;
        Ok(Self::from(Tensor::new(engine(vm)?.next_id(), state)).into_pyobject(vm))
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
    fn numpy(&self, vm: &VirtualMachine) -> PyResult {
        Err(raised(
            Fault::missing(
                "NumPy is not part of warpup; use .tolist() for Python numbers. In PyTorch a tensor on a card has to come to the CPU first: .cpu().numpy()",
            ),
            vm,
        ))
    }

    #[pymethod]
    fn detach(&self, vm: &VirtualMachine) -> PyResult {
        let id = engine(vm)?.next_id();
        Ok(Self::from(self.tensor.detached(id)).into_pyobject(vm))
    }

    #[pymethod]
    fn clone(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Clone, vm)
    }

    #[pymethod]
    fn contiguous(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        if zelf.is_contiguous() {
            Ok(zelf.into())
        } else {
            zelf.op(Op::Clone, vm)
        }
    }

    #[pymethod]
    fn cpu(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        if zelf.tensor.place() == Place::Cpu {
            return Ok(zelf.into());
        }
        zelf.moved(Place::Cpu, Waits::Yes, vm)
    }

    #[pymethod]
    fn cuda(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        let to = convert::usable(Place::Card(0), vm)?;
        if zelf.tensor.place() == to {
            return Ok(zelf.into());
        }
        zelf.moved(to, Waits::Yes, vm)
    }

    /// `to(device)`, `to(dtype)`, `to(device, dtype)`, `to(other)`, each with `non_blocking`.
    #[pymethod]
    fn to(zelf: PyRef<Self>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let mut place = convert::place(args.take_keyword("device").as_deref(), vm)?;
        let mut dtype = convert::dtype(args.take_keyword("dtype").as_deref(), vm)?;
        let mut waits = Waits::Yes;
        if let Some(it) = args.take_keyword("non_blocking")
            && it.try_to_bool(vm)?
        {
            waits = Waits::No;
        }
        drop(args.take_keyword("copy"));
        if let Some(name) = args.kwargs.keys().next() {
            return Err(
                vm.new_type_error(format!("to() got an unexpected keyword argument '{name}'"))
            );
        }
        for (at, argument) in args.args.iter().enumerate() {
            if let Some(other) = argument.downcast_ref::<Self>() {
                place = Some(other.tensor.place());
                dtype = Some(other.tensor.dtype());
            } else if argument.downcast_ref::<PyDType>().is_some() {
                dtype = convert::dtype(Some(argument), vm)?;
            } else if argument.class().is(vm.ctx.types.bool_type) {
                if at > 0 && argument.is(&vm.ctx.true_value) {
                    waits = Waits::No;
                }
            } else if !vm.is_none(argument) {
                place = convert::place(Some(argument), vm)?;
            }
        }
        let mut result: PyObjectRef = zelf.clone().into();
        if let Some(to) = place.filter(|to| *to != zelf.tensor.place()) {
            result = zelf.moved(to, waits, vm)?;
        }
        if let Some(to) = dtype.filter(|to| *to != zelf.tensor.dtype()) {
            let moved = convert::tensor(&result, vm)?;
            result = Self::from(moved).cast(to, vm)?;
        }
        Ok(result)
    }

    #[pymethod]
    fn float(&self, vm: &VirtualMachine) -> PyResult {
        self.cast(DType::F32, vm)
    }

    #[pymethod]
    fn double(&self, vm: &VirtualMachine) -> PyResult {
        self.cast(DType::F64, vm)
    }

    #[pymethod]
    fn half(&self, vm: &VirtualMachine) -> PyResult {
        self.cast(DType::F16, vm)
    }

    #[pymethod]
    fn bfloat16(&self, vm: &VirtualMachine) -> PyResult {
        self.cast(DType::BF16, vm)
    }

    #[pymethod]
    fn long(&self, vm: &VirtualMachine) -> PyResult {
        self.cast(DType::I64, vm)
    }

    #[pymethod]
    fn int(&self, vm: &VirtualMachine) -> PyResult {
        self.cast(DType::I32, vm)
    }

    #[pymethod]
    fn bool(&self, vm: &VirtualMachine) -> PyResult {
        self.cast(DType::Bool, vm)
    }

    #[pymethod]
    fn reshape(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let sizes = convert::whole_list(&args.args, vm)?;
        self.viewed(shape::reshape(&self.tensor.shape(), &sizes), vm)
    }

    #[pymethod]
    fn view(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        self.reshape(args, vm)
    }

    #[pymethod]
    fn flatten(&self, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let shape = self.tensor.shape();
        let rank = shape.len();
        let mut at = |name: &str, default: i64| match args
            .take_positional()
            .or_else(|| args.take_keyword(name))
        {
            Some(it) => convert::dim(&it, rank, vm),
            None => checked(shape::dim(default, rank), vm),
        };
        let (start, end) = (at("start_dim", 0)?, at("end_dim", -1)?);
        let joined = shape.get(start..=end).unwrap_or_default().iter().product();
        let mut to = shape.get(..start).unwrap_or_default().to_vec();
        to.push(joined);
        to.extend(shape.get(end + 1..).unwrap_or_default());
        self.viewed(Ok(to), vm)
    }

    #[pymethod]
    fn unsqueeze(&self, dim: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let mut shape = self.tensor.shape();
        let at = convert::dim(&dim, shape.len() + 1, vm)?;
        shape.insert(at, 1);
        self.viewed(Ok(shape), vm)
    }

    #[pymethod]
    fn squeeze(&self, dim: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        let shape = self.tensor.shape();
        let dims = match dim.present() {
            Some(dim) => convert::dims(&dim, shape.len(), vm)?,
            None => (0..shape.len()).collect(),
        };
        let kept = shape
            .iter()
            .enumerate()
            .filter(|(at, size)| **size != 1 || !dims.contains(at));
        self.viewed(Ok(kept.map(|(_, size)| *size).collect()), vm)
    }

    #[pymethod]
    fn transpose(&self, a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        self.swap(convert::whole(&a, vm)?, convert::whole(&b, vm)?, vm)
    }

    #[pymethod]
    fn t(&self, vm: &VirtualMachine) -> PyResult {
        match self.tensor.rank() {
            0 | 1 => Ok(Self::from(self.tensor.clone()).into_pyobject(vm)),
            2 => self.swap(0, 1, vm),
            rank => Err(vm.new_runtime_error(format!(
                "t() expects a tensor with <= 2 dimensions, but self is {rank}D"
            ))),
        }
    }

    #[pymethod]
    fn permute(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let rank = self.tensor.rank();
        let order = convert::whole_list(&args.args, vm)?;
        let order: Vec<usize> = order
            .iter()
            .map(|it| checked(shape::dim(*it, rank), vm))
            .collect::<PyResult<_>>()?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if order.len() != rank {
            return Err(vm.new_runtime_error(format!(
                "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal to len(dims) = {}",
                order.len()
            )));
        }
        if sorted.iter().enumerate().any(|(at, dim)| at != *dim) {
            return Err(vm.new_runtime_error("permute(): duplicate dims are not allowed."));
        }
        self.op(Op::View(View::Permute(order)), vm)
    }

    #[pymethod]
    fn expand(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let sizes = convert::whole_list(&args.args, vm)?;
        let from = self.tensor.shape();
        let extra = sizes.len().saturating_sub(from.len());
        let to: Vec<usize> = sizes
            .iter()
            .enumerate()
            .map(|(at, size)| match usize::try_from(*size) {
                Ok(size) => size,
                Err(_kept) => at
                    .checked_sub(extra)
                    .and_then(|it| from.get(it))
                    .copied()
                    .unwrap_or(1),
            })
            .collect();
        let fits = shape::broadcast(&from, &to).is_ok_and(|it| it == to);
        if !fits {
            return Err(vm.new_runtime_error(format!(
                "The expanded size of the tensor does not match: target sizes: {sizes:?}.  Tensor sizes: {from:?}"
            )));
        }
        self.op(Op::View(View::Expand(to)), vm)
    }

    #[pymethod]
    fn masked_fill(&self, mask: PyObjectRef, value: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let mask = convert::tensor(&mask, vm)?;
        let Some((number, _)) = convert::number(&value, vm) else {
            return Err(vm.new_type_error("masked_fill() takes a number as its value"));
        };
        let engine = engine(vm)?;
        let like = Meta::new(vec![], self.tensor.dtype());
        let fill = checked(engine.full(like, self.tensor.place(), number), vm)?;
        wrapped(engine.apply(Op::Where, &[&mask, &fill, &self.tensor]), vm)
    }

    #[pymethod]
    fn zero_(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult {
        let zeros = checked(engine(vm)?.full_like(&zelf.tensor, 0.0), vm)?;
        zelf.tensor.become_like(&zeros);
        Ok(zelf.into())
    }

    #[pymethod]
    fn sum(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        reduce::sum(&self.tensor, args, vm)
    }

    #[pymethod]
    fn mean(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        reduce::mean(&self.tensor, args, vm)
    }

    #[pymethod]
    fn max(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        reduce::extreme(&self.tensor, reduce::MAX, args, vm)
    }

    #[pymethod]
    fn min(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        reduce::extreme(&self.tensor, reduce::MIN, args, vm)
    }

    #[pymethod]
    fn argmax(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        reduce::arg(&self.tensor, reduce::MAX, args, vm)
    }

    #[pymethod]
    fn argmin(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        reduce::arg(&self.tensor, reduce::MIN, args, vm)
    }

    #[pymethod]
    fn all(&self, vm: &VirtualMachine) -> PyResult {
        let truth = self.cast(DType::Bool, vm)?;
        let least = reduce::extreme(
            &convert::tensor(&truth, vm)?,
            reduce::MIN,
            FuncArgs::default(),
            vm,
        )?;
        Self::from(convert::tensor(&least, vm)?).cast(DType::Bool, vm)
    }

    #[pymethod]
    fn any(&self, vm: &VirtualMachine) -> PyResult {
        let truth = self.cast(DType::Bool, vm)?;
        let most = reduce::extreme(
            &convert::tensor(&truth, vm)?,
            reduce::MAX,
            FuncArgs::default(),
            vm,
        )?;
        Self::from(convert::tensor(&most, vm)?).cast(DType::Bool, vm)
    }

    #[pymethod]
    fn softmax(&self, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let dim = reduce::required_dim(&mut args, self.tensor.rank(), "softmax", vm)?;
        self.op(Op::Softmax(dim), vm)
    }

    #[pymethod]
    fn log_softmax(&self, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
        let dim = reduce::required_dim(&mut args, self.tensor.rank(), "log_softmax", vm)?;
        self.op(Op::LogSoftmax(dim), vm)
    }

    #[pymethod]
    fn gather(&self, dim: PyObjectRef, index: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let dim = convert::dim(&dim, self.tensor.rank(), vm)?;
        let index = convert::tensor(&index, vm)?;
        wrapped(
            engine(vm)?.apply(Op::Gather(dim), &[&self.tensor, &index]),
            vm,
        )
    }

    #[pymethod]
    fn index_select(&self, dim: PyObjectRef, index: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let dim = convert::dim(&dim, self.tensor.rank(), vm)?;
        let index = convert::tensor(&index, vm)?;
        wrapped(
            engine(vm)?.apply(Op::IndexSelect(dim), &[&self.tensor, &index]),
            vm,
        )
    }

    #[pymethod]
    fn tril(&self, diagonal: OptionalArg<i64>, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Tril(diagonal.unwrap_or(0)), vm)
    }

    #[pymethod]
    fn neg(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Neg), vm)
    }

    #[pymethod]
    fn abs(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Abs), vm)
    }

    #[pymethod]
    fn exp(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Exp), vm)
    }

    #[pymethod]
    fn log(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Log), vm)
    }

    #[pymethod]
    fn sqrt(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Sqrt), vm)
    }

    #[pymethod]
    fn rsqrt(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Rsqrt), vm)
    }

    #[pymethod]
    fn sin(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Sin), vm)
    }

    #[pymethod]
    fn cos(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Cos), vm)
    }

    #[pymethod]
    fn tanh(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Tanh), vm)
    }

    #[pymethod]
    fn sigmoid(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Sigmoid), vm)
    }

    #[pymethod]
    fn relu(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Relu), vm)
    }

    #[pymethod]
    fn floor(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Floor), vm)
    }

    #[pymethod]
    fn ceil(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Ceil), vm)
    }

    #[pymethod]
    fn round(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Round), vm)
    }

    #[pymethod]
    fn sign(&self, vm: &VirtualMachine) -> PyResult {
        self.op(Op::Unary(Unary::Sign), vm)
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
    fn swap(&self, a: i64, b: i64, vm: &VirtualMachine) -> PyResult {
        let rank = self.tensor.rank();
        let (a, b) = (
            checked(shape::dim(a, rank), vm)?,
            checked(shape::dim(b, rank), vm)?,
        );
        let mut order: Vec<usize> = (0..rank).collect();
        if rank > 0 {
            order.swap(a, b);
        }
        self.op(Op::View(View::Permute(order)), vm)
    }

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
