//! A pretended lab in, text out.

use super::*;
use crate::commands::sample;
use crate::course::{LabId, LessonId};
use crate::progress::{Event, LabProgress};
use crate::protocol::{
    Check, Clock, DeviceInfo, DeviceName, Lane, LineTime, LogAxes, Memory, Metric, Plot,
    PlotSource, Raised, Reason, Report, Series, Span,
};
use std::fs;
use tempfile::TempDir;

fn args(program: &str) -> RunArgs {
    RunArgs {
        program: program.to_owned(),
        device: None,
        solution: false,
        starter: false,
        json: false,
        trace: None,
        no_trace: false,
    }
}

/// A run on a modelled card that went well.
fn went_well(request: RunRequest) -> Run {
    let mut run = Run::new(request.run);
    run.device = Some(DeviceInfo {
        name: request.device,
        title: "Tesla T4 (modelled)".to_owned(),
        clock: Clock::Modelled,
        memory_bytes: Some(16 << 30),
    });
    run.output = "y lives on cuda:0\n".to_owned();
    run.checks.push(Check {
        name: "y lives where x lives".to_owned(),
        ok: true,
        hint: None,
    });
    run.metrics.push(Metric {
        name: "batch_mib".to_owned(),
        value: 12.0,
        unit: "MiB".to_owned(),
    });
    run.report = Some(Report {
        outcome: Outcome::Done,
        clock: Clock::Modelled,
        host_ns: 1_240_000,
        device_ns: Some(840_000),
        lines: vec![LineTime {
            line: 2,
            hits: 1,
            host_ns: 1_200_000,
            wait_ns: 0,
            device_ns: Some(840_000),
        }],
        spans_dropped: 0,
        memory: Some(Box::new(Memory {
            peak_live: 12 << 20,
            peak_reserved: 20 << 20,
            peak_line: 2,
            capacity: 16 << 30,
            ..Memory::default()
        })),
        ..Report::broken("")
    });
    run
}

fn ended(request: &RunRequest, outcome: Outcome) -> Run {
    let mut run = Run::new(request.run);
    run.report = Some(Report {
        outcome,
        ..Report::broken("")
    });
    run
}

fn ran(args: &RunArgs, run_lab: &mut RunLab<'_>) -> (String, Exit) {
    sample::seat("", |context| run(context, args, run_lab))
}

#[test]
fn a_run_shows_output_checks_and_both_clocks() {
    let (text, exit) = ran(&args("copies/bus"), &mut went_well);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r#"
    Try the bus (copies/bus) on Tesla T4 (modelled)

    y lives on cuda:0

    ✓ ok      y lives where x lives
    batch_mib = 12 MiB

    Time by line, MODELLED:
    line  times     host  device
       2      1  1.20 ms  840 µs  x = torch.ones(3).to("cuda")

    In all, MODELLED: host 1.24 ms, device 840 µs
    Memory, MODELLED: tensors held at most 12.0 MiB at line 2, the allocator 20.0 MiB, of 16.0 GiB
    "#);
}

#[test]
fn a_trace_can_be_left_out() {
    let mut asked = Vec::new();
    for no_trace in [false, true] {
        let args = RunArgs {
            no_trace,
            ..args("copies/bus")
        };
        let (_, exit) = ran(&args, &mut |request| {
            asked.push(request.trace);
            went_well(request)
        });
        assert_eq!(exit, Exit::Fine);
    }
    assert_eq!(asked, [true, false]);
}

#[test]
fn a_program_gets_everything_as_json() {
    let args = RunArgs {
        json: true,
        ..args("copies/bus")
    };
    let (text, exit) = ran(&args, &mut went_well);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @r#"
    {
      "program": "bus.py",
      "lesson": "copies",
      "lab": "bus",
      "device": "cpu",
      "device_info": {
        "name": "cpu",
        "title": "Tesla T4 (modelled)",
        "clock": "modelled",
        "memory_bytes": 17179869184
      },
      "clock": "modelled",
      "passed": true,
      "outcome": {
        "how": "done"
      },
      "output": "y lives on cuda:0\n",
      "checks": [
        {
          "name": "y lives where x lives",
          "ok": true
        }
      ],
      "metrics": [
        {
          "name": "batch_mib",
          "value": 12.0,
          "unit": "MiB"
        }
      ],
      "plots": [],
      "host_ns": 1240000,
      "device_ns": 840000,
      "lines": [
        {
          "line": 2,
          "hits": 1,
          "host_ns": 1200000,
          "wait_ns": 0,
          "device_ns": 840000
        }
      ],
      "gaps": null,
      "memory": {
        "live": 0,
        "reserved": 0,
        "peak_live": 12582912,
        "peak_reserved": 20971520,
        "peak_line": 2,
        "capacity": 17179869184,
        "peak": {}
      },
      "spans": [],
      "spans_dropped": 0
    }
    "#);
}

#[test]
fn a_plot_stands_below_the_checks_and_is_told_in_words() {
    let (text, _) = ran(&args("copies/bus"), &mut |request| {
        let mut run = ended(&request, Outcome::Done);
        run.plots.push(Plot {
            title: "Time of a copy".to_owned(),
            x_label: "MiB".to_owned(),
            y_label: "ms".to_owned(),
            log: LogAxes::None,
            source: PlotSource::Run,
            series: vec![Series {
                name: "pageable".to_owned(),
                points: vec![(1.0, 0.3), (2.0, 0.6), (4.0, 1.1)],
                skipped: 1,
            }],
        });
        run
    });
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on cpu

    plot: Time of a copy (measured)
    ● pageable
    ms
    1.5 ┤
        │
        │
        │                                                 ⢀⣀⡠⠤⠔●
    1.0 ┤                                         ⢀⣀⡠⠤⠔⠒⠊⠉⠁
        │                                 ⢀⣀⡠⠤⠔⠒⠊⠉⠁
        │                         ⢀⣀⡠⠤⠔⠒⠊⠉⠁
        │                 ⢀●⡠⠤⠔⠒⠊⠉⠁
    0.5 ┤          ⣀⣀⠤⠔⠒⠊⠉⠁
        │   ⣀⡠⠤⠔⠒⠊⠉
        │●⠉⠉
        │
      0 ┤
        └┬────────┬────────┬────────┬────────┬────────┬────────┬
        1.0      1.5      2.0      2.5      3.0      3.5     4.0
                                   MiB
    pageable: from 0.3000 at MiB 1 to 1.10 at MiB 4, rising all the way; 1 point is left out, it is nan or infinite
    ");
}

#[test]
fn a_failed_check_comes_with_its_hint_and_exit_1() {
    let (text, exit) = ran(&args("copies/repair"), &mut |request| {
        let mut run = ended(&request, Outcome::Done);
        run.checks.push(Check {
            name: "the result is on the card".to_owned(),
            ok: false,
            hint: Some("move x".to_owned()),
        });
        run
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r"
    Try the repair (copies/repair) on model:t4

    ✗ FAILED  the result is on the card
              hint: move x
    ");
}

#[test]
fn a_lab_that_needs_a_card_says_so_before_its_hints() {
    let args = RunArgs {
        device: Some(DeviceName::Cpu),
        ..args("copies/repair")
    };
    let (text, exit) = ran(&args, &mut |request| {
        let mut run = ended(&request, Outcome::Done);
        run.checks.push(Check {
            name: "the result is on the card".to_owned(),
            ok: false,
            hint: Some("move x".to_owned()),
        });
        run
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r"
    Try the repair (copies/repair) on cpu

    This lab needs a card, and ran on the CPU: leave --device out, or try --device model:t4.
    ✗ FAILED  the result is on the card
              hint: move x
    ");
}

#[test]
fn a_learners_error_is_a_traceback_and_exit_1() {
    let (text, exit) = ran(&args("copies/repair"), &mut |request| {
        let raised = Raised {
            kind: "RuntimeError".to_owned(),
            message: "two devices".to_owned(),
            line: 2,
            traceback: "Traceback (most recent call last):\n  File \"repair.py\", line 2\nRuntimeError: two devices\n".to_owned(),
            in_check: false,
        };
        ended(&request, Outcome::Raised(raised))
    });
    assert_eq!(exit, Exit::Wrong);
    insta::assert_snapshot!(text, @r#"
    Try the repair (copies/repair) on model:t4

    Traceback (most recent call last):
      File "repair.py", line 2
    RuntimeError: two devices
    "#);
}

#[test]
fn a_fault_of_ours_is_said_to_be_ours_and_exits_3() {
    let broken = |request: RunRequest| {
        let what = "the worker died".to_owned();
        Run {
            device: went_well(request.clone()).device,
            ..ended(&request, Outcome::Broken { what })
        }
    };
    let (text, exit) = ran(&args("copies/bus"), &mut { broken });
    assert_eq!(exit, Exit::Ours);
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on Tesla T4 (modelled)

    The lab broke, and not through your program: the worker died
    Run it again, or on another --device.
    ");
}

fn reason(evidence: &str) -> Reason {
    Reason {
        why: "the card is held by others".to_owned(),
        hint: "run it again later".to_owned(),
        evidence: evidence.to_owned(),
    }
}

/// What a run says whose device was not to be had, its exit status, and whether it was noted.
fn unavailable(outcome: &Outcome) -> (String, Exit, bool) {
    let mut is_noted = false;
    let (text, exit) = sample::seat("", |context| {
        let exit = run(context, &args("copies/bus"), &mut |request| {
            ended(&request, outcome.clone())
        });
        let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
        is_noted = *lesson.lab(&LabId::new("bus")) != LabProgress::default();
        exit
    });
    (text, exit, is_noted)
}

#[test]
fn a_device_that_is_not_here_is_no_attempt_and_exits_2() {
    let (text, exit, is_noted) = unavailable(&Outcome::Unavailable(reason("libcuda.so.1: \x1bno")));
    assert_eq!((exit, is_noted), (Exit::Arguments, false));
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on cpu

    The device is not available here, which says nothing about your program: the card is held by others
      libcuda.so.1: ␛no
    hint: run it again later
    ");
}

#[test]
fn a_neighbour_on_the_card_is_no_attempt_and_exits_4() {
    let (text, exit, is_noted) = unavailable(&Outcome::Busy(reason("")));
    assert_eq!((exit, is_noted), (Exit::Later, false));
    insta::assert_snapshot!(text, @r"
    Try the bus (copies/bus) on cpu

    The device is busy, which says nothing about your program: the card is held by others
    hint: run it again later
    ");
}

#[test]
fn what_is_run_follows_the_arguments_the_learner_and_the_lab() {
    let asked_for = |args: &RunArgs| {
        let mut asked = None;
        let (text, _) = sample::seat("", |context| {
            let edited = Event::Edited {
                lesson: LessonId::new("copies"),
                lab: LabId::new("repair"),
                source: Some("mine".to_owned()),
            };
            context.learner.note(edited, 1);
            run(context, args, &mut |request| {
                asked = Some(request.clone());
                went_well(request)
            })
        });
        let asked = asked.ok_or(text).unwrap();
        format!("{} on {}", asked.source.trim(), asked.device)
    };
    let repair = args("copies/repair");
    assert_eq!(asked_for(&repair), "mine on model:t4");
    let starter = RunArgs {
        starter: true,
        ..args("copies/repair")
    };
    assert_eq!(asked_for(&starter), "broken() on model:t4");
    let solution = RunArgs {
        solution: true,
        device: Some(DeviceName::Cpu),
        ..args("copies/repair")
    };
    assert_eq!(asked_for(&solution), "repaired() on cpu");
    assert_eq!(
        asked_for(&args("copies/bus")),
        "import warpup as torch\nx = torch.ones(3).to(\"cuda\") on cpu"
    );
}

#[test]
fn a_run_counts_for_the_lab_and_a_solution_does_not() {
    let passed = |args: &RunArgs| {
        let (_, exit) = sample::seat("", |context| {
            run(context, args, &mut went_well)?;
            let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
            Ok(Exit::of(Some(
                lesson.lab(&LabId::new("repair")).has_passed(),
            )))
        });
        exit == Exit::Fine
    };
    assert!(passed(&args("copies/repair")));
    let solution = RunArgs {
        solution: true,
        ..args("copies/repair")
    };
    assert!(!passed(&solution));
}

#[test]
fn a_run_that_is_cut_short_is_not_saved() {
    for outcome in [
        Outcome::TimedOut,
        Outcome::TooMuchOutput,
        Outcome::Cancelled,
    ] {
        sample::seat("", |context| {
            let mut cut_short = |request: RunRequest| ended(&request, outcome.clone());
            run(context, &args("copies/bus"), &mut cut_short)?;
            let lesson = context.learner.progress.lesson(&LessonId::new("copies"));
            assert_eq!(lesson.lab(&LabId::new("bus")).newest, None, "{outcome:?}");
            Ok(Exit::Fine)
        });
    }
}

#[test]
fn a_file_that_is_not_there_is_a_wrong_argument() {
    let (text, exit) = ran(&args("nowhere/x.py"), &mut went_well);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @r"
    error: cannot read nowhere/x.py
    hint: No such file or directory (os error 2)
    ");
}

#[test]
fn a_trace_is_written_when_the_run_has_ended_and_replaces_the_one_before() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("run.json");
    fs::write(&path, "what was there").unwrap();
    let args = RunArgs {
        trace: Some(path.clone()),
        ..args("copies/bus")
    };
    let (text, exit) = ran(&args, &mut |request| {
        assert!(request.limits.spans > 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), "what was there");
        let mut run = went_well(request);
        run.spans.push(Span {
            lane: Lane::Kernel,
            name: "matmul".to_owned(),
            line: 2,
            start_ns: 5_000,
            end_ns: 8_500,
            bytes: 48,
            flops: 6,
        });
        run
    });
    assert_eq!(exit, Exit::Fine);
    let said = format!(
        "trace, modelled: {}; https://ui.perfetto.dev opens it\n",
        path.display()
    );
    assert!(text.ends_with(&said), "{text}");
    let trace = fs::read_to_string(&path).unwrap();
    let trace: serde_json::Value = serde_json::from_str(&trace).unwrap();
    let last = trace["traceEvents"].as_array().unwrap().last().unwrap();
    insta::assert_snapshot!(last, @r#"{"args":{"bytes":48,"clock":"modelled","flops":6,"line":2},"cat":"kernel","dur":3.5,"name":"matmul","ph":"X","pid":1,"tid":2,"ts":5.0}"#);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_trace_that_cannot_be_written_is_said_before_anything_runs() {
    let dir = TempDir::new().unwrap();
    let refused = |path: std::path::PathBuf| {
        let args = RunArgs {
            trace: Some(path),
            ..args("copies/bus")
        };
        let (text, exit) = ran(&args, &mut |_request| panic!("it was run"));
        assert_eq!(exit, Exit::Arguments);
        text.replace(&dir.path().display().to_string(), "DIR")
    };
    insta::assert_snapshot!(refused(dir.path().join("nowhere/run.json")), @r"
    error: cannot write the trace to DIR/nowhere/run.json
    hint: entity not found
    ");
    insta::assert_snapshot!(refused(dir.path().to_owned()), @r"
    error: cannot write the trace to DIR
    hint: there is a folder of that name
    ");
}

#[test]
fn a_run_that_broke_leaves_the_trace_that_was_there() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("run.json");
    fs::write(&path, "what was there").unwrap();
    let args = RunArgs {
        trace: Some(path.clone()),
        ..args("copies/bus")
    };
    let what = "the worker died".to_owned();
    let (text, exit) = ran(&args, &mut |request| {
        ended(&request, Outcome::Broken { what: what.clone() })
    });
    assert_eq!(exit, Exit::Ours);
    assert!(text.contains("no trace: "), "{text}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "what was there");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_number_of_a_program_is_shown_as_people_write_it() {
    let (text, _) = ran(&args("copies/bus"), &mut |request| {
        let mut run = went_well(request);
        for metric in &mut run.metrics {
            metric.value = 5.299_999_999_985_872;
        }
        run
    });
    let line = text.lines().find(|it| it.starts_with("batch_mib"));
    assert_eq!(line, Some("batch_mib = 5.30 MiB"));
}
