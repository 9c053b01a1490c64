//! Our own convolutions against products of columns, which `float64` takes, with small whole numbers: every order of additions
//! gives the same.

use super::convolution::{Steps, convolve, of_weight, transposed};
use candle_core::{DType, Device, Tensor};
use rayon::ThreadPoolBuilder;

fn counted(shape: &[usize], seed: usize) -> Tensor {
    let count: usize = shape.iter().product();
    let number = |it: usize| ((it * 37 + seed * 11) % 19) as f32 - 9.0;
    Tensor::from_vec((0..count).map(number).collect(), shape, &Device::Cpu).unwrap()
}

/// Samples, channels, outputs; input, kernel, and the steps along each dimension.
struct Case<'a> {
    counts: [usize; 3],
    input: &'a [usize],
    kernel: &'a [usize],
    stride: &'a [usize],
    padding: &'a [usize],
    dilation: &'a [usize],
}

impl Case<'_> {
    /// The result, and the gradients of input and weight.
    fn made(&self, dtype: DType) -> [Vec<f64>; 3] {
        let [samples, channels, outputs] = self.counts;
        let steps = Steps {
            stride: self.stride.to_vec(),
            padding: self.padding.to_vec(),
            dilation: self.dilation.to_vec(),
            groups: 1,
        };
        let out = steps.output(self.input, self.kernel).unwrap();
        let of = |ends: [usize; 2], sizes: &[usize], seed| {
            let made = counted(&[&ends, sizes].concat(), seed);
            made.to_dtype(dtype).unwrap()
        };
        let input = of([samples, channels], self.input, 1);
        let weight = of([outputs, channels], self.kernel, 2);
        let grad = of([samples, outputs], &out, 3);
        let bias = counted(&[outputs], 4).to_dtype(dtype).unwrap();
        let all = [
            convolve([&input, &weight], Some(&bias), &steps, &out),
            transposed(&grad, &weight, &steps, self.input),
            of_weight(&input, &grad, &steps, self.kernel),
        ];
        all.map(|it| {
            let wide = it.unwrap().to_dtype(DType::F64).unwrap();
            wide.flatten_all().unwrap().to_vec1().unwrap()
        })
    }
}

const CASES: [Case<'_>; 9] = [
    Case {
        counts: [2, 1, 3],
        input: &[5, 6],
        kernel: &[3, 3],
        stride: &[1, 1],
        padding: &[1, 1],
        dilation: &[1, 1],
    },
    Case {
        counts: [5, 3, 9],
        input: &[7, 9],
        kernel: &[3, 2],
        stride: &[2, 2],
        padding: &[1, 0],
        dilation: &[1, 1],
    },
    Case {
        counts: [20, 2, 17],
        input: &[9, 40],
        kernel: &[3, 5],
        stride: &[1, 3],
        padding: &[0, 2],
        dilation: &[2, 2],
    },
    Case {
        counts: [3, 4, 5],
        input: &[33],
        kernel: &[7],
        stride: &[2],
        padding: &[3],
        dilation: &[3],
    },
    // Elements that no place of the kernel is above.
    Case {
        counts: [1, 2, 3],
        input: &[8, 8],
        kernel: &[1, 1],
        stride: &[2, 2],
        padding: &[0, 0],
        dilation: &[1, 1],
    },
    Case {
        counts: [2, 2, 3],
        input: &[8, 7],
        kernel: &[2, 2],
        stride: &[3, 4],
        padding: &[0, 1],
        dilation: &[1, 1],
    },
    // Results that lie on zeros alone.
    Case {
        counts: [2, 2, 3],
        input: &[5, 5],
        kernel: &[3, 3],
        stride: &[1, 1],
        padding: &[4, 3],
        dilation: &[1, 1],
    },
    Case {
        counts: [1, 1, 1],
        input: &[1],
        kernel: &[1],
        stride: &[1],
        padding: &[0],
        dilation: &[1],
    },
    // More shifted planes than are multiplied at a time.
    Case {
        counts: [3, 300, 10],
        input: &[4, 40],
        kernel: &[3, 3],
        stride: &[1, 1],
        padding: &[1, 1],
        dilation: &[1, 1],
    },
];

#[test]
fn convolutions_of_float32_are_those_of_float64() {
    for (at, case) in CASES.iter().enumerate() {
        assert_eq!(case.made(DType::F32), case.made(DType::F64), "{at}");
    }
}

#[test]
fn a_convolution_does_not_depend_on_the_number_of_threads() {
    let made = [1, 2, 5].map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| CASES[2].made(DType::F32))
    });
    let [one, two, five] = made;
    assert_eq!(one, two);
    assert_eq!(one, five);
}
