//! The cards that CUDA shows to a program, against those that the driver has and `CUDA_VISIBLE_DEVICES`.

use crate::evidence::Evidence;
use crate::evidence::NvmlCard;
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::libcuda::LIBCUDA;
use crate::rungs::nvml_figures::MIG;
use warpup_protocol::{StepKind, StepResult};

pub(crate) const VISIBLE: RungSpec = RungSpec {
    id: RungId("visible"),
    title: "the cards that CUDA shows",
    lesson: "is-the-gpu-there",
    needs: &[LIBCUDA.id, MIG.id],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Needed,
    looked: &[
        "CUDA_VISIBLE_DEVICES",
        "the cards of NVML",
        "the cards of the worker's probe",
    ],
    judge: visible,
};

/// The meaning of a value of `CUDA_VISIBLE_DEVICES`.
#[derive(Debug, PartialEq, Eq)]
enum VisibleDevices<'a> {
    /// It shows this many cards.
    Cards(usize),
    /// It shows this many cards, up to an entry that is no card.
    Until(usize, &'a str),
    /// It hides every card on purpose.
    Nothing,
}

fn visible(evidence: &Evidence, mut draft: RungDraft) -> Rung {
    let value = evidence.variable("CUDA_VISIBLE_DEVICES");
    // The variable of this machine does not count on the machine of the worker.
    let value = value.filter(|_| evidence.elsewhere.is_none());
    draft = draft.saw(match (value, &evidence.elsewhere) {
        (Some(value), _) => format!("CUDA_VISIBLE_DEVICES=\"{value}\""),
        (None, None) => "CUDA_VISIBLE_DEVICES is not set: every card is shown".to_owned(),
        (None, Some(_)) => "CUDA_VISIBLE_DEVICES counts where the worker is".to_owned(),
    });
    if !evidence.allowed_cards.is_empty() {
        let cards = evidence.allowed_cards.join(", ");
        draft = draft.saw(format!("the policy of this machine allows {cards}"));
    }
    let job = evidence.variable("SLURM_JOB_ID");
    draft = draft.saw_all(job.map(|it| format!("SLURM_JOB_ID={it}")));
    let cards = evidence.nvml_cards();
    let probed = evidence.probe().map_or(&[][..], |it| it.cards.as_slice());
    for card in probed {
        draft = draft.saw(format!(
            "CUDA's card {}: {}, {}",
            card.ordinal, card.name, card.uuid
        ));
    }
    // If CUDA shows cards, the value is fine.
    if let Some(value) = value.filter(|_| probed.is_empty()) {
        match shows(value, cards) {
            VisibleDevices::Nothing => return hidden(evidence, value, draft),
            VisibleDevices::Until(0, entry) => return not_there(evidence, entry, cards, draft),
            VisibleDevices::Until(count, entry) => {
                return draft
                    .advise(format!("take `{entry}` out of CUDA_VISIBLE_DEVICES"))
                    .warning(format!(
                        "CUDA_VISIBLE_DEVICES names a card that is not there, `{entry}`; the list ends before it, after {count}."
                    ));
            }
            VisibleDevices::Cards(_) => {}
        }
    }
    if let Some(StepResult::Failed { code, why }) =
        evidence.step(StepKind::Init).map(|it| &it.found)
    {
        return refused(evidence, code, draft.saw(format!("CUDA: {code}, {why}")));
    }
    let is_limited = !evidence.allowed_cards.is_empty();
    if evidence.probe().is_some() && probed.is_empty() && is_limited {
        return draft
            .advise("`nvidia-smi -L` lists the cards; compare with `cards` in /etc/warpup.toml and with CUDA_VISIBLE_DEVICES")
            .broken("The policy of this machine allows none of the cards that CUDA shows to this process.");
    }
    if evidence.probe().is_some() && probed.is_empty() {
        return draft
            .advise("ask for a card where the machine hands them out: `srun --gres=gpu:1 …`, `docker run --gpus all …`")
            .broken("CUDA starts and shows no card to this process.");
    }
    seen(evidence, cards.len(), probed.len(), draft)
}

fn seen(evidence: &Evidence, of_driver: usize, of_cuda: usize, draft: RungDraft) -> Rung {
    let is_limited = evidence.variable("CUDA_VISIBLE_DEVICES").is_some();
    let is_allowed_some = !evidence.allowed_cards.is_empty();
    if evidence.probe().is_none() && is_allowed_some {
        return draft.ok("warpup keeps to the cards that the policy of this machine allows.");
    }
    if evidence.probe().is_none() {
        return draft.ok("Nothing hides the card from CUDA.");
    }
    if is_allowed_some {
        let cards = if of_cuda == 1 { "card" } else { "cards" };
        return draft.ok(format!(
            "The policy of this machine leaves {of_cuda} {cards}; warpup keeps to them."
        ));
    }
    if of_cuda < of_driver && !is_limited {
        return draft
            .advise("`nvidia-smi -L` lists what the driver has; the rest may be in MIG mode, given to others or too old for this CUDA")
            .warning(format!("CUDA shows {of_cuda} of the driver's {of_driver} cards."));
    }
    if evidence.variable("SLURM_JOB_ID").is_some() && is_limited {
        return draft.ok("The job's cards are shown; warpup keeps to them.");
    }
    match of_cuda {
        1 => draft.ok("CUDA shows one card."),
        more => draft.ok(format!("CUDA shows {more} cards.")),
    }
}

fn hidden(evidence: &Evidence, value: &str, draft: RungDraft) -> Rung {
    if evidence.variable("SLURM_JOB_ID").is_some() {
        return draft
            .advise("ask for a card with the job: `srun --gres=gpu:1 …`")
            .broken("The job was given no card.");
    }
    draft
        .advise("`unset CUDA_VISIBLE_DEVICES`, and look where it is set: `grep -n CUDA_VISIBLE_DEVICES ~/.bashrc ~/.profile`")
        .broken(if value.is_empty() {
            "CUDA_VISIBLE_DEVICES is set to nothing, which hides every card.".to_owned()
        } else {
            format!("CUDA_VISIBLE_DEVICES is {value}, which hides every card.")
        })
}

fn not_there(evidence: &Evidence, entry: &str, cards: &[NvmlCard], draft: RungDraft) -> Rung {
    let there: Vec<String> = cards.iter().map(|it| it.index.to_string()).collect();
    let draft = draft.saw(format!("the driver's cards: {}", there.join(", ")));
    let draft = if evidence.variable("SLURM_JOB_ID").is_some() {
        draft.advise("a value left over from another job hides the job's own card: `unset CUDA_VISIBLE_DEVICES` in a new job")
    } else {
        draft.advise("`nvidia-smi -L` lists numbers and UUIDs; name one of them, or `unset CUDA_VISIBLE_DEVICES`")
    };
    draft.broken(format!(
        "CUDA_VISIBLE_DEVICES names a card that is not there, `{entry}`, so CUDA shows none."
    ))
}

/// CUDA does not start, for another cause than the library.
fn refused(evidence: &Evidence, code: &str, draft: RungDraft) -> Rung {
    match code {
        "CUDA_ERROR_NO_DEVICE" => draft
            .advise("in a job or a container, ask for the card: `srun --gres=gpu:1 …`, `docker run --gpus all …`")
            .advise("else the device nodes are closed to this process: `ls -l /dev/nvidia*`")
            .broken("The driver has a card, and CUDA shows none to this process."),
        "CUDA_ERROR_SYSTEM_NOT_READY" => draft
            .advise("start the fabric manager: `sudo systemctl enable --now nvidia-fabricmanager`, of the driver's very version")
            .broken("The cards of this machine hang together by NVSwitch, and its manager does not run."),
        "CUDA_ERROR_MPS_CONNECTION_FAILED" => draft
            .saw_all(evidence.host.mps.clone())
            .advise("MPS serves one user at a time: ask whose it is, or end your own with `echo quit | nvidia-cuda-mps-control`")
            .broken("CUDA is to go through the MPS daemon, which does not take this process."),
        _ if no_uvm(evidence) => draft
            .saw("/dev/nvidia-uvm is not there")
            .advise("`sudo nvidia-modprobe -u -c=0` makes it; `sudo modprobe nvidia-uvm` says why not")
            .advise("in a container, restart it: the host had no /dev/nvidia-uvm when it started")
            .broken("The driver answers, but /dev/nvidia-uvm is missing, without which CUDA does not start."),
        _ => draft
            .advise("check the kernel log: `sudo dmesg | grep -iE 'nvrm|xid'`")
            .advise("restart the machine")
            .broken("CUDA does not start."),
    }
}

fn no_uvm(evidence: &Evidence) -> bool {
    !evidence.is_wsl() && evidence.driver.node("/dev/nvidia-uvm").is_none()
}

/// Reads the value as CUDA does: entries count up to the first that is no card.
fn shows<'a>(value: &'a str, cards: &[NvmlCard]) -> VisibleDevices<'a> {
    let is_hiding = |it: &str| it.is_empty() || it == "-1" || it == "NoDevFiles";
    let entries: Vec<&str> = value.split(',').map(str::trim).collect();
    if entries.first().is_some_and(|it| is_hiding(it)) {
        return VisibleDevices::Nothing;
    }
    let bad = entries.iter().position(|it| !is_there(it, cards));
    match bad.and_then(|at| entries.get(at).map(|it| (at, *it))) {
        Some((at, entry)) => VisibleDevices::Until(at, entry),
        None => VisibleDevices::Cards(entries.len()),
    }
}

fn is_there(entry: &str, cards: &[NvmlCard]) -> bool {
    // NVML was not asked for the UUIDs of MIG instances.
    if entry.starts_with("MIG-") {
        return cards.iter().any(|it| it.mig == Some(true));
    }
    if entry.starts_with("GPU-") {
        let mut uuids = cards.iter().filter_map(|it| it.uuid.as_deref());
        return uuids.any(|it| it.starts_with(entry));
    }
    let slices: usize = cards.iter().map(|it| it.mig_instances as usize).sum();
    let count = cards.len().max(slices);
    entry.parse::<usize>().is_ok_and(|it| it < count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<NvmlCard> {
        let card = |index, uuid: &str| NvmlCard {
            index,
            uuid: Some(uuid.to_owned()),
            ..NvmlCard::default()
        };
        vec![card(0, "GPU-aaaa-1"), card(1, "GPU-bbbb-2")]
    }

    #[test]
    fn the_list_ends_at_the_first_entry_that_is_no_card() {
        let cards = two();
        assert_eq!(shows("0,1", &cards), VisibleDevices::Cards(2));
        assert_eq!(shows("1, 0", &cards), VisibleDevices::Cards(2));
        assert_eq!(shows("0,2,1", &cards), VisibleDevices::Until(1, "2"));
        assert_eq!(shows("7", &cards), VisibleDevices::Until(0, "7"));
        assert_eq!(shows("GPU-bb", &cards), VisibleDevices::Cards(1));
        assert_eq!(shows("GPU-cc", &cards), VisibleDevices::Until(0, "GPU-cc"));
        assert_eq!(shows("MIG-1", &cards), VisibleDevices::Until(0, "MIG-1"));
        for hiding in ["", "-1", "NoDevFiles", "-1,0"] {
            assert_eq!(shows(hiding, &cards), VisibleDevices::Nothing, "{hiding:?}");
        }
    }
}
