//! The graph for backward.
//!
//! A node belongs to the operation, not to its result: it holds what the gradient
//! needs, as the table says, and the edges to the inputs. So an activation that no gradient needs is freed when its
//! last name goes.

use super::charge::Charge;
use super::graph::{
    Edge, GradFn, Inner, Input, Node, PackedTensor, SavedTensor, SavedTensors, SavedValue, Tensor,
};
use super::graph_use;
use super::state::State;
use crate::device::TensorDevice;
use crate::error::TorchError;
use crate::ops::{MatMul, Op, Operand};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use warpup_protocol::Purpose;

impl SavedTensor {
    /// Saves a tensor for backward.
    pub(crate) fn new(operand: Operand, tensor: &Tensor) -> Self {
        let mut kept = Self::of_state(operand, tensor.state().clone());
        kept.whose = Rc::downgrade(&tensor.0);
        kept
    }

    /// Saves a tensor that is being made.
    pub(crate) fn of_state(operand: Operand, state: State) -> Self {
        state.storage.charge.note_saved();
        let version = state.version();
        Self {
            operand,
            held: SavedValue::Here { state, version },
            whose: Weak::new(),
        }
    }

    /// A tensor that the program keeps in its own way.
    pub(crate) fn packed(operand: Operand, packed: Rc<dyn PackedTensor>) -> Self {
        Self {
            operand,
            held: SavedValue::Packed(packed),
            whose: Weak::new(),
        }
    }

    pub(super) fn is_packed(&self) -> bool {
        matches!(self.held, SavedValue::Packed(_))
    }

    /// The same, with the values here.
    fn opened(&self) -> Result<Self, TorchError> {
        let SavedValue::Packed(packed) = &self.held else {
            return Ok(self.clone());
        };
        let state = packed.unpack()?.state().clone();
        let version = state.version();
        Ok(Self {
            operand: self.operand,
            held: SavedValue::Here { state, version },
            whose: Weak::new(),
        })
    }

    /// Shape, memory and values; nothing for a tensor that is still packed.
    fn state(&self) -> Option<&State> {
        match &self.held {
            SavedValue::Here { state, .. } => Some(state),
            SavedValue::Packed(_) => None,
        }
    }

    /// Refuses a tensor that was changed in place since it was saved, on this line.
    pub(super) fn checked(&self, made_by: Option<&Node>, saved_on: u32) -> Result<(), TorchError> {
        let SavedValue::Here { state, version } = &self.held else {
            return Ok(());
        };
        let now = state.version();
        if now == *version {
            return Ok(());
        }
        // A result is named by what made it then, an input by what made it what it is now.
        let whose = self
            .whose
            .upgrade()
            .filter(|_| self.operand != Operand::Result);
        let node = whose.and_then(|it| Tensor(it).node());
        let name = match node.as_deref().or(made_by) {
            Some(_) if state.layout.is_some() => Some("AsStrided".to_owned()),
            Some(node) if matches!(node.function, GradFn::CopySlices { .. }) => {
                Some("torch::autograd::CopySlices".to_owned())
            }
            Some(node) => {
                let name = node.name();
                let name = name.trim_end_matches(|it: char| it.is_ascii_digit());
                Some(name.trim_end_matches("Backward").to_owned())
            }
            None => None,
        };
        let card = if state.device == TensorDevice::Cpu {
            ""
        } else {
            "cuda."
        };
        let named = name.map(|it| format!(", which is output 0 of {it},"));
        let error = TorchError::runtime(format!(
            "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.{card}{}Tensor {:?}]{} is at version {now}; expected version {} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
            state.meta.dtype.scalar_name(),
            state.meta.shape,
            named.unwrap_or_default(),
            version
        ));
        Err(match changed_in_place(state, saved_on) {
            Some(hint) => error.with_hint(hint),
            None => error,
        })
    }
}

impl SavedTensor {
    /// The saved input of a node, whose gradient goes along this edge.
    fn on_edge(&self, edge: Option<&Edge>, input: &Input) -> Tensor {
        match (self.state(), edge) {
            // The edge holds the leaf anyway; the program may have packed other values.
            (Some(state), Some(Edge::Leaf(leaf))) if state.shares_with(&leaf.state()) => {
                leaf.clone()
            }
            (Some(state), edge) => Tensor::on_edge(edge, state.clone()),
            (None, edge) => Tensor::on_edge(edge, State::metadata_only(input)),
        }
    }
}

impl SavedTensor {
    /// A tensor of its own with the saved values; nothing for one that is still packed.
    pub(super) fn as_tensor(&self, edge: Option<&Edge>) -> Option<Tensor> {
        let state = self.state()?;
        if let Some(Edge::Leaf(leaf)) = edge
            && state.shares_with(&leaf.state())
        {
            return Some(leaf.clone());
        }
        let engine = state.storage.charge.accountant();
        let id = engine.map_or(u64::MAX, |it| it.next_id());
        let tensor = Tensor::new(id, state.clone());
        match edge {
            Some(Edge::Node(node)) => tensor.set_made(Some(Rc::clone(node))),
            Some(Edge::Leaf(_)) | None => {}
        }
        Some(tensor)
    }
}

impl Input {
    /// The metadata of a tensor whose gradient goes along this edge.
    pub(crate) fn of(tensor: &Tensor, edge: Option<Edge>) -> Self {
        let state = tensor.state();
        Self {
            meta: state.meta.clone(),
            device: state.device,
            layout: state.layout.clone(),
            edge,
        }
    }
}

impl Edge {
    /// The edge to what made a tensor; nothing if it requires no gradient.
    pub(crate) fn of(tensor: &Tensor) -> Option<Self> {
        if !tensor.requires_grad() {
            return None;
        }
        Some(match tensor.node() {
            Some(node) => Self::Node(node),
            None => Self::Leaf(tensor.clone()),
        })
    }

    /// Descending order is a backward order. A detached tensor may have the id of the node that made it.
    pub(crate) fn key(&self) -> (u64, bool) {
        match self {
            Self::Node(node) => (node.id, true),
            Self::Leaf(tensor) => (tensor.id(), false),
        }
    }
}

impl Node {
    /// A node with what it saves.
    pub(crate) fn new(
        id: u64,
        function: GradFn,
        inputs: Vec<Input>,
        rank: usize,
        saved: Vec<SavedTensor>,
    ) -> Rc<Self> {
        Rc::new(Self {
            id,
            line: graph_use::made(id),
            fate: Cell::default(),
            function,
            inputs,
            rank,
            saved: RefCell::new(SavedTensors::These(saved)),
            reserve: RefCell::default(),
            alias: Cell::default(),
            keepers: RefCell::default(),
            hook: RefCell::default(),
            around: RefCell::default(),
        })
    }

    /// Inputs and result for the gradient formula; unsaved ones have metadata only.
    pub(crate) fn unpacked(
        self: &Rc<Self>,
        grad: &Tensor,
    ) -> Result<(Vec<Tensor>, Tensor), TorchError> {
        let opened = self.opened()?;
        let saved = self.saved.borrow();
        let saved = match (&opened, &*saved) {
            (Some(opened), _) => opened,
            (None, SavedTensors::These(saved)) => saved,
            (None, SavedTensors::Freed) => return Err(freed(self.line)),
        };
        for kept in saved {
            let edge = |at: usize| self.inputs.get(at)?.edge.as_ref();
            let made_by = match kept.operand {
                Operand::Result => Some(&**self),
                Operand::Input(at) => match edge(at) {
                    Some(Edge::Node(node)) => Some(&**node),
                    Some(Edge::Leaf(_)) | None => None,
                },
            };
            kept.checked(made_by, self.line)?;
        }
        let of = |operand: Operand| saved.iter().find(|it| it.operand == operand);
        let unpack = |(at, input): (usize, &Input)| match (of(Operand::Input(at)), &input.edge) {
            (Some(kept), edge) => kept.on_edge(edge.as_ref(), input),
            (None, edge) => Tensor::on_edge(edge.as_ref(), State::metadata_only(input)),
        };
        let inputs = self.inputs.iter().enumerate().map(unpack).collect();
        let own = Edge::Node(Rc::clone(self));
        let result = match of(Operand::Result) {
            Some(kept) => kept.state().cloned(),
            None => None,
        };
        let result = result.unwrap_or_else(|| State::metadata_only(&Input::of(grad, None)));
        Ok((inputs, Tensor::on_edge(Some(&own), result)))
    }

    /// What is saved, with the values that the program packed; nothing if it packed none.
    pub(super) fn opened(&self) -> Result<Option<Vec<SavedTensor>>, TorchError> {
        // Unpacking runs Python code, which may come back to this node.
        let kept = match &*self.saved.borrow() {
            SavedTensors::These(saved) if saved.iter().any(SavedTensor::is_packed) => saved.clone(),
            SavedTensors::These(_) | SavedTensors::Freed => return Ok(None),
        };
        let opened: Result<_, TorchError> = kept.iter().map(SavedTensor::opened).collect();
        Ok(Some(opened?))
    }

    /// The tensor that is saved of an operand: its `_saved_…` attribute. Nothing if none is.
    pub(crate) fn saved_of(
        self: &Rc<Self>,
        operand: Operand,
    ) -> Result<Option<Tensor>, TorchError> {
        let opened = self.opened()?;
        let saved = self.saved.borrow();
        let saved = match (&opened, &*saved) {
            (Some(opened), _) => opened,
            (None, SavedTensors::These(saved)) => saved,
            (None, SavedTensors::Freed) => return Err(freed(self.line)),
        };
        let edge = match operand {
            Operand::Input(at) => self.inputs.get(at).and_then(|it| it.edge.clone()),
            Operand::Result => Some(Edge::Node(Rc::clone(self))),
        };
        let kept = saved.iter().find(|it| it.operand == operand);
        Ok(kept.and_then(|it| it.as_tensor(edge.as_ref())))
    }

    /// Frees the saved tensors. A node that saved nothing can be used again.
    pub(crate) fn free(&self) {
        let has_number = matches!(&self.function, GradFn::Op(op) if op.facts().saves_number());
        let has_saved = matches!(&*self.saved.borrow(), SavedTensors::These(it) if !it.is_empty());
        if has_saved || has_number {
            drop(self.saved.replace(SavedTensors::Freed));
        }
        drop(self.reserve.take());
    }

    /// Keeps memory until the saved tensors are freed.
    pub(crate) fn keep_reserve(&self, reserve: Charge) {
        self.reserve.replace(Some(reserve));
    }

    pub(super) fn keep_grad_in(&self, tensor: &Rc<Inner>) {
        self.keepers.borrow_mut().push(Rc::downgrade(tensor));
    }

    pub(crate) fn keepers(&self) -> Vec<Tensor> {
        let keepers = self.keepers.borrow();
        let alive = keepers.iter().filter_map(Weak::upgrade);
        alive.map(Tensor).collect()
    }

    /// Gives the node the name that PyTorch has for it.
    pub(crate) fn rename(&self, name: &'static str) {
        self.alias.set(Some(name));
    }

    /// The name for a product whose factors have different ranks, where the rank of the result does not give it.
    fn product_name(&self) -> Option<(&'static str, u8)> {
        let first = self.inputs.first()?;
        let second = self.inputs.get(1)?;
        match (first.meta.shape.len(), second.meta.shape.len()) {
            // A vector is one row for `mm`, or one of the factors of `mv`.
            (1, 2) => Some(("squeeze", 4)),
            (2, 1) => Some(("mv", 0)),
            // The batches of the second are columns for one `mm`, whose transposed result is copied, if it is no
            // column itself.
            (2, 3..) if first.edge.is_some() => match second.meta.shape.last() {
                Some(1) => Some(("transpose", 0)),
                _ => Some(("clone", 0)),
            },
            _ => None,
        }
    }

    /// PyTorch's name, as in `grad_fn=<…>`.
    pub(crate) fn name(&self) -> String {
        if let Some(alias) = self.alias.get() {
            return alias.to_owned();
        }
        match &self.function {
            GradFn::Op(op) => {
                let is_product = matches!(op, Op::MatMul(MatMul::MatMul));
                let own = is_product.then(|| self.product_name()).flatten();
                let (name, overload) = own.unwrap_or_else(|| op.facts().backward_name(self.rank));
                format!("{}Backward{overload}", camel_case(name))
            }
            GradFn::DeviceCopy { .. } => "ToCopyBackward0".to_owned(),
            GradFn::Copy => "CopyBackwards".to_owned(),
            GradFn::Fill(name) => (*name).to_owned(),
            GradFn::AsStrided(_) => "AsStridedBackward0".to_owned(),
            GradFn::CopySlices { .. } => "CopySlices".to_owned(),
            GradFn::Applied(applied) => applied.function.name(),
            GradFn::ResultOf(_) => self.of_function().map_or_else(String::new, |it| it.name()),
        }
    }
}

/// Where a saved tensor was changed, and what to do about it; nothing where a line is unknown.
fn changed_in_place(state: &State, saved_on: u32) -> Option<String> {
    let changed_on = state.storage.changed_on();
    if saved_on == 0 || changed_on == 0 {
        return None;
    }
    let try_first = if state.storage.charge.purpose() == Purpose::Weights {
        "a step changes weights, so call each backward() before it, or compute the output again after it"
    } else {
        "make a new tensor instead, `y = y + 1` for `y += 1`, or change a clone()"
    };
    Some(format!(
        "backward needs what line {saved_on} has saved, and line {changed_on} changed that in place afterwards: {try_first}"
    ))
}

/// PyTorch's error for saved tensors of a line that a backward pass has freed.
pub(super) fn freed(line: u32) -> TorchError {
    let error = TorchError::runtime(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
    );
    if line == 0 {
        return error;
    }
    error.with_hint(format!(
        "an earlier backward() has freed what line {line} had saved, and this one leads there again: detach() what one step hands to the next (a hidden state, a sum of losses), or add the losses of one graph and call backward() once"
    ))
}

impl Drop for Node {
    /// A graph may be longer than the stack is deep, so it is dropped in a loop.
    fn drop(&mut self) {
        graph_use::dropped(self);
        let mut has_unused_weight = self.pass_on_use();
        let mut left = std::mem::take(&mut self.inputs);
        while let Some(input) = left.pop() {
            if let Some(Edge::Node(node)) = input.edge
                && let Some(mut node) = Rc::into_inner(node)
            {
                has_unused_weight |= node.pass_on_use();
                left.append(&mut node.inputs);
            }
        }
        if has_unused_weight {
            graph_use::passed_unused(self.line);
        }
    }
}

impl Tensor {
    /// A tensor whose gradient goes along this edge.
    pub(super) fn on_edge(edge: Option<&Edge>, state: State) -> Self {
        let tensor = Self::new(u64::MAX, state);
        tensor.0.requires_grad.set(edge.is_some());
        if let Some(Edge::Node(node)) = edge {
            *tensor.0.node.borrow_mut() = Some(Rc::clone(node));
        }
        tensor
    }
}

impl State {
    fn metadata_only(of: &Input) -> Self {
        let mut state = Self::new(of.meta.clone(), of.device, Charge::none(), None);
        state.layout.clone_from(&of.layout);
        state
    }
}

/// Each word with a capital, and each letter after a digit: `max_pool2d` is `MaxPool2D`.
fn camel_case(name: &str) -> String {
    let mut begins = true;
    let letter = |it: char| {
        let shown = if begins { it.to_ascii_uppercase() } else { it };
        begins = it == '_' || it.is_ascii_digit();
        (it != '_').then_some(shown)
    };
    name.chars().filter_map(letter).collect()
}
