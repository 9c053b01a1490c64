//! Workers that do not behave as one.

use super::*;

#[test]
fn a_worker_that_cannot_be_started_is_named() {
    let mut runner = LabRunner::with_worker("/nowhere/warpup-worker", &[]);
    for _ in 0..2 {
        let run = runner.run(python("print(1)"));
        let what = broken(&run);
        assert!(what.contains("/nowhere/warpup-worker"), "{what}");
        assert!(what.contains("cannot be started"), "{what}");
    }
}

/// How a run breaks with a shell script as the worker. Tried twice: the engine has to recover from the first run.
fn broken_with(script: &str) -> String {
    let mut runner = LabRunner::with_worker("/bin/sh", &["-c", script]);
    let mut what = || broken(&runner.run(python("print(1)"))).to_owned();
    let first = what();
    assert_eq!(first, what());
    first
}

#[test]
fn a_worker_that_ends_at_once_is_reported_with_its_last_output() {
    assert_eq!(
        broken_with("false"),
        "the lab worker ended with exit status 1"
    );
    assert_eq!(
        broken_with("echo no libcuda >&2; exit 127"),
        "the lab worker ended with exit status 127; it said: no libcuda"
    );
}

#[test]
fn a_worker_that_is_killed_is_reported_with_the_signal() {
    assert_eq!(
        broken_with("kill -SEGV $$"),
        "the lab worker was stopped by signal 11 (SIGSEGV)"
    );
}

#[test]
fn a_worker_that_sends_no_messages_is_given_up() {
    let what = broken_with("echo hello; exec sleep 1000");
    assert!(what.contains("not a valid message: hello"), "{what}");
    // `cat` sends each request back.
    let what = broken_with("exec cat");
    assert!(what.contains("made no sense"), "{what}");
    let what = broken_with("exec cat /dev/zero");
    assert!(what.contains("longer than"), "{what}");
}

#[test]
fn a_worker_that_says_nothing_is_stopped_at_the_limit() {
    // The second program is larger than the buffer of a pipe.
    for source in ["print(1)".to_owned(), "#".repeat(1 << 20)] {
        let mut runner = LabRunner::with_worker("/bin/sh", &["-c", "exec sleep 1000"]);
        let run = runner.run(RunRequest {
            limits: SHORT,
            ..python(source)
        });
        assert_eq!(outcome(&run), &Outcome::TimedOut);
        // The time of the app is no time of the program, least of all on a modelled card.
        assert_eq!(run.report.unwrap().host_ns, 0);
    }
}

/// A worker that is stopped wants the CPU and does not get it, as on a machine with too many programs.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_gets_no_cpu_is_no_mistake_of_the_program() {
    let mut runner = LabRunner::with_worker("/bin/sh", &["-c", "kill -STOP $$"]);
    let request = RunRequest {
        limits: Limits {
            time_ms: 40,
            ..SHORT
        },
        ..python_on("model:t4", "print(1)")
    };
    let run = runner.run(request);
    let Outcome::Busy(reason) = outcome(&run) else {
        panic!("{:?}", outcome(&run));
    };
    let said = "s of CPU time, since other programs use the CPU";
    assert!(reason.why.contains(said), "{reason:?}");
    assert_eq!(run.report.unwrap().clock, Clock::Modelled);
}

#[test]
fn a_run_on_a_modelled_card_that_is_stopped_stays_modelled() {
    for (device, clock) in [("cpu", Clock::Measured), ("model:t4", Clock::Modelled)] {
        let mut runner = LabRunner::with_worker("/bin/sh", &["-c", "exec sleep 1000"]);
        let run = runner.run(RunRequest {
            limits: SHORT,
            ..python_on(device, "print(1)")
        });
        assert_eq!(outcome(&run), &Outcome::TimedOut);
        assert_eq!(run.report.unwrap().clock, clock);
    }
}

#[test]
fn a_worker_that_closes_its_output_and_stays_is_not_waited_for() {
    assert_eq!(
        broken_with("exec >&-; exec sleep 1000"),
        "the lab worker closed its output"
    );
}

#[test]
fn a_worker_of_another_version_is_refused() {
    let what = broken_with(
        r#"echo '{"say":"hello","version":99,"warpup":"9","devices":[]}'; exec sleep 1000"#,
    );
    assert!(what.contains("version"), "{what}");
}

#[test]
fn processes_that_a_worker_started_end_with_it() {
    let held = EndPipe::new();
    // The worker ends; the process that it started holds both pipes open, the test's and that of errors.
    let script = format!("exec 3>{}; sleep 1000 >&- & exit 1", held.path().display());
    let mut runner = LabRunner::with_worker("/bin/sh", &["-c", &script]);
    let run = runner.run(python(""));
    assert_eq!(broken(&run), "the lab worker ended with exit status 1");
    assert_eq!(held.wait(), "");
}
