//! However the app ends, it restores the terminal and leaves no process running.

use crate::support::pty::{Start, Terminal};
use rustix::process::Signal;

fn at_the_map() -> Terminal {
    let terminal = Start::warpup().spawn();
    terminal.wait_for(|it| it.contains("lessons done"), "the course map");
    assert!(terminal.screen().alternate_screen());
    terminal
}

fn assert_restored(terminal: &Terminal) {
    let screen = terminal.screen();
    assert!(!screen.alternate_screen(), "the alternate screen is left");
    assert!(!screen.hide_cursor(), "the cursor is shown");
    assert!(!screen.bracketed_paste(), "pasting is plain");
    assert!(!screen.application_cursor(), "arrows are plain");
}

#[test]
fn quitting_restores_the_terminal() {
    let mut terminal = at_the_map();
    terminal.press("q");
    assert!(terminal.wait_exit().success());
    assert_restored(&terminal);
}

#[test]
fn signals_restore_the_terminal_and_set_the_exit_status() {
    for (signal, number) in [
        (Signal::TERM, 15),
        (Signal::HUP, 1),
        (Signal::INT, 2),
        (Signal::QUIT, 3),
    ] {
        let terminal = at_the_map();
        terminal.signal(signal);
        assert_eq!(terminal.wait_exit().exit_code(), 128 + number, "{signal:?}");
        assert_restored(&terminal);
    }
}

// The test finds the worker through /proc.
#[cfg(target_os = "linux")]
#[test]
fn an_app_whose_terminal_closes_ends_with_its_lab() {
    use crate::course_walk;
    use crate::support::lab_runner;
    let mut terminal = at_the_map();
    let course = lab_runner::shipped_course();
    let lesson = course_walk::lesson(course, "where-a-tensor-lives");
    course_walk::open_lesson(&mut terminal, course, lesson);
    course_walk::open_lab(&mut terminal, lesson, 1, "placement");
    terminal.press("e");
    terminal.wait_for(|it| it.contains("Esc stop editing"), "the editor");
    terminal.press("while True: pass<Enter>");
    terminal.wait_for(|it| it.contains("while True: pass"), "an endless loop");
    terminal.press("<C-r>");
    terminal.wait_for(|it| it.contains("running"), "the run");
    let worker = child_of(terminal.pid());
    terminal.hang_up();
    terminal.wait_exit();
    assert_gone(worker);
}

#[cfg(target_os = "linux")]
#[test]
fn killing_a_command_ends_its_worker() {
    use std::time::{Duration, Instant};
    let folder = tempfile::TempDir::new().unwrap();
    let program = folder.path().join("loop.py");
    std::fs::write(&program, "while True: pass\n").unwrap();
    let terminal = Start::warpup()
        .args(["run", program.to_str().unwrap()])
        .spawn();
    let worker = child_of(terminal.pid());
    let killed = Instant::now();
    terminal.signal(Signal::KILL);
    assert_gone(worker);
    let took = killed.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// The first child of a process, as soon as it has one.
#[cfg(target_os = "linux")]
fn child_of(pid: i32) -> i32 {
    let shell = format!(
        "until cat /proc/{pid}/task/*/children | grep -q '[0-9]'; do :; done; echo child $(cat /proc/{pid}/task/*/children) found"
    );
    let watch = Start::program("/bin/sh").args(["-c", &shell]).spawn();
    let screen = watch.wait_for(|it| it.contains("found"), "a worker");
    let mut words = screen.split_whitespace().skip_while(|it| *it != "child");
    words.nth(1).unwrap().parse().unwrap()
}

/// Waits until a process has ended, up to the deadline of a pseudo-terminal. It may still wait to be reaped.
#[cfg(target_os = "linux")]
fn assert_gone(pid: i32) {
    let shell = format!(
        "while [ -e /proc/{pid}/stat ] && ! grep -q ') Z' /proc/{pid}/stat; do :; done; echo gone"
    );
    let watch = Start::program("/bin/sh").args(["-c", &shell]).spawn();
    watch.wait_for(|it| it.contains("gone"), "the end of the worker");
}
