//! Random tensors (`rand`, `randn`, `randint`, `randperm`), and methods that write random values into a tensor
//! (`uniform_`, `normal_`, `random_`, `bernoulli_` and so on).

use super::arguments::missing;
use super::context;
use super::convert::{self, checked};
use super::create::sizes;
use super::install::add_function;
use super::options::{self, Options};
use super::random::{Distribution, Random};
use super::tensor::PyTensor;
use crate::dtype::{DType, default_float};
use crate::engine::Fill;
use crate::meta::Meta;
use crate::shape::{self, Shape};
use candle_core::{Device, Tensor as Values, WithDType};
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
    if dtype == DType::F32 {
        let draw = |random: &mut Random, count| random.singles(count, from);
        return drawn(shape, dtype, options, vm, draw);
    }
    let draw = |random: &mut Random, count| random.numbers(count, from, dtype);
    drawn(shape, dtype, options, vm, draw)
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
    let draw = |random: &mut Random, count| random.integers(count, low, high);
    drawn(shape, dtype, &options, vm, draw)
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
    drawn(shape, DType::I64, &options, vm, Random::permutation)
}

/// A tensor of drawn values.
fn drawn<T: WithDType>(
    shape: Shape,
    dtype: DType,
    options: &Options,
    vm: &VirtualMachine,
    draw: impl Fn(&mut Random, usize) -> Vec<T>,
) -> PyResult {
    let context = context::current(vm)?;
    let sizes = shape.clone();
    let make = |_: &Device| {
        let count = shape::count(&sizes) as usize;
        let mut random = context.random.borrow_mut();
        let values = random.with_stream(options.stream, |random| draw(random, count));
        Ok(Values::from_vec(values, &*sizes, &Device::Cpu)?.to_dtype(dtype.stored())?)
    };
    options.finish(Meta::new(shape, dtype), &Fill::Made("random", &make), vm)
}

/// `uniform_(from, to)`
pub(super) fn uniform_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([from, to], stream) = numbers(args, [("from", 0.0), ("to", 1.0)], vm)?;
    float_only(zelf, "check_uniform_bounds", vm)?;
    if from > to {
        return Err(vm.new_runtime_error(format!(
            "uniform_ expects to return a [from, to) range, but found from={from} > to={to}"
        )));
    }
    let from = Distribution::Uniform(from, to);
    fill_numbers(zelf, ("UniformBackward0", stream), from, vm)
}

/// `normal_(mean, std)`
pub(super) fn normal_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([mean, std], stream) = numbers(args, [("mean", 0.0), ("std", 1.0)], vm)?;
    if std < 0.0 {
        return Err(vm.new_runtime_error(format!("normal expects std >= 0.0, but found std {std}")));
    }
    float_only(zelf, "normal_kernel_cpu", vm)?;
    let from = Distribution::Normal(mean, std);
    fill_numbers(zelf, ("NormalBackward0", stream), from, vm)
}

/// `bernoulli_(p)`
pub(super) fn bernoulli_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([chance], stream) = numbers(args, [("p", 0.5)], vm)?;
    if !(0.0..=1.0).contains(&chance) {
        return Err(vm.new_runtime_error(format!(
            "bernoulli_ expects p to be in [0, 1], but got p={chance}"
        )));
    }
    let from = Distribution::Bernoulli(chance);
    fill_numbers(zelf, ("BernoulliBackward1", stream), from, vm)
}

/// `exponential_(lambd)`
pub(super) fn exponential_(
    zelf: &Py<PyTensor>,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let ([rate], stream) = numbers(args, [("lambd", 1.0)], vm)?;
    float_only(zelf, "exponential_cpu", vm)?;
    if rate <= 0.0 {
        return Err(vm.new_runtime_error(format!(
            "exponential_ expects lambda > 0.0, but found lambda={rate}"
        )));
    }
    let from = Distribution::Exponential(rate);
    fill_numbers(zelf, ("ExponentialBackward0", stream), from, vm)
}

/// `cauchy_(median, sigma)`
pub(super) fn cauchy_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([median, sigma], stream) = numbers(args, [("median", 0.0), ("sigma", 1.0)], vm)?;
    float_only(zelf, "cauchy_cpu", vm)?;
    let from = Distribution::Cauchy(median, sigma);
    fill_numbers(zelf, ("CauchyBackward0", stream), from, vm)
}

/// `log_normal_(mean, std)`
pub(super) fn log_normal_(
    zelf: &Py<PyTensor>,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let ([mean, std], stream) = numbers(args, [("mean", 1.0), ("std", 2.0)], vm)?;
    float_only(zelf, "log_normal_cpu", vm)?;
    let from = Distribution::LogNormal(mean, std);
    fill_numbers(zelf, ("LogNormalBackward0", stream), from, vm)
}

/// `geometric_(p)`
pub(super) fn geometric_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let ([p], stream) = numbers(args, [("p", 0.5)], vm)?;
    if p <= 0.0 || p >= 1.0 {
        return Err(vm.new_runtime_error(format!(
            "geometric_ expects p to be in (0, 1), but got p={p}"
        )));
    }
    let from = Distribution::Geometric(p);
    fill_numbers(zelf, ("GeometricBackward0", stream), from, vm)
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
    let stream = options::stream(&mut args, vm)?;
    let dtype = zelf.tensor().dtype();
    fill_random(
        zelf,
        ("RandomBackward0", stream),
        vm,
        |random, count| match range {
            Some((low, high)) => random.integers(count, low, high),
            None => random.whole(count, dtype),
        },
    )
}

/// The arguments of an in-place method: numbers by position or keyword, with their defaults, and the random stream
/// of `generator`.
fn numbers<const N: usize>(
    mut args: FuncArgs,
    defaults: [(&str, f64); N],
    vm: &VirtualMachine,
) -> PyResult<([f64; N], usize)> {
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
    Ok((numbers, options::stream(&mut args, vm)?))
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

/// Writes numbers of a distribution into the memory of a tensor.
fn fill_numbers(
    zelf: &Py<PyTensor>,
    place: (&'static str, usize),
    from: Distribution,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let dtype = zelf.tensor().dtype();
    if dtype == DType::F32 {
        return fill_random(zelf, place, vm, |random, count| random.singles(count, from));
    }
    fill_random(zelf, place, vm, |random, count| {
        random.numbers(count, from, dtype)
    })
}

/// Writes random values into the memory of a tensor.
fn fill_random<T: WithDType>(
    zelf: &Py<PyTensor>,
    (function, stream): (&'static str, usize),
    vm: &VirtualMachine,
    draw: impl Fn(&mut Random, usize) -> Vec<T>,
) -> PyResult<()> {
    let context = context::current(vm)?;
    let Meta { shape, dtype } = zelf.tensor().meta();
    let make = |_: &Device| {
        let count = shape::count(&shape) as usize;
        let mut random = context.random.borrow_mut();
        let values = random.with_stream(stream, |random| draw(random, count));
        Ok(Values::from_vec(values, &*shape, &Device::Cpu)?.to_dtype(dtype.stored())?)
    };
    let fill = Fill::Made("random", &make);
    let filled = context.engine.fill_in_place(zelf.tensor(), &fill, function);
    checked(filled, vm)
}
