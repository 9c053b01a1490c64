//! Tensors, nodes and edges: what the graph for backward is made of.
//!
//! A tensor holds its node, a node holds tensors and the edges to other nodes, and a view holds its base. These types
//! cannot do without each other, so they share a file; what each does lies in `handle`, `node` and `view`.

use super::charge::Charge;
use super::layout::Layout;
use super::state::State;
use crate::device::TensorDevice;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::{Op, Operand, View};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// A tensor; clones are handles to the same one.
#[derive(Clone, Debug)]
pub(crate) struct Tensor(pub(super) Rc<Inner>);

/// What all handles to a tensor share.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) id: u64,
    pub(super) state: RefCell<State>,
    pub(super) requires_grad: Cell<bool>,
    pub(super) grad: RefCell<Option<Tensor>>,
    /// Its `grad_fn`; nothing for a leaf.
    pub(super) node: RefCell<Option<Rc<Node>>>,
    pub(super) base: Option<Base>,
    /// What the program does with the gradient of a leaf, before and after it is added to `grad`.
    pub(super) hook: RefCell<Option<Rc<dyn Hook>>>,
    pub(super) after: RefCell<Option<Rc<dyn Hook>>>,
}

/// A node of the graph: the `grad_fn` of a tensor.
#[derive(Debug)]
pub(crate) struct Node {
    /// Larger than the id of every node before it, so that descending order is a backward order.
    pub(crate) id: u64,
    /// The line of the program that made it.
    pub(super) line: u32,
    pub(super) fate: Cell<NodeUse>,
    pub(crate) function: GradFn,
    pub(crate) inputs: Vec<Input>,
    pub(crate) rank: usize,
    /// PyTorch's name, where it is not that of the function.
    pub(super) alias: Cell<Option<&'static str>>,
    pub(super) saved: RefCell<SavedTensors>,
    /// Memory that a library keeps until backward.
    pub(super) reserve: RefCell<Option<Charge>>,
    /// Results with `retain_grad()`.
    pub(super) keepers: RefCell<Vec<Weak<Inner>>>,
    /// What the program does with the gradient of the result.
    pub(super) hook: RefCell<Option<Rc<dyn Hook>>>,
    /// What it does with the gradients of the results before the node has them, and with those of the inputs.
    pub(super) around: RefCell<Option<Rc<dyn NodeHook>>>,
}

/// What has become of the result of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NodeUse {
    /// Nothing yet.
    #[default]
    Unused,
    /// The program has read a value of it, or of something that was made of it.
    Read,
    /// Backward came to it.
    Backward,
}

/// What made a tensor with a gradient: its `grad_fn`.
#[derive(Clone, Debug)]
pub(crate) enum GradFn {
    /// An operation of the table.
    Op(Op),
    /// A copy from another device.
    DeviceCopy {
        /// The device it was copied from.
        from: TensorDevice,
    },
    /// `copy_`: a copy of the second input into the first.
    Copy,
    /// New values for the whole tensor, under PyTorch's name for that.
    Fill(&'static str),
    /// A view of a tensor that was changed in place since.
    AsStrided(Vec<View>),
    /// A change in place of a part of the tensor.
    CopySlices {
        /// The views that lead to the part.
        path: Vec<View>,
        /// The position of the part among the inputs; the whole is the last of them.
        part: Option<usize>,
        /// What changed the part.
        function: Box<Self>,
    },
    /// A `torch.autograd.Function` of the program.
    Applied(Rc<FunctionCall>),
    /// One result, counted from 0, of the function that the only input leads to.
    ResultOf(usize),
}

/// A `torch.autograd.Function` that was applied.
#[derive(Debug)]
pub(crate) struct FunctionCall {
    pub(crate) function: Rc<dyn Function>,
    /// Where the saved tensors come from, in their order.
    pub(super) origins: RefCell<Vec<Origin>>,
}

/// Where a tensor comes from that a function of the program saved.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Outside(Option<Edge>),
    Result(Weak<Node>),
}

/// Code of the program that is given a gradient, or a leaf that has got one.
pub(crate) trait Hook: std::fmt::Debug {
    /// What goes on instead of the gradient, if anything does.
    fn call(&self, about: &Tensor) -> Result<Option<Tensor>, TorchError>;

    fn as_any(&self) -> &dyn std::any::Any;
}

/// Code of the program that is given the gradients of a node; nothing where there is none.
pub(crate) trait NodeHook: std::fmt::Debug {
    /// What goes into the node instead of these gradients of its results.
    fn before(&self, results: Vec<Option<Tensor>>) -> Result<Vec<Option<Tensor>>, TorchError>;

    /// What goes on instead of these gradients of its inputs, which the node made of those of its results.
    fn after(
        &self,
        inputs: Vec<Option<Tensor>>,
        results: &[Option<Tensor>],
    ) -> Result<Vec<Option<Tensor>>, TorchError>;

    fn as_any(&self) -> &dyn std::any::Any;
}

/// The backward of a function of the program.
pub(crate) trait Function: std::fmt::Debug {
    /// PyTorch's name, as in `grad_fn=<…>`.
    fn name(&self) -> String;

    /// The gradients of the inputs, given those of the results; nothing where none came. Results after the last that
    /// has one are left out.
    fn backward(
        &self,
        node: &Rc<Node>,
        grads: Vec<Option<Tensor>>,
    ) -> Result<Vec<Option<Tensor>>, TorchError>;
}

/// How the program keeps what is saved for backward (`torch.autograd.graph.saved_tensors_hooks`).
pub(crate) trait Pack {
    fn pack(&self, tensor: &Tensor) -> Result<Rc<dyn PackedTensor>, TorchError>;
}

/// A saved tensor as the program keeps it.
pub(crate) trait PackedTensor: std::fmt::Debug {
    fn unpack(&self) -> Result<Tensor, TorchError>;
}

/// The metadata of an input, which the node does not hold.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) meta: Meta,
    pub(crate) device: TensorDevice,
    pub(crate) layout: Option<Rc<Layout>>,
    /// Where its gradient goes; nothing if it requires none.
    pub(crate) edge: Option<Edge>,
}

/// Where a gradient goes.
#[derive(Clone, Debug)]
pub(crate) enum Edge {
    /// To the node that made the input.
    Node(Rc<Node>),
    /// To a leaf.
    Leaf(Tensor),
}

/// A tensor that a node holds for backward: an input or the result.
#[derive(Clone, Debug)]
pub(crate) struct SavedTensor {
    /// Which operand of the function it is.
    pub(crate) operand: Operand,
    pub(super) held: SavedValue,
    /// The tensor, for error messages.
    pub(super) whose: Weak<Inner>,
}

/// How a saved tensor is held.
#[derive(Clone, Debug)]
pub(super) enum SavedValue {
    Here { state: State, version: u64 },
    Packed(Rc<dyn PackedTensor>),
}

/// The saved tensors of a node, until backward frees them.
#[derive(Debug)]
pub(super) enum SavedTensors {
    These(Vec<SavedTensor>),
    Freed,
}

/// The base of a view.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) tensor: Tensor,
    /// The layout of the base.
    pub(super) from: Option<Rc<Layout>>,
    /// The version for which the view has its `grad_fn`.
    pub(super) version: Cell<u64>,
    pub(super) when: ViewGradMode,
}

/// The grad mode in which a view was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewGradMode {
    /// Gradients were enabled.
    Recorded,
    /// `torch.no_grad()`
    NoGrad,
}
