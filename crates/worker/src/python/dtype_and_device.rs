//! `torch.dtype` and `torch.device`.

use super::{context, convert};
use crate::device::TensorDevice;
use crate::dtype::DType;
use rustpython_vm::builtins::{PyInt, PyType};
use rustpython_vm::function::{FuncArgs, PyComparisonValue};
use rustpython_vm::types::{Comparable, Constructor, Hashable, PyComparisonOp, Representable};
use rustpython_vm::{
    Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass,
};

/// An element type.
#[pyclass(module = "torch", name = "dtype")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PyPayload)]
pub(super) struct PyDType(pub(super) DType);

/// The object of an element type: one in a run, as `x.dtype is torch.float32` asks for.
pub(super) fn dtype(of: DType, vm: &VirtualMachine) -> PyResult {
    let context = context::current(vm)?;
    let mut made = context.dtypes.borrow_mut();
    if let Some((_, object)) = made.iter().find(|(it, _)| *it == of) {
        return Ok(object.clone());
    }
    let object: PyObjectRef = PyDType(of).into_pyobject(vm);
    made.push((of, object.clone()));
    Ok(object)
}

#[pyclass(with(Representable, Comparable, Hashable))]
impl PyDType {
    #[pygetset]
    fn is_floating_point(zelf: &Py<Self>) -> bool {
        zelf.0.is_float()
    }

    #[pygetset]
    fn itemsize(zelf: &Py<Self>) -> u64 {
        zelf.0.size()
    }
}

impl Representable for PyDType {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("torch.{}", zelf.0.name()))
    }
}

impl Comparable for PyDType {
    fn cmp(
        zelf: &Py<Self>,
        other: &PyObject,
        op: PyComparisonOp,
        _vm: &VirtualMachine,
    ) -> PyResult<PyComparisonValue> {
        let same = other
            .downcast_ref::<Self>()
            .is_some_and(|it| **it == **zelf);
        op.eq_only(|| Ok(PyComparisonValue::Implemented(same)))
    }
}

impl Hashable for PyDType {
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<i64> {
        Ok(zelf.0 as i64)
    }
}

/// A device as a program names it: a kind, and an ordinal if one was given.
#[pyclass(module = "torch", name = "device")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PyPayload)]
pub(super) struct PyDevice {
    kind: DeviceKind,
    index: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeviceKind {
    Cpu,
    Cuda,
}

impl DeviceKind {
    const ALL: [Self; 2] = [Self::Cpu, Self::Cuda];

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
        }
    }
}

impl PyDevice {
    /// A tensor's device, which always has its ordinal.
    pub(super) fn of(device: TensorDevice) -> Self {
        let (kind, index) = match device {
            TensorDevice::Cpu => (DeviceKind::Cpu, None),
            TensorDevice::Card(index) => (DeviceKind::Cuda, Some(index)),
        };
        Self { kind, index }
    }

    /// The device that it names, with an ordinal: without one, the first card.
    pub(super) fn to_tensor_device(self) -> TensorDevice {
        match self.kind {
            DeviceKind::Cpu => TensorDevice::Cpu,
            DeviceKind::Cuda => TensorDevice::Card(self.index.unwrap_or(0)),
        }
    }

    /// A device argument: `torch.device`, text, or an ordinal.
    pub(super) fn from_argument(object: &PyObject, vm: &VirtualMachine) -> PyResult<Self> {
        if let Some(device) = object.downcast_ref::<Self>() {
            return Ok(**device);
        }
        if object.downcast_ref::<PyInt>().is_some() {
            let index = u32::try_from(convert::whole(object, vm)?).unwrap_or(u32::MAX);
            return Ok(Self {
                kind: DeviceKind::Cuda,
                index: Some(index),
            });
        }
        match convert::text(object) {
            Some(text) if text.is_empty() => {
                Err(vm.new_runtime_error("Device string must not be empty"))
            }
            Some(text) => Self::from_text(&text, vm),
            None => Err(vm.new_type_error(format!(
                "device must be torch.device, str or int, not {}",
                object.class().name()
            ))),
        }
    }

    fn from_text(text: &str, vm: &VirtualMachine) -> PyResult<Self> {
        let (kind, index) = match text.split_once(':') {
            Some((kind, index)) => (kind, Some(index)),
            None => (text, None),
        };
        if kind == "meta" {
            return Err(vm.new_not_implemented_error(
                "tensors on the device 'meta' are not part of warpup; PyTorch has them. `warpup plan FILE.py` runs a program with shapes and without values".to_owned(),
            ));
        }
        let Some(kind) = DeviceKind::of_name(kind) else {
            return Err(vm.new_runtime_error(format!(
                "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: {kind}"
            )));
        };
        match index.map(str::parse).transpose() {
            Ok(index) => Ok(Self { kind, index }),
            Err(_no_number) => {
                Err(vm.new_runtime_error(format!("Invalid device string: '{text}'")))
            }
        }
    }
}

impl Constructor for PyDevice {
    type Args = FuncArgs;

    fn py_new(_cls: &Py<PyType>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        let first = args.take_positional_keyword("type");
        let index = args.take_positional_keyword("index");
        let Some(first) = first else {
            return Err(vm.new_type_error("device() missing 1 required argument: 'type'"));
        };
        let mut device = Self::from_argument(&first, vm)?;
        if let Some(index) = index.filter(|it| !vm.is_none(it)) {
            device.index = u32::try_from(convert::whole(&index, vm)?).ok();
        }
        Ok(device)
    }
}

#[pyclass(with(Constructor, Representable, Comparable, Hashable))]
impl PyDevice {
    #[pygetset(name = "type")]
    fn kind(zelf: &Py<Self>) -> &'static str {
        zelf.kind.name()
    }

    #[pygetset]
    fn index(zelf: &Py<Self>) -> Option<u32> {
        zelf.index
    }

    /// Tensors are made there for a block, if they say nothing else.
    #[pymethod]
    fn __enter__(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        let device = convert::usable(zelf.to_tensor_device(), vm)?;
        context::current(vm)?.devices.borrow_mut().push(device);
        Ok(zelf)
    }

    #[pymethod]
    fn __exit__(_zelf: &Py<Self>, _ending: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
        context::current(vm)?.devices.borrow_mut().pop();
        Ok(())
    }

    #[pymethod]
    fn __str__(zelf: &Py<Self>) -> String {
        match zelf.index {
            Some(index) => format!("{}:{index}", zelf.kind.name()),
            None => zelf.kind.name().to_owned(),
        }
    }

    #[pymethod]
    fn __format__(zelf: &Py<Self>, _spec: PyObjectRef) -> String {
        Self::__str__(zelf)
    }
}

impl Representable for PyDevice {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(match zelf.index {
            Some(index) => format!("device(type='{}', index={index})", zelf.kind.name()),
            None => format!("device(type='{}')", zelf.kind.name()),
        })
    }
}

impl Comparable for PyDevice {
    fn cmp(
        zelf: &Py<Self>,
        other: &PyObject,
        op: PyComparisonOp,
        _vm: &VirtualMachine,
    ) -> PyResult<PyComparisonValue> {
        let same = other
            .downcast_ref::<Self>()
            .is_some_and(|it| **it == **zelf);
        op.eq_only(|| Ok(PyComparisonValue::Implemented(same)))
    }
}

impl Hashable for PyDevice {
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<i64> {
        Ok(zelf.kind as i64 * 1000 + zelf.index.map_or(-1, i64::from))
    }
}
