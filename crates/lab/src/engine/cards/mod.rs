//! The worker for real cards: where its executable is, how it is started, and why it does not start.
//!
//! Nothing here starts it. A missing executable is found before a run and becomes the run's outcome, like every
//! other reason why a card is unavailable.

mod build_notes;
mod find;
mod site_packages;
pub(super) mod start_failure;

use super::launch::Launch;
use find::{EXECUTABLE, SearchPaths};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use warpup_protocol::{CARDS, Reason};

pub use build_notes::BuildNotes;
pub use find::ConfiguredWorker;
pub use find::{VARIABLE, is_executable};
pub use site_packages::site_packages;

/// How long a worker may take to make a card ready: a sleeping driver needs seconds.
const READY_TIMEOUT: Duration = Duration::from_mins(1);

/// The same for a launcher, which may wait in a queue.
const READY_TIMEOUT_ELSEWHERE: Duration = Duration::from_mins(10);

/// How the worker for real cards is started and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardWorker {
    /// How it is started.
    pub launch: Launch,
    /// How long a run may take to start; its time limit counts from then on.
    pub ready_timeout: Duration,
    /// How long it stays alive after its last run.
    pub linger: Duration,
    /// Bytes of a card's memory that a run may hold; all of it if `None`.
    pub memory_cap: Option<u64>,
    /// The command that starts it on another machine or in a job, such as `srun`.
    pub launcher: Option<String>,
}

/// The settings of the worker for real cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardSettings {
    /// The executable, and where it is named.
    pub named: Option<ConfiguredWorker>,
    /// A command that starts it, such as `ssh gpubox`; may be empty.
    pub launcher: Vec<String>,
    /// Whether it stays although a launcher has started it.
    pub may_linger_launched: bool,
    /// Folders with its libraries, searched first.
    pub library_path: Vec<PathBuf>,
    /// How long it stays alive after its last run.
    pub linger: Duration,
    /// Bytes of a card's memory that a run may hold.
    pub memory_cap: Option<u64>,
    /// The cards that runs may use, by UUID; every card if it is empty.
    pub allowed: Vec<String>,
}

impl CardWorker {
    /// Finds the worker, or says why there is none.
    pub fn find(settings: CardSettings) -> Result<Self, Reason> {
        let variable = |name: &str| std::env::var_os(name);
        let allowed = settings.allowed.join(",");
        let (mut launch, ready_timeout) = match settings.launcher.split_first() {
            None => {
                let paths = SearchPaths::of_this_process(settings.named);
                let program = paths.find()?;
                let notes = BuildNotes::beside(&program);
                let environment =
                    environment(&settings.library_path, &notes.library_path, variable);
                let launch = Launch {
                    program,
                    arguments: Vec::new(),
                    environment,
                };
                (launch, READY_TIMEOUT)
            }
            Some((launcher, arguments)) => {
                let named = settings.named.map(|it| it.path);
                let program = named.as_deref().unwrap_or(Path::new(EXECUTABLE));
                let mut arguments = arguments.to_vec();
                arguments.push(program.display().to_string());
                let launch = Launch {
                    program: launcher.into(),
                    arguments,
                    // Its libraries are on another machine.
                    environment: environment(&[], &[], variable),
                };
                (launch, READY_TIMEOUT_ELSEWHERE)
            }
        };
        if !allowed.is_empty() {
            // An argument reaches the worker behind any launcher; a variable would not.
            launch.arguments.push(format!("{CARDS}{allowed}"));
        }
        let linger = match settings.launcher.first() {
            // What a queue gave out belongs to the next in it.
            Some(_) if !settings.may_linger_launched => Duration::ZERO,
            Some(_) | None => settings.linger,
        };
        Ok(Self {
            launch,
            ready_timeout,
            linger,
            memory_cap: settings.memory_cap,
            launcher: settings.launcher.into_iter().next(),
        })
    }
}

/// The variables of the worker besides those that it inherits. `CUDA_VISIBLE_DEVICES` stays as it is: it says which
/// cards belong to this user.
fn environment(
    first: &[PathBuf],
    last: &[PathBuf],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<(String, OsString)> {
    let mut environment = Vec::new();
    // CUDA's own order puts the fastest first; `nvidia-smi` and the rest of the machine count by slot.
    if variable("CUDA_DEVICE_ORDER").is_none() {
        environment.push(("CUDA_DEVICE_ORDER".to_owned(), "PCI_BUS_ID".into()));
    }
    if first.is_empty() && last.is_empty() {
        return environment;
    }
    let inherited = variable("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = first
        .iter()
        .cloned()
        .chain(std::env::split_paths(&inherited))
        .chain(last.iter().cloned())
        // The loader reads an empty folder as the current one.
        .filter(|it| !it.as_os_str().is_empty());
    // The loader cannot be given a folder with a colon in its name.
    let folders = folders.filter(|it| std::env::join_paths([it]).is_ok());
    if let Ok(path) = std::env::join_paths(folders) {
        environment.push(("LD_LIBRARY_PATH".to_owned(), path));
    }
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    fn told(first: &[&str], last: &[&str], variables: &[(&str, &str)]) -> String {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let environment = environment(&paths(first), &paths(last), variable);
        let lines = environment
            .iter()
            .map(|(name, value)| format!("{name}={}", value.display()));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn cards_are_counted_by_slot_unless_somebody_wants_another_order() {
        assert_eq!(told(&[], &[], &[]), "CUDA_DEVICE_ORDER=PCI_BUS_ID");
        let theirs = ("CUDA_DEVICE_ORDER", "FASTEST_FIRST");
        assert_eq!(told(&[], &[], &[theirs]), "");
    }

    #[test]
    fn set_folders_come_before_inherited_ones_and_those_of_the_build_last() {
        let order = ("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
        let inherited = ("LD_LIBRARY_PATH", "/theirs::/more");
        assert_eq!(
            told(&["/set"], &["/built"], &[order, inherited]),
            "LD_LIBRARY_PATH=/set:/theirs:/more:/built"
        );
        assert_eq!(
            told(&["", "/a:b"], &["/built"], &[order]),
            "LD_LIBRARY_PATH=/built"
        );
        assert_eq!(told(&[], &[], &[order, inherited]), "");
    }

    #[test]
    fn a_launcher_comes_before_the_worker_and_nothing_is_looked_for_here() {
        let settings = CardSettings {
            named: Some(ConfiguredWorker {
                path: "/opt/warpup-worker-cuda".into(),
                by: "settings".to_owned(),
            }),
            launcher: vec!["ssh".to_owned(), "gpubox".to_owned()],
            library_path: paths(&["/here"]),
            linger: Duration::from_secs(1),
            may_linger_launched: false,
            memory_cap: Some(7),
            allowed: vec!["GPU-1".to_owned(), "MIG-2".to_owned()],
        };
        let found = CardWorker::find(settings).unwrap();
        assert_eq!(found.launcher.as_deref(), Some("ssh"));
        assert_eq!(found.launch.program, Path::new("ssh"));
        assert_eq!(
            found.launch.arguments,
            ["gpubox", "/opt/warpup-worker-cuda", "--cards=GPU-1,MIG-2"]
        );
        let names: Vec<_> = found.launch.environment.iter().map(|(it, _)| it).collect();
        assert!(!names.contains(&&"LD_LIBRARY_PATH".to_owned()), "{names:?}");
        assert_eq!((found.linger.as_secs(), found.memory_cap), (0, Some(7)));
    }
}
