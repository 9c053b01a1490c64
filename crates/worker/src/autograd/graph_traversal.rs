//! The walk through the graph: which node comes next, and where gradients are added up.
//!
//! [`super::grad_fn`] has what a node does with a gradient.

use super::custom_function;
use super::grad_fn::gradients_of;
use crate::device::HostCall;
use crate::engine::Engine;
use crate::error::TorchError;
use crate::ops::{Binary, ToCopy};
use crate::tensor::layout::contiguous;
use crate::tensor::{Edge, GradFn, Hook, Node, Tensor};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// What becomes of the graph after backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Graph {
    /// Saved tensors are freed.
    Freed,
    /// It stays: `retain_graph=True`.
    Retained,
    /// It stays, and backward is recorded, too: `create_graph=True`.
    Differentiable,
}

type Key = (u64, bool);

/// Walks backward from `roots`. Without `wanted`, gradients are added to the leaves; with it, only nodes on the way to
/// those edges are visited, and the gradients that arrive there are returned.
pub(super) fn walk(
    engine: &Engine,
    roots: Vec<(Edge, Tensor)>,
    graph: Graph,
    wanted: Option<&[Edge]>,
) -> Result<HashMap<Key, Tensor>, TorchError> {
    engine.call_on_host(HostCall::Backward);
    let mut walk = Walk {
        engine,
        graph,
        plan: Plan::of(&roots, wanted),
        ready: BTreeMap::new(),
        found: HashMap::new(),
        results: HashMap::new(),
    };
    engine.in_backward_thread(|| walk.go_from(roots))?;
    Ok(walk.found)
}

struct Walk<'a> {
    engine: &'a Engine,
    graph: Graph,
    plan: Plan,
    /// Ids grow from inputs to results, so the node with the largest id left has all of its gradients.
    /// The gradients of a function of the program are in `results`.
    ready: BTreeMap<Key, (Edge, Option<Tensor>)>,
    /// The gradients of the edges that were asked for.
    found: HashMap<Key, Tensor>,
    /// The gradients of the results of functions of the program, by the node.
    results: HashMap<u64, Vec<Option<Tensor>>>,
}

impl Walk<'_> {
    fn go_from(&mut self, roots: Vec<(Edge, Tensor)>) -> Result<(), TorchError> {
        for (edge, seed) in roots {
            self.give(edge, seed)?;
        }
        let engine = self.engine;
        if engine.is_compiled() {
            return self.visit_all(&|_node| {});
        }
        let visited = self.visit_all(&|node| engine.go_back_through(node));
        engine.end_backward_region();
        visited
    }

    /// Visits the nodes in order, and says which comes next.
    fn visit_all(&mut self, comes_to: &dyn Fn(u64)) -> Result<(), TorchError> {
        while let Some((key, (edge, grad))) = self.ready.pop_last() {
            match (edge, grad) {
                (Edge::Node(node), grad) => {
                    comes_to(node.id);
                    match grad {
                        Some(grad) => self.go(&node, grad)?,
                        None => self.go_function(&node)?,
                    }
                }
                (Edge::Leaf(leaf), Some(grad)) => self.arrive(key, &leaf, grad)?,
                (Edge::Leaf(_), None) => {}
            }
        }
        Ok(())
    }

    /// A gradient for this edge; the last one for a leaf is gathered at once, so that it is not held
    /// until the end.
    fn give(&mut self, edge: Edge, grad: Tensor) -> Result<(), TorchError> {
        let key = edge.key();
        if !self.plan.is_needed(key) {
            return Ok(());
        }
        let sum = match self.ready.remove(&key) {
            Some((_, Some(before))) => sum(self.engine, before, grad)?,
            Some((_, None)) | None => grad,
        };
        let last = self.plan.came(key);
        match edge {
            Edge::Leaf(leaf) if last => self.arrive(key, &leaf, sum),
            edge @ (Edge::Leaf(_) | Edge::Node(_)) => {
                self.ready.insert(key, (edge, Some(sum)));
                Ok(())
            }
        }
    }

    fn arrive(&mut self, key: Key, leaf: &Tensor, grad: Tensor) -> Result<(), TorchError> {
        self.engine.call_on_host(HostCall::Node);
        let grad = hooked(leaf.hook(), grad)?;
        if self.plan.wanted.is_some() {
            self.found.insert(key, grad);
            return Ok(());
        }
        gather(self.engine, leaf, &grad)?;
        if let Some(hook) = leaf.hook_after() {
            hook.call(leaf)?;
        }
        Ok(())
    }

    fn go(&mut self, node: &Rc<Node>, grad: Tensor) -> Result<(), TorchError> {
        self.engine.call_on_host(HostCall::Node);
        node.mark_backward();
        let grad = hooked(node.hook(), grad)?;
        for keeper in node.keepers() {
            gather(self.engine, &keeper, &grad.clone())?;
        }
        let key = (node.id, true);
        if self.plan.is_wanted(key) {
            self.found.insert(key, grad.clone());
            if !self.plan.leads_on(node) {
                return Ok(());
            }
        }
        if let GradFn::ResultOf(at) = node.function {
            self.collect(node, at, grad);
            return Ok(());
        }
        let around = node.around();
        let grad = match &around {
            Some(hook) => hook.before(vec![Some(grad)])?.pop().flatten(),
            None => Some(grad),
        };
        let Some(grad) = grad else {
            return self.spread(node, node.inputs.iter().map(|_| None).collect::<Vec<_>>());
        };
        let (inputs, result) = node.unpacked(&grad)?;
        // A node's own views are a part of its time.
        let grads = self
            .engine
            .in_one_call(|| gradients_of(self.engine, &node.function, &inputs, &result, &grad))?;
        drop((inputs, result));
        let Some(hook) = around else {
            drop(grad);
            return self.spread(node, grads);
        };
        let grads = hook.after(grads.into_iter().collect(), &[Some(grad)])?;
        self.spread(node, grads)
    }

    /// Keeps the gradient of one result of a function of the program until all have come.
    fn collect(&mut self, result: &Node, at: usize, grad: Tensor) {
        let Some(node) = result.of_function() else {
            return;
        };
        let come = self.results.entry(node.id).or_default();
        come.resize(come.len().max(at + 1), None);
        if let Some(slot) = come.get_mut(at) {
            *slot = Some(grad);
        }
        let edge = Edge::Node(Rc::clone(node));
        self.ready.insert(edge.key(), (edge, None));
    }

    /// The backward of a function of the program.
    fn go_function(&mut self, node: &Rc<Node>) -> Result<(), TorchError> {
        node.mark_backward();
        let grads = self.results.remove(&node.id).unwrap_or_default();
        let GradFn::Applied(function) = &node.function else {
            return Ok(());
        };
        let Some(hook) = node.around() else {
            let grads = custom_function::gradients_of(self.engine, function, node, grads)?;
            return self.spread(node, grads);
        };
        let results = hook.before(grads)?;
        let grads = custom_function::gradients_of(self.engine, function, node, results.clone())?;
        let grads = hook.after(grads, &results)?;
        self.spread(node, grads)
    }

    /// Gives the gradients to where the inputs come from.
    fn spread(
        &mut self,
        node: &Node,
        grads: impl IntoIterator<Item = Option<Tensor>>,
    ) -> Result<(), TorchError> {
        if self.graph == Graph::Freed {
            node.free();
        }
        let edges = node.inputs.iter().map(|it| it.edge.clone());
        for (edge, grad) in edges.zip(grads) {
            match (edge, grad) {
                (Some(edge), Some(grad)) => self.give(edge, grad)?,
                (Some(edge), None) => self.nothing_for(&edge)?,
                (None, _) => {}
            }
        }
        Ok(())
    }

    /// No gradient goes this way; it may have been the last that a leaf waited for.
    fn nothing_for(&mut self, edge: &Edge) -> Result<(), TorchError> {
        let key = edge.key();
        if self.plan.came(key)
            && let Some((Edge::Leaf(leaf), Some(grad))) = self.ready.get(&key).cloned()
        {
            self.ready.remove(&key);
            self.arrive(key, &leaf, grad)?;
        }
        Ok(())
    }
}

/// What the program makes of a gradient.
fn hooked(hook: Option<Rc<dyn Hook>>, grad: Tensor) -> Result<Tensor, TorchError> {
    match hook {
        Some(hook) => Ok(hook.call(&grad)?.unwrap_or(grad)),
        None => Ok(grad),
    }
}

/// The sum of two gradients, in the memory of one that nothing else uses.
fn sum(engine: &Engine, before: Tensor, grad: Tensor) -> Result<Tensor, TorchError> {
    let add = Binary::Add;
    let in_place = !engine.grad_enabled();
    if in_place && before.is_alone() {
        engine.apply_in_place(add, &[&before, &grad], &before)?;
        Ok(before)
    } else if in_place && grad.is_alone() {
        engine.apply_in_place(add, &[&grad, &before], &grad)?;
        Ok(grad)
    } else {
        engine.apply(add, &[&before, &grad])
    }
}

/// Adds a gradient to the `grad` of a tensor. The first one is moved there if nothing else uses it and its strides are
/// those of the tensor, else copied.
fn gather(engine: &Engine, tensor: &Tensor, grad: &Tensor) -> Result<(), TorchError> {
    let differentiable = engine.grad_enabled();
    let add = Binary::Add;
    let gathered = match tensor.grad() {
        Some(before) if differentiable => engine.apply(add, &[&before, grad])?,
        Some(before) => {
            if before.add_to_gradient() {
                engine.facts().add_to_unused_gradient();
            }
            return engine.apply_in_place(add, &[&before, grad], &before);
        }
        // PyTorch copies it, so that what the program does to the one does not change the other.
        None if differentiable => {
            let copy = engine.apply(ToCopy::Clone, &[grad])?;
            if let Some(node) = copy.node() {
                node.rename("CopyBackwards");
            }
            copy
        }
        None if grad.is_only_handle() && lies_like(grad, tensor) => grad.detached(engine.next_id()),
        None if tensor.state().is_contiguous() => engine.apply(ToCopy::RowMajor, &[grad])?,
        None => engine.apply(ToCopy::Clone, &[grad])?,
    };
    tensor.set_grad(Some(gathered));
    Ok(())
}

fn lies_like(grad: &Tensor, tensor: &Tensor) -> bool {
    let (grad, tensor) = (grad.state(), tensor.state());
    let strides = if tensor.is_dense() {
        tensor.strides()
    } else {
        contiguous(&tensor.meta.shape)
    };
    let own = grad.strides();
    let mut dims = grad.meta.shape.iter().zip(own.iter().zip(&strides));
    dims.all(|(size, (own, wanted))| *size == 1 || own == wanted)
}

/// How many gradients come to each edge, and which edges have to be gone.
struct Plan {
    waiting: HashMap<Key, usize>,
    wanted: Option<HashSet<Key>>,
    needed: HashSet<Key>,
}

impl Plan {
    fn of(roots: &[(Edge, Tensor)], wanted: Option<&[Edge]>) -> Self {
        let mut waiting = HashMap::new();
        let mut nodes: BTreeMap<u64, Rc<Node>> = BTreeMap::new();
        let mut left: Vec<Edge> = roots.iter().map(|(edge, _)| edge.clone()).collect();
        while let Some(edge) = left.pop() {
            *waiting.entry(edge.key()).or_insert(0) += 1;
            if let Edge::Node(node) = edge
                && nodes.insert(node.id, Rc::clone(&node)).is_none()
            {
                left.extend(node.inputs.iter().filter_map(|it| it.edge.clone()));
            }
        }
        let wanted: Option<HashSet<Key>> =
            wanted.map(|edges| edges.iter().map(Edge::key).collect());
        let mut plan = Self {
            waiting,
            needed: wanted.clone().unwrap_or_default(),
            wanted,
        };
        // Inputs have smaller numbers, so they are settled before what was made of them.
        for (id, node) in nodes.iter().filter(|_| plan.wanted.is_some()) {
            if plan.leads_on(node) {
                plan.needed.insert((*id, true));
            }
        }
        plan
    }

    fn is_needed(&self, key: Key) -> bool {
        self.wanted.is_none() || self.needed.contains(&key)
    }

    fn is_wanted(&self, key: Key) -> bool {
        self.wanted.as_ref().is_some_and(|it| it.contains(&key))
    }

    /// Whether there is something to go on for beyond this node.
    fn leads_on(&self, node: &Node) -> bool {
        let mut edges = node.inputs.iter().filter_map(|it| it.edge.as_ref());
        edges.any(|edge| self.is_needed(edge.key()))
    }

    /// One of the gradients that were waited for has come; says whether it was the last.
    fn came(&mut self, key: Key) -> bool {
        let Some(left) = self.waiting.get_mut(&key) else {
            return true;
        };
        *left = left.saturating_sub(1);
        *left == 0
    }
}
