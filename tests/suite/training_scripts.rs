//! The training scripts of `tests/fixtures/scripts`, made small enough to compute, run to their end.
//!
//! They are written for PyTorch, and `scripts/pytorch-fixtures` holds that PyTorch runs them. What they
//! cost in their full size is the matter of `plan`.

use crate::labs::{self, Labs, python};
use crate::programs::{losses, tiny};
use crate::source;
use warpup::protocol::{DeviceName, Outcome, RunRequest};

#[test]
fn training_scripts_end_and_a_card_changes_no_loss() {
    let mut labs = Labs::start();
    for script in source::files_under("tests/fixtures/scripts") {
        let source = tiny(&script.text);
        let devices = [DeviceName::Cpu, DeviceName::Model("t4".to_owned())];
        let [on_cpu, on_card] = devices.map(|device| {
            let run = labs.run(RunRequest {
                device,
                ..python(&source)
            });
            let ending = labs::outcome(&run);
            assert_eq!(ending, &Outcome::Done, "{}", script.path);
            run.output
        });
        let found = losses(&on_cpu);
        assert!(found.len() > 1, "{}: {on_cpu}", script.path);
        assert!(found.iter().all(|it| it.is_finite()), "{found:?}");
        assert_eq!(found, losses(&on_card), "{}", script.path);
    }
}
