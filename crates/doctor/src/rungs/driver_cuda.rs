//! Which CUDA the driver supports, against the one that the worker was built with.

use crate::evidence::Evidence;
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::cause::numbers;
use crate::rungs::driver::DRIVER;

pub(crate) const DRIVER_CUDA: RungSpec = RungSpec {
    id: RungId("driver-cuda"),
    title: "the CUDA that the driver supports",
    lesson: "the-stack-under-your-framework",
    needs: &[DRIVER.id],
    machine: RungSubject::ThisMachine,
    part: LadderPart::Needed,
    looked: &["NVML's figure for it", "what the worker was built with"],
    judge: driver_cuda,
};

/// The oldest driver for Linux that supports a CUDA, from "CUDA Toolkit and Corresponding Driver Versions" in NVIDIA's release notes
/// of CUDA.
const OLDEST_DRIVER: [(&str, u32); 11] = [
    ("12.0", 525),
    ("12.1", 530),
    ("12.2", 535),
    ("12.3", 545),
    ("12.4", 550),
    ("12.5", 555),
    ("12.6", 560),
    ("12.8", 570),
    ("12.9", 575),
    ("13.0", 580),
    ("13.1", 590),
];

/// How to get a driver that supports this CUDA.
pub(super) fn newer_driver(evidence: &Evidence, cuda: Option<&str>) -> String {
    let Some(cuda) = cuda else {
        return "update the driver to one that supports the worker's CUDA".to_owned();
    };
    let known = OLDEST_DRIVER.iter().find(|it| it.0 == cuda);
    let Some((_, driver)) = known else {
        return format!("update the driver to one that supports CUDA {cuda}");
    };
    match evidence.host.distribution.as_deref() {
        Some("ubuntu") => format!(
            "update the driver to {driver} or newer: `sudo ubuntu-drivers install nvidia:{driver}`, then restart the machine"
        ),
        Some(_) | None => format!(
            "update the driver to {driver} or newer, as your distribution or https://www.nvidia.com/drivers says"
        ),
    }
}

fn driver_cuda(evidence: &Evidence, draft: RungDraft) -> Rung {
    let report = evidence.report();
    let probe = evidence.probe();
    let supported = probe
        .and_then(|it| it.driver_cuda.as_deref())
        .or_else(|| report.and_then(|it| it.cuda.as_deref()));
    let built = evidence.built_cuda();
    let driver = report.and_then(|it| it.driver.as_deref());
    let driver = driver.or(evidence.driver.version()).unwrap_or("unknown");
    let Some(supported) = supported else {
        return draft
            .saw(format!("driver {driver}"))
            .warning("The driver did not say which CUDA it supports.");
    };
    let draft = draft.saw(format!("driver {driver} supports CUDA up to {supported}"));
    let Some(built) = built else {
        return draft.ok(format!(
            "Programs may be built with CUDA up to {supported}."
        ));
    };
    let draft = draft.saw(format!("the worker is built with CUDA {built}"));
    if numbers(supported) >= numbers(built) {
        return draft.ok(format!("CUDA {supported} runs what CUDA {built} builds."));
    }
    if evidence.all_steps_went_well() {
        return draft.warning(format!(
            "The worker is of CUDA {built}, newer than the driver's {supported}; it still works."
        ));
    }
    draft
        .advise(newer_driver(evidence, Some(built)))
        .advise(format!(
            "or build the worker with a toolkit of {supported} or older: `scripts/build-cuda-worker`"
        ))
        .broken(format!(
            "The driver supports CUDA up to {supported}, and the worker's kernels are of CUDA {built}."
        ))
}
