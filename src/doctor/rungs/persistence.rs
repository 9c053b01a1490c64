//! Persistence mode: whether the driver stays initialised while nobody uses the card.

use crate::doctor::evidence::Evidence;
use crate::doctor::rung::{About, Draft, Part, Rung, RungId, RungSpec};
use crate::doctor::rungs::driver::DRIVER;

pub(crate) const PERSISTENCE: RungSpec = RungSpec {
    id: RungId("persistence"),
    title: "persistence",
    lesson: "is-the-gpu-there",
    needs: &[DRIVER.id],
    machine: About::ThisMachine,
    part: Part::Surroundings,
    looked: &["NVML: persistence mode"],
    judge: persistence,
};

fn persistence(evidence: &Evidence, draft: Draft) -> Rung {
    let told: Vec<bool> = evidence
        .nvml_cards()
        .iter()
        .filter_map(|it| it.persistence)
        .collect();
    if told.is_empty() || evidence.is_wsl() {
        return draft.not_here("This driver has no such mode.");
    }
    if told.iter().all(|it| *it) {
        return draft
            .saw("on")
            .ok("The driver stays ready while nobody uses the card.");
    }
    draft
        .saw("off")
        .advise("on a machine with only this use: `sudo systemctl enable --now nvidia-persistenced`")
        .warning("The driver goes to sleep when nobody uses the card: each first call takes a second or more longer.")
}
