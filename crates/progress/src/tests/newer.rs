//! Records of newer versions are read, and what is unknown in them is ignored.

use super::*;

#[test]
fn a_kind_of_a_newer_version_is_read_and_ignored() {
    let text = r#"{"id":"x","at_ms":1,"course":"warpup","kind":"sang","song":{"verses":[1]}}"#;
    let newer: Record = serde_json::from_str(text).unwrap();
    assert_eq!(newer.event, Event::Unknown);
    let progress = fold([newer]);
    assert!(!progress.lesson(&lesson("copies")).is_begun());
    assert_eq!((progress.stamp(0), progress.stamp(9)), (2, 9));
}

#[test]
fn a_field_of_a_newer_version_is_ignored() {
    let text =
        r#"{"id":"x","at_ms":1,"course":"warpup","kind":"reset","lesson":null,"why":"spring"}"#;
    let newer: Record = serde_json::from_str(text).unwrap();
    assert_eq!(newer.event, Event::Reset { lesson: None });
}

#[test]
fn whatever_the_clock_shows_the_next_record_is_after_the_newest_and_believed() {
    const CLOCKS: [u64; 6] = [0, 1, 951_782_400_000, 1 << 46, (1 << 46) + 1, u64::MAX];
    let after = |newest_ms| {
        let progress = fold([read(newest_ms, "start")]);
        CLOCKS.map(|it| progress.stamp(it))
    };
    let now = 951_782_400_000;
    assert_eq!(after(7), [8, 8, now, 1 << 46, 8, 8]);
    let ahead = (1 << 46) + 6;
    assert_eq!(after(ahead - 1), [ahead; 6]);
    // One that came from elsewhere leaves no later time.
    assert_eq!(after(LAST_MS), [LAST_MS; 6]);
}
