//! Whether the variables of the environment agree with each other.
//!
//! Two toolkits are the usual reason for a wrong library.

use crate::doctor::evidence::{Evidence, Library, LoaderPath};
use crate::doctor::rung::{About, Draft, Part, Rung, RungId, RungSpec};
use crate::doctor::rungs::cause::numbers;

pub(crate) const PATHS: RungSpec = RungSpec {
    id: RungId("paths"),
    title: "CUDA_HOME, LD_LIBRARY_PATH, PATH",
    lesson: "the-stack-under-your-framework",
    needs: &[],
    machine: About::WorkersMachine,
    part: Part::Surroundings,
    looked: &["CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "nvcc on PATH"],
    judge: paths,
};

fn paths(evidence: &Evidence, mut draft: Draft) -> Rung {
    for name in ["CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH"] {
        let value = evidence.variable(name);
        draft = draft.saw_all(value.map(|it| format!("{name}={it}")));
    }
    let nvcc = evidence.toolkits.nvcc.as_ref();
    let home = evidence
        .variable("CUDA_HOME")
        .or_else(|| evidence.variable("CUDA_PATH"))
        .filter(|it| !it.is_empty());
    let of_home = home.and_then(|it| version_at(evidence, it));
    let of_nvcc = nvcc.and_then(|it| it.version.as_deref());
    draft = draft.saw_all(nvcc.map(|it| format!("nvcc: {}", it.path)));
    if let Some(home) = home
        && of_home.is_none()
        && !evidence.toolkits.installed.is_empty()
        && !home_is_known(evidence, home)
    {
        let home = home.to_owned();
        return draft
            .advise("point CUDA_HOME at a toolkit that is there, or unset it")
            .warning(format!(
                "CUDA_HOME names {home}, which is no toolkit of this machine."
            ));
    }
    if let (Some(of_home), Some(of_nvcc)) = (of_home, of_nvcc)
        && numbers(&of_home).get(..2) != numbers(of_nvcc).get(..2)
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
        draft.ok("None is set, and labs need none.")
    }
}

/// The version of the toolkit in a folder, which may be `/usr/local/cuda` itself.
fn version_at(evidence: &Evidence, folder: &str) -> Option<String> {
    let folder = real(evidence, folder);
    let mut installed = evidence.toolkits.installed.iter();
    installed.find(|it| it.path == folder)?.version.clone()
}

fn home_is_known(evidence: &Evidence, folder: &str) -> bool {
    let folder = real(evidence, folder);
    let mut installed = evidence.toolkits.installed.iter();
    installed.any(|it| it.path == folder)
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
