//! A learner at a shell: the real executable with a folder of its own.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A learner with nothing done, as a folder for progress.
pub(crate) struct Learner(pub(crate) TempDir);

impl Learner {
    /// A new one.
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// `warpup` with these words, which nobody can answer.
    pub(crate) fn warpup(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpup"));
        command.args(words).stdin(Stdio::null());
        command.env("WARPUP_DATA", self.data());
        // Whatever is set and built on this machine.
        command.env("XDG_CONFIG_HOME", self.0.path().join("config"));
        command.env("WARPUP_WORKER_CUDA", "/nowhere/worker");
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.warpup(words).output().unwrap()
    }

    /// Its exit status.
    pub(crate) fn exit(&self, words: &[&str]) -> Option<i32> {
        self.run(words).status.code()
    }

    /// Where progress is kept.
    pub(crate) fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }
}
