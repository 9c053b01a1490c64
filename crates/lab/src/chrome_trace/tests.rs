//! Runs in, JSON out.

use super::*;
use proptest::prelude::*;
use warpup_protocol::{
    DeviceInfo, DeviceName, Memory, Outcome, Purposes, Report, RunId, WaitCause,
};

fn piece(lane: Lane, name: &str, asked_by: u32, start_ns: u64, end_ns: u64) -> Span {
    Span {
        lane,
        name: name.to_owned(),
        line: asked_by,
        start_ns,
        end_ns,
        bytes: 0,
        flops: 0,
        cause: WaitCause::Unknown,
    }
}

fn ran(spans: Vec<Span>) -> Run {
    let mut run = Run::new(RunId(1));
    run.device = Some(DeviceInfo {
        name: DeviceName::Model("t4".to_owned()),
        title: "Tesla T4 (modelled)".to_owned(),
        clock: Clock::Modelled,
        memory_bytes: None,
    });
    run.spans = spans;
    run.report = Some(Report {
        outcome: Outcome::Done,
        clock: Clock::Modelled,
        spans_dropped: 3,
        ..Report::broken("")
    });
    run
}

/// The trace, an event a line.
fn written(run: &Run) -> String {
    let trace = of("lab.py", run).unwrap();
    let events = trace.events.iter();
    let mut lines: Vec<String> = events
        .map(|it| serde_json::to_string(it).unwrap())
        .collect();
    lines.push(serde_json::to_string(&trace.other_data).unwrap());
    lines.join("\n")
}

#[test]
fn a_small_run_is_written_event_by_event() {
    let run = ran(vec![
        piece(Lane::Host, "queue", 2, 0, 5_000),
        Span {
            bytes: 48,
            flops: 6,
            ..piece(Lane::Kernel, "matmul", 2, 5_000, 8_001)
        },
        piece(Lane::CopyToHost, "copy", 0, 8_001, 18_000),
        Span {
            cause: WaitCause::Item,
            ..piece(Lane::Host, Span::WAIT, 3, 5_000, 18_000)
        },
    ]);
    insta::assert_snapshot!(written(&run), @r#"
    {"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"lab.py on Tesla T4 (modelled)"}}
    {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"host"}}
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}}
    {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"kernel"}}
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}}
    {"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"copy to device"}}
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":3}}
    {"ph":"M","name":"thread_name","pid":1,"tid":4,"args":{"name":"copy to host"}}
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":4,"args":{"sort_index":4}}
    {"ph":"X","name":"queue","cat":"host","ts":0.0,"dur":5.0,"pid":1,"tid":1,"args":{"clock":"modelled","line":2,"bytes":0,"flops":0}}
    {"ph":"X","name":"matmul","cat":"kernel","ts":5.0,"dur":3.001,"pid":1,"tid":2,"args":{"clock":"modelled","line":2,"bytes":48,"flops":6}}
    {"ph":"X","name":"copy","cat":"copy to host","ts":8.001,"dur":9.999,"pid":1,"tid":4,"args":{"clock":"modelled","bytes":0,"flops":0}}
    {"ph":"X","name":"wait","cat":"waiting","ts":5.0,"dur":13.0,"pid":1,"tid":1,"args":{"clock":"modelled","line":3,"bytes":0,"flops":0,"cause":"item()"}}
    {"program":"lab.py","device":"Tesla T4 (modelled)","clock":"modelled","spans_dropped":3}
    "#);
}

#[test]
fn lanes_of_loaders_are_threads_if_they_were_used() {
    let run = ran(vec![
        piece(Lane::Worker(2), Span::BATCH, 3, 0, 8_000),
        piece(Lane::Pinning, Span::PIN, 3, 8_000, 9_000),
    ]);
    let all = written(&run);
    let of_loaders = all.lines().filter(|it| {
        it.contains(r#""tid":8"#) || it.contains(r#""tid":5"#) || it.contains(r#""tid":6"#)
    });
    insta::assert_snapshot!(of_loaders.collect::<Vec<_>>().join("\n"), @r#"
    {"ph":"M","name":"thread_name","pid":1,"tid":5,"args":{"name":"pinning"}}
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":5,"args":{"sort_index":5}}
    {"ph":"M","name":"thread_name","pid":1,"tid":8,"args":{"name":"worker 2"}}
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":8,"args":{"sort_index":8}}
    {"ph":"X","name":"batch","cat":"worker 2","ts":0.0,"dur":8.0,"pid":1,"tid":8,"args":{"clock":"modelled","line":3,"bytes":0,"flops":0}}
    {"ph":"X","name":"pin","cat":"pinning","ts":8.0,"dur":1.0,"pid":1,"tid":5,"args":{"clock":"modelled","line":3,"bytes":0,"flops":0}}
    "#);
}

#[test]
fn memory_is_a_counter_that_names_every_purpose_each_time() {
    let mut run = ran(Vec::new());
    let held = Purposes {
        weights: 512,
        ..Purposes::default()
    };
    let (at_ns, line) = (5_001, 3);
    let over_time = vec![Moment { at_ns, line, held }];
    let memory = Memory {
        over_time,
        ..Memory::default()
    };
    run.report.as_mut().unwrap().memory = Some(Box::new(memory));
    let last = written(&run).lines().nth(9).unwrap().to_owned();
    insta::assert_snapshot!(last, @r#"{"ph":"C","name":"memory held by tensors, bytes","ts":5.001,"pid":1,"args":{"weights":512,"gradients":0,"optimizer_state":0,"activations":0,"inputs":0,"workspace":0,"cudnn_workspace":0,"temporaries":0}}"#);
}

#[test]
fn the_file_has_the_keys_that_viewers_look_for() {
    let run = ran(Vec::new());
    let trace = serde_json::to_value(of("lab.py", &run)).unwrap();
    let keys: Vec<&String> = trace.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["displayTimeUnit", "otherData", "traceEvents"]);
    assert_eq!(trace["displayTimeUnit"], "ms");
}

#[test]
fn a_run_that_has_not_ended_has_no_trace() {
    assert!(of("lab.py", &Run::new(RunId(1))).is_none());
}

proptest! {
    #[test]
    fn no_nanosecond_is_lost_within_a_day(ns in 0..86_400_000_000_000u64) {
        let written = serde_json::to_string(&microseconds(ns)).unwrap();
        let (whole, rest) = written.split_once('.').unwrap();
        prop_assert_eq!(format!("{whole}{rest:0<3}"), format!("{ns:04}"));
    }
}
