//! Sixty workers that say and do what no worker does: each run ends in time, with the right words, and nothing of the
//! worker is left.
//!
//! They run in a process of their own, this executable again, so that its memory is that of an app with such workers
//! and of nothing else.

use super::*;
use crate::support::alone;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use warpup_lab::engine::{Launch, Workers, orphans, output_budget};

/// The variable that names the case of a worker and of all processes that it starts.
const CASE: &str = "WARPUP_TEST_CASE";

/// The time limit of the runs.
const LIMIT: Duration = Duration::from_millis(50);

/// The run ends at most this long after its deadline. A run that gets no CPU has ten times its limit.
const LATE: Duration = Duration::from_secs(2);

/// The most memory of the process.
const MEMORY: u64 = 256 << 20;

/// What a worker has to say for a run to end well, in a shell: `$H`ello, `$S`tarted, `$D`one.
const WORDS: &str = r#"
H='{"say":"hello","version":1,"warpup":"9","devices":[]}'
S='{"say":"started","run":1,"device":{"name":"cpu","title":"CPU","clock":"measured"}}'
D='{"say":"finished","run":1,"report":{"outcome":{"how":"done"},"clock":"measured","host_ns":1,"lines":[],"spans_dropped":0}}'
say() { printf '%s\n' "$@"; }
wait_for_run() { read hello; read run; }
repeat() { yes "$1" | head -n "$2"; }
letters() { head -c "$1" /dev/zero | tr '\0' x; }
"#;

/// Workers by the end of their runs, each line a shell script.
const CASES: &[(&str, &str)] = &[
    // Garbage.
    ("broken: not a valid message", "echo hello; sleep 1000"),
    (
        "broken: not a valid message",
        "head -c 4096 /dev/urandom | tr '\\n' x; echo; sleep 1000",
    ),
    (
        "broken: not a valid message",
        "printf '\\033]0;title\\007\\n'; sleep 1000",
    ),
    ("broken: not a valid message", "say '[]'; sleep 1000"),
    ("broken: not a valid message", "say 'null' ; sleep 1000"),
    (
        "broken: not a valid message",
        "say '{\"say\":\"nothing\"}'; sleep 1000",
    ),
    (
        "broken: not a valid message",
        "say '{\"say\":\"output\",\"run\":-1,\"text\":\"\"}'; sleep 1000",
    ),
    (
        "broken: not a valid message",
        "say '{\"say\":\"output\",\"run\":1}'; sleep 1000",
    ),
    (
        "broken: not a valid message",
        "say '{\"say\":\"output\",\"run\":1e400,\"text\":\"\"}'; sleep 1000",
    ),
    (
        "broken: not a valid message",
        "printf '{\"say\":\"output\",\"run\":1,\"text\":\"\\377\"}\\n'; sleep 1000",
    ),
    (
        "broken: not a valid message",
        "letters 200000 | sed 's/x/[/g'; echo; sleep 1000",
    ),
    ("broken: not a valid message", "exec cat"),
    (
        "broken: not a valid message",
        "wait_for_run; say \"$H\" \"$S\" 'Segmentation fault (core dumped)'; sleep 1000",
    ),
    // Frames.
    ("broken: longer than", "exec cat /dev/zero"),
    ("broken: longer than", "letters 4294967296"),
    (
        "broken: longer than",
        "printf '{\"say\":\"output\",\"run\":1,\"text\":\"'; head -c 17000000 /dev/zero; sleep 1000",
    ),
    ("broken: exit status 0", "printf '{\"say\":\"hel'; exit 0"),
    ("broken: exit status 3", "say \"$H\"; exit 3"),
    ("timed out", "printf '{\"say\":\"hel'; exec sleep 1000"),
    // Silence.
    ("timed out", "exec sleep 1000"),
    ("timed out", "say \"$H\"; exec sleep 1000"),
    (
        "timed out",
        "wait_for_run; say \"$H\" \"$S\"; exec sleep 1000",
    ),
    ("timed out", "while :; do :; done"),
    ("timed out", "trap '' TERM INT HUP; while :; do :; done"),
    ("timed out", "repeat '' 1000000; exec sleep 1000"),
    ("busy", "kill -STOP $$"),
    ("busy", "wait_for_run; say \"$H\" \"$S\"; kill -STOP $$"),
    // Wrong runs and versions.
    (
        "broken: version",
        "say '{\"say\":\"hello\",\"version\":99,\"warpup\":\"9\",\"devices\":[]}'; sleep 1000",
    ),
    (
        "broken: version",
        "say '{\"say\":\"hello\",\"version\":0,\"warpup\":\"9\",\"devices\":[]}'; sleep 1000",
    ),
    (
        "broken: no reason",
        "say '{\"say\":\"refused\",\"why\":\"no reason\"}'; sleep 1000",
    ),
    (
        "broken: not now",
        "say \"$H\" '{\"say\":\"refused\",\"run\":1,\"why\":\"not now\"}'; sleep 1000",
    ),
    (
        "timed out",
        "say \"$H\" '{\"say\":\"refused\",\"run\":7,\"why\":\"not now\"}'; exec sleep 1000",
    ),
    (
        "timed out",
        "wait_for_run; say \"$H\" \"$S\" \"$D\" | sed 's/\"run\":1/\"run\":2/'; exec sleep 1000",
    ),
    (
        "timed out",
        "wait_for_run; say \"$D\" | sed 's/\"run\":1/\"run\":18446744073709551615/'; exec sleep 1000",
    ),
    (
        "done",
        "wait_for_run; say \"$H\" \"$S\" \"$D\" \"$D\" \"$S\" \"$D\"; exec sleep 1000",
    ),
    ("done", "wait_for_run; say \"$D\"; exec sleep 1000"),
    (
        "done",
        "wait_for_run; say \"$H\" \"$H\" \"$S\" \"$S\" \"$D\"; exec sleep 1000",
    ),
    // Ends.
    ("broken: exit status 0", "exit 0"),
    (
        "broken: exit status 1; it said: no libcuda",
        "echo no libcuda >&2; exit 1",
    ),
    (
        "broken: exit status 134",
        "wait_for_run; say \"$H\" \"$S\"; exit 134",
    ),
    ("broken: signal 6", "kill -ABRT $$"),
    ("broken: was killed", "kill -KILL $$"),
    (
        "broken: signal 11",
        "wait_for_run; say \"$H\" \"$S\"; kill -SEGV $$",
    ),
    ("broken: closed its output", "exec >&-; exec sleep 1000"),
    (
        "broken: closed its output",
        "wait_for_run; say \"$H\" \"$S\"; exec >&-; exec sleep 1000",
    ),
    ("timed out", "exec <&-; exec sleep 1000"),
    ("timed out", "exec 2>&-; exec sleep 1000"),
    ("broken: exit status 9", "letters 1000000 >&2; exit 9"),
    (
        "raised",
        "echo 'memory allocation of 17 bytes failed' >&2; kill -ABRT $$",
    ),
    // Floods, of each kind.
    (
        "timed out",
        "wait_for_run; say \"$H\" \"$S\"; yes '{\"say\":\"output\",\"run\":1,\"text\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}'",
    ),
    (
        "timed out",
        "wait_for_run; say \"$H\" \"$S\"; while :; do printf '{\"say\":\"output\",\"run\":1,\"text\":\"'; letters 15000000; echo '\"}'; done",
    ),
    (
        "timed out",
        "wait_for_run; yes '{\"say\":\"check\",\"run\":1,\"check\":{\"name\":\"it holds\",\"ok\":true}}'",
    ),
    (
        "timed out",
        "wait_for_run; yes '{\"say\":\"check\",\"run\":1,\"check\":{\"name\":\"it fails\",\"ok\":false}}'",
    ),
    (
        "timed out",
        "wait_for_run; while :; do printf '{\"say\":\"check\",\"run\":1,\"check\":{\"ok\":true,\"name\":\"'; letters 15000000; echo '\"}}'; done",
    ),
    (
        "timed out",
        "wait_for_run; yes '{\"say\":\"metric\",\"run\":1,\"metric\":{\"name\":\"loss\",\"value\":1.0}}'",
    ),
    (
        "timed out",
        "wait_for_run; i=0; while :; do i=$((i+1)); echo '{\"say\":\"metric\",\"run\":1,\"metric\":{\"name\":\"'$i'\",\"value\":1.0}}'; done",
    ),
    (
        "timed out",
        "wait_for_run; yes '{\"say\":\"plot\",\"run\":1,\"plot\":{\"log\":\"none\",\"series\":[{\"points\":[[0.0,1.0]]}]}}'",
    ),
    (
        "timed out",
        "wait_for_run; P=$(repeat '[0.0,1.0],' 100000 | tr -d '\\n'); while :; do echo '{\"say\":\"plot\",\"run\":1,\"plot\":{\"log\":\"none\",\"series\":[{\"points\":['\"$P\"'[0,0]]}]}}'; done",
    ),
    (
        "timed out",
        "wait_for_run; yes '{\"say\":\"spans\",\"run\":1,\"spans\":[{\"lane\":\"host\",\"name\":\"x\",\"line\":1,\"start_ns\":9,\"end_ns\":1}]}'",
    ),
    ("timed out", "yes \"$H\""),
    ("timed out", "wait_for_run; yes \"$S\""),
    ("done", "wait_for_run; yes \"$D\""),
    // Other processes.
    ("broken: exit status 1", "sleep 1000 & sleep 1000 & exit 1"),
    (
        "broken: exit status 2; it said: no libcuda",
        "wait_for_run; say \"$H\" \"$S\"; echo no libcuda >&2; sleep 1000 & exit 2",
    ),
    ("broken: exit status 3", "setsid sleep 1000 & exit 3"),
    (
        "broken: exit status 4",
        "(setsid sleep 1000 <&- >&- 2>&- &); exit 4",
    ),
    (
        "broken: exit status 5",
        "(setsid sh -c 'trap \"\" TERM HUP INT; while :; do sleep 1000 & sleep 0.01; done' &); exit 5",
    ),
    (
        "broken: exit status 6",
        "wait_for_run; say \"$H\" \"$S\"; (setsid yes '{\"say\":\"metric\",\"run\":1,\"metric\":{\"name\":\"loss\",\"value\":1.0}}' &); exit 6",
    ),
    ("timed out", "(setsid sleep 1000 &); exec sleep 1000"),
    (
        "done",
        "(setsid sleep 1000 &); wait_for_run; say \"$H\" \"$S\" \"$D\"; exec sleep 1000",
    ),
    (
        "broken: exit status 1",
        "sleep 1000 >&- & sleep 1000 >&- & exit 1",
    ),
    (
        "timed out",
        "for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; wait",
    ),
    (
        "timed out",
        "(trap '' TERM; while :; do :; done) & exec sleep 1000",
    ),
];

#[cfg(target_os = "linux")]
#[test]
fn sixty_misbehaving_workers_end_in_time_and_leave_nothing() {
    let name = "hostile_labs::misbehaving::sixty_misbehaving_workers_end_in_time_and_leave_nothing";
    alone::run(name, all_of_them);
}

#[expect(
    clippy::print_stdout,
    reason = "a figure for the documentation, which --nocapture shows"
)]
fn all_of_them() {
    assert!(CASES.len() >= 60, "{}", CASES.len());
    orphans::adopt();
    let next = Mutex::new(0..CASES.len());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some(at) = next.lock().unwrap().next() else {
                        return;
                    };
                    if let Err(why) = misbehave(at) {
                        wrong.lock().unwrap().push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let most = peak_memory();
    println!("{} workers, peak {} MiB", CASES.len(), most >> 20);
    assert!(most < MEMORY, "{} MiB", most >> 20);
}

/// Runs one worker, and says what is wrong about its end.
fn misbehave(at: usize) -> Result<(), String> {
    let (expected, script) = CASES[at];
    let case = format!("{}-{at}", std::process::id());
    let launch = Launch {
        program: "/bin/sh".into(),
        arguments: vec!["-c".to_owned(), format!("{WORDS}{script}")],
        environment: vec![(CASE.to_owned(), case.clone().into())],
    };
    // What ends by itself has to do so long before its limit.
    let limit = if expected.starts_with("broken") {
        20 * LATE
    } else {
        LIMIT
    };
    let mut runner = LabRunner::with_workers(Workers::without_cards(launch));
    let begin = Instant::now();
    let run = runner.run(RunRequest {
        limits: Limits {
            time_ms: limit.as_millis().try_into().unwrap(),
            ..Limits::default()
        },
        ..python("print(1)")
    });
    let took = begin.elapsed();
    drop(runner);
    let found = words(outcome(&run));
    let wrong = |what: String| Err(format!("{script}: {what}"));
    let (kind, text) = expected.split_once(": ").unwrap_or((expected, ""));
    // On a busy machine, what computes for ever may not get the CPU time of its limit, and what prints for ever may
    // have printed too much already.
    let is_late =
        kind == "timed out" && (found.starts_with("busy") || found.starts_with("too much output"));
    if !is_late && (!found.starts_with(kind) || !found.contains(text)) {
        return wrong(format!("{found:.300}, not {expected}"));
    }
    let deadline = if found.starts_with("busy") {
        10 * LIMIT
    } else {
        LIMIT
    };
    // Where it has the CPU for itself.
    if std::env::var_os("HOSTILE_ALL").is_some() && took > deadline + LATE {
        return wrong(format!("it took {took:?}"));
    }
    if run.checks.len() > 2 * output_budget::CHECKS || run.metrics.len() > output_budget::METRICS {
        return wrong("more is kept than promised".to_owned());
    }
    wait_for_the_end_of(&case).or_else(wrong)
}

/// The outcome in words.
fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Raised(raised) => format!("raised {}", raised.kind),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::TooMuchOutput => "too much output".to_owned(),
        Outcome::Broken { what } => format!("broken: {what}"),
        Outcome::Unavailable(reason) => format!("unavailable: {}", reason.why),
        Outcome::Busy(reason) => format!("busy: {}", reason.why),
    }
}

/// Waits until no process of a case is left.
fn wait_for_the_end_of(case: &str) -> Result<(), String> {
    let until = Instant::now() + 10 * LATE;
    loop {
        let left = processes_of(case);
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() > until {
            return Err(format!("left: {left:?}"));
        }
        std::thread::yield_now();
    }
}

fn processes_of(case: &str) -> BTreeSet<String> {
    let mark = format!("{CASE}={case}\0");
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let has_mark = |folder: &std::path::Path| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        environment
            .windows(mark.len())
            .any(|it| it == mark.as_bytes())
    };
    let marked = entries.map(|it| it.path()).filter(|it| has_mark(it));
    marked
        .filter_map(|it| fs::read_to_string(it.join("comm")).ok())
        .collect()
}

/// The most memory that this process had.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kib = peak.unwrap().trim().trim_end_matches(" kB");
    kib.parse::<u64>().unwrap() << 10
}
