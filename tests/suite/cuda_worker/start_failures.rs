//! Why a worker for real cards does not start, as the loader and the system report it.

use super::executable;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use crate::elf;
use crate::support::lab_runner::{LabRunner, launch, outcome};
use crate::support::request::python_on;
use crate::support::temp_home::TempHome;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use warpup_lab::engine::Launch;
use warpup_lab::engine::cards::CardWorker;
use warpup_protocol::{Outcome, Reason};

/// Why no card is available with this worker. Tried twice: the engine has to recover from the first failure.
fn reason_with(cards: CardWorker) -> Reason {
    let mut runner = LabRunner::with_card_worker(cards);
    let mut reason = || {
        let run = runner.run(python_on("cuda", "print(1)"));
        let Outcome::Unavailable(reason) = outcome(&run) else {
            panic!("{:?}", outcome(&run));
        };
        reason.clone()
    };
    let first = reason();
    assert_eq!(first, reason());
    first
}

/// Why a worker is not available that is started like this.
fn reason(program: &Path, arguments: &[&str]) -> Reason {
    reason_with(CardWorker {
        launch: Launch {
            environment: vec![("LD_LIBRARY_PATH".to_owned(), "".into())],
            ..launch(program.to_str().unwrap(), arguments)
        },
        ready_timeout: Duration::from_mins(1),
        ..CardWorker::default()
    })
}

/// The reason as text, for a worker that is a shell script.
fn reason_of_script(script: &str) -> String {
    text(&reason(Path::new("/bin/sh"), &["-c", script]))
}

/// The reason as text, for a worker in a temporary home.
fn reason_of_file(worker: &Path, home: &TempHome) -> String {
    home.normalised(&text(&reason(worker, &[])))
}

fn text(reason: &Reason) -> String {
    format!("{}\n{}\n{}", reason.why, reason.evidence, reason.hint)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_machine_without_a_driver_is_recognised_by_the_loaders_message() {
    let home = TempHome::new();
    // A version that no machine has, so that the test passes on machines with a card as well.
    let worker = executable(home.path(), "worker", &elf::that_needs("libcuda.so.99"));
    insta::assert_snapshot!(reason_of_file(&worker, &home), @r"
    libcuda.so.99 is missing: no NVIDIA driver is installed here, or it is not available in this container
    DIR/worker: error while loading shared libraries: libcuda.so.99: cannot open shared object file: No such file or directory
    warpup doctor says what is missing; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_missing_library_of_the_toolkit_is_told_apart_from_a_missing_driver() {
    let home = TempHome::new();
    let worker = executable(home.path(), "worker", &elf::that_needs("libcublas.so.99"));
    insta::assert_snapshot!(reason_of_file(&worker, &home), @r"
    libcublas.so.99 cannot be loaded, which the worker for real cards needs besides the driver
    DIR/worker: error while loading shared libraries: libcublas.so.99: cannot open shared object file: No such file or directory
    name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or install the worker again: warpup doctor prints the command; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[test]
fn a_file_that_cannot_be_executed_comes_with_what_to_do() {
    let home = TempHome::new();
    let worker = executable(home.path(), "worker", b"\x7fELF of another kind");
    insta::assert_snapshot!(reason_of_file(&worker, &home), @r"
    DIR/worker was not built for this kind of machine
    Exec format error (os error 8)
    warpup doctor prints the command that installs one for this machine; cpu and modelled cards such as model:t4 need none of this
    ");
    fs::set_permissions(&worker, Permissions::from_mode(0o644)).unwrap();
    insta::assert_snapshot!(reason_of_file(&worker, &home), @r"
    you may not execute DIR/worker, or its disk forbids it
    Permission denied (os error 13)
    if it is a folder, name the program in it; else chmod +x it, or put it on a disk that is not mounted noexec; cpu and modelled cards such as model:t4 need none of this
    ");
    fs::remove_file(&worker).unwrap();
    insta::assert_snapshot!(reason_of_file(&worker, &home), @r"
    `DIR/worker` does not exist, or its launcher does not exist
    No such file or directory (os error 2)
    correct worker or launcher under [cuda] in settings.toml, if one is set; warpup doctor prints the command that installs a worker; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[test]
fn a_worker_of_another_version_has_to_be_built_again() {
    let hello = r#"echo '{"say":"hello","version":99,"warpup":"9","devices":[]}'; exec sleep 1000"#;
    let refusal = r#"echo '{"say":"refused","why":"the app speaks version 1 of the protocol, this worker 2"}'; exec sleep 1000"#;
    insta::assert_snapshot!(reason_of_script(hello), @r"
    the worker for real cards speaks version 99 of the protocol, the app 1
    the lab worker speaks version 99 of the protocol, the app 1: install both from one build
    install it again: warpup doctor prints the command; cpu and modelled cards such as model:t4 need none of this
    ");
    insta::assert_snapshot!(reason_of_script(refusal), @r"
    the worker for real cards speaks another version of the protocol, the app 1
    the app speaks version 1 of the protocol, this worker 2
    install it again: warpup doctor prints the command; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[test]
fn a_worker_that_never_gets_ready_is_given_up() {
    let reason = reason_with(CardWorker {
        launch: launch("/bin/sh", &["-c", "exec sleep 1000"]),
        ready_timeout: Duration::from_millis(50),
        ..CardWorker::default()
    });
    assert!(
        reason.why.starts_with("the card was not ready"),
        "{reason:?}"
    );
}

#[test]
fn a_launcher_that_fails_is_quoted() {
    let script = "echo 'ssh: connect to host gpubox port 22: Connection refused' >&2; exit 255";
    insta::assert_snapshot!(reason_of_script(script), @r"
    the worker for real cards ended with exit status 255 before it was ready
    ssh: connect to host gpubox port 22: Connection refused
    warpup doctor looks at what it needs; cpu and modelled cards such as model:t4 need none of this
    ");
}
