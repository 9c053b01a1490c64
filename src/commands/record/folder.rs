//! The folder that the program's Python loads the recorder from, and the environment that leads it there.
//!
//! It is made for one recording and deleted after it: nothing is installed.

use super::note::ProcessNote;
use crate::cli::StepUnit;
use anyhow::Context;
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// What runs first in each Python of the program.
const START: &str = include_str!("python/sitecustomize.py");

/// The recorder.
const RECORDER: &str = include_str!("python/warpup_record.py");

/// What the recorder is told.
#[derive(Debug, Serialize)]
pub(super) struct RecorderOptions<'a> {
    /// What a step is; found out if nobody says.
    pub(super) count: Option<StepUnit>,
    /// Steps to record.
    pub(super) steps: u64,
    /// Steps before them.
    pub(super) skip: u64,
    /// Whether the program ends after them.
    pub(super) stop: bool,
    /// Whether functions of Python are recorded.
    pub(super) stacks: bool,
    /// After how many steps it records again, as long as the program runs; once, if nobody says.
    pub(super) watch: Option<u64>,
    /// Where the trace goes; not said where it is a window of a run that is watched.
    pub(super) out: &'a Path,
}

/// Makes the folder.
pub(super) fn make(options: &RecorderOptions<'_>) -> anyhow::Result<TempDir> {
    let write = || {
        let folder = tempfile::Builder::new()
            .prefix("warpup-record-")
            .tempdir()?;
        let options = serde_json::to_string(options)?;
        for (name, text) in [
            ("sitecustomize.py", START),
            ("warpup_record.py", RECORDER),
            ("options.json", &options),
        ] {
            fs::write(folder.path().join(name), text)?;
        }
        anyhow::Ok(folder)
    };
    write().context("cannot write the recorder into the folder for temporary files")
}

/// `PYTHONPATH` with this folder before what is there.
pub(super) fn python_path(folder: &Path, before: Option<&OsStr>) -> OsString {
    let mut path = folder.as_os_str().to_owned();
    if let Some(before) = before.filter(|it| !it.is_empty()) {
        path.push(":");
        path.push(before);
    }
    path
}

/// What the processes of the program have noted. One that was killed while it wrote has noted nothing.
pub(super) fn notes(folder: &Path) -> Vec<ProcessNote> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of_processes = entries.filter(|it| {
        let name = it.file_name();
        let name = name.to_string_lossy();
        name.starts_with("process-") && name.ends_with(".json")
    });
    let texts = of_processes.filter_map(|it| fs::read(it.path()).ok());
    texts
        .filter_map(|it| serde_json::from_slice(&it).ok())
        .collect()
}
