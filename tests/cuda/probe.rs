//! `warpup-worker-cuda probe` looks at the first card.

use crate::card_runs::probe;
use warpup::protocol::{Found, Probed};

#[test]
fn it_finds_a_card_and_every_step_works() {
    let probe = probe("");
    assert!(!probe.cards.is_empty());
    assert!(probe.cards[0].capability >= (7, 0), "{:?}", probe.cards);
    let done: Vec<Probed> = probe.steps.iter().map(|it| it.what).collect();
    assert_eq!(
        done,
        [
            Probed::Init,
            Probed::Context,
            Probed::Kernels,
            Probed::Kernel,
            Probed::Matmul,
            Probed::CopyToDevice,
            Probed::CopyToHost,
            Probed::Memory
        ]
    );
    for step in &probe.steps {
        assert!(matches!(step.found, Found::Fine { .. }), "{step:?}");
    }
}
