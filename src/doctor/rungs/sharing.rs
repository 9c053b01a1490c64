//! How the card is shared: slices, persistence, and who else is on it.

use crate::doctor::evidence::Evidence;
use crate::doctor::nvml_report::{ComputeMode, NvmlCard};
use crate::doctor::rung::{Draft, Rung, RungId};
use crate::lab::units;

/// A card that is busier than this is in use by others.
const BUSY_PERCENT: u32 = 50;

fn cards(evidence: &Evidence) -> &[NvmlCard] {
    evidence.report().map_or(&[], |it| it.cards.as_slice())
}

pub(super) fn mig(evidence: &Evidence) -> Rung {
    let all = cards(evidence);
    let mut draft = Draft::new(RungId::Mig).looked("NVML: the mode of each card and its instances");
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
    // Instances that this process may not see are none to NVML; CUDA may show one all the same.
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

pub(super) fn persistence(evidence: &Evidence) -> Rung {
    let draft = Draft::new(RungId::Persistence).looked("NVML: persistence mode");
    let told: Vec<bool> = cards(evidence)
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

pub(super) fn load(evidence: &Evidence) -> Rung {
    let mut draft = Draft::new(RungId::Load)
        .looked("NVML: processes, memory in use, share of time in kernels, compute mode")
        .looked("the control pipe of MPS");
    let mut others = 0;
    let mut is_busy = false;
    for card in cards(evidence) {
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
    if let Some(mps) = &evidence.place.mps {
        return draft
            .saw(format!("MPS: {mps}"))
            .advise("a fault of one program ends those of all: ask before you run experiments here")
            .warning("Programs share the card through MPS.");
    }
    if evidence.is_container() && others == 0 {
        draft = draft.saw("inside a container the processes of others are not told");
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
