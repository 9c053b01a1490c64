//! Reductions and their arguments: `dim`, `keepdim`, and what `max` and `min` give with one.

use super::arguments::{Arguments, missing};
use super::convert::{self, apply, engine};
use super::install::{add, add_parsing};
use super::tensor::{PyTensor, PyTensorRef};
use super::{arithmetic, ordering};
use crate::ops::{ArgReduction, Binary, Extreme, Reduce, Reduction, ValuesOf};
use crate::shape::Keep;
use crate::tensor::Tensor;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// What finds an extreme.
#[derive(Clone, Copy)]
struct Search {
    whole: Reduction,
    extreme: Extreme,
    values_of: ValuesOf,
    of_two: Binary,
}

const MAX: Search = Search {
    whole: Reduction::Max,
    extreme: Extreme::Largest,
    values_of: ValuesOf::Max,
    of_two: Binary::Maximum,
};

const MIN: Search = Search {
    whole: Reduction::Min,
    extreme: Extreme::Smallest,
    values_of: ValuesOf::Min,
    of_two: Binary::Minimum,
};

/// Adds these methods.
pub(super) fn install(vm: &VirtualMachine) {
    for how in Reduction::METHODS {
        let method = move |zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine| {
            plain(zelf.tensor(), how, args, vm)
        };
        add_parsing(how.name(), method, vm);
    }
    for (search, arg) in [(MAX, "argmax"), (MIN, "argmin")] {
        let method = move |zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine| {
            extreme(zelf, search, args, vm)
        };
        add_parsing(search.values_of.name(), method, vm);
        let method = move |zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine| {
            position(zelf.tensor(), search.extreme, args, vm)
        };
        add_parsing(arg, method, vm);
    }
    for (name, how) in [
        ("var", Reduction::Var as fn(f64) -> Reduction),
        ("std", Reduction::Std),
    ] {
        let method = move |zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine| {
            spread(zelf.tensor(), how, args, vm)
        };
        add_parsing(name, method, vm);
    }
    add("_vector_norm", vector_norm, vm);
}

/// The dimensions, given as `dim` or, as NumPy has it, as `axis`.
fn dims(args: &mut Arguments, rank: usize, vm: &VirtualMachine) -> PyResult<Option<Vec<usize>>> {
    let Some(given) = dim_or_axis(args, vm) else {
        return Ok(None);
    };
    let dims = convert::dims(&[given], rank, vm)?;
    convert::no_twice(&dims, vm)?;
    Ok(Some(dims))
}

fn dim_or_axis(args: &mut Arguments, vm: &VirtualMachine) -> Option<PyObjectRef> {
    args.next("dim", vm).or_else(|| args.named("axis", vm))
}

fn plain(tensor: &Tensor, how: Reduction, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    if how == Reduction::Prod && args.peek().is_some_and(|it| convert::items(it).is_some()) {
        return Err(vm.new_type_error(
            "prod() received an invalid combination of arguments - got (tuple), but expected one of:\n * (*, torch.dtype dtype = None)\n * (int dim, bool keepdim = False, *, torch.dtype dtype = None)\n",
        ));
    }
    let dims = dims(&mut args, tensor.rank(), vm)?;
    if how == Reduction::LogSumExp && dims.is_none() {
        return Err(missing("logsumexp", "dim", vm));
    }
    let keep = args.keep(vm)?;
    let dtype = args.dtype(vm)?;
    args.end(vm)?;
    let tensor = ordering::cast(tensor, dtype, vm)?;
    let found = reduced(&tensor, how, dims, keep, vm)?;
    match dtype {
        // Sums of whole numbers have 64 bits, unless another type was asked for.
        Some(dtype) if !dtype.is_float() => {
            let found = ordering::cast(&convert::tensor(&found, vm)?, Some(dtype), vm)?;
            Ok(PyTensor::from(found).into_pyobject(vm))
        }
        Some(_) | None => Ok(found),
    }
}

fn reduced(
    tensor: &Tensor,
    reduction: Reduction,
    dims: Option<Vec<usize>>,
    keep: Keep,
    vm: &VirtualMachine,
) -> PyResult {
    let dims = dims.unwrap_or_default();
    let op = Reduce {
        reduction,
        dims,
        keep,
    };
    apply(op, &[tensor], vm)
}

/// `var` and `std`: `(dim, correction=1, keepdim)`, or with `unbiased` in one of two places.
fn spread(
    tensor: &Tensor,
    how: fn(f64) -> Reduction,
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult {
    let is_truth = |it: &PyObjectRef| it.class().is(vm.ctx.types.bool_type);
    let mut unbiased = args.named("unbiased", vm);
    if unbiased.is_none() && args.peek().is_some_and(is_truth) {
        unbiased = args.next("unbiased", vm);
    }
    let dims = dims(&mut args, tensor.rank(), vm)?;
    if unbiased.is_none() && args.peek().is_some_and(is_truth) {
        unbiased = args.next("unbiased", vm);
    }
    let correction = args.number("correction", 1.0, vm)?;
    let keep = args.keep(vm)?;
    args.end(vm)?;
    let correction = match unbiased {
        Some(it) => f64::from(u8::from(it.try_to_bool(vm)?)),
        None => correction,
    };
    reduced(tensor, how(correction), dims, keep, vm)
}

/// `(ord, dim, keepdim, dtype)`
fn vector_norm(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("linalg_vector_norm", args);
    let order = args.required("ord", vm)?;
    let Some((order, _)) = convert::number(&order, vm) else {
        return Err(args.not_a("ord", "Number", &order, vm));
    };
    let dims = dims(&mut args, zelf.tensor().rank(), vm)?;
    let keep = args.keep(vm)?;
    let dtype = args.dtype(vm)?;
    args.end(vm)?;
    let tensor = ordering::cast(zelf.tensor(), dtype, vm)?;
    reduced(&tensor, Reduction::Norm(order), dims, keep, vm)
}

/// `max` and `min`: one value without a dimension, values and positions with one, the larger or smaller
/// elements of two tensors.
fn extreme(
    zelf: &Py<PyTensor>,
    search: Search,
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult {
    let tensor = zelf.tensor();
    let mut other = args.named("other", vm);
    let next = args.peek().and_then(|it| it.downcast_ref::<PyTensor>());
    let is_other = next.is_some_and(|it| it.tensor().rank() > 0 || tensor.rank() == 0);
    if other.is_none() && is_other {
        other = args.next("other", vm);
    }
    if let Some(other) = other {
        args.end(vm)?;
        return arithmetic::arithmetic(search.of_two, zelf.as_object(), &other, vm);
    }
    let Some(dim) = dim_or_axis(&mut args, vm) else {
        args.end(vm)?;
        return reduced(tensor, search.whole, None, Keep::Drop, vm);
    };
    let dim = convert::dim(&dim, tensor.rank(), vm)?;
    let keep = args.keep(vm)?;
    args.end(vm)?;
    let found = ArgReduction {
        extreme: search.extreme,
        dim: Some(dim),
        keep: Keep::AsOne,
    };
    let found = engine(vm)?.apply(found, &[tensor]).map_err(|mut error| {
        // It was not `argmax` that was asked for.
        error.message = error.message.replacen("arg", "", 1);
        error
    });
    ordering::pair(tensor, (search.values_of, dim, keep), found, vm)
}

/// `argmax` and `argmin`
fn position(
    tensor: &Tensor,
    extreme: Extreme,
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = dim_or_axis(&mut args, vm);
    let dim = dim.map(|it| convert::dim(&it, tensor.rank(), vm));
    let dim = dim.transpose()?;
    let keep = args.keep(vm)?;
    args.end(vm)?;
    apply(ArgReduction { extreme, dim, keep }, &[tensor], vm)
}
