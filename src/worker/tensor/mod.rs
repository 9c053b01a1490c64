//! Tensors as labs see them: a shape and type always, values where they are kept, memory that is
//! charged while a handle lives, and what is needed to go backward.

mod charge;
pub mod dtype;
pub mod fault;
mod grad;
mod node;
pub mod op;
pub mod print;
mod run;
pub mod shape;

pub use charge::Charge;
pub use grad::{Graph, backward, gradients, saves};
pub use node::{Edge, Input, Kept, Made, Node};
pub use run::run;

use super::device::Place;
use crate::protocol::Purpose;
use dtype::DType;
use fault::Fault;
use op::Meta;
use shape::Shape;
use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

/// A tensor; clones are handles to the same one.
#[derive(Clone, Debug)]
pub struct Tensor(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    id: u64,
    /// Shared with what was detached from it: a change in place is seen by both.
    state: Rc<RefCell<State>>,
    requires_grad: Cell<bool>,
    grad: RefCell<Option<Tensor>>,
    /// How it was made; nothing for a leaf.
    node: RefCell<Option<Rc<Node>>>,
}

/// What a tensor is now. Moving a module or stepping an optimizer replaces it in place.
#[derive(Clone, Debug)]
pub struct State {
    /// Shape and type.
    pub meta: Meta,
    /// Where its memory is.
    pub place: Place,
    /// The values, if they are kept.
    pub value: Option<candle_core::Tensor>,
    /// The memory; views share it.
    pub charge: Rc<Charge>,
    /// Whether host memory is page-locked.
    pub pinned: bool,
}

impl Tensor {
    /// A tensor that was not made from others.
    pub fn new(id: u64, state: State) -> Self {
        Self::over(id, Rc::new(RefCell::new(state)))
    }

    fn over(id: u64, state: Rc<RefCell<State>>) -> Self {
        Self(Rc::new(Inner {
            id,
            state,
            requires_grad: Cell::new(false),
            grad: RefCell::new(None),
            node: RefCell::new(None),
        }))
    }

    /// A tensor made from others that goes backward to them.
    pub fn made(state: State, node: Rc<Node>) -> Self {
        let tensor = Self::new(node.id, state);
        tensor.0.requires_grad.set(true);
        *tensor.0.node.borrow_mut() = Some(node);
        tensor
    }

    /// Its number.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// What it is now.
    pub fn state(&self) -> Ref<'_, State> {
        self.0.state.borrow()
    }

    /// Makes it what another one is; handles and gradient stay.
    pub fn become_like(&self, other: &Self) {
        if !Rc::ptr_eq(&self.0.state, &other.0.state) {
            let state = other.state().clone();
            // What an optimizer writes to a parameter is the parameter.
            state.charge.hold_on(self.state().charge.purpose());
            // The old memory must not be given back while the state is borrowed.
            let old = self.0.state.replace(state);
            drop(old);
        }
    }

    /// Its shape and type.
    pub fn meta(&self) -> Meta {
        self.state().meta.clone()
    }

    /// Its sizes.
    pub fn shape(&self) -> Shape {
        self.state().meta.shape.clone()
    }

    /// How many dimensions it has.
    pub fn rank(&self) -> usize {
        self.state().meta.shape.len()
    }

    /// Its element type.
    pub fn dtype(&self) -> DType {
        self.state().meta.dtype
    }

    /// Where its memory is.
    pub fn place(&self) -> Place {
        self.state().place
    }

    /// Whether gradients are wanted.
    pub fn requires_grad(&self) -> bool {
        self.0.requires_grad.get()
    }

    /// Wants gradients or not; only tensors that were not made from others can choose.
    pub fn set_requires_grad(&self, wanted: bool) -> Result<(), Fault> {
        if wanted && !self.dtype().is_float() {
            return Err(Fault::runtime(
                "Only Tensors of floating point and complex dtype can require gradients",
            ));
        }
        if !wanted && !self.is_leaf() {
            return Err(Fault::runtime(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
            ));
        }
        if wanted && self.is_leaf() {
            self.state().charge.hold_for(Purpose::Weights);
        }
        self.0.requires_grad.set(wanted);
        Ok(())
    }

    /// Whether it was not made from others.
    pub fn is_leaf(&self) -> bool {
        self.0.node.borrow().is_none()
    }

    /// How it was made; nothing for a leaf.
    pub fn node(&self) -> Option<Rc<Node>> {
        self.0.node.borrow().clone()
    }

    /// Cuts it off from what it was made from.
    pub fn detach_in_place(&self) {
        let old = self.0.node.replace(None);
        drop(old);
        self.0.requires_grad.set(false);
    }

    /// Keeps its gradient when one goes by, as a leaf does.
    pub fn retain_grad(&self) -> Result<(), Fault> {
        if !self.requires_grad() {
            return Err(Fault::runtime(
                "can't retain_grad on Tensor that has requires_grad=False",
            ));
        }
        if let Some(node) = self.node() {
            node.keep_grad_in(&self.0);
        }
        Ok(())
    }

    /// The gradient that has been gathered.
    pub fn grad(&self) -> Option<Self> {
        self.0.grad.borrow().clone()
    }

    /// Replaces the gradient.
    pub fn set_grad(&self, grad: Option<Self>) {
        if let Some(grad) = &grad {
            grad.state().charge.hold_for(Purpose::Gradients);
        }
        let old = self.0.grad.replace(grad);
        drop(old);
    }

    /// The same values without a way back; a change of one in place is a change of both.
    #[must_use]
    pub fn detached(&self, id: u64) -> Self {
        Self::over(id, Rc::clone(&self.0.state))
    }

    /// The name of the function that made it, as PyTorch prints it in `grad_fn=<…>`.
    pub fn made_by(&self) -> Option<String> {
        Some(self.node()?.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::device::cpu::Cpu;
    use crate::worker::engine::Engine;
    use op::Unary;

    #[test]
    fn a_long_graph_is_dropped_without_deep_calls() {
        let engine = Engine::new(Box::new(Cpu::new()), 0);
        let one = Meta::new(vec![], DType::F32);
        let mut tensor = engine.full(one, Place::Cpu, 1.0).unwrap();
        tensor.set_requires_grad(true).unwrap();
        for _ in 0..100_000 {
            tensor = engine.unary(Unary::Neg, &tensor).unwrap();
        }
        drop(tensor);
    }
}
