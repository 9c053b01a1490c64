//! Programs that do not end by themselves.

use super::*;

fn timed_out(source: &str) {
    let run = end_of(RunRequest {
        limits: SHORT,
        ..python(source)
    });
    assert_eq!(outcome(&run), &Outcome::TimedOut, "{source}");
}

#[test]
fn an_endless_loop_is_stopped_at_the_limit() {
    timed_out("while True:\n    pass");
}

#[test]
fn an_endless_loop_on_one_line_is_stopped_at_the_limit() {
    timed_out("while True: pass");
}

#[test]
fn an_endless_loop_inside_a_builtin_is_stopped_at_the_limit() {
    timed_out("sum(range(10**12))");
}

#[test]
fn a_list_that_grows_and_grows_is_stopped_at_the_limit() {
    timed_out("x = list(iter(int, 1))");
}

#[test]
fn a_program_that_catches_everything_is_still_stopped() {
    timed_out(
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
    );
}

#[test]
fn a_program_that_sleeps_is_stopped_at_the_limit() {
    timed_out("import time\ntime.sleep(1000)");
}

#[test]
fn a_program_that_removes_the_trace_function_is_still_stopped() {
    timed_out(
        "exec('import sys; sys.settrace(None)', {'__name__': 'library'})\nwhile True:\n    pass",
    );
}

#[test]
fn a_program_is_cancelled_when_asked() {
    let mut runner = LabRunner::start();
    let endless = [
        "print('on' * 10000)\nwhile True:\n    pass",
        "print('on' * 10000)\nwhile True: pass",
    ];
    for source in endless {
        let run = runner.begin(python(source));
        runner.first_output_of(run);
        runner.cancel(run);
        let run = runner.end_of(run);
        assert_eq!(outcome(&run), &Outcome::Cancelled);
        assert_works(&mut runner);
    }
}

#[test]
fn a_new_run_cancels_the_one_before() {
    let mut runner = LabRunner::start();
    let first = runner.begin(python("while True:\n    pass"));
    let second = runner.begin(python("print(1)"));
    assert_eq!(outcome(&runner.end_of(first)), &Outcome::Cancelled);
    assert_eq!(runner.end_of(second).output, "1\n");
}

#[test]
fn a_cancel_of_a_run_that_has_ended_changes_nothing() {
    let mut runner = LabRunner::start();
    let run = runner.run(python("print(1)"));
    runner.cancel(run.id);
    assert_works(&mut runner);
}

/// What a program gets whose lab asks for so much memory.
fn with_memory(host_bytes: u64, source: &str) -> Run {
    let usual = python(source);
    let limits = Limits {
        host_bytes,
        ..usual.limits
    };
    end_of(RunRequest { limits, ..usual })
}

#[test]
fn a_lab_gets_the_memory_that_it_asks_for_and_no_more() {
    const LIMIT: u64 = 3 << 30;
    let run = with_memory(LIMIT, "x = bytearray(2 << 30)\nprint(len(x) >> 30)");
    assert_eq!(
        (outcome(&run), run.output.as_str()),
        (&Outcome::Done, "2\n")
    );
    for (source, words) in [
        (
            "x = bytearray(4 << 30)",
            "a program may use 3.00 GiB in all",
        ),
        (
            "import torch\nx = torch.empty(2 << 28)\ny = torch.empty(2 << 28)",
            "the tensors of this program hold 3 GiB of host memory together; 2.00 GiB are held",
        ),
    ] {
        let run = with_memory(LIMIT, source);
        let Outcome::Raised(raised) = outcome(&run) else {
            panic!("{source}: {:?}", outcome(&run));
        };
        assert!(raised.message.contains(words), "{source}: {raised:?}");
    }
    // The most that a lab may ask for is really there.
    let run = with_memory(11 << 30, "x = bytearray(11 << 30)\nprint(len(x) >> 30)");
    assert_eq!(
        (outcome(&run), run.output.as_str()),
        (&Outcome::Done, "11\n")
    );
}

#[test]
fn output_ends_at_its_limit() {
    for source in ["print('x' * 10**8)", "while True:\n    print('x' * 1000)"] {
        let run = end_of(python(source));
        assert_eq!(outcome(&run), &Outcome::TooMuchOutput);
        assert_eq!(run.output.len(), 1 << 20);
    }
}
