//! Tests of the pseudo-terminal itself, with a shell as its program.

use crate::support::pty::{Start, Terminal};
use rustix::process::Signal;
use std::time::Duration;

/// A shell that runs a script, which has to write `ready`.
fn shell(script: &str) -> Terminal {
    let script = format!("{script}\n");
    let terminal = Start::program("/bin/sh").args(["-c", &script]).spawn();
    terminal.wait_for(|screen| screen.contains("ready"), "the shell");
    terminal
}

#[test]
fn the_real_executable_runs_in_it() {
    let terminal = Start::warpup().size(40, 12).args(["--version"]).spawn();
    assert!(terminal.wait_exit().success(), "{}", terminal.text());
}

#[test]
fn keys_go_in_and_screens_come_out() {
    let mut terminal = shell("echo ready; read line; echo \"got <$line>\"; exit 3");
    terminal.press("a b<Enter>");
    terminal.wait_for(|screen| screen.contains("got <a b>"), "the answer");
    assert_eq!(terminal.wait_exit().exit_code(), 3);
}

#[test]
fn the_environment_is_clean_and_the_home_is_temporary() {
    let terminal = shell(
        "env | cut -d= -f1 | sort | tr '\\n' ' '; stty size; touch \"$HOME/kept\"; echo ready",
    );
    let screen = terminal.text();
    assert!(screen.contains("HOME LANG"), "{screen}");
    assert!(!screen.contains("CARGO"), "{screen}");
    assert!(screen.contains("24 80"), "{screen}");
    assert!(terminal.home().join("kept").exists());
    let later = Start::program("/bin/ls").home_of(&terminal).spawn();
    later.wait_for(
        |screen| screen.contains("kept"),
        "the earlier terminal's file",
    );
}

#[test]
fn a_new_size_reaches_the_program() {
    let terminal = shell("trap 'stty size; exit' WINCH; echo ready; while :; do read line; done");
    terminal.resize(40, 12);
    terminal.wait_for(|screen| screen.contains("12 40"), "the new size");
    assert_eq!(terminal.screen().size().0.get(), 12);
}

#[test]
fn a_signal_ends_the_program() {
    let terminal = shell("echo ready; read line");
    assert!(terminal.pid() > 1);
    terminal.signal(Signal::TERM);
    assert!(terminal.wait_exit().signal().is_some());
    terminal.signal(Signal::TERM);
}

#[test]
fn a_hang_up_is_a_real_one_and_types_nothing() {
    let script = "trap 'echo hung >> \"$HOME/said\"; exit 7' HUP; stty raw -echo; echo ready;
                  while read line; do echo typed >> \"$HOME/said\"; done; echo over >> \"$HOME/said\"; exit 8";
    let mut terminal = shell(script);
    terminal.hang_up();
    let status = terminal.wait_exit();
    assert!([7, 8].contains(&status.exit_code()), "{status:?}");
    let said = std::fs::read_to_string(terminal.home().join("said")).unwrap();
    assert!(!said.contains("typed"), "{said}");
}

#[test]
fn bytes_are_counted_until_the_program_is_quiet() {
    let mut terminal = shell("stty -echo; echo ready; read line; printf '\\033[2J'");
    terminal.wait_until_quiet(Duration::from_millis(20));
    let (before, _) = terminal.written();
    terminal.press("<Enter>");
    terminal.wait_for_bytes(before + 4, "the clearing");
    terminal.wait_exit();
    assert_eq!(terminal.written().0 - before, 4);
}

/// Whether a letter on the screen has this colour of the 256.
fn shows_colour(terminal: &Terminal, colour: u8) -> bool {
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let mut places =
        (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
    places.any(|(row, column)| {
        let cell = screen.cell(row, column);
        cell.is_some_and(|it| it.fgcolor() == vt100::Color::Idx(colour))
    })
}

#[test]
fn the_app_takes_the_theme_of_the_background_that_the_terminal_answers_with() {
    const LIGHT_KEY: u8 = 130;
    let mut terminal = Start::warpup().spawn();
    terminal.wait_for(|it| it.contains("lessons done"), "the map");
    assert!(!shows_colour(&terminal, LIGHT_KEY));
    // As typed, together with a key before and after it.
    terminal.send(b"?\x1b]11;rgb:ffff/ffff/ffff\x1b\\?");
    terminal.press("?");
    terminal.wait_for(|it| it.contains("Everywhere"), "the help");
    assert!(shows_colour(&terminal, LIGHT_KEY));
}
