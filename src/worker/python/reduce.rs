//! Reductions and their arguments: `dim`, `keepdim`, and what `max` and `min` give with one.

use super::context;
use super::convert::{self, checked, engine, wrapped};
use crate::worker::tensor::Tensor;
use crate::worker::tensor::op::{Extreme, Op, Reduction};
use crate::worker::tensor::shape::Keep;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

/// A reduction to an extreme, and where it is.
pub(super) type Pair = (Reduction, Extreme);

/// `max` and `argmax`
pub(super) const MAX: Pair = (Reduction::Max, Extreme::Largest);

/// `min` and `argmin`
pub(super) const MIN: Pair = (Reduction::Min, Extreme::Smallest);

struct Args {
    dim: Option<PyObjectRef>,
    keep: Keep,
    dtype: Option<crate::worker::tensor::dtype::DType>,
}

fn read(mut args: FuncArgs, name: &str, vm: &VirtualMachine) -> PyResult<Args> {
    let dim = args.take_positional().or_else(|| args.take_keyword("dim"));
    let dim = dim
        .or_else(|| args.take_keyword("axis"))
        .filter(|it| !vm.is_none(it));
    let keep = args
        .take_positional()
        .or_else(|| args.take_keyword("keepdim"));
    let keep = match keep {
        Some(it) => {
            if it.try_to_bool(vm)? {
                Keep::AsOne
            } else {
                Keep::Drop
            }
        }
        None => Keep::Drop,
    };
    let dtype = convert::dtype(args.take_keyword("dtype").as_deref(), vm)?;
    match args.kwargs.keys().next() {
        Some(unknown) => Err(vm.new_type_error(format!(
            "{name}() got an unexpected keyword argument '{unknown}'"
        ))),
        None => Ok(Args { dim, keep, dtype }),
    }
}

/// `sum`
pub(super) fn sum(tensor: &Tensor, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    over_dims(tensor, Reduction::Sum, read(args, "sum", vm)?, vm)
}

/// `mean`
pub(super) fn mean(tensor: &Tensor, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    over_dims(tensor, Reduction::Mean, read(args, "mean", vm)?, vm)
}

fn over_dims(tensor: &Tensor, how: Reduction, args: Args, vm: &VirtualMachine) -> PyResult {
    let engine = engine(vm)?;
    let tensor = match args.dtype.filter(|it| *it != tensor.dtype()) {
        Some(dtype) => checked(engine.apply(Op::Cast(dtype), &[tensor]), vm)?,
        None => tensor.clone(),
    };
    let dims = match &args.dim {
        Some(dim) => convert::dims(dim, tensor.rank(), vm)?,
        None => vec![],
    };
    wrapped(
        engine.apply(Op::Reduce(how, dims, args.keep), &[&tensor]),
        vm,
    )
}

/// `max` and `min`: one value without a dimension, values and positions with one.
pub(super) fn extreme(
    tensor: &Tensor,
    (how, which): Pair,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let name = match which {
        Extreme::Largest => "max",
        Extreme::Smallest => "min",
    };
    let args = read(args, name, vm)?;
    let engine = engine(vm)?;
    let Some(dim) = args.dim else {
        return wrapped(
            engine.apply(Op::Reduce(how, vec![], Keep::Drop), &[tensor]),
            vm,
        );
    };
    let dim = convert::dim(&dim, tensor.rank(), vm)?;
    let values = wrapped(
        engine.apply(Op::Reduce(how, vec![dim], args.keep), &[tensor]),
        vm,
    )?;
    let indices = wrapped(
        engine.apply(Op::Arg(which, Some(dim), args.keep), &[tensor]),
        vm,
    )?;
    let class = context::current(vm)?
        .classes
        .borrow()
        .values_indices
        .clone();
    match class {
        Some(class) => class.call((values, indices, vm.ctx.new_str(name)), vm),
        None => Ok(vm.ctx.new_tuple(vec![values, indices]).into()),
    }
}

/// `argmax` and `argmin`
pub(super) fn arg(
    tensor: &Tensor,
    (_, which): Pair,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let args = read(args, "argmax", vm)?;
    let dim = match args.dim {
        Some(dim) => Some(convert::dim(&dim, tensor.rank(), vm)?),
        None => None,
    };
    wrapped(
        engine(vm)?.apply(Op::Arg(which, dim, args.keep), &[tensor]),
        vm,
    )
}

/// The dimension that an operation cannot do without.
pub(super) fn required_dim(
    args: &mut FuncArgs,
    rank: usize,
    name: &str,
    vm: &VirtualMachine,
) -> PyResult<usize> {
    match args.take_positional().or_else(|| args.take_keyword("dim")) {
        Some(dim) => convert::dim(&dim, rank, vm),
        None => Err(vm.new_type_error(format!(
            "{name}() missing 1 required positional arguments: \"dim\""
        ))),
    }
}
