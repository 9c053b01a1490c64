//! The stand-in for NVML of `tests/stand_in_nvml`, compiled once.

use super::source;
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder with the stand-in as `libnvidia-ml.so.1`.
pub(crate) static LIBRARY: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let source = source::root().join("tests/stand_in_nvml/nvml.c");
    // The linker of every Rust build here is a C compiler.
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(folder.path().join("libnvidia-ml.so.1"))
        .arg(source)
        .status()
        .unwrap();
    assert!(status.success());
    folder
});
