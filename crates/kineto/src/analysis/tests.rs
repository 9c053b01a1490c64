//! Small traces in, figures out.

use super::*;
use crate::load;
use std::fmt::Write;
use warpup_lab::findings::WaitReason;

/// An event of a trace, in microseconds.
fn event(category: &str, name: &str, lane: (u32, u32), at: (f64, f64), args: &str) -> String {
    let ((pid, tid), (ts, dur)) = (lane, at);
    format!(
        r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{pid},"tid":{tid},"ts":{ts:?},"dur":{dur:?},"args":{{{args}}}}}"#
    )
}

const MAIN: (u32, u32) = (9, 9);
const STREAM: (u32, u32) = (0, 7);

fn op(name: &str, start: f64, duration: f64) -> String {
    event("cpu_op", name, MAIN, (start, duration), "")
}

/// A launch and its kernel.
fn kernel(correlation: u32, launch: f64, start: f64, duration: f64) -> Vec<String> {
    let args = format!(r#""correlation":{correlation}"#);
    vec![
        event(
            "cuda_runtime",
            "cudaLaunchKernel",
            MAIN,
            (launch, 2.0),
            &args,
        ),
        event("kernel", "gemm", STREAM, (start, duration), &args),
    ]
}

fn analysed(events: &[String]) -> Analysis {
    analysed_beside(r#""host_name":"x""#, events)
}

/// The analysis of a trace that has these keys beside its events.
fn analysed_beside(keys: &str, events: &[String]) -> Analysis {
    let text = format!(r#"{{{keys},"traceEvents":[{}]}}"#, events.join(","));
    Analysis::of(&load::text("t.json", text.as_bytes()).unwrap())
}

fn operators(analysis: &Analysis) -> String {
    let mut said = String::new();
    for it in &analysis.operators {
        writeln!(
            said,
            "{} x{} self {} total {} device {}",
            it.name, it.count, it.self_ns, it.total_ns, it.device_ns
        )
        .unwrap();
    }
    said
}

#[test]
fn own_time_is_what_the_operators_inside_leave() {
    let events = [
        op("aten::linear", 0.0, 10.0),
        op("aten::addmm", 1.0, 6.0),
        op("aten::t", 7.5, 1.0),
        // It only overlaps, so it is in none.
        op("aten::relu", 9.5, 2.0),
    ];
    insta::assert_snapshot!(operators(&analysed(&events)), @"
    aten::addmm x1 self 6000 total 6000 device 0
    aten::linear x1 self 3000 total 10000 device 0
    aten::relu x1 self 2000 total 2000 device 0
    aten::t x1 self 1000 total 1000 device 0
    ");
}

#[test]
fn python_functions_take_from_operators_in_traces_with_a_host_name() {
    let events = [
        op("aten::linear", 0.0, 10.0),
        event("python_function", "hook", MAIN, (2.0, 3.0), ""),
    ];
    let own = |keys: &str| analysed_beside(keys, &events).operators[0].self_ns;
    assert_eq!(own(r#""trace_id":"x""#), 10_000, "2.9.1 to 2.11.0");
    assert_eq!(
        own(r#""trace_id":"x","host_name":"x""#),
        7_000,
        "2.12.1 and later"
    );
}

#[test]
fn an_operator_that_does_nothing_but_call_itself_counts_once() {
    let events = [
        op("aten::sum", 0.0, 10.0),
        op("aten::sum", 1.0, 8.0),
        op("aten::mul", 20.0, 10.0),
        op("aten::mul", 21.0, 2.0),
        op("aten::mul", 25.0, 2.0),
    ];
    insta::assert_snapshot!(operators(&analysed(&events)), @"
    aten::mul x3 self 10000 total 14000 device 0
    aten::sum x1 self 10000 total 10000 device 0
    ");
}

#[test]
fn kernels_belong_to_the_operators_around_their_launch() {
    let mut events = kernel(5, 2.0, 20.0, 7.0);
    events.extend([op("aten::linear", 0.0, 10.0), op("aten::addmm", 1.0, 6.0)]);
    let it = analysed(&events);
    insta::assert_snapshot!(operators(&it), @"
    aten::addmm x1 self 4000 total 6000 device 7000
    aten::linear x1 self 4000 total 10000 device 7000
    ");
    assert_eq!(it.kernels[0].operator.as_deref(), Some("aten::addmm"));
}

#[test]
fn idle_time_of_a_stream_has_its_reasons() {
    let mut events = kernel(1, 0.0, 10.0, 10.0);
    // Queued in time; queued after the one before had ended; queued in time, and begun late.
    events.extend(kernel(2, 5.0, 25.0, 10.0));
    events.extend(kernel(3, 50.0, 60.0, 100.0));
    events.extend(kernel(4, 55.0, 260.0, 10.0));
    let it = analysed(&events);
    let idle = it.streams[0].idle;
    assert_eq!(
        (idle.kernel_wait_ns, idle.host_wait_ns, idle.other_ns),
        (5_000, 25_000, 100_000)
    );
    let queue = &it.queues[0];
    assert_eq!((queue.longest, queue.changes), (2, 8));
    let device = it.device.unwrap();
    assert_eq!((device.busy_ns, device.idle_ns), (130_000, 130_000));
}

#[test]
fn a_gap_after_a_wait_names_what_waited() {
    let mut events = kernel(1, 0.0, 10.0, 30.0);
    let args = r#""correlation":2"#;
    events.extend([
        op("aten::item", 5.0, 40.0),
        op("aten::_local_scalar_dense", 6.0, 38.0),
        event(
            "cuda_runtime",
            "cudaStreamSynchronize",
            MAIN,
            (10.0, 32.0),
            args,
        ),
    ]);
    events.extend(kernel(3, 100.0, 105.0, 10.0));
    let it = analysed(&events);
    assert_eq!(it.gaps.by_cause.len(), 1);
    assert_eq!(it.gaps.by_cause[0].cause, Cause::Wait(WaitReason::Item));
    assert_eq!(it.gaps.by_cause[0].ns, 65_000);
    assert_eq!(
        (it.waits[0].reason, it.waits[0].host_ns),
        (WaitReason::Item, 32_000)
    );
}

#[test]
fn lines_have_the_time_that_other_lines_leave() {
    let python = |from: &str, at| {
        let args = format!(r#""CallFrom":"{from}""#);
        event("python_function", "f", MAIN, at, &args)
    };
    let mut events = kernel(1, 12.0, 30.0, 8.0);
    events.extend([
        python("train.py:30", (0.0, 100.0)),
        python("train.py:12", (10.0, 40.0)),
        python("torch/nn/modules/module.py:1751", (11.0, 30.0)),
    ]);
    let it = analysed(&events);
    let said: Vec<String> = it
        .lines
        .iter()
        .map(|it| format!("{} {} {} {}", it.line, it.host_ns, it.own_ns, it.device_ns))
        .collect();
    assert_eq!(
        said,
        ["train.py:30 100000 60000 0", "train.py:12 40000 40000 8000"]
    );
}

#[test]
fn a_line_has_its_time_in_the_steps_for_one_of_them() {
    let python = |name: &str, at| event("python_function", name, MAIN, at, "");
    let mut events = kernel(1, 12.0, 30.0, 8.0);
    events.extend(kernel(2, 112.0, 130.0, 8.0));
    events.extend([
        step(1, 10.0, 90.0),
        step(2, 110.0, 90.0),
        python("src/train.py(30): main", (0.0, 300.0)),
        python("src/train.py(10): step", (11.0, 40.0)),
        python("src/train.py(10): step", (111.0, 60.0)),
        // Before the first step and after the last.
        python("src/train.py(20): save", (1.0, 8.0)),
        python("src/train.py(20): save", (201.0, 90.0)),
    ]);
    let it = analysed(&events);
    let said: Vec<String> = it
        .lines
        .iter()
        .map(|it| {
            let (of, function) = (it.of_step, it.function.as_deref().unwrap_or("?"));
            let place = format!("{}:{} in {function}", it.file, it.number);
            format!("{place}: {} {} {}", of.calls, of.own_ns, of.device_ns)
        })
        .collect();
    assert_eq!(
        said,
        [
            "src/train.py:10 in step: 1 50000 8000",
            "src/train.py:30 in main: 0 40000 0"
        ]
    );
}

#[test]
fn memory_without_totals_adds_up_its_changes() {
    let change = |at: u32, bytes: i64| {
        format!(
            r#"{{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"ts":{at},"args":{{"Bytes":{bytes},"Device Type":0,"Device Id":-1}}}}"#
        )
    };
    let it = analysed(&[
        change(1, 100),
        change(2, 50),
        change(3, -100),
        change(4, -80),
    ]);
    // 30 bytes were there before the recording.
    let memory = &it.memory[0];
    assert_eq!((memory.device.as_str(), memory.peak_bytes), ("cpu", 180));
    assert_eq!(memory.over_time.last().unwrap().bytes, 0);
}

#[test]
fn rates_follow_from_shapes_and_the_time_of_the_kernels() {
    let shapes = r#""Input Dims":[[1000,1000],[1000,1000]],"Input type":["float","float"]"#;
    let mut events = kernel(1, 2.0, 20.0, 1000.0);
    events.push(event("cpu_op", "aten::mm", MAIN, (0.0, 10.0), shapes));
    let it = analysed(&events);
    let rate = &it.rates[0];
    assert!((rate.flops_per_second.unwrap() - 2e12).abs() < 1.0);
    assert!((rate.bytes_per_second.unwrap() - 1.2e10).abs() < 1.0);
}

#[test]
fn no_rate_is_above_that_of_the_cards_memory() {
    let shapes = r#""Input Dims":[[1000000],[1000000]],"Input type":["float","float"]"#;
    let mut events = kernel(1, 2.0, 20.0, 10.0);
    events.push(event("cpu_op", "aten::mul", MAIN, (0.0, 10.0), shapes));
    let rate = |keys| analysed_beside(keys, &events).rates[0].bytes_per_second;
    // 12 MB in 10 µs.
    assert_eq!(
        rate(r#""deviceProperties":[{"name":"Tesla V100-SXM2-32GB"}]"#),
        None
    );
    assert!(rate(r#""deviceProperties":[{"name":"a card"}]"#).is_some());
}

#[test]
fn what_another_allocator_reports_between_the_totals_is_left_out() {
    let change = |at: u32, bytes: i64, total: i64| {
        format!(
            r#"{{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"ts":{at},"args":{{"Bytes":{bytes},"Total Allocated":{total},"Total Reserved":64,"Device Type":0,"Device Id":-1}}}}"#
        )
    };
    let it = analysed(&[
        change(1, 100, 100),
        change(2, 70, 0),
        change(3, 50, 150),
        change(4, -150, 0),
    ]);
    let memory = &it.memory[0];
    let bytes: Vec<u64> = memory.over_time.iter().map(|it| it.bytes).collect();
    assert_eq!(bytes, [100, 150, 0]);
    assert_eq!((memory.peak_bytes, memory.reserved_bytes), (150, 0));
}

fn step(number: u32, start: f64, duration: f64) -> String {
    let name = format!("ProfilerStep#{number}");
    event("user_annotation", &name, MAIN, (start, duration), "")
}

#[test]
fn a_last_step_in_which_nothing_happens_is_no_step() {
    let events = [
        step(1, 0.0, 100.0),
        op("aten::mm", 5.0, 50.0),
        step(2, 100.0, 100.0),
        op("aten::mm", 105.0, 50.0),
        step(3, 200.0, 5.0),
    ];
    let it = analysed(&events);
    assert_eq!((it.steps.len(), it.stepped_ns), (2, 200_000));
}

#[test]
fn a_call_that_launches_for_long_is_its_own_cause() {
    let mut events = kernel(1, 0.0, 10.0, 10.0);
    let args = r#""correlation":2"#;
    events.push(event(
        "cuda_runtime",
        "cudaLaunchKernel",
        MAIN,
        (15.0, 6_000.0),
        args,
    ));
    events.push(event("kernel", "gemm", STREAM, (6_005.0, 10.0), args));
    let it = analysed(&events);
    assert_eq!(it.gaps.by_cause[0].cause, Cause::SlowLaunch);
}

#[test]
fn what_the_autograd_engine_launches_belongs_to_the_line_that_called_backward() {
    const ENGINE: (u32, u32) = (9, 10);
    let python = |name: &str, from: &str, at| {
        let args = format!(r#""CallFrom":"{from}""#);
        event("python_function", name, MAIN, at, &args)
    };
    let run = "<built-in method run_backward of torch._C._EngineBase object at 0x7f>";
    let node = "autograd::engine::evaluate_function: MmBackward0";
    let args = r#""correlation":7"#;
    let events = [
        // The module itself already ran: it is on no line.
        python("train.py(50): <module>", "train.py:50", (0.0, 200.0)),
        python(
            "torch/_tensor.py(566): backward",
            "train.py:14",
            (10.0, 90.0),
        ),
        python(run, "torch/autograd/graph.py:1113", (11.0, 80.0)),
        event("cpu_op", node, ENGINE, (20.0, 20.0), ""),
        event(
            "cuda_runtime",
            "cudaLaunchKernel",
            ENGINE,
            (22.0, 2.0),
            args,
        ),
        event("kernel", "gemm", STREAM, (30.0, 40.0), args),
    ];
    let it = analysed(&events);
    let lines: Vec<_> = it
        .lines
        .iter()
        .map(|it| (it.line.as_str(), it.device_ns))
        .collect();
    assert_eq!(lines, [("train.py:14", 40_000)]);
}

/// A synchronizing call.
fn wait(at: (f64, f64)) -> String {
    event("cuda_runtime", "cudaStreamSynchronize", MAIN, at, "")
}

#[test]
fn a_wait_inside_an_operator_is_not_that_of_a_copy_long_before() {
    let copy = r#""correlation":1"#;
    let mut events = vec![
        op("aten::copy_", 0.0, 10.0),
        event("cuda_runtime", "cudaMemcpyAsync", MAIN, (1.0, 3.0), copy),
        event(
            "gpu_memcpy",
            "Memcpy HtoD (Pinned -> Device)",
            STREAM,
            (5.0, 5.0),
            copy,
        ),
        op("aten::segment_reduce", 40.0, 60.0),
        wait((45.0, 50.0)),
    ];
    events.extend(kernel(2, 20.0, 25.0, 65.0));
    assert_eq!(analysed(&events).waits[0].reason, WaitReason::Operator);
}

#[test]
fn indices_on_the_host_are_a_copy_to_the_device() {
    let copy = r#""correlation":1"#;
    let mut events = vec![
        op("aten::index", 0.0, 100.0),
        op("aten::copy_", 10.0, 50.0),
        event("cuda_runtime", "cudaMemcpyAsync", MAIN, (11.0, 3.0), copy),
        event(
            "gpu_memcpy",
            "Memcpy HtoD (Pageable -> Device)",
            STREAM,
            (15.0, 5.0),
            copy,
        ),
        wait((20.0, 10.0)),
    ];
    events.extend(kernel(2, 70.0, 80.0, 10.0));
    assert_eq!(analysed(&events).waits[0].reason, WaitReason::CopyToDevice);
}

#[test]
fn one_step_has_the_idle_time_before_its_first_work() {
    let fetch = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    let mut events = vec![
        step(1, 0.0, 1000.0),
        // Old versions write annotations as operators.
        op(fetch, 1.0, 900.0),
        op("aten::mm", 905.0, 20.0),
    ];
    events.extend(kernel(1, 906.0, 910.0, 90.0));
    let it = analysed(&events);
    assert_eq!(it.gaps.by_cause[0].cause, Cause::DataLoading);
    assert_eq!(it.gaps.by_cause[0].ns, 910_000);
}

#[test]
fn small_copies_are_apart_from_large_ones_of_the_same_kind() {
    let copy = |correlation: u32, at: f64, bytes: u64| {
        let args = format!(r#""correlation":{correlation},"bytes":{bytes}"#);
        event(
            "gpu_memcpy",
            "Memcpy HtoD (Pageable -> Device)",
            STREAM,
            (at, 5.0),
            &args,
        )
    };
    let it = analysed(&[
        copy(1, 0.0, 24 << 20),
        copy(2, 10.0, 3072),
        copy(3, 20.0, 3072),
    ]);
    let rows: Vec<_> = it
        .copies
        .iter()
        .map(|it| (it.is_small, it.count, it.bytes))
        .collect();
    assert_eq!(rows, [(true, 2, 6144), (false, 1, 24 << 20)]);
}

#[test]
fn deep_nesting_takes_no_longer_than_its_levels() {
    let mut events = Vec::new();
    for it in 0..3_000u32 {
        let at = f64::from(it);
        events.push(op(&format!("op{it}"), at, 20_000.0 - 2.0 * at));
    }
    events.extend(kernel(1, 3_001.0, 3_010.0, 5.0));
    let it = analysed(&events);
    assert_eq!(it.operators.len(), 3_000);
    let launched = it.operators.iter().filter(|it| it.device_ns > 0);
    assert_eq!(launched.count(), 2_000);
}
