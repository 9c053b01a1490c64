//! What a lab costs before it does anything: the start of a worker, and an operation through Python.
//!
//! The start is from spawning `warpup worker` to its answer to `hello`, in turns with spawning `true`.
//! The operation is `a + a` on tensors so small that only the way to candle is left of it, in turns with
//! the same operation called from here.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints, and one that cannot measure has to stop"
)]

mod support;

use candle_core::{DType, Device, Tensor};
use std::hint::black_box;
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use support::{Samples, print_table};
use warpup::protocol::{
    Aim, DeviceName, Limits, Outcome, Reply, Request, RunId, RunRequest, VERSION, frame,
};

const STARTS: usize = 31;
const ROUNDS: u64 = 15;
const OPS: u32 = 50_000;

fn main() {
    starts();
    operations();
}

/// A worker and its pipes. Dropped, it is killed.
struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a worker that has said hello.
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_warpup"))
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut worker = Self {
            requests: child.stdin.take().unwrap(),
            replies: BufReader::new(child.stdout.take().unwrap()),
            child,
        };
        worker.ask(&Request::Hello { version: VERSION });
        let hello = worker.reply();
        assert!(matches!(hello, Reply::Hello { .. }), "{hello:?}");
        worker
    }

    fn ask(&mut self, request: &Request) {
        frame::write(&mut self.requests, request).unwrap();
    }

    fn reply(&mut self) -> Reply {
        frame::read(&mut self.replies)
            .unwrap()
            .expect("a worker that is alive")
    }

    /// Runs a program on the CPU and returns what it printed.
    fn run(&mut self, run: RunId, source: &str, trace: bool) -> String {
        self.ask(&Request::Run(RunRequest {
            run,
            name: "bench.py".to_owned(),
            source: source.to_owned(),
            check: None,
            device: DeviceName::Cpu,
            limits: Limits::default(),
            trace,
            aim: Aim::Run,
        }));
        let mut printed = String::new();
        loop {
            match self.reply() {
                Reply::Output { text, .. } => printed.push_str(&text),
                Reply::Finished { report, .. } => {
                    assert_eq!(report.outcome, Outcome::Done);
                    return printed;
                }
                Reply::Refused { why, .. } => panic!("{why}"),
                Reply::Hello { .. }
                | Reply::Started { .. }
                | Reply::Check { .. }
                | Reply::Metric { .. }
                | Reply::Plot { .. }
                | Reply::Spans { .. } => {}
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be gone already; either way it is waited for.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
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
        let started = Worker::start();
        worker.push(begin.elapsed());
        drop(started);
    }
    print_table("start of a worker", &[floor, worker]);
}

fn operations() {
    let mut direct = Samples::of("candle from Rust");
    let mut python = Samples::of("through Python");
    let mut traced = Samples::of("through Python, traced");
    let mut empty = Samples::of("Python's loop alone");
    let mut worker = Worker::start();
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
fn in_python(worker: &mut Worker, run: RunId, statement: &str, trace: bool) -> Duration {
    let source = format!(
        "import time\n\
         import warpup as torch\n\
         def loop(n):\n\
         \x20   a = torch.ones(8)\n\
         \x20   start = time.perf_counter()\n\
         \x20   for _ in range(n):\n\
         \x20       {statement}\n\
         \x20   return time.perf_counter() - start\n\
         loop({OPS} // 10)\n\
         print(loop({OPS}))\n"
    );
    let printed = worker.run(run, &source, trace);
    let seconds: f64 = printed.trim().parse().expect("the program prints a number");
    Duration::from_secs_f64(seconds) / OPS
}
