//! The training scripts of `tests/fixtures/scripts` run to their end with small sizes.
//!
//! They are written for PyTorch; `scripts/pytorch-fixtures` runs them there. `modelled_card/plans.rs` plans them
//! in their full size.

use crate::support::lab_runner::LabRunner;
use crate::support::programs::{losses, tiny};
use crate::support::request::python_on;
use crate::support::source;

/// Scripts that draw their data, or masks of dropout, on the device of the model: a card has a generator of its own.
const DRAWN_ON_THE_CARD: [&str; 3] = ["accumulation.py", "bf16.py", "transformer.py"];

#[test]
fn training_scripts_end_and_a_card_changes_no_loss_but_by_what_it_draws() {
    let mut runner = LabRunner::start();
    for script in source::files_under("tests/fixtures/scripts") {
        let source = tiny(&script.text);
        let [on_cpu, on_card] =
            ["cpu", "model:t4"].map(|device| runner.run_to_done(python_on(device, &source)).output);
        let found = losses(&on_cpu);
        assert!(found.len() > 1, "{}: {on_cpu}", script.path);
        assert!(found.iter().all(|it| it.is_finite()), "{found:?}");
        let found_on_card = losses(&on_card);
        if DRAWN_ON_THE_CARD.iter().any(|it| script.path.ends_with(it)) {
            assert_ne!(found, found_on_card, "{}", script.path);
            assert_eq!(found.len(), found_on_card.len(), "{}", script.path);
        } else {
            assert_eq!(found, found_on_card, "{}", script.path);
        }
    }
}
