//! Programs and workers that misbehave.
//!
//! Each test asserts how the run ends, and that the next run works on the same engine. [`LabRunner`] asserts that
//! exactly one last reply comes.

/// A time limit that programs which end do not reach, and that is short to wait for.
const SHORT: Limits = Limits {
    time_ms: 300,
    output_bytes: 1 << 20,
    spans: 0,
    plots: 0,
    card_bytes: None,
    host_bytes: 1 << 30,
    value_bytes: 0,
};

mod escapes;
mod leftovers;
mod limits;
mod misbehaving;
mod programs;
mod workers;

use crate::support::fifo::EndPipe;
use crate::support::lab_runner::{LabRunner, outcome};
use crate::support::request::{python, python_on};
use warpup_lab::run::Run;
use warpup_protocol::{Clock, Limits, Outcome, RunRequest, UncaughtException};

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

fn raised(source: &str) -> UncaughtException {
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

#[test]
fn an_exception_comes_with_its_line() {
    let raised = raised("x = 1\nraise ValueError('oops')");
    assert_eq!(
        raised,
        UncaughtException {
            kind: "ValueError".to_owned(),
            message: "oops".to_owned(),
            line: 2,
            traceback:
                "Traceback (most recent call last):\n  File \"lab.py\", line 2, in <module>\n    \
                        raise ValueError('oops')\nValueError: oops\n"
                    .to_owned(),
            in_check: false,
            status: None,
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
fn a_full_card_is_reported_in_numbers() {
    let run = end_of(python_on(
        "model:t4",
        "import torch\nheld = []\nwhile True:\n    \
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
    ] {
        assert_eq!(raised(source).kind, "RecursionError", "{source}");
    }
    // Calls take no stack of the process, so without the limit they take memory.
    let unlimited = "exec('import sys; sys.setrecursionlimit(10**9)', {'__name__': 'library'})\ndef f():\n    return f()\nf()";
    assert_eq!(raised(unlimited).kind, "MemoryError");
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
            raised.message.contains("a program may use 1.00 GiB in all"),
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
        let raised = raised(&format!("import torch\n{expression}"));
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
        "try:\n    eval('-' * 10000 + '1')\nexcept RecursionError:\n    pass",
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

/// What another module has loaded before, such as `os`, would hide what one lacks.
#[test]
fn standard_modules_import_first() {
    for module in [
        "getopt",
        "optparse",
        "sched",
        "shlex",
        "tokenize",
        "typing_extensions",
        "uuid",
    ] {
        let run = end_of(python(format!("import {module}\nprint(1)")));
        assert_eq!(run.output, "1\n", "{module}: {:?}", run.report);
    }
}

#[test]
fn imports_that_labs_do_not_have_are_named() {
    for (module, words) in [
        (
            "asyncio",
            "No module named 'asyncio' in warpup: programs here can import only Python modules",
        ),
        (
            "torchaudio",
            "Make batches of the same shape with torch.rand",
        ),
        ("torch.onnx", "PyTorch has it as torch.onnx"),
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
        "exec('import io; io.open(\"/etc/hostname\")', {'__name__': 'library'})",
        "exec('import _io; _io.FileIO(\"/etc/hostname\")', {'__name__': 'library'})",
        "exec('import posix', {'__name__': 'library'})",
        "exec('import socket; socket.socket()', {'__name__': 'library'})",
        "exec('import subprocess; subprocess.run([\"true\"])', {'__name__': 'library'})",
        "__import__('os').system('true')",
        "import io\nio.open('/etc/hostname')",
        "import pathlib\npathlib.Path('/etc/hostname').read_text()",
        "import os\nos.stat('/etc/hostname')",
        "import os\nassert set(os.listdir('/')) - {'tmp'} or os.path.exists('/etc/hostname')",
        "import torch\ntorch.load('/etc/hostname')",
        "import inspect\nexec('import tokenize; tokenize.open(\"/etc/hostname\")', {'__name__': 'library'})",
    ] {
        let raised = raised(source);
        let kinds = [
            "NameError",
            "ImportError",
            "ModuleNotFoundError",
            "AttributeError",
            "PermissionError",
            "FileNotFoundError",
            "AssertionError",
            "UnsupportedOperation",
        ];
        assert!(
            kinds.contains(&raised.kind.as_str()),
            "{source}: {raised:?}"
        );
    }
}

#[test]
fn a_metric_that_is_no_finite_number_is_a_metric() {
    let source = "for x in (float('nan'), float('inf'), -float('inf')):\n    lab.metric(f'{x}', x)";
    let run = end_of(python(source));
    assert_eq!(outcome(&run), &Outcome::Done);
    let given: Vec<_> = run
        .metrics
        .iter()
        .map(|it| (it.name.as_str(), it.value.to_string()))
        .collect();
    let expected = ["nan", "inf", "-inf"].map(|it| (it, it.replace("nan", "NaN")));
    assert_eq!(given, expected);
}
