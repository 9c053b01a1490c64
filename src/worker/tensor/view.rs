//! Views as far as gradients go: what changes in place through one of them is a change of its base, and
//! what was made of the base before.

use super::layout::Layout;
use super::node::{Edge, GradFn, Input, Node};
use super::{State, Tensor};
use crate::worker::ops::View;
use std::cell::Cell;
use std::rc::Rc;

/// What a tensor is a view of.
#[derive(Debug)]
pub(super) struct Base {
    tensor: Tensor,
    /// What the base itself sees of the memory.
    from: Option<Rc<Layout>>,
    /// The count of changes for which the view knows how it was made.
    version: Cell<u64>,
    when: When,
}

/// Whether the view was taken while gradients were on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// They were.
    Recorded,
    /// They were not.
    NoGrad,
}

impl Base {
    pub(super) fn tensor(&self) -> &Tensor {
        &self.tensor
    }

    /// Once the base has been changed in place, the view is made of what the base is now.
    pub(super) fn relink(&self, view: &Tensor) {
        let state = view.state();
        let version = state.version();
        if self.version.replace(version) == version {
            return;
        }
        let (Some(edge), Some(engine)) = (Edge::of(&self.tensor), state.storage.accountant())
        else {
            return;
        };
        let input = Input::of(&self.tensor, Some(edge));
        let function = GradFn::AsStrided(self.path(&state));
        let node = Node::new(
            engine.next_id(),
            function,
            vec![input],
            view.rank(),
            Vec::new(),
        );
        drop(state);
        view.set_made(Some(node));
    }

    /// The views that lead from the base to what a view of it is now.
    fn path(&self, state: &State) -> Vec<View> {
        let seen = state.seen.as_ref();
        let path = seen.map(|it| it.path_from(self.from.as_ref()));
        path.unwrap_or_default().into_iter().cloned().collect()
    }
}

impl Tensor {
    /// A view of a tensor.
    pub(crate) fn view_of(id: u64, input: &Self, state: State, when: When) -> Self {
        let (tensor, from) = match &input.0.base {
            Some(base) => (base.tensor.clone(), base.from.clone()),
            None => (input.clone(), input.state().seen.clone()),
        };
        let base = Base {
            tensor,
            from,
            version: Cell::new(state.version()),
            when,
        };
        Self::with_base(id, state, Some(base))
    }

    /// The views that lead from its base to it, and whether they were taken while gradients were on;
    /// nothing if it is no view.
    pub(crate) fn path(&self) -> Option<(Vec<View>, When)> {
        let base = self.0.base.as_ref()?;
        Some((base.path(&self.state()), base.when))
    }

    /// It has been changed in place: as far as gradients go it was made like this.
    pub(crate) fn remade(&self, node: Rc<Node>) {
        // A view finds its way through its base when it is asked.
        match self.base() {
            Some(base) => base.set_made(Some(node)),
            None => self.set_made(Some(node)),
        }
    }
}
