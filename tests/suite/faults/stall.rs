//! A disk that stalls: keys keep working, nothing is acknowledged, and the app ends when it is told to.

use super::app::{saver_of, start};
use super::strace::{self, Attached, Fault};
use super::{Disk, course};
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[test]
fn a_disk_that_stalls_for_30_s_keeps_no_key_waiting_and_no_app_open() {
    if !strace::works() {
        return;
    }
    let folder = TempDir::new().unwrap();
    course::write(folder.path());
    let disk = Disk::new();
    let mut terminal = start(folder.path(), &disk);
    let stall = Fault {
        calls: "fdatasync",
        what: "delay_enter=30000000".to_owned(),
        when: "1+".to_owned(),
    };
    let out = disk.folder.path().join("injected");
    let attached = Attached::to(saver_of(terminal.pid()), &stall, &out);
    let began = Instant::now();
    terminal.press("1<Enter>");
    terminal.wait_for(
        |it| it.contains("saving… right"),
        "the verdict without a mark",
    );
    let mut slowest = Duration::ZERO;
    for n in 2..=6 {
        let pressed = Instant::now();
        terminal.press("<Enter>");
        let next = format!("· {n} of");
        terminal.wait_for(|it| it.contains(&next), "the next question");
        slowest = slowest.max(pressed.elapsed());
        terminal.press("1<Enter>");
        terminal.wait_for(
            |it| it.contains("saving… right"),
            "the verdict without a mark",
        );
    }
    assert!(!terminal.text().contains("✓ right"));
    terminal.press("Q");
    terminal.wait_for(|it| it.contains("still saving (6)"), "what is left to save");
    let pressed = Instant::now();
    terminal.press("q");
    assert!(!terminal.wait_exit().success());
    let left = pressed.elapsed();
    let said = terminal.text();
    let is_named = said.contains("6 records are not saved where progress belongs");
    assert!(is_named && said.contains("warpup-kept-"), "{said}");
    drop(attached);
    assert_eq!(disk.kept().len(), 6);
    println!(
        "stall of 30 s: slowest key {} ms, left after {} ms",
        slowest.as_millis(),
        left.as_millis()
    );
    assert!(left < Duration::from_secs(5), "{left:?}");
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "a key waited for the disk"
    );
}
