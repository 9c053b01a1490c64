//! Programs and workers that misbehave.
//!
//! Each test asserts how the run ends, and that the next run works on the same engine. [`LabRunner`] asserts that
//! exactly one last reply comes.

use crate::support::fifo::EndPipe;
use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::request::{python, python_on};
use warpup::lab::run::Run;
use warpup::protocol::{Limits, Outcome, Raised, RunRequest};

/// A time limit that programs which end do not reach, and that is short to wait for.
const SHORT: Limits = Limits {
    time_ms: 300,
    output_bytes: 1 << 20,
    spans: 0,
    plots: 0,
    card_bytes: None,
};

/// Runs a program, and asserts that the next one works.
fn end_of(request: RunRequest) -> Run {
    let mut runner = LabRunner::start();
    let run = runner.run(request);
    assert_works(&mut runner);
    run
}

fn assert_works(runner: &mut LabRunner) {
    let run = runner.run(python("print(6 * 7)"));
    assert_eq!(outcome(&run), &Outcome::Done);
    assert_eq!(run.output, "42\n");
}

fn raised(source: &str) -> Raised {
    let run = end_of(python(source));
    let Outcome::Raised(raised) = outcome(&run) else {
        panic!("{source}: {:?}", outcome(&run));
    };
    raised.clone()
}

/// What broke the run.
fn broken(run: &Run) -> &str {
    let Outcome::Broken { what } = outcome(run) else {
        panic!("{:?}", outcome(run));
    };
    what
}

fn timed_out(source: &str) {
    let run = end_of(RunRequest {
        limits: SHORT,
        ..python(source)
    });
    assert_eq!(outcome(&run), &Outcome::TimedOut, "{source}");
}

#[test]
fn an_exception_comes_with_its_line() {
    let raised = raised("x = 1\nraise ValueError('oops')");
    assert_eq!(
        raised,
        Raised {
            kind: "ValueError".to_owned(),
            message: "oops".to_owned(),
            line: 2,
            traceback:
                "Traceback (most recent call last):\n  File \"lab.py\", line 2, in <module>\n    \
                        raise ValueError('oops')\nValueError: oops\n"
                    .to_owned(),
            in_check: false,
        }
    );
}

#[test]
fn an_exception_whose_text_cannot_be_made_still_comes_with_its_kind() {
    let raised =
        raised("class E(Exception):\n    def __str__(self):\n        raise E()\nraise E()");
    assert_eq!((raised.kind.as_str(), raised.message.as_str()), ("E", ""));
}

#[test]
fn the_exceptions_that_led_to_another_come_before_it() {
    let raised = raised(
        "def f():\n    try:\n        {}['lr']\n    except KeyError as error:\n        \
         raise ValueError('no rate') from error\nrate = 1\ntry:\n    f()\nexcept ValueError:\n    rat",
    );
    assert_eq!((raised.kind.as_str(), raised.line), ("NameError", 10));
    insta::assert_snapshot!(raised.traceback, @r#"
    Traceback (most recent call last):
      File "lab.py", line 3, in f
        {}['lr']
    KeyError: 'lr'

    The above exception was the direct cause of the following exception:

    Traceback (most recent call last):
      File "lab.py", line 8, in <module>
        f()
      File "lab.py", line 5, in f
        raise ValueError('no rate') from error
    ValueError: no rate

    During handling of the above exception, another exception occurred:

    Traceback (most recent call last):
      File "lab.py", line 10, in <module>
        rat
    NameError: name 'rat' is not defined. Did you mean: 'rate'?
    "#);
}

#[test]
fn a_program_that_exits_early_is_still_checked() {
    for source in ["exit()", "raise SystemExit", "import sys\nsys.exit(0)"] {
        let run = end_of(RunRequest {
            check: Some("lab.check('it goes on', False)".to_owned()),
            ..python(source)
        });
        assert_eq!(outcome(&run), &Outcome::Done);
        assert_eq!(run.passed(), Some(false), "{source}");
    }
}

#[test]
fn a_syntax_error_comes_with_its_line() {
    let raised = raised("x = 1\ny = (");
    assert_eq!((raised.kind.as_str(), raised.line), ("SyntaxError", 2));
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
    timed_out("x = list(range(10**9))");
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
    timed_out("exec('import sys; sys.settrace(None)', {})\nwhile True:\n    pass");
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

#[test]
fn output_ends_at_its_limit() {
    for source in ["print('x' * 10**8)", "while True:\n    print('x' * 1000)"] {
        let run = end_of(python(source));
        assert_eq!(outcome(&run), &Outcome::TooMuchOutput);
        assert_eq!(run.output.len(), 1 << 20);
    }
}

#[test]
fn a_full_card_is_reported_in_numbers() {
    let run = end_of(python_on(
        "model:t4",
        "import warpup as torch\nheld = []\nwhile True:\n    \
         held.append(torch.zeros(1024, 1024, 1024, device='cuda'))",
    ));
    let Outcome::Raised(raised) = outcome(&run) else {
        panic!("{:?}", outcome(&run));
    };
    assert_eq!(raised.kind, "torch.OutOfMemoryError");
    assert_eq!(raised.line, 4);
    for part in [
        "Tried to allocate 4.00 GiB",
        "total capacity of 14.74 GiB",
        "12.00 GiB is allocated",
    ] {
        assert!(raised.message.contains(part), "{}", raised.message);
    }
    let memory = run.report.unwrap().memory.unwrap();
    assert_eq!((memory.peak_live, memory.peak_line), (12 << 30, 4));
}

#[test]
fn endless_recursion_is_a_recursion_error() {
    for source in [
        "def f():\n    return f()\nf()",
        "def f():\n    return [f()]\nf()",
        "exec('import sys; sys.setrecursionlimit(10**9)', {})\ndef f():\n    return f()\nf()",
    ] {
        assert_eq!(raised(source).kind, "RecursionError", "{source}");
    }
}

#[test]
fn a_huge_allocation_is_a_memory_error() {
    for source in [
        "x = [0] * 10**10",
        "x = 'x' * 10**11",
        "x = bytearray(10**12)",
        "x = 1 << (1 << 40)",
    ] {
        let raised = raised(source);
        assert_eq!(raised.kind, "MemoryError", "{source}");
        assert!(
            raised.message.contains("a lab may use 12.0 GiB in all"),
            "{source}: {}",
            raised.message
        );
    }
}

#[test]
fn tensors_of_impossible_sizes_are_refused() {
    for (expression, words) in [
        ("torch.ones(-5)", "negative dimension -5"),
        ("torch.randn(2, -10**18)", "negative dimension"),
        ("torch.zeros(10**18)", "can't allocate memory"),
        ("torch.zeros(10**10, 10**10)", "can't allocate memory"),
        ("torch.arange(10**18)", "can't allocate memory"),
        ("torch.zeros(2).reshape(-10**18)", "invalid shape dimension"),
        ("torch.zeros(3)[-10**18]", "out of bounds"),
    ] {
        let raised = raised(&format!("import warpup as torch\n{expression}"));
        assert!(raised.message.contains(words), "{expression}: {raised:?}");
    }
}

#[test]
fn programs_that_are_hard_on_the_interpreter_do_not_end_the_worker() {
    let mut runner = LabRunner::start();
    for source in [
        "object.__subclasses__()",
        "for kind in object.__subclasses__():\n    try:\n        kind()\n    except BaseException:\n        pass",
        "for kind in object.__subclasses__():\n    try:\n        kind.__new__(kind)\n    except BaseException:\n        pass",
        "for kind in object.__subclasses__():\n    kind.__name__",
        "x = []\nfor _ in range(100000):\n    x = [x]\ndel x",
        "eval('-' * 10000 + '1')",
        "globals().clear()",
        "import warpup\nwarpup._warpup.register(1, 2, 3, 4)\ntry:\n    warpup.zeros(2).shape\nexcept TypeError:\n    pass",
    ] {
        let run = runner.run(python(source));
        assert_eq!(outcome(&run), &Outcome::Done, "{source}");
        assert_works(&mut runner);
    }
}

#[test]
fn a_program_leaves_nothing_to_the_next_one() {
    let mut runner = LabRunner::start();
    runner.run(python(
        "import math, warpup\nmath.pi = 3\nwarpup.zeros = None\nwarpup.builtins.len = None\nleft = 1",
    ));
    let run = runner.run(python(
        "import math, warpup\nprint(math.pi > 3.1, warpup.zeros(1), len([]), 'left' in globals())",
    ));
    assert_eq!(run.output, "True tensor([0.]) 0 False\n");
}

#[test]
fn a_lone_surrogate_cannot_be_printed_as_in_python() {
    assert_eq!(raised("print('\\ud800')").kind, "UnicodeEncodeError");
}

#[test]
fn imports_that_labs_do_not_have_are_named() {
    for (module, words) in [
        ("os", "No module named 'os' in warpup: a lab can import"),
        (
            "socket",
            "No module named 'socket' in warpup: a lab can import",
        ),
        ("torch", "the line is `import warpup as torch`"),
    ] {
        let raised = raised(&format!("import {module}"));
        assert_eq!(raised.kind, "ModuleNotFoundError");
        assert!(raised.message.contains(words), "{}", raised.message);
    }
}

#[test]
fn a_program_cannot_reach_the_machine() {
    for source in [
        "open('/etc/hostname')",
        "exec('import io; io.open(\"/etc/hostname\")', {})",
        "exec('import _io; _io.FileIO(\"/etc/hostname\")', {})",
        "exec('import posix', {})",
        "exec('import socket; socket.socket()', {})",
        "exec('import subprocess; subprocess.run([\"true\"])', {})",
        "__import__('os').listdir('/')",
    ] {
        let raised = raised(source);
        let kinds = [
            "NameError",
            "ImportError",
            "ModuleNotFoundError",
            "AttributeError",
        ];
        assert!(
            kinds.contains(&raised.kind.as_str()),
            "{source}: {raised:?}"
        );
    }
}

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
    assert!(what.contains("no message: hello"), "{what}");
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
