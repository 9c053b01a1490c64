//! Moments at which data used to be lost: a data folder that is deleted, a kill while typing, a signal.

use super::app::start;
use super::{Disk, course};
use crate::course_walk;
use crate::support::lab_runner;
use crate::support::pty::{Start, Terminal};
use rustix::process::Signal;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The app with a first answer that is acknowledged.
fn answered(folder: &Path, disk: &Disk) -> Terminal {
    course::write(folder);
    let mut terminal = start(folder, disk);
    terminal.press("1<Enter>");
    terminal.wait_for(|it| it.contains("✓ right"), "the first verdict");
    terminal
}

/// Answers the second question, and waits for what the screen says then.
fn answer_again(terminal: &mut Terminal, says: &str) {
    terminal.press("<Enter>");
    terminal.wait_for(|it| it.contains("· 2 of"), "the second question");
    terminal.press("1<Enter>");
    terminal.wait_for(|it| it.contains(says), says);
}

#[test]
fn a_data_folder_that_is_deleted_under_the_app_is_made_again_with_all_in_it() {
    let (folder, disk) = (TempDir::new().unwrap(), Disk::new());
    let mut terminal = answered(folder.path(), &disk);
    fs::remove_dir_all(disk.data()).unwrap();
    answer_again(&mut terminal, "✓ right");
    terminal.signal(Signal::KILL);
    terminal.wait_exit();
    assert_eq!(disk.kept().len(), 2);
}

#[test]
fn a_signal_keeps_what_the_disk_refuses_elsewhere_and_says_where() {
    let (folder, disk) = (TempDir::new().unwrap(), Disk::new());
    let mut terminal = answered(folder.path(), &disk);
    // A file in the place of the folder takes no log, not even from root.
    fs::remove_dir_all(disk.data()).unwrap();
    fs::write(disk.data(), "").unwrap();
    answer_again(&mut terminal, "NOT SAVED (2)");
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.wait_exit().exit_code(), 143);
    let said = terminal.text().replace('\n', "");
    assert!(
        said.contains("2 records are not saved where progress belongs"),
        "{said}"
    );
    assert!(said.contains("warpup progress import"), "{said}");
    assert_eq!(disk.kept().len(), 2);
}

#[test]
fn a_kill_while_typing_costs_no_more_than_the_last_two_seconds() {
    let disk = Disk::new();
    let mut terminal = Start::warpup().env("WARPUP_DATA", disk.data()).spawn();
    terminal.wait_for(|it| it.contains("lessons done"), "the course map");
    let course = lab_runner::shipped_course();
    let lesson = course_walk::lesson(course, "where-a-tensor-lives");
    course_walk::open_lesson(&mut terminal, course, lesson);
    course_walk::open_lab(&mut terminal, lesson, 1, "model-and-batch");
    terminal.press("e");
    terminal.wait_for(|it| it.contains("Esc stop editing"), "the editor");
    terminal.press("typed_before_the_kill = 1");
    terminal.wait_for(
        |it| it.contains("typed_before_the_kill = 1"),
        "what is typed",
    );
    let typed = Instant::now();
    while !logs(&disk.data()).contains("typed_before_the_kill") {
        assert!(
            typed.elapsed() < Duration::from_secs(20),
            "it is not recorded"
        );
        thread::yield_now();
    }
    terminal.signal(Signal::KILL);
    terminal.wait_exit();
    assert!(logs(&disk.data()).contains("typed_before_the_kill = 1"));
}

/// The text of all logs.
fn logs(data: &Path) -> String {
    let Ok(entries) = fs::read_dir(data.join("log")) else {
        return String::new();
    };
    let texts = entries.map(|it| fs::read_to_string(it.unwrap().path()).unwrap());
    texts.collect::<Vec<_>>().concat()
}
