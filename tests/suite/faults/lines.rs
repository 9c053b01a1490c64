//! Faults in commands and in plain mode: at every system call, one after the other.

use super::course::{self, QUESTIONS};
use super::strace::{self, Fault, injected};
use super::{CALLS, Disk, ERRORS, Tally, wanted, with_each};
use crate::support::temp_home::TempHome;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use tempfile::TempDir;

/// A way to answer questions without the app.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// One after the other, on the input.
    Asked,
    /// From a file.
    File,
    Plain,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Asked => "`quiz`",
            Self::File => "`quiz --answers`",
            Self::Plain => "plain mode",
        }
    }

    fn arguments(self, folder: &Path) -> Vec<String> {
        let answers = folder.join("answers.toml");
        let words: &[&str] = match self {
            Self::Asked => &["quiz", "many"],
            Self::File => &["quiz", "many", "--answers", answers.to_str().unwrap()],
            Self::Plain => &["--plain"],
        };
        words.iter().map(|it| (*it).to_owned()).collect()
    }

    fn input(self) -> String {
        let answers = "1\n".repeat(QUESTIONS);
        match self {
            Self::Asked => answers,
            Self::File => String::new(),
            Self::Plain => format!("1\nquiz\n{answers}quit\n"),
        }
    }
}

/// Runs one process with a fault.
fn session(course: &Path, way: Way, fault: &Fault) -> Tally {
    let disk = Disk::new();
    let home = TempHome::new();
    let folder = disk.folder.path();
    let (input, out) = (folder.join("input"), folder.join("injected"));
    fs::write(&input, way.input()).unwrap();
    let answers: Vec<_> = (1..=QUESTIONS)
        .map(|n| {
            format!(
                "q-{n} = \"a\"
"
            )
        })
        .collect();
    fs::write(folder.join("answers.toml"), answers.concat()).unwrap();
    let mut command = Command::new("strace");
    // Not with `--seccomp-bpf`: it injects no signals.
    command.arg("-f");
    command.args(fault.arguments(&out));
    command.arg(env!("CARGO_BIN_EXE_warpup"));
    command.args(["--course", course.to_str().unwrap()]);
    command.args(way.arguments(folder));
    command.env_clear().envs(home.environment());
    command.env("WARPUP_DATA", disk.data());
    command.env("TMPDIR", disk.tmp());
    command.stdin(fs::File::open(&input).unwrap());
    let output = command.output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    if let Some((_, rest)) = said.split_once(" kept in ") {
        disk.take_over(Path::new(rest.split_once(';').map_or("", |it| it.0)));
    }
    let mut acknowledged = acknowledged_in(&shown, way);
    if let Some(0 | 1) = output.status.code() {
        // Quizzes that were handed in have every answer.
        if shown.contains("Score:") {
            acknowledged.extend((1..=QUESTIONS).map(|n| format!("q-{n}")));
        }
    }
    let is_killed = output.status.signal() == Some(9) || output.status.code() == Some(137);
    Tally {
        sessions: 1,
        injected: injected(&out).max(usize::from(is_killed)),
        kills: usize::from(is_killed),
        acknowledged: acknowledged.len(),
        refused: shown.matches("NOT SAVED").count(),
        lost: disk.lost(&acknowledged, &format!("{way:?}, {}", fault.name())),
    }
}

/// Runs one process whose files may have so many bytes: the write that reaches them is short, and the next one fails.
fn short_write(course: &Path, bytes: usize) -> Tally {
    let disk = Disk::new();
    let home = TempHome::new();
    let mut command = Command::new("prlimit");
    command.args([&format!("--fsize={bytes}"), env!("CARGO_BIN_EXE_warpup")]);
    command.args(["--course", course.to_str().unwrap(), "quiz", "many"]);
    command.env_clear().envs(home.environment());
    command.env("WARPUP_DATA", disk.data());
    command.env("TMPDIR", disk.tmp());
    let input = disk.folder.path().join("input");
    fs::write(&input, Way::Asked.input()).unwrap();
    command.stdin(fs::File::open(&input).unwrap());
    let output = command.output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let acknowledged = acknowledged_in(&shown, Way::Asked);
    Tally {
        sessions: 1,
        injected: 1,
        kills: usize::from(output.status.signal().is_some()),
        acknowledged: acknowledged.len(),
        refused: shown.matches("NOT SAVED").count(),
        lost: disk.lost(&acknowledged, &format!("{bytes} bytes")),
    }
}

#[test]
fn no_short_write_loses_an_acknowledged_answer() {
    if Command::new("prlimit").arg("--version").output().is_err() {
        return;
    }
    let folder = TempDir::new().unwrap();
    course::write(folder.path());
    let step = wanted().map_or(301, |_| 7);
    let mut tally = Tally::default();
    for bytes in (1..3000).step_by(step) {
        tally.add(short_write(folder.path(), bytes));
    }
    tally.report("short writes");
}

/// The questions with a verdict for which nothing says that it is not saved.
fn acknowledged_in(shown: &str, way: Way) -> BTreeSet<String> {
    let mut acknowledged = BTreeSet::new();
    let mut is_refused = false;
    let whole = shown.rsplit_once('\n').map_or("", |it| it.0);
    for line in whole.lines() {
        is_refused |= line.contains("NOT SAVED");
        let verdict = line
            .trim_start_matches("> ")
            .strip_prefix("✓ right        ");
        if let Some((question, _)) = verdict.and_then(|it| it.split_once(':')) {
            if !is_refused {
                acknowledged.insert(question.to_owned());
            }
            // From a file all answers are judged at once, and one line is for all.
            is_refused &= matches!(way, Way::File);
        }
    }
    acknowledged
}

/// All faults, as many as asked for: each kind at the first call, then at the second one, and so on.
fn faults(count: usize) -> Vec<(Way, Fault)> {
    let mut faults = Vec::new();
    for at in 1.. {
        for calls in CALLS {
            let kinds = ERRORS.map(|it| format!("error={it}"));
            let others = ["signal=KILL", "delay_enter=20000"].map(str::to_owned);
            for what in kinds.into_iter().chain(others) {
                for way in [Way::Asked, Way::File, Way::Plain] {
                    // Once, and from there on; not every call is interrupted, or trying again would never end.
                    let step = if what == "error=EINTR" { "+2" } else { "+" };
                    for when in [at.to_string(), format!("{at}{step}")] {
                        let (what, when) = (what.clone(), when);
                        faults.push((way, Fault { calls, what, when }));
                    }
                }
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
fn no_fault_in_a_command_loses_an_acknowledged_answer() {
    if !strace::works() {
        return;
    }
    let folder = TempDir::new().unwrap();
    course::write(folder.path());
    let all = faults(wanted().map_or(60, |it| it * 3 / 4));
    let tallies = Mutex::new([Tally::default(), Tally::default(), Tally::default()]);
    // Without a fault, so that the harness is known to see what it looks for.
    let none = Fault {
        calls: "ftruncate",
        what: "error=EIO".to_owned(),
        when: "9999".to_owned(),
    };
    let clean = session(folder.path(), Way::Asked, &none);
    assert_eq!((clean.acknowledged, clean.lost.len()), (QUESTIONS, 0));
    with_each(&all, 2, |(way, fault)| {
        let one = session(folder.path(), *way, fault);
        tallies.lock().unwrap()[*way as usize].add(one);
    });
    let tallies = tallies.into_inner().unwrap();
    let kills: usize = tallies.iter().map(|it| it.kills).sum();
    assert!(wanted().is_none() || kills > 0, "no process was killed");
    for way in [Way::Asked, Way::File, Way::Plain] {
        tallies[way as usize].report(way.name());
    }
}
