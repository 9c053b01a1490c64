//! Workers for real cards that do not start, as the loader and the system really say it.

use crate::cards::executable;
use crate::elf;
use crate::labs::{self, Labs, python};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use warpup::lab::engine::cards::CardWorker;
use warpup::lab::engine::{Launch, Workers};
use warpup::protocol::{DeviceName, Outcome, Reason, RunRequest};

/// Why a card cannot be had whose worker is started like this. Tried twice: the engine has to get over the first.
fn reason(program: &Path, arguments: &[&str]) -> Reason {
    let launch = Launch {
        program: program.into(),
        arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
        environment: vec![("LD_LIBRARY_PATH".to_owned(), "".into())],
    };
    let cards = CardWorker {
        launch: launch.clone(),
        ready: Duration::from_mins(1),
        ..CardWorker::default()
    };
    of(Workers {
        own: launch,
        cards: Ok(cards),
    })
}

fn of(workers: Workers) -> Reason {
    let mut labs = Labs::with_workers(workers);
    let mut told = || {
        let run = labs.run(RunRequest {
            device: DeviceName::Cuda(0),
            ..python("print(1)")
        });
        let Outcome::Unavailable(reason) = labs::outcome(&run) else {
            panic!("{:?}", labs::outcome(&run));
        };
        reason.clone()
    };
    let first = told();
    assert_eq!(first, told());
    first
}

/// The same of a shell script.
fn of_script(script: &str) -> Reason {
    reason(Path::new("/bin/sh"), &["-c", script])
}

fn told(reason: &Reason, folder: &TempDir) -> String {
    let text = format!("{}\n{}\n{}", reason.why, reason.evidence, reason.hint);
    text.replace(folder.path().to_str().unwrap(), "DIR")
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_machine_without_a_driver_is_told_by_the_loaders_own_line() {
    let folder = TempDir::new().unwrap();
    // A driver that nobody has, so that this holds on machines with a card, too.
    let worker = executable(folder.path(), "worker", &elf::that_needs("libcuda.so.99"));
    insta::assert_snapshot!(told(&reason(&worker, &[]), &folder), @r"
    libcuda.so.99 is missing: no NVIDIA driver is installed here, or it is not let into this container
    DIR/worker: error while loading shared libraries: libcuda.so.99: cannot open shared object file: No such file or directory
    warpup doctor says what is missing; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_library_of_the_toolkit_is_another_matter_than_the_driver() {
    let folder = TempDir::new().unwrap();
    let worker = executable(folder.path(), "worker", &elf::that_needs("libcublas.so.99"));
    insta::assert_snapshot!(told(&reason(&worker, &[]), &folder), @r"
    libcublas.so.99 cannot be loaded, which the worker for real cards needs besides the driver
    DIR/worker: error while loading shared libraries: libcublas.so.99: cannot open shared object file: No such file or directory
    name the folder of the CUDA libraries as library_path under [cuda] in settings.toml, or build the worker again with scripts/build-cuda-worker; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[test]
fn a_file_that_cannot_be_executed_is_told_with_what_to_do() {
    let folder = TempDir::new().unwrap();
    let worker = executable(folder.path(), "worker", b"\x7fELF of another kind");
    insta::assert_snapshot!(told(&reason(&worker, &[]), &folder), @r"
    DIR/worker is no program for this kind of machine
    Exec format error (os error 8)
    build the worker on this machine with scripts/build-cuda-worker; cpu and modelled cards such as model:t4 need none of this
    ");
    fs::set_permissions(&worker, Permissions::from_mode(0o644)).unwrap();
    insta::assert_snapshot!(told(&reason(&worker, &[]), &folder), @r"
    DIR/worker may not be executed by you, or where it lies
    Permission denied (os error 13)
    chmod +x it, or put it on a disk that is not mounted noexec; cpu and modelled cards such as model:t4 need none of this
    ");
    fs::remove_file(&worker).unwrap();
    insta::assert_snapshot!(told(&reason(&worker, &[]), &folder), @r"
    DIR/worker is not there, or what it is started by is not
    No such file or directory (os error 2)
    scripts/build-cuda-worker builds a worker where there is a card; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[test]
fn one_of_another_version_is_to_be_built_again() {
    let hello = r#"echo '{"say":"hello","version":99,"warpup":"9","devices":[]}'; exec sleep 1000"#;
    let refusal = r#"echo '{"say":"refused","why":"the app speaks version 1 of the protocol, this worker 2"}'; exec sleep 1000"#;
    let folder = TempDir::new().unwrap();
    insta::assert_snapshot!(told(&of_script(hello), &folder), @r"
    the worker for real cards speaks version 99 of the protocol, the app 1
    the lab worker speaks version 99 of the protocol, the app 1: install both from one build
    build it again with scripts/build-cuda-worker; cpu and modelled cards such as model:t4 need none of this
    ");
    insta::assert_snapshot!(told(&of_script(refusal), &folder), @r"
    the worker for real cards speaks another version of the protocol, the app 1
    the app speaks version 1 of the protocol, this worker 2
    build it again with scripts/build-cuda-worker; cpu and modelled cards such as model:t4 need none of this
    ");
}

#[test]
fn one_that_never_gets_ready_is_given_up() {
    let launch = Launch {
        program: "/bin/sh".into(),
        arguments: vec!["-c".to_owned(), "exec sleep 1000".to_owned()],
        environment: Vec::new(),
    };
    let cards = CardWorker {
        launch,
        ready: Duration::from_millis(50),
        ..CardWorker::default()
    };
    let reason = of(Workers {
        cards: Ok(cards),
        ..Workers::without_cards(Launch::default())
    });
    assert!(
        reason.why.starts_with("the card was not ready"),
        "{reason:?}"
    );
}

#[test]
fn a_launcher_that_fails_is_quoted() {
    let said = "echo 'ssh: connect to host gpubox port 22: Connection refused' >&2; exit 255";
    let folder = TempDir::new().unwrap();
    insta::assert_snapshot!(told(&of_script(said), &folder), @r"
    the worker for real cards ended with exit status 255 before it was ready
    ssh: connect to host gpubox port 22: Connection refused
    warpup doctor looks at what it needs; cpu and modelled cards such as model:t4 need none of this
    ");
}
