//! The compute capability of the card, against the one that the worker's kernels are built for.

use crate::evidence::Evidence;
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::cause::numbers;
use crate::rungs::visible::VISIBLE;
use crate::rungs::worker::WORKER;

pub(crate) const CAPABILITY: RungSpec = RungSpec {
    id: RungId("capability"),
    title: "compute capability",
    lesson: "the-stack-under-your-framework",
    needs: &[WORKER.id, VISIBLE.id],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Needed,
    looked: &[
        "the card's compute capability, by CUDA",
        "the one that the worker's kernels are built for",
    ],
    judge: capability,
};

fn capability(evidence: &Evidence, mut draft: RungDraft) -> Rung {
    let Some(probe) = evidence.probe() else {
        return Rung::not_looked_at(&CAPABILITY, "the probe ended before it");
    };
    let built = evidence.built_capability();
    draft = draft.saw(match built {
        Some(built) => format!("built for {built}"),
        None => "what the worker was built for is not noted".to_owned(),
    });
    let mut old = Vec::new();
    for card in &probe.cards {
        let (major, minor) = card.capability;
        draft = draft.saw(format!("{}: {major}.{minor}", card.name));
        if built.is_some_and(|built| vec![major, minor] < numbers(built)) {
            old.push((card.ordinal, format!("{major}.{minor}")));
        }
    }
    let Some(built) = built else {
        return draft.ok("The probe shows whether the worker's kernels run on it.");
    };
    match old.first() {
        None => draft.ok("The worker's kernels are for it."),
        Some((0, capability)) => draft
            .advise(format!(
                "build the worker for it: `scripts/build-cuda-worker --cap {}`",
                capability.replace('.', "")
            ))
            .broken(format!(
                "The card has compute capability {capability}, the worker's kernels need {built} or newer."
            )),
        Some((ordinal, capability)) => draft.warning(format!(
            "Card {ordinal} has compute capability {capability}, too old for the worker's kernels; card 0 will do."
        )),
    }
}
