//! Tensors as labs see them: a shape and type always, values where they are kept, memory that is
//! charged while a handle lives, and what is needed to go backward.

mod charge;
pub mod dtype;
pub mod fault;
mod grad;
pub mod op;
pub mod print;
mod run;
pub mod shape;

pub use charge::Charge;
pub use grad::{Graph, backward};
pub use run::run;

use super::device::Place;
use crate::protocol::Purpose;
use dtype::DType;
use fault::Fault;
use op::{Meta, Op};
use shape::Shape;
use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

/// A tensor; clones are handles to the same one.
#[derive(Clone, Debug)]
pub struct Tensor(Rc<Inner>);

impl Drop for Inner {
    /// A graph may be longer than the stack is deep, so it is taken apart in a loop.
    fn drop(&mut self) {
        let mut left = inputs_of(self.node.get_mut());
        while let Some(tensor) = left.pop() {
            if let Some(mut inner) = Rc::into_inner(tensor.0) {
                left.extend(inputs_of(inner.node.get_mut()));
            }
        }
    }
}

fn inputs_of(node: &mut Option<Node>) -> Vec<Tensor> {
    let inputs = node.as_mut().and_then(|it| it.inputs.take());
    inputs.unwrap_or_default()
}

#[derive(Debug)]
struct Inner {
    /// Larger than that of every tensor it was made from, so descending order is a backward order.
    id: u64,
    /// Shared with what was detached from it: a change in place is seen by both.
    state: Rc<RefCell<State>>,
    requires_grad: Cell<bool>,
    grad: RefCell<Option<Tensor>>,
    node: RefCell<Option<Node>>,
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

/// How a tensor was made, for going backward. Holding the inputs is what saves activations.
#[derive(Clone, Debug)]
pub struct Node {
    /// The operation, or the copy.
    pub how: Made,
    /// What it was made from; nothing once going backward has let go of it.
    pub inputs: Option<Vec<Tensor>>,
}

/// The ways a tensor with a gradient is made.
#[derive(Clone, Debug)]
pub enum Made {
    /// By an operation of the table.
    By(Op),
    /// By a copy from there.
    CopiedFrom(Place),
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
    pub fn made(id: u64, state: State, node: Node) -> Self {
        for input in node.inputs.iter().flatten() {
            input.state().charge.note_saved();
        }
        let tensor = Self::new(id, state);
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

    /// How it was made.
    pub fn node(&self) -> Ref<'_, Option<Node>> {
        self.0.node.borrow()
    }

    /// Lets go of what it was made from: the way back has been gone.
    pub fn forget_inputs(&self) {
        let inputs = self.0.node.borrow_mut().as_mut().map(|it| it.inputs.take());
        drop(inputs);
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
        let node = self.0.node.borrow();
        let node = node.as_ref()?;
        Some(match &node.how {
            Made::By(op) => backward_name(op, self.rank()),
            Made::CopiedFrom(_) => "ToCopyBackward0".to_owned(),
        })
    }
}

/// PyTorch names these after its own functions, and numbers their overloads.
fn backward_name(op: &Op, rank: usize) -> String {
    use op::{Binary, Reduction};
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
