//! A class on a machine where one file cannot be written.

use crate::support::temp_home::TempHome;
use std::fs;
use std::process::{Command, Output};

fn class(home: &TempHome, before: &str, arguments: &str) -> Output {
    let run = format!("{before} exec {} {arguments}", env!("CARGO_BIN_EXE_warpup"));
    Command::new("/bin/sh")
        .args(["-c", &run])
        .current_dir(home.path())
        .env_clear()
        .envs(home.environment())
        .output()
        .unwrap()
}

#[test]
fn a_file_that_does_not_fit_on_the_disk_is_a_row_and_the_file_before_stays() {
    let home = TempHome::new();
    let attempt = "quiz where-a-tensor-lives --answers /dev/null";
    class(&home, "", attempt);
    let inbox = home.path().join("inbox");
    fs::create_dir(&inbox).unwrap();
    class(&home, "", "progress export inbox/first.jsonl");
    let collect = "class collect inbox --into all";
    let told = class(&home, "", collect);
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    let written = || {
        let files = fs::read_dir(home.path().join("all")).unwrap();
        files.map(|it| fs::read(it.unwrap().path()).unwrap())
    };
    let before: Vec<_> = written().collect();
    assert_eq!(before.len(), 1);
    // More than any shell takes for one block.
    for _ in 0..4 {
        class(&home, "", attempt);
    }
    class(&home, "", "progress export inbox/second.jsonl");
    let told = class(&home, "ulimit -f 1;", collect);
    assert_eq!(told.status.code(), Some(1), "{told:?}");
    let text = String::from_utf8(told.stdout).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("NOT WRITTEN: 5 records"), "{text}");
    assert!(text.contains("File too large"), "{text}");
    assert_eq!(written().collect::<Vec<_>>(), before);
    assert_eq!(class(&home, "", collect).status.code(), Some(0));
    assert_ne!(written().collect::<Vec<_>>(), before);
}
