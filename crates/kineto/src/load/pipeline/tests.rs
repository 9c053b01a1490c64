//! Bytes in, traces or errors out.

use super::*;
use crate::trace::LaneKind;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::Write;

const TRACE: &str = r#"{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 1010.5, "dur": 5},
{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 9, "tid": 9, "ts": 1010, "dur": 7}
], "distributedInfo": {"rank": 3}}"#;

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The events of a file's bytes, or what is wrong.
fn loaded(bytes: &[u8]) -> String {
    match text("t.json", bytes) {
        Ok(trace) => {
            let events = trace.events.iter();
            let names: Vec<String> = events
                .map(|it| format!("{}@{}", trace.name(it.name), it.start_ns))
                .collect();
            format!("{} rank {:?}", names.join(" "), trace.about.rank)
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_compressed_file_is_the_same_trace() {
    let plain = loaded(TRACE.as_bytes());
    assert_eq!(plain, "aten::linear@0 aten::mm@500 rank Some(3)");
    assert_eq!(loaded(&zipped(TRACE.as_bytes())), plain);
}

#[test]
fn what_is_damaged_has_its_byte() {
    let cut = &TRACE.as_bytes()[..150];
    assert_eq!(
        loaded(cut),
        "t.json: byte 150: the file ends here, before the trace does"
    );
    assert_eq!(
        loaded(&zipped(cut)),
        "t.json: byte 150: the file ends here, before the trace does"
    );
    let zipped = zipped(TRACE.as_bytes());
    let error = loaded(&zipped[..zipped.len() - 12]);
    assert!(
        error.contains("of the decompressed text: the compressed data is damaged"),
        "{error}"
    );
    assert_eq!(loaded(b""), "t.json: byte 0: the file is empty");
}

#[test]
fn the_first_thing_that_is_wrong_is_reported_however_the_threads_run() {
    let event = r#"{"ph":"X","cat":"cpu_op","name":"x","ts":1,"dur":1},"#;
    let bad = r#"{"ph":"X","name":"x","ts":1,"dur":-1},"#;
    let before = event.repeat(60_000);
    let text = format!("[{before}{bad}{before}{bad}{before}");
    let at = before.len() + 1;
    for _ in 0..5 {
        assert_eq!(
            loaded(text.as_bytes()),
            format!("t.json: byte {at}: this event has a negative `dur`")
        );
    }
}

#[test]
fn a_wrong_checksum_or_length_at_the_end_is_damage() {
    let event = r#"{"ph":"X","cat":"cpu_op","name":"x","ts":1,"dur":1}"#;
    let text = format!("[{}]", vec![event; 5000].join(","));
    let whole = zipped(text.as_bytes());
    for from_end in [5, 1] {
        let mut damaged = whole.clone();
        let at = damaged.len() - from_end;
        damaged[at] ^= 0xff;
        let error = loaded(&damaged);
        assert!(error.contains("damaged"), "{error}");
    }
}

#[test]
fn times_and_bytes_whose_sum_would_overflow_are_refused() {
    let event = |at: u64, more: &str| {
        format!(r#"{{"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":{at},"ts":{at},{more}}}"#)
    };
    let long = event(1, r#""dur":900000000000000"#);
    let error = loaded(format!("[{}]", vec![long; 3].join(",")).as_bytes());
    assert!(
        error.contains("its times are more than 36 years"),
        "{error}"
    );
    let copy = |at: u64| event(at, r#""dur":1,"args":{"bytes":18446744073709551615}"#);
    let copy = |at| copy(at).replace("cpu_op", "gpu_memcpy");
    let error = loaded(format!("[{},{}]", copy(1), copy(2)).as_bytes());
    assert!(error.contains("more than an exbibyte"), "{error}");
}

#[test]
fn white_space_and_long_names_of_lanes_are_not_kept() {
    let event = r#"{"ph":"X","cat":"cpu_op","name":"x","pid":"P","tid":1,"ts":1,"dur":1}"#;
    let event = event.replace('P', &"p".repeat(1 << 20));
    let blank = format!("[{event}{},{event}]", " ".repeat(8 << 20));
    let trace = text("t.json", blank.as_bytes()).unwrap();
    assert_eq!((trace.events.len(), trace.lanes.len()), (2, 1));
    assert_eq!(trace.lanes[0].process.len(), 256);
    let bad = blank.replace(r#""dur":1}]"#, r#""dur":-1}]"#);
    let at = blank.len() - event.len() - 1;
    let error = loaded(bad.as_bytes());
    assert_eq!(
        error,
        format!("t.json: byte {at}: this event has a negative `dur`")
    );
}

#[test]
fn events_have_one_comma_between_them() {
    let event = r#"{"ph":"X","cat":"cpu_op","name":"x","ts":1,"dur":1}"#;
    let at = event.len() + 2;
    assert_eq!(
        loaded(format!("[{event} {event}]").as_bytes()),
        format!("t.json: byte {at}: expected `,` between two events")
    );
    assert_eq!(
        loaded(format!("[{event},,{event}]").as_bytes()),
        format!("t.json: byte {at}: expected an event, which begins with `{{`")
    );
}

#[test]
fn a_process_with_the_number_of_a_device_is_no_stream() {
    let host = r#"{"ph":"X","cat":"cpu_op","name":"a","pid":7,"tid":7,"ts":1,"dur":1}"#;
    let kernel = r#"{"ph":"X","cat":"kernel","name":"k","pid":7,"tid":7,"ts":2,"dur":1,"args":{"device":7,"stream":7}}"#;
    let trace = text("t.json", format!("[{host},{kernel}]").as_bytes()).unwrap();
    let kinds: Vec<_> = trace.lanes.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [LaneKind::Host, LaneKind::Stream]);
}

#[test]
fn threads_without_number_are_refused() {
    let events: Vec<String> = (0..20_001)
        .map(|it| format!(r#"{{"ph":"X","cat":"cpu_op","name":"x","pid":1,"tid":{it},"ts":1}}"#))
        .collect();
    let error = loaded(format!("[{}]", events.join(",")).as_bytes());
    assert!(
        error.contains("more than 20000 threads and streams"),
        "{error}"
    );
}

#[test]
fn what_is_there_so_far_is_a_trace() {
    let mut first = None;
    let open = |count| BlockReader::of(io::Cursor::new(TRACE), count);
    let mut progress = |builder: &TraceBuilder, _: &BytesRead| {
        first.get_or_insert_with(|| builder.so_far("t.json").events.len());
        ControlFlow::Continue(())
    };
    read("t.json", &open, true, &mut progress).unwrap();
    assert_eq!(first, Some(2));
}

#[test]
fn the_caller_can_stop_it() {
    let open = |count| BlockReader::of(io::Cursor::new(TRACE), count);
    let stopped = read("t.json", &open, true, &mut |_, _| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(LoadError::Stopped { .. })));
}

/// A trace of so many events of about 100 bytes, in which `args` of some are what is given.
fn large(events: usize, args: impl Fn(usize) -> String) -> String {
    let mut text = String::from("{\"schemaVersion\": 1, \"traceEvents\": [\n");
    for number in 0..events {
        let comma = if number == 0 { "" } else { ",\n" };
        let args = args(number);
        write!(text, "{comma}  {{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a{}\", \"pid\": 9, \"tid\": 9,\n    \"ts\": {number}, \"dur\": 1, \"args\": {args}\n  }}", number % 7).unwrap();
    }
    text.push_str("\n], \"distributedInfo\": {\"rank\": 3}}");
    text
}

/// Nothing in the arguments.
fn none(_: usize) -> String {
    "{}".to_owned()
}

/// A trace of 30,000 events, in which what looks like the begin of an event is inside of one.
fn misleading() -> String {
    let inside = "{\"list\": [{}".to_owned() + &", {\"ph\": \"X\"}".repeat(300_000) + "]}";
    large(30_000, |it| match it {
        15_000 => inside.clone(),
        _ => none(it),
    })
}

/// What a text is without guesses.
fn exact(text: &str) -> Result<Option<TraceBuilder>, End> {
    let blocks = BlockReader::of(
        io::Cursor::new(text.as_bytes().to_vec()),
        BytesRead::default(),
    )
    .unwrap();
    on_threads(blocks, false, &mut |_| ControlFlow::Continue(()))
}

/// Whether the guesses in a text are right.
fn is_led(text: &str) -> bool {
    let blocks = BlockReader::of(
        io::Cursor::new(text.as_bytes().to_vec()),
        BytesRead::default(),
    )
    .unwrap();
    let read = on_threads(blocks, true, &mut |_| ControlFlow::Continue(()));
    !matches!(read, Ok(None))
}

#[test]
fn a_large_trace_is_the_same_with_and_without_guesses() {
    let trace = large(60_000, none);
    let compact = trace.replace(['\n', ' '], "");
    for it in [trace, compact] {
        assert!(is_led(&it));
        let guessed = text("t.json", it.as_bytes()).unwrap();
        let exact = exact(&it).ok().flatten().unwrap().finish("t.json");
        assert_eq!(guessed.events.len(), 60_000);
        assert_eq!(
            (&guessed.events, guessed.about.rank),
            (&exact.events, Some(3))
        );
    }
}

#[test]
fn a_guess_that_is_wrong_changes_nothing() {
    let trace = misleading();
    assert!(!is_led(&trace));
    let read = text("t.json", trace.as_bytes()).unwrap();
    assert_eq!((read.events.len(), read.about.rank), (30_000, Some(3)));
    // The same where another key than `traceEvents` has what looks like events.
    let beside = r#", "other": [{}"#.to_owned() + &", {\"ph\": \"X\"}".repeat(300_000) + "]}";
    let trace = large(30_000, none);
    let trace = trace.strip_suffix('}').unwrap().to_owned() + &beside;
    assert!(!is_led(&trace));
    let read = text("t.json", trace.as_bytes()).unwrap();
    assert_eq!((read.events.len(), read.about.rank), (30_000, Some(3)));
}

#[test]
fn what_is_wrong_after_a_guess_has_its_byte() {
    let of = |trace: &str| loaded(trace.as_bytes());
    let trace = large(60_000, none);
    let place = trace.find("\"ts\": 40000,").unwrap();
    let (cut, _) = trace.split_at(place);
    let event = cut.rfind("{\n").unwrap();
    assert_eq!(
        of(&trace.replace("\"ts\": 40000,", "\"ts\": -4000,")),
        format!("t.json: byte {event}: this event has a negative `ts`")
    );
    assert_eq!(
        of(cut),
        format!("t.json: byte {place}: the file ends here, before the trace does")
    );
    let (before, after) = trace.split_at(event);
    let (before, _) = before.rsplit_once(',').unwrap();
    let without = format!("{before} \n  {after}");
    assert_eq!(
        of(&without),
        format!("t.json: byte {event}: expected `,` between two events")
    );
}

#[test]
fn events_beyond_the_bound_are_refused() {
    let events = "{},".repeat(10_000_100);
    let error = loaded(format!("[{events}{{}}]").as_bytes());
    assert!(
        error.ends_with(
            "there are more than 10 million events: a trace of a few steps is much smaller"
        ),
        "{error}"
    );
}

#[test]
fn a_pipe_is_opened_once() {
    let trace = misleading();
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("t.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let path = pipe.clone();
    let write = move || fs::write(path, trace);
    let writer = thread::Builder::new().spawn(write).unwrap();
    let (tell, told) = sync_channel(1);
    let read = move || {
        let trace = file(&pipe, &mut |_| ControlFlow::Continue(()));
        let events = trace.map(|it| it.events.len());
        tell.send(events.map_err(|it| it.to_string()))
    };
    drop(thread::Builder::new().spawn(read).unwrap());
    // A reader that opens it a second time would wait for ever.
    let read = told.recv_timeout(std::time::Duration::from_mins(1));
    assert_eq!(read, Ok(Ok(30_000)));
    writer.join().unwrap().unwrap();
}

#[test]
fn values_are_nested_as_deep_in_a_large_file_as_in_a_small_one() {
    let deep = |levels: usize| format!("{{\"a\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
    let of = |events: usize, levels: usize| {
        let trace = large(events, |it| match it {
            30_000 => deep(levels),
            _ => none(it),
        });
        text("t.json", trace.as_bytes()).map(|it| it.events.len())
    };
    assert_eq!(of(60_000, 62).unwrap(), 60_000);
    for levels in [63, 64, 65] {
        let error = of(60_000, levels).unwrap_err().to_string();
        assert!(error.contains("nested too deep"), "{error}");
        assert!(of(30_001, levels).is_err());
    }
}

#[test]
fn what_is_wrong_first_is_said_where_the_text_ends_later() {
    let trace = large(60_000, none);
    let bad = trace.replace("\"ts\": 20000,", "\"ts\": -4000,");
    let place = bad.find("\"ts\": -4000,").unwrap();
    let (before, _) = bad.split_at(place);
    let event = before.rfind("{\n").unwrap();
    let wrong = format!("byte {event}: this event has a negative `ts`");
    // Cut in the same piece, and a piece later.
    for after in [300, 500_000, 2_500_000] {
        let (cut, _) = bad.split_at(place + after);
        let error = loaded(cut.as_bytes());
        assert!(error.ends_with(&wrong), "{error}");
        // Compressed text that ends there.
        let zipped = zipped(cut.as_bytes());
        let error = loaded(zipped.split_at(zipped.len() - 12).0);
        assert!(error.ends_with(&wrong), "{error}");
    }
}
