//! What backward begins at: the mean of a batch, or a part of it.

use crate::ops::{Binary, Loss, LossReduction, Nll, Op, Reduction};
use crate::tensor::{Edge, GradFn, Node, Tensor};
use std::rc::Rc;

/// How far to look: a loss is few operations after its reduction.
const FARTHEST: usize = 12;

/// Whether a loss is the mean of a batch that no number divides or scales afterwards, as far as this is known: a sum of losses is,
/// if its first is, and so is the product with the scale of a `GradScaler`.
pub(super) fn is_whole_mean(loss: &Tensor) -> bool {
    let mut node = loss.node();
    for _ in 0..FARTHEST {
        let Some(this) = node else {
            return false;
        };
        let GradFn::Op(op) = &this.function else {
            return false;
        };
        if let Op::Loss(Loss::Forward(_, reduction)) = op {
            return *reduction == LossReduction::Mean;
        }
        if let Op::Nll(Nll::Forward(of)) = op {
            return of.reduction == LossReduction::Mean;
        }
        if let Op::Reduce(of) = op {
            return of.reduction == Reduction::Mean && of.dims.is_empty();
        }
        let goes_on = matches!(
            op,
            Op::Binary(Binary::Add | Binary::Mul) | Op::View(_) | Op::ToCopy(_)
        );
        if !goes_on {
            return false;
        }
        node = first_input(&this);
    }
    false
}

/// The node that made the first input with one.
fn first_input(node: &Rc<Node>) -> Option<Rc<Node>> {
    let edges = node.inputs.iter().filter_map(|it| it.edge.as_ref());
    let mut nodes = edges.filter_map(|it| match it {
        Edge::Node(node) => Some(Rc::clone(node)),
        Edge::Leaf(_) => None,
    });
    nodes.next()
}
