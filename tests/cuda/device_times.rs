//! Where device times come from: CUPTI where it works, else CUDA events. The stand-in has a CUPTI that can be told to fail.

use crate::card_runs::{is_stand_in, on_a_card, runner_in};
use crate::support::lab_runner::outcome;
use warpup_lab::run::Run;
use warpup_protocol::{DeviceTimer, DeviceTimes, HostWorkKind, Lane, Outcome, Span};

/// Operations, copies in both directions, events, and work that is waited for in three ways.
const PROGRAM: &str = "
import torch
x = torch.ones(64, 64).to('cuda')
for i in range(20):
    x = torch.relu(x @ x / 64 + 1) - 1
end = torch.cuda.Event()
end.record()
y = x + 1
end.synchronize()
z = y * 2
torch.cuda.synchronize()
print((z - z).sum().item())
";

/// The line of the loop's body.
const IN_LOOP: u32 = 5;

fn run_with(cupti: &str) -> Run {
    let wish = match cupti {
        "" => String::new(),
        how => format!("cupti={how}"),
    };
    ran(&[("STAND_IN_CUDA", &wish)])
}

fn ran(environment: &[(&str, &str)]) -> Run {
    let run = runner_in(environment).run(on_a_card(PROGRAM));
    assert_eq!(outcome(&run), &Outcome::Done, "{}", run.output);
    assert_eq!(run.output, "0.0\n");
    run
}

fn device_times(run: &Run) -> &DeviceTimes {
    run.report.as_ref().unwrap().device_times.as_ref().unwrap()
}

/// The operations of the card in the order of time.
fn kernels(run: &Run) -> Vec<&Span> {
    let spans = run.spans.iter();
    let mut spans: Vec<_> = spans.filter(|it| it.lane != Lane::Host).collect();
    spans.sort_by_key(|it| it.start_ns);
    spans
}

/// The work of the card, with the lines that asked for it; each begins when the one before has ended, within the run.
fn work(run: &Run) -> Vec<(&str, u32)> {
    let spans = kernels(run);
    let end_ns = run.report.as_ref().unwrap().host_ns;
    // A start that only the host's clock knows is as late as the end, if the host lost its core while the two clocks were compared.
    let can_be_empty = device_times(run).by == DeviceTimer::Events;
    for pair in spans.windows(2) {
        assert!(pair[0].end_ns <= pair[1].start_ns, "{pair:?}");
    }
    for it in &spans {
        assert!(it.start_ns < it.end_ns || can_be_empty, "{it:?}");
        assert!(it.end_ns <= end_ns, "{it:?}");
    }
    spans.iter().map(|it| (it.name.as_str(), it.line)).collect()
}

#[test]
fn both_timers_see_the_same_work_in_the_same_order() {
    let by_events = ran(&[("WARPUP_DEVICE_TIMES", "events")]);
    assert_eq!(device_times(&by_events).by, DeviceTimer::Events);
    assert_eq!(
        device_times(&by_events).why,
        "WARPUP_DEVICE_TIMES is `events`"
    );
    let expected = work(&by_events);
    let in_loop = expected.iter().filter(|it| it.1 == IN_LOOP);
    assert_eq!(in_loop.count(), 20 * 5);
    if !is_stand_in() {
        return;
    }
    let own_clock = "cuptiActivityRegisterTimestampCallback:1";
    let not_counted = "cuptiActivityGetNumDroppedRecords:1";
    for how in ["", "late", own_clock, not_counted] {
        let by_cupti = run_with(how);
        assert_eq!(device_times(&by_cupti).by, DeviceTimer::Cupti, "{how}");
        assert_eq!(device_times(&by_cupti).lost, 0, "{how}");
        assert_eq!(work(&by_cupti), expected, "{how}");
    }
}

#[test]
fn lines_have_the_device_time_of_their_work() {
    for environment in [[("WARPUP_DEVICE_TIMES", "events")], [("STAND_IN_CUDA", "")]] {
        let run = ran(&environment);
        let report = run.report.as_ref().unwrap();
        let of_lines: u64 = report.lines.iter().filter_map(|it| it.device_ns).sum();
        let of_spans: u64 = kernels(&run).iter().map(|it| it.end_ns - it.start_ns).sum();
        assert_eq!(of_lines, of_spans);
        assert!(report.device_ns.unwrap() <= of_spans);
        assert!(report.lines.iter().all(|it| it.wait_ns <= it.host_ns));
        assert!(report.recording_ns > 0);
    }
}

#[test]
fn where_cupti_does_not_work_events_give_the_times_and_the_run_says_why() {
    if !is_stand_in() {
        return;
    }
    let mut said = Vec::new();
    for how in [
        "version:130202",
        "cuptiGetVersion:1",
        "cuptiGetTimestamp:1",
        "cuptiActivityRegisterCallbacks:39",
        "cuptiActivityEnable:35",
        "cuptiActivityEnableDriverApi:35",
        "cuptiActivityPushExternalCorrelationId:1",
        "cuptiActivityFlushAll:999",
        "cuptiActivityGetNextRecord:1",
        "silent",
    ] {
        let run = run_with(how);
        let times = device_times(&run);
        assert_eq!(times.by, DeviceTimer::Events, "{how}");
        assert!(!work(&run).is_empty(), "{how}");
        // Without the path of the library.
        let why = times.why.split(", and /").next().unwrap();
        said.push(format!("{how}: {why}"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    version:130202: its records are known from CUDA 12.0 to 13.1
    cuptiGetVersion:1: cuptiGetVersion answers CUPTI_ERROR_UNKNOWN (1)
    cuptiGetTimestamp:1: cuptiGetTimestamp answers CUPTI_ERROR_UNKNOWN (1)
    cuptiActivityRegisterCallbacks:39: cuptiActivityRegisterCallbacks answers CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (39)
    cuptiActivityEnable:35: cuptiActivityEnable answers CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)
    cuptiActivityEnableDriverApi:35: cuptiActivityEnableDriverApi answers CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)
    cuptiActivityPushExternalCorrelationId:1: cuptiActivityPushExternalCorrelationId fails
    cuptiActivityFlushAll:999: it does not deliver records when it is asked for them
    cuptiActivityGetNextRecord:1: it accepts every call, and delivers no record
    silent: it accepts every call, and delivers no record
    ");
}

#[test]
fn records_that_cupti_dropped_are_counted() {
    if !is_stand_in() {
        return;
    }
    let run = run_with("overflow");
    let times = device_times(&run);
    assert_eq!(times.by, DeviceTimer::Cupti);
    let found = work(&run).len();
    assert!(times.lost > 50 && found > 0, "{times:?}, {found} found");
}

#[test]
fn copies_that_an_operation_makes_on_its_own_are_counted_and_those_of_the_program_are_not() {
    if !is_stand_in() {
        return;
    }
    let source = "
import torch
x = torch.arange(12.0).reshape(3, 4).to('cuda')
y = x + 1
z = torch.exp2(y)
print(y.sum().item())
";
    let run = runner_in(&[]).run(on_a_card(source));
    let report = run.report.as_ref().unwrap();
    let of_line = |line| report.host_work.iter().filter(move |it| it.line == line);
    assert_eq!(of_line(3).count() + of_line(4).count(), 0, "{report:?}");
    // No kernel has powers of two.
    let computed = of_line(5).filter(|it| it.what == HostWorkKind::Computed);
    let computed: Vec<_> = computed.map(|it| (&*it.operation, it.times > 0)).collect();
    assert_eq!(computed, [("exp2", true)], "{report:?}");
    assert!(
        run.spans
            .iter()
            .any(|it| it.name == "computed on the host: exp2")
    );
    assert_eq!(of_line(6).count(), 0, "{report:?}");
}

/// An operation of many launches: the time of the run is that of its lines.
#[test]
fn the_device_time_of_a_run_is_that_of_its_lines() {
    let source = "
import torch
x = torch.arange(300.0, device='cuda')
y = torch.stack([x[i] for i in range(300)])
torch.cuda.synchronize()
";
    for timer in ["", "events"] {
        let run = runner_in(&[("WARPUP_DEVICE_TIMES", timer)]).run(on_a_card(source));
        let report = run.report.as_ref().unwrap();
        let lines = report.lines.iter().filter_map(|it| it.device_ns);
        assert_eq!(report.device_ns, Some(lines.sum()), "{timer}: {report:?}");
    }
}
