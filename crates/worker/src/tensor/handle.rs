//! What a handle to a tensor can ask and change.

use super::graph::{Base, Inner, Node, Tensor};
use super::state::State;
use super::value::Value;
use crate::device::{Pin, TensorDevice};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::shape::Shape;
use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;
use warpup_protocol::Purpose;

impl Tensor {
    /// A leaf.
    pub(crate) fn new(id: u64, state: State) -> Self {
        Self::with_base(id, state, None)
    }

    /// A tensor without `grad_fn`, which may be a view of a base.
    pub(super) fn with_base(id: u64, state: State, base: Option<Base>) -> Self {
        Self(Rc::new(Inner {
            id,
            state: RefCell::new(state),
            requires_grad: Cell::new(false),
            grad: RefCell::new(None),
            node: RefCell::new(None),
            base,
            hook: RefCell::default(),
            after: RefCell::default(),
        }))
    }

    /// The result of a node of the graph.
    pub(crate) fn made(state: State, node: Rc<Node>) -> Self {
        let tensor = Self::new(node.id, state);
        tensor.0.requires_grad.set(true);
        *tensor.0.node.borrow_mut() = Some(node);
        tensor
    }

    /// A number that no other tensor of the run has.
    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    /// Shape, memory and values, as of now.
    pub(crate) fn state(&self) -> Ref<'_, State> {
        let state = self.0.state.borrow();
        let (is_fresh, is_settled) = (state.is_fresh(), state.value.is_settled());
        if is_fresh && is_settled {
            return state;
        }
        drop(state);
        if !is_fresh {
            self.0.state.borrow_mut().refresh();
        } else if let Ok(mut state) = self.0.state.try_borrow_mut() {
            state.settle();
        }
        self.0.state.borrow()
    }

    /// `tensor.data = other`: handles, gradient and version stay.
    pub(crate) fn set_data(&self, other: &Self) {
        let version = Rc::new(Cell::new(self.state().version()));
        let state = State {
            version: Some(version),
            ..other.state().clone()
        };
        // What an optimizer writes to a parameter is the parameter.
        let purpose = self.state().storage.charge.purpose();
        state.storage.charge.hold_on(purpose);
        // The old memory must not be given back while the state is borrowed.
        drop(self.0.state.replace(state));
    }

    /// Writes new values to its memory, which all tensors that share it have from then on.
    pub(crate) fn write(&self, value: impl Into<Value>) -> Result<(), TorchError> {
        let state = self.state();
        state
            .storage
            .write(state.layout.as_deref(), &value.into())?;
        drop(state);
        self.count_write();
        Ok(())
    }

    /// Counts a write that a queued copy will do, or a CUDA graph that is replayed.
    pub(crate) fn count_write(&self) {
        let state = self.state();
        state.count_change();
    }

    /// The memory of all of it, where a kernel of a card may write to it.
    pub(crate) fn own_values(&self) -> Option<candle_core::Tensor> {
        let state = self.state();
        let whole = state.layout.is_none();
        whole.then(|| state.storage.own_values()).flatten()
    }

    /// Takes over the layout of a view of it.
    pub(crate) fn set_view(&self, view: &Self) {
        let state = view.state().clone();
        drop(self.0.state.replace(state));
        let state = self.state();
        state.count_change();
    }

    pub(crate) fn is_only_handle(&self) -> bool {
        Rc::strong_count(&self.0) == 1
    }

    /// Whether this handle is the only owner of all its memory.
    pub(crate) fn is_alone(&self) -> bool {
        let state = self.state();
        self.is_only_handle() && Rc::strong_count(&state.storage) == 1 && state.is_dense()
    }

    pub(crate) fn meta(&self) -> Meta {
        self.state().meta.clone()
    }

    pub(crate) fn shape(&self) -> Shape {
        self.state().meta.shape.clone()
    }

    pub(crate) fn rank(&self) -> usize {
        self.state().meta.shape.len()
    }

    pub(crate) fn dtype(&self) -> DType {
        self.state().meta.dtype
    }

    pub(crate) fn device(&self) -> TensorDevice {
        self.state().device
    }

    pub(crate) fn requires_grad(&self) -> bool {
        self.0.requires_grad.get() || self.base().is_some_and(Self::requires_grad)
    }

    /// `is_inference()`: whether its memory was taken inside `torch.inference_mode`.
    pub(crate) fn is_inference(&self) -> bool {
        self.state().storage.charge.is_of_inference()
    }

    /// Sets `requires_grad`, which only a leaf can.
    pub(crate) fn set_requires_grad(&self, wanted: bool) -> Result<(), TorchError> {
        if wanted && !self.dtype().is_float() {
            return Err(TorchError::runtime(
                "Only Tensors of floating point and complex dtype can require gradients",
            ));
        }
        if !wanted && !self.is_leaf() {
            return Err(TorchError::runtime(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
            ));
        }
        if wanted && self.is_leaf() {
            self.state().storage.charge.hold_for(Purpose::Weights);
        }
        self.0.requires_grad.set(wanted);
        Ok(())
    }

    /// `is_leaf`: whether it is not the result of a node.
    pub(crate) fn is_leaf(&self) -> bool {
        self.node().is_none()
    }

    /// Its `grad_fn`; nothing for a leaf.
    pub(crate) fn node(&self) -> Option<Rc<Node>> {
        if let Some(base) = &self.0.base {
            base.relink(self);
        }
        self.0.node.borrow().clone()
    }

    pub(crate) fn set_made(&self, node: Option<Rc<Node>>) {
        self.0.requires_grad.set(node.is_some());
        drop(self.0.node.replace(node));
    }

    pub(crate) fn base(&self) -> Option<&Self> {
        self.0.base.as_ref().map(|it| &it.tensor)
    }

    pub(crate) fn detach_in_place(&self) -> Result<(), TorchError> {
        if self.0.base.is_some() {
            return Err(TorchError::runtime(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.",
            ));
        }
        self.set_made(None);
        Ok(())
    }

    /// Retains `.grad` during backward.
    pub(crate) fn retain_grad(&self) -> Result<(), TorchError> {
        if !self.requires_grad() {
            return Err(TorchError::runtime(
                "can't retain_grad on Tensor that has requires_grad=False",
            ));
        }
        if let Some(node) = self.node() {
            node.keep_grad_in(&self.0);
        }
        Ok(())
    }

    pub(crate) fn retains_grad(&self) -> bool {
        let keepers = self.node().map(|it| it.keepers()).unwrap_or_default();
        keepers.iter().any(|it| Rc::ptr_eq(&it.0, &self.0))
    }

    /// `grad`: the accumulated gradient.
    pub(crate) fn grad(&self) -> Option<Self> {
        self.0.grad.borrow().clone()
    }

    pub(crate) fn set_grad(&self, grad: Option<Self>) {
        if let Some(grad) = &grad {
            grad.state().storage.charge.hold_for(Purpose::Gradients);
        }
        let memory = grad.as_ref().map(|it| Rc::downgrade(&it.state().storage));
        let state = self.state();
        state
            .storage
            .gradient_memory()
            .replace(memory.unwrap_or_default());
        drop(self.0.grad.replace(grad));
    }

    /// `detach()`: a leaf that shares storage and version counter.
    #[must_use]
    pub(crate) fn detached(&self, id: u64) -> Self {
        Self::new(id, self.state().clone())
    }

    #[must_use]
    pub(crate) fn pinned(&self, id: u64, pin: Pin) -> Self {
        let state = State {
            pinned: Some(pin),
            ..self.state().clone()
        };
        Self::new(id, state)
    }

    /// `data`: shares storage; writes do not bump the version counter.
    #[must_use]
    pub(crate) fn data(&self, id: u64) -> Self {
        let state = State {
            version: Some(Rc::default()),
            ..self.state().clone()
        };
        Self::new(id, state)
    }

    /// All memory that it shares with others, in the shape in which it was made. Writes do not bump the version counter.
    #[must_use]
    pub(crate) fn whole(&self, id: u64) -> Self {
        Self::new(id, self.state().whole())
    }

    /// The name of its `grad_fn`, as PyTorch prints it.
    pub(crate) fn made_by(&self) -> Option<String> {
        Some(self.node()?.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::Cpu;
    use crate::engine::Engine;
    use crate::ops::Unary;

    #[test]
    fn a_long_graph_is_dropped_without_deep_calls() {
        let engine = Engine::new(Box::new(Cpu::new()), 0);
        let one = Meta::new(vec![], DType::F32);
        let mut tensor = engine.full(one, TensorDevice::Cpu, 1.0).unwrap();
        tensor.set_requires_grad(true).unwrap();
        for _ in 0..100_000 {
            tensor = engine.apply(Unary::Neg, &[&tensor]).unwrap();
        }
        drop(tensor);
    }
}
