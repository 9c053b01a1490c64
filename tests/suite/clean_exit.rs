//! However the app ends, it restores the terminal, is gone within a second, and leaves no process running.

use crate::support::pty::{Start, Terminal};
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long an end may take.
const SECOND: Duration = Duration::from_secs(1);

/// After this time a signal is taken to wait for good.
#[cfg(target_os = "linux")]
const STUCK: Duration = Duration::from_secs(20);

/// Ends the app up to five times, until it is gone within a second: tests beside this one can take the processor for that long.
fn ends_within_a_second(what: &str, mut end: impl FnMut() -> Duration) {
    let mut times = Vec::new();
    let quick = (0..5).any(|_| {
        let took = end();
        times.push(took);
        took < SECOND
    });
    assert!(quick, "{what}: {times:?}");
}

/// Signals that end the app whatever its terminal does, each with its exit status.
const BY_SIGNAL: [(Signal, u32); 4] = [
    (Signal::TERM, 143),
    (Signal::HUP, 129),
    (Signal::INT, 130),
    (Signal::QUIT, 131),
];

/// The variable that makes a thread of the app panic, in builds for tests.
const PANIC: &str = "WARPUP_TEST_PANIC";

fn at_the_map() -> Terminal {
    shows_the_map(Start::warpup())
}

fn shows_the_map(start: Start) -> Terminal {
    let terminal = start.spawn();
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

/// The settings of a terminal that nobody has changed.
fn plain_settings() -> String {
    let terminal = Start::program("/bin/sh").args(["-c", "echo shown; read x"]);
    let terminal = terminal.spawn();
    terminal.wait_for(|it| it.contains("shown"), "the shell");
    terminal.settings()
}

/// Makes the thread that [`PANIC`] names panic as soon as it has something to do.
fn panic_from_now(home: &Path) {
    std::fs::write(home.join("panic-now"), "").unwrap();
}

/// What ends the app.
#[derive(Debug)]
enum By {
    Keys(&'static [&'static str]),
    Signal(Signal),
    /// A panic in the thread of this name, which these keys reach.
    Panic(&'static str, &'static str),
}

/// Ends the app at its map, and gives how long that took.
fn end(by: &By, status: u32) -> Duration {
    let start = Start::warpup();
    let mut terminal = match by {
        By::Keys(_) | By::Signal(_) => shows_the_map(start),
        By::Panic("hangup", _) => {
            panic_from_now(start.home());
            start.env(PANIC, "hangup").spawn()
        }
        By::Panic(thread, _) => shows_the_map(start.env(PANIC, *thread)),
    };
    panic_from_now(terminal.home());
    let begin = Instant::now();
    match by {
        By::Keys(presses) => {
            let (last, before) = presses.split_last().unwrap();
            for (at, keys) in before.iter().enumerate() {
                terminal.press(keys);
                terminal.wait_for(|it| it.contains("Quit warpup?"), &format!("question {at}"));
            }
            terminal.press(last);
        }
        By::Signal(signal) => terminal.signal(*signal),
        By::Panic("hangup", _) => {}
        By::Panic("signals", _) => terminal.signal(Signal::CONT),
        By::Panic(_, keys) => terminal.press(keys),
    }
    let exit = terminal.wait_exit();
    let took = begin.elapsed();
    assert_restored(&terminal);
    assert_eq!(terminal.settings(), plain_settings());
    assert_eq!(exit.exit_code(), status, "{by:?}");
    took
}

#[test]
fn every_end_restores_the_terminal_within_a_second_and_sets_the_exit_status() {
    let ends = [
        (By::Keys(&["q", "q"]), 0),
        (By::Keys(&["<C-q>"]), 0),
        (By::Keys(&["<C-c>", "<C-c>"]), 0),
        (By::Keys(&["<C-c>", "y"]), 0),
        (By::Signal(Signal::HUP), 129),
        (By::Signal(Signal::INT), 130),
        (By::Signal(Signal::QUIT), 131),
        (By::Signal(Signal::TERM), 143),
        (By::Signal(Signal::USR1), 138),
        (By::Signal(Signal::USR2), 140),
        (By::Signal(Signal::ALARM), 142),
        (By::Signal(Signal::XCPU), 152),
        (By::Panic("main", "j"), 101),
        (By::Panic("signals", ""), 134),
        (By::Panic("hangup", ""), 134),
        (By::Panic("doctor", "d"), 134),
    ];
    // A few at a time: each is an app that starts.
    for some in ends.chunks(4) {
        std::thread::scope(|scope| {
            for (by, status) in some {
                scope.spawn(move || {
                    ends_within_a_second(&format!("{by:?}"), || end(by, *status));
                });
            }
        });
    }
}

/// Waits until the program in a terminal reads single keys.
fn wait_until_raw(terminal: &Terminal, before: &str) {
    let until = Instant::now() + Duration::from_mins(1);
    while terminal.settings() == before {
        assert!(Instant::now() < until, "the terminal is never taken over");
        std::thread::yield_now();
    }
}

#[test]
fn a_terminal_that_accepts_no_bytes_holds_no_signal_up() {
    let before = plain_settings();
    for (signal, status) in BY_SIGNAL {
        ends_within_a_second(&format!("{signal:?}"), || {
            let terminal = Start::warpup().stopped().spawn();
            // From now on the app waits for the terminal to take its first bytes.
            wait_until_raw(&terminal, &before);
            let begin = Instant::now();
            terminal.signal(signal);
            assert_eq!(terminal.wait_exit().exit_code(), status, "{signal:?}");
            let took = begin.elapsed();
            assert_eq!(terminal.settings(), before);
            took
        });
    }
}

/// How often the thread that waits for signals has gone to sleep.
#[cfg(target_os = "linux")]
fn sleeps_of_signals(pid: i32) -> Option<u64> {
    let mut threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let status = threads.find_map(|it| {
        let status = std::fs::read_to_string(it.ok()?.path().join("status")).ok()?;
        status.contains("Name:\tsignals\n").then_some(status)
    })?;
    let mut lines = status.lines();
    let count = lines.find_map(|it| it.strip_prefix("voluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

// The test sees in /proc that a signal was taken: two that come at once are one.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_accepts_no_bytes_any_more_holds_no_signal_up_however_often_it_is_resized() {
    let before = plain_settings();
    for (signal, status) in BY_SIGNAL {
        ends_within_a_second(&format!("{signal:?}"), || {
            let terminal = at_the_map();
            terminal.stop();
            for columns in (81..100).cycle().take(3_000) {
                let before = sleeps_of_signals(terminal.pid());
                terminal.resize(columns, 24);
                let begin = Instant::now();
                while sleeps_of_signals(terminal.pid()) == before {
                    assert!(begin.elapsed() < STUCK, "a signal waits for the terminal");
                }
            }
            terminal.signal(Signal::CONT);
            let begin = Instant::now();
            terminal.signal(signal);
            assert_eq!(terminal.wait_exit().exit_code(), status, "{signal:?}");
            let took = begin.elapsed();
            assert_eq!(terminal.settings(), before);
            took
        });
    }
}

#[test]
fn suspending_without_a_shell_that_could_continue_it_does_nothing() {
    // The pseudo-terminal starts the app as the leader of a session, as `ssh -t` does.
    let mut terminal = at_the_map();
    terminal.press("<C-z>");
    terminal.press("?");
    terminal.wait_for(|it| it.contains("Everywhere"), "the help");
    terminal.signal(Signal::TSTP);
    terminal.press("?");
    terminal.wait_for(|it| it.contains("lessons done"), "the map");
    terminal.press("q");
    terminal.press("q");
    assert!(terminal.wait_exit().success());
    assert_restored(&terminal);
}

// As in a container that somebody entered from outside: session and group have no number there.
#[cfg(target_os = "linux")]
#[test]
fn suspending_works_in_a_container_whose_session_is_outside() {
    let container = ["--user", "--map-root-user", "--pid", "--fork"];
    let allowed = std::process::Command::new("unshare")
        .args(container)
        .arg("true")
        .output();
    if !allowed.is_ok_and(|it| it.status.success()) {
        eprintln!("left out: this system allows no container without root");
        return;
    }
    let start = Start::program("unshare").args(container);
    let mut terminal = shows_the_map(start.args([env!("CARGO_BIN_EXE_warpup")]));
    terminal.press("<C-z>");
    terminal.press("?");
    terminal.wait_for(|it| it.contains("Everywhere"), "the help");
    terminal.press("?qq");
    assert!(terminal.wait_exit().success());
    assert_restored(&terminal);
}

// The test finds the worker through /proc.
#[cfg(target_os = "linux")]
#[test]
fn an_app_whose_terminal_closes_ends_with_its_lab() {
    let mut terminal = at_the_map();
    let worker = run_an_endless_loop(&mut terminal);
    terminal.hang_up();
    terminal.wait_exit();
    assert_gone(worker);
}

#[cfg(target_os = "linux")]
#[test]
fn a_panic_beside_a_lab_ends_the_lab_too() {
    // Stopping the run, or its worker, gives each of them something to do.
    let threads = [
        ("labs", 134),
        ("lab replies", 134),
        ("worker's requests", 134),
        ("worker's replies", 134),
        ("worker's errors", 134),
        ("worker's exit", 134),
        ("lab engine", 134),
        ("main", 101),
    ];
    for (thread, status) in threads {
        let mut terminal = shows_the_map(Start::warpup().env(PANIC, thread));
        let worker = run_an_endless_loop(&mut terminal);
        panic_from_now(terminal.home());
        if ["worker's errors", "worker's exit"].contains(&thread) {
            kill_process(Pid::from_raw(worker).unwrap(), Signal::KILL).unwrap();
        } else {
            terminal.press("<C-c>");
        }
        assert_eq!(terminal.wait_exit().exit_code(), status, "{thread}");
        assert_gone(worker);
        assert_restored(&terminal);
    }
}

#[test]
fn a_process_that_is_continued_sets_the_terminal_up_again() {
    let terminal = at_the_map();
    // What a shell leaves that had the terminal meanwhile.
    terminal.write_as_another(b"\x1b[?2004l\x1b[?1049l\x1b[?25h$ fg\r\n");
    assert!(!terminal.screen().bracketed_paste());
    terminal.signal(Signal::CONT);
    terminal.wait_for(|it| it.contains("lessons done"), "the course map");
    let screen = terminal.screen();
    assert!(screen.alternate_screen() && screen.bracketed_paste() && screen.hide_cursor());
}

#[cfg(target_os = "linux")]
#[test]
fn interrupting_stops_the_lab_first_and_then_asks() {
    let mut terminal = at_the_map();
    run_an_endless_loop(&mut terminal);
    terminal.press("<C-c>");
    terminal.wait_for(
        |it| it.contains("cancelled") || it.contains("stopped"),
        "the end of the run",
    );
    terminal.press("<C-c>");
    terminal.wait_for(|it| it.contains("Quit warpup?"), "the question");
    terminal.press("<C-c>");
    assert!(terminal.wait_exit().success());
    assert_restored(&terminal);
}

/// Edits an endless loop into a lab and runs it. Gives the worker's process.
#[cfg(target_os = "linux")]
fn run_an_endless_loop(terminal: &mut Terminal) -> i32 {
    use crate::course_walk;
    use crate::support::lab_runner;
    let course = lab_runner::shipped_course();
    let lesson = course_walk::lesson(course, "where-a-tensor-lives");
    course_walk::open_lesson(terminal, course, lesson);
    course_walk::open_lab(terminal, lesson, 1, "model-and-batch");
    terminal.press("e");
    terminal.wait_for(|it| it.contains("Esc stop editing"), "the editor");
    terminal.press("while True: pass<Enter>");
    terminal.wait_for(|it| it.contains("while True: pass"), "an endless loop");
    terminal.press("<C-r><Esc>");
    terminal.wait_for(|it| it.contains("running"), "the run");
    child_of(terminal.pid())
}

#[cfg(target_os = "linux")]
#[test]
fn killing_a_command_ends_its_worker() {
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

/// A shell with job control, as in a terminal, stops the command and goes on.
#[cfg(target_os = "linux")]
#[test]
fn nothing_of_a_stopped_command_keeps_running() {
    let start = Start::program("/bin/sh");
    let program = start.home().join("loop.py");
    std::fs::write(program, "while True: pass\n").unwrap();
    let script = format!(
        "set -m; {} run loop.py; echo status $?; read x",
        env!("CARGO_BIN_EXE_warpup")
    );
    let mut terminal = start.args(["-c", &script]).spawn();
    let command = child_of(terminal.pid());
    let worker = child_of(command);
    terminal.press("<C-z>");
    terminal.wait_for(|it| it.contains("status 1"), "the shell");
    assert_gone(worker);
    kill_process(Pid::from_raw(command).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn a_record_beyond_the_limit_of_a_file_is_reported_and_ends_nothing() {
    use crate::support::temp_home::TempHome;
    let home = TempHome::new();
    let run = format!(
        "ulimit -f 0; exec {} run where-a-tensor-lives/model-and-batch",
        env!("CARGO_BIN_EXE_warpup")
    );
    let output = std::process::Command::new("/bin/sh")
        .args(["-c", &run])
        .env_clear()
        .envs(home.environment())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(3),
        "{:?}: {errors}",
        output.status
    );
    assert!(errors.contains("File too large"), "{errors}");
}
