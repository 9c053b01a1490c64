//! What the worker's probe did on the card: a context, one kernel, one copy each way, the memory counters.

use crate::evidence::ComputeMode;
use crate::evidence::Evidence;
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::capability::CAPABILITY;
use crate::rungs::driver_cuda::newer_driver;
use crate::rungs::visible::VISIBLE;
use crate::rungs::worker::WORKER;
use warpup_lab::units;
use warpup_protocol::{StepKind, StepResult};

pub(crate) const CONTEXT: RungSpec = RungSpec {
    id: RungId("context"),
    title: "a context on the card",
    lesson: "the-stack-under-your-framework",
    needs: &[WORKER.id, VISIBLE.id],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Needed,
    looked: &["the worker's probe: a context with cuBLAS and a stream on the first card"],
    judge: |evidence, draft| {
        let steps = [StepKind::Context];
        judge_steps(&steps, "The card takes a context.", evidence, draft)
    },
};

pub(crate) const KERNEL: RungSpec = RungSpec {
    id: RungId("kernel"),
    title: "one kernel",
    lesson: "the-stack-under-your-framework",
    needs: &[CONTEXT.id, CAPABILITY.id],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Needed,
    looked: &[
        "the worker's probe: one kernel, one matrix product and one convolution, compared with the CPU's",
        "what gives the device times of runs: CUPTI, or CUDA events",
    ],
    judge: |evidence, draft| {
        let steps = [
            StepKind::Kernels,
            StepKind::Kernel,
            StepKind::Matmul,
            StepKind::Convolution,
        ];
        let draft = match evidence.device_times() {
            Some(times) => draft.saw(format!(
                "device times: by {}, {}",
                times.by.word(),
                times.why
            )),
            None => draft,
        };
        judge_steps(&steps, "It ran, and its result is right.", evidence, draft)
    },
};

pub(crate) const COPIES: RungSpec = RungSpec {
    id: RungId("copies"),
    title: "one copy each way",
    lesson: "where-a-tensor-lives",
    needs: &[KERNEL.id],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Needed,
    looked: &["the worker's probe: a copy to the card and back, compared"],
    judge: |evidence, draft| {
        let steps = [StepKind::CopyToDevice, StepKind::CopyToHost];
        judge_steps(
            &steps,
            "What came back is what went there.",
            evidence,
            draft,
        )
    },
};

pub(crate) const MEMORY: RungSpec = RungSpec {
    id: RungId("memory"),
    title: "memory counters",
    lesson: "is-the-gpu-there",
    needs: &[COPIES.id],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Needed,
    looked: &["the worker's probe: the counters of the driver's memory pool"],
    judge: |evidence, draft| {
        let steps = [StepKind::Memory];
        judge_steps(&steps, "They count.", evidence, draft)
    },
};

/// Judges a rung by its steps; `fine` is the sentence if all of them succeeded.
fn judge_steps(steps: &[StepKind], fine: &str, evidence: &Evidence, mut draft: RungDraft) -> Rung {
    let mut done = 0;
    for step in steps.iter().filter_map(|it| evidence.step(*it)) {
        let took = units::duration(step.took_ns);
        let name = name_of(step.what);
        match &step.found {
            StepResult::Fine { said } => {
                // The result of a context is the time.
                let is_time = step.what == StepKind::Context;
                draft = draft.saw(if is_time {
                    format!("{name}: {took}")
                } else {
                    format!("{name}: {said} ({took})")
                });
                done += 1;
            }
            StepResult::Failed { code, why } => {
                let comma = if code.is_empty() { "" } else { ", " };
                let draft = draft.saw(format!("{name}: {code}{comma}{why} (after {took})"));
                return failed(evidence, code, draft);
            }
        }
    }
    if done < steps.len() {
        return draft.broken("The probe ended without saying why.");
    }
    draft.ok(fine)
}

fn name_of(step: StepKind) -> &'static str {
    match step {
        StepKind::Init => "start of CUDA",
        StepKind::Context => "context",
        StepKind::Kernels => "kernels loaded",
        StepKind::Kernel => "kernel",
        StepKind::Matmul => "matrix product",
        StepKind::Convolution => "convolution",
        StepKind::CopyToDevice => "copy to the card",
        StepKind::CopyToHost => "copy to the host",
        StepKind::Memory => "counters",
    }
}

fn failed(evidence: &Evidence, code: &str, draft: RungDraft) -> Rung {
    match code {
        "CUDA_ERROR_DEVICE_UNAVAILABLE" => taken(evidence, draft),
        "CUDA_ERROR_OUT_OF_MEMORY" => full(evidence, draft),
        "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" => draft
            .advise(newer_driver(evidence, evidence.built_cuda()))
            .advise("or build the worker with a toolkit that the driver supports: `scripts/build-cuda-worker`")
            .broken("The driver is older than the compiler of the worker's kernels, and cannot read them."),
        "CUDA_ERROR_NO_BINARY_FOR_GPU" => draft
            .advise("build the worker for this card: `scripts/build-cuda-worker --cap …`")
            .broken("The worker has no kernels for this card."),
        "CUDA_ERROR_JIT_COMPILER_NOT_FOUND" => draft
            .advise("install the driver's compiler of the driver's version (`libnvidia-ptxjitcompiler.so.1`); in a container: `-e NVIDIA_DRIVER_CAPABILITIES=compute,utility`")
            .broken("The driver's own compiler, which makes the kernels fit the card, is not installed."),
        "CUDA_ERROR_ECC_UNCORRECTABLE" => draft
            .advise("restart the machine; if it comes back, the card's memory is at fault: tell the administrator of this machine")
            .broken("The card's memory has an error that cannot be corrected."),
        "CUDA_ERROR_MPS_CONNECTION_FAILED" => draft
            .advise("MPS serves one user at a time: ask whose it is, or end your own with `echo quit | nvidia-cuda-mps-control`")
            .broken("CUDA is to go through the MPS daemon, which does not take this process."),
        "" => draft
            .advise("look once more; if it stays, tell the administrator of this machine")
            .broken("What the worker tried on the card did not come out right."),
        _ => draft
            .advise("check the kernel log: `sudo dmesg | grep -i xid`")
            .advise("restart the machine")
            .broken("The card refuses."),
    }
}

/// Another process has the card.
fn taken(evidence: &Evidence, draft: RungDraft) -> Rung {
    let mode = evidence.nvml_cards().first().and_then(|it| it.compute_mode);
    match mode {
        Some(ComputeMode::ExclusiveProcess) => draft
            .saw("compute mode: EXCLUSIVE_PROCESS, one program at a time")
            .advise("look again when it is done; `nvidia-smi` names it")
            .broken("The card takes one program at a time, and somebody's has it; nothing is wrong with it."),
        Some(ComputeMode::Prohibited) => draft
            .saw("compute mode: PROHIBITED")
            .advise("ask the administrator of this machine for another card: this one is set aside")
            .broken("The card is set to take no program at all."),
        Some(ComputeMode::Default) | None => draft
            .advise("look again later; `nvidia-smi` names who uses it")
            .broken("The card is busy or taken away for the moment."),
    }
}

fn full(evidence: &Evidence, draft: RungDraft) -> Rung {
    let figures = evidence
        .nvml_cards()
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
