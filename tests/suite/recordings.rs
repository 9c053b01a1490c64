//! `warpup record` as a process: signals, the terminal, and what opens at the end. A shell stands for the program.

use crate::support::pty::{Start, Terminal};
use crate::support::temp_home::TempHome;

/// Leaves a trace where the recorder would, and says so; `exit` follows.
const RECORDED: &str = r#"DIR=${PYTHONPATH%%:*}
    cp "$TRACE" "$HOME/a.json.gz"
    echo "{\"state\":\"recorded\",\"python\":\"3.11.7\",\"recorded_ns\":[1],\"trace\":\"$HOME/a.json.gz\"}" >"$DIR/process-1.json"
    echo the last line
"#;

fn in_terminal(script: &str) -> Terminal {
    let trace = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/kineto/item-in-loop.json.gz"
    );
    let words = ["record", "--steps", "1", "--", "sh", "-c", script];
    Start::warpup().args(words).env("TRACE", trace).spawn()
}

#[test]
fn a_signal_to_warpup_alone_reaches_the_program() {
    let home = TempHome::new();
    let out = home.path().join("a.json");
    for (signal, status) in [("TERM", 9), ("USR1", 8)] {
        let script = format!(
            "trap 'exit 9' TERM; trap 'exit 8' USR1; kill -{signal} $PPID; while :; do :; done"
        );
        let words = ["record", "--out", out.to_str().unwrap(), "--", "sh", "-c"];
        let words = [&words[..], &[script.as_str()]].concat();
        assert_eq!(home.exit(&words), Some(status), "{signal}");
    }
}

#[test]
fn ctrl_c_comes_once_and_warpup_waits_for_the_program() {
    let script = "trap 'echo interrupted' INT; echo ready; until read x; do :; done; exit 5";
    let mut terminal = in_terminal(script);
    terminal.wait_for(|it| it.contains("ready"), "the program");
    terminal.send(b"\x03");
    terminal.wait_for(|it| it.contains("interrupted"), "the signal");
    terminal.send(b"\r");
    assert_eq!(terminal.wait_exit().exit_code(), 5);
    let text = terminal.text();
    assert_eq!(text.matches("interrupted").count(), 1, "{text}");
    assert!(text.contains("nothing was recorded"), "{text}");
}

#[test]
fn a_trace_opens_in_the_app_and_the_status_is_that_of_the_program() {
    let mut terminal = in_terminal(&format!("{RECORDED} exit 0"));
    terminal.wait_for(|it| it.contains("the device is idle"), "the trace");
    assert!(terminal.screen().alternate_screen());
    terminal.press("q");
    assert_eq!(terminal.wait_exit().exit_code(), 0);
}

#[test]
fn the_last_lines_of_a_program_that_failed_stay_on_the_screen() {
    let terminal = in_terminal(&format!("{RECORDED} exit 3"));
    assert_eq!(terminal.wait_exit().exit_code(), 3);
    let text = terminal.text();
    assert!(text.contains("the last line"), "{text}");
    assert!(text.contains("the trace is a.json.gz"), "{text}");
    assert!(!terminal.screen().alternate_screen());
}
