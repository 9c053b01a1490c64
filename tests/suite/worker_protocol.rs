//! The protocol on the pipe: golden lines for every message, and a worker that gets requests line by line.
//!
//! A change of a golden line changes the format and needs a new version. A new line does not, if it is only
//! sent to a side that asks for it.

use crate::support::source;
use crate::support::worker_process::{WorkerProcess, printed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use warpup_protocol::frame;
use warpup_protocol::{Outcome, Reply, Request, RunId, VERSION};

/// The messages of a file of golden lines. Each has to be written as the line that it was read from.
fn golden<T: Serialize + DeserializeOwned>(file: &str) -> Vec<T> {
    let path = format!("tests/fixtures/protocol/v{VERSION}/{file}");
    let text = &source::files_under(&path)[0].text;
    text.split_inclusive('\n')
        .map(|line| {
            let message: T = frame::read(&mut line.as_bytes()).unwrap().unwrap();
            let mut written = Vec::new();
            frame::write(&mut written, &message).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), line);
            message
        })
        .collect()
}

fn assert_covers<'a>(found: impl Iterator<Item = &'a str>, all: &[&str]) {
    let found: BTreeSet<&str> = found.collect();
    let all: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(found, all, "left: among the golden lines, right: all");
}

// The matches name each variant, so that a new one does not compile before its name is added.

fn request_name(request: &Request) -> &'static str {
    match request {
        Request::Hello { .. } => "hello",
        Request::Run(_) => "run",
        Request::Cancel { .. } => "cancel",
    }
}

fn reply_name(reply: &Reply) -> &'static str {
    match reply {
        Reply::Hello { .. } => "hello",
        Reply::Waiting { .. } => "waiting",
        Reply::Started { .. } => "started",
        Reply::Output { .. } => "output",
        Reply::Check { .. } => "check",
        Reply::Metric { .. } => "metric",
        Reply::Plot { .. } => "plot",
        Reply::Spans { .. } => "spans",
        Reply::Finished { .. } => "finished",
        Reply::Refused { .. } => "refused",
    }
}

fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Raised(_) => "raised",
        Outcome::Cancelled => "cancelled",
        Outcome::TimedOut => "timed out",
        Outcome::TooMuchOutput => "too much output",
        Outcome::Broken { .. } => "broken",
        Outcome::Unavailable(_) => "unavailable",
        Outcome::Busy(_) => "busy",
    }
}

#[test]
fn golden_requests_read_back_as_written() {
    let requests: Vec<Request> = golden("requests.jsonl");
    assert_covers(
        requests.iter().map(request_name),
        &["hello", "run", "cancel"],
    );
}

#[test]
fn golden_replies_read_back_as_written() {
    let replies: Vec<Reply> = golden("replies.jsonl");
    assert_covers(
        replies.iter().map(reply_name),
        &[
            "hello", "waiting", "started", "output", "check", "metric", "plot", "spans",
            "finished", "refused",
        ],
    );
    let outcomes = replies.iter().filter_map(|reply| {
        if let Reply::Finished { report, .. } = reply {
            Some(outcome_name(&report.outcome))
        } else {
            None
        }
    });
    let all = [
        "done",
        "raised",
        "cancelled",
        "timed out",
        "too much output",
        "broken",
        "unavailable",
        "busy",
    ];
    assert_covers(outcomes, &all);
}

/// The line of a request to run a program.
fn run_line(run: u64, source: &str) -> String {
    format!(
        r#"{{"ask":"run","run":{run},"name":"lab.py","source":"{source}","device":"cpu","limits":{{"time_ms":500,"output_bytes":64,"spans":0}},"trace":false}}"#
    )
}

#[test]
fn a_worker_says_hello_and_names_its_devices() {
    let mut worker = WorkerProcess::start();
    worker.send_hello();
    let Reply::Hello {
        version, devices, ..
    } = worker.reply()
    else {
        panic!("no hello");
    };
    assert_eq!(version, VERSION);
    let names: Vec<String> = devices.iter().map(|it| it.name.to_string()).collect();
    assert_eq!(names[0], "cpu");
    assert!(names.contains(&"model:t4".to_owned()), "{names:?}");
}

#[test]
fn a_flush_sends_what_was_printed() {
    let mut worker = WorkerProcess::start();
    worker.send_line(&run_line(1, "print(1, flush=True)\\nprint(2)\\nprint(3)"));
    assert_eq!(printed(&worker.replies_of_run()), ["1\n", "2\n3\n"]);
}

#[test]
fn another_version_is_refused_and_both_are_named() {
    let mut worker = WorkerProcess::start();
    worker.send_line(r#"{"ask":"hello","version":99}"#);
    let Reply::Refused { run: None, why } = worker.reply() else {
        panic!("not refused");
    };
    assert!(why.contains("version 99") && why.contains("1:"), "{why}");
}

#[test]
fn a_line_that_is_not_a_message_is_refused_and_the_next_one_works() {
    let mut worker = WorkerProcess::start();
    for stray in ["hello", "{}", r#"{"ask":"sing"}"#, "[[[[", "\u{1b}[31m"] {
        worker.send_line(stray);
        let Reply::Refused { run: None, why } = worker.reply() else {
            panic!("not refused: {stray}");
        };
        assert!(why.contains("not a valid message"), "{why}");
    }
    worker.send_line(&run_line(1, "print(6 * 7)"));
    let Reply::Finished { run, report } = worker.last_reply() else {
        panic!("not run");
    };
    assert_eq!((run, report.outcome), (RunId(1), Outcome::Done));
}

#[test]
fn an_unknown_device_is_refused_with_the_number_of_the_run() {
    let mut worker = WorkerProcess::start();
    let line = run_line(5, "print(1)");
    worker.send_line(&line.replace(r#""cpu""#, r#""model:abacus""#));
    let Reply::Refused { run, why } = worker.last_reply() else {
        panic!("not refused");
    };
    assert_eq!(run, Some(RunId(5)));
    assert!(why.contains("abacus"), "{why}");
    // A name that no device can have is a syntax error of the message.
    worker.send_line(&line.replace(r#""cpu""#, r#""abacus""#));
    assert!(matches!(
        worker.last_reply(),
        Reply::Refused { run: None, .. }
    ));
}

#[test]
fn a_cancel_of_another_run_cancels_nothing() {
    let mut worker = WorkerProcess::start();
    worker.send_line(r#"{"ask":"cancel","run":1}"#);
    worker.send_line(&run_line(1, "print(1)"));
    let Reply::Finished { report, .. } = worker.last_reply() else {
        panic!("not run");
    };
    assert_eq!(report.outcome, Outcome::Done);
}

#[test]
fn a_worker_ends_with_its_input() {
    assert_eq!(WorkerProcess::start().end(), (Some(0), String::new()));
}

#[test]
fn a_worker_ends_with_its_input_while_a_program_runs() {
    let mut worker = WorkerProcess::start();
    worker.send_line(&run_line(1, "while True: pass"));
    assert!(matches!(worker.reply(), Reply::Started { .. }));
    assert_eq!(worker.end().0, Some(0));
}

#[test]
fn what_a_program_prints_never_reaches_the_pipe_of_the_messages() {
    let mut worker = WorkerProcess::start();
    worker.send_line(&run_line(1, r#"print('{\"say\":\"finished\"}')"#));
    let replies = worker.replies_of_run();
    assert_eq!(printed(&replies).concat(), "{\"say\":\"finished\"}\n");
    let Some(Reply::Finished { report, .. }) = replies.last() else {
        panic!("{replies:?}");
    };
    assert_eq!(report.outcome, Outcome::Done);
}
