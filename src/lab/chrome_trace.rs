//! Spans of a run as a Chrome trace, the JSON that Perfetto and `chrome://tracing` open.
//!
//! Pure: it gives values that serde can write, and whoever has a file writes them. Nothing is left out and
//! nothing is summed: one span is one event, on the thread of its lane. What the format has no field for
//! stands in `args`, the clock first of all: a viewer shows modelled times like any other.

use crate::lab::run::Run;
use crate::protocol::{Clock, Lane, Moment, Purposes, Span};
use serde::Serialize;

/// All lanes belong to one process.
const PROCESS: u32 = 1;

/// A trace: the whole file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace<'a> {
    #[serde(rename = "traceEvents")]
    events: Vec<Event<'a>>,
    display_time_unit: &'static str,
    other_data: About<'a>,
}

/// What is said of the trace as a whole.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
struct About<'a> {
    program: &'a str,
    device: String,
    clock: &'static str,
    /// Spans that the worker did not keep.
    spans_dropped: u64,
}

/// An event. The format tells them apart by `ph`.
#[derive(Debug, Serialize)]
#[serde(tag = "ph")]
enum Event<'a> {
    /// Something with a beginning and an end.
    #[serde(rename = "X")]
    Complete {
        name: &'a str,
        cat: &'static str,
        /// Microseconds, as the format wants them; the digits after the point are nanoseconds.
        ts: f64,
        dur: f64,
        pid: u32,
        tid: u32,
        args: Args,
    },
    /// Amounts that change, drawn on top of each other.
    #[serde(rename = "C")]
    Counter {
        name: &'static str,
        ts: f64,
        pid: u32,
        args: Amounts,
    },
    /// What a process or a thread is called, and where it stands.
    #[serde(rename = "M")]
    Meta {
        name: &'static str,
        pid: u32,
        tid: u32,
        args: MetaArgs,
    },
}

/// What is known of a span beyond its time.
#[derive(Debug, Serialize)]
struct Args {
    clock: &'static str,
    /// The line of the program; none where no line asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    bytes: u64,
    flops: u64,
}

/// Bytes for each purpose, those that are 0 among them: a viewer keeps the last value it was given.
#[derive(Debug, Serialize)]
struct Amounts {
    weights: u64,
    gradients: u64,
    optimizer_state: u64,
    activations: u64,
    inputs: u64,
    temporaries: u64,
}

/// The value of a metadata event.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum MetaArgs {
    Name(String),
    SortIndex(u32),
}

/// The trace of a run that has ended; nothing for one that has not.
pub fn of<'a>(program: &'a str, run: &'a Run) -> Option<Trace<'a>> {
    let report = run.report.as_ref()?;
    let device = match &run.device {
        Some(device) => device.title.clone(),
        None => "unknown device".to_owned(),
    };
    let mut events: Vec<Event<'a>> = names(format!("{program} on {device}"));
    events.extend(run.spans.iter().map(|span| complete(span, report.clock)));
    let moments = report.memory.iter().flat_map(|it| &it.over_time);
    events.extend(moments.map(held));
    Some(Trace {
        events,
        display_time_unit: "ms",
        other_data: About {
            program,
            device,
            clock: report.clock.word(),
            spans_dropped: report.spans_dropped,
        },
    })
}

/// The names of the process and of its threads. All lanes are named: an empty one says something, too.
fn names(process: String) -> Vec<Event<'static>> {
    let meta = |name, tid, args| Event::Meta {
        name,
        pid: PROCESS,
        tid,
        args,
    };
    let mut events = vec![meta("process_name", 0, MetaArgs::Name(process))];
    for lane in Lane::ALL {
        let tid = thread(lane);
        let word = MetaArgs::Name(lane.word().to_owned());
        events.push(meta("thread_name", tid, word));
        events.push(meta("thread_sort_index", tid, MetaArgs::SortIndex(tid)));
    }
    events
}

fn complete(span: &Span, clock: Clock) -> Event<'_> {
    Event::Complete {
        name: &span.name,
        cat: span.lane.word(),
        ts: microseconds(span.start_ns),
        dur: microseconds(span.end_ns.saturating_sub(span.start_ns)),
        pid: PROCESS,
        tid: thread(span.lane),
        args: Args {
            clock: clock.word(),
            line: (span.line > 0).then_some(span.line),
            bytes: span.bytes,
            flops: span.flops,
        },
    }
}

fn held<'a>(moment: &Moment) -> Event<'a> {
    let Purposes {
        weights,
        gradients,
        optimizer_state,
        activations,
        inputs,
        temporaries,
    } = moment.held;
    Event::Counter {
        name: "memory held by tensors, bytes",
        ts: microseconds(moment.at_ns),
        pid: PROCESS,
        args: Amounts {
            weights,
            gradients,
            optimizer_state,
            activations,
            inputs,
            temporaries,
        },
    }
}

fn thread(lane: Lane) -> u32 {
    match lane {
        Lane::Host => 1,
        Lane::Kernel => 2,
        Lane::CopyToDevice => 3,
        Lane::CopyToHost => 4,
    }
}

fn microseconds(ns: u64) -> f64 {
    ns as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{DeviceInfo, DeviceName, Memory, Outcome, Report, RunId};
    use proptest::prelude::*;

    fn piece(lane: Lane, name: &str, asked_by: u32, start_ns: u64, end_ns: u64) -> Span {
        Span {
            lane,
            name: name.to_owned(),
            line: asked_by,
            start_ns,
            end_ns,
            bytes: 0,
            flops: 0,
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
        {"program":"lab.py","device":"Tesla T4 (modelled)","clock":"modelled","spans_dropped":3}
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
        insta::assert_snapshot!(last, @r#"{"ph":"C","name":"memory held by tensors, bytes","ts":5.001,"pid":1,"args":{"weights":512,"gradients":0,"optimizer_state":0,"activations":0,"inputs":0,"temporaries":0}}"#);
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
}
