//! Functions that create tensors from sizes and numbers: `zeros`, `full`, `arange`, `linspace`, `eye`.

use super::convert::{self, checked};
use super::from_values::{self, stored};
use super::install::add_function;
use super::options::Options;
use super::sizes;
use super::tensor::PyTensor;
use crate::dtype::{Category, DType, default_float};
use crate::engine::{Fill, default_dtype, full_values};
use crate::kernels::card;
use crate::meta::Meta;
use crate::shape::{self, Shape};
use candle_core::Device;
use rustpython_vm::builtins::PyModule;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyObjectRef, PyResult, VirtualMachine};
use warpup_protocol::WaitCause;

/// Adds the functions that create tensors which are not random.
pub(super) fn install(module: &Py<PyModule>, vm: &VirtualMachine) -> PyResult<()> {
    add_function(module, "tensor", from_values::tensor, vm)?;
    add_function(module, "full", full, vm)?;
    add_function(module, "arange", arange, vm)?;
    add_function(module, "linspace", linspace, vm)?;
    add_function(module, "eye", eye, vm)?;
    // Uninitialized memory has no counterpart here: `empty` gives zeros.
    for (name, like, number) in [
        ("zeros", "zeros_like", 0.0),
        ("ones", "ones_like", 1.0),
        ("empty", "empty_like", 0.0),
    ] {
        let by_size = move |args: FuncArgs, vm: &VirtualMachine| filled(args, name, number, vm);
        add_function(module, name, by_size, vm)?;
        let by_input =
            move |args: FuncArgs, vm: &VirtualMachine| filled_like(args, like, number, vm);
        add_function(module, like, by_input, vm)?;
    }
    Ok(())
}

/// The shape that a creation function is given, by position or as `size`.
pub(super) fn sizes(args: &mut FuncArgs, name: &str, vm: &VirtualMachine) -> PyResult<Shape> {
    let given = match args.take_keyword("size") {
        Some(size) => vec![size],
        None => std::mem::take(&mut args.args),
    };
    let sizes = sizes::sizes(&given, name, "size", vm)?;
    if name == "zeros" && sizes.iter().any(|size| *size < 0) {
        return Err(vm.new_runtime_error("zeros: Dimension size must be non-negative."));
    }
    checked(shape::creation(&sizes), vm)
}

/// `zeros`, `ones`, `empty`
fn filled(mut args: FuncArgs, name: &str, number: f64, vm: &VirtualMachine) -> PyResult {
    let shape = sizes(&mut args, name, vm)?;
    let options = Options::take(&mut args, name, vm)?;
    let meta = Meta::new(shape, options.dtype.unwrap_or_else(default_float));
    fill(&options, meta, name, number, vm)
}

/// `full`
fn full(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let size = args.take_positional_keyword("size");
    let value = args.take_positional_keyword("fill_value");
    let (Some(size), Some(value)) = (size, value) else {
        return Err(vm.new_type_error("full() takes a size and a fill_value"));
    };
    let (number, kind) = fill_value(&value, vm)?;
    let sizes = sizes::sizes(&[size], "full", "size", vm)?;
    let shape = checked(shape::creation(&sizes), vm)?;
    let options = Options::take(&mut args, "full", vm)?;
    let meta = Meta::new(shape, options.dtype.unwrap_or_else(|| default_dtype(kind)));
    fill(&options, meta, "full", number, vm)
}

/// The number that `full` is given, or the one in a tensor without dimensions, for which the host waits.
fn fill_value(value: &PyObjectRef, vm: &VirtualMachine) -> PyResult<(f64, Category)> {
    let tensor = value.downcast_ref::<PyTensor>();
    let read = tensor
        .filter(|it| it.tensor().shape().is_empty() && !it.tensor().requires_grad())
        .map(|it| it.python_number(WaitCause::Item, vm))
        .transpose()?;
    let number = match tensor {
        Some(_) => read.and_then(|it| convert::number(&it, vm)),
        None => convert::number(value, vm),
    };
    number.ok_or_else(|| {
        vm.new_type_error(format!(
            "full(): argument 'fill_value' (position 2) must be Number, not {}",
            value.class().name()
        ))
    })
}

/// `zeros_like`, `ones_like`, `empty_like`
fn filled_like(mut args: FuncArgs, name: &str, number: f64, vm: &VirtualMachine) -> PyResult {
    let (options, like) = Options::like(&mut args, name, vm)?;
    let meta = Meta::new(like.shape, options.dtype.unwrap_or(like.dtype));
    fill(&options, meta, name, number, vm)
}

fn fill(options: &Options, meta: Meta, name: &str, number: f64, vm: &VirtualMachine) -> PyResult {
    let like = meta.clone();
    let make = |on: &Device| full_values(&like, number, on);
    let fill = if name.starts_with("empty") {
        Fill::Left(&make)
    } else {
        Fill::Full(&make)
    };
    options.finish(meta, &fill, vm)
}

/// `arange(end)`, `arange(start, end)`, `arange(start, end, step)`
fn arange(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let given = std::mem::take(&mut args.args);
    let numbers = given.iter().map(|it| convert::number(it, vm));
    let Some(mut numbers) = numbers.collect::<Option<Vec<_>>>() else {
        return Err(vm.new_type_error("arange() takes numbers"));
    };
    for name in ["start", "end", "step"] {
        let given = args.take_keyword(name);
        numbers.extend(given.and_then(|it| convert::number(&it, vm)));
    }
    let (start, end, step) = match numbers.as_slice() {
        [end] => ((0.0, Category::Int), *end, (1.0, Category::Int)),
        [start, end] => (*start, *end, (1.0, Category::Int)),
        [start, end, step] => (*start, *end, *step),
        _ => return Err(vm.new_type_error("arange() takes one to three numbers")),
    };
    let options = Options::take(&mut args, "arange", vm)?;
    let kind = start.1.max(end.1).max(step.1).max(Category::Int);
    if step.0 == 0.0 {
        return Err(vm.new_runtime_error("step must be nonzero"));
    }
    let count = ((end.0 - start.0) / step.0).ceil();
    if count < 0.0 {
        return Err(vm.new_runtime_error("upper bound and lower bound inconsistent with step sign"));
    }
    let dtype = options.dtype.unwrap_or_else(|| default_dtype(kind));
    let numbers = (start.0, step.0, count as usize);
    evenly("arange", numbers, dtype, &options, vm)
}

/// `linspace(start, end, steps)`
fn linspace(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut next = |name: &str| args.take_positional_keyword(name);
    let (start, end, steps) = (next("start"), next("end"), next("steps"));
    let number =
        |it: Option<PyObjectRef>| it.and_then(|it| convert::number(&it, vm)).map(|it| it.0);
    let (Some(start), Some(end), Some(steps)) = (number(start), number(end), steps) else {
        return Err(vm.new_type_error("linspace() takes a start, an end and a number of steps"));
    };
    let steps = usize::try_from(convert::whole(&steps, vm)?)
        .map_err(|_negative| vm.new_runtime_error("number of steps must be non-negative"))?;
    let options = Options::take(&mut args, "linspace", vm)?;
    let dtype = options.dtype.unwrap_or_else(default_float);
    let gap = if steps > 1 {
        (end - start) / (steps - 1) as f64
    } else {
        0.0
    };
    evenly("linspace", (start, gap, steps), dtype, &options, vm)
}

/// Numbers from a start, with a gap between one and the next.
fn evenly(
    name: &'static str,
    (start, gap, count): (f64, f64, usize),
    dtype: DType,
    options: &Options,
    vm: &VirtualMachine,
) -> PyResult {
    let make = |on: &Device| {
        if let Some(made) = card::evenly((start, gap), (&[count], dtype.stored()), on) {
            return Ok(made?);
        }
        let values = (0..count).map(|at| start + at as f64 * gap).collect();
        stored(values, &[count], dtype, on)
    };
    let meta = Meta::new(vec![count], dtype);
    options.finish(meta, &Fill::Made(name, &make), vm)
}

/// `eye(n)`
fn eye(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let given = std::mem::take(&mut args.args);
    let sizes = convert::whole_list(&given, vm)?;
    for (name, size) in ["n", "m"].iter().zip(&sizes) {
        if *size < 0 {
            let text = format!("{name} must be greater or equal to 0, got {size}");
            return Err(vm.new_runtime_error(text));
        }
    }
    let shape = checked(shape::creation(&sizes), vm)?;
    let (rows, columns) = match shape.as_slice() {
        [n] => (*n, *n),
        [rows, columns] => (*rows, *columns),
        _ => return Err(vm.new_type_error("eye() takes one or two sizes")),
    };
    let options = Options::take(&mut args, "eye", vm)?;
    let dtype = options.dtype.unwrap_or_else(default_float);
    let make = |on: &Device| {
        if let Some(made) = card::eye(columns, (&[rows, columns], dtype.stored()), on) {
            return Ok(made?);
        }
        let one = |at: usize| f64::from(u8::from(at / columns == at % columns));
        let values = (0..rows * columns).map(one).collect();
        stored(values, &[rows, columns], dtype, on)
    };
    let meta = Meta::new(vec![rows, columns], dtype);
    options.finish(meta, &Fill::Made("eye", &make), vm)
}
