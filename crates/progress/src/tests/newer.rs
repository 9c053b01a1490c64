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
