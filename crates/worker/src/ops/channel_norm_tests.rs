//! Our own normalization of channels against the composed operations, which `float64` takes.

use super::channel_norm::{ChannelNorm, ChannelNormOptions, StatisticsGroup};
use super::operation::Operation;
use crate::dtype::DType;
use crate::kernels::host::Host;
use crate::meta::Meta;
use candle_core::{DType as Stored, Device, Tensor};

fn spread(shape: &[usize], seed: usize) -> Tensor {
    let count: usize = shape.iter().product();
    let number = |it: usize| ((it * 37 + seed * 11) % 101) as f32 / 50.0 + 0.1;
    Tensor::from_vec((0..count).map(number).collect(), shape, &Device::Cpu).unwrap()
}

fn numbers(op: ChannelNorm, inputs: &[&Tensor]) -> Vec<f64> {
    let like = |it: &Tensor| {
        if it.dtype() == Stored::F64 {
            DType::F64
        } else {
            DType::F32
        }
    };
    let metas: Vec<Meta> = inputs
        .iter()
        .map(|it| Meta::new(it.dims().to_vec(), like(it)))
        .collect();
    let result = op.result(&metas.iter().collect::<Vec<_>>()).unwrap();
    let made = op.kernel(&Host::default(), inputs, &result).unwrap();
    assert_eq!(made.dims(), &*result.shape);
    let wide = made.to_dtype(Stored::F64).unwrap();
    wide.flatten_all().unwrap().to_vec1().unwrap()
}

/// Moments, forward, and what backward gives.
fn all(by: StatisticsGroup, shape: &[usize], dtype: Stored) -> Vec<Vec<f64>> {
    let tensor = |shape: &[usize], seed| spread(shape, seed).to_dtype(dtype).unwrap();
    let it = ChannelNormOptions { by, eps: 1e-5 };
    let channels = [shape[1]];
    let (input, grad) = (tensor(shape, 1), tensor(shape, 2));
    let [weight, bias, mean, variance] = [3, 4, 5, 6].map(|seed| tensor(&channels, seed));
    let statistics = match by {
        StatisticsGroup::Running => vec![&mean, &variance],
        StatisticsGroup::Batch | StatisticsGroup::Group(_) => Vec::new(),
    };
    let (forward, backward) = (ChannelNorm::Forward(it), ChannelNorm::Backward(it));
    vec![
        numbers(ChannelNorm::Moments, &[&input]),
        numbers(forward, &[&[&input][..], statistics.as_slice()].concat()),
        numbers(
            forward,
            &[&[&input][..], statistics.as_slice(), &[&weight, &bias]].concat(),
        ),
        numbers(
            backward,
            &[&[&grad, &input][..], statistics.as_slice()].concat(),
        ),
        numbers(
            backward,
            &[&[&grad, &input][..], statistics.as_slice(), &[&weight]].concat(),
        ),
        numbers(
            ChannelNorm::AffineBackward(it),
            &[&[&grad, &input][..], statistics.as_slice()].concat(),
        ),
    ]
}

#[test]
fn channels_of_float32_are_normalized_as_those_of_float64_are() {
    use StatisticsGroup::{Batch, Group, Running};
    for (by, shape) in [
        (Batch, &[5, 4][..]),
        (Batch, &[3, 4, 7]),
        (Batch, &[2, 6, 5, 9]),
        (Batch, &[2, 3, 70, 70]),
        (Running, &[5, 4]),
        (Running, &[2, 6, 5, 9]),
        (Group(2), &[5, 4]),
        (Group(3), &[2, 6, 5, 9]),
        (Group(6), &[2, 6, 3, 2, 4]),
    ] {
        let (ours, exact) = (all(by, shape, Stored::F32), all(by, shape, Stored::F64));
        for (at, (ours, exact)) in ours.iter().zip(&exact).enumerate() {
            assert_eq!(ours.len(), exact.len());
            for (ours, exact) in ours.iter().zip(exact) {
                let away = (ours - exact).abs() / exact.abs().max(1.0);
                assert!(away < 2e-5, "{by:?} {shape:?} {at}: {ours} {exact}");
            }
        }
    }
}

/// What the sums of a batch norm's weights tell its gradient is what it computes without them.
#[test]
fn the_gradient_of_an_input_is_the_same_with_sums_and_without() {
    let it = ChannelNormOptions {
        by: StatisticsGroup::Batch,
        eps: 1e-5,
    };
    let (input, grad) = (spread(&[3, 4, 7], 1), spread(&[3, 4, 7], 2));
    let weight = spread(&[4], 3);
    let sums = ChannelNorm::AffineBackward(it);
    let sums = Tensor::from_vec(numbers(sums, &[&grad, &input]), (4, 4), &Device::Cpu);
    let sums = sums.unwrap().to_dtype(Stored::F32).unwrap();
    let without = numbers(ChannelNorm::Backward(it), &[&grad, &input, &weight]);
    let with = numbers(ChannelNorm::Backward(it), &[&grad, &input, &weight, &sums]);
    for (with, without) in with.iter().zip(&without) {
        assert!((with - without).abs() < 1e-6, "{with} {without}");
    }
}
