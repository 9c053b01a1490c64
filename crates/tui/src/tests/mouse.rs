//! The mouse, from events to screens.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Position;

use super::{Play, links, sample};
use crate::app::Event;
use crate::effect::Effect;
use crate::stack::Wheel;

/// Clicks the last line where the screen has these words, at their start.
pub(super) fn click(play: &mut Play, words: &str) {
    let at = place(play, words);
    play.send(Event::Click(at));
}

/// Clicks there again, at once.
fn click_again(play: &mut Play, words: &str) {
    play.now_ms -= 1000;
    click(play, words);
}

fn drag(play: &mut Play, words: &str) {
    let at = place(play, words);
    play.send(Event::Drag(at));
}

fn place(play: &Play, words: &str) -> Position {
    let screen = play.screen();
    let lines = screen.lines().enumerate();
    let found = lines.filter_map(|(row, line)| {
        let before = line.split_once(words)?.0;
        let column = u16::try_from(before.chars().count()).ok()?;
        Some(Position::new(column, u16::try_from(row).ok()?))
    });
    found.last().expect("the words are on the screen")
}

/// What the terminal's clipboard has got, and what is said of it.
fn copied(play: &mut Play) -> (String, String) {
    play.ctrl('c');
    let Some(Effect::Copy(text)) = play.effects.last().cloned() else {
        panic!("nothing was copied: {}", play.screen());
    };
    let screen = play.screen();
    let said = screen.lines().last().unwrap_or_default().trim().to_owned();
    (text, said)
}

#[test]
fn a_click_on_a_key_of_the_footer_presses_it() {
    let mut play = Play::new(80, 24);
    click(&mut play, "? help");
    assert!(
        play.screen().trim_start().starts_with("Help"),
        "{}",
        play.screen()
    );
    click(&mut play, "Esc close");
    assert!(
        !play.screen().trim_start().starts_with("Help"),
        "{}",
        play.screen()
    );
    let before = play.screen();
    play.send(Event::Click(Position::new(0, 0)));
    play.send(Event::Click(Position::new(500, 500)));
    assert_eq!(play.screen(), before);
}

#[test]
fn a_click_chooses_a_lesson_and_a_second_one_opens_it() {
    let mut play = Play::new(80, 24);
    click(&mut play, "What a copy costs");
    assert!(
        play.screen().contains("▸ ○ new    What a copy costs"),
        "{}",
        play.screen()
    );
    click(&mut play, "What a copy costs");
    assert!(play.screen().contains("page 1 of 2"), "{}", play.screen());
}

#[test]
fn a_click_chooses_or_ticks_an_option() {
    let mut play = Play::new(80, 24);
    play.keys("z");
    click(&mut play, "2 ○");
    assert!(play.screen().contains("▸ 2 ●"), "{}", play.screen());
    play.keys("\n\n24\n\n");
    click(&mut play, "2 [ ]");
    assert!(play.screen().contains("▸ 2 [x]"), "{}", play.screen());
    click(&mut play, "2 [x]");
    assert!(play.screen().contains("▸ 2 [ ]"), "{}", play.screen());
}

#[test]
fn a_click_pairs_the_marked_row_with_a_right_side() {
    let mut play = Play::new(80, 24);
    play.keys("z2\n\n24\n\n12\n\n12\n\n");
    let before = play.screen();
    click(&mut play, "  b  ");
    let screen = play.screen();
    assert!(screen.contains("→ b  "), "{before}{screen}");
}

#[test]
fn a_click_on_a_tab_shows_its_pane_and_one_on_a_device_takes_it() {
    let mut play = Play::new(80, 24);
    play.keys("\nn\n");
    click(&mut play, " checks ");
    assert!(play.screen().contains("[checks]"), "{}", play.screen());
    // The first letter of the name belongs to it, the space between two tabs to none of the others.
    click(&mut play, "output ");
    assert!(play.screen().contains("[output]"), "{}", play.screen());
    play.keys("d");
    click(&mut play, "CPU");
    click(&mut play, "CPU");
    assert!(play.screen().contains("on CPU"), "{}", play.screen());
}

#[test]
fn a_click_in_the_program_puts_the_cursor_there_while_it_is_edited() {
    let mut play = Play::new(80, 24);
    play.keys("\nn\n");
    let before = play.screen();
    click(&mut play, "torch.ones");
    // Who reads chooses the line.
    let chosen = before.replace("1 ▸", "1 │").replace("2 │", "2 ▸");
    assert_eq!(play.screen(), chosen);
    play.keys("e");
    click(&mut play, "ones(3)");
    play.keys("!");
    assert!(
        play.screen().contains("torch.!ones(3)"),
        "{}",
        play.screen()
    );
    // Behind the end of a line is its end.
    click(&mut play, "import torch");
    let screen = play.screen();
    let row = screen.lines().position(|it| it.contains("import torch"));
    play.send(Event::Click(Position::new(
        70,
        u16::try_from(row.unwrap()).unwrap(),
    )));
    play.keys("#");
    assert!(play.screen().contains("import torch#"), "{}", play.screen());
}

#[test]
fn dragging_selects_in_the_program_and_scrolls_it() {
    let mut play = Play::new(80, 24);
    play.keys("\nn\ne");
    click(&mut play, "ones(3)");
    drag(&mut play, "(x.device");
    insta::assert_debug_snapshot!(copied(&mut play), @r#"
    (
        "ones(3).to(\"cuda\")\nprint",
        "Copied 2 lines (clipboard).",
    )
    "#);
    // What is selected stays so, for the next key.
    assert_eq!(copied(&mut play).0, "ones(3).to(\"cuda\")\nprint");
    play.ctrl('x');
    assert!(
        play.screen().contains("x = torch.(x.device)"),
        "{}",
        play.screen()
    );
    // Back from the end, and above the first line.
    play.ctrl('z');
    click(&mut play, "(x.device");
    play.send(Event::Drag(Position::new(0, 0)));
    assert_eq!(
        copied(&mut play).0,
        "import torch\nx = torch.ones(3).to(\"cuda\")\nprint"
    );
    // A button that went down elsewhere selects nothing.
    click(&mut play, "import torch");
    click(&mut play, " output ");
    drag(&mut play, "(x.device");
    play.ctrl('c');
    assert!(play.screen().contains("Quit warpup?"), "{}", play.screen());
}

#[test]
fn a_drag_below_the_window_scrolls_the_program() {
    let mut course = sample::course();
    let starter: Vec<String> = (1..=40).map(|it| format!("print({it})")).collect();
    course.lessons[0].labs[0].starter = starter.join("\n");
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\nn\ne");
    click(&mut play, "print(2)");
    for _ in 0..60 {
        play.send(Event::Drag(Position::new(79, 22)));
    }
    assert!(play.screen().contains("print(40)"), "{}", play.screen());
    assert_eq!(copied(&mut play).1, "Copied 39 lines (clipboard).");
}

#[test]
fn a_double_click_selects_a_word_and_a_third_one_the_line() {
    let mut play = Play::new(80, 24);
    play.keys("\nn\ne");
    click(&mut play, "orch.ones");
    click_again(&mut play, "orch.ones");
    insta::assert_debug_snapshot!(copied(&mut play), @r#"
    (
        "torch",
        "Copied 5 characters (clipboard).",
    )
    "#);
    play.now_ms -= 1000;
    click_again(&mut play, "orch.ones");
    insta::assert_debug_snapshot!(copied(&mut play), @r#"
    (
        "x = torch.ones(3).to(\"cuda\")\n",
        "Copied 1 line (clipboard).",
    )
    "#);
    // Late, it is a click like the first.
    click(&mut play, "orch.ones");
    play.ctrl('c');
    assert!(play.screen().contains("Quit warpup?"), "{}", play.screen());
}

#[test]
fn a_click_on_a_card_opens_the_lab_and_one_in_the_outline_goes_there() {
    let mut play = Play::new(120, 24);
    play.keys("\n");
    click(&mut play, "Put it there ○");
    assert!(play.screen().contains("page 2 of 2"), "{}", play.screen());
    click(&mut play, "print(x.device)");
    assert!(
        play.screen().contains("lab · Put it on the device"),
        "{}",
        play.screen()
    );
    play.keys("q");
    click(&mut play, "  Quiz ○");
    assert!(play.screen().contains("1 of 5"), "{}", play.screen());
}

#[test]
fn a_click_opens_a_link() {
    let page = || links::play(80, 24, "Read [there](places.md#labs) or [all](places.md).");
    for words in ["there[1]", "[1]"] {
        let mut play = page();
        click(&mut play, words);
        assert_eq!(play.screen(), page().keys("1").screen(), "{words}");
    }
    let mut play = page();
    let before = play.screen();
    click(&mut play, "Read there");
    assert_eq!(play.screen(), before);
}

#[test]
fn nothing_below_a_dialog_is_clicked() {
    let mut play = Play::new(80, 24);
    play.ctrl('c');
    let before = play.screen();
    click(&mut play, "What a copy costs");
    assert_eq!(play.screen(), before);
}

#[test]
fn the_wheel_scrolls_three_lines_and_moves_a_choice_by_one() {
    let mut play = Play::new(80, 24);
    let before = play.screen();
    play.send(Event::Wheel(Wheel::Down));
    let by_wheel = play.screen();
    play.send(Event::Wheel(Wheel::Up));
    assert_eq!(play.screen(), before);
    play.keys("j");
    assert_eq!(play.screen(), by_wheel);
    play.keys("?");
    play.send(Event::Wheel(Wheel::Down));
    let by_wheel = play.screen();
    play.send(Event::Wheel(Wheel::Up));
    for _ in 0..3 {
        play.press(KeyCode::Down);
    }
    assert_eq!(play.screen(), by_wheel);
}
