//! Methods that write to, or read from, places that other tensors name.

use super::arguments::Arguments;
use super::convert::{self, checked, engine, raised, wrapped};
use super::tensor::{PyTensorRef, add};
use crate::worker::dtype::DType;
use crate::worker::engine::Fill;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::Scatter;
use rustpython_vm::builtins::PyType;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyResult, VirtualMachine};

/// Gives the class these methods.
pub(super) fn install(class: &'static Py<PyType>, vm: &VirtualMachine) {
    for (name, method) in [
        ("scatter", vm.new_method("scatter", class, scatter)),
        (
            "scatter_add",
            vm.new_method("scatter_add", class, scatter_add),
        ),
        ("index_add", vm.new_method("index_add", class, index_add)),
        ("_nonzero", vm.new_method("_nonzero", class, nonzero)),
    ] {
        add(class, name, method.into(), vm);
    }
}

/// `scatter(dim, index, src)`; a number may stand for the source.
fn scatter(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("scatter", args);
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let index = args.tensor("index", vm)?;
    let source = match args.named("value", vm) {
        Some(value) => value,
        None => args.required("src", vm)?,
    };
    if args.named("reduce", vm).is_some() {
        return Err(raised(
            TorchError::missing(
                "scatter(reduce=…) is not part of warpup; PyTorch has it. Use scatter_add",
            ),
            vm,
        ));
    }
    args.end(vm)?;
    let source = match convert::number(&source, vm) {
        Some((number, _)) => {
            let like = Meta::new(index.shape(), zelf.tensor().dtype());
            checked(engine(vm)?.full(like, zelf.tensor().device(), number), vm)?
        }
        None => convert::tensor(&source, vm)?,
    };
    let op = Scatter::Scatter(dim);
    wrapped(engine(vm)?.apply(op, &[zelf.tensor(), &index, &source]), vm)
}

fn scatter_add(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("scatter_add", args);
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let (index, source) = (args.tensor("index", vm)?, args.tensor("src", vm)?);
    args.end(vm)?;
    let op = Scatter::ScatterAdd(dim);
    wrapped(engine(vm)?.apply(op, &[zelf.tensor(), &index, &source]), vm)
}

/// `index_add(dim, index, source, alpha=1)`
fn index_add(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of("index_add", args);
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let index = args.tensor("index", vm)?;
    let mut source = args.required("source", vm)?;
    if let Some(alpha) = args.named("alpha", vm) {
        source = vm._mul(&source, &alpha)?;
    }
    args.end(vm)?;
    let source = convert::tensor(&source, vm)?;
    let op = Scatter::IndexAdd(dim);
    wrapped(engine(vm)?.apply(op, &[zelf.tensor(), &index, &source]), vm)
}

/// Where elements are not 0, one row for each: the device has to be asked, as in PyTorch, because the
/// size of the result hangs on values.
fn nonzero(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    let shape = zelf.tensor().shape();
    let values = zelf.values(vm)?;
    let mut rows: Vec<i64> = Vec::new();
    let mut count = 0;
    for (flat, _) in values.iter().enumerate().filter(|(_, it)| **it != 0.0) {
        let mut left = flat;
        let mut row: Vec<i64> = Vec::with_capacity(shape.len());
        for size in shape.iter().rev() {
            row.push((left % size) as i64);
            left /= size;
        }
        rows.extend(row.into_iter().rev());
        count += 1;
    }
    let sizes = vec![count, shape.len()];
    let make =
        |on: &candle_core::Device| Ok(candle_core::Tensor::from_vec(rows.clone(), &*sizes, on)?);
    let meta = Meta::new(sizes.clone(), DType::I64);
    let found = engine(vm)?.create(meta, zelf.tensor().device(), &Fill::Made("nonzero", &make));
    wrapped(found, vm)
}
