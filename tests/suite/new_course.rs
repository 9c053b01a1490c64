//! `warpup new` and what it creates, as an author uses it.

use crate::support::temp_home::TempHome;

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
