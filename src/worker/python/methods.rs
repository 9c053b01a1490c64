//! Installs the methods of `torch.Tensor` that are operations.

use super::tensor::{PyTensor, PyTensorRef, add};
use super::{
    draw, gradients, in_place, moves, ordering, picks, pointwise, reduce, scatters, views,
};
use crate::worker::dtype::DType;
use crate::worker::ops::Binary;
use rustpython_vm::VirtualMachine;
use rustpython_vm::builtins::PyType;
use rustpython_vm::class::StaticType;
use rustpython_vm::{Py, PyObjectRef};

/// Methods that cast to a dtype.
const CASTS: [(&str, DType); 9] = [
    ("byte", DType::U8),
    ("short", DType::I16),
    ("float", DType::F32),
    ("double", DType::F64),
    ("half", DType::F16),
    ("bfloat16", DType::BF16),
    ("long", DType::I64),
    ("int", DType::I32),
    ("bool", DType::Bool),
];

/// Adds the methods to the class.
pub(super) fn install(vm: &VirtualMachine) {
    let class = PyTensor::static_type();
    pointwise::install(class, vm);
    reduce::install(class, vm);
    ordering::install(class, vm);
    scatters::install(class, vm);
    for (name, to) in CASTS {
        let method = move |zelf: PyTensorRef, vm: &VirtualMachine| {
            if zelf.tensor().dtype() == to {
                Ok(zelf.into())
            } else {
                zelf.cast(to, vm)
            }
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
    views_and_moves(class, vm);
    indexing(class, vm);
    writing(class, vm);
}

fn views_and_moves(class: &'static Py<PyType>, vm: &VirtualMachine) {
    for (name, method) in [
        ("reshape", vm.new_method("reshape", class, views::reshape)),
        ("view", vm.new_method("view", class, views::view)),
        ("flatten", vm.new_method("flatten", class, views::flatten)),
        (
            "unsqueeze",
            vm.new_method("unsqueeze", class, views::unsqueeze),
        ),
        ("squeeze", vm.new_method("squeeze", class, views::squeeze)),
        (
            "transpose",
            vm.new_method("transpose", class, views::transpose),
        ),
        ("t", vm.new_method("t", class, views::t)),
        ("permute", vm.new_method("permute", class, views::permute)),
        ("expand", vm.new_method("expand", class, views::expand)),
        (
            "pin_memory",
            vm.new_method("pin_memory", class, moves::pin_memory),
        ),
        ("detach", vm.new_method("detach", class, moves::detach)),
        (
            "detach_",
            vm.new_method("detach_", class, gradients::detach_),
        ),
        (
            "backward",
            vm.new_method("backward", class, gradients::backward),
        ),
        (
            "retain_grad",
            vm.new_method("retain_grad", class, gradients::retain_grad),
        ),
        ("clone", vm.new_method("clone", class, moves::clone)),
        (
            "contiguous",
            vm.new_method("contiguous", class, moves::contiguous),
        ),
        ("cpu", vm.new_method("cpu", class, moves::cpu)),
        ("cuda", vm.new_method("cuda", class, moves::cuda)),
        ("to", vm.new_method("to", class, moves::to)),
    ] {
        add(class, name, method.into(), vm);
    }
}

fn writing(class: &'static Py<PyType>, vm: &VirtualMachine) {
    for (name, method) in [
        ("zero_", vm.new_method("zero_", class, in_place::zero_)),
        ("fill_", vm.new_method("fill_", class, in_place::fill_)),
        ("copy_", vm.new_method("copy_", class, in_place::copy_)),
        ("clamp_", vm.new_method("clamp_", class, in_place::clamp_)),
        ("clip_", vm.new_method("clip_", class, in_place::clamp_)),
        (
            "masked_fill_",
            vm.new_method("masked_fill_", class, in_place::masked_fill_),
        ),
        ("lerp_", vm.new_method("lerp_", class, in_place::lerp_)),
        (
            "addcmul_",
            vm.new_method("addcmul_", class, in_place::addcmul_),
        ),
        (
            "addcdiv_",
            vm.new_method("addcdiv_", class, in_place::addcdiv_),
        ),
        ("uniform_", vm.new_method("uniform_", class, draw::uniform_)),
        ("normal_", vm.new_method("normal_", class, draw::normal_)),
        ("random_", vm.new_method("random_", class, draw::random_)),
        (
            "bernoulli_",
            vm.new_method("bernoulli_", class, draw::bernoulli_),
        ),
        ("t_", vm.new_method("t_", class, views::t_)),
        (
            "transpose_",
            vm.new_method("transpose_", class, views::transpose_),
        ),
        (
            "unsqueeze_",
            vm.new_method("unsqueeze_", class, views::unsqueeze_),
        ),
        (
            "squeeze_",
            vm.new_method("squeeze_", class, views::squeeze_),
        ),
    ] {
        add(class, name, method.into(), vm);
    }
    for (name, how) in [
        ("clamp_min_", Binary::Maximum),
        ("clamp_max_", Binary::Minimum),
    ] {
        let method = move |zelf: PyTensorRef, bound: PyObjectRef, vm: &VirtualMachine| {
            in_place::bounded(zelf, how, &bound, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
}

fn indexing(class: &'static Py<PyType>, vm: &VirtualMachine) {
    for (name, method) in [
        (
            "masked_fill",
            vm.new_method("masked_fill", class, picks::masked_fill),
        ),
        ("softmax", vm.new_method("softmax", class, picks::softmax)),
        (
            "log_softmax",
            vm.new_method("log_softmax", class, picks::log_softmax),
        ),
        ("gather", vm.new_method("gather", class, picks::gather)),
        (
            "index_select",
            vm.new_method("index_select", class, picks::index_select),
        ),
        ("tril", vm.new_method("tril", class, picks::tril)),
        ("triu", vm.new_method("triu", class, picks::triu)),
        ("clamp", vm.new_method("clamp", class, picks::clamp)),
        ("clip", vm.new_method("clip", class, picks::clamp)),
    ] {
        add(class, name, method.into(), vm);
    }
}
