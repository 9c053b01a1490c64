//! Installs the methods of `torch.Tensor` that are operations.

use super::convert::apply;
use super::install::{add, add_in_place, add_later, add_parsing};
use super::tensor::{PyTensor, PyTensorRef};
use super::{
    device_copies, gather_scatter, gradients, in_place, ordering, pointwise, random_tensors,
    reduce, selection, views,
};
use crate::dtype::DType;
use crate::ops::{Binary, MatMul, Softmax, Ternary};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObjectRef, PyResult, VirtualMachine};

/// Methods that cast to a dtype.
const CASTS: [(&str, DType); 10] = [
    ("char", DType::I8),
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
    pointwise::install(vm);
    reduce::install(vm);
    ordering::install(vm);
    gather_scatter::install(vm);
    for (name, to) in CASTS {
        let cast = move |zelf: PyTensorRef, vm: &VirtualMachine| {
            if zelf.tensor().dtype() == to {
                Ok(zelf.into())
            } else {
                zelf.cast(to, vm)
            }
        };
        add(name, cast, vm);
    }
    properties(vm);
    views_and_moves(vm);
    indexing(vm);
    writing(vm);
    views_in_place(vm);
}

/// Methods that ask for a property, with arguments.
fn properties(vm: &VirtualMachine) {
    add("size", PyTensor::size, vm);
    add("stride", PyTensor::stride, vm);
    add("requires_grad_", PyTensor::requires_grad_, vm);
    add(
        "is_contiguous",
        |zelf: PyTensorRef, _: &VirtualMachine| zelf.is_contiguous(),
        vm,
    );
}

fn views_and_moves(vm: &VirtualMachine) {
    add("reshape", views::reshape, vm);
    add("view", views::view, vm);
    add("flatten", views::flatten, vm);
    add("unsqueeze", views::unsqueeze, vm);
    add("squeeze", views::squeeze, vm);
    add("transpose", views::transpose, vm);
    add("t", views::t, vm);
    add("permute", views::permute, vm);
    add("expand", views::expand, vm);
    add("pin_memory", device_copies::pin_memory, vm);
    add("detach", device_copies::detach, vm);
    add_in_place("detach_", gradients::detach_, vm);
    add("backward", gradients::backward, vm);
    add("retain_grad", gradients::retain_grad, vm);
    for name in ["register_hook", "register_post_accumulate_grad_hook"] {
        add_later(name, "warpup.utils.hooks", vm);
    }
    add("clone", device_copies::clone, vm);
    add("contiguous", device_copies::contiguous, vm);
    add("cpu", device_copies::cpu, vm);
    add("cuda", device_copies::cuda, vm);
    add("to", device_copies::to, vm);
}

fn indexing(vm: &VirtualMachine) {
    add("masked_fill", selection::masked_fill, vm);
    for (name, how) in [
        ("softmax", Softmax::Softmax as fn(usize) -> Softmax),
        ("log_softmax", Softmax::LogSoftmax),
    ] {
        let softmax = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            selection::softmax(zelf, (name, how), args, vm)
        };
        add(name, softmax, vm);
    }
    add("gather", selection::gather, vm);
    add("index_select", selection::index_select, vm);
    add("matmul", matmul, vm);
    add_parsing("tril", selection::tril, vm);
    add_parsing("triu", selection::triu, vm);
    add("clamp", selection::clamp, vm);
    add("clip", selection::clamp, vm);
}

fn matmul(zelf: PyTensorRef, other: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let Some(other) = other.downcast_ref::<PyTensor>() else {
        return Err(vm.new_type_error(format!(
            "matmul(): argument 'other' (position 1) must be Tensor, not {}",
            other.class().name()
        )));
    };
    apply(MatMul::MatMul, &[zelf.tensor(), other.tensor()], vm)
}

fn writing(vm: &VirtualMachine) {
    add_in_place("zero_", in_place::zero_, vm);
    add_in_place("fill_", in_place::fill_, vm);
    add_in_place("copy_", in_place::copy_, vm);
    add_in_place("clamp_", in_place::clamp_, vm);
    add_in_place("clip_", in_place::clamp_, vm);
    add_in_place("masked_fill_", in_place::masked_fill_, vm);
    add_in_place("lerp_", in_place::lerp_, vm);
    add_in_place("uniform_", random_tensors::uniform_, vm);
    add_in_place("normal_", random_tensors::normal_, vm);
    add_in_place("random_", random_tensors::random_, vm);
    add_in_place("bernoulli_", random_tensors::bernoulli_, vm);
    add_in_place("exponential_", random_tensors::exponential_, vm);
    add_in_place("cauchy_", random_tensors::cauchy_, vm);
    add_in_place("log_normal_", random_tensors::log_normal_, vm);
    add_in_place("geometric_", random_tensors::geometric_, vm);
    for (name, how) in [
        ("clamp_min_", Binary::Maximum),
        ("clamp_max_", Binary::Minimum),
    ] {
        let write = move |zelf: &Py<PyTensor>, (bound,): (PyObjectRef,), vm: &VirtualMachine| {
            in_place::bounded(zelf, how, &bound, vm)
        };
        add_in_place(name, write, vm);
    }
    for (name, how) in [
        ("addcmul_", Ternary::AddCMul as fn(f64) -> Ternary),
        ("addcdiv_", Ternary::AddCDiv),
    ] {
        let write = move |zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine| {
            in_place::ternary(zelf, (name, how), args, vm)
        };
        add_in_place(name, write, vm);
    }
}

/// Methods that turn the tensor itself into a view of its memory.
fn views_in_place(vm: &VirtualMachine) {
    add_in_place("t_", views::t_, vm);
    add_in_place("transpose_", views::in_place(views::transposed), vm);
    add_in_place("unsqueeze_", views::in_place(views::unsqueezed), vm);
    add_in_place("squeeze_", views::in_place(views::squeezed), vm);
}
