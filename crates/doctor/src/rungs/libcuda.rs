//! `libcuda.so.1`: the half of the driver that programs load. The first one that the loader finds counts.

use crate::evidence::{Evidence, Library, LoaderPath, Worker};
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::driver::DRIVER;
use warpup_protocol::{StepKind, StepResult};

pub(crate) const LIBCUDA: RungSpec = RungSpec {
    id: RungId("libcuda"),
    title: "libcuda, the driver's library",
    lesson: "the-stack-under-your-framework",
    needs: &[DRIVER.id],
    machine: RungSubject::ThisMachine,
    part: LadderPart::Needed,
    looked: &[
        "libcuda.so.1 in LD_LIBRARY_PATH and in the loader's own folders, the first one counts",
    ],
    judge: libcuda,
};

fn libcuda(evidence: &Evidence, mut draft: RungDraft) -> Rung {
    let found = &evidence.libraries.cuda;
    for library in found {
        let why = match library.from {
            LoaderPath::Variable => ", by LD_LIBRARY_PATH",
            LoaderPath::System => "",
        };
        draft = draft.saw(format!("{} ({}){why}", library.path, library.file));
    }
    if let Some((code, why)) = refused(evidence) {
        return refusal(evidence, code, draft.saw(format!("CUDA: {code}, {why}")));
    }
    if evidence.all_steps_went_well() {
        return draft.ok("It is found, and CUDA starts with it.");
    }
    match found.first() {
        None => missing(evidence, draft),
        Some(first) => judged(evidence, first, draft),
    }
}

/// CUDA's error on start, if the library causes it.
fn refused(evidence: &Evidence) -> Option<(&str, &str)> {
    let StepResult::Failed { code, why } = &evidence.step(StepKind::Init)?.found else {
        return None;
    };
    let is_ours = [
        "CUDA_ERROR_STUB_LIBRARY",
        "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
        "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
    ]
    .contains(&code.as_str());
    is_ours.then_some((code.as_str(), why.as_str()))
}

fn refusal(evidence: &Evidence, code: &str, draft: RungDraft) -> Rung {
    match code {
        "CUDA_ERROR_STUB_LIBRARY" => stub(evidence, draft),
        "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE" => draft
            .advise("take the `compat` folder out of LD_LIBRARY_PATH; in an image, remove the package `cuda-compat-…`")
            .advise("or update the driver of the machine")
            .broken("A newer libcuda is found before the driver's libcuda; only data centre cards support this."),
        _ => draft
            .advise("restart the machine; in a container, restart the container")
            .broken("libcuda is of another version than the kernel's driver."),
    }
}

fn stub(evidence: &Evidence, draft: RungDraft) -> Rung {
    let path = evidence.libraries.cuda.first().map(folder_of);
    let draft = match path {
        Some(folder) => draft.advise(format!("take {folder} out of LD_LIBRARY_PATH")),
        None => draft.advise("take the folder `stubs` out of LD_LIBRARY_PATH"),
    };
    draft
        .broken("A stub library is found before the driver; it can link programs but not run them.")
}

fn missing(evidence: &Evidence, draft: RungDraft) -> Rung {
    if let Worker::Probed { .. } = evidence.worker {
        return draft
            .ok("The loader found it in a folder of its own, and the worker starts with it.");
    }
    if evidence.is_container() {
        let configured = evidence.variable("NVIDIA_DRIVER_CAPABILITIES");
        let draft = draft.saw_all(configured.map(|it| format!("NVIDIA_DRIVER_CAPABILITIES={it}")));
        return draft
            .advise("start the container with `-e NVIDIA_DRIVER_CAPABILITIES=compute,utility`")
            .broken(
                "The container was given the driver's tools, and not libcuda, which programs need.",
            );
    }
    if evidence.libraries.nvml.is_empty() {
        // NVML was loaded from an unknown folder, which may hold libcuda, too.
        return draft.warning(
            "It is not in the usual folders; starting the worker will show whether it is found.",
        );
    }
    draft
        .advise("install the driver's library for programs: `libnvidia-compute-…` on Ubuntu, `nvidia-driver-cuda` on Fedora and RHEL")
        .broken("The driver answers, and its library for programs is not installed.")
}

fn judged(evidence: &Evidence, first: &Library, draft: RungDraft) -> Rung {
    if first.path.contains("/stubs/") {
        return stub(evidence, draft);
    }
    if evidence.is_wsl() {
        if first.is_of_windows() {
            return draft.ok("It is that of Windows' driver.");
        }
        return draft
            .advise("remove the Linux driver in WSL: `sudo apt purge 'libnvidia-*' 'nvidia-driver-*'`, then `sudo ldconfig`")
            .broken("A libcuda for Linux is found before that of the Windows driver.");
    }
    let loaded = evidence.report().and_then(|it| it.driver.as_deref());
    let loaded = loaded.or(evidence.driver.version());
    match (first.version(), loaded) {
        (Some(library), Some(driver)) if library != driver => {
            let draft = draft
                .saw(format!("the kernel's driver is {driver}"))
                .advise(format!(
                    "take {} out of the loader's way, or restart after an update of the driver",
                    folder_of(first)
                ));
            if evidence.probe().is_some() {
                draft.warning(format!("It is of {library}, the driver of {driver}."))
            } else {
                draft.broken(format!("It is of {library}, the driver of {driver}."))
            }
        }
        (Some(_) | None, _) => draft.ok("It is found."),
    }
}

fn folder_of(library: &Library) -> String {
    let folder = library.path.rsplit_once('/').map(|it| it.0);
    folder.unwrap_or(&library.path).to_owned()
}
