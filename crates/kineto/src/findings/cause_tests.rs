//! Small traces in, the causes out: each has one thing that takes time, and in each something else could be blamed for it.

use super::*;
use crate::analysis::Analysis;
use crate::load;

/// An event of a trace, in microseconds.
fn event(category: &str, name: &str, lane: (u32, u32), at: (u32, u32), args: &str) -> String {
    let ((pid, tid), (ts, dur)) = (lane, at);
    format!(
        r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{pid},"tid":{tid},"ts":{ts},"dur":{dur},"args":{{{args}}}}}"#
    )
}

const MAIN: (u32, u32) = (9, 9);

fn host(category: &str, name: &str, at: (u32, u32)) -> String {
    event(category, name, MAIN, at, "")
}

/// A call that queues work, and the work, with a common number.
fn queued(call: (&str, u32, u32), work: (&str, &str, u32, u32), number: u32) -> [String; 2] {
    let args = format!(r#""correlation":{number}"#);
    let on = format!(r#""device":0,"stream":7,"correlation":{number},"bytes":1000"#);
    let ((name, start, length), (category, kernel, begin, takes)) = (call, work);
    [
        event("cuda_runtime", name, MAIN, (start, length), &args),
        event(category, kernel, (0, 7), (begin, takes), &on),
    ]
}

/// A kernel that is launched at a time, begins at another, and takes so long.
fn kernel(number: u32, launch: u32, start: u32, length: u32) -> [String; 2] {
    queued(
        ("cudaLaunchKernel", launch, 5),
        ("kernel", "gemm", start, length),
        number,
    )
}

fn step(number: u32, at: (u32, u32)) -> String {
    host("user_annotation", &format!("ProfilerStep#{number}"), at)
}

/// What is found in a trace with these keys and events, or said where nothing is.
fn found_beside(keys: &str, events: &[String]) -> String {
    let text = format!(r#"{{{keys}"traceEvents":[{}]}}"#, events.join(","));
    let analysis = Analysis::of(&load::text("t", text.as_bytes()).unwrap());
    let report = FindingsReport::of(&analysis);
    if let Some(said) = report.nothing_found {
        return said;
    }
    let lines = report.findings.iter().map(|it| {
        let place = it.place_in_words();
        format!(
            "{} at {}: {}",
            it.id,
            place.unwrap_or_default(),
            it.sentence
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn found(events: &[String]) -> String {
    found_beside("", events)
}

/// A kernel of NCCL with what PyTorch writes of it.
fn exchange(number: u32, at: (u32, u32)) -> [String; 2] {
    let launch = format!(r#""correlation":{number}"#);
    let args = format!(
        r#""device":0,"stream":9,"correlation":{number},"Collective name":"allreduce","In msg nelems":1000000,"Out msg nelems":1000000,"Group size":8,"dtype":"BFloat16""#
    );
    [
        event(
            "cuda_runtime",
            "cudaLaunchKernelExC",
            MAIN,
            (at.0 - 10, 5),
            &launch,
        ),
        event(
            "kernel",
            "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)",
            (0, 9),
            at,
            &args,
        ),
    ]
}

#[test]
fn exchange_without_another_kernel_is_found_with_its_bytes_and_the_link() {
    let mut events = vec![step(1, (0, 10_000))];
    events.extend(kernel(1, 10, 20, 6_980));
    // The first half is beside the kernel.
    events.extend(exchange(2, (5_000, 4_000)));
    events.extend(kernel(3, 8_000, 9_000, 1_000));
    let keys = r#""deviceProperties":[{"name":"NVIDIA H100 80GB HBM3"}],"#;
    insta::assert_snapshot!(found_beside(keys, &events), @"exchange-alone at allreduce: in each step ranks exchange data for 2.00 ms of 10.0 ms with no other kernel beside it: most of it is allreduce of 1.91 MiB among 8 ranks, which sends 875 MB/s while it runs and waits, where this card's links can send 450 GB/s");
}

#[test]
fn gloo_exchanges_on_the_host() {
    let events = [
        step(1, (0, 1_000)),
        host("cpu_op", "aten::mm", (5, 100)),
        host("user_annotation", "gloo:all_reduce", (200, 700)),
    ];
    insta::assert_snapshot!(found(&events), @"exchange-alone at gloo:all_reduce: in each step ranks exchange data for 700 µs of 1.00 ms");
}

#[test]
fn a_copy_that_waits_for_a_graph_is_not_what_its_gap_is_for() {
    let graph = r#""correlation":2"#;
    let on = r#""device":0,"stream":7,"correlation":2"#;
    let copy = "Memcpy DtoH (Device -> Pageable)";
    let mut events = vec![step(1, (0, 10_000))];
    events.extend([
        event("cuda_runtime", "cudaGraphLaunch", MAIN, (10, 50), graph),
        event("kernel", "first_of_graph", (0, 7), (70, 2_000), on),
        event("kernel", "last_of_graph", (0, 7), (8_070, 1_000), on),
    ]);
    events.extend(queued(
        ("cudaMemcpyAsync", 100, 9_000),
        ("gpu_memcpy", copy, 9_071, 5),
        3,
    ));
    insta::assert_snapshot!(found(&events), @"queued-gaps at : in each step the device is idle for 6.07 ms of 10.0 ms in 2 gaps before work of a CUDA graph that was launched in time, as far as it was recorded");
}

#[test]
fn before_the_first_work_of_a_trace_without_steps_nothing_is_idle() {
    let mut events = vec![host("cpu_op", "aten::empty", (0, 400))];
    events.extend(kernel(1, 500, 50_000, 4_000));
    events.extend(kernel(2, 510, 54_001, 6_000));
    insta::assert_snapshot!(found(&events), @"Nothing found that costs the trace much time: kernels compute for 100 % of it, so that feeding the device better saves less than 1 % at most. Beyond that, only faster or fewer kernels help.");
}

#[test]
fn a_first_copy_that_waits_for_what_was_not_recorded_leaves_no_device_idle() {
    let copy = "Memcpy HtoD (Pageable -> Device)";
    let mut events = vec![step(1, (0, 50_000))];
    events.extend(queued(
        ("cudaMemcpyAsync", 100, 40_000),
        ("gpu_memcpy", copy, 39_000, 100),
        1,
    ));
    events.extend(kernel(2, 39_050, 39_100, 10_900));
    insta::assert_snapshot!(found(&events), @"Nothing found that costs a step much time: kernels compute for 100 % of it, so that feeding the device better saves less than 1 % at most. Beyond that, only faster or fewer kernels help.");
}

#[test]
fn the_first_use_of_kernels_is_found_also_where_a_library_makes_streams() {
    let mut events = vec![step(1, (0, 10_000))];
    events.extend(kernel(1, 10, 20, 980));
    // Not the wait before it.
    events.push(host("cuda_runtime", "cudaStreamSynchronize", (100, 901)));
    events.push(host(
        "cuda_runtime",
        "cudaStreamCreateWithFlags",
        (1_100, 3_000),
    ));
    events.extend(kernel(2, 4_200, 4_210, 500));
    events.extend(queued(
        ("cudaLaunchKernel", 4_720, 4_000),
        ("kernel", "new", 8_730, 1_270),
        3,
    ));
    insta::assert_snapshot!(found(&events), @"first-use at : in each step the device is idle for 7.23 ms of 10.0 ms in 2 gaps during calls that launch or load for long: the first use of a kernel loads it");
}

#[test]
fn the_function_of_a_package_in_which_the_host_was_has_its_name() {
    let python = |name, at| host("python_function", name, at);
    let mut events = vec![
        step(1, (0, 10_000)),
        python("app.py(3): main", (0, 10_000)),
        python("transformers/processing.py(7): preprocess", (100, 6_000)),
        python("<built-in function zoom>", (150, 5_000)),
        python("transformers/video.py(9): read", (6_200, 500)),
    ];
    events.extend(kernel(1, 7_000, 7_010, 2_990));
    insta::assert_snapshot!(found(&events), @"late-launches at app.py:3 in main: in each step the device is idle for 7.01 ms of 10.0 ms in 1 gap, because the host does something else before it launches: 6.00 ms of it in `transformers/processing.py:7 in preprocess`");
}

#[test]
fn a_host_that_works_for_long_after_a_wait_is_late_without_the_wait_too() {
    let mut events = Vec::new();
    for number in 0..3 {
        let at = number * 50_000;
        events.push(step(number, (at, 50_000)));
        events.extend(kernel(number + 1, at + 10, at + 20, 30));
        events.push(host("cuda_runtime", "cudaDeviceSynchronize", (at + 30, 25)));
        events.push(host("cpu_op", "augment", (at + 100, 45_000)));
    }
    insta::assert_snapshot!(found(&events), @"late-launches at : in each step the device is idle for 33.3 ms of 50.0 ms in 1 gap, because the host does something else before it launches: 30.0 ms of it in `augment`");
}

#[test]
fn a_loader_is_found_on_its_line_and_with_what_it_did() {
    let fetch = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    let python = |name, from, at| {
        event(
            "python_function",
            name,
            MAIN,
            at,
            &format!(r#""CallFrom":"{from}""#),
        )
    };
    let mut events = Vec::new();
    for number in 0..2 {
        let at = number * 10_000;
        events.push(step(number, (at, 10_000)));
        events.push(python(
            "torch/utils/data/dataloader.py(7): __next__",
            "train.py:42",
            (at, 4_000),
        ));
        events.push(host("user_annotation", fetch, (at + 1, 3_900)));
        events.push(python(
            "albumentations/blur.py(5): apply",
            "data.py:8",
            (at + 10, 3_500),
        ));
        events.push(python(
            "model.py(9): forward",
            "train.py:44",
            (at + 4_010, 100),
        ));
        events.extend(kernel(number + 1, at + 4_020, at + 4_030, 5_970));
    }
    insta::assert_snapshot!(found(&events), @"loader-bound at train.py:42: in each step the loop waits for its next batch, and leaves the device idle for 4.03 ms of 10.0 ms: 3.50 ms of it in `albumentations/blur.py:5 in apply`");
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let gaps = Analysis::of(&load::text("t", text.as_bytes()).unwrap()).gaps;
    assert_eq!(gaps.by_cause[0].line.as_deref(), Some("train.py:42"));
}

#[test]
fn what_costs_most_has_a_name_also_where_it_is_no_finding() {
    let mut events = Vec::new();
    for number in 0..3 {
        let at = number * 10_000;
        events.push(step(number, (at, 10_000)));
        events.push(host("cpu_op", "aten::relu", (at + 1_190, 50)));
        events.extend(kernel(number + 1, at + 1_200, at + 1_210, 8_790));
    }
    insta::assert_snapshot!(found(&events), @"Nothing stands out, but kernels compute for only 88 % of a step. The largest part of the rest, 12 % of a step: idle in 3 gaps, because the host launched late, most of it at aten::relu.");
}

#[test]
fn work_of_another_accelerator_is_not_silence() {
    let events = [
        step(1, (0, 1_000)),
        host("cpu_op", "aten::mm", (5, 100)),
        event(
            "mtia_ccp_events",
            "dma_request",
            (17, 3),
            (10, 900),
            r#""size":16"#,
        ),
    ];
    insta::assert_snapshot!(found(&events), @"Nothing can be said of the device: the trace has 1 event of `mtia_ccp_events` (MTIA, Meta's accelerator), 900 µs in all, which warpup does not read.");
}

#[test]
fn work_of_another_accelerator_beside_a_card_is_named_too() {
    let mut events = vec![event("hpu_op", "matmul", (17, 3), (10, 900), "")];
    events.extend(kernel(1, 0, 10, 1_000));
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let analysis = Analysis::of(&load::text("t", text.as_bytes()).unwrap());
    let said = FindingsReport::of(&analysis).cannot_show;
    assert_eq!(said[0], "what 1 event of `hpu_op` did: HPU, Intel's Gaudi");
}

#[test]
fn a_place_has_its_share_of_a_findings_time() {
    let mut events = vec![step(1, (0, 4_000))];
    for number in 0..20 {
        let at = number * 200;
        let name = if number % 4 == 0 {
            "aten::mm"
        } else {
            "aten::relu"
        };
        events.push(host("cpu_op", name, (at, 190)));
        events.extend(kernel(number + 1, at + 150, at + 160, 5));
    }
    insta::assert_snapshot!(found(&events), @"launch-bound at aten::relu (76 % of it): in each step late launches leave the device idle for 3.87 ms of 4.00 ms in 20 gaps: its kernels take 5.00 µs on average, and the host takes longer to launch the next");
}

#[test]
fn the_latency_of_a_launch_is_no_gap_that_nobody_can_explain() {
    let mut events = vec![step(1, (0, 1_000))];
    for number in 0..20 {
        let at = number * 50;
        // Each is launched while the one before runs, and begins 45 µs later, as on cards of AMD.
        events.extend(kernel(number + 1, at, at + 45, 10));
    }
    let said = found(&events);
    assert!(!said.contains("queued-gaps"), "{said}");
}

#[test]
fn a_trace_of_warpups_own_says_where_its_findings_are() {
    let events = [
        event("waiting", "item", (1, 1), (10, 5), ""),
        event("kernel", "add", (1, 2), (20, 5), r#""clock":"measured""#),
    ];
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let analysis = Analysis::of(&load::text("t", text.as_bytes()).unwrap());
    let said = FindingsReport::of(&analysis).cannot_show.join("\n");
    assert!(said.contains("`warpup run --trace` wrote this"), "{said}");
}

#[test]
fn stacks_of_operators_have_the_lines_of_calls_and_steps_are_no_operators() {
    let stack = r#""Call stack":"torch/nn/functional.py(9): linear;train.py(42): step;train.py(50): <module>""#;
    let events = [
        event("Operator", "ProfilerStep#1", MAIN, (0, 100), ""),
        event("Operator", "aten::linear", MAIN, (5, 20), stack),
    ];
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let analysis = Analysis::of(&load::text("t", text.as_bytes()).unwrap());
    assert_eq!(analysis.lines[0].line, "train.py:42 in step");
    let operators: Vec<_> = analysis
        .operators
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(operators, ["aten::linear"]);
    let said = FindingsReport::of(&analysis).cannot_show.join("\n");
    assert!(
        !said.contains("a line is the one on which a function begins"),
        "{said}"
    );
}
