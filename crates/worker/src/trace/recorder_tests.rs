//! What a recorder makes of a run: times by line, spans, gaps, and work that is done later.

use super::line_totals::Clocks;
use super::recorder::{Activity, Recorder};
use crate::device::{Completion, CopyCount, CopyCounts, DeviceWork, Interval, WorkId};
use crate::meta::Cost;
use warpup_protocol::{HostWorkKind, Lane};

fn hosts(recorder: &Recorder) -> Vec<(u32, u64, u64)> {
    let times = recorder.line_times(Clocks::HostOnly);
    times
        .iter()
        .map(|it| (it.line, it.hits, it.host_ns))
        .collect()
}

fn kernel(name: &'static str) -> Activity {
    Activity {
        lane: Lane::Kernel,
        name: name.into(),
        cost: Cost::default(),
    }
}

#[test]
fn work_that_is_done_later_is_recorded_in_order_and_charged_to_its_line() {
    let mut recorder = Recorder::new(10);
    let done = |from: u64| {
        let (start_ns, end_ns) = (from, from + 100);
        Completion::Done(DeviceWork {
            when: Some(Interval { start_ns, end_ns }),
            ..DeviceWork::default()
        })
    };
    recorder.reach_line((1, 1), 0);
    recorder.record_pending(kernel("first"), (WorkId(0), 5));
    recorder.reach_line((2, 1), 50);
    recorder.reach_line((3, 1), 400);
    recorder.record_pending(kernel("second"), (WorkId(1), 405));
    recorder.charge(410);
    // The second is not done yet.
    recorder.resolve_pending(|work| {
        if work == WorkId(0) {
            done(10)
        } else {
            Completion::NotYet
        }
    });
    assert_eq!(recorder.take_spans().0.len(), 1);
    recorder.resolve_pending(|_| done(420));
    let device: Vec<Option<u64>> = recorder
        .line_times(Clocks::HostAndDevice)
        .iter()
        .map(|it| it.device_ns)
        .collect();
    assert_eq!(device, [Some(100), Some(0), Some(100)]);
    // Between the two, from 110 to 420, the host ran line 2 until 400, then line 3 until it had queued the second.
    let idle = recorder.gaps().unwrap().idle;
    let idle: Vec<(u32, u64)> = idle.iter().map(|it| (it.line, it.ns)).collect();
    assert_eq!(idle, [(2, 290), (3, 5)]);
}

#[test]
fn time_goes_to_the_line_it_passed_in() {
    let mut recorder = Recorder::new(10);
    recorder.reach_line((1, 1), 100);
    recorder.reach_line((2, 1), 150);
    recorder.reach_line((1, 1), 190);
    recorder.charge(200);
    assert_eq!(hosts(&recorder), [(1, 2, 60), (2, 1, 40)]);
}

#[test]
fn after_a_call_time_goes_to_the_calling_line_again() {
    let mut recorder = Recorder::new(10);
    recorder.reach_line((5, 1), 0);
    recorder.reach_line((1, 2), 10);
    recorder.leave_function(2, 40);
    recorder.charge(50);
    assert_eq!(hosts(&recorder), [(1, 1, 30), (5, 1, 20)]);
}

#[test]
fn profiles_have_what_happens_while_they_record() {
    let mut recorder = Recorder::new(10);
    recorder.reach_line((1, 1), 0);
    recorder.reach_line((2, 1), 100);
    recorder.begin_profile(150);
    recorder.reach_line((3, 1), 200);
    let when = Interval {
        start_ns: 210,
        end_ns: 290,
    };
    recorder.record(kernel("add"), when);
    // The host is at 260, the device is done at 290.
    let spans = recorder.end_profile(2, (260, 290));
    assert_eq!(spans.len(), 1);
    recorder.reach_line((1, 1), 400);
    recorder.begin_profile(420);
    recorder.end_profile(1, (430, 0));
    let profiled = recorder.profiled(Clocks::HostAndDevice).unwrap();
    assert_eq!((profiled.steps, profiled.ns), (3, 150));
    let lines = profiled.lines.iter();
    let lines: Vec<_> = lines
        .map(|it| (it.line, it.hits, it.host_ns, it.device_ns))
        .collect();
    let expected = [
        (1, 0, 10, Some(0)),
        (2, 0, 50, Some(0)),
        (3, 1, 60, Some(80)),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn spans_beyond_the_limit_are_counted_and_still_charged() {
    let mut recorder = Recorder::new(1);
    recorder.reach_line((1, 1), 0);
    for start_ns in [0, 10] {
        let when = Interval {
            start_ns,
            end_ns: start_ns + 5,
        };
        recorder.record(kernel("add"), when);
    }
    assert_eq!(
        recorder.line_times(Clocks::HostAndDevice)[0].device_ns,
        Some(10)
    );
    let (spans, dropped) = recorder.take_spans();
    assert_eq!((spans.len(), dropped), (1, 1));
}

#[test]
fn a_line_takes_what_the_program_took_without_the_recorder() {
    let mut recorder = Recorder::new(10);
    recorder.reach_line((1, 1), 0);
    recorder.exclude(30);
    recorder.exclude(10);
    recorder.reach_line((2, 1), 100);
    recorder.charge(150);
    assert_eq!(hosts(&recorder), [(1, 1, 60), (2, 1, 50)]);
    assert_eq!(recorder.recording_ns(), 40);
}

#[test]
fn a_line_is_interrupted_for_no_longer_than_it_ran() {
    let mut recorder = Recorder::new(10);
    recorder.reach_line((1, 1), 0);
    recorder.exclude(30);
    recorder.interrupt(50);
    assert_eq!(recorder.own_time_until(100), 70);
    recorder.reach_line((2, 1), 100);
    recorder.interrupt(500);
    recorder.charge(150);
    let lines = recorder.line_times(Clocks::HostOnly);
    let lines: Vec<_> = lines
        .iter()
        .map(|it| (it.line, it.host_ns, it.interrupted_ns))
        .collect();
    assert_eq!(lines, [(1, 70, 50), (2, 50, 50)]);
}

#[test]
fn work_without_a_kernel_has_no_span_and_lost_work_is_counted() {
    let mut recorder = Recorder::new(10);
    recorder.reach_line((1, 1), 0);
    for work in 0..3 {
        recorder.record_pending(kernel("add"), (WorkId(work), 5));
    }
    recorder.resolve_pending(|work| match work.0 {
        0 => Completion::Lost,
        _ => Completion::Done(DeviceWork::default()),
    });
    assert!(!recorder.has_pending());
    assert_eq!((recorder.lost(), recorder.take_spans().0.len()), (1, 0));
}

#[test]
fn copies_of_kernels_and_what_the_host_computed_are_counted_by_line() {
    let mut recorder = Recorder::new(10);
    let cost = Cost { flops: 0, bytes: 8 };
    let when = Interval {
        start_ns: 10,
        end_ns: 20,
    };
    recorder.reach_line((4, 1), 0);
    recorder.record_on_host("max_pool2d", cost, when);
    recorder.record_on_host("max_pool2d", cost, when);
    let copy = Activity {
        lane: Lane::CopyToDevice,
        ..kernel("copy")
    };
    recorder.record_pending(kernel("index"), (WorkId(0), 25));
    recorder.record_pending(copy, (WorkId(1), 25));
    let to_device = CopyCount {
        times: 1,
        bytes: 24,
    };
    recorder.resolve_pending(|_| {
        Completion::Done(DeviceWork {
            when: Some(when),
            copies: CopyCounts {
                to_device,
                ..CopyCounts::default()
            },
        })
    });
    let found = recorder.host_work();
    let found: Vec<_> = found
        .iter()
        .map(|it| (it.line, &*it.operation, it.what, it.times, it.bytes))
        .collect();
    assert_eq!(
        found,
        [
            (4, "index", HostWorkKind::CopiedToDevice, 1, 24),
            (4, "max_pool2d", HostWorkKind::Computed, 2, 16)
        ]
    );
    let spans = recorder.take_spans().0;
    assert_eq!(spans[0].name, "computed on the host: max_pool2d");
}
