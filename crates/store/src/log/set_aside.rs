//! The quarantine folder: where damaged logs go, byte for byte.

use super::disk::sync_folder;
use super::line::FOLDER;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use warpup_text::utc;

/// The folder, inside the data folder.
const QUARANTINE: &str = "quarantine";

/// Moves a log to the quarantine folder, whatever is in there.
pub(super) fn set_aside(dir: &Path, from: &Path, at_ms: u64) -> io::Result<PathBuf> {
    let quarantine = dir.join(QUARANTINE);
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700).create(&quarantine)?;
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    let free = |n: &usize| {
        let again = if *n == 0 {
            String::new()
        } else {
            format!(".{n}")
        };
        let to = quarantine.join(format!("{name}.{}{again}.bad", utc::compact(at_ms)));
        (!to.exists()).then_some(to)
    };
    let to = (0..1000).find_map(|n| free(&n));
    let to = to.ok_or_else(|| io::Error::other("the quarantine folder is full"))?;
    fs::rename(from, &to)?;
    sync_folder(&quarantine)?;
    sync_folder(&dir.join(FOLDER))?;
    Ok(to)
}

/// Whether a log was set aside.
pub(super) fn is_set_aside(dir: &Path, name: &str) -> bool {
    let Ok(entries) = fs::read_dir(dir.join(QUARANTINE)) else {
        return false;
    };
    let mut names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
    names.any(|it| it.starts_with(name))
}
