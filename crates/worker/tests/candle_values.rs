//! candle's operations give the same on a card as on the CPU. On a real card this tests the executable, on the
//! stand-in it tests the stand-in.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests are not #[test] functions, and a helper that fails is a test that fails"
)]

use candle_core::{DType, Device, Result, Tensor};

/// Numbers of both signs and several sizes, the same on every machine.
fn numbers(count: usize, device: &Device) -> Result<Tensor> {
    let values: Vec<f32> = (0..count)
        .map(|i| ((i * 7919 + 13) % 1009) as f32 / 251.0 - 2.0)
        .collect();
    Tensor::new(values, device)
}

fn read(tensor: &Tensor) -> Vec<f64> {
    tensor
        .to_dtype(DType::F64)
        .and_then(|it| it.flatten_all()?.to_vec1())
        .unwrap()
}

/// Asserts that an operation gives the same on the CPU and on the card.
fn same(name: &str, tolerance: f64, run: impl Fn(&Device) -> Result<Tensor>) {
    let here = run(&Device::Cpu).unwrap();
    let card = Device::new_cuda(0).unwrap();
    let there = run(&card).unwrap();
    assert_eq!(here.shape(), there.shape(), "{name}");
    assert_eq!(here.dtype(), there.dtype(), "{name}");
    let there = there.to_device(&Device::Cpu).unwrap();
    for (i, (a, b)) in read(&here).into_iter().zip(read(&there)).enumerate() {
        // Infinities of one sign have no difference.
        let close = a.total_cmp(&b).is_eq() || (a - b).abs() <= tolerance * a.abs().max(1.0);
        assert!(
            close || (a.is_nan() && b.is_nan()),
            "{name}: element {i} is {a} on the CPU, {b} on the card"
        );
    }
}

type Unary = fn(&Tensor) -> Result<Tensor>;
type Binary = fn(&Tensor, &Tensor) -> Result<Tensor>;

const TYPES: [(DType, f64); 4] = [
    (DType::F32, 1e-5),
    (DType::F64, 1e-12),
    (DType::F16, 2e-3),
    (DType::BF16, 2e-2),
];

#[test]
fn functions_of_one_tensor() {
    for (dtype, tolerance) in TYPES {
        let input = |device: &Device| numbers(1000, device)?.reshape((10, 100))?.to_dtype(dtype);
        let operations: [(&str, Unary); 17] = [
            ("neg", Tensor::neg),
            ("exp", Tensor::exp),
            ("log of the size", |it| it.abs()?.log()),
            ("sin", Tensor::sin),
            ("cos", Tensor::cos),
            ("tanh", Tensor::tanh),
            ("erf", Tensor::erf),
            ("gelu", Tensor::gelu_erf),
            ("relu", Tensor::relu),
            ("silu", Tensor::silu),
            ("sqr", Tensor::sqr),
            ("root of the size", |it| it.abs()?.sqrt()),
            ("floor", Tensor::floor),
            ("sign", Tensor::sign),
            ("affine", |it| it.affine(1.5, -0.25)),
            ("of columns", |it| it.t()?.exp()),
            ("power", |it| it.abs()?.powf(1.5)),
        ];
        for (name, operation) in operations {
            same(&format!("{name}, {dtype:?}"), tolerance, |device| {
                operation(&input(device)?)
            });
        }
    }
}

#[test]
fn functions_of_two_tensors() {
    for (dtype, tolerance) in TYPES {
        let two = |device: &Device| -> Result<(Tensor, Tensor)> {
            let a = numbers(600, device)?.reshape((20, 30))?.to_dtype(dtype)?;
            let b = numbers(600, device)?
                .affine(0.5, 3.0)?
                .reshape((30, 20))?
                .t()?
                .to_dtype(dtype)?;
            Ok((a, b))
        };
        let operations: [(&str, Binary); 9] = [
            ("add", |a, b| a.add(b)),
            ("sub", |a, b| a.sub(b)),
            ("mul", |a, b| a.mul(b)),
            ("div", |a, b| a.div(b)),
            ("maximum", |a, b| a.maximum(b)),
            ("lt", |a, b| a.lt(b)),
            ("eq", |a, b| a.eq(b)),
            ("add a row", |a, b| a.broadcast_add(&b.get(0)?)),
            ("where", |a, b| a.lt(0f64)?.where_cond(a, b)),
        ];
        for (name, operation) in operations {
            same(&format!("{name}, {dtype:?}"), tolerance, |device| {
                let (a, b) = two(device)?;
                operation(&a, &b)
            });
        }
    }
}

#[test]
fn reductions() {
    for (dtype, tolerance) in TYPES {
        // Rows below a warp, above one, and above a block.
        for (rows, columns) in [(50, 7), (13, 77), (3, 1500)] {
            let input = |device: &Device| {
                numbers(rows * columns, device)?
                    .reshape((rows, columns))?
                    .to_dtype(dtype)
            };
            let name = |what: &str| format!("{what} of {rows}×{columns}, {dtype:?}");
            // The sum of a row is a rounded sum of roundings.
            let sums = tolerance * 20.0;
            same(&name("sum of rows"), sums, |device| input(device)?.sum(1));
            same(&name("sum of columns"), sums, |device| {
                input(device)?.sum(0)
            });
            same(&name("sum"), sums, |device| input(device)?.sum_all());
            same(&name("max"), tolerance, |device| input(device)?.max(1));
            same(&name("min"), tolerance, |device| input(device)?.min(0));
            same(&name("softmax"), tolerance, |device| {
                candle_nn::ops::softmax_last_dim(&input(device)?)
            });
        }
    }
    same("argmax", 0.0, |device| {
        numbers(900, device)?.reshape((9, 100))?.argmax(1)
    });
    same("sort", 0.0, |device| {
        numbers(900, device)?
            .reshape((9, 100))?
            .arg_sort_last_dim(true)
    });
    same("sum of whole numbers", 0.0, |device| {
        Tensor::arange(0i64, 5000, device)?.sum_all()
    });
}

#[test]
fn products() {
    for (dtype, tolerance) in TYPES {
        let matrix = |rows, columns, device: &Device| {
            numbers(rows * columns, device)?
                .reshape((rows, columns))?
                .to_dtype(dtype)
        };
        let tolerance = tolerance * 20.0;
        same(&format!("product, {dtype:?}"), tolerance, |device| {
            matrix(17, 33, device)?.matmul(&matrix(33, 9, device)?)
        });
        same(&format!("of transposed, {dtype:?}"), tolerance, |device| {
            matrix(33, 17, device)?
                .t()?
                .matmul(&matrix(9, 33, device)?.t()?)
        });
        same(&format!("of batches, {dtype:?}"), tolerance, |device| {
            let a = numbers(4 * 5 * 6, device)?
                .reshape((4, 5, 6))?
                .to_dtype(dtype)?;
            let b = numbers(4 * 6 * 3, device)?
                .reshape((4, 6, 3))?
                .to_dtype(dtype)?;
            a.matmul(&b)
        });
    }
}

#[test]
fn casts() {
    let types = [
        DType::F32,
        DType::F64,
        DType::F16,
        DType::BF16,
        DType::U8,
        DType::U32,
        DType::I64,
    ];
    for from in types {
        for to in types {
            // candle has no kernel for these.
            let narrow = |it| matches!(it, DType::F16 | DType::BF16);
            if (narrow(from) && to == DType::I64) || (from == DType::I64 && narrow(to)) {
                continue;
            }
            same(&format!("{from:?} to {to:?}"), 0.0, |device| {
                numbers(500, device)?
                    .abs()?
                    .affine(20.0, 0.0)?
                    .to_dtype(from)?
                    .to_dtype(to)
            });
        }
    }
}

#[test]
fn moves() {
    let input = |device: &Device| numbers(120, device)?.reshape((4, 5, 6));
    same("permute", 0.0, |device| {
        input(device)?.permute((2, 0, 1))?.contiguous()
    });
    same("cat", 0.0, |device| {
        Tensor::cat(&[input(device)?, input(device)?.neg()?], 1)
    });
    same("narrow", 0.0, |device| {
        input(device)?.narrow(2, 1, 3)?.contiguous()
    });
    let ids = |device: &Device| Tensor::new(&[3i64, 0, 2, 3], device);
    same("index_select", 0.0, |device| {
        input(device)?.index_select(&ids(device)?, 0)
    });
    same("index_add", 1e-6, |device| {
        Tensor::zeros((4, 5, 6), DType::F32, device)?.index_add(&ids(device)?, &input(device)?, 0)
    });
    same("gather", 0.0, |device| {
        let ids = Tensor::new(&[[1u32, 0], [5, 5], [2, 3]], device)?;
        numbers(18, device)?.reshape((3, 6))?.gather(&ids, 1)
    });
    same("slice_set", 0.0, |device| {
        let all = Tensor::zeros((4, 5, 6), DType::F32, device)?;
        all.slice_set(&input(device)?.narrow(1, 0, 2)?.contiguous()?, 1, 2)?;
        Ok(all)
    });
}

#[test]
fn a_gradient() {
    same("gradient", 1e-4, |device| {
        let weights = candle_core::Var::from_tensor(&numbers(60, device)?.reshape((20, 3))?)?;
        let input = numbers(200, device)?.reshape((10, 20))?;
        let labels = Tensor::new(&[0u32, 1, 2, 0, 1, 2, 0, 1, 2, 0], device)?;
        let loss = candle_nn::loss::cross_entropy(&input.matmul(&weights)?.tanh()?, &labels)?;
        Ok(loss.backward()?.get(&weights).unwrap().clone())
    });
}
