//! Gradients are slopes: those of central differences, and candle's own where it has some.

use super::cases::{Case, KINDS, of_kind};
use super::inputs::{cases, mixed, smooth_values};
use crate::autograd::{Graph, backward};
use crate::device::TensorDevice;
use crate::device::cpu::Cpu;
use crate::dtype::DType;
use crate::engine::{Engine, Fill};
use crate::meta::Meta;
use crate::ops::{
    Accumulate, Binary, BinaryScalar, Index, Mask, Op, Reduce, Reduction, Scan, Scatter, ToCopy,
    Unary,
};
use crate::tensor::Tensor;
use candle_core::{Device, Tensor as Values, Var};
use proptest::prelude::*;
use std::rc::Rc;
use warpup_protocol::WaitCause;

/// Where functions are defined on both sides and slopes are not too steep.
#[derive(Clone, Copy)]
enum Domain {
    Any,
    Positive,
    /// Between -1 and 1.
    Small,
}

fn domain(op: &Op) -> Domain {
    match op {
        Op::Unary(
            Unary::Log | Unary::Log2 | Unary::Log10 | Unary::Log1p | Unary::Sqrt | Unary::Rsqrt,
        )
        | Op::Binary(Binary::Pow)
        | Op::BinaryScalar(BinaryScalar {
            function: Binary::Pow,
            ..
        }) => Domain::Positive,
        Op::Unary(Unary::Asin | Unary::Acos | Unary::Atanh | Unary::Erfinv) => Domain::Small,
        _ => Domain::Any,
    }
}

/// The same case with numbers of 64 bits where it had numbers with a fraction, if it has a gradient then.
fn differentiable(case: Case) -> Option<(Case, Meta)> {
    // PyTorch has none for the first two; the third is ours alone.
    let left_out = matches!(
        case.op,
        Op::Binary(Binary::FloorDivide)
            | Op::BinaryScalar(BinaryScalar {
                function: Binary::FloorDivide,
                ..
            })
            | Op::Scan(Scan::BackwardOfCumProd(_))
    );
    if left_out || case.inputs.iter().any(|it| it.count() > 24) {
        return None;
    }
    let indexed = matches!(case.op, Op::Index(_) | Op::Scatter(_));
    let mut case = case;
    for (at, it) in case.inputs.iter_mut().enumerate() {
        let positions = match &case.op {
            Op::Index(Index::Index(_)) => at >= 1,
            Op::Scatter(Scatter::IndexPut(..)) => at >= 2,
            Op::Mask(Mask::Where | Mask::Fill) => at == 0,
            _ => indexed && at == 1,
        };
        if !positions {
            it.dtype = DType::F64;
        }
    }
    if let Op::ToCopy(ToCopy::Cast(_)) = case.op {
        case.op = ToCopy::Cast(DType::F64).into();
    }
    let told = case
        .op
        .facts()
        .result(&case.inputs.iter().collect::<Vec<_>>())
        .ok()?;
    (told.dtype.is_float() && told.count() > 0).then_some((case, told))
}

fn values(case: &Case, seed: u64) -> Vec<Values> {
    let domain = domain(&case.op);
    case.inputs
        .iter()
        .enumerate()
        .map(|(at, meta)| {
            let of_dtype = if meta.dtype == DType::F64 {
                let positive = matches!(domain, Domain::Positive);
                let mut numbers = smooth_values(&meta.shape, seed, at, positive);
                if let Domain::Small = domain {
                    for it in &mut numbers {
                        *it /= 3.0;
                    }
                }
                numbers
            } else {
                let size = super::forward::below(case).max(1) as u64;
                let distinct = |at: usize| mixed(seed, at as u64) % size;
                (0..meta.count() as usize)
                    .map(|at| distinct(at) as f64)
                    .collect()
            };
            let made = Values::from_vec(of_dtype, &*meta.shape, &Device::Cpu).unwrap();
            if meta.dtype == DType::Bool {
                return made.ge(&made.ones_like().unwrap()).unwrap();
            }
            made.to_dtype(meta.dtype.stored()).unwrap()
        })
        .collect()
}

/// The result, weighted and summed up; nothing if values make it impossible.
fn total(op: &Op, inputs: &[Values], told: &Meta, weights: &Values) -> Option<f64> {
    let made = op
        .run(&inputs.iter().collect::<Vec<_>>(), told)
        .ok()?
        .values;
    let sum = made.mul(weights).unwrap().sum_all().unwrap();
    Some(sum.to_scalar::<f64>().unwrap())
}

/// Our gradient of the weighted sum with regard to each input of 64 bits.
fn ours(case: &Case, inputs: &[Values], weights: &Values) -> Vec<Option<Vec<f64>>> {
    let engine = Engine::new(Box::new(Cpu::new()), 0);
    let tensors: Vec<Tensor> = case
        .inputs
        .iter()
        .zip(inputs)
        .map(|(meta, values)| {
            let tensor = given(&engine, meta, values);
            let wants = meta.dtype.is_float();
            tensor.set_requires_grad(wants).unwrap();
            tensor
        })
        .collect();
    let out = engine
        .apply(case.op.clone(), &tensors.iter().collect::<Vec<_>>())
        .unwrap();
    let seed = given(&engine, &out.meta(), weights);
    backward(&engine, &out, Some(&seed), Graph::Freed).unwrap();
    let grads = tensors.iter().zip(&case.inputs).map(|(tensor, meta)| {
        let grad = tensor.grad()?;
        assert_eq!(&grad.meta(), meta);
        Some(listed(&engine.read(&grad, WaitCause::Item).unwrap()))
    });
    grads.collect()
}

fn given(engine: &Rc<Engine>, meta: &Meta, values: &Values) -> Tensor {
    let make = |_: &Device| Ok(values.clone());
    engine
        .create(meta.clone(), TensorDevice::Cpu, &Fill::Values(&make))
        .unwrap()
}

fn listed(values: &Values) -> Vec<f64> {
    values.flatten_all().unwrap().to_vec1().unwrap()
}

fn central_difference(
    case: &Case,
    inputs: &[Values],
    (told, weights): (&Meta, &Values),
    (input, at): (usize, usize),
) -> f64 {
    let step = 1e-6;
    let moved = |by: f64| {
        let mut moved = inputs.to_vec();
        let mut numbers = listed(&inputs[input]);
        numbers[at] += by;
        moved[input] = Values::from_vec(numbers, inputs[input].shape(), &Device::Cpu).unwrap();
        total(&case.op, &moved, told, weights).unwrap()
    };
    (moved(step) - moved(-step)) / (2.0 * step)
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-4 * (1.0 + a.abs())
}

/// Of two elements written to one place, the last one stays; PyTorch gives its gradient to both.
fn is_overwritten(op: &Op, input: usize) -> bool {
    matches!(
        (op, input),
        (Op::Scatter(Scatter::Scatter(_)), 2)
            | (Op::Scatter(Scatter::IndexPut(_, Accumulate::No)), 1)
    )
}

fn assert_slopes(case: Case, seed: u64) -> Result<(), TestCaseError> {
    let Some((case, told)) = differentiable(case) else {
        return Ok(());
    };
    let inputs = values(&case, seed);
    let weights = smooth_values(&told.shape, seed ^ 7, 0, false);
    let weights = Values::from_vec(weights, &*told.shape, &Device::Cpu).unwrap();
    if total(&case.op, &inputs, &told, &weights).is_none_or(|it| !it.is_finite()) {
        return Ok(());
    }
    let grads = ours(&case, &inputs, &weights);
    for (input, grad) in grads.iter().enumerate() {
        let is_number = case.inputs[input].dtype.is_float();
        prop_assert_eq!(grad.is_some(), is_number, "input {} of {:?}", input, case);
        let Some(grad) = grad else { continue };
        if is_overwritten(&case.op, input) {
            continue;
        }
        for (at, slope) in grad.iter().enumerate() {
            let expected = central_difference(&case, &inputs, (&told, &weights), (input, at));
            prop_assert!(
                is_near(expected, *slope),
                "input {}, element {}: {} and not {}, {:?}",
                input,
                at,
                expected,
                slope,
                case
            );
        }
    }
    assert_as_candles(&case, &inputs, (&told, &weights), &grads)
}

/// candle has gradients of its own for what is made of its calls alone.
fn assert_as_candles(
    case: &Case,
    inputs: &[Values],
    (told, weights): (&Meta, &Values),
    grads: &[Option<Vec<f64>>],
) -> Result<(), TestCaseError> {
    // candle gives the whole gradient of a maximum to each of its sides and knows no way back from these.
    let known = !matches!(
        case.op,
        Op::Unary(Unary::Floor | Unary::Ceil | Unary::Sign | Unary::Round)
            | Op::Reduce(Reduce {
                reduction: Reduction::Norm(_),
                ..
            })
    );
    let vars: Vec<Option<Var>> = inputs
        .iter()
        .zip(&case.inputs)
        .map(|(it, meta)| (known && meta.dtype.is_float()).then(|| Var::from_tensor(it).unwrap()))
        .collect();
    let tensors: Vec<&Values> = vars
        .iter()
        .zip(inputs)
        .map(|(var, plain)| var.as_ref().map_or(plain, |it| it.as_tensor()))
        .collect();
    let Ok(made) = case.op.run(&tensors, told) else {
        return Ok(());
    };
    let Ok(found) = made
        .values
        .mul(weights)
        .unwrap()
        .sum_all()
        .unwrap()
        .backward()
    else {
        return Ok(());
    };
    for (input, (var, grad)) in vars.iter().zip(grads).enumerate() {
        if is_overwritten(&case.op, input) {
            continue;
        }
        let theirs = var.as_ref().and_then(|it| found.get(it));
        let (Some(theirs), Some(grad)) = (theirs, grad) else {
            continue;
        };
        for (a, b) in listed(theirs).into_iter().zip(grad) {
            prop_assert!(is_near(a, *b), "candle has {} and not {}, {:?}", a, b, case);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn gradients_are_slopes(
        case in (0..KINDS).prop_flat_map(of_kind),
        seed in any::<u64>(),
    ) {
        assert_slopes(case, seed)?;
    }
}
