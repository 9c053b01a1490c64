//! Making tensors of random values: `rand`, `randn`, `randint`, `randperm`.

use super::context;
use super::convert::{self, checked, raised};
use super::create::{Options, sizes};
use super::random::Random;
use crate::worker::engine::Fill;
use crate::worker::tensor::dtype::DType;
use crate::worker::tensor::fault::Fault;
use crate::worker::tensor::op::Meta;
use crate::worker::tensor::shape::{self, Shape};
use candle_core::{Device, Tensor as Values};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyResult, VirtualMachine};

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
    let dtype = options.dtype.unwrap_or(DType::F32);
    if !dtype.is_float() {
        return Err(raised(
            Fault::runtime(format!(
                "\"normal_kernel_cpu\" not implemented for '{}'",
                dtype.scalar_name()
            )),
            vm,
        ));
    }
    let context = context::current(vm)?;
    let sizes = shape.clone();
    let make = || {
        let count = shape::count(&sizes) as usize;
        let mut random = context.random.borrow_mut();
        let values = match spread {
            Spread::Uniform => random.uniform(count),
            Spread::Normal => random.normal(count),
        };
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
    let make = || {
        let values = draw(
            &mut context.random.borrow_mut(),
            shape::count(&sizes) as usize,
        );
        Ok(Values::from_vec(values, &*sizes, &Device::Cpu)?.to_dtype(dtype.stored())?)
    };
    options.finish(Meta::new(shape, dtype), &Fill::Made("random", &make), vm)
}
