//! Each gradient of a layer or a loss against differences of its results, in `float64`. [`layers`] has what is tried.

pub(super) mod layers;
mod spatial;

use crate::autograd::{Graph, backward};
use crate::device::cpu::Cpu;
use crate::device::{TensorDevice, open};
use crate::dtype::DType;
use crate::engine::Engine;
use crate::engine::Fill;
use crate::meta::{AttentionKernel, Meta};
use crate::ops::{
    Activate, Activation, Arithmetic as _, Attention, AttentionOptions, Binary, Dropout, Embedding,
    LossReduction, MatMul, Nll, NllOptions, Norm, NormKind, NormOptions, Op, Reduce, Reduction,
    View,
};
use crate::shape::Keep;
use crate::tensor::Tensor;
use candle_core::Device;
use std::rc::Rc;
use warpup_protocol::WaitCause;

/// How far an element is moved to each side.
const STEP: f64 = 1e-5;

/// An input of an operation: its shape, its elements, and whether its gradient is compared.
#[derive(Clone)]
pub(super) struct Input {
    shape: Vec<usize>,
    dtype: DType,
    values: Vec<f64>,
    compared: bool,
}

/// Numbers that repeat on every machine, none of them near a place where a function bends.
fn spread(shape: &[usize], low: f64, high: f64) -> Input {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|at| {
        let golden = ((at as f64 + 1.0) * 0.618_033_988_75).fract();
        low + (high - low) * golden
    });
    Input {
        shape: shape.to_vec(),
        dtype: DType::F64,
        values: values.collect(),
        compared: true,
    }
}

fn fixed(shape: &[usize], dtype: DType, values: &[f64]) -> Input {
    Input {
        shape: shape.to_vec(),
        dtype,
        values: values.to_vec(),
        compared: false,
    }
}

fn made(engine: &Rc<Engine>, input: &Input) -> Tensor {
    let make = |_: &Device| {
        let all = candle_core::Tensor::from_vec(
            input.values.clone(),
            input.shape.as_slice(),
            &Device::Cpu,
        )?;
        Ok(all.to_dtype(input.dtype.stored())?)
    };
    let meta = Meta::new(input.shape.clone(), input.dtype);
    let tensor = engine
        .create(meta, TensorDevice::Cpu, &Fill::Values(&make))
        .unwrap();
    tensor.set_requires_grad(input.compared).unwrap();
    tensor
}

fn read(engine: &Engine, tensor: &Tensor) -> Vec<f64> {
    let all = engine.read(tensor, WaitCause::Item).unwrap();
    let all = all.flatten_all().unwrap();
    all.to_dtype(candle_core::DType::F64)
        .unwrap()
        .to_vec1()
        .unwrap()
}

/// The result, weighed so that each element counts differently, as one number.
fn total(engine: &Rc<Engine>, op: &Op, inputs: &[Tensor]) -> Tensor {
    let out = engine
        .apply(op.clone(), &inputs.iter().collect::<Vec<_>>())
        .unwrap();
    let weights = made(
        engine,
        &Input {
            compared: false,
            ..spread(&out.shape(), 0.5, 1.5)
        },
    );
    let weighed = engine.apply(Binary::Mul, &[&out, &weights]).unwrap();
    let sum = Reduce {
        reduction: Reduction::Sum,
        dims: vec![],
        keep: Keep::Drop,
    };
    engine.apply(sum, &[&weighed]).unwrap()
}

/// Compares each gradient of an operation with differences.
fn assert_slopes(op: &Op, inputs: &[Input]) {
    let engine = Engine::new(Box::new(Cpu::new()), 0);
    let tensors: Vec<Tensor> = inputs.iter().map(|it| made(&engine, it)).collect();
    backward(&engine, &total(&engine, op, &tensors), None, Graph::Freed).unwrap();
    let value = |changed: usize, at: usize, by: f64| {
        let moved: Vec<Tensor> = inputs
            .iter()
            .enumerate()
            .map(|(index, input)| {
                let mut input = input.clone();
                if index == changed {
                    input.values[at] += by;
                }
                made(&engine, &input)
            })
            .collect();
        read(&engine, &total(&engine, op, &moved))[0]
    };
    for (index, input) in inputs.iter().enumerate().filter(|(_, it)| it.compared) {
        let grads = read(&engine, &tensors[index].grad().unwrap());
        assert_eq!(tensors[index].grad().unwrap().meta(), tensors[index].meta());
        for (at, grad) in grads.iter().enumerate() {
            let slope = (value(index, at, STEP) - value(index, at, -STEP)) / (2.0 * STEP);
            let far = (grad - slope).abs();
            assert!(
                far < 1e-6 * (1.0 + slope.abs()),
                "{op:?}: element {at} of input {index}: {grad} is not {slope} of {:?}",
                input.values[at]
            );
        }
    }
}

#[test]
fn rows_of_padding_get_no_gradient() {
    let engine = Engine::new(Box::new(Cpu::new()), 0);
    let weight = made(&engine, &spread(&[3, 2], -1.0, 1.0));
    let indices = made(&engine, &fixed(&[3], DType::I64, &[0.0, 1.0, 1.0]));
    let op = Op::from(Embedding::Forward { padding: Some(1) });
    let out = engine.apply(op, &[&weight, &indices]).unwrap();
    let sum = Reduce {
        reduction: Reduction::Sum,
        dims: vec![],
        keep: Keep::Drop,
    };
    let sum = engine.apply(sum, &[&out]).unwrap();
    backward(&engine, &sum, None, Graph::Freed).unwrap();
    let grad = read(&engine, &weight.grad().unwrap());
    assert_eq!(grad, [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn attention_in_groups_of_heads_is_attention_of_all_heads() {
    // Enough scores that the heads are computed in several groups.
    let engine = Engine::new(Box::new(Cpu::new()), 0);
    let heads = made(&engine, &spread(&[5, 1024, 1], -1.0, 1.0));
    let first = View::Narrow {
        dim: 0,
        start: 4,
        len: 1,
    };
    let last = engine.apply(Op::View(first.clone()), &[&heads]).unwrap();
    let how = Op::from(Attention::Forward(AttentionOptions {
        causal: true,
        scale: 1.0,
        kernel: AttentionKernel::Flash,
        dropout: None,
    }));
    let together = engine
        .apply(how.clone(), &[&heads, &heads, &heads])
        .unwrap();
    let together = engine.apply(Op::View(first), &[&together]).unwrap();
    let alone = engine.apply(how, &[&last, &last, &last]).unwrap();
    let (together, alone) = (read(&engine, &together), read(&engine, &alone));
    for (one, other) in together.iter().zip(alone) {
        assert!((one - other).abs() < 1e-12);
    }
}

#[test]
fn layer_gradients_without_values_have_shapes() {
    let card = open(
        &"model:t4".parse().unwrap(),
        warpup_protocol::Aim::Run,
        &warpup_protocol::Limits::default(),
    )
    .unwrap();
    let engine = Engine::new(card, 0);
    // One row more than what a modelled card computes.
    let size = 2049;
    let of = |shape: &[usize], dtype| {
        let meta = Meta::new(shape.to_vec(), dtype);
        let it = engine.full(meta, TensorDevice::Card(0), 1.0).unwrap();
        it.set_requires_grad(dtype.is_float()).unwrap();
        it
    };
    let matrix = || of(&[size, size], DType::F32);
    let row = || of(&[size], DType::F32);
    let classes = || of(&[size], DType::I64);
    let norm = NormOptions {
        kind: NormKind::Layer,
        dims: 1,
        eps: 1e-5,
    };
    let nll = NllOptions {
        reduction: LossReduction::Mean,
        ignore: -100,
    };
    let attention = AttentionOptions {
        causal: true,
        scale: 1.0,
        kernel: AttentionKernel::Flash,
        dropout: None,
    };
    let mask = of(&[size, size], DType::Bool);
    for (op, inputs) in [
        (
            Op::from(MatMul::LinearBias),
            vec![matrix(), matrix(), row()],
        ),
        (Activate::Forward(Activation::Silu).into(), vec![matrix()]),
        (Norm::Forward(norm).into(), vec![matrix(), row(), row()]),
        (Nll::Forward(nll).into(), vec![matrix(), classes()]),
        (
            Embedding::Forward { padding: None }.into(),
            vec![matrix(), classes()],
        ),
        (Dropout::Cpu { p: 0.5 }.into(), vec![matrix(), mask]),
        (
            Attention::Forward(attention).into(),
            vec![matrix(), matrix(), matrix()],
        ),
    ] {
        let name = op.facts().name();
        let out = engine.apply(op, &inputs.iter().collect::<Vec<_>>());
        let out = out.unwrap();
        let seed = engine.full_like(&out, 1.0).unwrap();
        backward(&engine, &out, Some(&seed), Graph::Freed).unwrap();
        for input in inputs.iter().filter(|it| it.requires_grad()) {
            let shape = input.grad().map(|it| it.shape());
            assert_eq!(shape, Some(input.shape()), "{name}");
        }
    }
}
