//! What a run of the learner's own, a plan and a real card change in the checklist.

use super::*;
use warpup_lab::run::Run;
use warpup_protocol::{Memory, Report as RunReport, RunId};

#[test]
fn what_runs_out_first_is_the_floor_the_batch_or_more_rows() {
    let said = |floor: f64, peak: f64| {
        let mut memory = MEMORY;
        memory[0].1 = floor;
        memory[1].1 = peak;
        printed(vec![ran("bus", &memory)], Format::Text).0
    };
    let floor = said(16_000.0, 17_000.0);
    assert!(floor.contains("the floor does NOT fit"), "{floor}");
    let peak = said(2000.0, 17_000.0);
    assert!(peak.contains("what the batch"), "{peak}");
    // 64 rows, and 10,240 MiB for more of 1 MiB each.
    let rows = said(2000.0, 5120.0);
    assert!(rows.contains("beyond about 10304 rows"), "{rows}");
}

#[test]
fn only_a_run_on_a_card_ticks_the_device_and_the_measurement() {
    let run = ran("bus", &[("synchronized_ms", 1.0)]);
    let (modelled, _) = printed(vec![run.clone()], Format::Text);
    assert!(modelled.contains("- [ ] device check"), "{modelled}");
    let open = "- [ ] one synchronized measurement";
    assert!(modelled.contains(open), "{modelled}");
    let (real, _) = printed(vec![on_card(run)], Format::Text);
    assert!(real.contains("- [x] device check"), "{real}");
    let done = "- [x] one synchronized measurement";
    assert!(real.contains(done), "{real}");
}

#[test]
fn a_plan_gives_the_memory_in_place_of_a_lab() {
    let held = |peak_live: u64| {
        let mut run = Run::new(RunId(1));
        run.report = Some(RunReport {
            memory: Some(Box::new(Memory {
                floor: 1 << 30,
                peak_live,
                peak_line: 7,
                capacity: 16 << 30,
                ..Memory::default()
            })),
            ..RunReport::broken("")
        });
        run
    };
    let (few, many) = (held(2 << 30), held(3 << 30));
    let larger = LargerBatch {
        run: &many,
        few: 32,
        many: 64,
    };
    let own = OwnRun {
        traced: None,
        planned: planned::of("train.py", "Tesla T4", &few, Some(&larger)),
    };
    let (text, _) = sample::with_context_in(&course(), "", |context| {
        print(context, &no_card(), own, None, Format::Text)
    });
    assert!(text.contains("- [x] the memory of a step"), "{text}");
    for said in [
        "From a plan of train.py on a MODELLED Tesla T4:",
        "whatever the batch: 1024 MiB",
        "counted peak, with 32 rows in the batch: 2048 MiB",
        "each further row: 32 MiB",
        "beyond about 480 rows",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
}
