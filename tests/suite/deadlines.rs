//! Deadlines of a course, as a learner in another time zone sees them.

use crate::support::temp_home::TempHome;
use std::fs::OpenOptions;
use std::io::Write;

#[test]
fn a_deadline_has_the_time_of_the_reader_until_the_lesson_is_passed() {
    let home = TempHome::new();
    let course = home.sample_course();
    let manifest = home.path().join("course/lessons/course.toml");
    let mut manifest = OpenOptions::new().append(true).open(manifest).unwrap();
    manifest
        .write_all(b"[due]\ncopies = 2026-12-01T18:00:00+01:00\n")
        .unwrap();
    let said = |arguments: &[&str]| {
        let all = [&["--course", course.as_str()], arguments].concat();
        // Nine hours east of Greenwich, on a machine without a database of zones, too.
        let output = home.warpup(&all).env("TZ", "JST-9").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let map = said(&[]);
    let row = "What a copy costs (copies, 20 min, due 2026-12-02 02:00)";
    assert!(map.contains(row), "{map}");
    let plain = said(&["--plain"]);
    let row = "What a copy costs (new, 20 min, due 2026-12-02 02:00)";
    assert!(plain.contains(row), "{plain}");
    let answers = home.write("answers.toml", "q-bus = \"slow\"\n");
    said(&["quiz", "copies", "--answers", answers.to_str().unwrap()]);
    let inbox = home.path().to_str().unwrap();
    let submit = said(&["class", "submit", "--dry-run", "--drop", inbox]);
    let words = submit.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("due 2026-12-02 02:00 (time of this machine), and not passed yet."),
        "{words}"
    );
}
