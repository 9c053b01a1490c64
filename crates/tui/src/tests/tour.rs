//! The introduction.

use super::Play;
use ratatui::crossterm::event::KeyCode;

#[test]
fn the_tour_takes_four_pages_and_escape_skips_it() {
    let mut play = Play::new(80, 24);
    let map = play.screen();
    insta::assert_snapshot!(play.keys("i").screen(), @"
    How warpup works                                                      1 of 4

    A course with a lab in it

    warpup teaches what happens between a Python program and a card: a GPU with
    its own memory. It shows what runs where, what a copy costs, when the
    program waits, and what fills the memory.

    A lesson has short pages, small programs that you run and change, and a
    quiz. More than 75 % of the points make the lesson done. No card is needed.













    Enter next   Backspace previous   Esc close
    ");
    let mut heads = Vec::new();
    for _ in 0..4 {
        let screen = play.screen();
        let is_last = screen.contains("4 of 4");
        assert_eq!(screen.contains("Enter to the map"), is_last, "{screen}");
        heads.push(play.screen().lines().next().unwrap_or("").trim().to_owned());
        play.keys("\n");
    }
    insta::assert_snapshot!(heads.join("\n"), @"
    How warpup works                                                      1 of 4
    How warpup works                                                      2 of 4
    How warpup works                                                      3 of 4
    How warpup works                                                      4 of 4
    ");
    assert_eq!(play.screen(), map);
    play.keys("i\n\n").press(KeyCode::Backspace);
    assert!(play.screen().contains("2 of 4"), "{}", play.screen());
    play.press(KeyCode::Esc);
    assert_eq!(play.screen(), map);
}

#[test]
fn on_a_small_terminal_enter_reads_a_page_of_the_tour_to_its_end() {
    let mut play = Play::new(40, 12);
    play.keys("i");
    let mut pages = Vec::new();
    for _ in 0..20 {
        let screen = play.screen();
        if screen.contains("lessons done") {
            break;
        }
        pages.push(screen);
        play.keys("\n");
    }
    let all = pages.join("\n");
    for words in ["No card is needed.", "the line.", "teaches", "quits."] {
        assert!(all.contains(words), "{words} in {all}");
    }
}
