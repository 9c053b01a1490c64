//! Methods that return a view of the same memory: `reshape`, `permute` and the like.

use super::convert::{self, checked, engine};
use super::sizes;
use super::tensor::{PyTensor, PyTensorRef};
use crate::error::TorchError;
use crate::ops::View;
use crate::shape;
use rustpython_vm::function::{FuncArgs, OptionalArg};
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyResult, VirtualMachine};

pub(super) fn reshape(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let sizes = sizes::sizes(&args.args, "reshape", "shape", vm)?;
    viewed(&zelf, shape::reshape(&zelf.tensor().shape(), &sizes), vm)
}

pub(super) fn view(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let sizes = convert::whole_list(&args.args, vm)?;
    let to = checked(shape::reshape(&zelf.tensor().shape(), &sizes), vm)?;
    let fits = {
        let state = zelf.tensor().state();
        shape::restrided(&state.meta.shape, &state.strides(), &to).is_some()
    };
    if !fits {
        return Err(vm.new_runtime_error(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
        ));
    }
    viewed(&zelf, Ok(to), vm)
}

pub(super) fn flatten(zelf: PyTensorRef, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let shape = zelf.tensor().shape();
    let rank = shape.len();
    let mut at = |name: &str, default: i64| match args.take_positional_keyword(name) {
        Some(it) => convert::dim(&it, rank, vm),
        None => checked(shape::dim(default, rank), vm),
    };
    let (start, end) = (at("start_dim", 0)?, at("end_dim", -1)?);
    if start > end {
        return Err(
            vm.new_runtime_error("flatten() has invalid args: start_dim cannot come after end_dim")
        );
    }
    if start == end && rank > 0 {
        return Ok(zelf.into());
    }
    let joined = shape.get(start..=end).unwrap_or_default().iter().product();
    let mut to = shape.get(..start).unwrap_or_default().to_vec();
    to.push(joined);
    to.extend(shape.get(end + 1..).unwrap_or_default());
    viewed(&zelf, Ok(to), vm)
}

pub(super) fn unsqueeze(zelf: PyTensorRef, dim: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    zelf.op(unsqueezed(&zelf, (dim,), vm)?, vm)
}

pub(super) fn unsqueezed(
    zelf: &Py<PyTensor>,
    (dim,): (PyObjectRef,),
    vm: &VirtualMachine,
) -> PyResult<View> {
    let mut shape = zelf.tensor().shape();
    let at = convert::dim(&dim, shape.len() + 1, vm)?;
    shape.insert(at, 1);
    Ok(View::Reshape(shape))
}

pub(super) fn squeeze(
    zelf: PyTensorRef,
    dim: OptionalArg<PyObjectRef>,
    vm: &VirtualMachine,
) -> PyResult {
    zelf.op(squeezed(&zelf, (dim,), vm)?, vm)
}

pub(super) fn squeezed(
    zelf: &Py<PyTensor>,
    (dim,): (OptionalArg<PyObjectRef>,),
    vm: &VirtualMachine,
) -> PyResult<View> {
    let shape = zelf.tensor().shape();
    let dims = match dim.present() {
        Some(dim) => convert::dims(&[dim], shape.len(), vm)?,
        None => (0..shape.len()).collect(),
    };
    let kept = shape
        .iter()
        .enumerate()
        .filter(|(at, size)| **size != 1 || !dims.contains(at));
    Ok(View::Reshape(kept.map(|(_, size)| *size).collect()))
}

pub(super) fn transpose(
    zelf: PyTensorRef,
    a: PyObjectRef,
    b: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    zelf.op(transposed(&zelf, (a, b), vm)?, vm)
}

pub(super) fn transposed(
    zelf: &Py<PyTensor>,
    (a, b): (PyObjectRef, PyObjectRef),
    vm: &VirtualMachine,
) -> PyResult<View> {
    swapped(zelf, convert::whole(&a, vm)?, convert::whole(&b, vm)?, vm)
}

pub(super) fn t(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    match matrix_transpose(&zelf, "t", vm)? {
        None => Ok(PyTensor::from(zelf.tensor().clone()).into_pyobject(vm)),
        Some(view) => zelf.op(view, vm),
    }
}

pub(super) fn t_(zelf: &Py<PyTensor>, (): (), vm: &VirtualMachine) -> PyResult<()> {
    match matrix_transpose(zelf, "t_", vm)? {
        None => Ok(()),
        Some(view) => turn(zelf, view, vm),
    }
}

/// The method that turns the tensor itself into a view of its memory.
pub(super) fn in_place<A>(
    view: fn(&Py<PyTensor>, A, &VirtualMachine) -> PyResult<View>,
) -> impl Fn(&Py<PyTensor>, A, &VirtualMachine) -> PyResult<()> {
    move |zelf, args, vm| turn(zelf, view(zelf, args, vm)?, vm)
}

fn turn(zelf: &Py<PyTensor>, view: View, vm: &VirtualMachine) -> PyResult<()> {
    checked(engine(vm)?.view_in_place(view, zelf.tensor()), vm)
}

/// The transpose of a matrix for `t`; `None` for fewer dimensions, where `t` changes nothing.
fn matrix_transpose(
    zelf: &Py<PyTensor>,
    name: &str,
    vm: &VirtualMachine,
) -> PyResult<Option<View>> {
    match zelf.tensor().rank() {
        0 | 1 => Ok(None),
        2 => swapped(zelf, 0, 1, vm).map(Some),
        rank => Err(vm.new_runtime_error(format!(
            "{name}() expects a tensor with <= 2 dimensions, but self is {rank}D"
        ))),
    }
}

pub(super) fn permute(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let rank = zelf.tensor().rank();
    let order = sizes::sizes(&args.args, "permute", "dims", vm)?;
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
    zelf.op(View::Permute(order), vm)
}

pub(super) fn expand(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let sizes = convert::whole_list(&args.args, vm)?;
    let from = zelf.tensor().shape();
    if sizes.len() < from.len() {
        return Err(vm.new_runtime_error(format!(
            "expand(torch.{}Tensor{{{from:?}}}, size={sizes:?}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            zelf.tensor().dtype().scalar_name(),
            sizes.len(),
            from.len()
        )));
    }
    let to = checked(shape::expand(&from, &sizes), vm)?;
    zelf.op(View::Expand(to), vm)
}

/// The view with two dimensions swapped.
fn swapped(zelf: &Py<PyTensor>, a: i64, b: i64, vm: &VirtualMachine) -> PyResult<View> {
    let rank = zelf.tensor().rank();
    let (a, b) = (
        checked(shape::dim(a, rank), vm)?,
        checked(shape::dim(b, rank), vm)?,
    );
    let mut order: Vec<usize> = (0..rank).collect();
    if rank > 0 {
        order.swap(a, b);
    }
    Ok(View::Permute(order))
}

fn viewed(
    zelf: &Py<PyTensor>,
    shape: Result<shape::Shape, TorchError>,
    vm: &VirtualMachine,
) -> PyResult {
    let shape = checked(shape, vm)?;
    zelf.op(View::Reshape(shape), vm)
}
