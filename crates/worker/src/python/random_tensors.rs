//! Random tensors (`rand`, `randn`, `randint`, `randperm`), and methods that write random values into a tensor
//! (`uniform_`, `normal_`, `random_`, `bernoulli_` and so on).

use super::arguments::missing;
use super::context;
use super::convert::{self, checked};
use super::create::sizes;
use super::cuda_graphs::draw_again;
use super::generators::{Drawing, on_card, on_cpu};
use super::install::add_function;
use super::options::{self, Options};
use super::tensor::PyTensor;
use crate::dtype::{DType, default_float};
use crate::engine::{Fill, MemoryOrder};
use crate::kernels::card;
use crate::kernels::philox::{Distribution, Sample, Shuffle};
use crate::meta::Meta;
use crate::shape::{self, Shape};
use candle_core::{Device, Tensor as Values};
use rustpython_vm::builtins::PyModule;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyResult, VirtualMachine};

/// Adds the functions that create random tensors.
pub(super) fn install(module: &Py<PyModule>, vm: &VirtualMachine) -> PyResult<()> {
    add_function(module, "randint", randint, vm)?;
    add_function(module, "randperm", randperm, vm)?;
    for (name, like, from) in [
        ("rand", "rand_like", Distribution::Uniform(0.0, 1.0)),
        ("randn", "randn_like", Distribution::Normal(0.0, 1.0)),
    ] {
        let by_size = move |args: FuncArgs, vm: &VirtualMachine| random(args, name, from, vm);
        add_function(module, name, by_size, vm)?;
        let by_input = move |args: FuncArgs, vm: &VirtualMachine| random_like(args, like, from, vm);
        add_function(module, like, by_input, vm)?;
    }
    Ok(())
}

/// `rand` and `randn`
fn random(mut args: FuncArgs, name: &str, from: Distribution, vm: &VirtualMachine) -> PyResult {
    let shape = sizes(&mut args, name, vm)?;
    let options = Options::take(&mut args, name, vm)?;
    random_of(shape, from, &options, vm)
}

/// `rand_like` and `randn_like`
fn random_like(
    mut args: FuncArgs,
    name: &str,
    from: Distribution,
    vm: &VirtualMachine,
) -> PyResult {
    let (options, like) = Options::like(&mut args, name, vm)?;
    random_of(like.shape, from, &options, vm)
}

fn random_of(shape: Shape, from: Distribution, options: &Options, vm: &VirtualMachine) -> PyResult {
    let dtype = options.dtype.unwrap_or_else(default_float);
    if !dtype.is_float() {
        return Err(vm.new_runtime_error(format!(
            "\"normal_kernel_cpu\" not implemented for '{}'",
            dtype.scalar_name()
        )));
    }
    drawn(Meta::new(shape, dtype), Sample::Of(from), options, vm)
}

/// `randint(high, size)`, `randint(low, high, size)`
fn randint(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut given = std::mem::take(&mut args.args);
    let low = args.take_keyword("low");
    given.splice(0..0, low);
    given.extend(args.take_keyword("high"));
    given.extend(args.take_keyword("size"));
    let (low, high, size) = match given.as_slice() {
        [high, size] => (0, convert::whole(high, vm)?, size),
        [low, high, size] => (convert::whole(low, vm)?, convert::whole(high, vm)?, size),
        _ => return Err(vm.new_type_error("randint() takes low, high and a size")),
    };
    is_range(low, high, vm)?;
    let sizes = convert::whole_list(std::slice::from_ref(size), vm)?;
    let shape = checked(shape::creation(&sizes), vm)?;
    let options = Options::take(&mut args, "randint", vm)?;
    let dtype = options.dtype.unwrap_or(DType::I64);
    let meta = Meta::new(shape, dtype);
    drawn(meta, Sample::Range(low, high), &options, vm)
}

/// Raises if no whole number is between these two.
fn is_range(low: i64, high: i64, vm: &VirtualMachine) -> PyResult<()> {
    if low < high {
        return Ok(());
    }
    Err(vm.new_runtime_error(format!(
        "random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
    )))
}

/// `randperm(n)`
fn randperm(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let Some(count) = args.take_positional() else {
        return Err(missing("randperm", "n", vm));
    };
    let sizes = convert::whole_list(&[count], vm)?;
    let shape = checked(shape::creation(&sizes), vm)?;
    let options = Options::take(&mut args, "randperm", vm)?;
    let context = context::current(vm)?;
    let count = shape::count(&shape);
    let place = (options.device, options.generator);
    let shuffle = on_card(&context, place, vm, |philox, most| {
        Shuffle::of(philox, count, most)
    })?;
    let own = options.generator.unwrap_or(0);
    let make = |on: &Device| {
        let order = match &shuffle {
            Some(shuffle) if on.is_cuda() => return Ok(card::permutation(shuffle, on)?),
            Some(shuffle) => shuffle.order(),
            None => on_cpu(&context, own, |it| it.permutation(count as usize)),
        };
        Ok(Values::from_vec(order, count as usize, on)?)
    };
    let meta = Meta::new(shape, DType::I64);
    options.finish(meta, &Fill::Drawn("randperm", &make), vm)
}

/// A tensor of drawn values.
fn drawn(meta: Meta, sample: Sample, options: &Options, vm: &VirtualMachine) -> PyResult {
    let context = context::current(vm)?;
    let place = (options.device, options.generator);
    let drawing = Drawing::begin(&context, place, (sample, &meta), vm)?;
    let of = meta.clone();
    draw_again(&context.engine, &drawing, sample, &meta);
    let make = |on: &Device| drawing.values(&context, sample, (&of.shape, of.dtype), on);
    options.finish(meta, &Fill::Drawn(sample.function(), &make), vm)
}

/// `uniform_(from, to)`
pub(super) fn uniform_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([from, to], generator) = numbers(args, [("from", 0.0), ("to", 1.0)], vm)?;
    float_only(zelf, "check_uniform_bounds", vm)?;
    if from > to {
        return Err(vm.new_runtime_error(format!(
            "uniform_ expects to return a [from, to) range, but found from={from} > to={to}"
        )));
    }
    let sample = Sample::Of(Distribution::Uniform(from, to));
    fill_random(zelf, ("UniformBackward0", generator), sample, vm)
}

/// `normal_(mean, std)`
pub(super) fn normal_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([mean, std], generator) = numbers(args, [("mean", 0.0), ("std", 1.0)], vm)?;
    if std < 0.0 {
        return Err(vm.new_runtime_error(format!("normal expects std >= 0.0, but found std {std}")));
    }
    float_only(zelf, "normal_kernel_cpu", vm)?;
    let sample = Sample::Of(Distribution::Normal(mean, std));
    fill_random(zelf, ("NormalBackward0", generator), sample, vm)
}

/// `bernoulli_(p)`
pub(super) fn bernoulli_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([chance], generator) = numbers(args, [("p", 0.5)], vm)?;
    if !(0.0..=1.0).contains(&chance) {
        return Err(vm.new_runtime_error(format!(
            "bernoulli_ expects p to be in [0, 1], but got p={chance}"
        )));
    }
    let sample = Sample::Of(Distribution::Bernoulli(chance));
    fill_random(zelf, ("BernoulliBackward1", generator), sample, vm)
}

/// `exponential_(lambd)`
pub(super) fn exponential_(
    zelf: &Py<PyTensor>,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let ([rate], generator) = numbers(args, [("lambd", 1.0)], vm)?;
    float_only(zelf, "exponential_cpu", vm)?;
    if rate <= 0.0 {
        return Err(vm.new_runtime_error(format!(
            "exponential_ expects lambda > 0.0, but found lambda={rate}"
        )));
    }
    let sample = Sample::Of(Distribution::Exponential(rate));
    fill_random(zelf, ("ExponentialBackward0", generator), sample, vm)
}

/// `cauchy_(median, sigma)`
pub(super) fn cauchy_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([median, sigma], generator) = numbers(args, [("median", 0.0), ("sigma", 1.0)], vm)?;
    float_only(zelf, "cauchy_cpu", vm)?;
    let sample = Sample::Of(Distribution::Cauchy(median, sigma));
    fill_random(zelf, ("CauchyBackward0", generator), sample, vm)
}

/// `log_normal_(mean, std)`
pub(super) fn log_normal_(
    zelf: &Py<PyTensor>,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let ([mean, std], generator) = numbers(args, [("mean", 1.0), ("std", 2.0)], vm)?;
    float_only(zelf, "log_normal_cpu", vm)?;
    let sample = Sample::Of(Distribution::LogNormal(mean, std));
    fill_random(zelf, ("LogNormalBackward0", generator), sample, vm)
}

/// `geometric_(p)`
pub(super) fn geometric_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([p], generator) = numbers(args, [("p", 0.5)], vm)?;
    if p <= 0.0 || p >= 1.0 {
        return Err(vm.new_runtime_error(format!(
            "geometric_ expects p to be in (0, 1), but got p={p}"
        )));
    }
    let sample = Sample::Of(Distribution::Geometric(p));
    fill_random(zelf, ("GeometricBackward0", generator), sample, vm)
}

/// `random_()`, `random_(to)`, `random_(from, to)`
pub(super) fn random_(
    zelf: &Py<PyTensor>,
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let mut next = |name: &str| {
        let given = args.take_positional_keyword(name);
        given.map(|it| convert::whole(&it, vm)).transpose()
    };
    let range = match (next("from")?, next("to")?) {
        (Some(low), Some(high)) => Some((low, high)),
        (Some(high), None) | (None, Some(high)) => Some((0, high)),
        (None, None) => None,
    };
    if let Some((low, high)) = range {
        is_range(low, high, vm)?;
    }
    let generator = options::generator(&mut args, vm)?;
    let sample = range.map_or(Sample::Whole, |(low, high)| Sample::Range(low, high));
    fill_random(zelf, ("RandomBackward0", generator), sample, vm)
}

/// The arguments of an in-place method: numbers by position or keyword, with their defaults, and the number of
/// `generator`.
fn numbers<const N: usize>(
    mut args: FuncArgs,
    defaults: [(&str, f64); N],
    vm: &VirtualMachine,
) -> PyResult<([f64; N], Option<usize>)> {
    let mut numbers = defaults.map(|it| it.1);
    for (number, (name, _)) in numbers.iter_mut().zip(defaults) {
        if let Some(given) = args.take_positional_keyword(name) {
            *number = match (
                given.downcast_ref::<PyTensor>(),
                convert::number(&given, vm),
            ) {
                (Some(tensor), _) => tensor.only(vm)?,
                (None, Some((value, _))) => value,
                (None, None) => {
                    return Err(vm.new_type_error(format!("{name} must be a number")));
                }
            };
        }
    }
    Ok((numbers, options::generator(&mut args, vm)?))
}

fn float_only(zelf: &Py<PyTensor>, kernel: &str, vm: &VirtualMachine) -> PyResult<()> {
    let dtype = zelf.tensor().dtype();
    if dtype.is_float() {
        return Ok(());
    }
    Err(vm.new_not_implemented_error(format!(
        "\"{kernel}\" not implemented for '{}'",
        dtype.scalar_name()
    )))
}

/// Writes random values into the memory of a tensor.
fn fill_random(
    zelf: &Py<PyTensor>,
    (function, generator): (&'static str, Option<usize>),
    sample: Sample,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let context = context::current(vm)?;
    let tensor = zelf.tensor();
    let meta = tensor.meta();
    let drawing = Drawing::begin(&context, (tensor.device(), generator), (sample, &meta), vm)?;
    // A card draws in the order of the memory.
    let order = match &drawing {
        Drawing::Card(_) => MemoryOrder::like(&tensor.state()),
        Drawing::Cpu(_) => None,
    };
    if order.is_none() {
        draw_again(&context.engine, &drawing, sample, &meta);
    }
    let make = |on: &Device| match &order {
        None => drawing.values(&context, sample, (&meta.shape, meta.dtype), on),
        Some(order) => {
            let memory = order.of_memory(&meta);
            let values = drawing.values(&context, sample, (&memory.shape, memory.dtype), on)?;
            order.as_seen(&values)
        }
    };
    let fill = Fill::Drawn(sample.function(), &make);
    let filled = context.engine.fill_in_place(tensor, &fill, function);
    checked(filled, vm)
}
