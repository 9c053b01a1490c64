//! What a lab costs before it does anything: the start of a worker, and an operation through Python.
//!
//! The start is from spawning `warpup worker` to its answer to `hello`, in turns with spawning `true`.
//! The operation is `a + a` on tensors so small that the overhead of the call remains, in turns with
//! the same operation called from here.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints, and one that cannot measure has to stop"
)]

mod samples;
#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../tests/support/mod.rs"]
mod support;

use candle_core::{DType, Device, Tensor};
use samples::{Samples, print_table};
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::request::python;
use support::worker_process::{WorkerProcess, printed};
use warpup_protocol::{Outcome, Reply, Request, RunId, RunRequest};

const STARTS: usize = 31;
const ROUNDS: u64 = 15;
const OPS: u32 = 50_000;

fn main() {
    starts();
    operations();
}

fn starts() {
    let mut floor = Samples::of("true (start and end)");
    let mut worker = Samples::of("warpup worker (start to hello)");
    for _ in 0..STARTS {
        let begin = Instant::now();
        let status = Command::new("/bin/true").stdout(Stdio::piped()).status();
        floor.push(begin.elapsed());
        assert!(status.unwrap().success());
        let begin = Instant::now();
        let mut started = WorkerProcess::start();
        started.send_hello();
        let hello = started.reply();
        worker.push(begin.elapsed());
        assert!(matches!(hello, Reply::Hello { .. }), "{hello:?}");
        started.end();
    }
    print_table("start of a worker", &[floor, worker]);
}

fn operations() {
    let mut direct = Samples::of("candle from Rust");
    let mut python = Samples::of("through Python");
    let mut traced = Samples::of("through Python, traced");
    let mut empty = Samples::of("Python's loop alone");
    let mut worker = WorkerProcess::start();
    for round in 0..ROUNDS {
        direct.push(directly());
        python.push(in_python(
            &mut worker,
            RunId(3 * round + 1),
            "b = a + a",
            false,
        ));
        traced.push(in_python(
            &mut worker,
            RunId(3 * round + 2),
            "b = a + a",
            true,
        ));
        empty.push(in_python(&mut worker, RunId(3 * round + 3), "b = a", false));
    }
    let over = python.median().saturating_sub(direct.median());
    let tracing = traced.median().saturating_sub(python.median());
    print_table("one `a + a` of 8 numbers", &[direct, python, traced, empty]);
    println!("  Python's share: {over:?} an operation; tracing on top: {tracing:?}");
}

/// The time of one operation called from here.
fn directly() -> Duration {
    let a = Tensor::ones(8, DType::F32, &Device::Cpu).unwrap();
    let mut b = a.clone();
    for _ in 0..OPS / 10 {
        b = black_box((&a + &a).unwrap());
    }
    let begin = Instant::now();
    for _ in 0..OPS {
        b = black_box((&a + &a).unwrap());
    }
    let took = begin.elapsed();
    drop(b);
    took / OPS
}

/// The time of one turn of a loop around a statement, by the clock of the program itself.
fn in_python(worker: &mut WorkerProcess, run: RunId, statement: &str, trace: bool) -> Duration {
    let source = format!(
        "import time\n\
         import torch\n\
         def loop(n):\n\
         \x20   a = torch.ones(8)\n\
         \x20   start = time.perf_counter()\n\
         \x20   for _ in range(n):\n\
         \x20       {statement}\n\
         \x20   return time.perf_counter() - start\n\
         loop({OPS} // 10)\n\
         print(loop({OPS}))\n"
    );
    worker.send(&Request::Run(RunRequest {
        run,
        trace,
        ..python(source)
    }));
    let replies = worker.replies_of_run();
    let Some(Reply::Finished { report, .. }) = replies.last() else {
        panic!("{replies:?}");
    };
    assert_eq!(report.outcome, Outcome::Done);
    let seconds: f64 = printed(&replies)
        .concat()
        .trim()
        .parse()
        .expect("the program prints a number");
    Duration::from_secs_f64(seconds) / OPS
}
