//! What the worker's probe did on the card: a context, one kernel, one copy each way, the counters.

use crate::doctor::evidence::Evidence;
use crate::doctor::nvml_report::ComputeMode;
use crate::doctor::rung::{Draft, Rung, RungId};
use crate::doctor::rungs::cause::numbers;
use crate::lab::units;
use crate::protocol::{Found, ProbeStep, Probed};

pub(super) fn capability(evidence: &Evidence) -> Rung {
    let draft = Draft::new(RungId::Capability)
        .looked("the card's compute capability, by CUDA")
        .looked("the one that the worker's kernels are built for");
    let Some(probe) = evidence.probe() else {
        return unfinished(RungId::Capability);
    };
    let built = evidence.built_capability();
    let mut draft = draft.saw(match built {
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
        return draft.ok("Whether the worker's kernels run on it, the probe tells.");
    };
    match old.first() {
        None => draft.ok("The worker's kernels are for it."),
        Some((0, capability)) => draft
            .advise(format!(
                "build the worker for it: `CUDA_COMPUTE_CAP={} scripts/build-cuda-worker`",
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

pub(super) fn context(evidence: &Evidence) -> Rung {
    let draft = Draft::new(RungId::Context)
        .looked("the worker's probe: a context with cuBLAS and a stream on the first card");
    tried(
        evidence,
        &[Probed::Context],
        draft,
        "The card takes a context.",
    )
}

pub(super) fn kernel(evidence: &Evidence) -> Rung {
    let draft = Draft::new(RungId::Kernel)
        .looked("the worker's probe: one kernel and one matrix product, compared with the CPU's");
    let steps = [Probed::Kernels, Probed::Kernel, Probed::Matmul];
    tried(evidence, &steps, draft, "It ran, and its result is right.")
}

pub(super) fn copies(evidence: &Evidence) -> Rung {
    let draft = Draft::new(RungId::Copies)
        .looked("the worker's probe: a copy to the card and back, compared");
    let steps = [Probed::CopyToDevice, Probed::CopyToHost];
    tried(
        evidence,
        &steps,
        draft,
        "What came back is what went there.",
    )
}

pub(super) fn memory(evidence: &Evidence) -> Rung {
    let draft = Draft::new(RungId::Memory)
        .looked("the worker's probe: the counters of the driver's memory pool");
    tried(evidence, &[Probed::Memory], draft, "They count.")
}

fn unfinished(id: RungId) -> Rung {
    Rung::not_looked_at(id, "the probe ended before it".to_owned())
}

/// Judges steps of the probe that belong to one rung.
fn tried(evidence: &Evidence, steps: &[Probed], mut draft: Draft, fine: &str) -> Rung {
    let mut done = 0;
    for step in steps.iter().filter_map(|it| evidence.step(*it)) {
        let took = units::duration(step.took_ns);
        let name = name_of(step);
        match &step.found {
            Found::Fine { said } => {
                draft = draft.saw(match step.what {
                    // It says how long it took by itself.
                    Probed::Context => format!("{name}: {took}"),
                    Probed::Init
                    | Probed::Kernels
                    | Probed::Kernel
                    | Probed::Matmul
                    | Probed::CopyToDevice
                    | Probed::CopyToHost
                    | Probed::Memory => format!("{name}: {said} ({took})"),
                });
                done += 1;
            }
            Found::Failed { code, why } => {
                let code = if code.is_empty() {
                    String::new()
                } else {
                    format!("{code}, ")
                };
                let draft = draft.saw(format!("{name}: {code}{why} (after {took})"));
                return failed(evidence, step, draft);
            }
        }
    }
    if done < steps.len() {
        return draft.broken("The probe ended without saying why.");
    }
    draft.ok(fine)
}

fn name_of(step: &ProbeStep) -> &'static str {
    match step.what {
        Probed::Init => "start of CUDA",
        Probed::Context => "context",
        Probed::Kernels => "kernels loaded",
        Probed::Kernel => "kernel",
        Probed::Matmul => "matrix product",
        Probed::CopyToDevice => "copy to the card",
        Probed::CopyToHost => "copy to the host",
        Probed::Memory => "counters",
    }
}

fn failed(evidence: &Evidence, step: &ProbeStep, draft: Draft) -> Rung {
    let Found::Failed { code, .. } = &step.found else {
        return draft.broken("It failed.");
    };
    match code.as_str() {
        "CUDA_ERROR_DEVICE_UNAVAILABLE" => taken(evidence, draft),
        "CUDA_ERROR_OUT_OF_MEMORY" => full(evidence, draft),
        "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" => draft
            .advise("update the driver to one that supports the worker's CUDA")
            .advise("or build the worker with a toolkit that the driver supports: `scripts/build-cuda-worker`")
            .broken("The driver is older than the compiler of the worker's kernels, and cannot read them."),
        "CUDA_ERROR_NO_BINARY_FOR_GPU" => draft
            .advise("build the worker for this card: `CUDA_COMPUTE_CAP=… scripts/build-cuda-worker`")
            .broken("The worker has no kernels for this card."),
        "CUDA_ERROR_JIT_COMPILER_NOT_FOUND" => draft
            .advise("install the driver's compiler of the driver's version (`libnvidia-ptxjitcompiler.so.1`); in a container: `-e NVIDIA_DRIVER_CAPABILITIES=compute,utility`")
            .broken("The driver's own compiler, which makes the kernels fit the card, is not installed."),
        "CUDA_ERROR_ECC_UNCORRECTABLE" => draft
            .advise("restart the machine; if it comes back, the card's memory is at fault: tell whoever keeps the machine")
            .broken("The card's memory has an error that cannot be corrected."),
        "CUDA_ERROR_MPS_CONNECTION_FAILED" => draft
            .advise("MPS serves one user at a time: ask whose it is, or end your own with `echo quit | nvidia-cuda-mps-control`")
            .broken("CUDA is to go through the MPS daemon, which does not take this process."),
        "" => draft
            .advise("look once more; if it stays, tell whoever keeps the machine")
            .broken("What the worker tried on the card did not come out right."),
        _ => draft
            .advise("read what the kernel says of it: `sudo dmesg | grep -i xid`")
            .advise("restart the machine")
            .broken("The card refuses."),
    }
}

/// Somebody else's process keeps the card to itself.
fn taken(evidence: &Evidence, draft: Draft) -> Rung {
    let cards = evidence.report().map_or(&[][..], |it| it.cards.as_slice());
    let mode = cards.first().and_then(|it| it.compute_mode);
    match mode {
        Some(ComputeMode::ExclusiveProcess) => draft
            .saw("compute mode: EXCLUSIVE_PROCESS, one program at a time")
            .advise("look again when it is done; `nvidia-smi` names it")
            .broken("The card takes one program at a time, and somebody's has it; nothing is wrong with it."),
        Some(ComputeMode::Prohibited) => draft
            .saw("compute mode: PROHIBITED")
            .advise("ask whoever keeps this machine for another card: this one is set aside")
            .broken("The card is set to take no program at all."),
        Some(ComputeMode::Default) | None => draft
            .advise("look again later; `nvidia-smi` names who uses it")
            .broken("The card is busy or taken away for the moment."),
    }
}

fn full(evidence: &Evidence, draft: Draft) -> Rung {
    let cards = evidence.report().map_or(&[][..], |it| it.cards.as_slice());
    let figures = cards
        .first()
        .and_then(|it| Some((it.memory_used?, it.memory_total?)));
    let draft = draft.saw_all(figures.map(|(used, total)| {
        format!(
            "{} of {} are in use",
            units::bytes(used),
            units::bytes(total)
        )
    }));
    draft
        .advise("look again when they are done, or choose another card with CUDA_VISIBLE_DEVICES; `nvidia-smi` names them")
        .broken("Other programs fill the card's memory; nothing is wrong with it.")
}
