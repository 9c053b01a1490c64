//! Cases of views and joins, of orders, and of what an index names.

use super::cases::{Case, case, keep, one_of};
use super::inputs::{beside, dtype, index_dtype, meta, meta_and_dim};
use crate::dtype::DType;
use crate::meta::Meta;
use crate::ops::{Accumulate, Cat, Index, IndexKind, Op, Scatter, SortIndices, ValuesOf, View};
use crate::shape::{self, Keep, Shape};
use proptest::prelude::*;

pub(super) fn views() -> BoxedStrategy<Case> {
    let permuted = meta().prop_flat_map(|a| {
        let order: Vec<usize> = (0..a.shape.len()).collect();
        (Just(a), Just(order).prop_shuffle())
    });
    let narrowed = (meta_and_dim(), 0_usize..5, 0_usize..5);
    let expanded = (meta(), prop::collection::vec(0_usize..4, 0..2), 0_usize..4);
    prop_oneof![
        meta().prop_map(|a| {
            let to: Shape = a.shape.iter().rev().copied().chain([1]).collect();
            case(Op::View(View::Reshape(to)), [a])
        }),
        permuted.prop_map(|(a, order)| case(Op::View(View::Permute(order)), [a])),
        narrowed.prop_filter_map("a scalar has no part", |((a, dim), start, len)| {
            let size = *a.shape.get(dim)?;
            let start = start.min(size);
            let len = len.min(size - start);
            Some(case(Op::View(View::Narrow { dim, start, len }), [a]))
        }),
        (meta_and_dim(), 0_usize..4).prop_filter_map("it has such an element", |((a, dim), at)| {
            let size = *a.shape.get(dim)?;
            (at < size).then(|| case(Op::View(View::Select { dim, index: at }), [a]))
        }),
        (meta_and_dim(), 1_usize..4)
            .prop_filter("a scalar has no part", |((a, _), _)| !a.shape.is_empty())
            .prop_map(|((a, dim), step)| case(Op::View(View::Step { dim, step }), [a])),
        expanded.prop_map(|(a, mut to, size)| {
            to.extend(a.shape.iter().map(|it| if *it == 1 { size } else { *it }));
            case(Op::View(View::Expand(to)), [a])
        }),
    ]
    .boxed()
}

pub(super) fn joins() -> BoxedStrategy<Case> {
    meta_and_dim()
        .prop_filter("a scalar cannot be joined", |(a, _)| !a.shape.is_empty())
        .prop_flat_map(|(a, dim)| {
            let others = prop::collection::vec((0_usize..3, dtype(), any::<bool>()), 0..3);
            (Just(a), Just(dim), others, beside(&vec![2, 3]))
        })
        .prop_map(|(a, dim, others, stray)| {
            let mut inputs = vec![a.clone()];
            for (size, dtype, fits) in others {
                let mut shape = a.shape.clone();
                shape[dim] = size;
                let fitting = Meta::new(shape, dtype);
                inputs.push(if fits { fitting } else { stray.clone() });
            }
            let op = Op::from(Cat(dim));
            Case { op, inputs }
        })
        .boxed()
}

/// A tensor, and an index whose shape often is no larger.
fn indexed() -> BoxedStrategy<(Meta, usize, Meta)> {
    meta_and_dim()
        .prop_flat_map(|(a, dim)| {
            let sizes: Vec<_> = a.shape.iter().map(|size| 0..=*size).collect();
            let index = prop_oneof![4 => sizes, 1 => super::inputs::shape()];
            (Just(a), Just(dim), index, index_dtype())
        })
        .prop_map(|(a, dim, index, dtype)| (a, dim, Meta::new(index, dtype)))
        .boxed()
}

pub(super) fn picks(op: fn(usize, Meta, Meta) -> (Op, Meta, Meta)) -> BoxedStrategy<Case> {
    indexed()
        .prop_filter("the rule takes what Python has checked", |(_, _, index)| {
            index.shape.len() <= 4
        })
        .prop_map(move |(a, dim, index)| {
            let (op, a, index) = op(dim, a, index);
            case(op, [a, index])
        })
        .prop_filter("these come from gradients, which fit", |case| {
            match &case.op {
                Op::Scatter(Scatter::GatherBackward(dim, shape)) => {
                    let target = Meta::new(shape.clone(), case.inputs[0].dtype);
                    let gather = Op::from(Index::Gather(*dim));
                    gather.facts().result(&[&target, &case.inputs[1]]).is_ok()
                }
                _ => true,
            }
        })
        .boxed()
}

pub(super) fn slices_added() -> BoxedStrategy<Case> {
    (meta_and_dim(), 0_usize..4)
        .prop_map(|((a, dim), count)| {
            // It comes from gradients, which are no truth values.
            let mut source = Meta::new(a.shape.clone(), DType::F32);
            // There is no place for a slice along an empty dimension.
            let count = match a.shape.get(dim) {
                None => 1,
                Some(0) => 0,
                Some(_) => count,
            };
            if let Some(it) = source.shape.get_mut(dim) {
                *it = count;
            }
            let index = Meta::new(vec![count], DType::I64);
            case(Scatter::IndexSelectBackward(dim, a.shape), [source, index])
        })
        .boxed()
}

pub(super) fn orders() -> BoxedStrategy<Case> {
    let order = prop_oneof![
        any::<bool>().prop_map(|descending| IndexKind::Sort { descending }),
        (0_usize..5, any::<bool>()).prop_map(|(count, largest)| IndexKind::TopK { count, largest }),
        (0_usize..5).prop_map(IndexKind::KthValue),
        Just(IndexKind::Median),
        Just(IndexKind::CumMax),
        Just(IndexKind::CumMin),
    ];
    (order, meta_and_dim())
        .prop_map(|(order, (a, dim))| case(SortIndices { order, dim }, [a]))
        .boxed()
}

pub(super) fn taken() -> BoxedStrategy<Case> {
    let by = one_of(&[
        ValuesOf::Max,
        ValuesOf::Min,
        ValuesOf::Sort,
        ValuesOf::Topk,
        ValuesOf::Kthvalue,
        ValuesOf::Median,
        ValuesOf::Cummax,
        ValuesOf::Cummin,
    ]);
    (by, orders(), keep())
        .prop_filter_map(
            "an order gives the positions",
            |(values_of, order, keep)| {
                let Op::SortIndices(SortIndices { dim, .. }) = order.op else {
                    return None;
                };
                let [a] = order.inputs.as_slice() else {
                    return None;
                };
                let positions = order.op.facts().result(&[a]).ok()?;
                let keep = match positions.shape.get(dim) {
                    Some(1) => keep,
                    Some(_) | None => Keep::AsOne,
                };
                let take = Index::TakeAlongDim {
                    values_of,
                    dim,
                    keep,
                };
                Some(case(take, [a.clone(), positions]))
            },
        )
        .boxed()
}

pub(super) fn scatters() -> BoxedStrategy<Case> {
    let how = prop::sample::select(vec![
        Scatter::Scatter as fn(usize) -> Scatter,
        Scatter::ScatterAdd,
        Scatter::IndexAdd,
    ]);
    (how, indexed(), any::<bool>(), dtype())
        .prop_map(|(how, (a, dim, mut index), larger, stray)| {
            let mut source = Meta::new(index.shape.clone(), a.dtype);
            if larger {
                source.shape.iter_mut().for_each(|it| *it += 1);
            }
            let op = how(dim);
            if let Scatter::IndexAdd(_) = op {
                let size = index.shape.get(dim).copied().unwrap_or(1);
                source.shape.clone_from(&a.shape);
                if let Some(it) = source.shape.get_mut(dim) {
                    *it = size;
                }
                index.shape = vec![size];
            }
            if stray == a.dtype {
                source.dtype = stray;
            }
            case(op, [a, index, source])
        })
        .boxed()
}

/// A tensor with no empty dimension, some of its dimensions, and the shape of index tensors for them.
fn indexed_dims() -> impl Strategy<Value = (Meta, Vec<usize>, Shape)> {
    meta()
        .prop_filter("there is something to pick", |a| {
            !a.shape.is_empty() && !a.shape.contains(&0)
        })
        .prop_flat_map(|a| {
            let dims: Vec<usize> = (0..a.shape.len()).collect();
            let count = dims.len();
            let dims = prop::sample::subsequence(dims, 1..=count);
            (Just(a), dims, prop::collection::vec(0_usize..3, 0..3))
        })
}

pub(super) fn picked_at() -> BoxedStrategy<Case> {
    indexed_dims()
        .prop_map(|(a, dims, picked)| {
            let mut inputs = vec![a];
            inputs.resize(1 + dims.len(), Meta::new(picked, DType::I64));
            let op = Op::from(Index::Index(dims));
            Case { op, inputs }
        })
        .boxed()
}

pub(super) fn put_at() -> BoxedStrategy<Case> {
    let put = one_of(&[Accumulate::No, Accumulate::Yes]);
    (indexed_dims(), put)
        .prop_map(|((mut a, dims, picked), put)| {
            // Truth values are not added to.
            if put == Accumulate::Yes {
                a.dtype = DType::F32;
            }
            let values = shape::index(&a.shape, &dims, &picked);
            let mut inputs = vec![a.clone(), Meta::new(values, a.dtype)];
            inputs.resize(2 + dims.len(), Meta::new(picked, DType::I64));
            let op = Op::from(Scatter::IndexPut(dims, put));
            Case { op, inputs }
        })
        .boxed()
}
