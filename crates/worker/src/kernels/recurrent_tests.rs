//! The LSTM of our own kernels against the composed operations, which `float64` takes.

use super::recurrent::{self, Cell, Order, RecurrentLayer, Reserve};
use candle_core::{DType, Device, Tensor};
use rayon::ThreadPoolBuilder;

fn spread(shape: &[usize], seed: usize) -> Tensor {
    let count: usize = shape.iter().product();
    let number = |it: usize| ((it * 37 + seed * 11) % 101) as f32 / 50.0 - 1.0;
    Tensor::from_vec((0..count).map(number).collect(), shape, &Device::Cpu).unwrap()
}

fn tensors([count, batch, width, hidden]: [usize; 4], biases: usize) -> Vec<Tensor> {
    let mut all = vec![
        spread(&[count, batch, width], 1),
        spread(&[batch, hidden], 2),
        spread(&[batch, hidden], 3),
        spread(&[4 * hidden, width], 4),
        spread(&[4 * hidden, hidden], 5),
    ];
    all.extend((0..biases).map(|it| spread(&[4 * hidden], 6 + it)));
    all
}

/// What forward gives and what backward gives, with the reserve and without.
fn both(order: Order, all: &[Tensor]) -> [Vec<f64>; 3] {
    let layer = RecurrentLayer {
        cell: Cell::Lstm,
        order,
        lengths: None,
        wants_input: true,
        tensors: &all.iter().collect::<Vec<_>>(),
    };
    let reserve = Reserve::default();
    let outputs = recurrent::forward(layer, &reserve).unwrap();
    let grad = spread(outputs.dims(), 9);
    let backward = || recurrent::backward(layer, &grad, &reserve).unwrap();
    let numbers = |it: Tensor| {
        let wide = it.to_dtype(DType::F64).unwrap();
        wide.flatten_all().unwrap().to_vec1().unwrap()
    };
    [numbers(outputs), numbers(backward()), numbers(backward())]
}

const SHAPES: [[usize; 4]; 5] = [
    [1, 1, 1, 1],
    [3, 2, 5, 4],
    [4, 9, 3, 17],
    [5, 20, 8, 40],
    [2, 8, 4, 70],
];

#[test]
fn our_lstm_gives_what_the_composed_operations_give() {
    for (shape, biases) in SHAPES.into_iter().flat_map(|it| [(it, 0), (it, 2)]) {
        for order in [Order::Forward, Order::Backward] {
            let all = tensors(shape, biases);
            let wide: Vec<Tensor> = all
                .iter()
                .map(|it| it.to_dtype(DType::F64).unwrap())
                .collect();
            for (ours, exact) in both(order, &all).iter().zip(both(order, &wide)) {
                assert_eq!(ours.len(), exact.len());
                for (ours, exact) in ours.iter().zip(exact) {
                    let away = (ours - exact).abs() / exact.abs().max(1.0);
                    assert!(away < 2e-5, "{shape:?} {order:?}: {ours} {exact}");
                }
            }
        }
    }
}

#[test]
fn the_gates_that_forward_keeps_are_those_that_backward_computes() {
    let [_, kept, again] = both(Order::Forward, &tensors([5, 20, 8, 40], 2));
    assert_eq!(kept, again);
}

#[test]
fn an_lstm_does_not_depend_on_the_number_of_threads() {
    let all = tensors([6, 33, 16, 48], 2);
    let made = [1, 2, 5].map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| both(Order::Forward, &all))
    });
    let [one, two, five] = made;
    assert_eq!(one, two);
    assert_eq!(one, five);
}
