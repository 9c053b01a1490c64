//! `grad_fn`: the nodes of the graph as Python objects, with `name()` and `next_functions`.
//!
//! PyTorch has a class for each kind of node. So have we: `type(x.grad_fn).__name__` is `AddBackward0`, too.

use super::context;
use super::convert::checked;
use super::tensor::PyTensor;
use crate::dtype::Category;
use crate::ops::{Binary, Convolution, Direction, MatMul, NumberSide, Op, Operand};
use crate::tensor::{Edge, GradFn, Node, Tensor};
use rustpython_vm::builtins::{PyStr, PyTypeRef};
use rustpython_vm::function::PyComparisonValue;
use rustpython_vm::types::{Comparable, GetAttr, Hashable, PyComparisonOp, Representable};
use rustpython_vm::{
    AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass,
};
use std::rc::Rc;

/// `torch.autograd.graph.Node`
#[pyclass(module = "torch.autograd.graph", name = "Node")]
#[derive(Clone, Debug, PyPayload)]
pub(super) struct PyNode(Edge);

/// The `grad_fn` of a tensor; None for a leaf.
pub(super) fn grad_fn(tensor: &Tensor, vm: &VirtualMachine) -> PyResult {
    match tensor.node() {
        Some(node) => object(Edge::Node(function_of(node)), vm),
        None => Ok(vm.ctx.none()),
    }
}

/// The function of the program whose result this node is, or the node.
fn function_of(node: Rc<Node>) -> Rc<Node> {
    match node.of_function() {
        Some(function) => Rc::clone(function),
        None => node,
    }
}

fn object(edge: Edge, vm: &VirtualMachine) -> PyResult {
    let node = PyNode(edge);
    let name = node.full_name();
    let class = class(name.rsplit("::").next().unwrap_or_default(), vm)?;
    Ok(node.into_ref_with_type(vm, class)?.into())
}

/// The class of the nodes of this name.
fn class(name: &str, vm: &VirtualMachine) -> PyResult<PyTypeRef> {
    let context = context::current(vm)?;
    if let Some(class) = context.nodes.borrow().get(name) {
        return Ok(class.clone());
    }
    let base = PyNode::class(&vm.ctx).to_owned();
    let dict = vm.ctx.new_dict();
    dict.set_item("__module__", vm.ctx.new_str("builtins").into(), vm)?;
    let bases = vm.ctx.new_tuple(vec![base.into()]);
    let made = vm
        .ctx
        .types
        .type_type
        .as_object()
        .call((name.to_owned(), bases, dict), vm)?;
    let class: PyTypeRef = made
        .downcast()
        .map_err(|_no_type| vm.new_type_error("a node class is not a class"))?;
    context
        .nodes
        .borrow_mut()
        .insert(name.to_owned(), class.clone());
    Ok(class)
}

impl PyNode {
    pub(super) fn of(node: &Rc<Node>) -> Self {
        Self(Edge::Node(Rc::clone(node)))
    }

    fn full_name(&self) -> String {
        match &self.0 {
            Edge::Node(node) => node.name(),
            Edge::Leaf(_) => "torch::autograd::AccumulateGrad".to_owned(),
        }
    }

    /// The node; `None` for an `AccumulateGrad`.
    pub(super) fn node(&self) -> Option<&Rc<Node>> {
        match &self.0 {
            Edge::Node(node) => Some(node),
            Edge::Leaf(_) => None,
        }
    }

    /// Identifies a node, like an address.
    fn address(&self) -> usize {
        match &self.0 {
            Edge::Node(node) => Rc::as_ptr(node).addr(),
            Edge::Leaf(leaf) => leaf.id() as usize,
        }
    }
}

#[pyclass(flags(BASETYPE), with(Representable, Comparable, Hashable, GetAttr))]
impl PyNode {
    /// Calls a function with the gradients of the inputs and of the results, once the node has made the former.
    #[pymethod]
    fn register_hook(zelf: PyRef<Self>, hook: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        of_library("of_node", zelf, hook, vm)
    }

    /// Calls a function with the gradients of the results, before the node has them.
    #[pymethod]
    fn register_prehook(zelf: PyRef<Self>, hook: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        of_library("before_node", zelf, hook, vm)
    }

    #[pymethod]
    fn name(zelf: &Py<Self>) -> String {
        zelf.full_name()
    }

    /// The leaf of an `AccumulateGrad`.
    #[pygetset]
    fn variable(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        match &zelf.0 {
            Edge::Leaf(leaf) => Ok(PyTensor::from(leaf.clone()).into_pyobject(vm)),
            Edge::Node(node) => {
                let text = format!("'{}' object has no attribute 'variable'", node.name());
                Err(vm.new_attribute_error(text))
            }
        }
    }

    /// Where the gradients of the inputs go: pairs of a node, or None, and the number of its result.
    #[pygetset]
    fn next_functions(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let Edge::Node(node) = &zelf.0 else {
            return Ok(vm.ctx.new_tuple(Vec::new()).into());
        };
        let mut next: Vec<(PyObjectRef, usize)> = Vec::new();
        for input in &node.inputs {
            next.push(match &input.edge {
                Some(Edge::Node(node)) => {
                    let number = if let GradFn::ResultOf(number) = node.function {
                        number
                    } else {
                        0
                    };
                    let node = function_of(Rc::clone(node));
                    (object(Edge::Node(node), vm)?, number)
                }
                Some(edge @ Edge::Leaf(_)) => (object(edge.clone(), vm)?, 0),
                None => (vm.ctx.none(), 0),
            });
        }
        if has_bias_first(node) {
            next.rotate_right(1);
        }
        if lacks_operand(node) {
            next.push((vm.ctx.none(), 0));
        }
        let pairs = next.into_iter().map(|it| vm.new_tuple(it).into());
        Ok(vm.ctx.new_tuple(pairs.collect()).into())
    }
}

/// A linear layer is `addmm` of its bias, which PyTorch has as the first input.
pub(super) fn has_bias_first(node: &Node) -> bool {
    node.inputs.len() == 3 && matches!(&node.function, GradFn::Op(Op::MatMul(MatMul::LinearBias)))
}

/// The place of the weight among the inputs of a linear layer, the bias first if there is one.
pub(super) fn turned_weight(node: &Node) -> Option<usize> {
    if matches!(&node.function, GradFn::Op(Op::MatMul(MatMul::Linear))) {
        return Some(1);
    }
    has_bias_first(node).then_some(2)
}

fn of_library(
    function: &'static str,
    node: PyRef<PyNode>,
    hook: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let name = "warpup.utils.hooks";
    vm.import(name, 0)?;
    let modules = vm.sys_module.get_attr("modules", vm)?;
    let module = modules.get_item(name, vm)?;
    module.get_attr(function, vm)?.call((node, hook), vm)
}

/// The `_saved_…` attributes: what the node holds for backward.
impl GetAttr for PyNode {
    fn getattro(zelf: &Py<Self>, name: &Py<PyStr>, vm: &VirtualMachine) -> PyResult {
        let text = name.to_string_lossy();
        let operand = match text.strip_prefix("_saved_") {
            Some("self" | "input" | "mat1" | "tensors") => Operand::Input(0),
            Some("other" | "mat2" | "weight" | "target" | "index" | "indices" | "exponent") => {
                Operand::Input(1)
            }
            Some("result") => Operand::Result,
            Some(_) | None => return zelf.as_object().generic_getattr(name, vm),
        };
        let Some(node) = zelf.node() else {
            return zelf.as_object().generic_getattr(name, vm);
        };
        if let (Operand::Input(1), GradFn::Op(Op::BinaryScalar(it))) = (operand, &node.function) {
            return Ok(match it.kind {
                Category::Bool | Category::Int => vm.ctx.new_int(it.number as i64).into(),
                Category::Float => vm.ctx.new_float(it.number).into(),
            });
        }
        match checked(node.saved_of(operand), vm)? {
            Some(saved) => Ok(PyTensor::from(saved).into_pyobject(vm)),
            None => zelf.as_object().generic_getattr(name, vm),
        }
    }
}

/// Whether an operand is a number or a bias that is not there, for which PyTorch has an input without a gradient.
pub(super) fn lacks_operand(node: &Node) -> bool {
    if let GradFn::Op(Op::Convolution(
        Convolution::Forward(_) | Convolution::Transposed(.., Direction::Forward),
    )) = &node.function
    {
        return node.inputs.len() == 2;
    }
    let GradFn::Op(Op::BinaryScalar(it)) = &node.function else {
        return false;
    };
    match it.side {
        NumberSide::Right => matches!(
            it.function,
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div
        ),
        // `1 - x` is `rsub`, which takes the number as a number.
        NumberSide::Left => matches!(it.function, Binary::Add | Binary::Mul | Binary::Div),
    }
}

impl Representable for PyNode {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        let name = zelf.full_name();
        let name = name.rsplit("::").next().unwrap_or_default();
        let function = zelf.node().map(|it| &it.function);
        let module = match function {
            Some(GradFn::Applied(_) | GradFn::ResultOf(_)) => "torch.autograd.function.",
            _ => "",
        };
        Ok(format!("<{module}{name} object at {:#x}>", zelf.address()))
    }
}

impl Comparable for PyNode {
    fn cmp(
        zelf: &Py<Self>,
        other: &PyObject,
        op: PyComparisonOp,
        _vm: &VirtualMachine,
    ) -> PyResult<PyComparisonValue> {
        let same = other.downcast_ref::<Self>();
        let same = same.is_some_and(|it| it.address() == zelf.address());
        op.eq_only(|| Ok(PyComparisonValue::Implemented(same)))
    }
}

impl Hashable for PyNode {
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<i64> {
        Ok(zelf.address() as i64)
    }
}
