//! The mouse, from events to screens.

use ratatui::layout::Position;

use super::Play;
use crate::tui::app::Event;
use crate::tui::stack::Wheel;

/// Clicks the first place where the screen has these words.
fn click(play: &mut Play, words: &str) {
    let screen = play.screen();
    let lines = screen.lines().enumerate();
    let found = lines.filter_map(|(row, line)| {
        let before = line.split_once(words)?.0;
        let column = u16::try_from(before.chars().count()).ok()?;
        Some(Position::new(column, u16::try_from(row).ok()?))
    });
    let at = found.last().expect("the words are on the screen");
    play.send(Event::Click(at));
}

#[test]
fn a_click_on_a_key_of_the_footer_presses_it() {
    let mut play = Play::new(80, 24);
    click(&mut play, "? more");
    assert!(
        play.screen().trim_start().starts_with("Help"),
        "{}",
        play.screen()
    );
    click(&mut play, "q back");
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
    play.keys("jjj");
    assert_eq!(play.screen(), by_wheel);
}
