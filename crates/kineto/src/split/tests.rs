//! Text in, pieces out.

use super::*;
use proptest::prelude::*;

/// The pieces of a text that comes in blocks of so many bytes, one a line, or what is wrong.
fn split(text: &[u8], block: usize) -> String {
    let mut splitter = Splitter::new();
    let mut pieces = Vec::new();
    for block in text.chunks(block) {
        if let Err(error) = splitter.push(block, &mut pieces) {
            return error.to_string();
        }
    }
    if let Err(error) = splitter.finish(&mut pieces) {
        return error.to_string();
    }
    let shown = pieces.iter().map(|it| match it {
        Piece::Events { at, text, .. } => format!("{at}: {}", String::from_utf8_lossy(text)),
        Piece::Entry { key, value } => format!("{key}: {}", String::from_utf8_lossy(value)),
    });
    shown.collect::<Vec<_>>().join("\n")
}

const TRACE: &str = r#"{"schemaVersion": 1, "a": "x}", "b": {"c": [1]},
 "traceEvents": [ {"name": "a]}\"", "args": {"x": [1]}}, {"name": "\\"}
 ], "displayTimeUnit": "ms"}"#;

#[test]
fn events_and_what_is_beside_them_are_told_apart() {
    insta::assert_snapshot!(split(TRACE.as_bytes(), 1000), @r#"
    schemaVersion: 1
    a: "x}"
    b: {"c": [1]}
    67: {"name": "a]}\"", "args": {"x": [1]}}, {"name": "\\"}
     
    displayTimeUnit: "ms"
    "#);
    assert_eq!(
        split(br#"[{"a":1},{"b":2}]"#, 1000),
        r#"1: {"a":1},{"b":2}"#
    );
}

#[test]
fn what_is_wrong_has_its_byte() {
    let of = |text: &str| split(text.as_bytes(), 1000);
    assert_eq!(of(""), "byte 0: the file is empty");
    assert_eq!(of("hello"), "byte 0: a trace begins with `{` or `[`");
    assert_eq!(
        of(r#"{"traceEvents": [{"a": 1}, 7]}"#),
        "byte 27: expected an event, which begins with `{`"
    );
    assert_eq!(
        of(r#"{"traceEvents": [{"a": 1}"#),
        "byte 25: the file ends here, before the trace does"
    );
    assert_eq!(of("[] x"), "byte 3: there is more after the end");
    assert_eq!(of(r#"{"a" 1}"#), "byte 5: expected `:`");
    let deep = format!("[{{\"a\":{}", "[".repeat(100));
    assert_eq!(of(&deep), "byte 70: values are nested too deep");
}

#[test]
fn an_event_without_an_end_is_bounded() {
    let mut splitter = Splitter::new();
    let mut pieces = Vec::new();
    splitter.push(b"[{\"name\": \"", &mut pieces).unwrap();
    let block = vec![b'x'; 1 << 20];
    let error = (0..20)
        .find_map(|_| splitter.push(&block, &mut pieces).err())
        .unwrap();
    insta::assert_snapshot!(error, @"byte 1: one event or value is longer than 16 MiB: a trace of a few steps is much smaller");
}

#[test]
fn white_space_after_an_event_is_not_kept() {
    let text = format!("[{{}}{},{{}}]", " ".repeat(100_000));
    let mut splitter = Splitter::new();
    let mut pieces = Vec::new();
    splitter.push(text.as_bytes(), &mut pieces).unwrap();
    splitter.finish(&mut pieces).unwrap();
    let bytes = pieces.iter().map(|it| match it {
        Piece::Events { text, .. } => text.len(),
        Piece::Entry { .. } => 0,
    });
    assert!(bytes.sum::<usize>() < 10_000);
}

proptest! {
    #[test]
    fn blocks_of_any_size_give_the_same(block in 1..100usize) {
        prop_assert_eq!(split(TRACE.as_bytes(), block), split(TRACE.as_bytes(), 1000));
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), block in 1..50usize) {
        drop(split(&bytes, block));
    }

    #[test]
    fn no_order_of_marks_panics(marks in "[\\[\\]{}\",:\\\\a1 ]{0,80}", block in 1..9usize) {
        drop(split(marks.as_bytes(), block));
        drop(split(format!("{{\"traceEvents\":[{marks}").as_bytes(), block));
    }
}
