//! Methods that compare along a dimension: `sort`, `topk`, `median`, `cumsum` and their relatives.

use super::arguments::Arguments;
use super::context;
use super::convert::{self, checked, engine, wrapped};
use super::tensor::{PyTensor, PyTensorRef, add};
use crate::worker::error::TorchError;
use crate::worker::ops::{Index, Order, Scan, SortIndices, ToCopy, ValuesOf, View};
use crate::worker::shape::{self, Keep};
use crate::worker::tensor::Tensor;
use rustpython_vm::builtins::PyType;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// Gives the class these methods.
pub(super) fn install(class: &'static Py<PyType>, vm: &VirtualMachine) {
    for (name, method) in [
        ("sort", vm.new_method("sort", class, sort)),
        ("argsort", vm.new_method("argsort", class, argsort)),
        ("topk", vm.new_method("topk", class, topk)),
        ("kthvalue", vm.new_method("kthvalue", class, kthvalue)),
        ("median", vm.new_method("median", class, median)),
        ("cumsum", vm.new_method("cumsum", class, cumsum)),
        ("cummax", vm.new_method("cummax", class, cummax)),
        ("cummin", vm.new_method("cummin", class, cummin)),
        ("flip", vm.new_method("flip", class, flip)),
    ] {
        add(class, name, method.into(), vm);
    }
}

/// The elements at positions, and the positions, as one of `torch.return_types`.
pub(super) fn pair(
    tensor: &Tensor,
    (values_of, dim, keep): (ValuesOf, usize, Keep),
    positions: Result<Tensor, TorchError>,
    vm: &VirtualMachine,
) -> PyResult {
    let engine = engine(vm)?;
    let positions = checked(positions, vm)?;
    let keep = if positions.rank() == 0 {
        Keep::AsOne
    } else {
        keep
    };
    let take = Index::TakeAlongDim {
        values_of,
        dim,
        keep,
    };
    let values = wrapped(engine.apply(take, &[tensor, &positions]), vm)?;
    let positions = if keep == Keep::AsOne {
        PyTensor::from(positions).into_pyobject(vm)
    } else {
        let to = shape::reduce(&positions.shape(), &[dim], keep);
        wrapped(engine.apply(View::Reshape(to), &[&positions]), vm)?
    };
    let class = context::current(vm)?
        .classes
        .borrow()
        .values_indices
        .clone();
    match class {
        Some(class) => class.call((values, positions, vm.ctx.new_str(values_of.name())), vm),
        None => Ok(vm.ctx.new_tuple(vec![values, positions]).into()),
    }
}

fn sorting(
    zelf: &PyTensorRef,
    name: &str,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<(Order, usize)> {
    let mut args = Arguments::of(name, args);
    // Equal elements keep their order here, which is what `stable=True` asks for.
    drop(args.named("stable", vm));
    let dim = args.dim_or_last(zelf.tensor().rank(), vm)?;
    let descending = args.flag("descending", false, vm)?;
    args.end(vm)?;
    Ok((Order::Sort { descending }, dim))
}

fn sort(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let (order, dim) = sorting(&zelf, "sort", args, vm)?;
    ordered(&zelf, (order, ValuesOf::Sort), (dim, Keep::AsOne), vm)
}

fn argsort(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let (order, dim) = sorting(&zelf, "argsort", args, vm)?;
    zelf.op(SortIndices { order, dim }, vm)
}

fn ordered(
    zelf: &PyTensorRef,
    (order, by): (Order, ValuesOf),
    (dim, keep): (usize, Keep),
    vm: &VirtualMachine,
) -> PyResult {
    let positions = engine(vm)?.apply(SortIndices { order, dim }, &[zelf.tensor()]);
    pair(zelf.tensor(), (by, dim, keep), positions, vm)
}

fn topk(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("topk", args);
    let count = args.whole("k", vm)?;
    let dim = args.dim_or_last(zelf.tensor().rank(), vm)?;
    let largest = args.flag("largest", true, vm)?;
    // They come sorted, whatever was asked for.
    args.flag("sorted", true, vm)?;
    args.end(vm)?;
    let count = usize::try_from(count)
        .map_err(|_negative| vm.new_runtime_error("selected index k out of range"))?;
    let order = Order::TopK { count, largest };
    ordered(&zelf, (order, ValuesOf::Topk), (dim, Keep::AsOne), vm)
}

fn kthvalue(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("kthvalue", args);
    let place = args.whole("k", vm)?;
    let dim = args.dim_or_last(zelf.tensor().rank(), vm)?;
    let keep = args.keep(vm)?;
    args.end(vm)?;
    let order = Order::KthValue(usize::try_from(place).unwrap_or(0));
    ordered(&zelf, (order, ValuesOf::Kthvalue), (dim, keep), vm)
}

/// The middle of all, or of each lane.
fn median(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("median", args);
    let Some(dim) = args.next("dim", vm) else {
        args.end(vm)?;
        let flat = flat(zelf.tensor(), vm)?;
        if flat.meta().count() == 0 && flat.dtype().is_float() {
            let engine = engine(vm)?;
            let meta = crate::worker::meta::Meta::new(vec![], flat.dtype());
            return wrapped(engine.full(meta, flat.device(), f64::NAN), vm);
        }
        let (order, dim) = (Order::Median, 0);
        let found = checked(engine(vm)?.apply(SortIndices { order, dim }, &[&flat]), vm)?;
        let middle = Index::TakeAlongDim {
            values_of: ValuesOf::Median,
            dim,
            keep: Keep::Drop,
        };
        return wrapped(engine(vm)?.apply(middle, &[&flat, &found]), vm);
    };
    let dim = convert::dim(&dim, zelf.tensor().rank(), vm)?;
    let keep = args.keep(vm)?;
    args.end(vm)?;
    ordered(&zelf, (Order::Median, ValuesOf::Median), (dim, keep), vm)
}

fn flat(tensor: &Tensor, vm: &VirtualMachine) -> PyResult<Tensor> {
    let to = vec![tensor.meta().count() as usize];
    checked(engine(vm)?.apply(View::Reshape(to), &[tensor]), vm)
}

fn cumsum(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("cumsum", args);
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let dtype = args.dtype(vm)?;
    args.end(vm)?;
    let wide: PyObjectRef = match dtype {
        Some(dtype) => zelf.cast(dtype, vm)?,
        None => zelf.into(),
    };
    let wide = convert::tensor(&wide, vm)?;
    wrapped(engine(vm)?.apply(Scan::CumSum(dim), &[&wide]), vm)
}

fn cummax(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    so_far(&zelf, (Order::CumMax, ValuesOf::Cummax), args, vm)
}

fn cummin(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    so_far(&zelf, (Order::CumMin, ValuesOf::Cummin), args, vm)
}

fn so_far(
    zelf: &PyTensorRef,
    (order, by): (Order, ValuesOf),
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let mut args = Arguments::of(by.name(), args);
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    args.end(vm)?;
    ordered(zelf, (order, by), (dim, Keep::AsOne), vm)
}

fn flip(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("flip", args);
    let dims = match args.named("dims", vm) {
        Some(dims) => vec![dims],
        None => args.rest(),
    };
    args.end(vm)?;
    if dims.is_empty() {
        return Err(vm.new_type_error("flip() missing 1 required positional arguments: \"dims\""));
    }
    let rank = zelf.tensor().rank();
    let dims: Vec<usize> = convert::whole_list(&dims, vm)?
        .into_iter()
        .map(|dim| checked(shape::dim(dim, rank), vm))
        .collect::<PyResult<_>>()?;
    convert::no_twice(&dims, vm)?;
    zelf.op(ToCopy::Flip(dims), vm)
}
