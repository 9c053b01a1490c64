//! Faults while records go from one place to another: an export, an import, a hand-in and what an instructor collects. A person who
//! is told that it worked has every answer.

use super::course::{self, QUESTIONS};
use super::strace::{self, Fault, injected};
use super::{CALLS, Disk, ERRORS, Tally, answered_in, wanted, with_each};
use crate::support::temp_home::TempHome;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use tempfile::TempDir;
use warpup_progress::Event;
use warpup_store::log;

/// A way that records go.
#[derive(Clone, Copy, Debug)]
enum Way {
    Export,
    Import,
    Submit,
    Collect,
}

const WAYS: [Way; 4] = [Way::Export, Way::Import, Way::Submit, Way::Collect];

/// Calls that only these commands make to write, besides those of saving, and those that read.
const MORE_CALLS: [&str; 4] = [
    "rename,renameat,renameat2,link,linkat",
    "read,pread64",
    "getdents64",
    "fchmod,fchown",
];

/// The folders of a learner who has answered every question, and of their class.
struct Sent {
    disk: Disk,
    home: TempHome,
}

impl Sent {
    fn new(course: &Path) -> Self {
        let sent = Self {
            disk: Disk::new(),
            home: TempHome::new(),
        };
        for folder in ["drop", "all"] {
            fs::create_dir(sent.path(folder)).unwrap();
        }
        let input = sent.path("input");
        fs::write(&input, "1\n".repeat(QUESTIONS)).unwrap();
        let mut quiz = sent.command(course, None, &["quiz", "many"]);
        let answered = quiz
            .stdin(fs::File::open(&input).unwrap())
            .output()
            .unwrap();
        assert!(answered.status.success(), "{answered:?}");
        sent
    }

    fn path(&self, name: &str) -> PathBuf {
        self.disk.folder.path().join(name)
    }

    fn command(&self, course: &Path, fault: Option<&Fault>, words: &[&str]) -> Command {
        let mut command = match fault {
            None => Command::new(env!("CARGO_BIN_EXE_warpup")),
            Some(fault) => {
                let mut command = Command::new("strace");
                command
                    .arg("-f")
                    .args(fault.arguments(&self.path("injected")));
                command.arg(env!("CARGO_BIN_EXE_warpup"));
                command
            }
        };
        command
            .args(["--course", course.to_str().unwrap()])
            .args(words);
        command.env_clear().envs(self.home.environment());
        command.env("WARPUP_DATA", self.disk.data());
        command.env("TMPDIR", self.disk.tmp());
        command
    }

    /// Sends the records this way; what came before it has no fault.
    fn send(&self, course: &Path, way: Way, fault: &Fault) -> Output {
        let [file, into, drop] = ["all.jsonl", "all", "drop"].map(|it| self.path(it));
        let [file, into, drop] = [&file, &into, &drop].map(|it| it.to_str().unwrap());
        let export = ["progress", "export", file];
        let submit = ["class", "submit", "--drop", drop];
        let before: &[&str] = match way {
            Way::Export | Way::Submit => &[],
            Way::Import => &export,
            Way::Collect => &submit,
        };
        if !before.is_empty() {
            let sent = self.command(course, None, before).output().unwrap();
            assert!(sent.status.success(), "{sent:?}");
        }
        let words: &[&str] = match way {
            Way::Export => &export,
            Way::Import => &["progress", "import", file],
            Way::Submit => &submit,
            Way::Collect => &["class", "collect", drop, "--into", into],
        };
        let mut command = self.command(course, Some(fault), words);
        if matches!(way, Way::Import) {
            command.env("WARPUP_DATA", self.path("new"));
        }
        command.output().unwrap()
    }

    /// The questions whose answers have arrived.
    fn arrived(&self, way: Way) -> BTreeSet<String> {
        match way {
            Way::Export => answered_in_files([self.path("all.jsonl")]),
            Way::Import => answered_in(&self.path("new")),
            Way::Submit => answered_in_files(files_of(&self.path("drop"))),
            Way::Collect => answered_in_files(files_of(&self.path("all"))),
        }
    }
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|it| it.unwrap().path()).collect()
}

fn answered_in_files(files: impl IntoIterator<Item = PathBuf>) -> BTreeSet<String> {
    let lines = files.into_iter().map(|it| log::lines_in(&it).unwrap());
    let mut questions = BTreeSet::new();
    for record in lines.flat_map(|it| it.records()) {
        if let Event::Answered { question, .. } = record.event {
            questions.insert(question.to_string());
        }
    }
    questions
}

fn session(course: &Path, way: Way, fault: &Fault) -> Tally {
    let sent = Sent::new(course);
    let output = sent.send(course, way, fault);
    let is_killed = output.status.signal() == Some(9) || output.status.code() == Some(137);
    let all: BTreeSet<String> = (1..=QUESTIONS).map(|n| format!("q-{n}")).collect();
    let is_told = output.status.success();
    let acknowledged = if is_told { all } else { BTreeSet::new() };
    let arrived = if is_told {
        sent.arrived(way)
    } else {
        BTreeSet::new()
    };
    let lost = acknowledged.difference(&arrived);
    let lost = lost.map(|it| format!("{it} after {way:?}, {}", fault.name()));
    Tally {
        sessions: 1,
        injected: injected(&sent.path("injected")).max(usize::from(is_killed)),
        kills: usize::from(is_killed),
        acknowledged: acknowledged.len(),
        refused: usize::from(!is_told && !is_killed),
        lost: lost.collect(),
    }
}

/// Each kind of fault at the first call, then at the second one, and so on.
fn faults(count: usize) -> Vec<(Way, Fault)> {
    let kinds = ERRORS.map(|it| format!("error={it}"));
    let kinds: Vec<String> = kinds
        .into_iter()
        .chain(["signal=KILL".to_owned()])
        .collect();
    let calls: Vec<&'static str> = CALLS.into_iter().chain(MORE_CALLS).collect();
    let mut faults = Vec::new();
    for at in 1.. {
        // In another order each time, so that few faults are of many kinds.
        for step in 0..kinds.len() * calls.len() {
            let what = kinds[step % kinds.len()].clone();
            let calls = calls[step % calls.len()];
            for way in WAYS {
                let more = if what == "error=EINTR" { "+2" } else { "+" };
                let when = if step % 2 == 0 {
                    at.to_string()
                } else {
                    format!("{at}{more}")
                };
                let what = what.clone();
                faults.push((way, Fault { calls, what, when }));
            }
        }
        if faults.len() >= count {
            break;
        }
    }
    faults.truncate(count);
    faults
}

#[test]
fn what_is_sent_without_an_error_is_complete() {
    if !strace::works() {
        return;
    }
    let folder = TempDir::new().unwrap();
    course::write(folder.path());
    let none = Fault {
        calls: "ftruncate",
        what: "error=EIO".to_owned(),
        when: "9999".to_owned(),
    };
    for way in WAYS {
        let clean = session(folder.path(), way, &none);
        assert_eq!(
            (clean.acknowledged, clean.lost),
            (QUESTIONS, Vec::new()),
            "{way:?}"
        );
    }
    let all = faults(wanted().map_or(48, |it| it / 4));
    let tally = Mutex::new(Tally::default());
    with_each(&all, 2, |(way, fault)| {
        let one = session(folder.path(), *way, fault);
        tally.lock().unwrap().add(one);
    });
    tally
        .into_inner()
        .unwrap()
        .report("export, import, hand-in, collect");
}
