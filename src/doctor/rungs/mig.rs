//! MIG: whether the card is divided into instances, and whether there is one.

use crate::doctor::evidence::Evidence;
use crate::doctor::rung::{About, Draft, Part, Rung, RungId, RungSpec};
use crate::doctor::rungs::driver::DRIVER;

pub(crate) const MIG: RungSpec = RungSpec {
    id: RungId("mig"),
    title: "MIG",
    lesson: "is-the-gpu-there",
    needs: &[DRIVER.id],
    machine: About::ThisMachine,
    part: Part::Optional,
    looked: &["NVML: the mode of each card and its instances"],
    judge: mig,
};

fn mig(evidence: &Evidence, mut draft: Draft) -> Rung {
    let all = evidence.nvml_cards();
    let sliced: Vec<_> = all.iter().filter(|it| it.mig == Some(true)).collect();
    for card in &sliced {
        draft = draft.saw(format!(
            "card {}: MIG is on, instances: {}",
            card.index, card.mig_instances
        ));
    }
    let empty = sliced.iter().filter(|it| it.mig_instances == 0).count();
    if sliced.is_empty() {
        return if all.iter().any(|it| it.mig == Some(false)) {
            draft.ok("It is off: the card is one piece.")
        } else {
            draft.not_here("The card has no slices.")
        };
    }
    // NVML hides instances that this process may not see; CUDA may still show one.
    if empty == 0 || evidence.all_steps_went_well() {
        return draft.ok("The card is in slices; a program gets one of them.");
    }
    let draft = draft
        .advise("make instances: `sudo nvidia-smi mig -lgip` lists their kinds, `sudo nvidia-smi mig -cgi ID -C` makes one")
        .advise("or turn MIG off, when nobody uses the card: `sudo nvidia-smi -mig 0`");
    if empty == all.len() {
        draft.broken("MIG is on and no instance is made, so CUDA has nothing to run on.")
    } else {
        draft.warning("MIG is on without an instance on one card, which CUDA does not show.")
    }
}
