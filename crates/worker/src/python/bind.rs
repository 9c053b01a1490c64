//! Matches the arguments of a call with the table of signatures, by PyTorch's rules: order, keywords, defaults, NumPy's
//! names (`axis`, `keepdims`). An implementation then sees positional arguments in the order of the table, and
//! keyword-only ones by their names.
//!
//! A call without keywords, and with a number of arguments that some overload takes, passes as it is: the
//! implementations check types, and the inner loops of programs have no keywords.

use super::overload::{ArgumentValue, CallArguments};
use super::overload_error;
use super::signatures::{self, Kind, Parameter, Receiver, Signature, Signatures};
use super::tensor::PyTensor;
use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::{PyObject, PyObjectRef, PyResult, VirtualMachine};
use std::sync::OnceLock;

/// What is called, with its signatures once they were needed.
pub(super) struct NativeFunction {
    place: Receiver,
    pub(super) name: &'static str,
    signatures: OnceLock<Option<&'static Signatures>>,
    /// The number that an older order of the arguments had in the second place.
    older: Option<LegacyArgumentOrder>,
}

/// Functions whose number once stood before the other tensors: `add_(alpha, other)`, `addcmul_(value, a, b)`. PyTorch
/// still takes that order, and old optimizers use it.
#[derive(Clone, Copy)]
struct LegacyArgumentOrder {
    keyword: &'static str,
    /// The tensors after the number.
    tensors: usize,
}

impl LegacyArgumentOrder {
    fn of(name: &str) -> Option<Self> {
        let (keyword, tensors) = match name {
            "add" | "add_" | "sub" | "sub_" => ("alpha", 1),
            "addcmul" | "addcmul_" | "addcdiv" | "addcdiv_" => ("value", 2),
            _ => return None,
        };
        Some(Self { keyword, tensors })
    }

    /// The arguments in today's order.
    fn reordered(self, mut args: FuncArgs) -> FuncArgs {
        let is_tensor = |it: &PyObjectRef| it.downcast_ref::<PyTensor>().is_some();
        let [_, number, tensors @ ..] = args.args.as_slice() else {
            return args;
        };
        if tensors.len() == self.tensors && !is_tensor(number) && tensors.iter().all(is_tensor) {
            let number = args.args.remove(1);
            args.kwargs.insert(self.keyword.into(), number);
        }
        args
    }
}

impl NativeFunction {
    pub(super) fn new(place: Receiver, name: &'static str) -> Self {
        Self {
            place,
            name,
            signatures: OnceLock::new(),
            older: LegacyArgumentOrder::of(name),
        }
    }

    /// The arguments as the table orders them. Those of a method begin with the tensor.
    pub(super) fn bind(&self, args: FuncArgs, vm: &VirtualMachine) -> PyResult<FuncArgs> {
        let args = match self.older {
            Some(older) => older.reordered(args),
            None => args,
        };
        let found = self
            .signatures
            .get_or_init(|| signatures::of(self.place, self.name));
        let Some(signatures) = found else {
            return Ok(args);
        };
        let own = match self.place {
            Receiver::Function => 0,
            Receiver::Method => 1,
        };
        let Some(count) = args.args.len().checked_sub(own) else {
            return Ok(args);
        };
        if args.kwargs.is_empty() && signatures.takes(count) {
            return Ok(args);
        }
        self.matched(signatures, &CallArguments { all: &args, own }, vm)
    }

    fn matched(
        &self,
        signatures: &Signatures,
        given: &CallArguments<'_>,
        vm: &VirtualMachine,
    ) -> PyResult<FuncArgs> {
        let mut plausible = Vec::new();
        for signature in &signatures.overloads {
            match signature.fit(given, vm) {
                Ok(slots) => return self.laid_out(signature, slots, given, vm),
                Err(why) if signature.may_have(given.count()) => plausible.push((signature, why)),
                Err(why) if signatures.overloads.len() == 1 => plausible.push((signature, why)),
                Err(_) => {}
            }
        }
        // PyTorch says what is wrong with the only overload that takes so many arguments, or lists all of them.
        Err(match plausible.as_slice() {
            [(only, why)] => overload_error::of_one((self.place, self.name), only, why, given, vm),
            _ => overload_error::of_several(self.name, &signatures.overloads, given, vm),
        })
    }

    /// The arguments in the order of an overload that they fit.
    fn laid_out(
        &self,
        signature: &Signature,
        slots: Vec<ArgumentValue>,
        given: &CallArguments<'_>,
        vm: &VirtualMachine,
    ) -> PyResult<FuncArgs> {
        let is_given = |it: &ArgumentValue| !matches!(it, ArgumentValue::Absent);
        let last = slots.iter().take(signature.positional).rposition(is_given);
        let end = last.map_or(0, |it| it + 1);
        let mut positional: Vec<PyObjectRef> =
            given.all.args.iter().take(given.own).cloned().collect();
        let mut named: Vec<(String, PyObjectRef)> = Vec::new();
        for (at, (slot, parameter)) in slots.into_iter().zip(&signature.parameters).enumerate() {
            match slot {
                ArgumentValue::All => positional.extend(given.positional().iter().cloned()),
                ArgumentValue::Given(value) => {
                    if parameter.is_refused {
                        self.refuse(parameter, &value, vm)?;
                    }
                    if parameter.is_refused {
                        continue;
                    }
                    if at < end {
                        positional.push(value);
                    } else {
                        named.push((parameter.name.to_owned(), value));
                    }
                }
                ArgumentValue::Absent if at < end => positional.push(default(parameter, vm)),
                ArgumentValue::Absent => {}
            }
        }
        let named: KwArgs = named.into_iter().collect();
        Ok(FuncArgs::new(positional, named))
    }

    /// Whether a tensor is made of nothing but sizes and numbers: the dtype can be chosen.
    pub(super) fn creates(&self) -> bool {
        let found = signatures::of(self.place, self.name);
        let mut overloads = found.iter().flat_map(|it| &it.overloads);
        overloads.any(|it| it.parameters.iter().any(|it| it.name == "requires_grad"))
    }

    /// Raises for an argument that warpup does not have, unless it has its default.
    fn refuse(&self, parameter: &Parameter, value: &PyObject, vm: &VirtualMachine) -> PyResult<()> {
        let is_usual = if matches!(parameter.kind, Kind::Layout | Kind::MemoryFormat) {
            let text = value.str(vm)?.to_string_lossy().into_owned();
            let usual = [
                "None",
                "torch.strided",
                "torch.preserve_format",
                "torch.contiguous_format",
            ];
            usual.contains(&text.as_str())
        } else {
            vm.is_none(value) || vm.bool_eq(value, &default(parameter, vm))?
        };
        if is_usual {
            return Ok(());
        }
        Err(vm.new_not_implemented_error(format!(
            "{}({}=…) is not part of warpup; PyTorch has it",
            self.name, parameter.name
        )))
    }
}

/// The default of a parameter as a Python object.
fn default(parameter: &Parameter, vm: &VirtualMachine) -> PyObjectRef {
    let text = parameter.default.unwrap_or("None");
    let number = || text.parse::<i64>().map(|it| vm.ctx.new_int(it).into());
    let float = || text.parse::<f64>().map(|it| vm.ctx.new_float(it).into());
    match text {
        "None" => vm.ctx.none(),
        "True" => vm.ctx.new_bool(true).into(),
        "False" => vm.ctx.new_bool(false).into(),
        "()" => vm.ctx.new_tuple(Vec::new()).into(),
        _ => number()
            .or_else(|_no_int| float())
            .unwrap_or_else(|_no_number| {
                let quoted = text.trim_matches('\'');
                vm.ctx.new_str(quoted).into()
            }),
    }
}
