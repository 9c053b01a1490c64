//! The worker for real cards as the app sees it: when it starts and ends, and why it may not start.

mod launched;
mod lifetime;
mod start_failures;
mod waiting;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Writes an executable file.
///
/// Another process writes it: the system refuses to start a file that is open for writing, and a fork in another
/// test may inherit the file from this process.
fn executable(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    let mut shell = Command::new("/bin/sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    shell.stdin.take().unwrap().write_all(bytes).unwrap();
    assert!(shell.wait().unwrap().success());
    path
}
