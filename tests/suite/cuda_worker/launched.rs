//! What starts the worker for real cards elsewhere, such as `srun`: its words while it waits, and its end.
//!
//! A shell script takes its place. `scripts/slurm-trial` does the same with Slurm itself.

use super::executable;
use super::lifetime::{LONG, on, script};
use crate::support::fifo::LinePipe;
use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::temp_home::TempHome;
use signal_hook::consts::SIGHUP;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use warpup_lab::engine::cards::CardWorker;
use warpup_protocol::Outcome;

/// A launcher that has a job elsewhere: it cancels the job when it is asked to end, and ends a moment later.
const LAUNCHER: &str = r#"
exec 3>"$PIPE"
trap 'echo cancelled >&3; exit 0' TERM
echo queued >&3
while :; do sleep 0.05; done
"#;

#[test]
fn a_launcher_is_asked_to_end_so_that_it_cancels_its_job() {
    let launched = |pipe: &LinePipe, ready_timeout| CardWorker {
        launcher: Some("srun".to_owned()),
        ready_timeout,
        ..script(LAUNCHER, &pipe.path(), &[])
    };
    // The app ends while the job waits in the queue.
    let pipe = LinePipe::new();
    let mut runner = LabRunner::with_card_worker(launched(&pipe, LONG));
    runner.begin(on("cuda"));
    assert_eq!(pipe.next(), "queued");
    drop(runner);
    assert_eq!(pipe.next(), "cancelled");
    // The queue is longer than the app waits: nobody's fault.
    let pipe = LinePipe::new();
    let soon = Duration::from_millis(300);
    let mut runner = LabRunner::with_card_worker(launched(&pipe, soon));
    let run = runner.run(on("cuda"));
    let Outcome::Busy(reason) = outcome(&run) else {
        panic!("{:?}", outcome(&run));
    };
    assert!(
        reason.why.starts_with("`srun` has started no worker"),
        "{reason:?}"
    );
}

/// What `srun` says when others have the cards.
const QUEUED: &str = "echo 'srun: job 28 queued and waiting for resources' >&2";

/// A run of a lab whose launcher is this script, and the lines of its standard error.
fn run(
    home: &TempHome,
    pipe: &LinePipe,
    text: &str,
) -> (Child, impl Iterator<Item = String> + use<>) {
    let text = format!("#!/bin/sh\nPIPE='{}'\n{text}", pipe.path().display());
    let launcher = executable(home.path(), "srun", text.as_bytes());
    home.write_settings(&format!("[cuda]\nlauncher = ['{}']\n", launcher.display()));
    let mut app = home
        .warpup(&["run", "two-workers/first-run", "--device", "cuda"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(app.stderr.take().unwrap()).lines();
    (app, lines.map(Result::unwrap))
}

#[test]
fn the_words_of_a_launcher_are_said_while_it_waits() {
    let (home, pipe) = (TempHome::new(), LinePipe::new());
    let ends = format!(
        "echo 'Welcome to the cluster' >&2
{QUEUED}
echo 'srun: job 28 has been allocated resources' >&2
exit 1"
    );
    let (mut app, lines) = run(&home, &pipe, &ends);
    let said: Vec<_> = lines.take(3).collect();
    assert_eq!(
        said.join("\n"),
        "the launcher says: Welcome to the cluster
waiting in Slurm's queue: job 28
Slurm has a card for job 28: the worker starts"
    );
    app.wait().unwrap();
}

#[test]
fn a_launcher_is_asked_to_end_however_its_app_ends() {
    // Under `nohup` the app would inherit that a closed terminal ends nothing; a signal with a handler is not inherited.
    let heard = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGHUP, heard).unwrap();
    // Only Linux tells a process that its parent was killed.
    let signals: &[&str] = if cfg!(target_os = "linux") {
        &["KILL", "TERM", "HUP", "INT"]
    } else {
        &["TERM", "HUP", "INT"]
    };
    for signal in signals {
        let (home, pipe) = (TempHome::new(), LinePipe::new());
        let (mut app, mut lines) = run(&home, &pipe, &format!("{QUEUED}\n{LAUNCHER}"));
        let waiting = lines.next().unwrap();
        assert_eq!(waiting, "waiting in Slurm's queue: job 28");
        assert_eq!(pipe.next(), "queued");
        let number = app.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &number]).status();
        assert!(killed.unwrap().success());
        assert_eq!(pipe.next(), "cancelled", "{signal}");
        assert!(!app.wait().unwrap().success());
    }
}

#[test]
fn a_launcher_that_is_not_there_is_no_fault_of_the_driver() {
    let home = TempHome::new();
    home.write_settings("[cuda]\nlauncher = ['/nowhere/srun']\n");
    let output = home
        .warpup(&["run", "two-workers/first-run", "--device", "cuda"])
        .output()
        .unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(said.contains("or its launcher does not exist"), "{said}");
    assert!(!said.contains("driver"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
