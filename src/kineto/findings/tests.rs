//! Synthetic traces with a known fault in (`scripts/trace-faults`), findings out.

use super::*;
use crate::kineto::analysis::Analysis;
use crate::kineto::load;

/// The findings of a trace: where each is, and its sentence.
fn found(name: &str, bytes: &[u8]) -> String {
    let trace = load::text(name, bytes).unwrap();
    let report = Report::of(&Analysis::of(&trace));
    let lines = report.findings.iter().map(|it| {
        let place = it.place.as_deref().unwrap_or("nowhere");
        format!("{} at {place}: {}", it.id, it.sentence)
    });
    lines.collect::<Vec<_>>().join("\n")
}

macro_rules! fixture {
    ($name:literal) => {
        found(
            $name,
            include_bytes!(concat!(
                "../../../tests/fixtures/kineto/",
                $name,
                ".json.gz"
            )),
        )
    };
}

#[test]
fn a_sound_loop_has_no_finding() {
    assert_eq!(fixture!("sound"), "");
}

#[test]
fn a_read_in_the_loop_is_found_on_its_line() {
    insta::assert_snapshot!(fixture!("item-in-loop"), @"wait-item at train.py:23: in each step the device is idle for 1.57 ms of 6.56 ms: the host waits for it 1 time (`.item()`), and has queued nothing when it goes on");
}

#[test]
fn many_small_copies_are_found_on_their_line() {
    insta::assert_snapshot!(fixture!("small-copies"), @"small-copies at train.py:18: in each step 80 copies of 3.00 KiB each take 1.92 ms of 6.74 ms: nearly all of it is the fixed part of a copy");
}

#[test]
fn pageable_memory_is_found_with_its_rate() {
    insta::assert_snapshot!(fixture!("pageable-memory"), @"pageable-copies at train.py:18: in each step 24.0 MiB are copied from pageable memory, at 5.0 GB/s, which takes 5.07 ms of 9.87 ms while no kernel runs");
}

#[test]
fn a_slow_loader_is_found_on_its_line() {
    insta::assert_snapshot!(fixture!("slow-loading"), @"data-loading at train.py:17: in each step the device is idle for 6.07 ms of 11.0 ms, while the loop waits for its next batch");
}

#[test]
fn small_kernels_are_found_with_their_mean() {
    insta::assert_snapshot!(fixture!("launch-bound"), @"launch-bound at train.py:21: in each step the device is idle for 3.08 ms of 3.99 ms in 239 gaps: its kernels take 3.61 µs on average, and the host cannot launch faster");
}

#[test]
fn a_trace_of_nothing_says_what_it_cannot_show() {
    let text = br#"{"traceEvents": [{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]}"#;
    let trace = load::text("t", text).unwrap();
    let report = Report::of(&Analysis::of(&trace));
    assert!(report.findings.is_empty());
    insta::assert_snapshot!(report.cannot_show.join("\n"), @"
    no work of a card was recorded: nothing about launches, streams, copies and idle time (`ProfilerActivity.CUDA`)
    no steps are marked, so the whole trace counts as one: call `prof.step()` after each
    no Python functions were recorded, so no line has a name (`with_stack=True`)
    no shapes were recorded, so no arithmetic and no bytes a second of operators (`record_shapes=True`)
    no memory was recorded (`profile_memory=True`)
    no `DataLoader` was recorded: time that another loader takes has no name
    ");
}

#[test]
fn a_late_launch_in_one_of_three_steps_is_none_of_each() {
    let mut events = Vec::new();
    for (number, start) in (1..).zip([0, 10_000, 11_000]) {
        let length = if number == 1 { 10_000 } else { 1_000 };
        let late = if number == 1 { 9_000 } else { 10 };
        let (launch, kernel) = (start + late, start + late + 5);
        events.push(format!(r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{number}","pid":9,"tid":9,"ts":{start},"dur":{length}}}"#));
        events.push(format!(r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":{launch},"dur":2,"args":{{"correlation":{number}}}}}"#));
        events.push(format!(r#"{{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":{kernel},"dur":980,"args":{{"device":0,"stream":7,"correlation":{number}}}}}"#));
    }
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let trace = load::text("t", text.as_bytes()).unwrap();
    let report = Report::of(&Analysis::of(&trace));
    let found: Vec<_> = report.findings.iter().map(|it| it.id).collect();
    assert_eq!(found, ["slow-first-step"]);
}
