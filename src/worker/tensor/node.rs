//! The graph: how tensors were made, for going backward.
//!
//! A node belongs to the operation, not to the tensor that came out: it holds what its gradient rule
//! needs ([`crate::worker::ops::saved_tensors()`] says what that is) and the way on to the inputs, so that an activation which no
//! rule needs is freed when its last name goes.

use super::layout::Layout;
use super::{Charge, Inner, State, Tensor};
use crate::worker::device::TensorDevice;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::{Binary, Op, Reduction, View};
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// How a tensor was made.
#[derive(Debug)]
pub struct Node {
    /// Larger than that of every node before it, so descending order is a backward order.
    pub id: u64,
    /// The operation, or the copy.
    pub how: Made,
    /// What it was made from.
    pub inputs: Vec<Input>,
    /// How many dimensions the result has.
    pub rank: usize,
    /// What the way back needs.
    saved: RefCell<Saved>,
    /// Results that keep their gradient although they are no leaves.
    keepers: RefCell<Vec<Weak<Inner>>>,
}

/// The ways a tensor with a gradient is made.
#[derive(Clone, Debug)]
pub enum Made {
    /// By an operation of the table.
    By(Op),
    /// By a copy from there.
    CopiedFrom(TensorDevice),
    /// By a copy of the second into the first.
    Written,
    /// By giving new values to all of it.
    Filled(&'static str),
    /// As a view of what had been changed in place.
    SeenAs(Vec<View>),
    /// By changing part of it in place.
    InPart {
        /// The views that lead to the part.
        path: Vec<View>,
        /// Where among the inputs the part is; the whole is the last of them.
        own: Option<usize>,
        /// How the part was changed.
        how: Box<Self>,
    },
}

/// What a node knows of an input without holding it.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its shape and type.
    pub meta: Meta,
    /// Where its memory was.
    pub place: TensorDevice,
    /// How it saw its memory.
    pub seen: Option<Rc<Layout>>,
    /// Where its gradient goes; nothing if it wants none.
    pub edge: Option<Edge>,
}

/// Where a gradient goes.
#[derive(Clone, Debug)]
pub enum Edge {
    /// On to what came before.
    Node(Rc<Node>),
    /// Into a leaf.
    Leaf(Tensor),
}

/// A tensor that a node holds: the input at a position, or its result.
#[derive(Clone, Debug)]
pub struct SavedTensor {
    /// The position among the inputs; nothing for the result.
    pub at: Option<usize>,
    state: State,
    version: u64,
    /// Whose values they are, for naming it.
    whose: Weak<Inner>,
}

#[derive(Debug)]
enum Saved {
    These(Vec<SavedTensor>),
    Freed,
}

impl SavedTensor {
    /// Holds on to a tensor's memory for the way back.
    pub fn new(at: Option<usize>, tensor: &Tensor) -> Self {
        let mut kept = Self::of_state(at, tensor.state().clone());
        kept.whose = Rc::downgrade(&tensor.0);
        kept
    }

    /// The same for a tensor that is only just being made.
    pub fn of_state(at: Option<usize>, state: State) -> Self {
        state.storage.charge.note_saved();
        Self {
            at,
            version: state.version(),
            state,
            whose: Weak::new(),
        }
    }

    /// What was saved must not have been changed in place since.
    fn checked(&self, made_by: Option<&Node>) -> Result<(), TorchError> {
        let now = self.state.version();
        if now == self.version {
            return Ok(());
        }
        // A result is named by what made it then, an input by what made it what it is now.
        let whose = self.whose.upgrade().filter(|_| self.at.is_some());
        let node = whose.and_then(|it| Tensor(it).node());
        let name = match node.as_deref().or(made_by) {
            Some(_) if self.state.seen.is_some() => Some("AsStrided".to_owned()),
            Some(node) if matches!(node.how, Made::InPart { .. }) => {
                Some("torch::autograd::CopySlices".to_owned())
            }
            Some(node) => {
                let name = node.name();
                let name = name.trim_end_matches(|it: char| it.is_ascii_digit());
                Some(name.trim_end_matches("Backward").to_owned())
            }
            None => None,
        };
        let card = if self.state.place == TensorDevice::Cpu {
            ""
        } else {
            "cuda."
        };
        let named = name.map(|it| format!(", which is output 0 of {it},"));
        Err(TorchError::runtime(format!(
            "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.{card}{}Tensor {:?}]{} is at version {now}; expected version {} instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
            self.state.meta.dtype.scalar_name(),
            self.state.meta.shape,
            named.unwrap_or_default(),
            self.version
        )))
    }
}

impl Input {
    /// What is known of a tensor whose gradient goes there.
    pub fn of(tensor: &Tensor, edge: Option<Edge>) -> Self {
        let state = tensor.state();
        Self {
            meta: state.meta.clone(),
            place: state.place,
            seen: state.seen.clone(),
            edge,
        }
    }
}

impl Edge {
    /// The way back from a tensor; nothing if it wants no gradient.
    pub fn of(tensor: &Tensor) -> Option<Self> {
        if !tensor.requires_grad() {
            return None;
        }
        Some(match tensor.node() {
            Some(node) => Self::Node(node),
            None => Self::Leaf(tensor.clone()),
        })
    }

    /// Descending order is a backward order. A tensor that was cut off from its graph may have the number
    /// of the node it once came from.
    pub fn key(&self) -> (u64, bool) {
        match self {
            Self::Node(node) => (node.id, true),
            Self::Leaf(tensor) => (tensor.id(), false),
        }
    }
}

impl Node {
    /// A node with what it saves.
    pub fn new(
        id: u64,
        how: Made,
        inputs: Vec<Input>,
        rank: usize,
        saved: Vec<SavedTensor>,
    ) -> Rc<Self> {
        Rc::new(Self {
            id,
            how,
            inputs,
            rank,
            saved: RefCell::new(Saved::These(saved)),
            keepers: RefCell::default(),
        })
    }

    /// Inputs and result as the gradient rule gets them: what was not saved is a ghost.
    pub fn recalled(self: &Rc<Self>, grad: &Tensor) -> Result<(Vec<Tensor>, Tensor), TorchError> {
        let saved = self.saved.borrow();
        let Saved::These(saved) = &*saved else {
            return Err(TorchError::runtime(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
            ));
        };
        for kept in saved {
            let edge = kept.at.and_then(|at| self.inputs.get(at)?.edge.as_ref());
            kept.checked(match (kept.at, edge) {
                (None, _) => Some(self),
                (Some(_), Some(Edge::Node(node))) => Some(node),
                (Some(_), Some(Edge::Leaf(_)) | None) => None,
            })?;
        }
        let at = |at: Option<usize>| saved.iter().find(|it| it.at == at);
        let recall = |(position, input): (usize, &Input)| match (at(Some(position)), &input.edge) {
            // The values of a leaf are its own affair: it is held by its edge anyway.
            (Some(_), Some(Edge::Leaf(leaf))) => leaf.clone(),
            (Some(kept), edge) => Tensor::on_edge(edge.as_ref(), kept.state.clone()),
            (None, edge) => Tensor::on_edge(edge.as_ref(), State::ghost(input)),
        };
        let inputs = self.inputs.iter().enumerate().map(recall).collect();
        let own = Edge::Node(Rc::clone(self));
        let result = match at(None) {
            Some(kept) => kept.state.clone(),
            None => State::ghost(&Input::of(grad, None)),
        };
        Ok((inputs, Tensor::on_edge(Some(&own), result)))
    }

    /// Lets go of what was saved, which gives memory back. A node that saved nothing can be gone through
    /// again.
    pub fn free(&self) {
        // PyTorch keeps the number of a product as a tensor.
        let has_number = matches!(
            &self.how,
            Made::By(Op::WithNumber {
                how: Binary::Mul | Binary::Div,
                ..
            })
        );
        let has_saved = matches!(&*self.saved.borrow(), Saved::These(it) if !it.is_empty());
        if has_saved || has_number {
            let old = self.saved.replace(Saved::Freed);
            drop(old);
        }
    }

    /// A result keeps its gradient from now on.
    pub(super) fn keep_grad_in(&self, tensor: &Rc<Inner>) {
        self.keepers.borrow_mut().push(Rc::downgrade(tensor));
    }

    /// The results that keep their gradient.
    pub fn keepers(&self) -> Vec<Tensor> {
        let keepers = self.keepers.borrow();
        let alive = keepers.iter().filter_map(Weak::upgrade);
        alive.map(Tensor).collect()
    }

    /// PyTorch's name for it, as in `grad_fn=<…>`.
    pub fn name(&self) -> String {
        match &self.how {
            Made::By(op) => backward_name(op, self.rank),
            Made::CopiedFrom(_) => "ToCopyBackward0".to_owned(),
            Made::Written => "CopyBackwards".to_owned(),
            Made::Filled(name) => (*name).to_owned(),
            Made::SeenAs(_) => "AsStridedBackward0".to_owned(),
            Made::InPart { .. } => "CopySlices".to_owned(),
        }
    }
}

impl Drop for Node {
    /// A graph may be longer than the stack is deep, so it is taken apart in a loop.
    fn drop(&mut self) {
        let mut left = std::mem::take(&mut self.inputs);
        while let Some(input) = left.pop() {
            if let Some(Edge::Node(node)) = input.edge
                && let Some(mut node) = Rc::into_inner(node)
            {
                left.append(&mut node.inputs);
            }
        }
    }
}

impl Tensor {
    /// A tensor whose way back is this edge.
    fn on_edge(edge: Option<&Edge>, state: State) -> Self {
        let tensor = Self::new(u64::MAX, state);
        tensor.0.requires_grad.set(edge.is_some());
        if let Some(Edge::Node(node)) = edge {
            *tensor.0.node.borrow_mut() = Some(Rc::clone(node));
        }
        tensor
    }
}

impl State {
    /// Shape, type and place of a tensor whose values are not there to be read.
    fn ghost(of: &Input) -> Self {
        let mut state = Self::new(of.meta.clone(), of.place, Charge::of_ghost(), None);
        state.seen.clone_from(&of.seen);
        state
    }
}

/// PyTorch names these after its own functions, and numbers their overloads.
fn backward_name(op: &Op, rank: usize) -> String {
    let batched = rank > 2;
    let name = match op.name() {
        "matmul" if batched => "unsafe_view",
        "matmul" => "mm",
        "reshape" => "view",
        "narrow" => "slice",
        "square" => "pow",
        "log1p" => "log1_p",
        "to" => "to_copy",
        // PyTorch multiplies rows and sees the result as more dimensions.
        "addmm" | "mm" if rank != 2 => "unsafe_view",
        other => other,
    };
    let second_overload = match op {
        Op::Reduce(Reduction::Max | Reduction::Min, ..) | Op::Binary(Binary::Pow) => true,
        Op::Reduce(Reduction::Sum | Reduction::Mean | Reduction::Prod, dims, _) => !dims.is_empty(),
        Op::Reduce(
            Reduction::AMax
            | Reduction::AMin
            | Reduction::Var(_)
            | Reduction::Std(_)
            | Reduction::Norm(_)
            | Reduction::LogSumExp
            | Reduction::All
            | Reduction::Any
            | Reduction::CountNonzero,
            ..,
        )
        | Op::Unary(_)
        | Op::Binary(_)
        | Op::AddAlpha(_)
        | Op::LerpScalar(_)
        | Op::Ternary(_)
        | Op::WithNumber { .. }
        | Op::Compare(_)
        | Op::CompareNumber(..)
        | Op::MatMul
        | Op::Arg(..)
        | Op::Softmax(_)
        | Op::LogSoftmax(_)
        | Op::View(_)
        | Op::Cat(_)
        | Op::IndexSelect(_)
        | Op::Index(_)
        | Op::IndexPut(..)
        | Op::Gather(_)
        | Op::ScatterAdd(..)
        | Op::IndexAdd(..)
        | Op::Where
        | Op::Cast(_)
        | Op::Clone
        | Op::Tril(_)
        | Op::Triu(_)
        | Op::Order(..)
        | Op::Taken(..)
        | Op::Scan(..)
        | Op::Flip(_)
        | Op::Scatter(..)
        | Op::Nn(_) => false,
    };
    let camel = name.split('_').flat_map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|it| it.to_ascii_uppercase());
        first.into_iter().chain(letters)
    });
    let camel: String = camel.collect();
    format!("{camel}Backward{}", u8::from(second_overload))
}
