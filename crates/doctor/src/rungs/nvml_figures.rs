//! What NVML says of how a card is set up and used: its MIG instances, persistence mode, other programs.

use crate::evidence::Evidence;
use crate::evidence::{ComputeMode, NvmlCard};
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::driver::DRIVER;
use warpup_lab::units;

pub(crate) const MIG: RungSpec = RungSpec {
    id: RungId("mig"),
    title: "MIG",
    lesson: "is-the-gpu-there",
    needs: &[DRIVER.id],
    machine: RungSubject::ThisMachine,
    part: LadderPart::Optional,
    looked: &["NVML: the mode of each card and its instances"],
    judge: mig,
};

fn mig(evidence: &Evidence, mut draft: RungDraft) -> Rung {
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

pub(crate) const PERSISTENCE: RungSpec = RungSpec {
    id: RungId("persistence"),
    title: "persistence",
    lesson: "is-the-gpu-there",
    needs: &[DRIVER.id],
    machine: RungSubject::ThisMachine,
    part: LadderPart::Surroundings,
    looked: &["NVML: persistence mode"],
    judge: persistence,
};

fn persistence(evidence: &Evidence, draft: RungDraft) -> Rung {
    let modes: Vec<bool> = evidence
        .nvml_cards()
        .iter()
        .filter_map(|it| it.persistence)
        .collect();
    if modes.is_empty() || evidence.is_wsl() {
        return draft.not_here("This driver has no such mode.");
    }
    if modes.iter().all(|it| *it) {
        return draft
            .saw("on")
            .ok("The driver stays ready while nobody uses the card.");
    }
    draft
        .saw("off")
        .advise("on a machine with only this use: `sudo systemctl enable --now nvidia-persistenced`")
        .warning("The driver goes to sleep when nobody uses the card: each first call takes a second or more longer.")
}

pub(crate) const LOAD: RungSpec = RungSpec {
    id: RungId("load"),
    title: "who else is on the card",
    lesson: "is-the-gpu-there",
    needs: &[DRIVER.id],
    machine: RungSubject::ThisMachine,
    part: LadderPart::Surroundings,
    looked: &[
        "NVML: processes, memory in use, share of time in kernels, compute mode",
        "the control pipe of MPS",
    ],
    judge: load,
};

/// Above this load, others use the card.
const BUSY_PERCENT: u32 = 50;

fn load(evidence: &Evidence, mut draft: RungDraft) -> Rung {
    let mut others = 0;
    let mut is_busy = false;
    for card in evidence.nvml_cards() {
        draft = draft.saw_all(figures(card));
        for process in card.processes.iter().filter(|it| it.is_own != Some(true)) {
            let name = process
                .name
                .as_deref()
                .unwrap_or("a program without a name");
            let memory = process
                .memory
                .map_or_else(String::new, |it| format!(", {}", units::bytes(it)));
            draft = draft.saw(format!(
                "card {}: process {}, {name}{memory}",
                card.index, process.pid
            ));
            others += 1;
        }
        is_busy |= card.busy_percent.is_some_and(|it| it > BUSY_PERCENT);
        is_busy |= matches!((card.memory_used, card.memory_total), (Some(used), Some(total)) if used > total / 2);
        if card.compute_mode == Some(ComputeMode::ExclusiveProcess) {
            draft = draft.saw(format!(
                "card {}: one program at a time (EXCLUSIVE_PROCESS)",
                card.index
            ));
        }
    }
    if let Some(mps) = &evidence.host.mps {
        return draft
            .saw(format!("MPS: {mps}"))
            .advise("a fault of one program ends those of all: ask before you run experiments here")
            .warning("Programs share the card through MPS.");
    }
    if evidence.is_container() && others == 0 {
        draft = draft.saw("inside a container the processes of others are not visible");
    }
    match (others, is_busy) {
        (0, false) => draft.ok("Nobody else is seen on it."),
        (_, false) => draft.ok("Others are on it, and there is room."),
        (_, true) => draft
            .advise("times of labs will not be quiet ones; choose another card with CUDA_VISIBLE_DEVICES, or come back later")
            .warning("Others keep the card busy."),
    }
}

fn figures(card: &NvmlCard) -> Option<String> {
    let (used, total) = (card.memory_used?, card.memory_total?);
    let busy = card.busy_percent.map_or_else(String::new, |it| {
        format!(", a kernel ran {it} % of the time")
    });
    Some(format!(
        "card {}: {} of {} in use{busy}",
        card.index,
        units::bytes(used),
        units::bytes(total)
    ))
}
