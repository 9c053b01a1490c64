//! `warpup-worker-cuda probe` looks at the first card.

use crate::card_runs::probe;
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
            StepKind::CopyToDevice,
            StepKind::CopyToHost,
            StepKind::Memory
        ]
    );
    for step in &probe.steps {
        assert!(matches!(step.found, StepResult::Fine { .. }), "{step:?}");
    }
}
