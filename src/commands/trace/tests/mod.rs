//! Traces in, text out.

use super::*;
use crate::commands::sample;
use warpup_course as course;
use warpup_lab::findings::Page;
use warpup_store as store;

fn fixture(name: &str) -> PathBuf {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/kineto");
    fixtures.join(name)
}

/// The arguments of `warpup trace --plain` with these files.
fn plain(files: Vec<PathBuf>) -> TraceArgs {
    TraceArgs {
        files,
        how: false,
        plain: true,
        example: false,
        at: None,
        plan: None,
        card: "t4".to_owned(),
        json: false,
        arguments: Vec::new(),
    }
}

fn traced(names: &[&str], json: bool) -> (String, Exit) {
    let args = TraceArgs {
        json,
        ..plain(names.iter().map(|it| fixture(it)).collect())
    };
    sample::console("", |console| {
        console.width = 80;
        execute(&args, console)
    })
}

mod of_plans;

#[test]
#[expect(clippy::too_many_lines, reason = "a whole report")]
fn a_trace_says_what_was_found_and_then_its_figures() {
    let (text, exit) = traced(&["item-in-loop.json.gz"], false);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"
    item-in-loop.json.gz: 505 events in 19.7 ms, 3 steps, synthetic card.
    6.56 ms a step, mean of 3 · the device is idle for 24 % of it · 33 kernels a
    step.
    item-in-loop.json.gz is synthetic: computed by a script, not measured.

    Found, the most expensive first:
     1  wait-item: in each step the host waits for the device once (`.item()`),
        and leaves it idle for 1.57 ms of 6.56 ms: nothing is queued when the
        host goes on.
        where: train.py:23
        try:   keep `loss.detach()` on the device, and read it in every
               hundredth step
        page:  warpup read the-queue --page every-step

    step                        time  device busy  idle  kernels  copies
    ProfilerStep#2           6.56 ms      4.94 ms  25 %       33       2
    ProfilerStep#3           6.56 ms      4.94 ms  25 %       33       2
    ProfilerStep#4           6.56 ms      4.94 ms  25 %       33       2
    Busy is of what the step launched; idle is of the step's own time.

    lane                                             events       busy
    host thread 4000 (python)                           208    14.1 ms
    host thread 4001 (pt_autograd_0)                    192     864 µs
    device 0 stream 7                                   105    14.8 ms

    From its first work to its last the device is busy 14.8 ms of 18.1 ms (82
    %), and idle 3.29 ms.
    Copies and fills take 534 µs, of which 0 % are beside kernels that compute.

    stream        work     busy idle: host late    pause    other  queued
    7 on 0         105  14.8 ms         3.19 ms   102 µs           11.7 (max 31)

    The device was idle in the steps:
      after the host waited: `.item()` (train.py:23)        4.70 ms       3×
      while the loop waited for a batch (train.py:17)       77.5 µs       1×
      although work was queued (train.py:20)                48.0 µs      48×
      although work was queued (train.py:21)                48.0 µs      48×
      although work was queued (train.py:22)                3.00 µs       3×
      although work was queued (train.py:23)                3.00 µs       3×

    The host waited in the steps:
      `.item()` (train.py:23)                               13.3 ms       3×

    copies in the steps               count     bytes     time  alone       rate
    HtoD (Pinned -> Device)               3  12.0 MiB   529 µs  100 %  23.8 GB/s
    small DtoH (Device -> Pageable)       3      12 B  5.70 µs  100 %  2.11 MB/s

    operator                             count  host self host total    device
    aten::mm                                48     192 µs     480 µs   8.64 ms
    AddmmBackward0                          48     192 µs     672 µs   8.64 ms
    evaluate: AddmmBackward0                48     192 µs     864 µs   8.64 ms
    aten::addmm                             24    96.0 µs     240 µs   4.32 ms
    aten::clamp_min                         24    96.0 µs     240 µs    960 µs
    aten::linear                            24    96.0 µs     336 µs   4.32 ms
    aten::relu                              24    96.0 µs     336 µs    960 µs
    aten::copy_                              3    12.0 µs    36.0 µs    529 µs
    aten::_fused_adam_                       3    12.0 µs    30.0 µs    360 µs
    aten::_local_scalar_dense                3    12.0 µs    13.3 ms   5.70 µs
    … and 3 more, in `--json`

    kernel or copy                                      count      time   longest
    ampere_sgemm_128x64_tn                                 72   13.0 ms    180 µs
    void at::native::vectorized_elementwise_kernel<4…      24    960 µs   40.0 µs
    Memcpy HtoD (Pinned -> Device)                          3    529 µs    176 µs
    void at::native::multi_tensor_apply_kernel<at::n…       3    360 µs    120 µs
    Memcpy DtoH (Device -> Pageable)                        3   5.70 µs   1.90 µs

    line                                  calls      host    waited    device
    train.py:23                               3   13.3 ms   13.3 ms   5.70 µs
    train.py:21                               3    870 µs             8.64 ms
    train.py:20                               3    675 µs             5.28 ms
    train.py:24                               3   4.50 ms
    train.py:18                               3   63.0 µs              529 µs
    train.py:22                               3   45.0 µs              360 µs
    train.py:17                               3    195 µs

    operator and shapes                         calls   kernels  FLOP/s     bytes/s
    aten::mm [[256,2048],[2048,2048]]              48   8.64 ms  11.9 T    117 GB/s
    aten::addmm [[2048],[256,2048],[2048,204…      24   4.32 ms  11.9 T    117 GB/s
    aten::clamp_min [[256,2048],[]]                24    960 µs            105 GB/s

    Launch queue of stream 7 on device 0:
    calls queued, the most
    40 ┤
       │ ⢠⠢⣄                       ⢀⠶⢄●                       ⡖⢄⡀
    20 ┤ ⡇  ⠉⠦⣀                    ⡸  ⠈⠣⣄⡀                   ⡰⠁ ⠈⠱⢄⡀
       │⢰⠁     ⠙⠢⠤●               ⢰⠁     ⠉⠢⠤⢄                ⡇     ⠈●⠤⢄⡀
       │⡇          ⠉⠓⠢⣄⣀          ⢸          ⠉⠑⠲●⣀          ⢸          ⠉⠑⠒⢄⣀⡀
     0 ┤●              ⠈⠉⠒⠤⢄●⣀⣀⣀⣀⣀⠇               ⠉⠑⠦⢄⣀⣀⣀⣀●⣀⡇               ⠈⠙●●
       └───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬
               2       4       6       8      10      12      14      16      18
                                ms since the trace began

    What this trace cannot show:
      - no memory was recorded (`profile_memory=True`)
    ");
}

#[test]
fn the_example_has_a_wait_and_says_that_nobody_measured_it() {
    let args = TraceArgs {
        example: true,
        ..plain(Vec::new())
    };
    let (text, exit) = sample::console("", |console| execute(&args, console));
    assert_eq!(exit, Exit::Fine);
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("slow-run.json.gz is synthetic: computed by a script, not measured."),
        "{text}"
    );
    assert!(said.contains("where: train.py:23"), "{text}");
    let args = TraceArgs { json: true, ..args };
    let (text, _) = sample::console("", |console| execute(&args, console));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["about"]["is_synthetic"], true);
    assert_eq!(json["findings"][0]["id"], "wait-item");
}

#[test]
fn two_traces_say_what_changed() {
    let (text, exit) = traced(&["item-in-loop.json.gz", "sound.json.gz"], false);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"
    Before: item-in-loop.json.gz. After: sound.json.gz.
    item-in-loop.json.gz is synthetic: computed by a script, not measured.
    sound.json.gz is synthetic: computed by a script, not measured.

    in a step                               before      after     ratio
    time                                   6.56 ms    5.00 ms      0.76
    device busy                            4.94 ms    4.94 ms      1.00
    device idle                            1.63 ms    59.5 µs      0.04
    host waits for the device              4.42 ms       0 ns      0.00
    kernels                                     33         33      1.00

    finding, and what a step could save     before      after
    wait-item                              1.57 ms         no

    what changed most: line                 before      after     ratio
    train.py:23, host                      4.44 ms       0 ns      0.00
    train.py:24, host                      1.50 ms       0 ns      0.00

    what changed most: operator             before      after     ratio
    aten::_local_scalar_dense, host        4.00 µs       0 ns      0.00
    aten::item, host                       4.00 µs       0 ns      0.00
    ");
}

/// A trace of one step in which a function of a long path is late.
fn late_in_a_long_path(dir: &tempfile::TempDir, kernel_us: u32) -> PathBuf {
    let path = "deep/resnet50_profiler_api_of_the_tutorial.py";
    let mut events = vec![
        r#"{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":9000}"#.to_owned(),
    ];
    for (number, line) in (1..).zip([42, 43]) {
        let at = number * 4000;
        events.push(format!(r#"{{"ph":"X","cat":"python_function","name":"{path}(7): step","pid":9,"tid":9,"ts":{},"dur":100,"args":{{"CallFrom":"{path}:{line}"}}}}"#, at - 50));
        events.push(format!(r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":{at},"dur":5,"args":{{"correlation":{number}}}}}"#));
        events.push(format!(r#"{{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":{},"dur":{kernel_us},"args":{{"device":0,"stream":7,"correlation":{number}}}}}"#, at + 10));
    }
    let file = dir.path().join(format!("late{kernel_us}.json"));
    let text = format!(
        r#"{{"deviceProperties":[{{"name":""}}],"distributedInfo":{{"rank":0,"world_size":2}},"traceEvents":[{}]}}"#,
        events.join(",")
    );
    std::fs::write(&file, text).unwrap();
    file
}

/// What is printed of a trace in a terminal of so many columns.
fn printed(file: PathBuf, width: usize) -> String {
    let (text, _) = sample::console("", |console| {
        console.width = width;
        execute(&plain(vec![file]), console)
    });
    text
}

#[test]
fn exchange_has_a_table_with_what_the_trace_says_of_it() {
    let dir = tempfile::TempDir::new().unwrap();
    let file = dir.path().join("rank0.json");
    let args = r#""device":0,"stream":9,"Collective name":"allreduce","In msg nelems":1000000,"Out msg nelems":1000000,"Group size":8,"dtype":"Float""#;
    let text = format!(
        r#"{{"deviceProperties":[{{"name":"NVIDIA H100 80GB HBM3"}}],"traceEvents":[
        {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":900,"args":{{"device":0,"stream":7}}}},
        {{"ph":"X","cat":"kernel","name":"ncclDevKernel_Generic(x)","pid":0,"tid":9,"ts":900,"dur":100,"args":{{{args}}}}}]}}"#
    );
    std::fs::write(&file, text).unwrap();
    let printed = printed(file, 80);
    let table: Vec<&str> = printed
        .lines()
        .skip_while(|it| !it.starts_with("exchange "))
        .take(4)
        .collect();
    insta::assert_snapshot!(table.join("\n"), @"
    exchange                    ranks count     bytes     time  alone         sent
    allreduce                       8     1  3.81 MiB   100 µs  100 %    70.0 GB/s
    This card's links can send 450 GB/s by its data sheet, within one machine.
    ");
}

#[test]
fn paths_are_cut_in_front_and_a_wide_terminal_shows_them_whole() {
    let dir = tempfile::TempDir::new().unwrap();
    let file = late_in_a_long_path(&dir, 500);
    let narrow = printed(file.clone(), 80);
    for line in [":42)", ":43)"] {
        assert!(narrow.contains(line), "{narrow}");
    }
    assert!(!narrow.contains("(deep/resnet50"), "{narrow}");
    let wide = printed(file, 160);
    assert!(
        wide.contains("(deep/resnet50_profiler_api_of_the_tutorial.py:43)"),
        "{wide}"
    );
    let both = [500, 900].map(|it| late_in_a_long_path(&dir, it));
    let (compared, _) = sample::console("", |console| execute(&plain(both.to_vec()), console));
    assert!(compared.contains(":42, device "), "{compared}");
    assert!(compared.contains(":43, device "), "{compared}");
    // A card without a name is left out.
    assert!(wide.contains("1 step, rank 0.\n"), "{wide}");
}

#[test]
fn json_has_the_findings_and_the_operators() {
    let (text, _) = traced(&["pageable-memory.json.gz"], true);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["findings"][0]["id"], "copy-pageable");
    assert_eq!(json["findings"][0]["page"]["page"], "pinned");
    assert!(json["operators"][0]["self_ns"].as_i64().unwrap() > 0);
    let (text, _) = traced(&["sound.json.gz", "sound.json.gz"], true);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let said = json["after"]["nothing_found"].as_str().unwrap();
    assert!(said.contains("kernels compute for"), "{said}");
    let step = &json["comparison"]["step_ns"];
    assert_eq!(step["before"], step["after"]);
}

#[test]
fn no_line_is_longer_than_a_terminal() {
    let names = [
        "launch-bound",
        "pageable-memory",
        "slow-loading",
        "small-copies",
    ];
    for name in names.map(|it| format!("{it}.json.gz")) {
        let (text, _) = traced(&[&name], false);
        let long: Vec<&str> = text.lines().filter(|it| it.chars().count() > 80).collect();
        assert!(long.is_empty(), "{name}: {long:?}");
    }
}

#[test]
fn what_is_no_trace_is_refused_with_its_byte() {
    let names = [
        "hostile-broken.json",
        "hostile-short.json",
        "hostile-short.json.gz",
        "hostile-negative-duration.json",
        "hostile-negative-time.json",
        "hostile-deep.json",
        "hostile-text.json",
        "not-there.json",
    ];
    let mut said = String::new();
    for name in names {
        let (text, exit) = traced(&[name], false);
        assert_eq!(exit, Exit::Arguments, "{name}: {text}");
        said += text.lines().next().unwrap();
        said += "\n";
    }
    insta::assert_snapshot!(said, @"
    error: hostile-broken.json: byte 91: expected `:`
    error: hostile-short.json: byte 175: the file ends here, before the trace does
    error: hostile-short.json.gz: byte 17134 of the decompressed text: the compressed data is damaged or ends here: incomplete deflate stream
    error: hostile-negative-duration.json: byte 106: this event has a negative `dur`
    error: hostile-negative-time.json: byte 17: this event has a negative `ts`
    error: hostile-deep.json: byte 90: values are nested too deep
    error: hostile-text.json: byte 0: a trace begins with `{` or `[`
    error: cannot read not-there.json
    ");
}

#[test]
fn a_file_without_an_event_and_a_folder_are_refused() {
    let dir = tempfile::TempDir::new().unwrap();
    let empty = dir.path().join("empty.json");
    std::fs::write(&empty, r#"{"traceEvents": []}"#).unwrap();
    let refused = |path: PathBuf| {
        let (text, exit) = sample::console("", |console| execute(&plain(vec![path]), console));
        assert_eq!(exit, Exit::Arguments, "{text}");
        text
    };
    let text = refused(empty);
    assert!(text.contains("there is no event in it"), "{text}");
    let text = refused(dir.path().to_owned());
    assert!(text.contains("it is a folder"), "{text}");
    let (text, exit) = sample::console("", |console| execute(&plain(Vec::new()), console));
    assert_eq!(exit, Exit::Arguments);
    assert!(text.contains("--how"), "{text}");
}

#[test]
fn a_moment_of_a_trace_says_what_is_there() {
    let at = |ms: i64, json| {
        let args = TraceArgs {
            at: Some(ms * 1_000_000),
            json,
            ..plain(vec![fixture("item-in-loop.json.gz")])
        };
        sample::console("", |console| execute(&args, console))
    };
    let (text, _) = at(2, false);
    insta::assert_snapshot!(text, @"
    At 2.00 ms, in ProfilerStep#2:
      host thread 4000 (python): aten::_local_scalar_dense
        calls cudaStreamSynchronize, at train.py:23
      device 0 stream 7: kernel void
        at::native::vectorized_elementwise_kernel<4,
        at::native::launch_clamp_scalar(at::TensorIteratorBase&)
        >, 40.0 µs from 1.99 ms on
    ");
    let (json, _) = at(6, true);
    insta::assert_snapshot!(json, @r#"
    {
      "at_ns": 6000000,
      "step": "ProfilerStep#2",
      "host": [
        {
          "thread": "thread 4000 (python)",
          "operator": null,
          "call": null,
          "line": "train.py:24"
        }
      ],
      "device": [],
      "idle": {
        "start_ns": 5049663,
        "ns": 1593000,
        "cause": {
          "wait": "item"
        },
        "place": "train.py:23"
      }
    }
    "#);
    let (text, exit) = at(60, false);
    assert_eq!(exit, Exit::Arguments);
    assert!(text.contains("the trace ends after 19.7 ms"), "{text}");
}

#[test]
fn nothing_of_a_trace_reaches_the_terminal_raw() {
    for json in [false, true] {
        let (text, exit) = traced(&["hostile-names.json"], json);
        assert_eq!(exit, Exit::Fine);
        assert!(!text.contains(['\x1b', '\x07', '\u{202e}']), "{text}");
    }
}

#[test]
fn every_page_that_a_finding_names_is_in_the_course() {
    let (course, _) = course::parse(&store::course::embedded());
    for it in Page::ALL {
        let lesson = course
            .lessons
            .iter()
            .find(|lesson| lesson.id.as_str() == it.lesson);
        let pages = &lesson
            .unwrap_or_else(|| panic!("no lesson of {it:?}"))
            .pages;
        assert!(
            pages.iter().any(|page| page.id.as_str() == it.page),
            "{it:?}"
        );
    }
}

#[test]
fn the_lines_that_record_a_trace_are_ten() {
    let args = TraceArgs {
        how: true,
        ..plain(Vec::new())
    };
    let (text, _) = sample::console("", |console| execute(&args, console));
    assert_eq!(text, recording_code::LINES);
    assert_eq!(text.lines().count(), 10);
}

#[test]
fn a_program_or_a_name_that_is_not_there_is_answered_where_it_was_typed() {
    let program =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/findings/sound_gan.py");
    assert!(may_be_trace(&fixture("hostile-broken.json")));
    assert!(!may_be_trace(&fixture("nothing.json")));
    assert!(!may_be_trace(&program));
}
