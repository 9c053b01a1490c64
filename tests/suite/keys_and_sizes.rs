//! Keys that arrive beside a new size of the terminal.

use crate::support::pty::Start;

#[test]
fn a_key_beside_a_resize_does_not_wait_for_the_next_key() {
    let mut terminal = Start::warpup().spawn();
    terminal.wait_for(|it| it.contains("? help"), "the map");
    for round in 0..1000 {
        let (key, title) = if round % 2 == 0 {
            ("?", true)
        } else {
            ("<Esc>", false)
        };
        for columns in 0..4 {
            terminal.resize(81 + columns, 24);
        }
        terminal.press(key);
        for columns in 0..4 {
            terminal.resize(90 + columns, 24);
        }
        terminal.wait_for(
            |it| it.trim_start().starts_with("Help") == title,
            &format!("key {round}"),
        );
    }
}

#[test]
fn a_key_behind_many_reports_that_mean_nothing_does_not_wait_for_the_next_key() {
    let mut terminal = Start::warpup().spawn();
    terminal.wait_for(|it| it.contains("? help"), "the map");
    // So many times, the terminal says that it has the focus: more than are taken before a frame.
    let reports = "\x1b[I".repeat(306);
    terminal.send(format!("{reports}?").as_bytes());
    terminal.wait_for(|it| it.trim_start().starts_with("Help"), "the help");
}
