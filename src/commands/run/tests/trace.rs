//! The trace beside a run.

use super::*;
use warpup_protocol::WaitCause;

#[test]
fn a_trace_can_be_left_out() {
    let mut asked = Vec::new();
    for no_trace in [false, true] {
        let args = RunArgs {
            no_trace,
            ..args("copies/bus")
        };
        let (_, exit) = ran(&args, &mut |request| {
            asked.push(request.trace);
            went_well(request)
        });
        assert_eq!(exit, Exit::Fine);
    }
    assert_eq!(asked, [true, false]);
}

/// A modelled card's clock follows lines, and its report has their times in any case.
#[test]
fn without_a_trace_no_time_by_line_is_shown() {
    let args = RunArgs {
        no_trace: true,
        ..args("copies/bus")
    };
    let (text, _) = ran(&args, &mut went_well);
    assert!(!text.contains("Time by line"), "{text}");
    assert!(text.contains("In all, MODELLED: host 1.24 ms"), "{text}");
    let args = RunArgs { json: true, ..args };
    let (text, _) = ran(&args, &mut went_well);
    let said: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(said["lines"], serde_json::json!([]));
}

#[test]
fn a_trace_is_written_when_the_run_has_ended_and_replaces_the_one_before() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("run.json");
    fs::write(&path, "what was there").unwrap();
    let args = RunArgs {
        trace: Some(path.clone()),
        ..args("copies/bus")
    };
    let (text, exit) = ran(&args, &mut |request| {
        assert!(request.limits.spans > 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), "what was there");
        let mut run = went_well(request);
        run.spans.push(Span {
            lane: Lane::Kernel,
            name: "matmul".to_owned(),
            line: 2,
            start_ns: 5_000,
            end_ns: 8_500,
            bytes: 48,
            flops: 6,
            cause: WaitCause::Unknown,
        });
        run
    });
    assert_eq!(exit, Exit::Fine);
    let said = format!(
        "trace, modelled: {}; https://ui.perfetto.dev opens it\n",
        path.display()
    );
    assert!(text.ends_with(&said), "{text}");
    let trace = fs::read_to_string(&path).unwrap();
    let trace: serde_json::Value = serde_json::from_str(&trace).unwrap();
    let last = trace["traceEvents"].as_array().unwrap().last().unwrap();
    insta::assert_snapshot!(last, @r#"{"args":{"bytes":48,"clock":"modelled","flops":6,"line":2},"cat":"kernel","dur":3.5,"name":"matmul","ph":"X","pid":1,"tid":2,"ts":5.0}"#);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_trace_that_cannot_be_written_is_said_before_anything_runs() {
    let dir = TempDir::new().unwrap();
    let refused = |path: std::path::PathBuf| {
        let args = RunArgs {
            trace: Some(path),
            ..args("copies/bus")
        };
        let (text, exit) = ran(&args, &mut |_request| panic!("it was run"));
        assert_eq!(exit, Exit::Arguments);
        text.replace(&dir.path().display().to_string(), "DIR")
    };
    insta::assert_snapshot!(refused(dir.path().join("nowhere/run.json")), @r"
    error: cannot write DIR/nowhere/run.json
    cause: there is no folder DIR/nowhere
    hint: `mkdir -p DIR/nowhere` makes it
    ");
    insta::assert_snapshot!(refused(dir.path().to_owned()), @r"
    error: cannot write DIR
    cause: it is a folder
    hint: name a file in it
    ");
}

#[test]
fn a_run_that_broke_leaves_the_trace_that_was_there() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("run.json");
    fs::write(&path, "what was there").unwrap();
    let args = RunArgs {
        trace: Some(path.clone()),
        ..args("copies/bus")
    };
    let what = "the worker died".to_owned();
    let (text, exit) = ran(&args, &mut |request| {
        ended(&request, Outcome::Broken { what: what.clone() })
    });
    assert_eq!(exit, Exit::InternalError);
    assert!(text.contains("no trace: "), "{text}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "what was there");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_trace_does_not_replace_the_program() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("mine.py");
    fs::write(&path, "x = 1\n").unwrap();
    let args = RunArgs {
        trace: Some(dir.path().join("./mine.py")),
        ..args(path.to_str().unwrap())
    };
    let (text, exit) = ran(&args, &mut went_well);
    assert_eq!(exit, Exit::Arguments, "{text}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "x = 1\n");
}
