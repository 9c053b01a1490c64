//! Which CUDA the driver supports, against the one that the worker was built with.

use crate::doctor::evidence::Evidence;
use crate::doctor::rung::{About, Draft, Part, Rung, RungId, RungSpec};
use crate::doctor::rungs::cause::numbers;
use crate::doctor::rungs::driver::DRIVER;

pub(crate) const DRIVER_CUDA: RungSpec = RungSpec {
    id: RungId("driver-cuda"),
    title: "the CUDA that the driver supports",
    lesson: "the-stack-under-your-framework",
    needs: &[DRIVER.id],
    machine: About::ThisMachine,
    part: Part::Needed,
    looked: &["NVML's figure for it", "what the worker was built with"],
    judge: driver_cuda,
};

fn driver_cuda(evidence: &Evidence, draft: Draft) -> Rung {
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
        .advise(format!("update the driver to one that supports CUDA {built}"))
        .advise(format!(
            "or build the worker with a toolkit of {supported} or older: `scripts/build-cuda-worker`"
        ))
        .broken(format!(
            "The driver supports CUDA up to {supported}, and the worker's kernels are of CUDA {built}."
        ))
}
