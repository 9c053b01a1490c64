//! What a run leaves behind in its worker.

use super::LabRunner;
use crate::support::request::python;
use crate::support::worker_process::WorkerProcess;
use warpup_protocol::Request;

/// Memory that the worker holds, in KiB.
#[cfg(target_os = "linux")]
fn resident_kib(worker: &WorkerProcess) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", worker.id())).unwrap();
    let line = status
        .lines()
        .find_map(|it| it.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

/// A run once left 4.2 MiB in this build, which would be 84 MiB here.
#[cfg(target_os = "linux")]
#[test]
fn twenty_runs_leave_less_than_a_mebibyte_each() {
    let mut worker = WorkerProcess::start();
    let run = |worker: &mut WorkerProcess| {
        worker.send(&Request::Run(python("import torch\nprint(torch.zeros(2))")));
        worker.last_reply();
    };
    for _ in 0..5 {
        run(&mut worker);
    }
    let before = resident_kib(&worker);
    for _ in 0..20 {
        run(&mut worker);
    }
    let grown = resident_kib(&worker).saturating_sub(before);
    assert!(grown < 20 << 10, "{grown} KiB");
}

#[cfg(target_os = "linux")]
#[test]
fn classes_of_the_interpreter_survive_the_run_that_used_them_first() {
    let source = "import ast, zlib, collections, enum, dataclasses, json\n\
        class E(enum.Enum):\n    A = 1\n\
        P = collections.namedtuple('P', 'x y')\n\
        try:\n    zlib.decompress(b'x')\nexcept zlib.error as error:\n    print(type(error).__module__, error)\n\
        try:\n    raise ExceptionGroup('g', [ValueError(1)])\nexcept* ValueError as group:\n    print(group.exceptions)\n\
        print(ast.unparse(ast.parse('f(x, y=1)')), E.A, P(1, 2), json.dumps([1]))\n\
        print(ast.Name._fields, ast.Name('x').ctx)";
    let mut runner = LabRunner::start();
    let outputs: Vec<String> = (0..3).map(|_| runner.run(python(source)).output).collect();
    assert!(
        outputs[0].contains("f(x, y=1) E.A P(x=1, y=2) [1]"),
        "{}",
        outputs[0]
    );
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
}
