//! Reductions and their arguments: `dim`, `keepdim`, and what `max` and `min` give with one.

use super::arguments::Arguments;
use super::convert::{self, checked, engine, wrapped};
use super::tensor::{PyTensor, PyTensorRef, add};
use super::{arithmetic, ordering};
use crate::worker::dtype::DType;
use crate::worker::ops::{ArgReduction, Binary, Extreme, Reduce, Reduction, ToCopy, ValuesOf};
use crate::worker::shape::Keep;
use crate::worker::tensor::Tensor;
use rustpython_vm::builtins::PyType;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObjectRef, PyResult, VirtualMachine};

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

/// Gives the class these methods.
pub(super) fn install(class: &'static Py<PyType>, vm: &VirtualMachine) {
    for how in Reduction::METHODS {
        let name = how.name();
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            plain(zelf.tensor(), how, args, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
    for (search, arg) in [(MAX, "argmax"), (MIN, "argmin")] {
        let name = search.values_of.name();
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            extreme(&zelf, search, args, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            position(zelf.tensor(), (arg, search.extreme), args, vm)
        };
        add(class, arg, vm.new_method(arg, class, method).into(), vm);
    }
    for (name, how) in [
        ("var", Reduction::Var as fn(f64) -> Reduction),
        ("std", Reduction::Std),
    ] {
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            spread(zelf.tensor(), (name, how), args, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
    let norm = vm.new_method("_vector_norm", class, vector_norm);
    add(class, "_vector_norm", norm.into(), vm);
}

/// The dimensions, given as `dim` or, as NumPy has it, as `axis`.
fn dims(
    args: &mut Arguments<'_>,
    rank: usize,
    vm: &VirtualMachine,
) -> PyResult<Option<Vec<usize>>> {
    let given = args.next("dim", vm).or_else(|| args.named("axis", vm));
    let Some(given) = given else {
        return Ok(None);
    };
    let dims = convert::dims(&given, rank, vm)?;
    convert::no_twice(&dims, vm)?;
    Ok(Some(dims))
}

fn plain(tensor: &Tensor, how: Reduction, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of(how.name(), args);
    if how == Reduction::Prod && args.peek().is_some_and(|it| convert::items(it).is_some()) {
        return Err(vm.new_type_error(
            "prod() received an invalid combination of arguments - got (tuple), but expected one of:\n * (*, torch.dtype dtype = None)\n * (int dim, bool keepdim = False, *, torch.dtype dtype = None)\n",
        ));
    }
    let dims = dims(&mut args, tensor.rank(), vm)?;
    if how == Reduction::LogSumExp && dims.is_none() {
        return Err(
            vm.new_type_error("logsumexp() missing 1 required positional arguments: \"dim\"")
        );
    }
    let keep = args.keep(vm)?;
    let dtype = args.dtype(vm)?;
    args.end(vm)?;
    let tensor = cast(tensor, dtype, vm)?;
    reduced(&tensor, how, dims, keep, vm)
}

fn cast(tensor: &Tensor, to: Option<DType>, vm: &VirtualMachine) -> PyResult<Tensor> {
    match to.filter(|it| *it != tensor.dtype()) {
        Some(dtype) => checked(engine(vm)?.apply(ToCopy::Cast(dtype), &[tensor]), vm),
        None => Ok(tensor.clone()),
    }
}

fn reduced(
    tensor: &Tensor,
    how: Reduction,
    dims: Option<Vec<usize>>,
    keep: Keep,
    vm: &VirtualMachine,
) -> PyResult {
    let op = Reduce {
        reduction: how,
        dims: dims.unwrap_or_default(),
        keep,
    };
    wrapped(engine(vm)?.apply(op, &[tensor]), vm)
}

/// `var` and `std`: `(dim, correction=1, keepdim)`, or with `unbiased` in one of two places.
fn spread(
    tensor: &Tensor,
    (name, how): (&str, fn(f64) -> Reduction),
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let mut args = Arguments::of(name, args);
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
    let tensor = cast(zelf.tensor(), dtype, vm)?;
    reduced(&tensor, Reduction::Norm(order), dims, keep, vm)
}

/// `max` and `min`: one value without a dimension, values and positions with one, the larger or smaller
/// elements of two tensors.
fn extreme(zelf: &Py<PyTensor>, search: Search, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let tensor = zelf.tensor();
    let mut args = Arguments::of(search.values_of.name(), args);
    let other = args.named("other", vm);
    let other = other.or_else(|| {
        let is_other = |it: &PyObjectRef| {
            it.downcast_ref::<PyTensor>()
                .is_some_and(|it| it.tensor().rank() > 0 || tensor.rank() == 0)
        };
        if args.peek().is_some_and(is_other) {
            args.next("other", vm)
        } else {
            None
        }
    });
    if let Some(other) = other {
        args.end(vm)?;
        return arithmetic::arithmetic(search.of_two, zelf.as_object(), &other, vm);
    }
    let Some(dim) = args.next("dim", vm).or_else(|| args.named("axis", vm)) else {
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
    (name, extreme): (&str, Extreme),
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let mut args = Arguments::of(name, args);
    let dim = match args.next("dim", vm).or_else(|| args.named("axis", vm)) {
        Some(dim) => Some(convert::dim(&dim, tensor.rank(), vm)?),
        None => None,
    };
    let keep = args.keep(vm)?;
    args.end(vm)?;
    let op = ArgReduction { extreme, dim, keep };
    wrapped(engine(vm)?.apply(op, &[tensor]), vm)
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
