//! Workers of a `DataLoader` are lanes of the modelled host: what the loop pays, what it waits for, and what is drawn.

use super::run_on;
use warpup_lab::run::Run;
use warpup_lab::{line_times, waits};
use warpup_protocol::{Lane, Span, WaitCause};

/// A loader whose batches take 8 ms to decode, and a loop with a step of 2 ms. It prints the times of batches 20 to 40.
const SLOW: &str = "import time
import torch
from torch.utils.data import DataLoader, Dataset

class Slow(Dataset):
    def __len__(self):
        return 40
    def __getitem__(self, at):
        lab.cpu_work('decode', 8)
        return torch.zeros(1000)

def per_batch(step=0.002, **options):
    marks = []
    for batch in DataLoader(Slow(), **options):
        marks.append(time.perf_counter())
        time.sleep(step)
    return (marks[-1] - marks[19]) / 20 * 1e3
";

fn program(end: &str) -> String {
    format!("{SLOW}{end}\n")
}

/// The numbers that a program prints, each on a line.
fn numbers(end: &str) -> Vec<f64> {
    let run = run_on("h200", &program(end));
    let lines = run.output.lines();
    lines.map(|it| it.parse().unwrap()).collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= expected * 0.03,
            "{found} is not {expected}"
        );
    }
}

/// Milliseconds of `[host.loader]`: a worker's batch of one tensor beyond its decoding, and what the loop pays for it.
const SENT: f64 = 0.055 + 0.4 + 0.27;
const RECEIVED: f64 = 0.7 + 0.27;

#[test]
fn a_slow_loader_is_as_fast_as_its_workers_together() {
    let found = numbers("for n in (0, 1, 2, 4, 8):\n    print(per_batch(num_workers=n))");
    let worker = 8.0 + SENT;
    let loop_alone = 2.0 + RECEIVED;
    assert_near(
        &found,
        &[10.06, worker, worker / 2.0, loop_alone, loop_alone],
    );
}

#[test]
fn pinning_costs_the_loop_without_workers_and_a_thread_with_them() {
    // Batches of 16 MiB.
    let end = "class Rows(Dataset):
    def __len__(self):
        return 480
    def __getitem__(self, at):
        return torch.empty(2**18)
def per_batch(pin, workers):
    marks = []
    for batch in DataLoader(Rows(), batch_size=16, num_workers=workers, pin_memory=pin):
        batch = batch.cuda(non_blocking=True)
        marks.append(time.perf_counter())
        time.sleep(0.008)
    return (marks[-1] - marks[9]) / 20 * 1e3
torch.ones(1).cuda()
for workers in (0, 4):
    print(per_batch(False, workers), per_batch(True, workers), sep='\\n')";
    let found = numbers(end);
    let [alone, alone_pinned, beside, beside_pinned] = found[..] else {
        panic!("{found:?}");
    };
    // The loop makes another copy of the batch.
    assert!(alone_pinned > alone + 1.0, "{found:?}");
    assert!(beside < alone - 1.0, "{found:?}");
    // The loop takes the batch from the thread, and the copy to the card no longer holds it.
    assert!(beside_pinned < beside - 1.0, "{found:?}");
    assert!(beside_pinned < 8.3, "{found:?}");
}

#[test]
fn workers_run_so_far_ahead_as_the_prefetch_factor_says() {
    let ahead = |factor: u32| {
        let end = format!("per_batch(step=0.1, num_workers=2, prefetch_factor={factor})");
        let run = run_on("t4", &program(&end));
        let made = batches(&run, |_| true);
        // The loop holds the first batch for 100 ms.
        let first_ns = made[0].end_ns;
        made.iter()
            .filter(|it| it.end_ns < first_ns + 100_000_000)
            .count()
    };
    // One more is asked for when the first is received.
    assert_eq!((ahead(1), ahead(2), ahead(5)), (3, 5, 11));
}

/// The batches of some workers, in the order of their start.
fn batches(run: &Run, of: impl Fn(u32) -> bool) -> Vec<&Span> {
    let is_of = |it: &&Span| matches!(it.lane, Lane::Worker(number) if of(number));
    let batches = run.spans.iter().filter(|it| it.name == Span::BATCH);
    batches.filter(is_of).collect()
}

#[test]
fn more_workers_than_cores_share_them_with_a_warning() {
    let end = "import os
print(os.cpu_count())
print(per_batch(num_workers=16, step=0))
print(per_batch(num_workers=8, step=0))";
    let run = run_on("t4", &program(end));
    assert!(
        run.output
            .contains("Our suggested max number of worker in current system is 8"),
        "{}",
        run.output
    );
    let numbers: Vec<f64> = run
        .output
        .lines()
        .filter_map(|it| it.parse().ok())
        .collect();
    let [cores, sixteen, eight] = numbers[..] else {
        panic!("{numbers:?}");
    };
    assert!((cores - 8.0).abs() < f64::EPSILON);
    assert!((sixteen - eight).abs() < 0.15 * eight, "{numbers:?}");
}

#[test]
fn workers_start_in_each_epoch_unless_they_stay() {
    let end = "def epochs(stay):
    loader = DataLoader(Slow(), num_workers=4, persistent_workers=stay)
    for _ in range(3):
        start = time.perf_counter()
        for batch in loader:
            pass
        print((time.perf_counter() - start) * 1e3)
epochs(False)
epochs(True)";
    let found = numbers(end);
    let [first, second, third, stay_first, stay_second, stay_third] = found[..] else {
        panic!("{found:?}");
    };
    // Four forks, the start of the last, and the end of all.
    assert_near(&[second, third], &[first, first]);
    assert!(stay_first < first - 15.0, "{found:?}");
    assert!(stay_second < first - 60.0, "{found:?}");
    assert_near(&[stay_third], &[stay_second]);
}

#[test]
fn the_report_says_that_the_loop_waited_for_its_loader_and_who_worked() {
    let end = "x = torch.ones(4096, 4096, device='cuda')
for batch in DataLoader(Slow(), num_workers=2, pin_memory=True):
    x @ x";
    let run = run_on("h200", &program(end));
    let report = run.report.as_ref().unwrap();
    assert_eq!(report.notes, Vec::<String>::new());
    let waited: Vec<_> = report.gaps.as_ref().unwrap().waits.iter().collect();
    let [wait] = waited[..] else {
        panic!("{waited:?}");
    };
    assert_eq!((wait.line, wait.cause), (19, WaitCause::Loader));
    assert_eq!((wait.most_line, wait.until_line), (9, 0));
    let of_line = |line| report.lines.iter().find(|it| it.line == line).unwrap();
    assert_eq!(of_line(19).wait_ns, wait.ns);
    // 40 times 8 ms, on the lanes of the workers.
    let worked_ns = of_line(9).worker_ns;
    assert!(
        (320_000_000..321_000_000).contains(&worked_ns),
        "{worked_ns}"
    );
    assert_eq!((of_line(9).host_ns, of_line(9).hits), (0, 40));
    let said = waits::sentences(report).join("\n");
    assert!(said.contains("line 19 waited "), "{said}");
    assert!(
        said.contains(" for its loader's workers, which work longest on line 9, in "),
        "{said}"
    );
    assert!(
        said.contains("while line 19 waited for its loader"),
        "{said}"
    );
    let table = line_times::table(report, &program(end), 100).join("\n");
    assert!(table.contains("waited  workers   device"), "{table}");
    let lanes: std::collections::BTreeSet<Lane> = run.spans.iter().map(|it| it.lane).collect();
    assert!(
        lanes.contains(&Lane::Pinning) && lanes.contains(&Lane::Worker(1)),
        "{lanes:?}"
    );
    let mut made = batches(&run, |it| it == 0);
    assert_eq!(made.len(), 20);
    made.sort_by_key(|it| it.start_ns);
    assert!(made.windows(2).all(|it| it[0].end_ns <= it[1].start_ns));
    // Nothing that a worker does is on the host's lane.
    assert!(run.spans.iter().all(|it| it.name != "decode"));
}

#[test]
fn sleep_and_clocks_in_a_worker_are_those_of_its_lane() {
    let end = "class Read(Dataset):
    def __len__(self):
        return 6
    def __getitem__(self, at):
        start = time.perf_counter()
        time.sleep(0.05)
        return round((time.perf_counter() - start) * 1e3)
start = time.perf_counter()
print([it.item() for it in DataLoader(Read(), num_workers=3)])
print(round((time.perf_counter() - start) * 1e3))";
    let run = run_on("t4", &program(end));
    let (read, took) = run.output.split_once('\n').unwrap();
    assert_eq!(read, "[50, 50, 50, 50, 50, 50]");
    let took: u32 = took.trim().parse().unwrap();
    assert!((150..190).contains(&took), "{took}");
}

#[test]
fn a_late_batch_ends_the_program_after_the_timeout() {
    let end = "try:
    start = time.perf_counter()
    per_batch(num_workers=1, timeout=0.025)
except RuntimeError as error:
    print(error, round(time.perf_counter() - start, 3))";
    let run = run_on("t4", &program(end));
    // The fork, and then the start of the worker with its first batch take longer.
    assert_eq!(
        run.output,
        "DataLoader timed out after 0.025 seconds 0.035\n"
    );
}

#[test]
fn a_worker_cannot_use_the_card_of_the_program() {
    let end = "class Moved(Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, at):
        return torch.ones(2).cuda()
torch.ones(1).cuda()
try:
    next(iter(DataLoader(Moved(), num_workers=1)))
except RuntimeError as error:
    lines = str(error).splitlines()
    print(lines[0], lines[-1], sep='\\n')";
    let run = run_on("t4", &program(end));
    assert_eq!(
        run.output,
        "Caught RuntimeError in DataLoader worker process 0.
RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
"
    );
}

#[test]
fn the_profiler_shows_the_wait_under_pytorchs_name_and_no_workers() {
    let end = "from torch.profiler import profile
with profile() as prof:
    for batch in DataLoader(Slow(), num_workers=1):
        pass
print(sorted({it.key for it in prof.key_averages()}))";
    let run = run_on("t4", &program(end));
    assert!(
        run.output
            .contains("'enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__'"),
        "{}",
        run.output
    );
    assert!(
        !run.output.contains("decode") && !run.output.contains("batch"),
        "{}",
        run.output
    );
}
