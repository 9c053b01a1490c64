//! Turns on a card: a timed run waits before it opens the card, and another run does not wait.

use crate::card_runs::{WORKER, on_a_card};
use crate::support::worker_process::WorkerProcess;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use warpup_protocol::{Reply, Request, RunRequest};

fn worker(folder: &Path) -> WorkerProcess {
    let mut worker = WorkerProcess::spawn(Command::new(WORKER).env("WARPUP_TURNS", folder));
    worker.send_hello();
    assert!(matches!(worker.reply(), Reply::Hello { .. }));
    worker
}

fn timed(source: &str) -> Request {
    Request::Run(RunRequest {
        timed: true,
        ..on_a_card(source)
    })
}

#[test]
fn a_timed_run_starts_when_the_one_before_has_ended() {
    let folder = TempDir::new().unwrap();
    let mut first = worker(folder.path());
    first.send(&timed("while True:\n    pass\n"));
    assert!(matches!(first.reply(), Reply::Started { .. }));
    let mut second = worker(folder.path());
    second.send(&timed("print('timed')\n"));
    let Reply::Waiting { why, .. } = second.reply() else {
        panic!("it does not wait");
    };
    assert_eq!(why, "1st in line for the card");
    // What is not timed does not wait.
    let mut third = worker(folder.path());
    third.send(&Request::Run(on_a_card("print('exact')\n")));
    assert!(matches!(third.reply(), Reply::Started { .. }));
    // The kernel frees the turn of a process that is killed.
    let number = first.id().to_string();
    let killed = Command::new("kill").args(["-s", "KILL", &number]).status();
    assert!(killed.unwrap().success());
    assert!(matches!(second.reply(), Reply::Waiting { .. }));
    assert!(matches!(second.reply(), Reply::Started { .. }));
    let Reply::Finished { report, .. } = second.last_reply() else {
        panic!("it does not end");
    };
    assert_eq!(report.contended, []);
}
