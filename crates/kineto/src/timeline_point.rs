//! What a trace has at one moment: the calls of the host, the work of devices, and why they are idle.

use super::analysis::{Analysis, Cause};
use super::event::{Event, EventKind};
use super::source_lines;
use super::trace::{LaneKind, Trace};
use serde::Serialize;
use warpup_lab::units;

/// A moment of the timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimelinePoint {
    /// When, since the first event.
    pub at_ns: i64,
    /// The step of the training loop, where one is marked.
    pub step: Option<String>,
    /// What threads do; those that do nothing are left out.
    pub host: Vec<HostPoint>,
    /// What streams do; those that do nothing are left out.
    pub device: Vec<DevicePoint>,
    /// The gap in which no stream works.
    pub idle: Option<IdlePoint>,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HostPoint {
    /// Its name.
    pub thread: String,
    /// The innermost operator.
    pub operator: Option<String>,
    /// The call of the device's runtime.
    pub call: Option<String>,
    /// The innermost line of the learner's own.
    pub line: Option<String>,
}

/// What a stream does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DevicePoint {
    /// Its name.
    pub stream: String,
    /// Whether it is a kernel, a copy or a fill.
    pub kind: EventKind,
    /// The name of the kernel, or the direction of the copy.
    pub name: String,
    /// When it begins.
    pub start_ns: i64,
    /// How long it takes.
    pub ns: i64,
}

/// Why devices are idle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IdlePoint {
    /// When the gap begins.
    pub start_ns: i64,
    /// How long it is.
    pub ns: i64,
    /// The cause.
    pub cause: Cause,
    /// The line, or else the operator, that launched the next work, or that waited.
    pub place: Option<String>,
}

impl TimelinePoint {
    /// What is at a moment of a trace.
    pub fn of(trace: &Trace, analysis: &Analysis, at_ns: i64) -> Self {
        let marked = analysis.steps.iter().filter(|_| analysis.has_steps);
        let mut marked = marked.filter(|it| it.start_ns <= at_ns);
        let step = marked.rfind(|it| at_ns < it.start_ns + it.duration_ns);
        // What began before its step would be looked for in all that came before.
        let from_ns = step.map_or(i64::MIN, |it| it.start_ns);
        let threads = trace.lanes_of(LaneKind::Host);
        let host = threads.filter_map(|(id, _, events)| {
            let found = host_point(trace, around(events, from_ns, at_ns))?;
            Some(HostPoint {
                thread: trace.lane_name(id),
                ..found
            })
        });
        let streams = trace.lanes_of(LaneKind::Stream);
        let device = streams.flat_map(|(id, _, events)| {
            let work = around(events, i64::MIN, at_ns).filter(|it| it.kind.is_device_work());
            work.map(move |it| DevicePoint {
                stream: trace.lane_name(id),
                kind: it.kind,
                name: trace.name(it.name).to_owned(),
                start_ns: it.start_ns,
                ns: it.duration_ns,
            })
        });
        let idle = analysis.gaps.at(at_ns).map(|it| {
            let row = analysis.gaps.by_cause.get(it.row);
            IdlePoint {
                start_ns: it.start_ns,
                ns: it.ns,
                cause: it.cause,
                place: row.and_then(|it| it.line.clone().or(it.operator.clone())),
            }
        });
        Self {
            at_ns,
            step: step.map(|it| it.name.clone()),
            host: host.collect(),
            device: device.collect(),
            idle,
        }
    }

    /// It in words, a line for each thread and stream.
    pub fn sentences(&self) -> Vec<String> {
        let step = self.step.as_ref();
        let step = step.map_or(String::new(), |it| format!(", in {it}"));
        let mut said = vec![format!("At {}{step}:", duration(self.at_ns))];
        said.extend(self.host.iter().map(HostPoint::sentence));
        if self.host.is_empty() {
            said.push("no thread is in an operator or a call".to_owned());
        }
        said.extend(self.device.iter().map(DevicePoint::sentence));
        said.extend(self.idle.iter().map(IdlePoint::sentence));
        if self.device.is_empty() && self.idle.is_none() {
            said.push("no work of a device was recorded here".to_owned());
        }
        said
    }
}

impl HostPoint {
    fn sentence(&self) -> String {
        let doing = [self.operator.as_deref(), self.call.as_deref()];
        let doing: Vec<&str> = doing.into_iter().flatten().collect();
        let doing = match doing.as_slice() {
            [] => "Python".to_owned(),
            [..] => doing.join(" calls "),
        };
        let line = self.line.as_ref();
        let line = line.map_or(String::new(), |it| format!(", at {it}"));
        format!("host {}: {doing}{line}", self.thread)
    }
}

impl DevicePoint {
    fn sentence(&self) -> String {
        // `Memcpy HtoD` and `Memset` are names of copies and fills.
        let kind = if self.kind == EventKind::Kernel {
            "kernel "
        } else {
            ""
        };
        format!(
            "{}: {kind}{}, {} from {} on",
            self.stream,
            self.name,
            duration(self.ns),
            duration(self.start_ns)
        )
    }
}

impl IdlePoint {
    fn sentence(&self) -> String {
        let place = self.place.as_ref();
        let place = place.map_or(String::new(), |it| format!(", at {it}"));
        format!(
            "the device is idle for {} from {} on, {}{place}",
            duration(self.ns),
            duration(self.start_ns),
            self.cause.words()
        )
    }
}

/// The events of a lane around a moment that begin at `from_ns` or later, the innermost first.
fn around(events: &[Event], from_ns: i64, at_ns: i64) -> impl Iterator<Item = &Event> {
    let begun = events.partition_point(|it| it.start_ns <= at_ns);
    let before = events.get(..begun).unwrap_or_default().iter().rev();
    let before = before.take_while(move |it| it.start_ns >= from_ns);
    before.filter(move |it| at_ns < it.end_ns())
}

/// What a thread does, without its name.
fn host_point<'a>(trace: &Trace, around: impl Iterator<Item = &'a Event>) -> Option<HostPoint> {
    let mut found = HostPoint {
        thread: String::new(),
        operator: None,
        call: None,
        line: None,
    };
    for event in around {
        let name = trace.name(event.name);
        if event.kind == EventKind::Operator && found.operator.is_none() {
            found.operator = Some(name.to_owned());
        }
        if event.kind == EventKind::Runtime && found.call.is_none() {
            found.call = Some(name.to_owned());
        }
        if found.line.is_none() {
            found.line = source_lines::place_of(trace, event);
        }
        if found.operator.is_some() && found.line.is_some() {
            break;
        }
    }
    let is_busy = found.operator.is_some() || found.call.is_some() || found.line.is_some();
    is_busy.then_some(found)
}

fn duration(ns: i64) -> String {
    units::duration(u64::try_from(ns).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    const TEXT: &str = r#"{"traceEvents": [
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"python_function","name":"train.py(10): step","pid":1,"tid":1,"ts":1,"dur":98},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":2,"dur":18},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":10,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":14,"dur":20,"args":{"stream":7,"device":0,"correlation":1}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":9,"ts":20,"dur":4,"args":{"stream":9,"device":0,"correlation":3,"bytes":64}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":70,"dur":2,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"relu","pid":0,"tid":7,"ts":80,"dur":10,"args":{"stream":7,"device":0,"correlation":4}}
]}"#;

    fn at(us: i64) -> String {
        let trace = load::text("t.json", TEXT.as_bytes()).unwrap();
        let analysis = Analysis::of(&trace);
        let point = TimelinePoint::of(&trace, &analysis, us * 1_000);
        point.sentences().join("\n")
    }

    #[test]
    fn each_thread_and_stream_says_what_it_does() {
        insta::assert_snapshot!(at(14), @"
        At 14.0 µs, in ProfilerStep#1:
        host thread 1: aten::mm calls cudaLaunchKernel, at train.py:10 in step
        device 0 stream 7: kernel gemm, 20.0 µs from 14.0 µs on
        ");
        insta::assert_snapshot!(at(22), @"
        At 22.0 µs, in ProfilerStep#1:
        host thread 1: Python, at train.py:10 in step
        device 0 stream 7: kernel gemm, 20.0 µs from 14.0 µs on
        device 0 stream 9: Memcpy HtoD (Pinned -> Device), 4.00 µs from 20.0 µs on
        ");
    }

    #[test]
    fn an_idle_moment_has_its_cause() {
        insta::assert_snapshot!(at(50), @"
        At 50.0 µs, in ProfilerStep#1:
        host thread 1: Python, at train.py:10 in step
        the device is idle for 46.0 µs from 34.0 µs on, because the host launched late, at train.py:10 in step
        ");
        insta::assert_snapshot!(at(99), @"
        At 99.0 µs, in ProfilerStep#1:
        no thread is in an operator or a call
        no work of a device was recorded here
        ");
    }
}
