//! The program against the starter.

use super::*;

/// A lab whose program has a line changed, one gone and one new.
fn changed(width: u16, height: u16) -> Play {
    let mut course = sample::course();
    let starter: Vec<String> = (1..=12).map(|it| format!("print({it})")).collect();
    course.lessons[0].labs[0].starter = starter.join("\n");
    let mut play = Play::with(width, height, course, Vec::new());
    play.keys("\nn\ne");
    play.press(KeyCode::Down).keys("#").press(KeyCode::End);
    play.keys("\n    y = 2");
    for _ in 0..6 {
        play.press(KeyCode::Down);
    }
    play.ctrl('x');
    play
}

#[test]
fn what_was_changed_is_shown_while_editing_and_before_the_first_run() {
    let mut play = changed(80, 24);
    assert!(play.screen().contains(" diff "), "{}", play.screen());
    play.press(KeyCode::F(5));
    assert!(play.screen().contains("[diff]"), "{}", play.screen());
    assert!(
        play.screen().contains("-   2  print(2)"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::F(8));
    assert!(
        play.screen().contains("+   3      y = 2"),
        "{}",
        play.screen()
    );
    play.press(KeyCode::Esc).keys("ov");
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device                                            on CPU

                                                   lines 2–9 of 12  placement.py
     2 │ #print(2)
     3 │     y = 2
     4 │ print(3)
     5 │ print(4)
     6 │ print(5)
     7 │ print(6)
     8 │ print(7)
     9 ▸ print(9)
    r runs this on CPU

    ── task  output  checks  timeline  hints [diff]──────lines 1–8 of 14 · Space
    - the starter   + your program
        1  print(1)
    -   2  print(2)
    +   2  #print(2)
    +   3      y = 2
        4  print(3)
        5  print(4)
        6  print(5)

    r run  e edit  o pane  d device  ↓ line  f full  h hint  q back  ? help
    ");
    let mut play = changed(40, 12);
    play.press(KeyCode::Esc).keys("v");
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device        on CPU
               lines 7–9 of 12  placement.py
     7 │ print(6)
     8 │ print(7)
     9 ▸ print(9)
    r runs this on CPU
    ──‹checks  timeline  hints [diff]── ↓ 10
    - the starter   + your program
        1  print(1)
    -   2  print(2)
    +   2  #print(2)
    r run  e edit  o pane  q back  ? help
    ");
    play.keys("G");
    insta::assert_snapshot!(play.screen(), @"
    lab · Put it on the device        on CPU
               lines 7–9 of 12  placement.py
     7 │ print(6)
     8 │ print(7)
     9 ▸ print(9)
    r runs this on CPU
    ──‹checks  timeline  hints [diff]───────
    -   8  print(8)
        9  print(9)
       10  print(10)
         … 2 more lines are the same
    r run  e edit  o pane  q back  ? help
    ");
}

#[test]
fn the_starter_itself_has_no_tab_but_an_answer() {
    let mut play = lab(80, 24);
    assert!(!play.screen().contains("diff"), "{}", play.screen());
    play.keys("v");
    assert!(
        play.screen().contains("Your program is the starter."),
        "{}",
        play.screen()
    );
    play.keys("o");
    assert!(!play.screen().contains("diff"), "{}", play.screen());
    play.keys(":diff");
    assert!(
        play.screen().contains("the diff of your program"),
        "{}",
        play.screen()
    );
}

#[test]
fn a_row_of_tabs_says_on_which_side_others_are_out_of_sight() {
    let mut play = changed(40, 12);
    let tabs = |play: &Play| {
        let screen = play.screen();
        let row = screen.lines().find(|it| it.starts_with("──"));
        row.unwrap_or_default().to_owned()
    };
    play.press(KeyCode::Esc).keys("v");
    insta::assert_snapshot!(tabs(&play), @"──‹checks  timeline  hints [diff]── ↓ 10");
    play.keys("o");
    insta::assert_snapshot!(tabs(&play), @"──[task] output  checks  timeline›──────");
    play.keys("oo");
    insta::assert_snapshot!(tabs(&play), @"── task  output [checks] timeline›──────");
}

#[test]
fn the_footer_offers_to_scroll_the_program_only_where_it_goes_on() {
    let mut play = changed(100, 24);
    let offers = |play: &Play| play.screen().contains("PgDn program");
    play.press(KeyCode::Esc).keys("v");
    assert!(offers(&play), "{}", play.screen());
    for _ in 0..4 {
        play.press(KeyCode::PageDown);
    }
    assert!(play.screen().contains("of 12"), "{}", play.screen());
    assert!(!offers(&play), "{}", play.screen());
    play.press(KeyCode::PageUp);
    assert!(offers(&play), "{}", play.screen());
}

#[test]
fn the_first_change_is_in_sight_in_a_low_pane() {
    let mut course = sample::course();
    let starter: Vec<String> = (1..=12).map(|it| format!("print({it})")).collect();
    course.lessons[0].labs[0].starter = starter.join("\n");
    let mut play = Play::with(40, 12, course, Vec::new());
    play.keys("\nn\ne");
    for _ in 0..8 {
        play.press(KeyCode::Down);
    }
    play.keys("#").press(KeyCode::Esc).keys("v");
    let screen = play.screen();
    assert!(
        screen.contains("-   9  print(9)") && screen.contains("+   9  #print(9)"),
        "{screen}"
    );
}
