//! The worker for real cards: where its executable is, what it is started with, and what is said when it does
//! not start.
//!
//! Nothing here starts it. That it is not here is known before a run and told as the run's end, like every
//! other reason why a card cannot be had.

mod find;
mod notes;
pub mod trouble;

use super::launch::Launch;
use crate::protocol::Reason;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use find::{EXECUTABLE, Named, Places};
pub use notes::Notes;

/// How long a worker may take to get a card ready: a driver that has no card awake needs seconds.
const READY: Duration = Duration::from_mins(1);

/// The same where something else starts the worker, which may have to wait for a place in a queue.
const READY_ELSEWHERE: Duration = Duration::from_mins(10);

/// How the worker for real cards is started and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardWorker {
    /// How it is started.
    pub launch: Launch,
    /// How long a run may take to begin; its own time counts from then on.
    pub ready: Duration,
    /// How long it stays after its last run.
    pub linger: Duration,
    /// Bytes of a card's memory that a run may hold; all of it when `None`.
    pub memory_cap: Option<u64>,
}

/// What somebody has set about the worker for real cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The executable, and who named it.
    pub named: Option<Named>,
    /// What starts it, such as `ssh gpubox`; empty where it is started directly.
    pub launcher: Vec<String>,
    /// Folders where its libraries are looked for first.
    pub library_path: Vec<PathBuf>,
    /// How long it stays after its last run.
    pub linger: Duration,
    /// Bytes of a card's memory that a run may hold.
    pub memory_cap: Option<u64>,
}

impl CardWorker {
    /// Looks for the worker; what stands in the way where there is none.
    pub fn find(wanted: Wanted) -> Result<Self, Reason> {
        let variable = |name: &str| std::env::var_os(name);
        let (launch, ready) = match wanted.launcher.split_first() {
            None => {
                let places = Places::of_this_process(wanted.named);
                let program = places.find().map_err(|it| it.reason())?;
                let notes = Notes::beside(&program);
                let environment = environment(&wanted.library_path, &notes.library_path, variable);
                let launch = Launch {
                    program,
                    arguments: Vec::new(),
                    environment,
                };
                (launch, READY)
            }
            Some((launcher, arguments)) => {
                let named = wanted.named.map(|it| it.path);
                let program = named.as_deref().unwrap_or(Path::new(EXECUTABLE));
                let mut arguments = arguments.to_vec();
                arguments.push(program.display().to_string());
                let launch = Launch {
                    program: launcher.into(),
                    arguments,
                    // Its libraries are those of another machine.
                    environment: environment(&[], &[], variable),
                };
                (launch, READY_ELSEWHERE)
            }
        };
        Ok(Self {
            launch,
            ready,
            linger: wanted.linger,
            memory_cap: wanted.memory_cap,
        })
    }
}

/// What the worker gets besides the app's own environment. `CUDA_VISIBLE_DEVICES` is left as it is: whoever set
/// it has said which cards are for whom.
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
        // The loader would take an empty one for the folder that it runs in.
        .filter(|it| !it.as_os_str().is_empty());
    // A folder whose name has a colon in it cannot be named to the loader at all.
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
        let wanted = Wanted {
            named: Some(Named {
                path: "/opt/warpup-worker-cuda".into(),
                by: "settings".to_owned(),
            }),
            launcher: vec!["ssh".to_owned(), "gpubox".to_owned()],
            library_path: paths(&["/here"]),
            linger: Duration::from_secs(1),
            memory_cap: Some(7),
        };
        let found = CardWorker::find(wanted).unwrap();
        assert_eq!(found.launch.program, Path::new("ssh"));
        assert_eq!(
            found.launch.arguments,
            ["gpubox", "/opt/warpup-worker-cuda"]
        );
        let names: Vec<_> = found.launch.environment.iter().map(|(it, _)| it).collect();
        assert!(!names.contains(&&"LD_LIBRARY_PATH".to_owned()), "{names:?}");
        assert_eq!((found.linger.as_secs(), found.memory_cap), (1, Some(7)));
    }
}
