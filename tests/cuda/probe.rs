//! `warpup-worker-cuda probe` looks at the first card.

use crate::card_runs::{is_stand_in, probe};
use warpup_protocol::{StepKind, StepResult};

#[test]
fn it_finds_a_card_and_every_step_works() {
    let probe = probe("");
    assert!(!probe.cards.is_empty());
    assert!(probe.cards[0].capability >= (7, 0), "{:?}", probe.cards);
    let done: Vec<StepKind> = probe.steps.iter().map(|it| it.what).collect();
    assert_eq!(
        done,
        [
            StepKind::Init,
            StepKind::Context,
            StepKind::Kernels,
            StepKind::Kernel,
            StepKind::Matmul,
            StepKind::Convolution,
            StepKind::CopyToDevice,
            StepKind::CopyToHost,
            StepKind::Memory
        ]
    );
    for step in &probe.steps {
        assert!(matches!(step.found, StepResult::Fine { .. }), "{step:?}");
    }
}

#[test]
fn it_says_what_computes_convolutions() {
    if !is_stand_in() {
        return;
    }
    let said = |wish| {
        let steps = probe(wish).steps.into_iter();
        let mut found = steps.filter(|it| it.what == StepKind::Convolution);
        match found.next().unwrap().found {
            StepResult::Fine { said } => said,
            StepResult::Failed { why, .. } => panic!("{why}"),
        }
    };
    assert_eq!(said(""), "by cuDNN 9.0.0, as by the CPU");
    assert_eq!(
        said("cudnn=missing"),
        "by slower kernels, as by the CPU, because there is no cuDNN (it refuses this card)"
    );
}
