//! `warpup new` and what it creates, as an author uses it.

use crate::support::temp_home::TempHome;
use std::fs;

#[test]
fn the_labs_of_a_new_course_run_as_it_says() {
    let home = TempHome::new();
    let dir = home.path().join("talk");
    let dir = dir.to_str().unwrap();
    for arguments in [
        &["new", "course", dir][..],
        &["--course", dir, "new", "lesson", "more"],
        &["--course", dir, "new", "quiz", "more"],
        &["--course", dir, "new", "lab", "more/second"],
    ] {
        assert_eq!(home.exit(arguments), Some(0), "{arguments:?}");
    }
    let output = home.run(&["check", dir, "--run-labs", "--trust"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains(" 0 errors, 0 warnings"), "{said}");
}

#[test]
fn the_example_course_is_clean_and_its_labs_run_as_it_says() {
    let home = TempHome::new();
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/shapes");
    let output = home.run(&["check", dir, "--run-labs", "--trust", "--strict"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("36 of 36 runs ended as the lesson says"),
        "{said}"
    );
}

#[test]
fn only_who_asks_reads_the_notes_for_instructors() {
    let home = TempHome::new();
    let course = home.sample_course();
    let course = course.as_str();
    let file = home.path().join("course/lessons/copies.md");
    let text = fs::read_to_string(&file).unwrap();
    let note = "<details><summary>Instructor</summary>\n\nAsk first.\n\n</details>\n";
    fs::write(&file, format!("{text}\n{note}")).unwrap();
    let said = |arguments: &[&str]| {
        let output = home.run(&[&["--course", course][..], arguments].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!said(&["read", "copies"]).contains("Ask first."));
    assert!(said(&["read", "copies", "--instructor"]).contains("Ask first."));
    let checked = said(&["check"]);
    let words = "lesson copies: 2 words for instructors, not in these minutes";
    assert!(checked.contains(words), "{checked}");
}

#[test]
fn check_means_the_course_of_the_current_folder() {
    let home = TempHome::new();
    let course = home.sample_course();
    let mut check = home.warpup(&["check"]);
    let output = check.current_dir(course.as_str()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("lesson copies: about"), "{said}");
    let mut elsewhere = home.warpup(&["check"]);
    let output = elsewhere.current_dir(home.path()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("lesson two-workers: about"), "{said}");
}
