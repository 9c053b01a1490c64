//! Parses the arguments of a function or method by position and keyword, with PyTorch's error messages.

use super::convert;
use super::dtype_and_device::{PyDType, PyDevice};
use super::tensor::PyTensor;
use crate::device::{Blocking, TensorDevice};
use crate::dtype::DType;
use crate::shape::Keep;
use crate::tensor::Tensor;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyInt};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

/// The arguments of one call, taken one by one in the order of the signature.
pub(super) struct Arguments {
    name: &'static str,
    args: FuncArgs,
    given: usize,
    taken: usize,
}

impl Arguments {
    /// The arguments of a call of the function or method of this name.
    pub(super) fn of(name: &'static str, args: FuncArgs) -> Self {
        let given = args.args.len();
        Self {
            name,
            args,
            given,
            taken: 0,
        }
    }

    /// The name of the function or method.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The next argument, by position or keyword; Python's None counts as absent.
    pub(super) fn next(&mut self, key: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
        self.taken += 1;
        let next = self.args.take_positional_keyword(key);
        next.filter(|it| !vm.is_none(it))
    }

    /// A keyword-only argument; Python's None counts as absent.
    pub(super) fn named(&mut self, key: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
        self.args.take_keyword(key).filter(|it| !vm.is_none(it))
    }

    /// The next positional argument, which stays.
    pub(super) fn peek(&self) -> Option<&PyObjectRef> {
        self.args.args.first()
    }

    /// All remaining positional arguments, for `f(2, 3)`.
    pub(super) fn rest(&mut self) -> Vec<PyObjectRef> {
        self.given = self.taken;
        std::mem::take(&mut self.args.args)
    }

    /// A required argument.
    pub(super) fn required(&mut self, key: &str, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
        self.next(key, vm)
            .ok_or_else(|| missing(self.name, key, vm))
    }

    /// A required tensor.
    pub(super) fn tensor(&mut self, key: &str, vm: &VirtualMachine) -> PyResult<Tensor> {
        let given = self.required(key, vm)?;
        match given.downcast_ref::<PyTensor>() {
            Some(it) => Ok(it.tensor().clone()),
            None => Err(self.not_a(key, "Tensor", &given, vm)),
        }
    }

    /// A required `int`.
    pub(super) fn whole(&mut self, key: &str, vm: &VirtualMachine) -> PyResult<i64> {
        let given = self.required(key, vm)?;
        convert::whole(&given, vm).map_err(|_no_int| self.not_a(key, "int", &given, vm))
    }

    /// A required `dim` of a tensor of this rank.
    pub(super) fn dim(&mut self, rank: usize, vm: &VirtualMachine) -> PyResult<usize> {
        let given = self.required("dim", vm)?;
        self.as_dim(&given, rank, vm)
    }

    /// The `dim` of a tensor of this rank; the last one if it is absent.
    pub(super) fn dim_or_last(&mut self, rank: usize, vm: &VirtualMachine) -> PyResult<usize> {
        match self.next("dim", vm) {
            Some(given) => self.as_dim(&given, rank, vm),
            None => Ok(rank.saturating_sub(1)),
        }
    }

    fn as_dim(&self, given: &PyObjectRef, rank: usize, vm: &VirtualMachine) -> PyResult<usize> {
        let is_int = given.downcast_ref::<PyInt>().is_some();
        if !is_int && given.downcast_ref::<PyTensor>().is_none() {
            return Err(self.not_a("dim", "int", given, vm));
        }
        convert::dim(given, rank, vm)
    }

    /// A `bool`.
    pub(super) fn flag(&mut self, key: &str, default: bool, vm: &VirtualMachine) -> PyResult<bool> {
        self.next(key, vm)
            .map_or(Ok(default), |it| it.try_to_bool(vm))
    }

    /// `keepdim`
    pub(super) fn keep(&mut self, vm: &VirtualMachine) -> PyResult<Keep> {
        Ok(if self.flag("keepdim", false, vm)? {
            Keep::AsOne
        } else {
            Keep::Drop
        })
    }

    /// The keyword-only `dtype`.
    pub(super) fn dtype(&mut self, vm: &VirtualMachine) -> PyResult<Option<DType>> {
        dtype(self.named("dtype", vm).as_deref(), vm)
    }

    /// A keyword-only number.
    pub(super) fn number(&mut self, key: &str, default: f64, vm: &VirtualMachine) -> PyResult<f64> {
        match self.named(key, vm) {
            None => Ok(default),
            Some(given) => match convert::number(&given, vm) {
                Some((number, _)) => Ok(number),
                None => Err(vm.new_type_error(format!(
                    "{}(): argument '{key}' must be Number, not {}",
                    self.name,
                    given.class().name()
                ))),
            },
        }
    }

    /// Raises if any argument is left over.
    pub(super) fn end(self, vm: &VirtualMachine) -> PyResult<()> {
        no_more_keywords(self.name, &self.args, vm)?;
        if self.args.args.is_empty() {
            return Ok(());
        }
        let (plural, verb) = (
            if self.taken == 1 { "" } else { "s" },
            if self.given == 1 { "was" } else { "were" },
        );
        Err(vm.new_type_error(format!(
            "{}() takes {} positional argument{plural} but {} {verb} given",
            self.name, self.taken, self.given
        )))
    }

    /// PyTorch's exception for an argument of another type; the argument is the one taken last.
    pub(super) fn not_a(
        &self,
        key: &str,
        wanted: &str,
        given: &PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyBaseExceptionRef {
        vm.new_type_error(format!(
            "{}(): argument '{key}' (position {}) must be {wanted}, not {}",
            self.name,
            self.taken,
            given.class().name()
        ))
    }
}

/// The next argument, by position or keyword; its absence is an error.
pub(super) fn take(
    args: &mut FuncArgs,
    function: &str,
    key: &str,
    vm: &VirtualMachine,
) -> PyResult<PyObjectRef> {
    args.take_positional_keyword(key)
        .ok_or_else(|| missing(function, key, vm))
}

/// The next argument as a tensor.
pub(super) fn take_tensor(
    args: &mut FuncArgs,
    function: &str,
    key: &str,
    vm: &VirtualMachine,
) -> PyResult<Tensor> {
    let given = take(args, function, key, vm)?;
    convert::tensor(&given, vm)
}

/// PyTorch's exception for an argument that was not given.
pub(super) fn missing(function: &str, key: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_type_error(format!(
        "{function}() missing 1 required positional arguments: \"{key}\""
    ))
}

/// Raises if a keyword argument is left over.
pub(super) fn no_more_keywords(
    function: &str,
    args: &FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    match args.kwargs.keys().next() {
        Some(unknown) => Err(vm.new_type_error(format!(
            "{function}() got an unexpected keyword argument '{unknown}'"
        ))),
        None => Ok(()),
    }
}

/// A truth; false if it is absent.
pub(super) fn is_set(given: Option<PyObjectRef>, vm: &VirtualMachine) -> PyResult<bool> {
    given.map_or(Ok(false), |it| it.try_to_bool(vm))
}

/// `non_blocking`
pub(super) fn blocking(given: Option<PyObjectRef>, vm: &VirtualMachine) -> PyResult<Blocking> {
    Ok(if is_set(given, vm)? {
        Blocking::No
    } else {
        Blocking::Yes
    })
}

/// A `torch.dtype` argument; `None` if it is absent or Python's None.
pub(super) fn dtype(object: Option<&PyObject>, vm: &VirtualMachine) -> PyResult<Option<DType>> {
    match object.filter(|it| !vm.is_none(it)) {
        None => Ok(None),
        Some(it) => match it.downcast_ref::<PyDType>() {
            Some(dtype) => Ok(Some(dtype.0)),
            None if convert::python_type(it, vm).is_some() => Ok(convert::python_type(it, vm)),
            None => Err(vm.new_type_error(format!(
                "dtype must be a torch.dtype such as torch.float32, not {}",
                it.class().name()
            ))),
        },
    }
}

/// A device argument (`torch.device`, text or ordinal); `None` if it is absent or Python's None.
pub(super) fn device(
    object: Option<&PyObject>,
    vm: &VirtualMachine,
) -> PyResult<Option<TensorDevice>> {
    let Some(object) = object.filter(|it| !vm.is_none(it)) else {
        return Ok(None);
    };
    let device = PyDevice::from_argument(object, vm)?;
    convert::usable(device.to_tensor_device(), vm).map(Some)
}
