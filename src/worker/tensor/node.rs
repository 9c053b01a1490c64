//! The graph: how tensors were made, for going backward.
//!
//! A node belongs to the operation, not to the tensor that came out: it holds what its gradient rule
//! needs ([`super::grad`] says what that is) and the way on to the inputs, so that an activation which no
//! rule needs is freed when its last name goes.

use super::op::{Binary, Meta, Op, Reduction};
use super::{Charge, Inner, State, Tensor};
use crate::worker::device::Place;
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
    CopiedFrom(Place),
}

/// What a node knows of an input without holding it.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its shape and type.
    pub meta: Meta,
    /// Where its memory was.
    pub place: Place,
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
pub struct Kept {
    /// The position among the inputs; nothing for the result.
    pub at: Option<usize>,
    state: State,
}

#[derive(Debug)]
enum Saved {
    These(Vec<Kept>),
    Freed,
}

impl Kept {
    /// Holds on to a tensor's memory for the way back.
    pub fn new(at: Option<usize>, state: &State) -> Self {
        state.charge.note_saved();
        Self {
            at,
            state: state.clone(),
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
    pub fn new(id: u64, how: Made, inputs: Vec<Input>, rank: usize, saved: Vec<Kept>) -> Rc<Self> {
        Rc::new(Self {
            id,
            how,
            inputs,
            rank,
            saved: RefCell::new(Saved::These(saved)),
            keepers: RefCell::default(),
        })
    }

    /// Inputs and result as the gradient rule gets them: what was not saved is a ghost. Nothing if what
    /// was saved has been freed.
    pub fn recalled(self: &Rc<Self>, grad: &Tensor) -> Option<(Vec<Tensor>, Tensor)> {
        let saved = self.saved.borrow();
        let Saved::These(saved) = &*saved else {
            return None;
        };
        let at = |at: Option<usize>| saved.iter().find(|it| it.at == at);
        let recall = |(position, input): (usize, &Input)| match (at(Some(position)), &input.edge) {
            // The values of a leaf are its own affair: it is held by its edge anyway.
            (Some(_), Some(Edge::Leaf(leaf))) => leaf.clone(),
            (Some(kept), edge) => Tensor::on_edge(edge.as_ref(), kept.state.clone()),
            (None, _) => Tensor::of_input(input),
        };
        let inputs = self.inputs.iter().enumerate().map(recall).collect();
        let own = Edge::Node(Rc::clone(self));
        let result = match at(None) {
            Some(kept) => kept.state.clone(),
            None => State::ghost(grad.meta(), grad.place()),
        };
        Some((inputs, Tensor::on_edge(Some(&own), result)))
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
    /// An input as far as it is known without its values: a ghost.
    fn of_input(input: &Input) -> Self {
        Self::on_edge(
            input.edge.as_ref(),
            State::ghost(input.meta.clone(), input.place),
        )
    }

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
    fn ghost(meta: Meta, place: Place) -> Self {
        Self {
            meta,
            place,
            value: None,
            charge: Charge::of_ghost(),
            pinned: false,
        }
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
        "to" => "to_copy",
        // PyTorch multiplies rows and sees the result as more dimensions.
        "addmm" | "mm" if rank != 2 => "unsafe_view",
        other => other,
    };
    let second_overload = match op {
        Op::Reduce(Reduction::Max | Reduction::Min, ..) | Op::Binary(Binary::Pow) => true,
        Op::Reduce(Reduction::Sum | Reduction::Mean, dims, _) => !dims.is_empty(),
        Op::Unary(_)
        | Op::Binary(_)
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
        | Op::Gather(_)
        | Op::ScatterAdd(..)
        | Op::IndexAdd(..)
        | Op::Where
        | Op::Cast(_)
        | Op::Clone
        | Op::Tril(_)
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
