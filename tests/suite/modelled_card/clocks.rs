//! Times on modelled cards are the same on every machine and follow from the cards' figures.
//!
//! The expected times are computed from `assets/cards.toml`, as a learner would do it on paper.

use super::{kernels, run_on};
use crate::support::lab_runner::LabRunner;
use crate::support::request::python_on;
use std::time::Duration;
use warpup_lab::run::Run;
use warpup_protocol::{Clock, Report, RunRequest};
use warpup_worker::device::cards::{Card, shipped};

/// Rows and columns of each matrix in the trap.
const SIDE: u64 = 672;

/// Products that the trap queues.
const PRODUCTS: u64 = 375;

/// The line of the trap that queues them.
const PRODUCT_LINE: u32 = 12;

/// Times the same work in three ways. The first is the mistake.
const TRAP: &str = r#"import time
import torch

a = torch.ones(SIDE, SIDE, device="cuda")
b = torch.ones(SIDE, SIDE, device="cuda")
a @ b; torch.cuda.synchronize()
began = torch.cuda.Event(enable_timing=True)
ended = torch.cuda.Event(enable_timing=True)
began.record()
start = time.perf_counter_ns()
for _ in range(PRODUCTS):
    c = a @ b
naive = time.perf_counter_ns() - start
ended.record()
torch.cuda.synchronize()
waited = time.perf_counter_ns() - start
print(naive, waited, began.elapsed_time(ended))
"#;

fn trap() -> RunRequest {
    let source = TRAP
        .replace("SIDE", &SIDE.to_string())
        .replace("PRODUCTS", &PRODUCTS.to_string());
    python_on("model:t4", source)
}

fn report(run: &Run) -> &Report {
    run.report.as_ref().unwrap()
}

/// How long the kernels of a line kept the card busy.
fn busy_ns(run: &Run, line: u32) -> u64 {
    let of_line = kernels(run).filter(|it| it.line == line);
    of_line.map(|it| it.end_ns - it.start_ns).sum()
}

/// How long one product of the trap keeps a card busy: its 6 × 6 tiles of 128 × 128 are one wave on 40
/// multiprocessors, so it takes as long as one of the tiles.
fn product_ns(card: &Card) -> u64 {
    let each = card.flops.f32 * card.assumed.matmul.f32 / f64::from(card.multiprocessors);
    // Of the largest tile, 256 × 128, it reaches this share: a tile does `a · b / (a + b)` multiplications for each
    // element that it reads, and reading one costs as much as 16.
    let reaches = |multiplications: f64| multiplications / (multiplications + 16.0);
    let share = reaches(128.0 * 128.0 / 256.0) / reaches(256.0 * 128.0 / 384.0);
    let tile = (2 * 128 * 128 * SIDE) as f64 / (each * share);
    u64::try_from(Duration::from_secs_f64(tile).as_nanos()).unwrap()
}

#[test]
fn the_same_program_gives_the_same_report_twice_to_the_byte() {
    let reported = |runner: &mut LabRunner| {
        let run = runner.run_to_done(trap());
        assert_eq!(report(&run).clock, Clock::Modelled);
        assert!(run.spans.len() as u64 > PRODUCTS);
        let report = serde_json::to_string(&run.report).unwrap();
        let spans = serde_json::to_string(&run.spans).unwrap();
        format!("{report}\n{spans}\n{}", run.output)
    };
    // In a new worker, in one that has run a program before, and in another process.
    let mut runner = LabRunner::start();
    let first = reported(&mut runner);
    assert_eq!(first, reported(&mut runner));
    assert_eq!(first, reported(&mut LabRunner::start()));
}

#[test]
fn a_timer_without_synchronize_reads_the_queueing_and_not_the_work() {
    let run = LabRunner::start().run_to_done(trap());
    let host = shipped().host;
    let card = &shipped().cards["t4"];
    assert_eq!(report(&run).clock, Clock::Modelled);
    let read: Vec<&str> = run.output.split_whitespace().collect();
    let [naive, waited, events_ms] = read[..] else {
        panic!("{}", run.output);
    };

    // On the host: the launches, and the lines of Python up to the second reading of its clock. The loop's
    // head is reached once more than its body.
    let lines = (PRODUCTS + 1) + PRODUCTS + 1;
    let launch_ns = card.assumed.launch_ns + host.calls.gemm_ns;
    let queueing_ns = PRODUCTS * launch_ns + lines * host.line_ns;
    assert_eq!(naive, queueing_ns.to_string());
    assert!((2_500_000..3_500_000).contains(&queueing_ns), "about 3 ms");

    // On the device: one product after the other, from when the first has been queued.
    let working_ns = PRODUCTS * product_ns(card);
    assert!(
        (79_000_000..83_000_000).contains(&working_ns),
        "about 81 ms"
    );
    assert_eq!(busy_ns(&run, PRODUCT_LINE), working_ns);
    let first_queued_ns = 2 * host.line_ns + launch_ns;

    // Both true readings contain one line more: that of the last reading, or that of the first.
    let true_ns = first_queued_ns + working_ns + host.line_ns;
    assert_eq!(waited, true_ns.to_string());
    assert_eq!(events_ms, (true_ns as f64 / 1e6).to_string());
}

#[test]
fn a_line_that_never_ran_has_no_time() {
    let source = "def f(a):
    if a:
        raise ValueError()
f(0)
try:
    1 / 0
    print(\"never\")
except ZeroDivisionError:
    pass
for _ in range(3):
    pass
";
    let run = run_on("t4", source);
    let hits: Vec<(u32, u64)> = report(&run)
        .lines
        .iter()
        .map(|it| (it.line, it.hits))
        .collect();
    assert_eq!(
        hits,
        [
            (1, 1),
            (2, 1),
            (4, 1),
            (5, 1),
            (6, 1),
            (8, 1),
            (9, 1),
            (10, 4),
            (11, 3)
        ]
    );
}

#[test]
fn gaps_name_the_lines_that_the_host_or_the_card_waited_for() {
    let run = run_on(
        "t4",
        r#"import torch
a = torch.ones(1024, 1024, device="cuda")
for _ in range(10):
    b = a @ a
c = b.sum()
torch.cuda.synchronize()
total = 0
for i in range(20000):
    total += i * i
d = a + 1
torch.cuda.synchronize()
"#,
    );
    let sentences: Vec<String> = warpup_lab::waits::sentences(report(&run))
        .iter()
        .map(|it| without_times(it))
        .collect();
    insta::assert_snapshot!(sentences.join("\n"), @r"
    line 6 waited … ms for line 4 (synchronize())
    device idle … ms while the host ran line 8
    device idle … ms while the host ran line 9
    ");
    let first = warpup_lab::first_use::sentence(report(&run));
    insta::assert_snapshot!(first.unwrap(), @"first use of the card on line 2: the CUDA context, 250 ms; the start of cuBLAS on line 4, 116 ms, each once in a run");
}

#[test]
fn the_starts_of_libraries_are_no_work_of_their_lines() {
    let run = run_on(
        "t4",
        r#"import torch
x = torch.ones(1, 3, 8, 8, device="cuda")
y = x + 1
z = torch.nn.functional.conv2d(y, torch.ones(4, 3, 3, 3, device="cuda"))
w = z[0, 0] @ z[0, 1]
torch.cuda.synchronize()
"#,
    );
    let first = warpup_lab::first_use::sentence(report(&run));
    insta::assert_snapshot!(first.unwrap(), @"first use of the card on line 2: the CUDA context, 250 ms; the start of cuBLAS on line 5, 116 ms; the start of cuDNN on line 4, 50.0 ms, each once in a run");
    let names = run
        .spans
        .iter()
        .filter(|it| it.name.starts_with("start of"));
    let names: Vec<_> = names.map(|it| (it.line, it.name.as_str())).collect();
    assert_eq!(names, [(4, "start of cuDNN"), (5, "start of cuBLAS")]);
    let idle = &report(&run).gaps.as_ref().unwrap().idle;
    assert!(idle.iter().all(|it| it.ns < 1_000_000), "{idle:?}");
}

/// A sentence without its times: they change with the figures of a card.
pub(super) fn without_times(sentence: &str) -> String {
    let words = sentence.split(' ').map(|word| {
        let is_number = word
            .trim_start_matches('(')
            .starts_with(|it: char| it.is_ascii_digit());
        if is_number && word.contains('.') {
            "…"
        } else {
            word
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A copy from pageable memory waits in the stream, and the host waits for the copy.
#[test]
fn a_copy_to_the_card_behind_queued_work_waits_for_it() {
    let run = run_on(
        "t4",
        "import torch
a = torch.ones(4096, 4096, device='cuda')
b = a @ a
x = torch.ones(1024, 1024)
y = x.to('cuda')
",
    );
    let lines = &run.report.as_ref().unwrap().lines;
    let waited = |line| lines.iter().find(|it| it.line == line).unwrap().wait_ns;
    assert_eq!(waited(3), 0);
    assert!(waited(5) > 20_000_000, "{}", waited(5));
}

/// `torch.empty` makes buffers before a timing.
#[test]
fn torch_empty_runs_no_kernel() {
    let run = run_on(
        "t4",
        "import torch
a = torch.empty(4096, 4096, device='cuda')
b = torch.zeros(4096, 4096, device='cuda')
print(torch.cuda.memory_allocated() >> 20)
",
    );
    assert_eq!(run.output, "128\n");
    assert_eq!(busy_ns(&run, 2), 0);
    assert!(busy_ns(&run, 3) > 0);
}
