//! The keyword arguments of functions that create tensors: `dtype`, `device`, `requires_grad` and so on.

use super::arguments::{self, is_set, no_more_keywords};
use super::context;
use super::convert::{self, checked, engine};
use super::tensor::PyTensor;
use crate::device::TensorDevice;
use crate::dtype::DType;
use crate::engine::{Fill, MemoryOrder};
use crate::meta::Meta;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObjectRef, PyPayload, PyResult, VirtualMachine};
use std::rc::Rc;

/// The keyword arguments that every creation function takes.
pub(super) struct Options {
    pub(super) dtype: Option<DType>,
    pub(super) device: TensorDevice,
    requires_grad: bool,
    /// `pin_memory`: whether the memory is page-locked.
    pinned: bool,
    /// How it lies in memory, like another tensor.
    order: Option<Rc<MemoryOrder>>,
    /// The number of `generator`, if there is one.
    pub(super) generator: Option<usize>,
}

/// The number of `generator`, if there is one.
pub(super) fn generator(args: &mut FuncArgs, vm: &VirtualMachine) -> PyResult<Option<usize>> {
    let given = args.take_keyword("generator").filter(|it| !vm.is_none(it));
    let number = |it: PyObjectRef| {
        let number = it.get_attr("_number", vm)?.try_index(vm)?;
        number.try_to_primitive(vm)
    };
    given.map(number).transpose()
}

impl Options {
    /// No keyword arguments, and the CPU whatever the default device is.
    pub(super) const CPU: Self = Self {
        dtype: None,
        device: TensorDevice::Cpu,
        requires_grad: false,
        pinned: false,
        order: None,
        generator: None,
    };

    /// This dtype, and the CPU whatever the default device is.
    pub(super) fn on_cpu(dtype: Option<DType>) -> Self {
        Self { dtype, ..Self::CPU }
    }

    /// Takes the keyword arguments; any other one is an error.
    pub(super) fn take(args: &mut FuncArgs, name: &str, vm: &VirtualMachine) -> PyResult<Self> {
        let dtype = arguments::dtype(args.take_keyword("dtype").as_deref(), vm)?;
        let device = arguments::device(args.take_keyword("device").as_deref(), vm)?;
        let mut flag = |name: &str| is_set(args.take_keyword(name), vm);
        let (requires_grad, pinned) = (flag("requires_grad")?, flag("pin_memory")?);
        let generator = generator(args, vm)?;
        no_more_keywords(name, args, vm)?;
        let device = match device {
            Some(device) => device,
            None => context::current(vm)?.device(),
        };
        Ok(Self {
            dtype,
            device,
            requires_grad,
            pinned,
            order: None,
            generator,
        })
    }

    /// The options of `*_like(input)`, where dtype and device default to those of `input`, and the meta of the memory.
    pub(super) fn like(
        args: &mut FuncArgs,
        name: &str,
        vm: &VirtualMachine,
    ) -> PyResult<(Self, Meta)> {
        let other = arguments::take_tensor(args, name, "input", vm)?;
        let device = args.kwargs.get("device");
        let names_device = device.is_some_and(|it| !vm.is_none(it));
        let mut options = Self::take(args, name, vm)?;
        options.dtype = options.dtype.or(Some(other.dtype()));
        if !names_device {
            options.device = other.device();
        }
        let state = other.state();
        options.order = MemoryOrder::like(&state).map(Rc::new);
        let memory = options.order.as_ref().map(|it| it.of_memory(&state.meta));
        let memory = memory.unwrap_or_else(|| state.meta.clone());
        Ok((options, memory))
    }

    /// Creates the tensor.
    pub(super) fn finish(&self, meta: Meta, fill: &Fill<'_>, vm: &VirtualMachine) -> PyResult {
        let mut tensor = checked(engine(vm)?.create(meta, self.device, fill), vm)?;
        if let Some(order) = &self.order {
            tensor = checked(engine(vm)?.in_order(&tensor, order), vm)?;
        }
        if self.pinned {
            if self.device != TensorDevice::Cpu {
                return Err(vm.new_runtime_error("Only dense CPU tensors can be pinned"));
            }
            convert::usable(TensorDevice::Card(0), vm)?;
            tensor = checked(engine(vm)?.pin(&tensor), vm)?;
        }
        if self.requires_grad {
            checked(tensor.set_requires_grad(true), vm)?;
        }
        Ok(PyTensor::from(tensor).into_pyobject(vm))
    }
}
