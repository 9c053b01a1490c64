//! How a worker is started: its program, its arguments and its environment. Starts nothing.

use std::ffi::OsString;
use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::thread;

/// How a worker is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables that it gets besides those that it inherits, or instead of them.
    pub environment: Vec<(String, OsString)>,
}

impl Launch {
    /// This very executable, as a worker; where the system does not say which it is, the one on `PATH`.
    pub fn this_executable() -> Self {
        Self {
            program: std::env::current_exe().unwrap_or_else(|_unknown| "warpup".into()),
            arguments: vec!["worker".to_owned()],
            environment: Vec::new(),
        }
    }

    /// The same behind warpup's `launch`, which asks it to end when this process does, also when it is killed.
    #[must_use]
    pub fn guarded_by(&self, warpup: &Self) -> Self {
        let parent = std::process::id().to_string();
        let guard = ["launch".to_owned(), parent, "--".to_owned()];
        let program = self.program.display().to_string();
        let words = guard.into_iter().chain([program]);
        Self {
            program: warpup.program.clone(),
            arguments: words.chain(self.arguments.iter().cloned()).collect(),
            environment: self.environment.clone(),
        }
    }

    /// The same, and the worker computes with at most so many threads.
    pub(super) fn with_threads(&self, most: NonZeroU32) -> Self {
        let threads = worker_threads_within(Some(most)).to_string();
        let threads = (THREADS.to_owned(), threads.into());
        let others = self.environment.iter().filter(|it| it.0 != THREADS);
        Self {
            environment: others.cloned().chain([threads]).collect(),
            ..self.clone()
        }
    }

    /// Why a worker that is started like this does not start, and what helps.
    pub(super) fn failure(&self, error: &io::Error) -> String {
        let program = self.program.display();
        let advice = match rustix::io::Errno::from_io_error(error) {
            Some(rustix::io::Errno::MFILE) => {
                "; this shell lets a program open too few: `ulimit -n 1024` raises the limit"
            }
            Some(rustix::io::Errno::NOENT) if std::env::current_exe().is_err() => {
                "; warpup finds itself through /proc, which is missing: `mount -t proc proc /proc` brings it, or put warpup on PATH"
            }
            _ => "",
        };
        format!("the lab worker {program} cannot be started: {error}{advice}")
    }
}

/// Threads that a worker computes with at most: a class may share one machine, and a lab's times should
/// not depend much on which.
const MAX_THREADS: usize = 4;

/// The variable that says how many.
const THREADS: &str = "RAYON_NUM_THREADS";

/// Threads that a worker on this machine computes with: `RAYON_NUM_THREADS`, if somebody has set it.
pub fn worker_threads() -> usize {
    let asked = std::env::var(THREADS).ok();
    let there_are = thread::available_parallelism().map_or(1, usize::from);
    threads_of(asked.as_deref(), there_are)
}

/// The same, where a policy may allow no more than these.
pub fn worker_threads_within(most: Option<NonZeroU32>) -> usize {
    let most = most.and_then(|it| usize::try_from(it.get()).ok());
    worker_threads().min(most.unwrap_or(usize::MAX))
}

fn threads_of(asked: Option<&str>, there_are: usize) -> usize {
    let asked = asked.and_then(|it| it.parse().ok());
    // rayon takes 0 for "as many as there are".
    asked
        .filter(|it| *it > 0)
        .unwrap_or(there_are.min(MAX_THREADS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_open_files_comes_with_what_raises_it() {
        let failure = |code| {
            let error = io::Error::from_raw_os_error(code);
            let launch = Launch {
                program: "w".into(),
                ..Launch::default()
            };
            launch.failure(&error)
        };
        insta::assert_snapshot!(failure(24), @"the lab worker w cannot be started: Too many open files (os error 24); this shell lets a program open too few: `ulimit -n 1024` raises the limit");
        insta::assert_snapshot!(failure(2), @"the lab worker w cannot be started: No such file or directory (os error 2)");
    }

    #[test]
    fn a_policy_allows_so_many_threads_and_never_asks_for_more() {
        let with = |most| Launch::default().with_threads(NonZeroU32::new(most).unwrap());
        let one = [(THREADS.to_owned(), OsString::from("1"))];
        assert_eq!(with(1).environment, one);
        assert_eq!(with(8).with_threads(NonZeroU32::MIN).environment, one);
        let usual = OsString::from(worker_threads().to_string());
        assert_eq!(with(u32::MAX).environment, [(THREADS.to_owned(), usual)]);
    }

    #[test]
    fn a_person_who_asks_for_threads_gets_as_many() {
        assert_eq!(threads_of(Some("1"), 8), 1);
        assert_eq!(threads_of(Some("6"), 8), 6);
        assert_eq!(threads_of(None, 8), 4);
        assert_eq!(threads_of(None, 2), 2);
        assert_eq!(threads_of(Some("many"), 2), 2);
        assert_eq!(threads_of(Some("0"), 8), 4);
    }
}
