//! The app inside tmux, as over ssh: what it draws, copies and leaves behind passes through another terminal program.
//!
//! Where tmux is missing, the tests say so and pass. `.ci/run` installs it.

use crate::support::pty::{Start, Terminal};
use std::fs;
use std::process::{Command, Stdio};

const SETTINGS: &str =
    "set -g status off\nset -s exit-unattached on\nset -s set-clipboard on\nset -s escape-time 0\n";

/// A shell in tmux; nothing where there is no tmux. The server ends with its only client.
#[expect(clippy::print_stdout, reason = "who runs the tests should know")]
fn tmux() -> Option<Terminal> {
    let mut version = Command::new("tmux");
    version.arg("-V").stdin(Stdio::null()).stdout(Stdio::null());
    if !version.status().is_ok_and(|it| it.success()) {
        println!("tmux is missing: nothing was tested in it");
        return None;
    }
    let tmux = Start::program("tmux").env("TERM", "xterm-256color");
    let folder = tmux.home().to_owned();
    let settings = folder.join("tmux.conf");
    fs::write(&settings, SETTINGS).unwrap();
    let mut terminal = tmux
        .env("TMUX_TMPDIR", &folder)
        .args(["-f", settings.to_str().unwrap(), "new-session", "/bin/sh"])
        .spawn();
    terminal.wait_for(|it| !it.trim().is_empty(), "the prompt");
    terminal.press("clear; PS1=shell:<Enter>");
    terminal.wait_for(|it| it.trim() == "shell:", "the shell");
    Some(terminal)
}

/// The same, with the app in its first lesson.
fn reading() -> Option<Terminal> {
    let mut terminal = tmux()?;
    terminal.press(&format!("{}<Enter>", env!("CARGO_BIN_EXE_warpup")));
    terminal.wait_for(|it| it.contains("next: Two workers"), "the map");
    terminal.press("<Enter>");
    terminal.wait_for(|it| it.contains("page 1 of"), "the first page");
    Some(terminal)
}

#[test]
fn the_shells_screen_is_as_before_also_after_the_window_has_grown() {
    let Some(mut terminal) = reading() else {
        return;
    };
    terminal.press("<Tab><Enter>");
    terminal.wait_for(|it| it.contains("lab · "), "the lab");
    terminal.resize(160, 50);
    let wide = |it: &str| it.lines().any(|it| it.chars().count() > 120);
    terminal.wait_for(wide, "the larger lab");
    terminal.press("<C-z>");
    terminal.wait_for(|it| it.contains("topped"), "the shell again");
    let screen = terminal.text();
    let first = screen.lines().find(|it| !it.trim().is_empty());
    assert!(first.is_some_and(|it| it.starts_with("shell:")), "{screen}");
    terminal.press("fg<Enter>");
    terminal.wait_for(|it| it.contains("lab · "), "the lab again");
    terminal.press("Q");
    terminal.wait_for(|it| it.trim_end().ends_with("shell:"), "the end");
    assert!(!terminal.text().contains("lab · "), "{}", terminal.text());
}

#[test]
fn what_is_copied_in_the_editor_is_in_the_buffer_of_tmux() {
    let Some(mut terminal) = reading() else {
        return;
    };
    terminal.press("<Tab>e");
    terminal.wait_for(|it| it.contains("stop editing"), "the editor");
    terminal.press("<C-Home>hello<S-Left><S-Left><S-Left><C-c>");
    terminal.wait_for(|it| it.contains("hello"), "what was typed");
    terminal.press("<Esc>");
    terminal.wait_for(|it| it.contains("lab · "), "the lab");
    terminal.press("Q");
    terminal.wait_for(|it| it.trim_end().ends_with("shell:"), "the shell");
    terminal.press("tmux show-buffer<Enter>");
    terminal.wait_for(|it| it.contains("llo"), "the copied text");
}
