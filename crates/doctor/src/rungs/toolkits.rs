//! The toolkits, cuDNN and NCCL that are installed beside the driver, and whether the variables that name them agree:
//! two toolkits are the usual reason for a wrong library.
//!
//! No lab needs a toolkit: the worker brings its libraries. They are reported because people confuse them with the
//! driver.

use crate::evidence::{Evidence, Library, LoaderPath, Toolkit};
use crate::rung::{LadderPart, Rung, RungDraft, RungId, RungSpec, RungSubject};
use crate::rungs::cause::numbers;

pub(crate) const TOOLKITS: RungSpec = RungSpec {
    id: RungId("toolkits"),
    title: "toolkit, cuDNN, NCCL",
    lesson: "the-stack-under-your-framework",
    needs: &[],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Surroundings,
    looked: &[
        "/usr/local/cuda*, nvcc on PATH",
        "cuDNN and NCCL: headers, and libraries where the loader looks",
    ],
    judge: toolkits,
};

fn toolkits(evidence: &Evidence, mut draft: RungDraft) -> Rung {
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

pub(crate) const PATHS: RungSpec = RungSpec {
    id: RungId("paths"),
    title: "CUDA_HOME, LD_LIBRARY_PATH, PATH",
    lesson: "the-stack-under-your-framework",
    needs: &[],
    machine: RungSubject::WorkersMachine,
    part: LadderPart::Surroundings,
    looked: &["CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "nvcc on PATH"],
    judge: paths,
};

fn paths(evidence: &Evidence, mut draft: RungDraft) -> Rung {
    for name in ["CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH"] {
        let value = evidence.variable(name);
        draft = draft.saw_all(value.map(|it| format!("{name}={it}")));
    }
    let nvcc = evidence.toolkits.nvcc.as_ref();
    let home = evidence
        .variable("CUDA_HOME")
        .or_else(|| evidence.variable("CUDA_PATH"))
        .filter(|it| !it.is_empty());
    let home_toolkit = home.and_then(|it| toolkit_at(evidence, it));
    let of_home = home_toolkit.and_then(|it| it.version.as_deref());
    let of_nvcc = nvcc.and_then(|it| it.version.as_deref());
    draft = draft.saw_all(nvcc.map(|it| format!("nvcc: {}", it.path)));
    if let Some(home) = home
        && home_toolkit.is_none()
        && !evidence.toolkits.installed.is_empty()
    {
        return draft
            .advise("point CUDA_HOME at a toolkit that is there, or unset it")
            .warning(format!("CUDA_HOME names {home}, which is not a toolkit."));
    }
    if let (Some(of_home), Some(of_nvcc)) = (of_home, of_nvcc)
        && numbers(of_home).get(..2) != numbers(of_nvcc).get(..2)
    {
        return draft
            .advise(
                "put $CUDA_HOME/bin first on PATH, or set CUDA_HOME to the toolkit of that nvcc",
            )
            .warning(format!(
                "CUDA_HOME is CUDA {of_home}, the nvcc on PATH is {of_nvcc}: a build mixes the two."
            ));
    }
    if let Some(old) = older_runtime_first(evidence) {
        return draft
            .saw(old.describe())
            .advise(
                "take that folder out of LD_LIBRARY_PATH: `env -u LD_LIBRARY_PATH warpup doctor`",
            )
            .warning("LD_LIBRARY_PATH puts an older CUDA runtime before the others.");
    }
    let is_set = home.is_some() || evidence.variable("LD_LIBRARY_PATH").is_some();
    if is_set || nvcc.is_some() {
        draft.ok("They do not contradict each other.")
    } else {
        draft.ok("CUDA_HOME and LD_LIBRARY_PATH are not set, and no nvcc is on PATH: labs need none of them.")
    }
}

/// The toolkit in a folder, which may be `/usr/local/cuda` itself.
fn toolkit_at<'a>(evidence: &'a Evidence, folder: &str) -> Option<&'a Toolkit> {
    let folder = real(evidence, folder);
    let mut installed = evidence.toolkits.installed.iter();
    installed.find(|it| it.path == folder)
}

fn real<'a>(evidence: &'a Evidence, folder: &'a str) -> &'a str {
    let folder = folder.trim_end_matches('/');
    match (folder, &evidence.toolkits.default) {
        ("/usr/local/cuda", Some(target)) => target,
        _ => folder,
    }
}

/// A runtime in `LD_LIBRARY_PATH` that hides a newer one of the same name.
fn older_runtime_first(evidence: &Evidence) -> Option<&Library> {
    let all = &evidence.libraries.cudart;
    let first = all.first().filter(|it| it.from == LoaderPath::Variable)?;
    let of = |it: &Library| it.version().map(numbers).unwrap_or_default();
    let name = |it: &Library| it.path.rsplit('/').next().map(str::to_owned);
    let newer = all
        .iter()
        .any(|it| name(it) == name(first) && of(it) > of(first));
    newer.then_some(first)
}
