//! Methods that compare along a dimension: `sort`, `topk`, `median`, `cumsum` and their relatives.

use super::arguments::{Arguments, missing};
use super::context;
use super::convert::{self, apply, checked, engine, wrapped};
use super::install::add_parsing;
use super::tensor::PyTensor;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::{Index, IndexKind, Scan, SortIndices, ToCopy, ValuesOf, View};
use crate::shape::{self, Keep};
use crate::tensor::Tensor;
use rustpython_vm::{Py, PyPayload, PyResult, VirtualMachine};

/// Adds these methods.
pub(super) fn install(vm: &VirtualMachine) {
    add_parsing("sort", sort, vm);
    add_parsing("argsort", argsort, vm);
    add_parsing("topk", topk, vm);
    add_parsing("kthvalue", kthvalue, vm);
    add_parsing("median", median, vm);
    for (name, scan) in [
        ("cumsum", Scan::CumSum as fn(usize) -> Scan),
        ("cumprod", Scan::CumProd),
    ] {
        let method = move |zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine| {
            running(zelf, scan, args, vm)
        };
        add_parsing(name, method, vm);
    }
    for (name, how) in [
        ("cummax", (IndexKind::CumMax, ValuesOf::Cummax)),
        ("cummin", (IndexKind::CumMin, ValuesOf::Cummin)),
    ] {
        add_parsing(name, move |zelf, args, vm| so_far(zelf, how, args, vm), vm);
    }
    add_parsing("flip", flip, vm);
}

/// The elements at positions, and the positions, as one of `torch.return_types`.
pub(super) fn pair(
    tensor: &Tensor,
    (values_of, dim, keep): (ValuesOf, usize, Keep),
    positions: Result<Tensor, TorchError>,
    vm: &VirtualMachine,
) -> PyResult {
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
    let values = apply(take, &[tensor, &positions], vm)?;
    let positions = if keep == Keep::AsOne {
        PyTensor::from(positions).into_pyobject(vm)
    } else {
        let to = shape::reduce(&positions.shape(), &[dim], keep);
        apply(View::Reshape(to), &[&positions], vm)?
    };
    let context = context::current(vm)?;
    let class = context.classes.borrow().values_indices.clone();
    match class {
        Some(class) => class.call((values, positions, vm.ctx.new_str(values_of.name())), vm),
        None => Ok(vm.ctx.new_tuple(vec![values, positions]).into()),
    }
}

fn sorting(
    zelf: &Py<PyTensor>,
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult<(IndexKind, usize)> {
    // Equal elements keep their order here, which is what `stable=True` asks for.
    drop(args.named("stable", vm));
    let dim = args.dim_or_last(zelf.tensor().rank(), vm)?;
    let descending = args.flag("descending", false, vm)?;
    args.end(vm)?;
    Ok((IndexKind::Sort { descending }, dim))
}

fn sort(zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine) -> PyResult {
    let (order, dim) = sorting(zelf, args, vm)?;
    ordered(zelf, (order, ValuesOf::Sort), (dim, Keep::AsOne), vm)
}

fn argsort(zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine) -> PyResult {
    let (order, dim) = sorting(zelf, args, vm)?;
    zelf.op(SortIndices { order, dim }, vm)
}

fn ordered(
    zelf: &Py<PyTensor>,
    (order, by): (IndexKind, ValuesOf),
    (dim, keep): (usize, Keep),
    vm: &VirtualMachine,
) -> PyResult {
    let positions = engine(vm)?.apply(SortIndices { order, dim }, &[zelf.tensor()]);
    pair(zelf.tensor(), (by, dim, keep), positions, vm)
}

fn topk(zelf: &Py<PyTensor>, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let count = args.whole("k", vm)?;
    let dim = args.dim_or_last(zelf.tensor().rank(), vm)?;
    let largest = args.flag("largest", true, vm)?;
    // They come sorted, whatever was asked for.
    args.flag("sorted", true, vm)?;
    args.end(vm)?;
    let count = usize::try_from(count)
        .map_err(|_negative| vm.new_runtime_error("selected index k out of range"))?;
    let order = IndexKind::TopK { count, largest };
    ordered(zelf, (order, ValuesOf::Topk), (dim, Keep::AsOne), vm)
}

fn kthvalue(zelf: &Py<PyTensor>, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let place = args.whole("k", vm)?;
    let dim = args.dim_or_last(zelf.tensor().rank(), vm)?;
    let keep = args.keep(vm)?;
    args.end(vm)?;
    let order = IndexKind::KthValue(usize::try_from(place).unwrap_or(0));
    ordered(zelf, (order, ValuesOf::Kthvalue), (dim, keep), vm)
}

/// The middle of all, or of each lane.
fn median(zelf: &Py<PyTensor>, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let Some(dim) = args.next("dim", vm) else {
        args.end(vm)?;
        let engine = engine(vm)?;
        let to = vec![zelf.tensor().meta().count() as usize];
        let flat = checked(engine.apply(View::Reshape(to), &[zelf.tensor()]), vm)?;
        if flat.meta().count() == 0 && flat.dtype().is_float() {
            let meta = Meta::new(vec![], flat.dtype());
            return wrapped(engine.full(meta, flat.device(), f64::NAN), vm);
        }
        let (order, dim) = (IndexKind::Median, 0);
        let found = checked(engine.apply(SortIndices { order, dim }, &[&flat]), vm)?;
        let middle = Index::TakeAlongDim {
            values_of: ValuesOf::Median,
            dim,
            keep: Keep::Drop,
        };
        return apply(middle, &[&flat, &found], vm);
    };
    let dim = convert::dim(&dim, zelf.tensor().rank(), vm)?;
    let keep = args.keep(vm)?;
    args.end(vm)?;
    ordered(zelf, (IndexKind::Median, ValuesOf::Median), (dim, keep), vm)
}

/// `cumsum` and `cumprod`
fn running(
    zelf: &Py<PyTensor>,
    scan: fn(usize) -> Scan,
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let dtype = args.dtype(vm)?;
    args.end(vm)?;
    apply(scan(dim), &[&cast(zelf.tensor(), dtype, vm)?], vm)
}

/// The tensor with this dtype, if there is one.
pub(super) fn cast(tensor: &Tensor, to: Option<DType>, vm: &VirtualMachine) -> PyResult<Tensor> {
    match to.filter(|it| *it != tensor.dtype()) {
        Some(dtype) => checked(engine(vm)?.apply(ToCopy::Cast(dtype), &[tensor]), vm),
        None => Ok(tensor.clone()),
    }
}

/// `cummax` and `cummin`
fn so_far(
    zelf: &Py<PyTensor>,
    (order, by): (IndexKind, ValuesOf),
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    args.end(vm)?;
    ordered(zelf, (order, by), (dim, Keep::AsOne), vm)
}

fn flip(zelf: &Py<PyTensor>, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let dims = match args.named("dims", vm) {
        Some(dims) => vec![dims],
        None => args.rest(),
    };
    args.end(vm)?;
    if dims.is_empty() {
        return Err(missing("flip", "dims", vm));
    }
    let dims = convert::dims(&dims, zelf.tensor().rank(), vm)?;
    convert::no_twice(&dims, vm)?;
    zelf.op(ToCopy::Flip(dims), vm)
}
