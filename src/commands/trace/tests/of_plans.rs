//! A trace beside a pretended plan.

use super::*;
use warpup_lab::run::Run;
use warpup_protocol::{
    LineTime, Memory, Outcome, ProfilerReport, Report, RunRequest, UncaughtException,
};

/// What `warpup trace --plan` prints, when the plan's run ends like this.
fn beside(change: impl FnOnce(&mut TraceArgs), report: &Report) -> (String, Exit) {
    let program = fixture("recorded/train.py");
    let mut args = TraceArgs {
        plan: Some(program.clone()),
        ..plain(vec![fixture("recorded/train.json.gz")])
    };
    change(&mut args);
    let mut run_all = |all: Vec<RunRequest>| {
        let runs = all.iter().map(|it| Run {
            report: Some(report.clone()),
            ..Run::new(it.run)
        });
        runs.collect()
    };
    let program = args.plan.clone().unwrap_or(program);
    sample::console("", |console| {
        console.width = 76;
        plan_comparison::execute(&args, &program, &mut run_all, console)
    })
}

fn planned(profiled: Option<ProfilerReport>) -> Report {
    Report {
        outcome: Outcome::Done,
        memory: Some(Box::new(Memory {
            capacity: 16 << 30,
            ..Memory::default()
        })),
        profiled: profiled.map(Box::new),
        ..Report::broken("")
    }
}

fn profiled() -> ProfilerReport {
    let line = |line, host_ns, wait_ns, device_ns| LineTime {
        line,
        hits: 2,
        host_ns,
        wait_ns,
        interrupted_ns: 0,
        worker_ns: 0,
        device_ns: Some(device_ns),
    };
    ProfilerReport {
        steps: 2,
        ns: 2_000_000,
        lines: vec![
            line(12, 100_000, 0, 60_000),
            line(13, 500_000, 0, 80_000),
            line(14, 900_000, 0, 140_000),
            line(17, 60_000, 50_000, 4_000),
        ],
    }
}

#[test]
fn the_model_is_beside_the_measurement_as_a_whole_and_by_line() {
    let (text, exit) = beside(|_| (), &planned(Some(profiled())));
    assert_eq!(exit, Exit::Fine);
    insta::assert_snapshot!(text, @"
    train.json.gz, a run without a card: the CPU computed, beside a plan of
    train.py on a modelled Tesla T4. Recorded times are what PyTorch's profiler
    wrote down, its own cost included; the plan's are MODELLED, and no card was
    used for them. The ratio is MODELLED / recorded.

    in a step (mean of 2)               recorded   MODELLED     ratio
    until host and device are done       75.8 ms    1.00 ms     0.013
    host waits for the device                       25.0 µs
    kernels and copies                               142 µs

                                                  host                   device
    line                       recorded MODELLED  ratio recorded MODELLED  ratio
      14 loss.backward()        44.1 ms   450 µs  0.010           70.0 µs
      13 loss = loss_fn(mode…   23.3 ms   250 µs  0.011           40.0 µs
      15 optimizer.step()       8.02 ms
      26 train_step(torch.ra…    177 µs
      16 optimizer.zero_grad…   86.6 µs
      12 x, y = x.to(device)…   12.4 µs  50.0 µs   4.03           30.0 µs
      17 return loss.item()     12.0 µs  30.0 µs   2.50           2.00 µs
      27 prof.step()            24.5 µs

    Arithmetic such as `a * b` calls no function of Python: the trace counts it
    at the line that called its function, and outside of functions at none.
    `warpup plan train.py --card t4` shows the whole plan.
    ");
}

#[test]
fn a_program_has_the_numbers_too() {
    let (text, _) = beside(|it| it.json = true, &planned(Some(profiled())));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["recorded_steps"], 2);
    assert_eq!(json["modelled_steps"], 2);
    assert_eq!(json["step"]["modelled_ns"], 1_000_000.0);
    assert_eq!(json["precision"], "lines");
    let places = json["places"].as_array().unwrap();
    let backward = places.iter().find(|it| it["line"] == 14).unwrap();
    assert!(backward["host"]["ratio"].as_f64().unwrap() > 0.0);
    assert!(backward["device"]["recorded_ns"].is_null());
}

#[test]
fn a_program_that_records_nothing_cannot_be_compared() {
    let (text, exit) = beside(|_| (), &planned(None));
    assert_eq!(exit, Exit::Arguments);
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("train.py records no step with torch.profiler"),
        "{text}"
    );
    assert!(said.contains("warpup trace --how"), "{text}");
}

#[test]
fn a_plan_that_stops_says_where() {
    let raised = UncaughtException {
        kind: "RuntimeError".to_owned(),
        message: "two devices".to_owned(),
        line: 13,
        traceback: "Traceback (most recent call last):\nRuntimeError: two devices\n".to_owned(),
        in_check: false,
        status: None,
    };
    let stopped = |profiled| Report {
        outcome: Outcome::Raised(raised.clone()),
        ..planned(profiled)
    };
    let (text, exit) = beside(|_| (), &stopped(None));
    assert_eq!(exit, Exit::Wrong);
    assert!(text.contains("stops at line 13"), "{text}");
    // The steps that were recorded before it can be compared.
    let (text, exit) = beside(|_| (), &stopped(Some(profiled())));
    assert_eq!(exit, Exit::Fine);
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("the plan stops at line 13: RuntimeError: two devices."),
        "{text}"
    );
    assert!(said.contains("loss.backward()"), "{text}");
}

#[test]
fn a_trace_of_another_program_says_whose_lines_it_has() {
    let other = |it: &mut TraceArgs| it.plan = Some(fixture("../scripts/mlp.py"));
    let (text, exit) = beside(other, &planned(Some(profiled())));
    assert_eq!(exit, Exit::Fine, "{text}");
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("it has lines of train.py"), "{text}");
}

#[test]
fn one_trace_is_compared_with_one_program() {
    let two = |it: &mut TraceArgs| it.files.push(fixture("sound.json.gz"));
    let (text, exit) = beside(two, &planned(Some(profiled())));
    assert_eq!(exit, Exit::Arguments);
    assert!(text.contains("with one trace"), "{text}");
}
