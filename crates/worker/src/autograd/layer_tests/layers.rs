//! Layers and losses with inputs that want gradients, one list for each kind, and a test for each list.

use super::{Input, assert_slopes, fixed, spread};
use crate::autograd::table_tests::cases::ACTIVATIONS;
use crate::dtype::DType;
use crate::meta::AttentionKernel;
use crate::ops::{
    Activate, Activation, Attention, AttentionDropout, AttentionOptions, Dropout, Embedding, Loss,
    LossFunction, LossReduction, MatMul, Nll, NllOptions, Norm, NormKind, NormOptions, Op, Softmax,
    Unary,
};

/// An operation and what it takes.
pub(in crate::autograd) type Layer = (Op, Vec<Input>);

pub(super) fn layer(op: impl Into<Op>, inputs: &[Input]) -> Layer {
    (op.into(), inputs.to_vec())
}

pub(super) fn assert_slopes_of(layers: &[Layer]) {
    for (op, inputs) in layers {
        assert_slopes(op, inputs);
    }
}

/// All layers whose gradients are compared with their slopes.
pub(in crate::autograd) fn layers() -> Vec<Layer> {
    [
        activations(),
        softmax(),
        linear(),
        normalizations(),
        losses(),
        class_losses(),
        embeddings_and_dropout(),
        attention(),
        super::spatial::spatial(),
    ]
    .concat()
}

fn activations() -> Vec<Layer> {
    let others = [
        Activation::Softplus {
            beta: 2.0,
            threshold: 3.0,
        },
        Activation::Elu {
            alpha: 0.7,
            scale: 1.3,
        },
        Activation::Hardtanh {
            min: -1.0,
            max: 2.0,
        },
    ];
    let mut all = Vec::new();
    for how in ACTIVATIONS.into_iter().chain(others) {
        all.push(layer(Activate::Forward(how), &[spread(&[3, 5], -3.0, 4.0)]));
    }
    for how in [Unary::Relu, Unary::Tanh, Unary::Sigmoid, Unary::Gelu] {
        all.push(layer(how, &[spread(&[3, 5], -3.0, 4.0)]));
    }
    all
}

#[test]
fn gradients_of_activations_are_their_slopes() {
    assert_slopes_of(&activations());
}

fn softmax() -> Vec<Layer> {
    let mut all = Vec::new();
    for dim in [0, 1, 2] {
        let input = [spread(&[2, 3, 4], -2.0, 2.0)];
        all.push(layer(Softmax::Softmax(dim), &input));
        all.push(layer(Softmax::LogSoftmax(dim), &input));
    }
    all
}

#[test]
fn gradients_of_softmax_are_its_slopes_in_each_dimension() {
    assert_slopes_of(&softmax());
}

fn linear() -> Vec<Layer> {
    let mut all = Vec::new();
    let weight = spread(&[4, 3], -0.7, 1.0);
    for shape in [vec![3], vec![5, 3], vec![2, 5, 3]] {
        let input = spread(&shape, -1.0, 1.2);
        let bias = spread(&[4], -1.0, 1.0);
        all.push(layer(MatMul::Linear, &[input.clone(), weight.clone()]));
        all.push(layer(MatMul::LinearBias, &[input, weight.clone(), bias]));
    }
    let one_row = [spread(&[2, 3], -1.0, 1.0), spread(&[3], 0.0, 1.0)];
    all.push(layer(MatMul::Linear, &one_row));
    all
}

#[test]
fn gradients_of_a_linear_layer_are_its_slopes() {
    assert_slopes_of(&linear());
}

fn normalizations() -> Vec<Layer> {
    let mut cases = Vec::new();
    let weight = spread(&[2, 3], 0.2, 1.4);
    let bias = spread(&[2, 3], -0.5, 0.5);
    for (how, most) in [(NormKind::Layer, 2), (NormKind::Rms, 1)] {
        let norm = NormOptions {
            kind: how,
            dims: 2,
            eps: 1e-3,
        };
        let all = [spread(&[4, 2, 3], -1.0, 2.0), weight.clone(), bias.clone()];
        for count in 0..=most {
            cases.push(layer(Norm::Forward(norm), &all[..=count]));
        }
    }
    cases
}

#[test]
fn gradients_of_normalizations_are_their_slopes() {
    assert_slopes_of(&normalizations());
}

fn losses() -> Vec<Layer> {
    let mut all = Vec::new();
    for reduction in [LossReduction::None, LossReduction::Mean, LossReduction::Sum] {
        for how in [
            LossFunction::Mse,
            LossFunction::SmoothL1(0.5),
            LossFunction::Huber(0.5),
            LossFunction::Bce,
            LossFunction::BceWithLogits,
        ] {
            if !matches!(how, LossFunction::Bce | LossFunction::BceWithLogits) {
                let both = [spread(&[2, 3], 0.1, 0.9), spread(&[2, 3], -0.4, 0.2)];
                all.push(layer(Loss::Forward(how, reduction), &both));
            }
            let target: Vec<f64> = (0..6).map(|at| f64::from(at % 2) * 0.8 + 0.1).collect();
            let target = fixed(&[2, 3], DType::F64, &target);
            let both = [spread(&[2, 3], 0.1, 0.9), target];
            all.push(layer(Loss::Forward(how, reduction), &both));
        }
    }
    all
}

#[test]
fn gradients_of_losses_are_their_slopes() {
    assert_slopes_of(&losses());
}

fn class_losses() -> Vec<Layer> {
    let mut all = Vec::new();
    let classes = fixed(&[4], DType::I64, &[2.0, 0.0, -100.0, 1.0]);
    let weight = fixed(&[3], DType::F64, &[0.5, 2.0, 1.5]);
    for reduction in [LossReduction::None, LossReduction::Mean, LossReduction::Sum] {
        let how = Nll::Forward(NllOptions {
            reduction,
            ignore: -100,
        });
        let scores = spread(&[4, 3], -2.0, 0.0);
        all.push(layer(how.clone(), &[scores.clone(), classes.clone()]));
        let weighted = [scores, classes.clone(), weight.clone()];
        all.push(layer(how.clone(), &weighted));
        let images = fixed(&[2, 2], DType::I64, &[2.0, 0.0, 1.0, -100.0]);
        all.push(layer(how, &[spread(&[2, 3, 2], -2.0, 0.0), images]));
    }
    all
}

#[test]
fn gradients_of_class_losses_are_their_slopes() {
    assert_slopes_of(&class_losses());
}

fn embeddings_and_dropout() -> Vec<Layer> {
    let indices = fixed(&[2, 2], DType::I64, &[0.0, 2.0, 2.0, 1.0]);
    let weight = spread(&[4, 3], -1.0, 1.0);
    let mask = fixed(&[2, 3], DType::Bool, &[1.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    vec![
        layer(Embedding::Forward { padding: None }, &[weight, indices]),
        layer(
            Dropout::Cpu { p: 0.25 },
            &[spread(&[2, 3], -1.0, 1.0), mask],
        ),
    ]
}

#[test]
fn gradients_of_embeddings_and_dropout_are_their_slopes() {
    assert_slopes_of(&embeddings_and_dropout());
}

fn attention() -> Vec<Layer> {
    let (query, key) = (spread(&[2, 3, 4], -1.0, 1.0), spread(&[2, 5, 4], -0.8, 1.0));
    let value = spread(&[2, 5, 2], -1.0, 1.0);
    let all = [query, key, value];
    let how = |causal, dropout| {
        Attention::Forward(AttentionOptions {
            causal,
            scale: 0.5,
            kernel: AttentionKernel::Flash,
            dropout,
        })
    };
    let added = Input {
        compared: false,
        ..spread(&[3, 5], -1.0, 1.0)
    };
    // The last query sees nothing, and takes nothing.
    let open: Vec<f64> = (0..30)
        .map(|at| f64::from(u8::from(at % 15 < 10 && at % 4 != 0)))
        .collect();
    let open = fixed(&[2, 3, 5], DType::Bool, &open);
    vec![
        layer(how(false, None), &all),
        layer(how(true, None), &all),
        layer(how(true, Some(AttentionDropout { p: 0.4, seed: 7 })), &all),
        layer(how(false, None), &[&all[..], &[added]].concat()),
        layer(how(false, None), &[&all[..], &[open]].concat()),
    ]
}

#[test]
fn gradients_of_attention_are_its_slopes() {
    assert_slopes_of(&attention());
}
