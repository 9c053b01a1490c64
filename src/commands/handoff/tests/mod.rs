//! Runs and words in, a checklist out.

use super::*;
use crate::commands::doctor::tests::left_alone;
use crate::commands::sample;
use warpup_course::{Course, LabId, LessonId};
use warpup_doctor::Evidence;
use warpup_kineto::analysis::Analysis;
use warpup_kineto::findings::FindingsReport as Findings;
use warpup_kineto::load;
use warpup_progress::{Event, Progress, RanOn};
use warpup_protocol::{Clock, Metric};

mod own_run;

/// What the doctor finds on a machine without a card.
fn no_card() -> Report {
    let mut evidence = Evidence::default();
    "linux".clone_into(&mut evidence.host.os);
    climb(&evidence)
}

/// A course whose first lab gives all the metrics, and that asks for the learner's own words.
fn course() -> Course {
    let mut course = sample::course_with(sample::OWN_WORDS);
    let calls = [
        "synchronized_ms",
        "unsynchronized_ms",
        "floor_mib",
        "counted_peak_mib",
        "row_kib",
        "peak_rows",
    ]
    .map(|it| format!("lab.metric(\"{it}\", 1.0)\n"));
    for lab in course
        .lessons
        .iter_mut()
        .flat_map(|it| &mut it.labs)
        .take(1)
    {
        lab.starter = calls.concat();
    }
    course
}

/// A passed run on the modelled T4 that gave these numbers.
fn ran(lab: &str, metrics: &[(&str, f64)]) -> Event {
    let metric = |(name, value): &(&str, f64)| Metric {
        name: (*name).to_owned(),
        value: *value,
        unit: String::new(),
    };
    Event::Ran {
        lesson: LessonId::new("copies"),
        lab: LabId::new(lab),
        device: "model:t4".to_owned(),
        passed: true,
        on: Some(RanOn {
            title: "Tesla T4 (modelled)".to_owned(),
            memory_bytes: Some(15 << 30),
            clock: Clock::Modelled,
        }),
        metrics: metrics.iter().map(metric).collect(),
        unmet: None,
    }
}

const MEMORY: [(&str, f64); 4] = [
    ("floor_mib", 2000.0),
    ("counted_peak_mib", 5120.0),
    ("row_kib", 1024.0),
    ("peak_rows", 64.0),
];

fn explained(question: &str, text: &str) -> Event {
    let course = course();
    let mut asked = course.lessons[0].quiz.iter().flat_map(|it| &it.questions);
    let asked = asked.find(|it| it.id.as_str() == question).unwrap();
    Event::Explained {
        lesson: LessonId::new("copies"),
        question: asked.id.clone(),
        hash: asked.hash.clone(),
        text: text.to_owned(),
        said: [1].into(),
    }
}

/// What is printed after these events, a second apart.
fn printed(events: Vec<Event>, format: Format) -> (String, Exit) {
    sample::with_context_in(&course(), "", |context| {
        for (event, at) in events.into_iter().zip(0..) {
            context.learner.note(event, 951_782_400_000 + 1000 * at);
        }
        print(context, &no_card(), OwnRun::default(), None, format)
    })
}

fn all() -> Vec<Event> {
    let long = "The host only puts the kernel into a queue and goes on with the next line, \u{1b}[31mlong before the card is done.\nIt waits when it reads.";
    vec![
        ran(
            "bus",
            &[("synchronized_ms", 12.34), ("unsynchronized_ms", 0.02)],
        ),
        ran("repair", &MEMORY),
        explained("q-why", long),
        explained("q-when", "Later."),
    ]
}

#[test]
fn all_that_was_done_is_told() {
    let (text, exit) = printed(all(), Format::Text);
    assert_eq!(exit, Exit::Wrong);
    assert!(text.lines().all(|it| it.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @"
    # Handoff: CUDA, understood

    Made by warpup VERSION on 2000-02-29 00:00 UTC from my own runs and words.

    - [ ] device check
    - [ ] one synchronized measurement
    - [x] the memory of a step
    - [x] explanations in my own words

    ## Device check

    Each lab's newest run ran on:

    - model:t4, Tesla T4 (modelled): 2 labs, last on 2000-02-29; its times are
      MODELLED

    This machine now: Nothing is broken. This machine has no NVIDIA card. Labs run
    on the CPU and on modelled cards.

    ## One synchronized measurement

    From copies/bus on model:t4, Tesla T4 (modelled), passed on 2000-02-29 00:00
    UTC; its times are MODELLED:

    - with a synchronize before the clock is read: 12.34 ms (MODELLED)
    - without it: 0.0200 ms (MODELLED)

    ## The memory of a step

    From copies/repair on model:t4, Tesla T4 (modelled), passed on 2000-02-29 00:00
    UTC; its times are MODELLED:

    - floor (weights, gradients, optimizer state), whatever the batch: 2000 MiB
    - counted peak, with 64 rows in the batch: 5120 MiB
    - each further row: 1 MiB
    - runs out first: what grows with the batch, beyond about 10304 rows on the
      card's 15360 MiB

    ## In my own words

    ### Why does it return at once?

    > The host only puts the kernel into a queue and goes on with the next line,
    > ␛[31mlong before the card is done.
    > It waits when it reads.

    - [ ] It waits in a queue.
    - [x] The card runs it later.

    ### Why does it return at once?

    > Later.

    - [ ] It waits in a queue.
    - [x] The card runs it later.

    ## Still missing

    - no run has used a card: a modelled one is no check of a device:
      `warpup doctor`
    - the time is modelled: nothing was measured:
      `warpup record -- python train.py`
    ");
}

#[test]
fn what_is_missing_names_the_command_that_gives_it() {
    let (text, exit) = printed(Vec::new(), Format::Text);
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r#"
    # Handoff: CUDA, understood

    Made by warpup VERSION on 2000-02-29 00:00 UTC from my own runs and words.

    - [ ] device check
    - [ ] one synchronized measurement
    - [ ] the memory of a step
    - [ ] explanations in my own words

    ## Device check

    No lab was run yet.

    This machine now: Nothing is broken. This machine has no NVIDIA card. Labs run
    on the CPU and on modelled cards.

    ## Still missing

    - no lab was run yet:
      `warpup run copies/bus`
    - no run has measured with a synchronize:
      `warpup run copies/bus`
    - no run has measured training memory:
      `warpup run copies/bus`
    - 0 of 2 explained in your own words in "What a copy costs":
      `warpup quiz copies --words`
    "#);
}

#[test]
fn a_course_is_not_asked_for_what_none_of_its_labs_gives() {
    let (text, exit) = sample::with_context("", |context| {
        context.learner.note(on_card(ran("bus", &[])), 1);
        print(context, &no_card(), OwnRun::default(), None, Format::Text)
    });
    assert_eq!(exit, Exit::Fine, "{text}");
    assert!(!text.contains("Still missing"), "{text}");
}

#[test]
fn the_newest_passed_run_counts_and_terms_come_from_one_run() {
    let mut failed = ran("bus", &[("synchronized_ms", 99.0)]);
    if let Event::Ran { passed, .. } = &mut failed {
        *passed = false;
    }
    let events = vec![
        ran("bus", &[("synchronized_ms", 1.0)]),
        ran("repair", &[("synchronized_ms", 2.0), ("floor_mib", 3.0)]),
        failed,
        ran("bus", &[]),
    ];
    let (text, _) = printed(events, Format::Text);
    assert!(text.contains("clock is read: 2 ms (MODELLED)"), "{text}");
    assert!(text.contains("- [ ] the memory of a step"), "{text}");
}

/// The same run on a real card.
fn on_card(mut run: Event) -> Event {
    if let Event::Ran { device, on, .. } = &mut run {
        "cuda".clone_into(device);
        if let Some(on) = on {
            on.clock = Clock::Measured;
        }
    }
    run
}

#[test]
fn programs_get_the_same_as_json() {
    let (text, exit) = printed(all(), Format::Json);
    assert_eq!(exit, Exit::Wrong);
    let mut shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(shown["explanations"].as_array().unwrap().len(), 2);
    shown["explanations"] = shown["explanations"][1].clone();
    insta::assert_snapshot!(serde_json::to_string(&shown).unwrap(), @r#"
    {"complete":false,"course":"warpup","devices":[{"at_ms":951782401000,"clock":"modelled","device":"model:t4","labs":2,"title":"Tesla T4 (modelled)"}],"explanations":{"at_ms":951782403000,"lesson":"copies","parts":[{"part":"It waits in a queue.","said":false},{"part":"The card runs it later.","said":true}],"prompt":"Why does it return at once?","question":"q-when","text":"Later."},"machine":{"next_step":null,"says":"Nothing is broken. This machine has no NVIDIA card. Labs run on the CPU and on modelled cards.","verdict":"without-card"},"measurement":{"at_ms":951782400000,"clock":"modelled","device":"model:t4","lab":"bus","lesson":"copies","synchronized_ms":12.34,"title":"Tesla T4 (modelled)","unsynchronized_ms":0.02},"memory":{"at_ms":951782401000,"card_mib":15360.0,"clock":"modelled","device":"model:t4","floor_mib":2000.0,"lab":"repair","lesson":"copies","peak_mib":5120.0,"row_kib":1024.0,"rows":64.0,"title":"Tesla T4 (modelled)"},"missing":[{"item":"device","todo":"warpup doctor","what":"no run has used a card: a modelled one is no check of a device"},{"item":"measurement","todo":"warpup record -- python train.py","what":"the time is modelled: nothing was measured"}]}
    "#);
}

#[test]
fn a_file_is_written_and_what_is_missing_said_beside_it() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("handoff.md");
    let (text, exit) = sample::with_context_in(&course(), "", |context| {
        print(
            context,
            &no_card(),
            OwnRun::default(),
            Some(&path),
            Format::Text,
        )
    });
    assert_eq!(exit, Exit::Wrong);
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("# Handoff: ")
    );
    insta::assert_snapshot!(text.replace(dir.path().to_str().unwrap(), "DIR"), @r#"
    written to DIR/handoff.md
    still missing: no lab was run yet (warpup run copies/bus)
    still missing: no run has measured with a synchronize (warpup run copies/bus)
    still missing: no run has measured training memory (warpup run copies/bus)
    still missing: 0 of 2 explained in your own words in "What a copy costs" (warpup quiz copies --words)
    "#);
    let (text, exit) = sample::with_context_in(&course(), "", |context| {
        print(
            context,
            &no_card(),
            OwnRun::default(),
            Some(dir.path()),
            Format::Text,
        )
    });
    assert_eq!(exit, Exit::Arguments);
    assert!(text.contains("cannot write"), "{text}");
}

#[test]
fn a_card_that_is_left_alone_is_named_by_what_the_system_says() {
    let report = left_alone("healthy-h200");
    let course = course();
    let progress = Progress::new(&course.id);
    let machine = checklist::of(&course, &progress, &report, OwnRun::default()).machine;
    insta::assert_snapshot!(machine.says.as_str(), @r"
    There is one. Driver 580.95.05 answers and shows one card. The card itself was left alone; `warpup doctor` tries it.
    ");
}

#[test]
fn a_lab_that_is_to_be_repaired_first_is_called_so() {
    let mut course = course();
    for lab in &mut course.lessons[0].labs {
        lab.solution = Some(warpup_course::Solution::Program("repaired()\n".to_owned()));
    }
    let progress = Progress::new(&course.id);
    let report = no_card();
    let checklist = checklist::of(&course, &progress, &report, OwnRun::default());
    let said: Vec<_> = checklist
        .missing
        .iter()
        .map(|it| it.what.as_str())
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    no lab was run yet
    no run has measured with a synchronize (the lab that does is to be repaired first)
    no run has measured training memory (the lab that does is to be repaired first)
    0 of 2 explained in your own words in "What a copy costs"
    "#);
}

/// The handoff of somebody with this trace, which says that it was recorded unless it is synthetic.
fn with_trace(text: &[u8], format: Format) -> (String, Exit) {
    let trace = load::text("trace.json.gz", text).unwrap();
    let analysis = Analysis::of(&trace);
    let run = traced::of(&analysis, &Findings::of(&analysis));
    sample::with_context_in(&course(), "", |context| {
        for (event, at) in all().into_iter().zip(0..) {
            context.learner.note(event, 951_782_400_000 + 1000 * at);
        }
        let own = OwnRun {
            traced: Some(run),
            planned: None,
        };
        print(context, &no_card(), own, None, format)
    })
}

/// The part about the measurement.
fn measurement_of(text: &str) -> &str {
    let (_, part) = text
        .split_once("## One synchronized measurement\n")
        .unwrap();
    part.split_once("\n## ").unwrap().0
}

const SLOW_RUN: &[u8] = include_bytes!("../../../../assets/traces/slow-run.json.gz");

#[test]
fn a_trace_gives_the_measurement_in_place_of_a_lab() {
    let trace = r#"{"host_name":"x","deviceProperties":[{"id":0,"name":"NVIDIA H100"}],"traceEvents":[
        {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":100},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":1,"dur":9},
        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":2,"dur":5,"args":{"correlation":1}},
        {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":90,"args":{"correlation":1,"device":0,"stream":7}},
        {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"ts":3,"args":{"Bytes":3145728,"Total Allocated":3145728,"Device Type":1,"Device Id":0}}
    ]}"#;
    let (text, exit) = with_trace(trace.as_bytes(), Format::Text);
    assert_eq!(exit, Exit::Fine);
    assert!(
        text.contains("- [x] one synchronized measurement"),
        "{text}"
    );
    insta::assert_snapshot!(measurement_of(&text), @"

    From the trace trace.json.gz, measured by PyTorch's profiler on NVIDIA H100:

    - a step with the work that it launched: 0.1000 ms, the mean of 1 step
    - the device works in 90 % of that time
    - nothing found that costs a step much time
    - most device time of an operator: aten::mm, 0.0900 ms in the whole trace
    - peak memory on cuda:0: live tensors hold 3 MiB
    ");
}

#[test]
fn a_synthetic_trace_is_not_called_measured() {
    let (text, _) = with_trace(SLOW_RUN, Format::Text);
    insta::assert_snapshot!(measurement_of(&text), @"

    From the trace trace.json.gz, which is SYNTHETIC: computed by a script, not
    measured:

    - a step with the work that it launched: 8.56 ms, the mean of 3 steps
    - the device works in 58 % of that time
    - found first, at train.py:23: in each step the host waits for the device once
      (`.item()`), and leaves it idle for 3.57 ms of 8.56 ms: nothing is queued when
      the host goes on
    - most device time of an operator: aten::mm, 8.64 ms in the whole trace
    ");
    let (text, _) = with_trace(SLOW_RUN, Format::Json);
    let shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    insta::assert_snapshot!(shown["measurement"], @r#"{"device_busy_percent":57.665268950905094,"finding":{"id":"wait-item","place":"train.py:23","sentence":"in each step the host waits for the device once (`.item()`), and leaves it idle for 3.57 ms of 8.56 ms: nothing is queued when the host goes on"},"peaks":[],"step_ms":8.563496,"steps":3,"synthetic":true,"title":"synthetic card","top_operator":{"name":"aten::mm","own_ms":8.64,"side":"device"},"trace":"trace.json.gz"}"#);
}

#[test]
fn a_trace_without_steps_and_device_says_so() {
    let trace =
        r#"[{"ph":"X","cat":"cpu_op","name":"aten::mm\u001b[31m","pid":9,"tid":9,"ts":1,"dur":9}]"#;
    let (text, _) = with_trace(trace.as_bytes(), Format::Text);
    insta::assert_snapshot!(measurement_of(&text), @"
    From the trace trace.json.gz, measured by PyTorch's profiler:

    - the whole trace, which marks no steps: 0.0090 ms
    - no device was recorded
    - nothing found that costs a step much time
    - most host time of an operator: aten::mm [31m, 0.0090 ms in the whole trace
    ");
}
