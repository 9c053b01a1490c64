//! Many processes at once in one data folder, some of them killed at any moment.

use super::{Tally, answered_in, wanted};
use crate::support::temp_home::TempHome;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;
use warpup_progress::Event;
use warpup_store::log;

/// The processes that run at the same time.
const PROCESSES: usize = 8;

/// A process that a fault has not ended, and the attempt that it acknowledged.
fn hand_in(home: &TempHome, course: &str, answers: &str, kill: bool) -> (Option<String>, bool) {
    let arguments = [
        "--course",
        course,
        "quiz",
        "copies",
        "--answers",
        answers,
        "--json",
    ];
    let mut command = home.warpup(&arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    if kill {
        // Some way into its work: a start takes some ten milliseconds, and their number differs from process to process.
        let turns = u64::from(child.id()) * 7919 % 20_000;
        (0..turns).for_each(|_| thread::yield_now());
        // It may have ended, which is fine.
        let _gone = child.kill();
    }
    let output = child.wait_with_output().unwrap();
    let json: Option<serde_json::Value> = serde_json::from_slice(&output.stdout).ok();
    let attempt = json.and_then(|it| Some(it["attempt"].as_str()?.to_owned()));
    (attempt, output.status.signal().is_some())
}

#[test]
fn many_processes_at_once_lose_nothing() {
    let home = TempHome::new();
    let course = home.sample_course();
    let answers = "q-bus = \"narrow\"\nq-bytes = \"24 B\"\nq-order = [\"copy\", \"run\"]\n";
    let answers = home.write("answers.toml", answers);
    let answers = answers.to_str().unwrap();
    let each = wanted().map_or(3, |_| 250);
    // Many have ended before they can be killed.
    let every = 6;
    let told = Mutex::new((BTreeSet::new(), 0));
    thread::scope(|scope| {
        for process in 0..PROCESSES {
            let (home, course, told) = (&home, &course, &told);
            scope.spawn(move || {
                for n in 0..each {
                    let kill = (n + process) % every == 0;
                    let (attempt, is_killed) = hand_in(home, course, answers, kill);
                    let mut told = told.lock().unwrap();
                    told.0.extend(attempt);
                    told.1 += usize::from(is_killed);
                }
            });
        }
    });
    let (attempts, kills) = told.into_inner().unwrap();
    let loaded = log::read(&home.data());
    let mut handed_in = BTreeSet::new();
    for record in loaded.records {
        if let Event::Attempted { attempt, .. } = record.event {
            handed_in.insert(attempt);
        }
    }
    assert!(!answered_in(&home.data()).is_empty());
    let logs = fs::read_dir(home.data().join("log")).unwrap().count();
    assert!(logs > 0);
    let tally = Tally {
        sessions: PROCESSES * each,
        injected: kills,
        kills,
        acknowledged: attempts.len(),
        refused: 0,
        lost: attempts.difference(&handed_in).cloned().collect(),
    };
    tally.report("8 processes at once");
}
