//! Views for gradients: a change in place through a view is a change of its base.

use super::graph::{Base, Edge, GradFn, Input, Node, Tensor, ViewGradMode};
use super::state::State;
use crate::ops::View;
use std::cell::Cell;
use std::rc::Rc;

impl Base {
    /// After a change of the base in place, the view is a view of what the base is now.
    pub(super) fn relink(&self, view: &Tensor) {
        let state = view.state();
        let version = state.version();
        if self.version.replace(version) == version {
            return;
        }
        let (Some(edge), Some(engine)) =
            (Edge::of(&self.tensor), state.storage.charge.accountant())
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

    /// The views that lead from the base to a view.
    fn path(&self, state: &State) -> Vec<View> {
        let layout = state.layout.as_ref();
        let path = layout.map(|it| it.path_from(self.from.as_ref()));
        path.unwrap_or_default().into_iter().cloned().collect()
    }
}

impl Tensor {
    pub(crate) fn view_of(id: u64, input: &Self, state: State, when: ViewGradMode) -> Self {
        let (tensor, from) = match &input.0.base {
            Some(base) => (base.tensor.clone(), base.from.clone()),
            None => (input.clone(), input.state().layout.clone()),
        };
        let base = Base {
            tensor,
            from,
            version: Cell::new(state.version()),
            when,
        };
        Self::with_base(id, state, Some(base))
    }

    /// The views that lead from its base to it, and their grad mode; `None` if it is not a view.
    pub(crate) fn path(&self) -> Option<(Vec<View>, ViewGradMode)> {
        let base = self.0.base.as_ref()?;
        Some((base.path(&self.state()), base.when))
    }

    /// Replaces its `grad_fn` after a change in place.
    pub(crate) fn remade(&self, node: Rc<Node>) {
        // A view gets its own from its base when it is asked.
        match self.base() {
            Some(base) => base.set_made(Some(node)),
            None => self.set_made(Some(node)),
        }
    }
}
