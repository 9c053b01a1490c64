//! A piece of a trace as events. Pieces are read by several threads, so each has names and lanes of its own until
//! [`super::builder`] puts them together.

use super::event::{Event, EventDetails, EventKind, LaneId};
use super::event_fields::{self, EventFields};
use super::exchange_kernels;
use super::json_scanner::{JsonError, JsonScanner, Scalar, unescaped};
use super::names::{NameId, NameTable, one_line};
use super::other_category::OtherCategory;
use super::read_error::ReadError;
use rustc_hash::FxHashMap;

/// The longest name that is kept; kernels of templates have names of several thousand bytes.
const MAX_NAME_BYTES: usize = 4096;

/// The same for processes and threads.
const MAX_LANE_BYTES: usize = 256;

/// What a piece has.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) events: Vec<Event>,
    pub(super) details: Vec<EventDetails>,
    pub(super) names: NameTable,
    pub(super) lanes: Vec<LaneKey>,
    pub(super) labels: Vec<Label>,
    /// How many events the piece has, with those that are not kept.
    pub(super) count: usize,
    /// Events that nothing here reads, by category.
    pub(super) other: Vec<OtherCategory>,
    /// Whether a time has digits after the point.
    pub(super) has_nanoseconds: bool,
    /// The next byte.
    pub(super) end: u64,
}

/// What tells a lane from others: process and thread, or device and stream, as the trace writes them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LaneKey {
    /// Whether it is device and stream: a process of a container may have the number of a device.
    pub(super) is_device: bool,
    pub(super) process: String,
    pub(super) thread: String,
}

/// The name of a process or a thread.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) lane: LaneKey,
    pub(super) is_process: bool,
    pub(super) name: String,
}

/// The lane of the event before, since most events are on the same one.
struct LastLane<'a> {
    is_device: bool,
    process: &'a [u8],
    thread: &'a [u8],
    id: LaneId,
}

/// Reads a piece, before which are so many bytes: whole events with a comma between two, and perhaps after the last.
pub(super) fn read(at: u64, text: &[u8]) -> Result<Batch, ReadError> {
    let mut reader = EventReader {
        batch: Batch {
            end: at + text.len() as u64,
            ..Batch::default()
        },
        ids: FxHashMap::default(),
        last: None,
        texts: FxHashMap::default(),
        lines: FxHashMap::default(),
    };
    let mut scanner = JsonScanner::new(text);
    let broken = |it: JsonError| ReadError::broken(at + it.at as u64, it.why);
    loop {
        if scanner.peek().is_none() {
            return Ok(reader.batch);
        }
        let before = at + scanner.at() as u64;
        let fields = event_fields::read(&mut scanner).map_err(broken)?;
        reader
            .add(&fields)
            .map_err(|why| ReadError::broken(before, format!("this event {why}")))?;
        reader.batch.count += 1;
        if !scanner.take(b',') && scanner.peek().is_some() {
            let comma = scanner.broken("expected `,` between two events");
            return comma.map_err(broken);
        }
    }
}

struct EventReader<'a> {
    batch: Batch,
    ids: FxHashMap<LaneKey, LaneId>,
    last: Option<LastLane<'a>>,
    /// The names of texts as the trace has them, so that each is looked at once.
    texts: FxHashMap<&'a [u8], NameId>,
    /// The same for those on one line.
    lines: FxHashMap<&'a [u8], NameId>,
}

impl<'a> EventReader<'a> {
    fn add(&mut self, it: &EventFields<'a>) -> Result<(), &'static str> {
        let mut kind = EventKind::of_category(it.category);
        match it.phase {
            // The profiler's own spans, over everything.
            b"X" if it.category == b"Trace" => return Ok(()),
            b"X" => {}
            b"i" | b"I" if kind == EventKind::Memory && it.name == b"[memory]" => {}
            b"M" => {
                self.label(it);
                return Ok(());
            }
            // Arrows, counters and marks.
            _ => return Ok(()),
        }
        if kind == EventKind::Memory && it.name != b"[memory]" {
            kind = EventKind::Other;
        }
        let start = it.start.ok_or("has no `ts`")?;
        let start_ns = start
            .nanoseconds()
            .ok_or("has a `ts` that is not a number")?;
        let duration_ns = match it.duration {
            Some(it) => it.nanoseconds().ok_or("has a `dur` that is not a number")?,
            None => 0,
        };
        if start_ns < 0 {
            return Err("has a negative `ts`");
        }
        if duration_ns < 0 {
            return Err("has a negative `dur`");
        }
        self.batch.has_nanoseconds |= start.bytes().contains(&b'.');
        if kind == EventKind::Other {
            OtherCategory::count(&mut self.batch.other, it.category, duration_ns);
        }
        let details = self.details(kind, it);
        let event = Event {
            start_ns,
            duration_ns,
            correlation: it.args.correlation,
            external: it.args.external,
            name: self.one_line(it.name),
            lane: self.lane(kind, it),
            details,
            kind,
        };
        self.batch.events.push(event);
        Ok(())
    }

    fn name(&mut self, bytes: &'a [u8]) -> NameId {
        let names = &mut self.batch.names;
        *self.texts.entry(bytes).or_insert_with(|| {
            let text = unescaped(bytes);
            names.intern(cut(&text, MAX_NAME_BYTES))
        })
    }

    /// The name of an event, in which a control character must not begin a line of its own.
    fn one_line(&mut self, bytes: &'a [u8]) -> NameId {
        let names = &mut self.batch.names;
        *self.lines.entry(bytes).or_insert_with(|| {
            let text = unescaped(bytes);
            names.intern(&one_line(cut(&text, MAX_NAME_BYTES)))
        })
    }

    /// The lane of an event. Device work says its device and stream in its arguments, and process and thread repeat them.
    fn lane(&mut self, kind: EventKind, it: &EventFields<'a>) -> LaneId {
        let (mut process, mut thread) = (it.process, it.thread);
        if kind.is_device_work() && !it.args.device.is_empty() && !it.args.stream.is_empty() {
            (process, thread) = (it.args.device, it.args.stream);
        }
        let is_device = kind.is_of_device();
        if let Some(last) = &self.last
            && last.is_device == is_device
            && last.process == process
            && last.thread == thread
        {
            return last.id;
        }
        let key = lane_key(is_device, process, thread);
        let next = LaneId(u32::try_from(self.ids.len()).unwrap_or(0));
        let id = *self.ids.entry(key).or_insert_with_key(|key| {
            self.batch.lanes.push(key.clone());
            next
        });
        self.last = Some(LastLane {
            is_device,
            process,
            thread,
            id,
        });
        id
    }

    fn label(&mut self, it: &EventFields<'a>) {
        let is_process = it.name == b"process_name";
        if is_process || it.name == b"thread_name" {
            self.batch.labels.push(Label {
                lane: lane_key(false, it.process, it.thread),
                is_process,
                name: one_line(cut(&unescaped(it.args.name), MAX_LANE_BYTES)),
            });
        }
    }

    /// Keeps the details of an event, if it has any. Gives one more than their place.
    fn details(&mut self, kind: EventKind, it: &EventFields<'a>) -> u32 {
        let args = &it.args;
        let details = match kind {
            EventKind::Operator | EventKind::Annotation => {
                if args.dims.is_empty() && args.stack.is_empty() {
                    return 0;
                }
                EventDetails::Operator {
                    dims: self.name(args.dims),
                    types: self.name(args.types),
                    values: match it.name {
                        b"aten::convolution" => self.name(args.values),
                        _ => NameId::EMPTY,
                    },
                    stack: self.name(args.stack),
                }
            }
            EventKind::Copy | EventKind::Fill => EventDetails::Copy {
                bytes: args.bytes.and_then(Scalar::count).unwrap_or(0),
            },
            EventKind::Kernel if !args.collective.is_empty() => EventDetails::Exchange {
                collective: self.name(args.collective),
                bytes: (args.elements_in.max(args.elements_out))
                    .saturating_mul(exchange_kernels::bytes_of_element(args.element)),
                ranks: u32::try_from(args.ranks).unwrap_or(0),
            },
            EventKind::Kernel => EventDetails::Kernel {
                occupancy: percent(args.occupancy),
            },
            EventKind::Memory => EventDetails::Memory {
                bytes: args.bytes.and_then(signed).unwrap_or(0),
                allocated: args.allocated,
                reserved: args.reserved,
                device_type: args.device_type.and_then(signed).unwrap_or(0),
                device: args.device_id.and_then(signed).unwrap_or(0),
                // Allocators align by 64 bytes or more; what is left tells 256 GiB apart.
                address: u32::try_from((args.address >> 6) & u64::from(u32::MAX)).unwrap_or(0),
            },
            EventKind::Python if args.call_from.is_empty() => return 0,
            EventKind::Python => EventDetails::Python {
                from: self.name(args.call_from),
            },
            EventKind::Runtime
            | EventKind::Sync
            | EventKind::DeviceAnnotation
            | EventKind::Overhead
            | EventKind::Other => {
                return 0;
            }
        };
        self.batch.details.push(details);
        u32::try_from(self.batch.details.len()).unwrap_or(0)
    }
}

/// Old versions write `stream 7` for the thread of a stream.
fn lane_key(is_device: bool, process: &[u8], thread: &[u8]) -> LaneKey {
    let thread = unescaped(thread);
    let thread = thread.strip_prefix("stream ").unwrap_or(&thread);
    LaneKey {
        is_device,
        process: one_line(cut(&unescaped(process), MAX_LANE_BYTES)),
        thread: one_line(cut(thread, MAX_LANE_BYTES)),
    }
}

/// The beginning of a text, of so many bytes at most.
fn cut(text: &str, bytes: usize) -> &str {
    let mut length = text.len().min(bytes);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    text.get(..length).unwrap_or_default()
}

fn percent(value: Option<Scalar<'_>>) -> u8 {
    let number = value.and_then(Scalar::number);
    match number {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 100"
        )]
        Some(number) if (0.0..=100.0).contains(&number) => number as u8,
        _ => 255,
    }
}

fn signed<T: TryFrom<i64>>(value: Scalar<'_>) -> Option<T> {
    let text = std::str::from_utf8(value.bytes()).ok()?;
    T::try_from(text.trim().parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Write;

    /// The events of a text, one a line, or what is wrong.
    fn events(text: &str) -> String {
        let batch = match read(100, text.as_bytes()) {
            Ok(batch) => batch,
            Err(error) => return error.to_string(),
        };
        let mut lines = String::new();
        for it in &batch.events {
            let lane = &batch.lanes[it.lane.index()];
            let details = it
                .details
                .checked_sub(1)
                .map(|at| batch.details[at as usize]);
            writeln!(
                lines,
                "{:?} {} {}+{} on {}/{} c{} e{} {details:?}",
                it.kind,
                batch.names.get(it.name),
                it.start_ns,
                it.duration_ns,
                lane.process,
                lane.thread,
                it.correlation,
                it.external
            )
            .unwrap();
        }
        for it in &batch.labels {
            writeln!(lines, "label {:?} {}", it.lane, it.name).unwrap();
        }
        lines
    }

    #[test]
    fn events_of_old_and_new_versions_are_read() {
        let text = r#"
{"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 9, "tid": "9", "ts": 10, "dur": "5", "args": {"External id": "7", "Input Dims": [[2, 3]], "Input type": ["float"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":11.5,"dur":1.25,"args":{"correlation":3,"External id":7}},
{"ph":"X","cat":"Kernel","name":"gemm","pid":0,"tid":"stream 7","ts":14,"dur":2,"args":{"stream":7,"device":0,"correlation":3,"grid":[4,2,1],"block":[128,1,1],"est. achieved occupancy %": 25}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":7,"ts":14,"dur":2,"args":{"bytes": 92928}},
{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"ts":15,"args":{"Bytes":-64,"Total Allocated":128,"Device Type":0,"Device Id":-1}},
{"ph":"s","cat":"ac2g","id":3,"name":"ac2g","pid":9,"tid":9,"ts":11},
{"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":0,"dur":99},
{"ph":"M","name":"thread_name","pid":0,"tid":7,"ts":0,"args":{"name":"stream 7 "}}"#;
        insta::assert_snapshot!(events(text), @r#"
        Operator aten::mm 10000+5000 on 9/9 c0 e7 Some(Operator { dims: NameId(1), types: NameId(2), values: NameId(0), stack: NameId(0) })
        Runtime cudaLaunchKernel 11500+1250 on 9/9 c3 e7 None
        Kernel gemm 14000+2000 on 0/7 c3 e0 Some(Kernel { occupancy: 25 })
        Copy Memcpy HtoD (Pageable -> Device) 14000+2000 on 0/7 c0 e0 Some(Copy { bytes: 92928 })
        Memory [memory] 15000+0 on 9/9 c0 e0 Some(Memory { bytes: -64, allocated: 128, reserved: 0, device_type: 0, device: -1, address: 0 })
        label LaneKey { is_device: false, process: "0", thread: "7" } stream 7
        "#);
    }

    #[test]
    fn what_is_wrong_with_an_event_has_its_byte() {
        assert_eq!(
            events(r#"{"ph":"X","ts":1,"dur":-2}"#),
            "byte 100: this event has a negative `dur`"
        );
        assert_eq!(
            events(r#"{}, {"ph":"X","ts":-1}"#),
            "byte 104: this event has a negative `ts`"
        );
        assert_eq!(
            events(r#"{"ph":"X","dur":1}"#),
            "byte 100: this event has no `ts`"
        );
        assert_eq!(
            events(r#"{"ph":"X","ts":"soon"}"#),
            "byte 100: this event has a `ts` that is not a number"
        );
        assert_eq!(events(r#"{"ph" "X"}"#), "byte 106: expected `:`");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            drop(read(0, &bytes));
        }

        #[test]
        fn no_order_of_marks_panics(marks in "[\\[\\]{}\",:\\\\a1 ]{0,80}") {
            drop(read(0, format!("{{\"ph\":\"X\",\"args\":{{{marks}").as_bytes()));
            drop(read(0, marks.as_bytes()));
        }
    }
}
