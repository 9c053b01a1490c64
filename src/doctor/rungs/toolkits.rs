//! The toolkits, cuDNN and NCCL that are installed beside the driver.
//!
//! No lab needs a toolkit: the worker brings its libraries. They are reported because people confuse them with the
//! driver.

use crate::doctor::evidence::{Evidence, Library};
use crate::doctor::rung::{About, Draft, Part, Rung, RungId, RungSpec};

pub(crate) const TOOLKITS: RungSpec = RungSpec {
    id: RungId("toolkits"),
    title: "toolkit, cuDNN, NCCL",
    lesson: "the-stack-under-your-framework",
    needs: &[],
    machine: About::WorkersMachine,
    part: Part::Surroundings,
    looked: &[
        "/usr/local/cuda*, nvcc on PATH",
        "cuDNN and NCCL: headers, and libraries where the loader looks",
    ],
    judge: toolkits,
};

fn toolkits(evidence: &Evidence, mut draft: Draft) -> Rung {
    let found = &evidence.toolkits;
    for toolkit in &found.installed {
        let version = toolkit.version.as_deref().unwrap_or("version unknown");
        draft = draft.saw(format!("{}: {version}", toolkit.path));
    }
    let default = found.default.as_ref();
    draft = draft.saw_all(default.map(|it| format!("/usr/local/cuda → {it}")));
    if let Some(nvcc) = &found.nvcc {
        let version = nvcc.version.as_deref().unwrap_or("version unknown");
        draft = draft.saw(format!("nvcc on PATH: {}, {version}", nvcc.path));
    }
    let headers = [("cuDNN", &found.cudnn_header), ("NCCL", &found.nccl_header)];
    draft = draft.saw_all(headers.into_iter().filter_map(|(name, header)| {
        let header = header.as_ref()?;
        Some(format!("{name} {} ({})", header.version, header.path))
    }));
    let libraries = &evidence.libraries;
    let shipped = libraries.cudnn.iter().chain(&libraries.nccl);
    draft = draft.saw_all(shipped.map(Library::describe));
    if found.installed.is_empty() && found.nvcc.is_none() {
        return draft.not_here("No toolkit is installed; labs need none.");
    }
    match found.installed.len() {
        0 | 1 => draft.ok("One toolkit, with the compiler nvcc, which only building needs."),
        more => draft.ok(format!(
            "{more} toolkits side by side; the rung below says which one is meant."
        )),
    }
}
