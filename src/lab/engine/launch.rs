//! How a worker is started: its program, its arguments and its environment. Starts nothing.

use std::ffi::OsString;
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
}

/// Threads that a worker computes with at most: a class may share one machine, and a lab's times should
/// not depend much on which.
const MAX_THREADS: usize = 4;

/// Threads that a worker on this machine computes with: `RAYON_NUM_THREADS`, if somebody has set it.
pub fn worker_threads() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok();
    let there_are = thread::available_parallelism().map_or(1, usize::from);
    threads_of(asked.as_deref(), there_are)
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
    fn a_person_who_asks_for_threads_gets_as_many() {
        assert_eq!(threads_of(Some("1"), 8), 1);
        assert_eq!(threads_of(Some("6"), 8), 6);
        assert_eq!(threads_of(None, 8), 4);
        assert_eq!(threads_of(None, 2), 2);
        assert_eq!(threads_of(Some("many"), 2), 2);
        assert_eq!(threads_of(Some("0"), 8), 4);
    }
}
