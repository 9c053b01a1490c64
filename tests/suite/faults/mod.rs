//! No acknowledged answer is lost, whatever fails: faults are injected into the system calls of saving.
//!
//! `strace` injects them into the real executable: in the app on a pseudo-terminal, only into the thread that saves; in
//! commands and plain mode into every call. An answer is acknowledged when its verdict is on the screen or on stdout and
//! nothing there says that it is being saved or could not be. Afterwards it must be in a log.
//!
//! The tests here inject a few faults. `scripts/faults` sets `WARPUP_FAULTS` and injects thousands. Where there is no
//! `strace`, or it may not trace, the tests of `crates/store/src/log` still inject faults into a disk in memory.

mod app;
mod course;
mod lines;
mod moments;
mod stall;
mod storm;
pub(crate) mod strace;
mod transfer;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tempfile::TempDir;
use warpup_progress::Event;
use warpup_store::log;

/// How many faults to inject in all, if many.
fn wanted() -> Option<usize> {
    env::var("WARPUP_FAULTS").ok()?.parse().ok()
}

/// What a run injected and lost.
#[derive(Debug, Default)]
struct Tally {
    sessions: usize,
    injected: usize,
    kills: usize,
    acknowledged: usize,
    refused: usize,
    lost: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.sessions += other.sessions;
        self.injected += other.injected;
        self.kills += other.kills;
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.lost.extend(other.lost);
    }

    /// Prints a line of the table in docs/measured, and fails if an answer was lost.
    #[expect(clippy::print_stdout, reason = "the table is for who runs the tests")]
    fn report(&self, what: &str) {
        let Self {
            sessions,
            injected,
            kills,
            acknowledged,
            refused,
            lost,
        } = self;
        println!(
            "| {what} | {sessions} | {injected} | {kills} | {acknowledged} | {refused} | {} |",
            lost.len()
        );
        assert!(lost.is_empty(), "{what}: {}", lost.join("\n"));
    }
}

/// Does this with each, so many at once.
fn with_each<T: Sync>(all: &[T], at_once: usize, what: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(it) = all.get(next.fetch_add(1, Ordering::SeqCst)) {
                    what(it);
                }
            });
        }
    });
}

/// A data folder and a folder for temporary files, where records end up.
struct Disk {
    folder: TempDir,
}

impl Disk {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        Self { folder }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn tmp(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// Moves a folder in which warpup has kept records here, if it is elsewhere.
    fn take_over(&self, folder: &Path) {
        if folder.starts_with(self.tmp()) || !folder.join("log").is_dir() {
            return;
        }
        let to = self.tmp().join("taken-over/log");
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(folder.join("log")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
        fs::remove_dir_all(folder).unwrap();
    }

    /// The questions whose answers are in a log, here or where warpup keeps what it cannot save.
    fn kept(&self) -> BTreeSet<String> {
        let mut kept = answered_in(&self.data());
        for entry in fs::read_dir(self.tmp()).unwrap() {
            kept.extend(answered_in(&entry.unwrap().path()));
        }
        kept
    }

    /// Those of the acknowledged answers that are in no log.
    fn lost(&self, acknowledged: &BTreeSet<String>, how: &str) -> Vec<String> {
        let kept = self.kept();
        let lost = acknowledged.difference(&kept);
        lost.map(|question| format!("{question} after {how}"))
            .collect()
    }
}

fn answered_in(data: &Path) -> BTreeSet<String> {
    let mut questions = BTreeSet::new();
    for record in log::read(data).records {
        if let Event::Answered { question, .. } = record.event {
            questions.insert(question.to_string());
        }
    }
    questions
}

/// What fails, and how `strace` is told so.
const ERRORS: [&str; 6] = ["ENOSPC", "EIO", "EDQUOT", "EROFS", "EINTR", "EACCES"];

/// The system calls of saving.
const CALLS: [&str; 7] = [
    "openat",
    "mkdir",
    "write",
    "fsync",
    "fdatasync",
    "fstat,newfstatat,statx",
    "ftruncate",
];
