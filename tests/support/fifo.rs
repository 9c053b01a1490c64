//! Named pipes, by which a test sees what another process writes and when it ends. Unix only.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// How long a test waits; only a failure waits that long.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Makes a named pipe.
pub(crate) fn make(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A named pipe whose lines the test receives.
pub(crate) struct LinePipe {
    folder: TempDir,
    lines: Receiver<String>,
}

impl LinePipe {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pipe");
        make(&path);
        // Open for writing as well, so that the pipe does not end with its first writer.
        let pipe = File::options().read(true).write(true).open(&path).unwrap();
        let (sender, lines) = sync_channel(64);
        in_thread(move || {
            for line in BufReader::new(pipe).lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { folder, lines }
    }

    /// The temporary folder that the pipe lies in.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder().join("pipe")
    }

    /// Waits for the next line.
    pub(crate) fn next(&self) -> String {
        self.lines.recv_timeout(TIMEOUT).expect("a line")
    }

    /// The lines that were written before this call.
    pub(crate) fn lines_so_far(&self) -> Vec<String> {
        fs::write(self.path(), "now\n").unwrap();
        let lines = std::iter::from_fn(|| Some(self.next()));
        lines.take_while(|it| it != "now").collect()
    }
}

/// A named pipe that ends when the last process ends that holds it open for writing.
pub(crate) struct EndPipe {
    folder: TempDir,
    end: Receiver<String>,
}

impl EndPipe {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("held");
        make(&path);
        let (sender, end) = sync_channel(1);
        in_thread(move || drop(sender.send(fs::read_to_string(path).unwrap())));
        Self { folder, end }
    }

    /// The temporary folder that the pipe lies in.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder().join("held")
    }

    /// Waits for the end of those processes and returns what they wrote.
    pub(crate) fn wait(&self) -> String {
        let written = self.end.recv_timeout(TIMEOUT);
        written.expect("a process still holds the pipe open")
    }
}

fn in_thread(work: impl FnOnce() + Send + 'static) {
    drop(thread::Builder::new().spawn(work).unwrap());
}
