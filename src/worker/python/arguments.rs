//! Arguments of methods that know their names, and PyTorch's words for what is wrong with them.

use super::convert;
use super::tensor::PyTensor;
use crate::worker::shape::Keep;
use crate::worker::tensor::Tensor;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

/// What a method was called with, taken one by one in the order of its signature.
pub(super) struct Arguments<'a> {
    name: &'a str,
    args: FuncArgs,
    given: usize,
    taken: usize,
}

impl<'a> Arguments<'a> {
    /// The arguments of the method of this name.
    pub(super) fn of(name: &'a str, args: FuncArgs) -> Self {
        let given = args.args.len();
        Self {
            name,
            args,
            given,
            taken: 0,
        }
    }

    /// The next argument, by place or by name; None counts as left out.
    pub(super) fn next(&mut self, key: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
        self.taken += 1;
        self.args
            .take_positional()
            .or_else(|| self.args.take_keyword(key))
            .filter(|it| !vm.is_none(it))
    }

    /// An argument that has to be named.
    pub(super) fn named(&mut self, key: &str, vm: &VirtualMachine) -> Option<PyObjectRef> {
        self.args.take_keyword(key).filter(|it| !vm.is_none(it))
    }

    /// What would come next by place.
    pub(super) fn peek(&self) -> Option<&PyObjectRef> {
        self.args.args.first()
    }

    /// All that is left by place, for sizes given one by one.
    pub(super) fn rest(&mut self) -> Vec<PyObjectRef> {
        self.given = self.taken;
        std::mem::take(&mut self.args.args)
    }

    /// An argument that cannot be left out.
    pub(super) fn required(&mut self, key: &str, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
        self.next(key, vm).ok_or_else(|| {
            vm.new_type_error(format!(
                "{}() missing 1 required positional arguments: \"{key}\"",
                self.name
            ))
        })
    }

    /// A tensor that cannot be left out.
    pub(super) fn tensor(&mut self, key: &str, vm: &VirtualMachine) -> PyResult<Tensor> {
        let given = self.required(key, vm)?;
        match given.downcast_ref::<PyTensor>() {
            Some(it) => Ok(it.tensor().clone()),
            None => Err(self.not_a(key, "Tensor", &given, vm)),
        }
    }

    /// A whole number that cannot be left out.
    pub(super) fn whole(&mut self, key: &str, vm: &VirtualMachine) -> PyResult<i64> {
        let given = self.required(key, vm)?;
        convert::whole(&given, vm).map_err(|_no_int| self.not_a(key, "int", &given, vm))
    }

    /// A dimension of a tensor of this rank, that cannot be left out.
    pub(super) fn dim(&mut self, rank: usize, vm: &VirtualMachine) -> PyResult<usize> {
        let given = self.required("dim", vm)?;
        self.as_dim(&given, rank, vm)
    }

    /// A dimension of a tensor of this rank, the last one if it is left out.
    pub(super) fn dim_or_last(&mut self, rank: usize, vm: &VirtualMachine) -> PyResult<usize> {
        match self.next("dim", vm) {
            Some(given) => self.as_dim(&given, rank, vm),
            None => Ok(rank.saturating_sub(1)),
        }
    }

    fn as_dim(&self, given: &PyObjectRef, rank: usize, vm: &VirtualMachine) -> PyResult<usize> {
        if given
            .downcast_ref::<rustpython_vm::builtins::PyInt>()
            .is_none()
            && given.downcast_ref::<PyTensor>().is_none()
        {
            return Err(self.not_a("dim", "int", given, vm));
        }
        convert::dim(given, rank, vm)
    }

    /// True or false.
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

    /// A number that has to be named.
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

    /// Refuses what is left over.
    pub(super) fn end(self, vm: &VirtualMachine) -> PyResult<()> {
        if let Some(unknown) = self.args.kwargs.keys().next() {
            return Err(vm.new_type_error(format!(
                "{}() got an unexpected keyword argument '{unknown}'",
                self.name
            )));
        }
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

    /// PyTorch's words for an argument of another type.
    pub(super) fn not_a(
        &self,
        key: &str,
        wanted: &str,
        given: &PyObjectRef,
        vm: &VirtualMachine,
    ) -> rustpython_vm::builtins::PyBaseExceptionRef {
        vm.new_type_error(format!(
            "{}(): argument '{key}' (position {}) must be {wanted}, not {}",
            self.name,
            self.taken,
            given.class().name()
        ))
    }
}
