//! The keys between the brackets of `x[…]`: the view that they give, and the index tensors to apply to it.

use super::super::convert::{self, checked, engine};
use super::super::from_values;
use super::super::tensor::PyTensor;
use crate::device::{Blocking, TensorDevice};
use crate::dtype::{Category, DType};
use crate::engine::Fill;
use crate::meta::Meta;
use crate::ops::{ToCopy, View};
use crate::shape;
use crate::tensor::Tensor;
use rustpython_vm::builtins::{PyList, PySlice, PyTuple};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};
use warpup_protocol::WaitCause;

/// The keys of `x[…]`, applied to `x`.
pub(super) struct IndexKeys {
    /// The view after ints, slices, `None` and `...`.
    pub(super) view: Tensor,
    /// Masks and index tensors, each with the dimension of the view that it begins at.
    pub(super) picks: Vec<(usize, Tensor)>,
    /// The dimension of the view that the next key applies to.
    at: usize,
    /// How many dimensions ints have removed; error messages count them.
    taken: usize,
}

/// Applies a key, or a tuple of keys, to a tensor.
pub(super) fn read(tensor: &Tensor, key: &PyObject, vm: &VirtualMachine) -> PyResult<IndexKeys> {
    let keys = listed(key, vm)
        .into_iter()
        .map(|key| Key::of(key, vm))
        .collect::<PyResult<Vec<Key>>>()?;
    let used: usize = keys.iter().map(Key::dims).sum();
    if tensor.rank() == 0 && keys.iter().any(Key::takes_a_dim) {
        return Err(vm.new_index_error(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
        ));
    }
    if used > tensor.rank() {
        return Err(vm.new_index_error(format!(
            "too many indices for tensor of dimension {}",
            tensor.rank()
        )));
    }
    let mut keyed = IndexKeys {
        view: tensor.clone(),
        picks: Vec::new(),
        at: 0,
        taken: 0,
    };
    for key in &keys {
        keyed.step(key, tensor.rank() - used, vm)?;
    }
    Ok(keyed)
}

/// The single keys. A tuple holds several; so does a list of anything but numbers.
fn listed(key: &PyObject, vm: &VirtualMachine) -> Vec<PyObjectRef> {
    if let Some(tuple) = key.downcast_ref::<PyTuple>() {
        return tuple.as_slice().to_vec();
    }
    let is_key = |it: &PyObjectRef| {
        vm.is_none(it)
            || it.is(&vm.ctx.ellipsis)
            || it.downcast_ref::<PySlice>().is_some()
            || it.downcast_ref::<PyTensor>().is_some()
            || convert::items(it).is_some()
    };
    match key.downcast_ref::<PyList>() {
        Some(list) if list.borrow_vec().iter().any(is_key) => list.borrow_vec().to_vec(),
        Some(_) | None => vec![key.to_owned()],
    }
}

/// One key.
enum Key {
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    Slice(PyObjectRef),
    /// A mask or an index tensor.
    Tensor(Tensor),
}

impl Key {
    fn of(key: PyObjectRef, vm: &VirtualMachine) -> PyResult<Self> {
        if vm.is_none(&key) {
            return Ok(Self::None);
        }
        if key.is(&vm.ctx.ellipsis) {
            return Ok(Self::Ellipsis);
        }
        if key.downcast_ref::<PySlice>().is_some() {
            return Ok(Self::Slice(key));
        }
        if let Some(it) = key.downcast_ref::<PyTensor>() {
            return Self::of_tensor(it, vm);
        }
        if let Some(it) = convert::array_or_scalar(&key, vm) {
            return Self::of_tensor(&it, vm);
        }
        if let Some(items) = convert::sequence(&key, vm)? {
            let made = from_values::tensor_of(&key, vm)?;
            let made = convert::tensor(&made, vm)?;
            if items.is_empty() {
                let none = engine(vm)?.apply(ToCopy::Cast(DType::I64), &[&made]);
                return Ok(Self::Tensor(checked(none, vm)?));
            }
            return Self::of_tensor(&PyTensor::from(made), vm);
        }
        if let Some((number, Category::Bool)) = convert::number(&key, vm) {
            return Ok(Self::Bool(number != 0.0));
        }
        match convert::whole(&key, vm) {
            Ok(position) => Ok(Self::Int(position)),
            Err(why) if !why.class().fast_issubclass(vm.ctx.exceptions.type_error) => Err(why),
            Err(_) if convert::text(&key).is_some() => {
                Err(vm.new_type_error("new(): invalid data type 'str'"))
            }
            Err(_) => Err(vm.new_index_error(format!(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})",
                key.class().name()
            ))),
        }
    }

    fn of_tensor(key: &PyTensor, vm: &VirtualMachine) -> PyResult<Self> {
        let tensor = key.tensor();
        match tensor.dtype().category() {
            Category::Float => Err(vm.new_index_error(
                "tensors used as indices must be long, int, byte or bool tensors",
            )),
            Category::Bool | Category::Int if tensor.rank() == 0 && is_mask(tensor) => {
                Ok(Self::Bool(key.only(vm)? != 0.0))
            }
            Category::Int if tensor.rank() == 0 => Ok(Self::Int(key.whole(vm)?)),
            Category::Bool | Category::Int => Ok(Self::Tensor(tensor.clone())),
        }
    }

    /// How many dimensions of the tensor it consumes.
    fn dims(&self) -> usize {
        match self {
            Self::None | Self::Ellipsis | Self::Bool(_) => 0,
            Self::Tensor(it) if is_mask(it) => it.rank(),
            Self::Int(_) | Self::Slice(_) | Self::Tensor(_) => 1,
        }
    }

    fn takes_a_dim(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Slice(_))
    }
}

impl IndexKeys {
    fn step(&mut self, key: &Key, rest: usize, vm: &VirtualMachine) -> PyResult<()> {
        match key {
            Key::Ellipsis => self.at += rest,
            Key::None => self.unsqueeze(vm)?,
            Key::Bool(truth) => {
                let truth = vec![0; usize::from(*truth)];
                let index = positions_on(self.view.device(), truth, vm)?;
                self.picks.push((self.at, index));
                self.unsqueeze(vm)?;
            }
            Key::Int(position) => self.select(*position, vm)?,
            Key::Slice(slice) => {
                if let Some(slice) = slice.downcast_ref::<PySlice>() {
                    self.slice(slice, vm)?;
                }
                self.at += 1;
            }
            Key::Tensor(index) => {
                self.picks.push((self.at, index.clone()));
                self.at += key.dims();
            }
        }
        Ok(())
    }

    fn see(&mut self, view: View, vm: &VirtualMachine) -> PyResult<()> {
        self.view = checked(engine(vm)?.apply(view, &[&self.view]), vm)?;
        Ok(())
    }

    fn unsqueeze(&mut self, vm: &VirtualMachine) -> PyResult<()> {
        let mut shape = self.view.shape();
        shape.insert(self.at, 1);
        self.at += 1;
        self.see(View::Reshape(shape), vm)
    }

    fn select(&mut self, position: i64, vm: &VirtualMachine) -> PyResult<()> {
        let size = self.view.shape().get(self.at).copied().unwrap_or(0);
        let from_front = if position < 0 {
            position + size as i64
        } else {
            position
        };
        match usize::try_from(from_front) {
            Ok(at) if at < size => {
                self.taken += 1;
                let (dim, index) = (self.at, at);
                self.see(View::Select { dim, index }, vm)
            }
            Ok(_) | Err(_) => Err(vm.new_index_error(format!(
                "index {position} is out of bounds for dimension {} with size {size}",
                self.at + self.taken
            ))),
        }
    }

    fn slice(&mut self, slice: &Py<PySlice>, vm: &VirtualMachine) -> PyResult<()> {
        let dim = self.at;
        let size = self.view.shape().get(dim).copied().unwrap_or(0);
        let bounds = slice.to_saturated(vm)?;
        let (range, step, _) = bounds.adjust_indices(size);
        if step < 0 {
            return Err(vm.new_value_error("step must be greater than zero"));
        }
        let (start, len) = (range.start, range.end.saturating_sub(range.start));
        if len != size {
            self.see(View::Narrow { dim, start, len }, vm)?;
        }
        if step != 1 {
            let step = step.unsigned_abs();
            self.see(View::Step { dim, step }, vm)?;
        }
        Ok(())
    }
}

/// Whether an index tensor is a mask: `bool`, or `uint8` as in PyTorch.
pub(super) fn is_mask(index: &Tensor) -> bool {
    matches!(index.dtype(), DType::Bool | DType::U8)
}

/// Raises if the sizes of a mask are not those of the dimensions from `dim` on.
pub(super) fn fits(view: &Tensor, dim: usize, mask: &Tensor, vm: &VirtualMachine) -> PyResult<()> {
    let (sizes, of) = (mask.shape(), view.shape());
    let mut pairs = sizes.iter().zip(of.iter().skip(dim));
    match pairs.position(|(a, b)| a != b) {
        None => Ok(()),
        Some(at) => Err(vm.new_index_error(format!(
            "The shape of the mask {sizes:?} at index {at} does not match the shape of the indexed tensor {of:?} at index {}",
            dim + at
        ))),
    }
}

/// The indexed dimensions and their index tensors, broadcast to one shape and on the device of `view`. Masks
/// become positions.
pub(super) fn broadcast(
    view: &Tensor,
    picks: Vec<(usize, Tensor)>,
    vm: &VirtualMachine,
) -> PyResult<(Vec<usize>, Vec<Tensor>)> {
    let (mut dims, mut indices) = (Vec::new(), Vec::new());
    for (dim, index) in picks {
        if index.device() != TensorDevice::Cpu && index.device() != view.device() {
            return Err(vm.new_runtime_error(format!(
                "indices should be either on cpu or on the same device as the indexed tensor ({})",
                view.device()
            )));
        }
        if is_mask(&index) {
            fits(view, dim, &index, vm)?;
            let positions = positions_of(&index, view.device(), vm)?;
            dims.extend(dim..dim + positions.len());
            indices.extend(positions);
        } else {
            dims.push(dim);
            indices.push(index);
        }
    }
    let first = indices.first().map(Tensor::shape).unwrap_or_default();
    let common = indices
        .iter()
        .try_fold(first, |shape, it| shape::broadcast(&shape, &it.shape()));
    let Ok(common) = common else {
        let shapes = indices.iter().map(|it| shape::listed(&it.shape()));
        let shapes: Vec<String> = shapes.collect();
        return Err(vm.new_index_error(format!(
            "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
            shapes.join(", ")
        )));
    };
    let indices = indices
        .iter()
        .map(|index| placed(index, view.device(), &common, vm))
        .collect::<PyResult<_>>()?;
    Ok((dims, indices))
}

/// An index tensor on this device, expanded to this shape.
fn placed(
    index: &Tensor,
    to: TensorDevice,
    shape: &[usize],
    vm: &VirtualMachine,
) -> PyResult<Tensor> {
    let engine = engine(vm)?;
    let there = checked(engine.copy(index, to, Blocking::Yes), vm)?;
    if there.shape() == shape {
        return Ok(there);
    }
    let spread = View::Expand(shape.to_vec());
    checked(engine.apply(spread, &[&there]), vm)
}

/// The positions at which a mask is true, by dimension, on this device. Those of a mask on the CPU are found there and go to
/// a card in one copy from pinned memory, as in PyTorch (`expandTensors` in `IndexingUtils.h`).
fn positions_of(mask: &Tensor, on: TensorDevice, vm: &VirtualMachine) -> PyResult<Vec<Tensor>> {
    let found = where_true(mask, vm)?;
    let (dims, count) = (found.len(), found.first().map_or(0, Vec::len));
    if mask.device() == on || count == 0 {
        let placed = found.into_iter().map(|it| positions_on(on, it, vm));
        return placed.collect();
    }
    let (all, engine) = (found.concat(), engine(vm)?);
    let make = |on: &candle_core::Device| {
        Ok(candle_core::Tensor::from_vec(
            all.clone(),
            (dims, count),
            on,
        )?)
    };
    let meta = Meta::new(vec![dims, count], DType::I64);
    let fill = Fill::Found("nonzero", &make);
    let found = checked(engine.create(meta, TensorDevice::Cpu, &fill), vm)?;
    let pinned = checked(engine.pin(&found), vm)?;
    let there = checked(engine.copy(&pinned, on, Blocking::No), vm)?;
    let of_dim = |index| View::Select { dim: 0, index };
    (0..dims)
        .map(|index| checked(engine.apply(of_dim(index), &[&there]), vm))
        .collect()
}

/// The positions at which a mask is true, by dimension. The host waits for the device.
fn where_true(mask: &Tensor, vm: &VirtualMachine) -> PyResult<Vec<Vec<i64>>> {
    let values = PyTensor::from(mask.clone()).values(WaitCause::Nonzero, vm)?;
    Ok(hits(&values, &mask.shape()))
}

/// Where values are not 0, by dimension.
pub(in super::super) fn hits(values: &[f64], shape: &[usize]) -> Vec<Vec<i64>> {
    let Some((width, outer)) = shape.split_last() else {
        return Vec::new();
    };
    let mut columns: Vec<i64> = Vec::new();
    // How many hits each row has.
    let mut counts = Vec::with_capacity(values.len() / (*width).max(1));
    for row in values.chunks_exact((*width).max(1)) {
        let before = columns.len();
        let found = row.iter().zip(0_i64..).filter(|(it, _)| **it != 0.0);
        columns.extend(found.map(|(_, at)| at));
        counts.push(columns.len() - before);
    }
    let mut positions: Vec<Vec<i64>> = vec![Vec::with_capacity(columns.len()); outer.len()];
    for (row, count) in counts.into_iter().enumerate().filter(|(_, it)| *it > 0) {
        let mut left = row;
        for (size, along) in outer.iter().zip(&mut positions).rev() {
            along.resize(along.len() + count, (left % size) as i64);
            left /= size;
        }
    }
    positions.push(columns);
    positions
}

fn positions_on(
    device: TensorDevice,
    positions: Vec<i64>,
    vm: &VirtualMachine,
) -> PyResult<Tensor> {
    let count = positions.len();
    let meta = Meta::new(vec![count], DType::I64);
    let make =
        |on: &candle_core::Device| Ok(candle_core::Tensor::from_vec(positions.clone(), count, on)?);
    let fill = Fill::Found("positions", &make);
    checked(engine(vm)?.create(meta, device, &fill), vm)
}
