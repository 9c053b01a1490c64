//! The nodes of functions and hooks of the program. Python implements the traits of `graph`.

use super::graph::{
    Edge, Function, FunctionCall, GradFn, Hook, Input, Node, NodeHook, Origin, SavedTensor,
    SavedTensors, Tensor,
};
use super::node::freed;
use crate::error::TorchError;
use std::cell::RefCell;
use std::rc::Rc;

impl Tensor {
    /// Makes these tensors the results of a function of the program, by their numbers among all of its results.
    pub(crate) fn made_by_function(
        function: Rc<dyn Function>,
        inputs: &[Self],
        results: &[(usize, Self)],
        next_id: &dyn Fn() -> u64,
    ) -> Rc<Node> {
        let known = |it: &Self| Input::of(it, Edge::of(it));
        let applied = FunctionCall {
            function,
            origins: RefCell::default(),
        };
        let inputs = inputs.iter().map(known).collect();
        let function = GradFn::Applied(Rc::new(applied));
        let node = Node::new(next_id(), function, inputs, 0, Vec::new());
        for (number, result) in results {
            let mut input = Input::of(result, None);
            input.edge = Some(Edge::Node(Rc::clone(&node)));
            let function = GradFn::ResultOf(*number);
            let rank = result.rank();
            let own = Node::new(next_id(), function, vec![input], rank, Vec::new());
            result.remade(own);
        }
        node
    }

    /// What the program does with its gradient.
    pub(crate) fn hook(&self) -> Option<Rc<dyn Hook>> {
        match self.node() {
            Some(node) => node.hook(),
            None => self.0.hook.borrow().clone(),
        }
    }

    pub(crate) fn set_hook(&self, hook: Rc<dyn Hook>) {
        match self.node() {
            Some(node) => drop(node.hook.replace(Some(hook))),
            None => drop(self.0.hook.replace(Some(hook))),
        }
    }

    /// What the program does once a gradient was added to `grad`.
    pub(crate) fn hook_after(&self) -> Option<Rc<dyn Hook>> {
        self.0.after.borrow().clone()
    }

    pub(crate) fn set_hook_after(&self, hook: Rc<dyn Hook>) {
        drop(self.0.after.replace(Some(hook)));
    }
}

impl Node {
    pub(crate) fn hook(&self) -> Option<Rc<dyn Hook>> {
        self.hook.borrow().clone()
    }

    /// What the program does with the gradients around the node.
    pub(crate) fn around(&self) -> Option<Rc<dyn NodeHook>> {
        self.around.borrow().clone()
    }

    pub(crate) fn set_around(&self, hook: Rc<dyn NodeHook>) {
        drop(self.around.replace(Some(hook)));
    }

    /// The function of the program that this is a result of.
    pub(crate) fn of_function(&self) -> Option<&Rc<Self>> {
        let GradFn::ResultOf(_) = self.function else {
            return None;
        };
        match self.inputs.first()?.edge.as_ref()? {
            Edge::Node(node) => Some(node),
            Edge::Leaf(_) => None,
        }
    }

    /// Saves tensors for a function of the program.
    pub(crate) fn save(&self, saved: Vec<(SavedTensor, Origin)>) {
        let (saved, origins) = saved.into_iter().unzip();
        if let GradFn::Applied(applied) = &self.function {
            drop(applied.origins.replace(origins));
        }
        drop(self.saved.replace(SavedTensors::These(saved)));
    }

    /// The tensors that a function of the program saved.
    pub(crate) fn saved_by_program(&self) -> Result<Vec<Tensor>, TorchError> {
        let GradFn::Applied(applied) = &self.function else {
            return Ok(Vec::new());
        };
        let opened = self.opened()?;
        let saved = self.saved.borrow();
        let saved = match (&opened, &*saved) {
            (Some(opened), _) => opened,
            (None, SavedTensors::These(saved)) => saved,
            (None, SavedTensors::Freed) => return Err(freed(self.line)),
        };
        let origins = applied.origins.borrow();
        let mut tensors = Vec::new();
        for (kept, origin) in saved.iter().zip(&*origins) {
            let edge = match origin {
                Origin::Outside(edge) => edge.clone(),
                Origin::Result(node) => node.upgrade().map(Edge::Node),
            };
            kept.checked(None, self.line)?;
            tensors.extend(kept.as_tensor(edge.as_ref()));
        }
        Ok(tensors)
    }
}
