//! A pretended lab in, text out.

mod endings;
mod live;
mod predictions;
mod trace;

use super::*;
use crate::commands::runner::ReplyListener;
use crate::commands::sample;
use std::fs;
use tempfile::TempDir;
use warpup_course::{LabId, LessonId};
use warpup_progress::{Event, LabProgress};
use warpup_protocol::{
    Check, Clock, DeviceInfo, DeviceName, Lane, LineTime, LogAxes, Memory, Metric, Outcome, Plot,
    PlotSource, Reason, Reply, Report, RunRequest, Series, Span, UncaughtException,
};

fn args(program: &str) -> RunArgs {
    RunArgs {
        program: program.to_owned(),
        device: None,
        solution: false,
        starter: false,
        predict: None,
        limit: None,
        trust: false,
        quiet: false,
        json: false,
        trace: None,
        no_trace: false,
        arguments: Vec::new(),
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
    run.metrics.take(Metric {
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
            interrupted_ns: 0,
            worker_ns: 0,
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
    sample::with_context("", |context| run(context, args, run_lab))
}

#[test]
fn a_run_shows_output_checks_and_both_clocks() {
    let (text, exit) = ran(&args("copies/bus"), &mut went_well);
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"
    Try the bus (copies/bus) on Tesla T4 (modelled)

    y lives on cuda:0

    ✓ ok      y lives where x lives
    batch_mib = 12 MiB

    Time by line, MODELLED:
    line  times     host  waited  device
       2      1  1.20 ms          840 µs  x = torch.ones(3).to(…
                 40.0 µs                  (outside of lines)

    In all, MODELLED: host 1.24 ms, device 840 µs
    Memory, MODELLED: tensors held at most 12.0 MiB at line 2,
      the allocator 20.0 MiB, of 16.0 GiB
    ");
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
      "saved": true,
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
      "host_wait_ns": 0,
      "host_busy_ns": 1240000,
      "device_ns": 840000,
      "host_range": null,
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
      "facts": null,
      "counts": null,
      "findings": [],
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
      "spans_dropped": 0,
      "notes": [],
      "device_times": null,
      "cudnn": null,
      "host_work": [],
      "recording_ns": 0,
      "interrupted_ns": 0,
      "contended": [],
      "not_computed": null,
      "unknown_read": []
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
            names: Vec::new(),
        });
        run
    });
    insta::assert_snapshot!(text, @"
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
        └┬─────────────────┬───────────────────────────────────┬
         1                 2                                   4
                                   MiB
    pageable: from 0.3000 at MiB 1 to 1.10 at MiB 4, rising
      all the way; 1 point is left out, it is nan or infinite
    ");
}

#[test]
fn what_is_run_follows_the_arguments_the_learner_and_the_lab() {
    let asked_for = |args: &RunArgs| {
        let mut asked = None;
        let (text, _) = sample::with_context("", |context| {
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
        "import torch\nx = torch.ones(3).to(\"cuda\") on cpu"
    );
}

#[test]
fn a_file_that_is_not_there_is_a_wrong_argument() {
    let (text, exit) = ran(&args("nowhere/x.py"), &mut went_well);
    assert_eq!(exit, Exit::Arguments);
    insta::assert_snapshot!(text, @"
    error: cannot read nowhere/x.py
    cause: there is no folder nowhere
    hint: look at the path again
    ");
}

#[test]
fn a_number_of_a_program_is_shown_as_people_write_it() {
    let (text, _) = ran(&args("copies/bus"), &mut |request| {
        let mut run = went_well(request);
        let mut metric = run.metrics[0].clone();
        metric.value = 5.299_999_999_985_872;
        run.metrics.take(metric);
        run
    });
    let line = text.lines().find(|it| it.starts_with("batch_mib"));
    assert_eq!(line, Some("batch_mib = 5.30 MiB"));
}
