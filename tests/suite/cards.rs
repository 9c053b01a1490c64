//! The worker for real cards as the app starts, keeps and ends it.
//!
//! A shell script stands in for it: it speaks the protocol, and tells through a pipe of its own when it starts
//! and when it ends. What it would do on a card is not the matter here.

use crate::labs::{self, Labs, python};
use crate::pty::{Start, Terminal};
use crate::way;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use warpup::lab::engine::cards::CardWorker;
use warpup::lab::engine::{Launch, Workers};
use warpup::lab::run::Run;
use warpup::protocol::{DeviceName, Limits, Outcome, RunRequest};

/// Much longer than anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// Longer than a test.
const LONG: Duration = Duration::from_hours(1);

/// Says that it has started, answers each run with `$ending`, and says that it ends with its input.
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

/// A pipe with a name, and what is written to it line by line.
struct Pipe {
    folder: TempDir,
    lines: Receiver<String>,
}

impl Pipe {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        // Opened for writing, too, so that it does not end with the first writer.
        let pipe = File::options().read(true).write(true).open(&path).unwrap();
        let (said, lines) = sync_channel(64);
        let reader = move || {
            for line in BufReader::new(pipe).lines() {
                if said.send(line.unwrap()).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(reader).unwrap();
        Self { folder, lines }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("pipe")
    }

    fn next(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("nothing is said")
    }

    /// What was said up to now: up to a line that is written now.
    fn so_far(&self) -> Vec<String> {
        fs::write(self.path(), "now\n").unwrap();
        let lines = std::iter::from_fn(|| Some(self.next()));
        lines.take_while(|it| it != "now").collect()
    }
}

/// How a script is started that stands in for the worker.
fn script(text: &str, pipe: &Path, variables: &[(&str, &str)]) -> CardWorker {
    let variables = variables
        .iter()
        .map(|(name, value)| (*name, (*value).into()));
    let pipe = std::iter::once(("PIPE", pipe.into()));
    CardWorker {
        launch: Launch {
            program: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), text.to_owned()],
            environment: pipe
                .chain(variables)
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        },
        ready: LONG,
        linger: LONG,
        memory_cap: None,
    }
}

/// An engine with the real worker for the CPU and this one for cards.
fn labs(cards: CardWorker) -> Labs {
    let own = Launch {
        program: env!("CARGO_BIN_EXE_warpup").into(),
        arguments: vec!["worker".to_owned()],
        environment: Vec::new(),
    };
    Labs::with_workers(Workers {
        own,
        cards: Ok(cards),
    })
}

fn on(device: &str) -> RunRequest {
    RunRequest {
        device: device.parse().unwrap(),
        ..python("print(6 * 7)")
    }
}

fn assert_done(run: &Run) {
    assert_eq!(labs::outcome(run), &Outcome::Done);
}

#[test]
fn it_starts_with_the_first_run_on_a_card_and_no_sooner() {
    let pipe = Pipe::new();
    let mut labs = labs(script(STAND_IN, &pipe.path(), &[]));
    for device in ["cpu", "model:t4", "cpu"] {
        assert_done(&labs.run(on(device)));
    }
    assert_eq!(pipe.so_far(), Vec::<String>::new());
    let run = labs.run(on("cuda"));
    assert_done(&run);
    assert_eq!(run.device.unwrap().title, "Some card");
    assert_eq!(pipe.next(), "started");
}

#[test]
fn it_stays_for_the_next_run_and_ends_when_the_learner_turns_away() {
    let pipe = Pipe::new();
    let mut labs = labs(script(STAND_IN, &pipe.path(), &[]));
    for device in ["cuda", "cuda:1", "cuda"] {
        assert_done(&labs.run(on(device)));
    }
    labs.let_card_go();
    assert_eq!([pipe.next(), pipe.next()], ["started", "ended"]);
    // Another device is another way to turn away.
    for device in ["cuda", "model:t4", "cuda"] {
        assert_done(&labs.run(on(device)));
    }
    let mut told = [pipe.next(), pipe.next(), pipe.next()];
    // The old one may take its time to end; the new one does not wait for it.
    told.sort();
    assert_eq!(told, ["ended", "started", "started"]);
}

#[test]
fn it_ends_by_itself_when_nothing_runs_on_it_for_a_while() {
    for linger in [Duration::ZERO, Duration::from_millis(1)] {
        let pipe = Pipe::new();
        let mut labs = labs(CardWorker {
            linger,
            ..script(STAND_IN, &pipe.path(), &[])
        });
        for _ in 0..2 {
            assert_done(&labs.run(on("cuda")));
            assert_eq!([pipe.next(), pipe.next()], ["started", "ended"]);
        }
    }
}

#[test]
fn a_run_that_leaves_it_broken_is_its_last() {
    let pipe = Pipe::new();
    let broken = [("MORE", r#","worker_ends":true"#)];
    let mut labs = labs(script(STAND_IN, &pipe.path(), &broken));
    for _ in 0..2 {
        assert_done(&labs.run(on("cuda")));
        assert_eq!([pipe.next(), pipe.next()], ["started", "ended"]);
    }
}

#[test]
fn turning_away_while_it_runs_lets_it_finish_first() {
    let pipe = Pipe::new();
    // It finishes when it is told to.
    let text = STAND_IN.replace(
        "if [ -z \"$HANGS\" ]",
        "read -r word <\"$PIPE.go\"; if true",
    );
    let go = pipe.folder.path().join("pipe.go");
    assert!(Command::new("mkfifo").arg(&go).status().unwrap().success());
    let mut labs = labs(script(&text, &pipe.path(), &[]));
    let run = labs.begin(on("cuda"));
    assert_eq!(pipe.next(), "started");
    labs.let_card_go();
    fs::write(&go, "go\n").unwrap();
    assert_done(&labs.end_of(run));
    assert_eq!(pipe.next(), "ended");
}

#[test]
fn the_time_of_a_program_begins_when_its_card_is_ready() {
    let pipe = Pipe::new();
    let limits = Limits {
        time_ms: 1_000,
        ..Limits::default()
    };
    // Longer than the program may take, before it begins.
    let slow = format!("sleep 1.2\n{STAND_IN}");
    let mut ready_late = labs(script(&slow, &pipe.path(), &[]));
    assert_done(&ready_late.run(RunRequest {
        limits,
        ..on("cuda")
    }));
    let mut hangs = labs(script(STAND_IN, &pipe.path(), &[("HANGS", "yes")]));
    let run = hangs.run(RunRequest {
        limits,
        ..on("cuda")
    });
    assert_eq!(labs::outcome(&run), &Outcome::TimedOut);
}

#[test]
fn the_cap_on_memory_goes_with_each_run() {
    let pipe = Pipe::new();
    let mut labs = labs(CardWorker {
        memory_cap: Some(12_345),
        ..script(STAND_IN, &pipe.path(), &[])
    });
    assert_done(&labs.run(on("cuda")));
    assert_eq!(pipe.next(), "started");
    let told = pipe.next();
    assert!(told.starts_with("may hold 12345"), "{told}");
    // A modelled card has its own capacity.
    let run = labs.run(on("model:t4"));
    assert_done(&run);
}

/// Holds the pipe open until it ends, whatever ends it; heeds nothing but a kill.
const STUBBORN: &str = r#"
exec 3>"$PIPE"
echo '{"say":"hello","version":1,"warpup":"0","devices":[]}'
read -r hello; read -r line
run=${line#*'"run":'} run=${run%%,*}
echo '{"say":"finished","run":'$run',"report":{"outcome":{"how":"done"},"clock":"measured","host_ns":1,"lines":[],"spans_dropped":0}}'
while :; do sleep 1000; done
"#;

/// A pipe whose end can be waited for: that of the last process that holds it open.
fn held() -> (TempDir, PathBuf, Receiver<()>) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("held");
    assert!(
        Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    let (ended, end) = sync_channel(1);
    let read = path.clone();
    let reader = move || {
        let mut held = File::open(read).unwrap();
        held.read_to_end(&mut Vec::new()).unwrap();
        let _ = ended.send(());
    };
    thread::Builder::new().spawn(reader).unwrap();
    (folder, path, end)
}

#[test]
fn one_that_does_not_end_when_it_is_asked_to_is_killed() {
    let (_folder, path, end) = held();
    let mut labs = labs(script(STUBBORN, &path, &[]));
    assert_done(&labs.run(on("cuda")));
    labs.let_card_go();
    end.recv_timeout(PATIENCE).expect("it is still there");
}

#[test]
fn it_ends_with_the_engine() {
    let (_folder, path, end) = held();
    let mut labs = labs(script(STUBBORN, &path, &[]));
    assert_done(&labs.run(on("cuda")));
    drop(labs);
    end.recv_timeout(PATIENCE).expect("it is still there");
}

#[test]
fn pulling_the_plug_on_the_app_ends_it() {
    let (folder, path, end) = held();
    // As the real one: it reads on while a program runs, and the end of its input ends it.
    let text = format!("#!/bin/sh\nexec 3>'{}'\n{STAND_IN}", path.display());
    let worker = executable(folder.path(), "worker", text.as_bytes());
    let program = folder.path().join("mine.py");
    fs::write(&program, "print(1)\n").unwrap();
    let said = Pipe::new();
    let mut app = Command::new(env!("CARGO_BIN_EXE_warpup"))
        .args(["run", program.to_str().unwrap(), "--device", "cuda"])
        .env("WARPUP_WORKER_CUDA", &worker)
        .env("WARPUP_DATA", folder.path().join("data"))
        .env("XDG_CONFIG_HOME", folder.path())
        .env("PIPE", said.path())
        .env("HANGS", "yes")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(said.next(), "started");
    let pulled = Instant::now();
    app.kill().unwrap();
    app.wait().unwrap();
    end.recv_timeout(PATIENCE).expect("it is still there");
    assert!(
        pulled.elapsed() < Duration::from_secs(5),
        "{:?}",
        pulled.elapsed()
    );
}

#[test]
fn what_is_set_and_what_its_build_noted_reach_it() {
    let said = Pipe::new();
    let folder = said.folder.path();
    let look = "say \"$LD_LIBRARY_PATH $CUDA_DEVICE_ORDER $CUDA_VISIBLE_DEVICES\"";
    let text = STAND_IN.replace("say started", look);
    let text = format!("#!/bin/sh\nPIPE='{}'\n{text}", said.path().display());
    let worker = executable(folder, "worker", text.as_bytes());
    fs::write(folder.join("worker.toml"), "library_path = ['/built']\n").unwrap();
    fs::create_dir(folder.join("warpup")).unwrap();
    let settings = format!(
        "[cuda]\nworker = '{}'\nlibrary_path = ['/set']\nmemory_cap = '1 KiB'\nlinger_seconds = 0\n",
        worker.display()
    );
    fs::write(folder.join("warpup/settings.toml"), settings).unwrap();
    fs::write(folder.join("mine.py"), "print(1)\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_warpup"))
        .args(["run", "mine.py", "--device", "cuda", "--json"])
        .current_dir(folder)
        .env_remove("WARPUP_WORKER_CUDA")
        .env_remove("CUDA_DEVICE_ORDER")
        .env("CUDA_VISIBLE_DEVICES", "GPU-8c1a")
        .env("LD_LIBRARY_PATH", "/theirs")
        .env("WARPUP_DATA", folder.join("data"))
        .env("XDG_CONFIG_HOME", folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["device_info"]["title"], "Some card");
    assert_eq!(shown["clock"], "measured");
    assert_eq!(said.next(), "/set:/theirs:/built PCI_BUS_ID GPU-8c1a");
    let told = said.next();
    assert!(told.starts_with("may hold 1024"), "{told}");
}

/// The app at its first lab, with a worker for real cards that is this script.
fn at_a_lab(folder: &Path, script: &str) -> Terminal {
    let worker = executable(folder, "worker", script.as_bytes());
    let variable = format!("WARPUP_WORKER_CUDA={}", worker.display());
    let warpup = [variable.as_str(), env!("CARGO_BIN_EXE_warpup")];
    let mut terminal = Start::program("/usr/bin/env").args(warpup).spawn();
    terminal.wait_for(|it| it.contains("lessons done"), "the course map");
    let course = labs::shipped_course();
    let lesson = way::lesson(&course, "where-a-tensor-lives");
    way::to_lesson(&mut terminal, &course, lesson);
    way::to_lab(&mut terminal, lesson, 1, "placement");
    terminal.press("d");
    terminal.wait_for(|it| it.contains("on cuda, a real card"), "the choice");
    terminal
}

#[test]
fn in_the_app_it_is_one_key_away_and_ends_with_the_choice_and_with_the_app() {
    let said = Pipe::new();
    let script = format!("#!/bin/sh\nPIPE='{}'\n{STAND_IN}", said.path().display());
    let mut terminal = at_a_lab(said.folder.path(), &script);
    assert_eq!(said.so_far(), Vec::<String>::new());
    terminal.press("r");
    terminal.wait_for(|it| it.contains("passed: it ran"), "the end of the run");
    terminal.wait_for(|it| it.contains("on Some card"), "the card's name");
    assert_eq!(said.next(), "started");
    terminal.press("d");
    assert_eq!(said.next(), "ended");
    terminal.press("D");
    terminal.wait_for(|it| it.contains("on Some card"), "the card again");
    terminal.press("r");
    assert_eq!(said.next(), "started");
    terminal.press("qqqq");
    terminal.wait_exit();
}

#[test]
fn a_run_that_loses_its_card_is_cancelled() {
    let (_folder, path, end) = held();
    let said = Pipe::new();
    let script_text = format!("exec 3>'{}'\n{STAND_IN}", path.display());
    let mut labs = labs(script(&script_text, &said.path(), &[("HANGS", "yes")]));
    let run = labs.begin(on("cuda"));
    assert_eq!(said.next(), "started");
    labs.drop_card();
    assert_eq!(labs::outcome(&labs.end_of(run)), &Outcome::Cancelled);
    end.recv_timeout(PATIENCE).expect("it is still there");
    // With nothing to drop nothing happens.
    labs.drop_card();
}

#[test]
fn stopping_the_app_gives_the_card_back() {
    let (folder, path, end) = held();
    let said = Pipe::new();
    let script = format!(
        "#!/bin/sh\nexec 3>'{}'\nPIPE='{}'\n{STAND_IN}",
        path.display(),
        said.path().display()
    );
    let mut terminal = at_a_lab(folder.path(), &script);
    terminal.press("r");
    terminal.wait_for(|it| it.contains("passed: it ran"), "the end of the run");
    terminal.press("<C-z>");
    end.recv_timeout(PATIENCE).expect("it is still there");
}

/// An executable file. Another process writes it: while this one has it open for writing, a fork of another test
/// may keep it so, and the system starts no file that is being written.
pub(crate) fn executable(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    use std::io::Write;
    let path = folder.join(name);
    let mut shell = Command::new("/bin/sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    shell.stdin.take().unwrap().write_all(bytes).unwrap();
    assert!(shell.wait().unwrap().success());
    path
}

#[test]
fn a_card_is_no_device_of_warpups_own_worker() {
    let mut labs = Labs::start();
    let run = labs.run(on("cuda"));
    assert!(
        matches!(labs::outcome(&run), Outcome::Unavailable(_)),
        "{run:?}"
    );
    assert_eq!(run.device, None::<warpup::protocol::DeviceInfo>);
    assert_eq!(on("cuda").device, DeviceName::Cuda(0));
}
