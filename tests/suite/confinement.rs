//! What the kernel lets a lab's process do, measured: the same process as a worker's tries it.
//!
//! This holds whatever the interpreter lets through: nothing here goes through Python.

use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::request::python;
use crate::support::worker_process::WorkerProcess;
use std::fs::DirEntry;
use std::process::{Command, Stdio};
use warpup_protocol::{Attempt, AttemptResult, ForbiddenAction, Outcome, frame};

/// What came of each deed in a process that is confined like a worker.
fn attempts(more: &[&str]) -> Vec<Attempt> {
    let mut probe = Command::new(env!("CARGO_BIN_EXE_warpup"));
    probe.args(["worker", "--probe-confinement"]).args(more);
    // Its parent is this test, so that what it tries on its parent would work.
    let output = probe.stdin(Stdio::null()).output().unwrap();
    let mut lines = output.stdout.as_slice();
    std::iter::from_fn(|| frame::read(&mut lines).unwrap()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_reaches_no_file_no_program_no_socket_and_no_other_process() {
    let expected = ForbiddenAction::ALL.map(|what| Attempt {
        what,
        came: AttemptResult::Refused,
    });
    assert_eq!(attempts(&[]), expected);
}

/// The rules for a worker whose card is open, without a card.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_with_a_card_reaches_the_driver_s_files_and_nothing_else() {
    let works: Vec<ForbiddenAction> = attempts(&["--as-card"])
        .into_iter()
        .filter(|it| it.came != AttemptResult::Refused)
        .map(|it| it.what)
        .collect();
    assert_eq!(
        works,
        [
            ForbiddenAction::FileSize,
            // In the temporary folder.
            ForbiddenAction::WriteFile,
            ForbiddenAction::NamelessFile,
        ]
    );
}

/// Files that the learner's shell left open, as `warpup run FILE 3</etc/shadow` does.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_has_no_descriptor_but_its_own() {
    let open = "exec 3</etc/hostname 4<>/dev/null 9</; exec \"$0\" worker";
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", open, env!("CARGO_BIN_EXE_warpup")]);
    let mut worker = WorkerProcess::spawn(&mut shell);
    worker.send_hello();
    worker.reply();
    let listed = std::fs::read_dir(format!("/proc/{}/fd", worker.id())).unwrap();
    // What its threads read of themselves: how long they had no core.
    let is_of_thread = |it: &DirEntry| {
        let file = std::fs::read_link(it.path()).unwrap();
        file.ends_with("schedstat") && file.starts_with(format!("/proc/{}/task", worker.id()))
    };
    let others = listed.map(Result::unwrap).filter(|it| !is_of_thread(it));
    let mut left: Vec<u32> = others
        .map(|it| it.file_name().into_string().unwrap().parse().unwrap())
        .collect();
    left.sort_unstable();
    // Those that each process has, and the protocol's.
    assert_eq!(left[..3], [0, 1, 2]);
    assert_eq!(left.len(), 4, "{left:?}");
}

/// The lines of `/proc/PID/status` and `/proc/PID/limits` that begin with one of these words.
#[cfg(target_os = "linux")]
fn said_of(worker: &WorkerProcess, words: &[&str]) -> Vec<String> {
    let read = |file| std::fs::read_to_string(format!("/proc/{}/{file}", worker.id())).unwrap();
    let text = read("status") + &read("limits");
    let is_meant = |line: &&str| words.iter().any(|it| line.starts_with(it));
    let columns = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().filter(is_meant).map(columns).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_is_confined_before_it_answers() {
    let mut worker = WorkerProcess::start();
    worker.send_hello();
    worker.reply();
    let words = [
        "NoNewPrivs:",
        "Seccomp:",
        "Max file size",
        "Max core",
        "Max open",
        "Max address",
    ];
    let said = said_of(&worker, &words).join("\n");
    insta::assert_snapshot!(said, @r"
    NoNewPrivs: 1
    Seccomp: 2
    Max file size 0 0 bytes
    Max core file size 0 0 bytes
    Max open files 16 16 files
    Max address space 12884901888 12884901888 bytes
    ");
}

#[test]
fn a_worker_has_no_variable_of_the_app_that_it_does_not_need() {
    assert!(
        std::env::var_os("CARGO_MANIFEST_DIR").is_some(),
        "cargo gives the test its own"
    );
    let names = "env | cut -d= -f1 >&2; exit 1";
    let mut runner = LabRunner::with_worker("/bin/sh", &["-c", names]);
    let run = runner.run(python("print(1)"));
    let Outcome::Broken { what } = outcome(&run) else {
        panic!("{:?}", outcome(&run));
    };
    let given = ["PATH", "LD_", "MALLOC_", "RAYON_", "CANDLE_", "RUST_"];
    // The shell adds some of its own.
    let is_needed = |it: &&str| {
        given.iter().any(|name| it.starts_with(name))
            || ["PWD", "OLDPWD", "SHLVL", "_"].contains(it)
    };
    let (_, names) = what.split_once("it said: ").unwrap();
    let others: Vec<&str> = names.lines().filter(|it| !is_needed(it)).collect();
    assert_eq!(others, Vec::<&str>::new());
    assert!(names.contains("RAYON_NUM_THREADS"), "{names}");
}
