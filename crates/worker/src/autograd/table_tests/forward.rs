//! What the rules say is what the candle call gives.

use super::cases::{Case, KINDS, kind, of_kind};
use super::inputs::{cases, values};
use crate::dtype::DType;
use crate::meta::Meta;
use crate::ops::{Index, Op, OpOutput, Scatter};
use proptest::prelude::*;

/// Below which whole numbers stay, so that positions are there.
pub(super) fn below(case: &Case) -> usize {
    let (dims, target) = match &case.op {
        Op::Index(Index::Index(dims)) | Op::Scatter(Scatter::IndexPut(dims, _)) => {
            (&**dims, &case.inputs[0].shape)
        }
        Op::Index(
            Index::IndexSelect(dim) | Index::Gather(dim) | Index::TakeAlongDim { dim, .. },
        )
        | Op::Scatter(Scatter::Scatter(dim) | Scatter::ScatterAdd(dim) | Scatter::IndexAdd(dim)) => {
            (std::slice::from_ref(dim), &case.inputs[0].shape)
        }
        Op::Scatter(
            Scatter::GatherBackward(dim, shape) | Scatter::IndexSelectBackward(dim, shape),
        ) => (std::slice::from_ref(dim), shape),
        _ => return 5,
    };
    let sizes = dims
        .iter()
        .map(|dim| target.get(*dim).copied().unwrap_or(1));
    sizes.min().unwrap_or(1)
}

/// What only values can refuse.
fn is_of_values(message: &str) -> bool {
    message == "ZeroDivisionError" || message.contains("is out of bounds")
}

fn assert_as_told(case: &Case, seed: u64) -> Result<(), TestCaseError> {
    let metas: Vec<&Meta> = case.inputs.iter().collect();
    let told = match case.op.facts().result(&metas) {
        Ok(told) => told,
        Err(error) => {
            prop_assert!(!error.message.is_empty());
            return Ok(());
        }
    };
    let below = below(case);
    let tensors: Vec<_> = case
        .inputs
        .iter()
        .enumerate()
        .map(|(at, meta)| values(meta, seed.wrapping_add(at as u64), below))
        .collect();
    match case.op.run(&tensors.iter().collect::<Vec<_>>(), &told) {
        Ok(OpOutput { values: made, .. }) => {
            prop_assert_eq!(made.dims(), &*told.shape);
            prop_assert_eq!(made.dtype(), told.dtype.stored());
            if told.dtype == DType::Bool {
                let truths = made.flatten_all().unwrap().to_vec1::<u8>().unwrap();
                prop_assert!(truths.iter().all(|it| *it <= 1));
            }
            let cost = case.op.facts().cost(&metas, &told);
            // Writing at positions happens in place and costs what is written.
            let is_view = matches!(case.op, Op::View(_) | Op::Scatter(Scatter::IndexPut(..)));
            prop_assert!(cost.bytes > 0 || is_view || told.bytes() == 0);
        }
        Err(error) => prop_assert!(is_of_values(&error.message), "refused: {}", error.message),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn the_rules_tell_what_candle_gives(
        case in (0..KINDS).prop_flat_map(|at| (Just(at), of_kind(at))),
        seed in any::<u64>(),
    ) {
        prop_assert_eq!(kind(&case.1.op), case.0);
        assert_as_told(&case.1, seed)?;
    }
}
