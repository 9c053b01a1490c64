//! Traces with a known fault in, findings out: synthetic ones (`scripts/trace-faults`), and one recorded on an H100.

use super::*;
use crate::analysis::Analysis;
use crate::load;

/// The findings of a trace: where each is, and its sentence.
fn found(name: &str, bytes: &[u8]) -> String {
    let trace = load::text(name, bytes).unwrap();
    let report = FindingsReport::of(&Analysis::of(&trace));
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
                "../../../../tests/fixtures/kineto/",
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
    insta::assert_snapshot!(fixture!("item-in-loop"), @"wait-item at train.py:23: in each step the host waits for the device once (`.item()`), and leaves it idle for 1.57 ms of 6.56 ms: nothing is queued when the host goes on");
}

#[test]
fn many_small_copies_are_found_on_their_line() {
    insta::assert_snapshot!(fixture!("small-copies"), @"copy-small at train.py:18: in each step 80 copies of 3.00 KiB each take 1.92 ms of 6.74 ms: nearly all of it is the fixed part of a copy");
}

#[test]
fn pageable_memory_is_found_with_its_rate() {
    insta::assert_snapshot!(fixture!("pageable-memory"), @"copy-pageable at train.py:18: in each step 24.0 MiB are copied from pageable memory at 5.00 GB/s: that takes 5.03 ms of 9.87 ms while no kernel runs, and the device is idle for 18.7 µs around it");
}

#[test]
fn a_slow_loader_is_found_on_its_line() {
    insta::assert_snapshot!(fixture!("slow-loading"), @"loader-bound at train.py:17: in each step the loop waits for its next batch, and leaves the device idle for 6.07 ms of 11.0 ms: 6.06 ms of it in `train.py:27 in __next__`");
}

#[test]
fn small_kernels_are_found_with_their_mean() {
    insta::assert_snapshot!(fixture!("launch-bound"), @"launch-bound at train.py:21: in each step late launches leave the device idle for 3.08 ms of 3.99 ms in 239 gaps: its kernels take 3.61 µs on average, and the host takes longer to launch the next");
}

#[test]
fn a_trace_of_nothing_says_what_it_cannot_show() {
    let text = br#"{"traceEvents": [{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]}"#;
    let trace = load::text("t", text).unwrap();
    let report = FindingsReport::of(&Analysis::of(&trace));
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
    let found = |by: &str| {
        let text = format!(r#"{{{by}"traceEvents":[{}]}}"#, events.join(","));
        let trace = load::text("t", text.as_bytes()).unwrap();
        let mut report = FindingsReport::of(&Analysis::of(&trace));
        assert_eq!(report.findings.len(), 1);
        report.findings.remove(0)
    };
    let by_hand = found("");
    assert_eq!(by_hand.id, "slow-first-step");
    assert!(by_hand.try_first.contains("schedule(wait=5"));
    let recorded = found(r#""warpup_skipped_steps": 10, "#);
    assert_eq!(
        recorded.try_first,
        "record later steps: `warpup record --skip N` lets N pass, 10 if you do not say"
    );
}

#[test]
fn a_sound_run_on_an_h100_has_no_finding_and_no_idle_time() {
    let bytes = include_bytes!("../../../../tests/fixtures/kineto/recorded/h100/sound.json.gz");
    assert_eq!(found("sound", bytes), "");
    let it = Analysis::of(&load::text("sound", bytes).unwrap());
    assert_eq!(
        FindingsReport::of(&it).nothing_found.unwrap(),
        "Nothing found that costs a step much time: kernels compute for 96 % of it, so that feeding the device better saves 4 % at most. Beyond that, only faster or fewer kernels help."
    );
    // What the steps before the recording had queued keeps the card busy, and is no work of these steps.
    assert!(
        it.stepped_idle_ns * 100 < it.stepped_ns,
        "{}",
        it.stepped_idle_ns
    );
    let kernels: Vec<u64> = it.steps.iter().map(|it| it.kernels).collect();
    assert_eq!(kernels, [27, 27, 27]);
    // Nor is the time that they took a part of these: without the profiler, a step took 29 ms.
    assert_eq!(it.stepped_ns / 3_000_000, 28);
    assert!(
        it.stepped_device_ns * 100 > it.stepped_ns * 99,
        "{}",
        it.stepped_device_ns
    );
}

#[test]
fn a_copy_of_pageable_memory_is_found_in_a_run_on_an_h100() {
    let bytes = include_bytes!("../../../../tests/fixtures/kineto/recorded/h100/wide.json.gz");
    insta::assert_snapshot!(found("wide", bytes), @"copy-pageable at wide.py:11 in train_step: in each step 8.02 MiB are copied from pageable memory at 11.1 GB/s: that takes 757 µs of 7.06 ms while no kernel runs, and the device is idle for 332 µs around it");
}

/// The events of three steps. Each step launches so many kernels, one after so many microseconds; a kernel takes so
/// many, and begins at the earliest a pause after the one before.
fn three_steps(kernels: u32, kernel_us: f64, launch_every_us: f64, pause_us: f64) -> String {
    let length_us = f64::from(kernels) * (launch_every_us.max(kernel_us + pause_us));
    let mut events = Vec::new();
    let mut device = 0.0f64;
    for step in 0..3u32 {
        let begin = f64::from(step) * length_us;
        events.push(format!(r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{step}","pid":9,"tid":9,"ts":{begin:?},"dur":{length_us:?}}}"#));
        for number in 0..kernels {
            let launch = begin + f64::from(number) * launch_every_us;
            let start = (launch + 5.0).max(device + pause_us);
            device = start + kernel_us;
            let correlation = step * kernels + number + 1;
            events.push(format!(r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":{launch:?},"dur":1,"args":{{"correlation":{correlation}}}}}"#));
            events.push(format!(r#"{{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":{start:?},"dur":{kernel_us:?},"args":{{"device":0,"stream":7,"correlation":{correlation}}}}}"#));
        }
    }
    format!(r#"{{"traceEvents":[{}]}}"#, events.join(","))
}

#[test]
fn long_kernels_that_are_each_launched_late_are_launch_bound_too() {
    let text = three_steps(12, 55.0, 80.0, 1.0);
    insta::assert_snapshot!(found("t", text.as_bytes()), @"launch-bound at nowhere: in each step late launches leave the device idle for 292 µs of 960 µs in 12 gaps: its kernels take 55.0 µs on average, and the host takes longer to launch the next");
}

#[test]
fn a_host_that_is_late_for_long_kernels_does_something_else() {
    let text = three_steps(12, 400.0, 500.0, 1.0);
    insta::assert_snapshot!(found("t", text.as_bytes()), @"late-launches at nowhere: in each step the device is idle for 1.17 ms of 6.00 ms in 12 gaps, because the host does something else before it launches");
}

#[test]
fn pauses_before_short_kernels_that_are_queued_are_found() {
    let text = three_steps(250, 3.0, 1.0, 0.9);
    insta::assert_snapshot!(found("t", text.as_bytes()), @"short-kernels at nowhere: in each step the device is idle for 226 µs of 976 µs in 250 gaps, although kernels are queued: they take 3.00 µs on average, and the device pauses before each");
}

#[test]
fn work_that_was_queued_before_the_recording_is_not_idle_time() {
    // Two kernels were queued before: the first began before, too, and is not there; the second is there without its launch.
    let text = r#"{"traceEvents":[
        {"ph":"X","cat":"user_annotation","name":"ProfilerStep#0","pid":9,"tid":9,"ts":0,"dur":1000},
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":10,"dur":1,"args":{"correlation":1}},
        {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":600,"dur":20,"args":{"device":0,"stream":7,"correlation":9000}},
        {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":620,"dur":500,"args":{"device":0,"stream":7,"correlation":1}}]}"#;
    let trace = load::text("t", text.as_bytes()).unwrap();
    let it = Analysis::of(&trace);
    let step = &it.steps[0];
    assert_eq!((step.kernels, step.device_ns), (1, 500_000));
    assert_eq!((step.device_idle_ns, it.stepped_idle_ns), (0, 0));
    assert_eq!(it.gaps.by_cause, []);
}

#[test]
fn what_happens_in_one_step_of_three_is_not_in_each() {
    let mut events = Vec::new();
    for (number, fetch) in (0..3).zip([5, 700, 5]) {
        let begin = number * 1000;
        let (launch, kernel) = (begin + fetch + 5, begin + fetch + 10);
        let length = 985 - fetch;
        events.push(format!(r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{number}","pid":9,"tid":9,"ts":{begin},"dur":1000}}"#));
        events.push(format!(r#"{{"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__","pid":9,"tid":9,"ts":{begin},"dur":{fetch}}}"#));
        events.push(format!(r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":{launch},"dur":1,"args":{{"correlation":{launch}}}}}"#));
        events.push(format!(r#"{{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":{kernel},"dur":{length},"args":{{"device":0,"stream":7,"correlation":{launch}}}}}"#));
    }
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    insta::assert_snapshot!(found("t", text.as_bytes()), @"loader-bound at the DataLoader: in a step, on average, the loop waits for its next batch, and leaves the device idle for 243 µs of 1.00 ms");
}
