//! Spans of a run as a Chrome trace, the JSON that Perfetto and `chrome://tracing` open.
//!
//! Pure: it makes values that serde can write; the caller writes the file. Nothing is left out and
//! nothing is summed: one span is one event, on the thread of its lane. What the format has no field for
//! is in `args`, above all the clock: a viewer shows modelled times like any other.

use crate::run::Run;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use warpup_protocol::{Clock, Lane, Moment, Purpose, Span};

/// The category of the spans in which the host waits, so that a viewer can tell them from its work.
const WAITING: &str = "waiting";

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

/// Facts about the trace as a whole.
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
        cat: Cow<'static, str>,
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
        /// Those that are 0 among them: a viewer keeps the last value it was given.
        args: BTreeMap<Purpose, u64>,
    },
    /// What a process or a thread is called, and its place.
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
    /// What made the host wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
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
    let used = run.spans.iter().map(|it| it.lane);
    let lanes = used.chain(Lane::OF_A_CARD).collect();
    let mut events: Vec<Event<'a>> = names(format!("{program} on {device}"), &lanes);
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

/// The names of the process and of its threads. All lanes of a card are named: an empty one says something, too.
fn names(process: String, lanes: &BTreeSet<Lane>) -> Vec<Event<'static>> {
    let meta = |name, tid, args| Event::Meta {
        name,
        pid: PROCESS,
        tid,
        args,
    };
    let mut events = vec![meta("process_name", 0, MetaArgs::Name(process))];
    for lane in lanes {
        let tid = thread(*lane);
        let word = MetaArgs::Name(lane.word().into_owned());
        events.push(meta("thread_name", tid, word));
        events.push(meta("thread_sort_index", tid, MetaArgs::SortIndex(tid)));
    }
    events
}

fn complete(span: &Span, clock: Clock) -> Event<'_> {
    Event::Complete {
        name: &span.name,
        cat: if span.name == Span::WAIT {
            WAITING.into()
        } else {
            span.lane.word()
        },
        ts: microseconds(span.start_ns),
        dur: microseconds(span.end_ns.saturating_sub(span.start_ns)),
        pid: PROCESS,
        tid: thread(span.lane),
        args: Args {
            clock: clock.word(),
            line: (span.line > 0).then_some(span.line),
            bytes: span.bytes,
            flops: span.flops,
            cause: span.cause.word(),
        },
    }
}

fn held<'a>(moment: &Moment) -> Event<'a> {
    Event::Counter {
        name: "memory held by tensors, bytes",
        ts: microseconds(moment.at_ns),
        pid: PROCESS,
        args: Purpose::ALL.map(|it| (it, moment.held.of(it))).into(),
    }
}

fn thread(lane: Lane) -> u32 {
    match lane {
        Lane::Host => 1,
        Lane::Kernel => 2,
        Lane::CopyToDevice => 3,
        Lane::CopyToHost => 4,
        Lane::Pinning => 5,
        Lane::Worker(number) => number.saturating_add(6),
    }
}

fn microseconds(ns: u64) -> f64 {
    ns as f64 / 1e3
}

#[cfg(test)]
mod tests;
