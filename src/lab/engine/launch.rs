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
    /// Variables that it gets besides those of the app, or instead of them.
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

/// Threads that a worker on this machine computes with.
pub fn threads() -> usize {
    let there_are = thread::available_parallelism().map_or(1, usize::from);
    there_are.min(MAX_THREADS)
}
