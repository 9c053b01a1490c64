//! The screen of a trace of the learner's own.

use super::Play;
use crate::app::Event;
use crate::effect::Effect;
use crate::session::{ReadTrace, ReadTraces, SourceText, TraceState};
use ratatui::crossterm::event::KeyCode;
use warpup_kineto::load;

/// A synthetic trace with `.item()` in each step.
const ITEM: &[u8] = include_bytes!("../../../../tests/fixtures/kineto/item-in-loop.json.gz");
const SOUND: &[u8] = include_bytes!("../../../../tests/fixtures/kineto/sound.json.gz");

fn read(bytes: &[u8]) -> TraceState {
    read_all(&[("run.json.gz", bytes)])
}

fn read_all(files: &[(&str, &[u8])]) -> TraceState {
    let mut traces = ReadTraces::none();
    for (name, bytes) in files {
        traces.push(ReadTrace::of(load::text(name, bytes).unwrap()));
    }
    traces.compare();
    TraceState::Read(Box::new(traces))
}

/// An app that was opened with a trace, of which this is known.
fn opened(width: u16, state: TraceState) -> Play {
    opened_at((width, 24), state)
}

fn opened_at((width, height): (u16, u16), state: TraceState) -> Play {
    let mut play = Play::new(width, height);
    let effects = play.app.open_trace("run.json.gz".to_owned(), play.now_ms);
    play.effects.extend(effects);
    play.send(Event::Trace(state));
    play
}

#[test]
fn what_was_found_comes_first_with_its_place_and_what_to_try() {
    insta::assert_snapshot!(opened(80, read(ITEM)).screen(), @"
    run.json.gz                                                 lines 1–20 of 22

    [found]  timeline   over time   tables
    This trace is synthetic: computed by a script, not measured.
    6.56 ms a step, mean of 3 · the device is idle for 24 % of it
    33 kernels a step

    ▸ 1 In each step the host waits for the device once (.item()), and leaves it
        idle for 1.57 ms of 6.56 ms: nothing is queued when the host goes on.
        where: train.py:23
        try:   keep loss.detach() on the device, and read it in every hundredth
               step
        read:  warpup --course built-in read the-queue --page every-step

    What this trace cannot show
    · no memory was recorded (profile_memory=True)

    steps                    ├────────────├─────────────├─────────────
    thread 4001 (pt_autogra… ▂▂············▄············▂▄············    864 µs
    thread 4000 (python)     ▄░░░░░░░░░░··▂▂░░░░░░░░░░··▄░░░░░░░░░░···    810 µs
    kernels, stream 7        ▄█████████▄···▆█████████▂··▂█████████▆···   14.3 ms
    copies, stream 7         ▂·········▂··▂▂·········▂··▂·········▂···    534 µs
                                                                             ↓ 2
    o part   + zoom in   - out   > later   ] moment   f source   q quit   ? help
    ");
}

#[test]
fn lanes_are_drawn_and_zoomed() {
    let mut play = opened(80, read(ITEM));
    play.press(KeyCode::Tab);
    insta::assert_snapshot!(play.screen(), @"
    run.json.gz

    found  [timeline]  over time   tables
    This trace is synthetic: computed by a script, not measured.
    6.56 ms a step, mean of 3 · the device is idle for 24 % of it
    33 kernels a step

    steps                    ├────────────├─────────────├─────────────
    thread 4001 (pt_autogra… ▂▂············▄············▂▄············    864 µs
    thread 4000 (python)     ▄░░░░░░░░░░··▂▂░░░░░░░░░░··▄░░░░░░░░░░···    810 µs
    kernels, stream 7        ▄█████████▄···▆█████████▂··▂█████████▆···   14.3 ms
    copies, stream 7         ▂·········▂··▂▂·········▂··▂·········▂···    534 µs
                             0 ns                                     19.7 ms
    ▂▄▆█ busy  ░ waiting for the device  · no operator  ├ a step begins

    Why the device was idle in the steps
    4.70 ms in 3 gaps: after the host waited: .item(), at train.py:23
    77.5 µs in 1 gap: while the loop waited for a batch, at train.py:17
    48.0 µs in 48 gaps: although work was queued, at train.py:20
    48.0 µs in 48 gaps: although work was queued, at train.py:21
    3.00 µs in 3 gaps: although work was queued, at train.py:22
    3.00 µs in 3 gaps: although work was queued, at train.py:23

    o part   + zoom in   - out   > later   ] moment   f source   q quit   ? help
    ");
    let whole = play.screen();
    play.keys("+");
    let closer = play.screen();
    assert_ne!(closer, whole);
    play.keys("-");
    assert_eq!(play.screen(), whole);
    play.press(KeyCode::BackTab);
    play.press(KeyCode::BackTab);
    assert!(play.screen().contains("aten::mm"), "{}", play.screen());
}

#[test]
fn a_wide_terminal_shows_each_line_to_its_end() {
    let mut play = opened(200, read(ITEM));
    let screen = play.screen();
    assert!(
        screen.contains("the host waits for the device once"),
        "{screen}"
    );
    play.press(KeyCode::Tab);
    let screen = play.screen();
    assert!(screen.contains("19.7 ms"), "{screen}");
    let steps = screen
        .lines()
        .find(|it| it.contains("steps ") && it.contains('├'));
    assert_eq!(steps.map(|it| it.matches('├').count()), Some(3), "{screen}");
}

#[test]
fn the_launch_queue_is_drawn_over_time() {
    let mut play = opened(80, read(ITEM));
    play.press(KeyCode::Tab);
    play.press(KeyCode::Tab);
    insta::assert_snapshot!(play.screen(), @"
    run.json.gz

    found   timeline  [over time]  tables
    This trace is synthetic: computed by a script, not measured.
    6.56 ms a step, mean of 3 · the device is idle for 24 % of it
    33 kernels a step

    Launch queue of stream 7 on device 0
    calls queued, the most
    40 ┤
       │  ⡀                         ⣀                         ⣀
       │ ⡸⠈⠧⣀                      ⢰⠉⠱●⡀                      ⡇⠑⢄⡀
    20 ┤ ⡇   ⠓⣄                    ⡸   ⠑⣆⡀                   ⡸   ⠘⢢⡀
       │⢠⠃     ⠹⢄⣀                ⢠⠃     ⠉⢆⣀⡀                ⡇     ⠈●⣀⡀
       │⡜         ●⠢⣄⡀            ⢸         ⠈⠲⢄⣀            ⢠⠃        ⠈⠓⢄⣀
       │●            ⠈⠓⢤⣀         ⡜            ⠈●⠤⣀⡀        ⡸             ⠑⠢⢄⣀
     0 ┤                 ⠉⠲⢄●⣀⣀⣀⣀⣠⠃                ⠈⠓⢄⣀⣀⣀⣀●⣀⡇                ⠈●●
       └───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬
               2       4       6       8      10      12      14      16      18
                                ms since the trace began



    o part   f source   q quit   ? help
    ");
}

#[test]
fn two_traces_are_compared_and_each_is_there_to_read() {
    let mut play = opened(
        80,
        read_all(&[("before.json.gz", ITEM), ("after.json.gz", SOUND)]),
    );
    insta::assert_snapshot!(play.screen(), @"
    before.json.gz and after.json.gz                            lines 1–20 of 21

    [compared]  found   timeline   over time   tables
    This trace is synthetic: computed by a script, not measured.

    In a step                                             before    after  ratio
    time                                                 6.56 ms  5.00 ms   0.76
    device busy                                          4.94 ms  4.94 ms   1.00
    device idle                                          1.63 ms  59.5 µs   0.04
    host waits for the device                            4.42 ms     0 ns   0.00
    kernels                                                   33       33   1.00

    Found, and what a step could save                              before  after
    wait-item                                                     1.57 ms     no

    Lines that changed most                                 before  after  ratio
    train.py:23, host                                      4.44 ms   0 ns   0.00
    train.py:24, host                                      1.50 ms   0 ns   0.00

    Operators that changed most                             before  after  ratio
    aten::_local_scalar_dense, host                        4.00 µs   0 ns   0.00
    aten::item, host                                       4.00 µs   0 ns   0.00
                                                                             ↓ 1
    o part   q quit   ? help
    ");
    play.press(KeyCode::Tab);
    assert!(play.screen().contains("File 1 of 2: before.json.gz"));
    assert!(play.screen().contains("train.py:23"));
    play.keys("n");
    assert!(play.screen().contains("File 2 of 2: after.json.gz"));
    assert!(play.screen().contains("Nothing found"), "{}", play.screen());
    // There is no third.
    play.keys("n");
    assert!(play.screen().contains("File 2 of 2: after.json.gz"));
    play.keys("p");
    assert!(play.screen().contains("File 1 of 2: before.json.gz"));
}

#[test]
fn three_traces_are_ranks() {
    let three = [
        ("a.json.gz", ITEM),
        ("b.json.gz", SOUND),
        ("c.json.gz", SOUND),
    ];
    let play = opened(80, read_all(&three));
    insta::assert_snapshot!(play.screen(), @"
    3 ranks

    [ranks]  found   timeline   over time   tables
    This trace is synthetic: computed by a script, not measured.

    Ranks                                step     busy     idle  exchange  alone
    ?  a.json.gz                      6.56 ms  4.94 ms  1.63 ms
    ?  b.json.gz                      5.00 ms  4.94 ms  59.5 µs
    ?  c.json.gz                      5.00 ms  4.94 ms  59.5 µs

    No trace says which rank it is (`distributedInfo`): are they of one run?
    Each figure is of one step. `alone` is exchange with no other kernel beside
    it: there a rank waits for others, or for the link.










    o part   q quit   ? help
    ");
}

#[test]
fn a_sound_trace_has_no_finding_and_q_ends_the_app() {
    let mut play = opened(80, read(SOUND));
    assert!(play.screen().contains("Nothing found"), "{}", play.screen());
    play.keys("q");
    assert_eq!(play.effects.last(), Some(&Effect::Quit));
}

#[test]
fn what_is_read_and_what_cannot_be_is_said() {
    let percent = Some(40);
    let file = "run.json.gz".to_owned();
    let play = opened(80, TraceState::Reading { file, percent });
    assert!(
        play.screen().contains("Reading run.json.gz: 40 %"),
        "{}",
        play.screen()
    );
    let why = "run.json.gz: byte 3: expected a value, \u{1b}[31m".to_owned();
    let hint = Some("`warpup record -- python train.py`");
    let play = opened(40, TraceState::Failed { why, hint });
    assert!(!play.screen().contains('\u{1b}'));
    assert!(play.screen().contains("warpup record"), "{}", play.screen());
}

#[test]
fn exchange_and_what_is_alive_at_the_peak_are_tables_and_a_late_function_has_its_name() {
    let events = [
        r#""ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":2000"#,
        r#""ph":"X","cat":"cpu_op","name":"load_images","pid":9,"tid":9,"ts":10,"dur":900"#,
        r#""ph":"X","cat":"cpu_op","name":"aten::linear","pid":9,"tid":9,"ts":950,"dur":90"#,
        r#""ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":9,"tid":9,"ts":960,"args":{"Bytes":2048,"Addr":6400,"Total Allocated":2048,"Total Reserved":4096,"Device Type":1,"Device Id":0}"#,
        r#""ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":1000,"dur":5,"args":{"correlation":1}"#,
        r#""ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":1010,"dur":500,"args":{"device":0,"stream":7,"correlation":1}"#,
        r#""ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce(x)","pid":0,"tid":9,"ts":1510,"dur":490,"args":{"device":0,"stream":9}"#,
    ];
    let text = format!(r#"{{"traceEvents":[{{{}}}]}}"#, events.join("},{"));
    let mut play = opened(100, read(text.as_bytes()));
    let found = play.screen();
    assert!(found.contains("ranks exchange data for 490 µs"), "{found}");
    play.press(KeyCode::Tab);
    let timeline = play.screen();
    assert!(
        timeline.contains("900 µs of it in load_images"),
        "{timeline}"
    );
    play.press(KeyCode::Tab);
    play.press(KeyCode::Tab);
    let mut tables = play.screen();
    for _ in 0..4 {
        play.press(KeyCode::PageDown);
        tables += &play.screen();
    }
    for it in [
        "Exchange between ranks",
        "ncclDevKernel_AllReduce ",
        "Alive at the peak",
        "cuda:0: aten::linear",
    ] {
        assert!(tables.contains(it), "{it}: {tables}");
    }
}

/// The trace with `.item()` in each step, whose program is on the disk.
fn with_source(newer: bool) -> TraceState {
    let mut lines = vec![""; 30];
    lines[15] = "for batch in loader:";
    lines[16] = "    x, y = next(batches)";
    lines[18] = "    optimizer.zero_grad(set_to_none=True)";
    lines[19] = "    loss = model(x, y)";
    lines[20] = "    loss.backward()";
    lines[21] = "    optimizer.step()";
    lines[22] = "    total += loss.item()";
    lines[23] = "    profiler.step()";
    let text = lines.join("\n");
    let mut read = ReadTrace::of(load::text("run.json.gz", ITEM).unwrap());
    for it in &mut read.sources {
        it.text = if newer {
            SourceText::Newer(text.clone())
        } else {
            SourceText::Recorded(text.clone())
        };
    }
    let mut traces = ReadTraces::none();
    traces.push(read);
    traces.compare();
    TraceState::Read(Box::new(traces))
}

#[test]
fn the_source_with_its_times_is_beside_what_was_found_above_the_timeline() {
    let play = opened_at((160, 40), with_source(false));
    insta::assert_snapshot!(play.screen(), @"
    run.json.gz

           host  waited  device   measured             train.py · of a step   This trace is synthetic: computed by a script, not measured.
     1                          │                                             6.56 ms a step, mean of 3 · the device is idle for 24 % of it · 33 kernels a step
     2                          │
     3                          │                                             ──[found]  timeline   over time   tables ─────────────────────────────────────────
     4                          │                                             ▸ 1 In each step the host waits for the device once (.item()), and leaves it idle
     5                          │                                                 for 1.57 ms of 6.56 ms: nothing is queued when the host goes on.
     6                          │                                                 where: train.py:23
     7                          │                                                 try:   keep loss.detach() on the device, and read it in every hundredth step
     8                          │                                                 read:  warpup --course built-in read the-queue --page every-step
     9                          │
    10                          │                                             What this trace cannot show
    11                          │                                             · no memory was recorded (profile_memory=True)
    12                          │
    13                          │
    14                          │
    15                          │
    16                          │ for batch in loader:
    17  65.0 µs                 │     x, y = next(batches)
    18  21.0 µs          176 µs │
    19                          │     optimizer.zero_grad(set_to_none=True)
    20   225 µs         1.76 ms │     loss = model(x, y)
    21   290 µs         2.88 ms │     loss.backward()
    22  15.0 µs          120 µs │     optimizer.step()
    23  4.44 ms 4.42 ms 1.90 µs ▸     total += loss.item()
    24  1.50 ms                 │     profiler.step()
    25                          │
    26                          │
    27                          │
    28                          │                                             ── timeline ──────────────────────────────────────────────────────────────────────
    29                          │                                             steps                      ├─────────────·├─────────────·├──────────────
                                                                              thread 4001 (pt_autograd_… ▂▄·············▂▄·············▂▄·············    864 µs
                                                                              thread 4000 (python)       ▄░░░░░░░░░░░···▄░░░░░░░░░░░···▄░░░░░░░░░░░···    810 µs
                                                                              kernels, stream 7          ▄██████████▄···▄██████████▄···▄██████████▄···   14.3 ms
                                                                              copies, stream 7           ▄··········▂···▄··········▂···▄··········▂···    534 µs
                                                                                                         0 ns                                         19.7 ms
                                                                              ▂▄▆█ busy  ░ waiting for the device  · no operator  ├ a step begins

    o part   + zoom in   - out   > later   ] moment   q quit   ? help
    ");
}

#[test]
fn a_cursor_in_the_timeline_says_what_is_at_its_moment() {
    let mut play = opened_at((160, 40), with_source(false));
    play.keys("]");
    insta::assert_snapshot!(play.screen(), @"
    run.json.gz

           host  waited  device   measured             train.py · of a step   This trace is synthetic: computed by a script, not measured.
     1                          │                                             6.56 ms a step, mean of 3 · the device is idle for 24 % of it · 33 kernels a step
     2                          │
     3                          │                                             ──[found]  timeline   over time   tables ─────────────────────────────────────────
     4                          │                                             ▸ 1 In each step the host waits for the device once (.item()), and leaves it idle
     5                          │                                                 for 1.57 ms of 6.56 ms: nothing is queued when the host goes on.
     6                          │                                                 where: train.py:23
     7                          │                                                 try:   keep loss.detach() on the device, and read it in every hundredth step
     8                          │                                                 read:  warpup --course built-in read the-queue --page every-step
     9                          │
    10                          │                                             What this trace cannot show
    11                          │                                             · no memory was recorded (profile_memory=True)
    12                          │
    13                          │
    14                          │
    15                          │
    16                          │ for batch in loader:
    17  65.0 µs                 │     x, y = next(batches)
    18  21.0 µs          176 µs │
    19                          │     optimizer.zero_grad(set_to_none=True)
    20   225 µs         1.76 ms │     loss = model(x, y)
    21   290 µs         2.88 ms │     loss.backward()
    22  15.0 µs          120 µs │     optimizer.step()
    23  4.44 ms 4.42 ms 1.90 µs ▸     total += loss.item()                    ── timeline ──────────────────────────────────────────────────────────────────────
    24  1.50 ms                 │     profiler.step()                         steps                      ├─────────────·├─────────────·├──────────────
    25                          │                                             thread 4001 (pt_autograd_… ▂▄·············▂▄·············▂▄·············    864 µs
    26                          │                                             thread 4000 (python)       ▄░░░░░░░░░░░···▄░░░░░░░░░░░···▄░░░░░░░░░░░···    810 µs
    27                          │                                             kernels, stream 7          ▄██████████▄···▄██████████▄···▄██████████▄···   14.3 ms
    28                          │                                             copies, stream 7           ▄··········▂···▄··········▂···▄··········▂···    534 µs
    29                          │                                                                                              ▲
                                                                                                         0 ns                                         19.7 ms
                                                                              ▂▄▆█ busy  ░ waiting for the device  · no operator  ├ a step begins
                                                                              At 9.85 ms, in ProfilerStep#3:
                                                                              host thread 4000 (python): aten::_local_scalar_dense calls cudaStreamSynchronize,
                                                                              at train.py:23
                                                                              device 0 stream 7: kernel ampere_sgemm_128x64_tn, 180 µs from 9.68 ms on

    o part   + zoom in   - out   > later   ] moment   q quit   ? help
    ");
}

#[test]
fn a_cursor_that_moves_moves_nothing_else() {
    let mut play = opened_at((160, 40), with_source(false));
    let row = |play: &Play| {
        let screen = play.screen();
        screen.lines().position(|it| it.contains("── timeline ──"))
    };
    let rows = (0..44).map(|_| {
        play.keys("]");
        row(&play)
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.iter().all(Option::is_some), "{rows:?}");
    assert!(rows.is_sorted_by(|before, now| now <= before), "{rows:?}");
}

#[test]
fn on_a_narrow_screen_a_key_brings_the_source() {
    let mut play = opened(80, with_source(true));
    play.keys("f");
    insta::assert_snapshot!(play.screen(), @"
    run.json.gz                                                  lines 1–7 of 17

           host  device   measured       lines 20–26 of 29  train.py · of a step
    20   225 µs 1.76 ms │     loss = model(x, y)
    21   290 µs 2.88 ms │     loss.backward()
    22  15.0 µs  120 µs │     optimizer.step()
    23  4.44 ms 1.90 µs ▸     total += loss.item()
    24  1.50 ms         │     profiler.step()
    25                  │
    26                  │
    This trace is synthetic: computed by a script, not measured.
    6.56 ms a step, mean of 3 · the device is idle for 24 % of it
    33 kernels a step
    train.py has changed since the trace was written: lines may be others.
    ──[found]  timeline   over time   tables ───────────────────────────────────
    ▸ 1 In each step the host waits for the device once (.item()), and leaves it
        idle for 1.57 ms of 6.56 ms: nothing is queued when the host goes on.
        where: train.py:23
        try:   keep loss.detach() on the device, and read it in every hundredth
               step
        read:  warpup --course built-in read the-queue --page every-step

                                                                            ↓ 10
    o part   + zoom in   - out   > later   ] moment   f full   q quit   ? help
    ");
}

#[test]
fn the_sources_of_a_trace_are_turned_like_files() {
    let python = |place: &str, ts: u32| {
        format!(
            r#"{{"ph":"X","cat":"python_function","name":"{place}","pid":9,"tid":9,"ts":{ts},"dur":10}}"#
        )
    };
    let events = [
        python("src/train.py(10): step", 0),
        python("src/train.py(10): step", 20),
        python("src/model.py(4): forward", 40),
    ];
    let text = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let mut play = opened(120, read(text.as_bytes()));
    assert!(play.screen().contains("▸ in step"), "{}", play.screen());
    play.keys("n");
    // There is no third.
    play.keys("n");
    assert!(play.screen().contains("▸ in forward"), "{}", play.screen());
    play.keys("p");
    assert!(play.screen().contains("▸ in step"));
}

#[test]
fn a_zoom_keeps_the_cursor_in_sight() {
    let mut play = opened(80, read(ITEM));
    play.press(KeyCode::Tab);
    play.keys("]]]]]]]]]]]");
    let at = |play: &mut Play| {
        let screen = play.screen();
        let mut lines = screen
            .lines()
            .map(str::trim)
            .filter(|it| it.starts_with("At "));
        lines.next().unwrap_or_default().to_owned()
    };
    let before = at(&mut play);
    assert!(before.starts_with("At 14.6 ms"), "{before}");
    play.keys("++++");
    assert_eq!(at(&mut play), before);
    assert!(play.screen().contains('▲'), "{}", play.screen());
}

#[test]
fn a_source_fits_a_screen_of_any_size() {
    for size in [(1, 1), (20, 5), (40, 12), (111, 9), (147, 29), (300, 90)] {
        let mut play = opened_at(size, with_source(true));
        play.keys("f]+JK");
        play.press(KeyCode::Tab);
        play.screen();
    }
}
