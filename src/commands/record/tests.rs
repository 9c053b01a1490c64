//! Programs in, text out: a shell script stands for a Python with the recorder.

use super::*;
use crate::cli::{Cli, Command};
use crate::commands::sample;
use clap::Parser;
use std::ffi::OsStr;
use std::fs;
use tempfile::TempDir;

/// The arguments of `warpup record`.
fn arguments(words: &[&str]) -> RecordArgs {
    let words = ["warpup", "record"].iter().chain(words);
    match Cli::try_parse_from(words).unwrap().command {
        Some(Command::Record(args)) => args,
        it => panic!("{it:?}"),
    }
}

/// What is said where the processes left these notes.
fn told(words: &[&str], notes: &[&str]) -> String {
    let notes = notes.iter().map(|it| serde_json::from_str(it).unwrap());
    let outcome = RecordingOutcome::of(notes.collect());
    let args = arguments(&[words, &["python", "train.py"]].concat());
    text::told(&outcome, &args, Path::new("/srv/run"))
}

/// What is printed, and the exit status, where a shell executes these lines in the place of a program. `$DIR` is the folder of the
/// recorder.
fn run(options: &[&str], lines: &str) -> (String, Exit) {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("trace.json.gz");
    let script = format!("DIR=${{PYTHONPATH%%:*}}\n{lines}");
    let out_words = ["--out", out.to_str().unwrap()];
    let words = [options, &out_words, &["--", "sh", "-c", &script]].concat();
    let (text, exit) = sample::console("", |console| {
        let (ended, traces) = recorded(&arguments(&words), console)?;
        if !traces.is_empty() {
            print(traces, console);
        }
        Ok(ended.exit())
    });
    (text.replace(dir.path().to_str().unwrap(), "HERE"), exit)
}

#[test]
fn the_command_begins_at_its_first_word() {
    let words = |args: RecordArgs| args.command.join(OsStr::new(" ")).into_string().unwrap();
    let args = arguments(&["--steps", "5", "python", "train.py", "--steps", "7"]);
    assert_eq!(
        (args.steps, words(args)),
        (5, "python train.py --steps 7".to_owned())
    );
    let args = arguments(&["--stop", "--", "python", "-m", "train"]);
    assert_eq!(
        (args.stop, words(args)),
        (true, "python -m train".to_owned())
    );
}

#[test]
fn an_option_that_does_not_exist_is_not_the_command() {
    let words = ["warpup", "record", "--stpes", "5", "python", "train.py"];
    assert!(Cli::try_parse_from(words).is_err());
}

#[test]
fn the_recorder_comes_before_what_was_there() {
    let path = |before: Option<&str>| {
        let path = folder::python_path(Path::new("/tmp/w"), before.map(OsStr::new));
        path.into_string().unwrap()
    };
    assert_eq!(path(None), "/tmp/w");
    assert_eq!(path(Some("")), "/tmp/w");
    assert_eq!(path(Some("/a:/b")), "/tmp/w:/a:/b");
}

#[test]
fn a_recording_takes_the_next_name_that_is_free() {
    let next = |there: &[&str]| {
        let there: Vec<String> = there.iter().map(|it| (*it).to_owned()).collect();
        place::next(&there).display().to_string()
    };
    assert_eq!(next(&["train.py"]), "trace-1.json.gz");
    assert_eq!(
        next(&["trace-1.rank0.json.gz", "trace-10.json"]),
        "trace-2.json.gz"
    );
}

#[test]
fn what_a_step_cost_is_said_beside_where_the_trace_is() {
    let note = r#"{"state":"recorded","python":"3.11.7","torch":"2.6.0","counts":"steps","seen":23,
        "plain_ns":[1000000,1100000,9000000],"recorded_ns":[3300000,3200000,3400000],"stall_ns":250000000,
        "trace":"/srv/run/runs/trace-1.json.gz"}"#;
    let other = r#"{"state":"no-torch","python":"3.11.7"}"#;
    insta::assert_snapshot!(told(&[], &[other, note]), @"
    warpup: recorded 3 steps; the trace is runs/trace-1.json.gz
    A step took 3.30 ms while it was recorded and 1.10 ms without the profiler (medians of 3 and 3 steps): 3.0 times as long. Then the program waited 250 ms for its trace.
    ");
}

#[test]
fn a_recording_that_was_cut_short_says_so() {
    let note = r#"{"state":"recorded","python":"3.11.7","counts":"calls","recorded_ns":[3300000],"trace":"/tmp/a.json"}"#;
    insta::assert_snapshot!(told(&["--steps", "5"], &[note]), @"warpup: recorded 1 of 5 calls of the model, since the program ended; the trace is /tmp/a.json");
}

#[test]
fn ranks_are_in_their_order() {
    let rank = |rank: u64| {
        format!(
            r#"{{"state":"recorded","python":"3.11.7","rank":{rank},"seen":{},"plain_ns":[1000000],"recorded_ns":[2000000],"trace":"/srv/run/a.rank{rank}.json"}}"#,
            20 - rank
        )
    };
    insta::assert_snapshot!(told(&["--steps", "1"], &[&rank(1), &rank(0)]), @"
    warpup: recorded 1 step of each rank; the traces are a.rank0.json, a.rank1.json
    A step of rank 0 took 2.00 ms while it was recorded and 1.00 ms without the profiler (medians of 1 and 1 steps): 2.0 times as long.
    ");
}

#[test]
fn where_nothing_was_recorded_there_is_a_reason_and_something_to_try() {
    let notes = [
        r#"{"state":"old-python","python":"3.6.9"}"#,
        r#"{"state":"no-torch","python":"3.11.7"}"#,
        r#"{"state":"old-torch","python":"3.8.1","torch":"1.13.1"}"#,
        r#"{"state":"waiting","python":"3.11.7","seen":0,"has_optimizer":true}"#,
        r#"{"state":"waiting","python":"3.11.7","seen":0,"has_optimizer":false}"#,
        r#"{"state":"waiting","python":"3.11.7","seen":1,"counts":"steps"}"#,
        r#"{"state":"waiting","python":"3.11.7","seen":4,"counts":"backwards"}"#,
        r#"{"state":"own-profiler","python":"3.11.7"}"#,
        r#"{"state":"recording","python":"3.11.7"}"#,
        r#"{"state":"failed","python":"3.11.7","error":"OSError: no space left on device"}"#,
    ];
    let mut all = told(&[], &[]);
    for note in notes {
        all.push_str("\n\n");
        all.push_str(&told(&[], &[note]));
    }
    insta::assert_snapshot!(all, @"
    warpup: nothing was recorded: no Python was started that reads PYTHONPATH
    hint: the command has to start Python on this machine, without `-E`, `-I` or `-S`

    warpup: nothing was recorded: Python 3.6.9 is too old
    hint: take Python 3.8 or later, and PyTorch 2.1 or later

    warpup: nothing was recorded: the program did not import torch
    hint: give the command that starts the training: `warpup record python train.py`

    warpup: nothing was recorded: PyTorch 1.13.1 is too old
    hint: take PyTorch 2.1 or later; `warpup trace --how` prints lines for the program that record a trace

    warpup: nothing was recorded: the program made an optimizer, and no step of it was seen
    hint: `--count calls` takes each call of the model for a step, `--count seconds` each second

    warpup: nothing was recorded: no step of an optimizer, no `backward()` and no `eval()` was seen
    hint: `--count calls` takes each call of the model for a step, `--count seconds` each second

    warpup: nothing was recorded: the program ended after 1 step, and 10 were to pass
    hint: it takes three at least: give it more to do

    warpup: nothing was recorded: the program ended after 4 calls of `backward()`, and 10 were to pass
    hint: `--skip 2 --steps 2` records earlier

    warpup: nothing was recorded: the program starts a profiler of PyTorch itself, and only one can run
    hint: `warpup trace FILE` reads the trace that it writes; or take its profiler out

    warpup: nothing was recorded: the program ended before the first step was recorded, or it was killed
    hint: let it run on, or end it with Ctrl-C

    warpup: nothing was recorded: the recorder gave up, and the program ran on without it
    cause: OSError: no space left on device
    hint: `warpup trace --how` prints lines for the program that record a trace
    ");
}

#[test]
fn the_process_that_came_furthest_says_why_there_is_no_trace() {
    let own = r#"{"state":"own-profiler","python":"3.11.7"}"#;
    let none = r#"{"state":"no-torch","python":"3.11.7"}"#;
    assert_eq!(told(&[], &[own, none]), told(&[], &[own]));
}

#[test]
fn a_program_gets_its_recorder_and_its_trace_is_printed_beside_its_output() {
    let trace = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/kineto/item-in-loop.json.gz"
    );
    let lines = format!(
        r#"grep -q '"steps":1,' "$DIR/options.json" && [ -f "$DIR/sitecustomize.py" ] || exit 99
        OUT=$(sed 's/.*"out":"\([^"]*\)".*/\1/' "$DIR/options.json"); cp {trace} "$OUT"
        echo "{{\"state\":\"recorded\",\"python\":\"3.11.7\",\"recorded_ns\":[1],\"trace\":\"$OUT\"}}" >"$DIR/process-1.json"
        exit 7"#
    );
    let (text, exit) = run(&["--steps", "1"], &lines);
    assert_eq!(exit, Exit::Program(7));
    let head: Vec<&str> = text.lines().take(6).collect();
    insta::assert_snapshot!(head.join("\n"), @"
    warpup: recorded 1 step; the trace is HERE/trace.json.gz
    trace.json.gz: 505 events in 19.7 ms, 3 steps, synthetic
    card.
    6.56 ms a step, mean of 3 · the device is idle for 24 % of
    it · 33 kernels a step.
    trace.json.gz is synthetic: computed by a script, not
    ");
}

#[test]
fn a_program_that_is_watched_is_told_each_time_and_leaves_no_trace() {
    let trace = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/kineto/item-in-loop.json.gz"
    );
    let script = format!(
        r#"DIR=${{PYTHONPATH%%:*}}
        grep -q '"watch":50,' "$DIR/options.json" || exit 99
        leave() {{
            cp {trace} "$DIR/part"; mv "$DIR/part" "$DIR/window.json.gz"
            echo "{{\"state\":\"recorded\",\"python\":\"3.11.7\",\"seen\":$1,\"plain_ns\":[5000000],\"trace\":\"$DIR/window.json.gz\"}}" >"$DIR/part"
            mv "$DIR/part" "$DIR/process-1.json"
        }}
        leave 13; while [ -e "$DIR/window.json.gz" ]; do :; done; leave 63; exit 7"#
    );
    let args = arguments(&["--watch=50", "--", "sh", "-c", &script]);
    let (text, exit) = sample::console("", |console| {
        let (ended, traces) = recorded(&args, console)?;
        assert!(traces.is_empty());
        Ok(ended.exit())
    });
    assert_eq!(exit, Exit::Program(7));
    insta::assert_snapshot!(text, @"
    warpup: step 13: 6.56 ms a step, mean of 3 · the device is idle for 24 % of it · 33 kernels a step · 5.00 ms without the profiler
      wait-item: in each step the host waits for the device once (`.item()`), and leaves it idle for 1.57 ms of 6.56 ms: nothing is queued when the host goes on (train.py:23)
    warpup: step 63: 6.56 ms a step, mean of 3 · the device is idle for 24 % of it · 33 kernels a step · 5.00 ms without the profiler
      wait-item: in each step the host waits for the device once (`.item()`), and leaves it idle for 1.57 ms of 6.56 ms: nothing is queued when the host goes on (train.py:23)
    ");
}

#[test]
fn watching_has_a_usual_distance_and_keeps_nothing() {
    let watch = |words: &[&str]| arguments(&[words, &["python", "train.py"]].concat()).watch;
    assert_eq!(watch(&[]), None);
    assert_eq!(watch(&["--watch", "--"]), Some(100));
    assert_eq!(watch(&["--watch=20"]), Some(20));
    let words = ["warpup", "record", "--watch", "--out", "a.json", "python"];
    assert!(Cli::try_parse_from(words).is_err());
}

#[test]
fn a_program_that_is_no_python_runs_as_always() {
    let (text, exit) = run(&[], "exit 3");
    assert_eq!(exit, Exit::Program(3));
    assert!(
        text.starts_with("warpup: nothing was recorded: no Python"),
        "{text}"
    );
    assert_eq!(run(&[], "kill -TERM $$").1, Exit::Program(128 + 15));
}

#[test]
fn the_folder_of_the_recorder_is_gone_after_the_run() {
    let dir = TempDir::new().unwrap();
    let place = dir.path().join("place");
    run(&[], &format!("echo $DIR >{}", place.display()));
    let folder = fs::read_to_string(place).unwrap();
    assert!(folder.contains("warpup-record-"), "{folder}");
    assert!(!Path::new(folder.trim()).exists());
}

#[test]
fn a_command_that_cannot_be_started_is_said_before_anything_runs() {
    let said = |words: &[&str]| {
        sample::console("", |console| {
            let (ended, _) = recorded(&arguments(words), console)?;
            Ok(ended.exit())
        })
    };
    let dir = TempDir::new().unwrap();
    let script = dir.path().join("train.py");
    fs::write(&script, "").unwrap();
    let out = dir.path().join("a.json");
    let out = out.to_str().unwrap();
    let mut all = String::new();
    for words in [
        &["--out", out, "no-such-program"][..],
        &["--out", out, script.to_str().unwrap()],
        &["--out", "/nowhere/a.json", "true"],
        &["--out", "a.txt", "true"],
    ] {
        let (text, exit) = said(words);
        assert_eq!(exit, Exit::Arguments);
        all.push_str(&text.replace(dir.path().to_str().unwrap(), "HERE"));
    }
    insta::assert_snapshot!(all, @"
    error: cannot start no-such-program
    cause: there is no such program
    error: cannot start HERE/train.py
    cause: it is not a program, or you may not start it
    hint: name its Python, too: `warpup record python HERE/train.py`
    error: cannot write /nowhere/a.json
    cause: there is no folder /nowhere
    hint: `mkdir -p /nowhere` makes it
    error: a.txt is not the name of a trace
    hint: it ends in .json or .json.gz: for example `--out trace.json.gz`
    ");
}
