//! When the app starts, keeps and ends the worker for real cards.
//!
//! A shell script takes the place of the worker: it speaks the protocol and reports its start and its end on a named
//! pipe. What a worker does on a card is tested in `tests/cuda`.

use super::executable;
use crate::course_walk;
use crate::support::fifo::{self, EndPipe, LinePipe};
use crate::support::lab_runner::{LabRunner, launch, outcome, shipped_course};
use crate::support::pty::{Start, Terminal};
use crate::support::request::python_on;
use crate::support::temp_home::TempHome;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use warpup_lab::engine::Launch;
use warpup_lab::engine::cards::CardWorker;
use warpup_lab::run::Run;
use warpup_protocol::{Limits, Outcome, RunRequest};

/// Longer than a test.
pub(super) const LONG: Duration = Duration::from_hours(1);

/// Reports its start, answers each run, and reports its end when its input ends.
const STAND_IN: &str = r#"
say() { echo "$*" >"$PIPE"; }
say started
echo '{"say":"hello","version":1,"warpup":"0","devices":[{"name":"cuda","title":"Some card","clock":"measured"}]}'
while read -r line; do
  case $line in
    *'"ask":"run"'*)
      run=${line#*'"run":'} run=${run%%,*}
      case $line in *card_bytes*) say "may hold ${line#*'"card_bytes":'}" ;; esac
      echo '{"say":"started","run":'$run',"device":{"name":"cuda","title":"Some card","clock":"measured"}}'
      ending='"spans_dropped":0'$MORE
      if [ -z "$HANGS" ]; then
        echo '{"say":"finished","run":'$run',"report":{"outcome":{"how":"done"},"clock":"measured","host_ns":1,"lines":[],'$ending'}}'
      fi ;;
  esac
done
say ended
"#;

/// A worker that is a shell script. It finds the path of the pipe in `PIPE`.
pub(super) fn script(text: &str, pipe: &Path, variables: &[(&str, &str)]) -> CardWorker {
    let variables = variables.iter().map(|(name, value)| (*name, value.into()));
    let variables = variables.chain([("PIPE", OsString::from(pipe))]);
    let environment = variables.map(|(name, value)| (name.to_owned(), value));
    CardWorker {
        launch: Launch {
            environment: environment.collect(),
            ..launch("/bin/sh", &["-c", text])
        },
        ready_timeout: LONG,
        linger: LONG,
        memory_cap: None,
        launcher: None,
    }
}

pub(super) fn on(device: &str) -> RunRequest {
    python_on(device, "print(6 * 7)")
}

fn assert_done(run: &Run) {
    assert_eq!(outcome(run), &Outcome::Done);
}

#[test]
fn the_worker_starts_with_the_first_run_on_a_card() {
    let pipe = LinePipe::new();
    let mut runner = LabRunner::with_card_worker(script(STAND_IN, &pipe.path(), &[]));
    for device in ["cpu", "model:t4", "cpu"] {
        assert_done(&runner.run(on(device)));
    }
    assert_eq!(pipe.lines_so_far(), Vec::<String>::new());
    let run = runner.run(on("cuda"));
    assert_done(&run);
    assert_eq!(run.device.unwrap().title, "Some card");
    assert_eq!(pipe.next(), "started");
}

#[test]
fn the_worker_stays_for_the_next_run_and_ends_when_the_learner_takes_another_device() {
    let pipe = LinePipe::new();
    let mut runner = LabRunner::with_card_worker(script(STAND_IN, &pipe.path(), &[]));
    for device in ["cuda", "cuda:1", "cuda"] {
        assert_done(&runner.run(on(device)));
    }
    runner.let_card_go();
    assert_eq!([pipe.next(), pipe.next()], ["started", "ended"]);
    // So does a run on another device.
    for device in ["cuda", "model:t4", "cuda"] {
        assert_done(&runner.run(on(device)));
    }
    let mut reported = [pipe.next(), pipe.next(), pipe.next()];
    // The new worker does not wait for the end of the old one.
    reported.sort();
    assert_eq!(reported, ["ended", "started", "started"]);
}

#[test]
fn the_worker_ends_when_nothing_runs_on_it_for_a_while() {
    for linger in [Duration::ZERO, Duration::from_millis(1)] {
        let pipe = LinePipe::new();
        let mut runner = LabRunner::with_card_worker(CardWorker {
            linger,
            ..script(STAND_IN, &pipe.path(), &[])
        });
        for _ in 0..2 {
            assert_done(&runner.run(on("cuda")));
            assert_eq!([pipe.next(), pipe.next()], ["started", "ended"]);
        }
    }
}

#[test]
fn a_run_that_breaks_the_worker_is_its_last() {
    let pipe = LinePipe::new();
    let broken = [("MORE", r#","worker_ends":true"#)];
    let mut runner = LabRunner::with_card_worker(script(STAND_IN, &pipe.path(), &broken));
    for _ in 0..2 {
        assert_done(&runner.run(on("cuda")));
        assert_eq!([pipe.next(), pipe.next()], ["started", "ended"]);
    }
}

#[test]
fn a_run_finishes_after_the_learner_has_taken_another_device() {
    let pipe = LinePipe::new();
    // A run finishes when the test writes to a second pipe.
    let text = STAND_IN.replace(
        "if [ -z \"$HANGS\" ]",
        "read -r word <\"$PIPE.go\"; if true",
    );
    let go = pipe.folder().join("pipe.go");
    fifo::make(&go);
    let mut runner = LabRunner::with_card_worker(script(&text, &pipe.path(), &[]));
    let run = runner.begin(on("cuda"));
    assert_eq!(pipe.next(), "started");
    runner.let_card_go();
    fs::write(&go, "go\n").unwrap();
    assert_done(&runner.end_of(run));
    assert_eq!(pipe.next(), "ended");
}

#[test]
fn the_time_of_a_program_begins_when_its_card_is_ready() {
    let pipe = LinePipe::new();
    let limits = Limits {
        time_ms: 1_000,
        ..Limits::default()
    };
    // The start takes longer than the program may.
    let slow = format!("sleep 1.2\n{STAND_IN}");
    let mut ready_late = LabRunner::with_card_worker(script(&slow, &pipe.path(), &[]));
    assert_done(&ready_late.run(RunRequest {
        limits,
        ..on("cuda")
    }));
    let mut hangs =
        LabRunner::with_card_worker(script(STAND_IN, &pipe.path(), &[("HANGS", "yes")]));
    let run = hangs.run(RunRequest {
        limits,
        ..on("cuda")
    });
    assert_eq!(outcome(&run), &Outcome::TimedOut);
}

#[test]
fn each_run_carries_the_memory_cap() {
    let pipe = LinePipe::new();
    let mut runner = LabRunner::with_card_worker(CardWorker {
        memory_cap: Some(12_345),
        ..script(STAND_IN, &pipe.path(), &[])
    });
    assert_done(&runner.run(on("cuda")));
    assert_eq!(pipe.next(), "started");
    let cap = pipe.next();
    assert!(cap.starts_with("may hold 12345"), "{cap}");
    // A modelled card has its own capacity.
    let run = runner.run(on("model:t4"));
    assert_done(&run);
}

/// Holds the pipe open until its end, and ends only by a kill.
const STUBBORN: &str = r#"
exec 3>"$PIPE"
echo '{"say":"hello","version":1,"warpup":"0","devices":[]}'
read -r hello; read -r line
run=${line#*'"run":'} run=${run%%,*}
echo '{"say":"finished","run":'$run',"report":{"outcome":{"how":"done"},"clock":"measured","host_ns":1,"lines":[],"spans_dropped":0}}'
while :; do sleep 1000; done
"#;

#[test]
fn a_worker_that_ignores_the_end_of_its_input_is_killed() {
    let held = EndPipe::new();
    let mut runner = LabRunner::with_card_worker(script(STUBBORN, &held.path(), &[]));
    assert_done(&runner.run(on("cuda")));
    runner.let_card_go();
    held.wait();
}

#[test]
fn the_worker_ends_with_the_engine() {
    let held = EndPipe::new();
    let mut runner = LabRunner::with_card_worker(script(STUBBORN, &held.path(), &[]));
    assert_done(&runner.run(on("cuda")));
    drop(runner);
    held.wait();
}

#[test]
fn the_worker_ends_when_the_app_is_killed() {
    let (held, home) = (EndPipe::new(), TempHome::new());
    // Like the real worker it reads on while a program runs, and ends with its input.
    let pipe = LinePipe::new();
    let text = format!(
        "#!/bin/sh\nexec 3>'{}'\nPIPE='{}'\nHANGS=yes\n{STAND_IN}",
        held.path().display(),
        pipe.path().display()
    );
    let worker = executable(home.path(), "worker", text.as_bytes());
    let program = home.write("mine.py", "print(1)\n");
    let mut app = home
        .warpup(&["run", program.to_str().unwrap(), "--device", "cuda"])
        .env("WARPUP_WORKER_CUDA", &worker)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(pipe.next(), "started");
    let killed = Instant::now();
    app.kill().unwrap();
    app.wait().unwrap();
    held.wait();
    let took = killed.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn settings_and_the_notes_of_the_build_reach_the_worker() {
    let (pipe, home) = (LinePipe::new(), TempHome::new());
    let look = "say \"$LD_LIBRARY_PATH $CUDA_DEVICE_ORDER $CUDA_VISIBLE_DEVICES\"";
    let text = STAND_IN.replace("say started", look);
    let text = format!("#!/bin/sh\nPIPE='{}'\n{text}", pipe.path().display());
    let worker = executable(home.path(), "worker", text.as_bytes());
    home.write("worker.toml", "library_path = ['/built']\n");
    home.write_settings(&format!(
        "[cuda]\nworker = '{}'\nlibrary_path = ['/set']\nmemory_cap = '1 KiB'\nlinger_seconds = 0\n",
        worker.display()
    ));
    home.write("mine.py", "print(1)\n");
    let output = home
        .warpup(&["run", "mine.py", "--device", "cuda", "--json"])
        .current_dir(home.path())
        .env_remove("WARPUP_WORKER_CUDA")
        .env("CUDA_VISIBLE_DEVICES", "GPU-8c1a")
        .env("LD_LIBRARY_PATH", "/theirs")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["device_info"]["title"], "Some card");
    assert_eq!(shown["clock"], "measured");
    assert_eq!(pipe.next(), "/set:/theirs:/built PCI_BUS_ID GPU-8c1a");
    let cap = pipe.next();
    assert!(cap.starts_with("may hold 1024"), "{cap}");
}

/// The app at a lab, with this script as its worker for real cards.
fn at_a_lab(folder: &Path, script: &str) -> Terminal {
    in_the_app_at_a_lab(Start::warpup(), folder, script)
}

fn in_the_app_at_a_lab(start: Start, folder: &Path, script: &str) -> Terminal {
    let worker = executable(folder, "worker", script.as_bytes());
    let mut terminal = start.env("WARPUP_WORKER_CUDA", worker).spawn();
    terminal.wait_for(|it| it.contains("lessons done"), "the course map");
    let course = shipped_course();
    let lesson = course_walk::lesson(course, "where-a-tensor-lives");
    course_walk::open_lesson(&mut terminal, course, lesson);
    course_walk::open_lab(&mut terminal, lesson, 1, "model-and-batch");
    terminal.press("dd<Enter>");
    terminal.wait_for(|it| it.contains("on cuda, a real card"), "the choice");
    terminal
}

#[test]
fn in_the_app_one_key_chooses_a_card_and_the_worker_ends_with_that_choice_and_with_the_app() {
    let pipe = LinePipe::new();
    let script = format!("#!/bin/sh\nPIPE='{}'\n{STAND_IN}", pipe.path().display());
    let mut terminal = at_a_lab(pipe.folder(), &script);
    assert_eq!(pipe.lines_so_far(), Vec::<String>::new());
    terminal.press("r");
    terminal.wait_for(|it| it.contains("passed: it ran"), "the end of the run");
    terminal.wait_for(|it| it.contains("on Some card"), "the card's name");
    assert_eq!(pipe.next(), "started");
    terminal.press("dd<Enter>");
    assert_eq!(pipe.next(), "ended");
    terminal.press("D");
    terminal.wait_for(|it| it.contains("on Some card"), "the card again");
    terminal.press("r");
    assert_eq!(pipe.next(), "started");
    terminal.press("qqqq");
    terminal.wait_exit();
}

#[test]
fn dropping_the_card_cancels_its_run() {
    let held = EndPipe::new();
    let pipe = LinePipe::new();
    let script_text = format!("exec 3>'{}'\n{STAND_IN}", held.path().display());
    let mut runner =
        LabRunner::with_card_worker(script(&script_text, &pipe.path(), &[("HANGS", "yes")]));
    let run = runner.begin(on("cuda"));
    assert_eq!(pipe.next(), "started");
    runner.kill_runs();
    assert_eq!(outcome(&runner.end_of(run)), &Outcome::Cancelled);
    held.wait();
    // A second time it does nothing.
    runner.kill_runs();
}

#[test]
fn suspending_the_app_ends_the_worker() {
    let held = EndPipe::new();
    let pipe = LinePipe::new();
    let script = format!(
        "#!/bin/sh\nexec 3>'{}'\nPIPE='{}'\n{STAND_IN}",
        held.path().display(),
        pipe.path().display()
    );
    // Only a shell can continue the app, so without one Ctrl-Z does nothing.
    let shell = format!(
        "set -m; {}; echo stopped $?; read x",
        env!("CARGO_BIN_EXE_warpup")
    );
    let start = Start::program("/bin/sh").args(["-c", &shell]);
    // Longer than a test waits: the card must not be released because nobody uses it.
    let settings = start.home().join("config/warpup/settings.toml");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(settings, "[cuda]\nlinger_seconds = 600\n").unwrap();
    let mut terminal = in_the_app_at_a_lab(start, pipe.folder(), &script);
    terminal.press("r");
    terminal.wait_for(|it| it.contains("passed: it ran"), "the end of the run");
    terminal.press("<C-z>");
    held.wait();
    // What stops after its shell has ended would stay.
    terminal.wait_for(|it| it.contains("stopped 1"), "the shell");
}

#[test]
fn a_real_card_is_no_device_of_warpups_own_worker() {
    let mut runner = LabRunner::start();
    let run = runner.run(on("cuda"));
    assert!(matches!(outcome(&run), Outcome::Unavailable(_)), "{run:?}");
    assert_eq!(run.device, None::<warpup_protocol::DeviceInfo>);
    assert_eq!(on("cuda").device, warpup_protocol::DeviceName::cuda(0));
}
