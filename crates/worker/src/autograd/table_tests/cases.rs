//! Every kind of operation with inputs that it may or may not take.

use super::inputs::{beside, dtype, meta, meta_and_dim, shape};
use super::placed::{
    joins, orders, picked_at, picks, put_at, scatters, slices_added, taken, views,
};
use crate::dtype::{Category, DType};
use crate::meta::Meta;
use crate::ops::{
    Activate, Activation, ArgReduction, Binary, BinaryScalar, Compare, CompareScalar, Extreme,
    Index, Mask, MatMul, NumberSide, Op, Reduce, Reduction, Scan, Scatter, Softmax, Ternary,
    ToCopy, Unary,
};
use crate::shape::Keep;
use proptest::prelude::*;

/// An operation and what it is asked to take.
#[derive(Clone, Debug)]
pub(in crate::autograd) struct Case {
    pub(in crate::autograd) op: Op,
    pub(in crate::autograd) inputs: Vec<Meta>,
}

/// How many kinds there are.
pub(in crate::autograd) const KINDS: usize = 32;

/// The number of an operation's kind. A new operation does not compile before it has one here, and
/// `coverage_tests` fails before [`of_kind`] makes it.
pub(super) fn kind(op: &Op) -> usize {
    match op {
        Op::Unary(_) => 0,
        Op::Binary(_) => 1,
        Op::BinaryScalar(_) => 2,
        Op::Compare(_) => 3,
        Op::CompareScalar(_) => 4,
        Op::MatMul(MatMul::MatMul) => 5,
        Op::Reduce(_) => 6,
        Op::ArgReduction(_) => 7,
        Op::Softmax(Softmax::Softmax(_)) => 8,
        Op::Softmax(Softmax::LogSoftmax(_)) => 9,
        Op::View(_) => 10,
        Op::Cat(_) => 11,
        Op::Index(Index::IndexSelect(_)) => 12,
        Op::Index(Index::Gather(_)) => 13,
        Op::Scatter(Scatter::GatherBackward(..)) => 14,
        Op::Scatter(Scatter::IndexSelectBackward(..)) => 15,
        Op::Mask(Mask::Where | Mask::Fill) => 16,
        Op::ToCopy(ToCopy::Cast(_)) => 17,
        Op::ToCopy(ToCopy::Clone | ToCopy::RowMajor) => 18,
        Op::Mask(Mask::Tril(_)) => 19,
        Op::Mask(Mask::Triu(_)) => 20,
        Op::SortIndices(_) => 21,
        Op::Index(Index::TakeAlongDim { .. }) => 22,
        Op::Scan(_) => 23,
        Op::ToCopy(ToCopy::Flip(_)) => 24,
        Op::Scatter(Scatter::Scatter(_) | Scatter::ScatterAdd(_) | Scatter::IndexAdd(_)) => 25,
        Op::Ternary(Ternary::AddCMul(_) | Ternary::AddCDiv(_) | Ternary::Lerp)
        | Op::MatMul(MatMul::AddMM { .. } | MatMul::BAddBMM { .. }) => 26,
        Op::Ternary(Ternary::AddAlpha(_)) => 27,
        Op::Ternary(Ternary::LerpScalar(_)) => 28,
        Op::Index(Index::Index(_)) => 29,
        Op::Scatter(Scatter::IndexPut(..)) => 30,
        Op::Softmax(Softmax::SoftmaxBackward(_) | Softmax::LogSoftmaxBackward(_))
        | Op::MatMul(MatMul::Linear | MatMul::LinearBias)
        | Op::Activate(_)
        | Op::Norm(_)
        | Op::Loss(_)
        | Op::Nll(_)
        | Op::Embedding(_)
        | Op::Dropout(_)
        | Op::Attention(_)
        | Op::FoundInf(_)
        | Op::Convolution(_)
        | Op::Pool(_)
        | Op::ChannelNorm(_)
        | Op::Recurrent(_)
        | Op::Resample(_)
        | Op::Pad(_) => 31,
    }
}

/// Cases of one kind.
pub(in crate::autograd) fn of_kind(kind: usize) -> BoxedStrategy<Case> {
    match kind {
        0 => (one_of(Unary::ALL), meta())
            .prop_map(|(how, a)| case(how, [a]))
            .boxed(),
        1 => two(one_of(Binary::ALL).prop_map(Op::Binary)),
        2 => with_number(),
        3 => two(one_of(Compare::ALL).prop_map(Op::Compare)),
        4 => (one_of(Compare::ALL), -2.0..2.0, meta())
            .prop_map(|(how, number, a)| case(CompareScalar(how, number), [a]))
            .boxed(),
        5 => products(),
        6 => reductions(),
        7 => (meta_and_dim(), any::<bool>(), keep(), any::<bool>())
            .prop_map(|((a, dim), largest, keep, all)| {
                let extreme = if largest {
                    Extreme::Largest
                } else {
                    Extreme::Smallest
                };
                let dim = (!all).then_some(dim);
                case(ArgReduction { extreme, dim, keep }, [a])
            })
            .boxed(),
        8 => along(|dim| Softmax::Softmax(dim).into()),
        9 => along(|dim| Softmax::LogSoftmax(dim).into()),
        10 => views(),
        11 => joins(),
        12 => picks(|dim, a, index| (Index::IndexSelect(dim).into(), a, index)),
        13 => picks(|dim, a, index| (Index::Gather(dim).into(), a, index)),
        14 => picks(|dim, a, index| {
            let source = Meta::new(index.shape.clone(), DType::F32);
            (Scatter::GatherBackward(dim, a.shape).into(), source, index)
        }),
        15 => slices_added(),
        16 => triples(prop_oneof![Just(Mask::Where.into()), Just(Mask::Fill.into())].boxed()),
        17 => (dtype(), meta())
            .prop_map(|(to, a)| case(ToCopy::Cast(to), [a]))
            .boxed(),
        18 => (any::<bool>(), meta())
            .prop_map(|(rows, a)| {
                case(
                    if rows {
                        ToCopy::RowMajor
                    } else {
                        ToCopy::Clone
                    },
                    [a],
                )
            })
            .boxed(),
        19 => triangles(Mask::Tril),
        20 => triangles(Mask::Triu),
        21 => orders(),
        22 => taken(),
        23 => prop_oneof![
            along(|dim| Scan::CumSum(dim).into()),
            along(|dim| Scan::CumProd(dim).into())
        ]
        .boxed(),
        24 => meta()
            .prop_flat_map(|a| {
                let all: Vec<usize> = (0..a.shape.len()).collect();
                let count = all.len();
                (Just(a), prop::sample::subsequence(all, 0..=count))
            })
            .prop_map(|(a, dims)| case(ToCopy::Flip(dims), [a]))
            .boxed(),
        25 => scatters(),
        26 => ternaries(),
        27 => two((-2.0..2.0).prop_map(|it| Ternary::AddAlpha(it).into())),
        28 => two((-1.0..2.0).prop_map(|it| Ternary::LerpScalar(it).into())),
        29 => picked_at(),
        30 => put_at(),
        _ => activations(),
    }
}

pub(super) fn case<const N: usize>(op: impl Into<Op>, inputs: [Meta; N]) -> Case {
    Case {
        op: op.into(),
        inputs: inputs.to_vec(),
    }
}

pub(super) fn one_of<T: Copy + std::fmt::Debug + 'static>(all: &[T]) -> BoxedStrategy<T> {
    prop::sample::select(all.to_vec()).boxed()
}

pub(super) fn keep() -> impl Strategy<Value = Keep> {
    prop_oneof![Just(Keep::Drop), Just(Keep::AsOne)]
}

fn two(op: impl Strategy<Value = Op> + 'static) -> BoxedStrategy<Case> {
    (op, meta())
        .prop_flat_map(|(op, a)| {
            let b = beside(&a.shape);
            (Just(op), Just(a), b)
        })
        .prop_map(|(op, a, b)| case(op, [a, b]))
        .boxed()
}

fn triples(op: BoxedStrategy<Op>) -> BoxedStrategy<Case> {
    (op, meta())
        .prop_flat_map(|(op, a)| {
            let (b, c) = (beside(&a.shape), beside(&a.shape));
            (Just(op), Just(a), b, c, any::<bool>())
        })
        .prop_map(|(op, a, mut b, mut c, same)| {
            if same {
                (b.dtype, c.dtype) = (a.dtype, a.dtype);
            }
            if matches!(op, Op::Mask(_)) {
                return case(op, [b, c, a]);
            }
            case(op, [a, b, c])
        })
        .boxed()
}

fn with_number() -> BoxedStrategy<Case> {
    let number = prop_oneof![
        (-3.0..3.0).prop_map(|it| (it, Category::Float)),
        (-3_i32..4).prop_map(|it| (f64::from(it), Category::Int)),
        any::<bool>().prop_map(|it| (f64::from(u8::from(it)), Category::Bool)),
    ];
    let side = prop_oneof![Just(NumberSide::Left), Just(NumberSide::Right)];
    (one_of(Binary::ALL), number, side, meta())
        .prop_map(|(how, (number, kind), side, a)| {
            let op = BinaryScalar {
                function: how,
                number,
                kind,
                side,
            };
            case(op, [a])
        })
        .boxed()
}

/// Two tensors that often can be multiplied.
fn factors() -> BoxedStrategy<(Meta, Meta)> {
    let fitting = (
        shape(),
        0_usize..=4,
        0_usize..=4,
        0_usize..=4,
        0_usize..=2,
        0_usize..=2,
    );
    let fitting = fitting.prop_map(|(batch, rows, inner, columns, a, b)| {
        let mut batch = batch;
        batch.truncate(2);
        let mut left = if a == 2 { vec![] } else { batch.clone() };
        if a != 1 {
            left.push(rows);
        }
        left.push(inner);
        let mut right = if b == 2 { vec![] } else { batch };
        right.push(inner);
        if b != 1 {
            right.push(columns);
        }
        (left, right)
    });
    let shapes = prop_oneof![4 => fitting, 1 => (shape(), shape())];
    let dtypes = prop_oneof![4 => dtype().prop_map(|it| (it, it)), 1 => (dtype(), dtype())];
    (shapes, dtypes)
        .prop_map(|((a, b), (x, y))| (Meta::new(a, x), Meta::new(b, y)))
        .boxed()
}

fn products() -> BoxedStrategy<Case> {
    factors()
        .prop_map(|(a, b)| case(MatMul::MatMul, [a, b]))
        .boxed()
}

fn ternaries() -> BoxedStrategy<Case> {
    let pointwise = prop_oneof![
        (-2.0..2.0).prop_map(Ternary::AddCMul),
        (-2.0..2.0).prop_map(Ternary::AddCDiv),
        Just(Ternary::Lerp),
    ];
    let products = (factors(), -2.0..2.0, 0_u8..3, any::<bool>()).prop_flat_map(
        |((b, c), share, beta, batched)| {
            let (alpha, beta) = (share, f64::from(beta) / 2.0);
            let how = if batched {
                MatMul::BAddBMM { beta, alpha }
            } else {
                MatMul::AddMM { beta, alpha }
            };
            let product = Op::from(MatMul::MatMul).facts().result(&[&b, &c]);
            let shape = product.map(|it| it.shape).unwrap_or_default();
            (Just((how, b, c)), beside(&shape))
        },
    );
    let products = products.prop_map(|((how, b, c), mut a)| {
        a.dtype = b.dtype;
        case(how, [a, b, c])
    });
    prop_oneof![triples(pointwise.prop_map(Op::Ternary).boxed()), products].boxed()
}

/// Every way to reduce.
pub(in crate::autograd) const REDUCTIONS: [Reduction; 20] = [
    Reduction::Sum,
    Reduction::Mean,
    Reduction::Prod,
    Reduction::Max,
    Reduction::Min,
    Reduction::AMax,
    Reduction::AMin,
    Reduction::Var(0.0),
    Reduction::Var(1.0),
    Reduction::Std(1.0),
    Reduction::Norm(2.0),
    Reduction::Norm(1.0),
    Reduction::Norm(0.0),
    Reduction::Norm(3.0),
    Reduction::Norm(f64::INFINITY),
    Reduction::Norm(f64::NEG_INFINITY),
    Reduction::LogSumExp,
    Reduction::All,
    Reduction::Any,
    Reduction::CountNonzero,
];

fn reductions() -> BoxedStrategy<Case> {
    meta()
        .prop_flat_map(|a| {
            let dims: Vec<usize> = (0..a.shape.len().max(1)).collect();
            let count = dims.len();
            let dims = prop::sample::subsequence(dims, 0..=count);
            (one_of(&REDUCTIONS), Just(a), dims, keep())
        })
        .prop_map(|(how, a, dims, keep)| {
            // `max()` and `min()` take no dimensions.
            let whole = matches!(how, Reduction::Max | Reduction::Min);
            let mut dims = if whole { vec![] } else { dims };
            if how == Reduction::Prod {
                // It takes one or none.
                dims.truncate(1);
            }
            let reduction = how;
            case(
                Reduce {
                    reduction,
                    dims,
                    keep,
                },
                [a],
            )
        })
        .boxed()
}

fn along(op: impl Fn(usize) -> Op + 'static) -> BoxedStrategy<Case> {
    meta_and_dim()
        .prop_map(move |(a, dim)| case(op(dim), [a]))
        .boxed()
}

/// Every activation.
pub(in crate::autograd) const ACTIVATIONS: [Activation; 12] = [
    Activation::Relu,
    Activation::Tanh,
    Activation::Sigmoid,
    Activation::Gelu,
    Activation::GeluTanh,
    Activation::Silu,
    Activation::Softplus {
        beta: 1.0,
        threshold: 20.0,
    },
    Activation::LogSigmoid,
    Activation::LeakyRelu(0.1),
    Activation::Elu {
        alpha: 1.5,
        scale: 1.0,
    },
    Activation::Hardtanh {
        min: -1.0,
        max: 1.0,
    },
    Activation::Mish,
];

/// Layers and losses have tests of their own in `layer_tests`; here are those that go element by element.
fn activations() -> BoxedStrategy<Case> {
    (one_of(&ACTIVATIONS), meta())
        .prop_map(|(how, a)| case(Activate::Forward(how), [a]))
        .boxed()
}

fn triangles(op: fn(i64) -> Mask) -> BoxedStrategy<Case> {
    (-5_i64..=5, meta())
        .prop_map(move |(diagonal, a)| case(op(diagonal), [a]))
        .boxed()
}
