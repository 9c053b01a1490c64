//! Convolutions, pooling, normalization of channels, other sizes and recurrent layers, one list for each kind.

use super::layers::{Layer, assert_slopes_of, layer};
use super::{Input, fixed, spread};
use crate::dtype::DType;
use crate::kernels::recurrent::Reserve;
use crate::ops::{
    Average, Axis, Cell, ChannelNorm, ChannelNormOptions, Convolution, Direction, Divisor,
    InterpolationMode, Order, Pad, Pool, PositionsOf, Recurrent, RecurrentOptions, RecurrentStack,
    Resample, RoundingMode, StatisticsGroup, Steps, Windows,
};

/// All of these layers whose gradients are compared with their slopes.
pub(super) fn spatial() -> Vec<Layer> {
    [
        convolutions(),
        pools(),
        channel_norms(),
        other_sizes(),
        recurrent(),
    ]
    .concat()
}

fn steps(stride: &[usize], padding: usize, dilation: usize, groups: usize) -> Steps {
    Steps {
        stride: stride.to_vec(),
        padding: vec![padding; stride.len()],
        dilation: vec![dilation; stride.len()],
        groups,
    }
}

fn convolutions() -> Vec<Layer> {
    let both = |first: &[usize], second: &[usize]| {
        vec![spread(first, -1.0, 1.0), spread(second, -0.8, 1.0)]
    };
    let mut with_bias = both(&[2, 2, 5], &[3, 2, 2]);
    with_bias.push(spread(&[3], -0.5, 0.5));
    let small = || steps(&[2, 2], 1, 1, 1);
    let grouped = || steps(&[2, 1], 1, 2, 2);
    let back = |it, sizes: &[usize], how| Convolution::Transposed(it, sizes.to_vec(), how);
    vec![
        layer(Convolution::Forward(steps(&[1], 0, 2, 1)), &with_bias),
        layer(
            Convolution::Forward(small()),
            &both(&[1, 2, 4, 5], &[2, 2, 3, 3]),
        ),
        layer(
            Convolution::Forward(grouped()),
            &both(&[2, 2, 4, 5], &[2, 1, 2, 2]),
        ),
        layer(
            Convolution::Forward(steps(&[1, 1, 2], 0, 1, 1)),
            &both(&[1, 2, 2, 3, 4], &[2, 2, 1, 2, 2]),
        ),
        layer(
            back(small(), &[4, 5], Direction::Forward),
            &both(&[1, 2, 2, 3], &[2, 2, 3, 3]),
        ),
        layer(
            back(grouped(), &[4, 5], Direction::Backward),
            &both(&[1, 2, 2, 5], &[2, 1, 2, 2]),
        ),
        layer(
            Convolution::OfWeight(grouped(), vec![2, 2]),
            &both(&[1, 2, 4, 5], &[1, 2, 2, 5]),
        ),
        layer(
            Convolution::OfWeight(small(), vec![3, 3]),
            &both(&[1, 2, 4, 5], &[1, 2, 2, 3]),
        ),
    ]
}

#[test]
fn gradients_of_convolutions_are_their_slopes() {
    assert_slopes_of(&convolutions());
}

fn windows(kernel: usize, padding: usize, rounded: RoundingMode) -> Vec<Windows> {
    let one = Windows::Regular {
        kernel,
        stride: 2,
        padding,
        dilation: 1,
        rounded,
    };
    vec![one; 2]
}

fn pools() -> Vec<Layer> {
    let image = || spread(&[1, 2, 4, 5], -1.0, 1.0);
    let places = fixed(
        &[1, 2, 2, 2],
        DType::I64,
        &[0.0, 3.0, 7.0, 3.0, 19.0, 1.0, 1.0, 4.0],
    );
    let mean = |windows, divisor| Average { windows, divisor };
    let padded = || mean(windows(3, 1, RoundingMode::Up), Divisor::WithPadding);
    let adaptive = vec![Windows::Adaptive(3), Windows::Adaptive(2)];
    vec![
        layer(Pool::Max(PositionsOf::Any), &[image(), places.clone()]),
        layer(
            Pool::Max(PositionsOf::Windows(windows(2, 0, RoundingMode::Down))),
            &[image(), places.clone()],
        ),
        layer(
            Pool::MaxBackward(PositionsOf::Any, vec![4, 5]),
            &[spread(&[1, 2, 2, 2], -1.0, 1.0), places],
        ),
        layer(Pool::Average(padded()), &[image()]),
        layer(
            Pool::Average(mean(windows(2, 1, RoundingMode::Down), Divisor::Inside)),
            &[image()],
        ),
        layer(
            Pool::Average(mean(
                windows(2, 0, RoundingMode::Down),
                Divisor::Number(3.0),
            )),
            &[image()],
        ),
        layer(Pool::Average(mean(adaptive, Divisor::Inside)), &[image()]),
        layer(
            Pool::AverageBackward(padded(), vec![4, 5]),
            &[spread(&[1, 2, 3, 3], -1.0, 1.0)],
        ),
    ]
}

#[test]
fn gradients_of_pools_are_their_slopes() {
    assert_slopes_of(&pools());
}

fn channel_norms() -> Vec<Layer> {
    let norm = |by| ChannelNorm::Forward(ChannelNormOptions { by, eps: 1e-3 });
    let input = spread(&[3, 4, 2], -1.0, 2.0);
    let row = |low, high| spread(&[4], low, high);
    let given = |it: Input| Input {
        compared: false,
        ..it
    };
    let affine = [row(0.2, 1.4), row(-0.5, 0.5)];
    let running = [given(row(-0.2, 0.4)), given(row(0.5, 1.5))];
    let of = |parts: &[&[Input]]| [std::slice::from_ref(&input), &*parts.concat()].concat();
    vec![
        layer(norm(StatisticsGroup::Batch), &of(&[])),
        layer(norm(StatisticsGroup::Batch), &of(&[&affine])),
        layer(norm(StatisticsGroup::Running), &of(&[&running])),
        layer(norm(StatisticsGroup::Running), &of(&[&running, &affine])),
        layer(norm(StatisticsGroup::Group(2)), &of(&[])),
        layer(norm(StatisticsGroup::Group(2)), &of(&[&affine])),
    ]
}

#[test]
fn gradients_of_channel_norms_are_their_slopes() {
    assert_slopes_of(&channel_norms());
}

fn other_sizes() -> Vec<Layer> {
    let axis = |between| Axis {
        from: 3,
        to: 5,
        step: 0.6,
        between,
    };
    let mut all = Vec::new();
    for between in [
        InterpolationMode::Nearest,
        InterpolationMode::NearestMiddle,
        InterpolationMode::Linear,
        InterpolationMode::LinearCorners,
    ] {
        let line = || vec![axis(between)];
        let small = spread(&[1, 2, 3], -1.0, 1.0);
        all.push(layer(Resample::Forward(line()), &[small]));
        let large = spread(&[1, 2, 5], -1.0, 1.0);
        all.push(layer(Resample::Backward(line()), &[large]));
    }
    let pad = Pad {
        ends: vec![(0, 0), (2, 1)],
        number: 0.5,
    };
    all.push(layer(pad, &[spread(&[2, 3], -1.0, 1.0)]));
    all
}

#[test]
fn gradients_of_other_sizes_are_their_slopes() {
    assert_slopes_of(&other_sizes());
}

fn recurrent() -> Vec<Layer> {
    let mut all = Vec::new();
    for (cell, order, lengths, biases) in [
        (Cell::Lstm, Order::Forward, None, 2),
        (Cell::Lstm, Order::Backward, Some(vec![3, 1]), 2),
        (Cell::Gru, Order::Backward, None, 2),
        (Cell::Gru, Order::Forward, Some(vec![3, 2]), 0),
        (Cell::Tanh, Order::Forward, Some(vec![2, 3]), 2),
        (Cell::Relu, Order::Backward, None, 0),
    ] {
        let gates = cell.gates() * 2;
        let mut given = vec![spread(&[3, 2, 3], -1.0, 1.0)];
        given.extend((0..cell.states()).map(|at| spread(&[2, 2], -0.7 + at as f64, 0.9)));
        given.push(spread(&[gates, 3], -0.6, 0.7));
        given.push(spread(&[gates, 2], -0.8, 0.6));
        given.extend((0..biases).map(|at| spread(&[gates], -0.3, 0.4 + f64::from(at))));
        let options = RecurrentOptions {
            cell,
            order,
            stack: RecurrentStack::default(),
            lengths,
            reserve: Reserve::default(),
            wants_input: true,
        };
        all.push(layer(Recurrent::Forward(options), &given));
    }
    all
}

#[test]
fn gradients_of_recurrent_layers_are_their_slopes() {
    assert_slopes_of(&recurrent());
}
