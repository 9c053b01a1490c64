//! `warpup` in a temporary home: a clean environment, no settings, no progress.

use super::source;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A temporary home directory. It is deleted when it is dropped.
pub(crate) struct TempHome(TempDir);

impl TempHome {
    /// An empty home.
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The folder in which [`Self::warpup`] keeps progress.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Writes a file into the home and returns its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A copy of the sample course, `tests/fixtures/course`, in the folder `course`; returns that folder.
    pub(crate) fn sample_course(&self) -> String {
        let from = "tests/fixtures/course";
        for file in source::files_under(from) {
            self.write(&file.path.replace(from, "course"), &file.text);
        }
        let folder = self.path().join("course");
        folder.to_str().unwrap().to_owned()
    }

    /// Writes the settings file.
    pub(crate) fn write_settings(&self, text: &str) {
        self.write("config/warpup/settings.toml", text);
    }

    /// The text with the path of this home as `DIR`, so that it is the same in each test run.
    pub(crate) fn normalised(&self, text: &str) -> String {
        text.replace(self.path().to_str().unwrap(), "DIR")
    }

    /// All variables that a program under test sees. Only `PATH` comes from this machine.
    pub(crate) fn environment(&self) -> Vec<(&'static str, OsString)> {
        let folder = |name: &str| self.path().join(name).into_os_string();
        let mut variables = vec![
            ("HOME", self.path().into()),
            ("XDG_DATA_HOME", folder("data")),
            ("XDG_STATE_HOME", folder("state")),
            ("XDG_CONFIG_HOME", folder("config")),
            ("XDG_CACHE_HOME", folder("cache")),
            // A CUDA worker may lie beside the executable or on PATH; tests choose their devices.
            ("WARPUP_WORKER_CUDA", "/nowhere/worker".into()),
            ("LANG", "C.UTF-8".into()),
        ];
        variables.extend(std::env::var_os("PATH").map(|path| ("PATH", path)));
        variables
    }

    /// `warpup` with these arguments and an empty standard input.
    pub(crate) fn warpup(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpup"));
        command.args(arguments).stdin(Stdio::null());
        command.env_clear().envs(self.environment());
        command.env("WARPUP_DATA", self.data());
        command
    }

    /// Runs `warpup` to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.warpup(arguments).output().unwrap()
    }

    /// Runs `warpup` to its end and returns its exit status.
    pub(crate) fn exit(&self, arguments: &[&str]) -> Option<i32> {
        self.run(arguments).status.code()
    }
}
