//! Random values, for new tensors (`rand`, `randn`, `randint`, `randperm`) and for those that are there
//! (`uniform_`, `normal_`, `random_`, `bernoulli_`).

use super::context;
use super::convert::{self, checked, raised};
use super::create::{Options, sizes};
use super::random::Random;
use super::tensor::{PyTensor, This};
use crate::worker::dtype::{DType, default_float};
use crate::worker::engine::Fill;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::shape::{self, Shape};
use candle_core::{Device, Tensor as Values};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyResult, VirtualMachine};

/// The distributions of random values.
#[derive(Clone, Copy)]
pub(super) enum Spread {
    /// Between 0 and 1.
    Uniform,
    /// Mean 0, deviation 1.
    Normal,
}

/// `rand` and `randn`
pub(super) fn random(mut args: FuncArgs, spread: Spread, vm: &VirtualMachine) -> PyResult {
    let name = match spread {
        Spread::Uniform => "rand",
        Spread::Normal => "randn",
    };
    let shape = sizes(&mut args, name, vm)?;
    let options = Options::take(&mut args, name, vm)?;
    random_of(shape, spread, &options, vm)
}

/// `rand_like` and `randn_like`
pub(super) fn random_like(mut args: FuncArgs, spread: Spread, vm: &VirtualMachine) -> PyResult {
    let (options, like) = Options::like(&mut args, "rand_like", vm)?;
    random_of(like.shape, spread, &options, vm)
}

fn random_of(shape: Shape, spread: Spread, options: &Options, vm: &VirtualMachine) -> PyResult {
    let dtype = options.dtype.unwrap_or_else(default_float);
    if !dtype.is_float() {
        return Err(raised(
            TorchError::runtime(format!(
                "\"normal_kernel_cpu\" not implemented for '{}'",
                dtype.scalar_name()
            )),
            vm,
        ));
    }
    let context = context::current(vm)?;
    let sizes = shape.clone();
    let make = |_: &Device| {
        let count = shape::count(&sizes) as usize;
        let mut random = context.random.borrow_mut();
        let values = random.from(options.stream, |random| match spread {
            Spread::Uniform => random.uniform(count),
            Spread::Normal => random.normal(count),
        });
        Ok(Values::from_vec(values, &*sizes, &Device::Cpu)?.to_dtype(dtype.stored())?)
    };
    options.finish(Meta::new(shape, dtype), &Fill::Made("random", &make), vm)
}

/// `randint(high, size)`, `randint(low, high, size)`
pub(super) fn randint(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut given = std::mem::take(&mut args.args);
    let low = args.take_keyword("low");
    given.splice(0..0, low);
    given.extend(args.take_keyword("high"));
    given.extend(args.take_keyword("size"));
    let (low, high, size) = match given.as_slice() {
        [high, size] => (0, convert::whole(high, vm)?, size.clone()),
        [low, high, size] => (
            convert::whole(low, vm)?,
            convert::whole(high, vm)?,
            size.clone(),
        ),
        _ => return Err(vm.new_type_error("randint() takes low, high and a size")),
    };
    if low >= high {
        return Err(vm.new_runtime_error(format!(
            "random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )));
    }
    let sizes = convert::whole_list(&[size], vm)?;
    let shape = checked(shape::creation(&sizes), vm)?;
    let options = Options::take(&mut args, "randint", vm)?;
    let dtype = options.dtype.unwrap_or(DType::I64);
    whole_values(shape, dtype, &options, vm, |random, count| {
        random.whole(count, low, high)
    })
}

/// `randperm(n)`
pub(super) fn randperm(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let Some(count) = args.take_positional() else {
        return Err(vm.new_type_error("randperm() missing 1 required positional arguments: \"n\""));
    };
    let sizes = convert::whole_list(&[count], vm)?;
    let shape = checked(shape::creation(&sizes), vm)?;
    let options = Options::take(&mut args, "randperm", vm)?;
    whole_values(shape, DType::I64, &options, vm, Random::order)
}

fn whole_values(
    shape: Shape,
    dtype: DType,
    options: &Options,
    vm: &VirtualMachine,
    draw: impl Fn(&mut Random, usize) -> Vec<i64>,
) -> PyResult {
    let context = context::current(vm)?;
    let sizes = shape.clone();
    let make = |_: &Device| {
        let count = shape::count(&sizes) as usize;
        let mut random = context.random.borrow_mut();
        let values = random.from(options.stream, |random| draw(random, count));
        Ok(Values::from_vec(values, &*sizes, &Device::Cpu)?.to_dtype(dtype.stored())?)
    };
    options.finish(Meta::new(shape, dtype), &Fill::Made("random", &make), vm)
}

/// `uniform_(from, to)`
pub(super) fn uniform_(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult<This> {
    let (from, to) = two_numbers(args, ("from", 0.0), ("to", 1.0), vm)?;
    float_only(&zelf, "check_uniform_bounds", vm)?;
    if from > to {
        return Err(vm.new_runtime_error(format!(
            "uniform_ expects to return a [from, to) range, but found from={from} > to={to}"
        )));
    }
    redrawn(zelf, "UniformBackward0", vm, |random, count| {
        let values = random.uniform(count).into_iter();
        values
            .map(|it| from + f64::from(it) * (to - from))
            .collect()
    })
}

/// `normal_(mean, std)`
pub(super) fn normal_(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult<This> {
    let (mean, std) = two_numbers(args, ("mean", 0.0), ("std", 1.0), vm)?;
    if std < 0.0 {
        return Err(vm.new_runtime_error(format!("normal expects std >= 0.0, but found std {std}")));
    }
    float_only(&zelf, "normal_kernel_cpu", vm)?;
    redrawn(zelf, "NormalBackward0", vm, |random, count| {
        let values = random.normal(count).into_iter();
        values.map(|it| mean + f64::from(it) * std).collect()
    })
}

/// `bernoulli_(p)`
pub(super) fn bernoulli_(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult<This> {
    let (chance, _) = two_numbers(args, ("p", 0.5), ("", 0.0), vm)?;
    if !(0.0..=1.0).contains(&chance) {
        return Err(vm.new_runtime_error(format!(
            "bernoulli_ expects p to be in [0, 1], but got p={chance}"
        )));
    }
    redrawn(zelf, "BernoulliBackward1", vm, |random, count| {
        let values = random.uniform(count).into_iter();
        values
            .map(|it| f64::from(u8::from(f64::from(it) < chance)))
            .collect()
    })
}

/// `random_()`, `random_(to)`, `random_(from, to)`
pub(super) fn random_(zelf: This, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<This> {
    let mut next = |name: &str| {
        let given = args.take_positional().or_else(|| args.take_keyword(name));
        given.map(|it| convert::whole(&it, vm)).transpose()
    };
    // As far as every whole number still has a value of its own.
    let most = match zelf.tensor().dtype() {
        DType::Bool => 2,
        DType::U8 | DType::BF16 => 1 << 8,
        DType::I16 => 1 << 15,
        DType::I32 => 1 << 31,
        DType::I64 => i64::MAX,
        DType::F16 => 1 << 11,
        DType::F32 => 1 << 24,
        DType::F64 => 1 << 53,
    };
    let (low, high) = match (next("from")?, next("to")?) {
        (Some(low), Some(high)) => (low, high),
        (Some(high), None) | (None, Some(high)) => (0, high),
        (None, None) => (0, most),
    };
    if low >= high {
        return Err(vm.new_runtime_error(format!(
            "random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )));
    }
    redrawn(zelf, "RandomBackward0", vm, |random, count| {
        let values = random.whole(count, low, high).into_iter();
        values.map(|it| it as f64).collect()
    })
}

fn two_numbers(
    mut args: FuncArgs,
    (first, first_default): (&str, f64),
    (second, second_default): (&str, f64),
    vm: &VirtualMachine,
) -> PyResult<(f64, f64)> {
    let mut next = |name: &str, default: f64| {
        let given = args.take_positional().or_else(|| args.take_keyword(name));
        match given {
            None => Ok(default),
            Some(it) => convert::number(&it, vm)
                .map(|it| it.0)
                .ok_or_else(|| vm.new_type_error(format!("{name} must be a number"))),
        }
    };
    let numbers = (next(first, first_default)?, next(second, second_default)?);
    drop(args.take_keyword("generator"));
    match args.kwargs.keys().next() {
        Some(unknown) => {
            Err(vm.new_type_error(format!("got an unexpected keyword argument '{unknown}'")))
        }
        None => Ok(numbers),
    }
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

/// New values in a tensor's own memory.
fn redrawn(
    zelf: This,
    function: &'static str,
    vm: &VirtualMachine,
    draw: impl Fn(&mut Random, usize) -> Vec<f64>,
) -> PyResult<This> {
    let context = context::current(vm)?;
    let Meta { shape, dtype } = zelf.tensor().meta();
    let make = |_: &Device| {
        let count = shape::count(&shape) as usize;
        let values = draw(&mut context.random.borrow_mut(), count);
        Ok(Values::from_vec(values, &*shape, &Device::Cpu)?.to_dtype(dtype.stored())?)
    };
    let fill = Fill::Made("random", &make);
    let filled = context.engine.fill_in_place(zelf.tensor(), &fill, function);
    checked(filled, vm)?;
    Ok(zelf)
}
