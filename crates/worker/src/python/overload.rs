//! Whether the arguments of a call fit an overload: PyTorch's `FunctionSignature::parse`.
//!
//! Nothing here raises; `overload_error` has the words for what does not fit.

use super::convert;
use super::dtype_and_device::{PyDType, PyDevice};
use super::signatures::{Kind, Parameter, Signature};
use super::tensor::PyTensor;
use rustpython_vm::builtins::{PyFloat, PyInt, PyStr};
use rustpython_vm::common::wtf8::{Wtf8, Wtf8Buf};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, VirtualMachine};

/// The arguments of a call.
pub(super) struct CallArguments<'a> {
    pub(super) all: &'a FuncArgs,
    /// How many of the positional ones are not counted: the tensor of a method.
    pub(super) own: usize,
}

/// What a parameter gets.
pub(super) enum ArgumentValue {
    Given(PyObjectRef),
    /// All positional arguments: `f(2, 3)` for `f((2, 3))`.
    All,
    /// Its default.
    Absent,
}

/// Why arguments do not fit an overload.
pub(super) enum OverloadError {
    TooMany,
    /// A required parameter, at this place, was not given.
    Missing(usize),
    /// The parameter at this place was given a value of another type.
    Type(usize),
    Unknown(String),
    /// The name of a parameter that was given by position, too.
    Twice(String),
}

impl CallArguments<'_> {
    /// The positional arguments, without the tensor of a method.
    pub(super) fn positional(&self) -> &[PyObjectRef] {
        self.all.args.get(self.own..).unwrap_or_default()
    }

    /// How many arguments there are.
    pub(super) fn count(&self) -> usize {
        self.positional().len() + self.all.kwargs.len()
    }

    /// A named argument, under its name or NumPy's, and the name that was used.
    fn named(&self, name: &str) -> Option<(&Wtf8Buf, &PyObjectRef)> {
        let named = &self.all.kwargs;
        let aliases = numpy_names(name).iter();
        let found = std::iter::once(&name).chain(aliases);
        found
            .into_iter()
            .find_map(|it| named.get_key_value(Wtf8::new(*it)))
    }
}

/// What NumPy calls an argument (`numpy_compatibility_arg_names` in `python_arg_parser.cpp`).
fn numpy_names(name: &str) -> &'static [&'static str] {
    match name {
        "dim" => &["axis"],
        "keepdim" => &["keepdims"],
        "input" => &["x", "a", "x1"],
        "other" => &["x2"],
        _ => &[],
    }
}

impl Signature {
    /// What each parameter gets.
    pub(super) fn fit(
        &self,
        given: &CallArguments<'_>,
        vm: &VirtualMachine,
    ) -> Result<Vec<ArgumentValue>, OverloadError> {
        let positional = given.positional();
        let whole = |it: &PyObjectRef| Kind::Int.takes(it, vm);
        let takes_all = self.is_variadic() && positional.first().is_some_and(whole);
        if positional.len() > self.positional && !takes_all {
            return Err(OverloadError::TooMany);
        }
        let mut slots = Vec::with_capacity(self.parameters.len());
        let mut used = 0;
        for (at, parameter) in self.parameters.iter().enumerate() {
            let by_position = positional.get(at).filter(|_| at < self.positional);
            let slot = match by_position {
                Some(_) if takes_all => ArgumentValue::All,
                Some(value) => ArgumentValue::Given(value.clone()),
                None => match given.named(parameter.name) {
                    Some((_, value)) => {
                        used += 1;
                        ArgumentValue::Given(value.clone())
                    }
                    None if parameter.default.is_some() => ArgumentValue::Absent,
                    None => return Err(OverloadError::Missing(at)),
                },
            };
            match &slot {
                ArgumentValue::Given(value) if !parameter.takes(value, vm) => {
                    return Err(OverloadError::Type(at));
                }
                ArgumentValue::Given(_) | ArgumentValue::All | ArgumentValue::Absent => {}
            }
            slots.push(slot);
        }
        if used < given.all.kwargs.len() {
            return Err(self.leftover(given));
        }
        Ok(slots)
    }

    /// Whether this many arguments could be meant for it.
    pub(super) fn may_have(&self, count: usize) -> bool {
        let required = self.parameters.iter().filter(|it| it.default.is_none());
        (required.count()..=self.parameters.len()).contains(&count)
    }

    /// The first named argument that no parameter took.
    fn leftover(&self, given: &CallArguments<'_>) -> OverloadError {
        let by_position = given.positional().len();
        for key in given.all.kwargs.keys() {
            match self.parameters.iter().position(|it| **key == *it.name) {
                None => return OverloadError::Unknown(key.to_string()),
                Some(at) if at < by_position => return OverloadError::Twice(key.to_string()),
                Some(_) => {}
            }
        }
        let last = given.all.kwargs.keys().last();
        OverloadError::Unknown(last.map(Wtf8Buf::to_string).unwrap_or_default())
    }
}

impl Parameter {
    /// Whether it takes this value.
    pub(super) fn takes(&self, value: &PyObject, vm: &VirtualMachine) -> bool {
        (self.takes_none && vm.is_none(value)) || self.kind.takes(value, vm)
    }
}

impl Kind {
    /// Whether a list of this kind takes this item.
    pub(super) fn takes_item(self, item: &PyObject, vm: &VirtualMachine) -> bool {
        if self == Self::Tensors {
            Self::Tensor.takes(item, vm)
        } else {
            Self::Int.takes(item, vm)
        }
    }

    fn takes(self, value: &PyObject, vm: &VirtualMachine) -> bool {
        let class = value.class();
        let is_bool = class.is(vm.ctx.types.bool_type);
        let tensor = value.downcast_ref::<PyTensor>().map(|it| it.tensor());
        let is_one = tensor.is_some_and(|it| it.rank() == 0);
        let is_int = value.downcast_ref::<PyInt>().is_some() && !is_bool;
        // NumPy's numbers, for example.
        let is_index =
            || tensor.is_none() && !is_bool && class.has_attr(vm.ctx.intern_str("__index__"));
        match self {
            Self::Tensor => tensor.is_some(),
            Self::TensorOrNumber => tensor.is_some() || Self::Number.takes(value, vm),
            Self::Tensors => convert::items(value).is_some(),
            Self::Number => {
                is_one || convert::number(value, vm).is_some() || is_index() || is_float(value, vm)
            }
            Self::Int => is_int || is_one || is_index(),
            Self::IntOrInts => Self::Int.takes(value, vm) || Self::Ints.takes(value, vm),
            // PyTorch looks at the first item only; the others are read later.
            Self::Ints => convert::items(value)
                .is_some_and(|all| all.first().is_none_or(|it| Self::Int.takes(it, vm))),
            Self::Float => is_int || is_one || is_float(value, vm),
            Self::Bool => is_bool,
            Self::Dtype => {
                value.downcast_ref::<PyDType>().is_some()
                    || convert::python_type(value, vm).is_some()
            }
            Self::Device => value.downcast_ref::<PyDevice>().is_some() || is_int || is_text(value),
            Self::Text => is_text(value),
            Self::Layout | Self::MemoryFormat | Self::Generator | Self::Any => true,
        }
    }
}

fn is_float(value: &PyObject, vm: &VirtualMachine) -> bool {
    value.downcast_ref::<PyFloat>().is_some()
        || value.class().has_attr(vm.ctx.intern_str("__float__"))
            && value.downcast_ref::<PyTensor>().is_none()
}

fn is_text(value: &PyObject) -> bool {
    value.downcast_ref::<PyStr>().is_some()
}
