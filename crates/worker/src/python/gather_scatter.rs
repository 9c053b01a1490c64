//! Methods that write to, or read from, places that other tensors name.

use super::arguments::Arguments;
use super::convert::{self, apply, checked, engine, wrapped};
use super::index::hits;
use super::install::{add, add_parsing};
use super::tensor::{PyTensor, PyTensorRef};
use crate::dtype::DType;
use crate::engine::Fill;
use crate::meta::Meta;
use crate::ops::Scatter;
use rustpython_vm::{Py, PyResult, VirtualMachine};
use warpup_protocol::WaitCause;

/// Adds these methods.
pub(super) fn install(vm: &VirtualMachine) {
    add_parsing("scatter", scatter, vm);
    add_parsing("scatter_add", scatter_add, vm);
    add_parsing("index_add", index_add, vm);
    add("_nonzero", nonzero, vm);
}

/// `scatter(dim, index, src)`; a number may replace the source.
fn scatter(zelf: &Py<PyTensor>, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let index = args.tensor("index", vm)?;
    let source = match args.named("value", vm) {
        Some(value) => value,
        None => args.required("src", vm)?,
    };
    if args.named("reduce", vm).is_some() {
        return Err(vm.new_not_implemented_error(
            "scatter(reduce=…) is not part of warpup; PyTorch has it. Use scatter_add",
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
    apply(op, &[zelf.tensor(), &index, &source], vm)
}

fn scatter_add(zelf: &Py<PyTensor>, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let (index, source) = (args.tensor("index", vm)?, args.tensor("src", vm)?);
    args.end(vm)?;
    let op = Scatter::ScatterAdd(dim);
    apply(op, &[zelf.tensor(), &index, &source], vm)
}

/// `index_add(dim, index, source, alpha=1)`
fn index_add(zelf: &Py<PyTensor>, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let dim = args.dim(zelf.tensor().rank(), vm)?;
    let index = args.tensor("index", vm)?;
    let mut source = args.required("source", vm)?;
    if let Some(alpha) = args.named("alpha", vm) {
        source = vm._mul(&source, &alpha)?;
    }
    args.end(vm)?;
    let source = convert::tensor(&source, vm)?;
    let op = Scatter::IndexAdd(dim);
    apply(op, &[zelf.tensor(), &index, &source], vm)
}

/// Where elements are not 0, one row for each: the device has to be asked, as in PyTorch, because the
/// size of the result hangs on values.
fn nonzero(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    let shape = zelf.tensor().shape();
    let values = zelf.values(WaitCause::Nonzero, vm)?;
    let positions = hits(&values, &shape);
    let dims = positions.len();
    let count = positions.first().map_or_else(
        || usize::from(values.first().is_some_and(|it| *it != 0.0)),
        Vec::len,
    );
    let mut rows = vec![0_i64; count * dims];
    for (dim, along) in positions.iter().enumerate() {
        for (to, it) in rows.iter_mut().skip(dim).step_by(dims).zip(along) {
            *to = *it;
        }
    }
    let sizes = vec![count, shape.len()];
    let make =
        |on: &candle_core::Device| Ok(candle_core::Tensor::from_vec(rows.clone(), &*sizes, on)?);
    let meta = Meta::new(sizes.clone(), DType::I64);
    let found = engine(vm)?.create(meta, zelf.tensor().device(), &Fill::Found("nonzero", &make));
    wrapped(found, vm)
}
