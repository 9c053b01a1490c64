//! Searching the course, from a page and from the map.

use super::{Play, sample};
use crate::app::Event;
use ratatui::buffer::Cell;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Modifier;

/// The text of the cells that are reversed, as the hit is that the learner is at.
fn reversed(play: &Play) -> String {
    let buffer = play.buffer();
    let cells = buffer.content.iter();
    let marked = cells.filter(|it| it.modifier.contains(Modifier::REVERSED | Modifier::BOLD));
    let text: String = marked.map(Cell::symbol).collect();
    // The mark of the chosen lab is reversed as well.
    text.replace('▶', "")
}

fn last_line(play: &Play) -> String {
    play.screen().lines().last().unwrap_or("").trim().to_owned()
}

fn head(play: &Play) -> String {
    let screen = play.screen();
    let head = screen.lines().next().unwrap_or("");
    head.rsplit("  ").next().unwrap_or("").to_owned()
}

#[test]
fn hits_are_counted_while_the_words_are_typed() {
    let mut play = Play::new(80, 24);
    play.keys("\n/tensor");
    insta::assert_snapshot!(last_line(&play), @"/tensor    2 on this page · 2 in the lesson · 2 in all");
    play.keys("z");
    insta::assert_snapshot!(last_line(&play), @"/tensorz    not found   Enter find   Esc cancel");
    // Without a hit the words stay, to be changed.
    play.keys("\n");
    insta::assert_snapshot!(last_line(&play), @"/tensorz    not found   Enter find   Esc cancel");
    play.press(KeyCode::Esc);
    insta::assert_snapshot!(last_line(&play), @"Enter next page   / search   w words   q back   ? help");
}

#[test]
fn hits_are_gone_through_in_the_whole_course() {
    let mut play = Play::new(80, 24);
    play.keys("\n/it\n\n");
    insta::assert_snapshot!(play.screen(), @"
    Lesson 1 of 2                            hit 1 of 6 · page 1 of 2 █████░░░░░

    Where a tensor lives

    A computer with a card has two memories, and a tensor lives in exactly one
    of them.

    →  Put it there















    n next hit  Esc end search  Enter next page  / search  q back  ? help
    ");
    assert_eq!(reversed(&play), "it");
    let mut heads = Vec::new();
    for _ in 0..4 {
        heads.push(head(&play));
        play.keys("n");
    }
    insta::assert_snapshot!(heads.join("\n"), @"
    hit 1 of 6 · page 1 of 2 █████░░░░░
    hit 2 of 6 · page 2 of 2 ██████████
    hit 3 of 6 · page 2 of 2 ██████████
    hit 4 of 6 · page 2 of 2 ██████████
    ");
    play.keys("N");
    insta::assert_snapshot!(head(&play), @"hit 4 of 6 · page 2 of 2 ██████████");
    // After the search, n is the next page again.
    play.press(KeyCode::Esc);
    insta::assert_snapshot!(last_line(&play), @"Enter open  Backspace return  r run  n quiz  p previous  q back  ? help");
    assert_eq!(reversed(&play), "");
}

#[test]
fn hits_are_listed_by_lesson_with_the_text_around_them() {
    let mut play = Play::new(80, 24);
    play.keys("\nn/it\n");
    insta::assert_snapshot!(play.screen(), @"
    Found: it                                                             6 hits

    Where a tensor lives  5
      page 1: Where a tensor lives
        A computer with a card has two memories, and a tensor lives in exactly …
      page 2: Put it there
      ▸ Put it there
        Decide what it prints, then run it.
        Decide what it prints, then run it.
        Put it on the device
    What a copy costs  1
      page 2: The bus
        It is narrow.










    Enter go there   ↓ next   / search   Esc cancel
    ");
    // Chosen is the next one from where the learner reads; lessons are passed over.
    play.press(KeyCode::Up)
        .press(KeyCode::Up)
        .press(KeyCode::Up);
    play.keys("\n");
    insta::assert_snapshot!(head(&play), @"hit 1 of 6 · page 1 of 2 █████░░░░░");
    play.keys("N");
    insta::assert_snapshot!(head(&play), @"hit 6 of 6 · page 2 of 2 ██████████");
    // Who leaves the list stays where they are, and other words can be searched from it.
    let page = play.screen();
    play.keys("/it\nG").press(KeyCode::Esc);
    assert_eq!(play.screen(), page);
    play.keys("/it\n/narrow\n");
    insta::assert_snapshot!(head(&play), @"hit 1 of 1 · page 2 of 2 ██████████");
    insta::assert_snapshot!(Play::new(40, 12).keys("/it\nG").screen(), @"
    Found: it                         6 hits
      page 1: Where a tensor lives
        A computer with a card has two memo…
      page 2: Put it there
        Put it there
        Decide what it prints, then run it.
        Decide what it prints, then run it.
        Put it on the device
    What a copy costs  1
      page 2: The bus
      ▸ It is narrow.
    Enter go there  ↓ next  Esc cancel
    ");
}

#[test]
fn what_no_name_has_is_searched_in_the_text() {
    let mut play = Play::new(80, 24);
    play.keys(":crosses the");
    insta::assert_snapshot!(play.screen().trim_end(), @"
    Go to

    : crosses the                                                        0 of 23

      No entry matches.
    ▸ search the text for “crosses the”

















    Enter search   ↓ down   Esc cancel
    ");
    play.keys("\n");
    insta::assert_snapshot!(head(&play), @"0 of 2 lessons done ▱▱");
    // What is nowhere stays to be changed.
    play.press(KeyCode::Esc).keys(":nowhere at all\n");
    insta::assert_snapshot!(last_line(&play), @"/nowhere at all    not found   Enter find   Esc cancel");
}

#[test]
fn a_list_of_very_many_hits_is_gone_through_quickly() {
    let mut course = sample::course();
    let words = "warp ".repeat(100);
    let blocks = (0..300).map(|_| sample::paragraph(&words));
    course.lessons[0].pages[0].blocks = blocks.collect();
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\n/warp\n");
    assert!(play.screen().contains("30000 hits"), "{}", play.screen());
    for _ in 0..50 {
        play.press(KeyCode::PageDown);
    }
    play.keys("G\n");
    insta::assert_snapshot!(head(&play), @"hit 30000 of 30000 · page 1 of 2 █████░░░░░");
}

#[test]
fn the_map_searches_the_course() {
    let mut play = Play::new(80, 24);
    play.keys("/narrow");
    insta::assert_snapshot!(last_line(&play), @"/narrow    1 in the course   Enter find   Esc cancel");
    play.keys("\n");
    insta::assert_snapshot!(head(&play), @"hit 1 of 1 · page 2 of 2 ██████████");
    assert_eq!(reversed(&play), "narrow");
    play.keys("q");
    assert!(play.screen().contains("lessons done"), "{}", play.screen());
}

#[test]
fn a_small_terminal_has_room_for_words_counts_and_hits() {
    let mut play = Play::new(40, 12);
    play.keys("\n/a tensor lives in exactly one of them");
    insta::assert_snapshot!(last_line(&play), @"/xactly one of them    1 here · 1 in all");
    play.keys("\n");
    insta::assert_snapshot!(play.screen(), @"
    Lesson 1 of 2   hit 1 of 1 · page 1 of 2
    Where a tensor lives

    A computer with a card has two memories,
    and a tensor lives in exactly one of
    them.

    →  Put it there



    n next hit  / search  q back  ? help
    ");
    assert_eq!(reversed(&play), "a tensor lives in exactly one ofthem");
}

#[test]
fn a_hit_far_below_comes_into_sight_at_every_width() {
    let mut course = sample::course();
    let blocks = (0..300).map(|it| sample::paragraph(&format!("paragraph {it} of a page")));
    course.lessons[0].pages[0].blocks = blocks.collect();
    let mut play = Play::with(80, 24, course, Vec::new());
    play.keys("\n/paragraph 250\n");
    assert_eq!(reversed(&play), "paragraph 250");
    play.send(Event::Resize(44, 14));
    assert_eq!(reversed(&play), "paragraph 250");
    // The map ends the search, and reading goes on where it was before.
    play.keys("q\n");
    assert_eq!(reversed(&play), "");
    assert!(play.screen().contains("paragraph 0 "), "{}", play.screen());
}

#[test]
fn backspace_returns_to_where_the_search_began() {
    let mut play = Play::new(80, 24);
    play.keys("\n");
    let before = play.screen();
    play.keys("/cuda\n\nnnn");
    assert_ne!(play.screen(), before);
    play.press(KeyCode::Esc).press(KeyCode::Backspace);
    assert_eq!(play.screen(), before);
}

#[test]
fn a_wide_terminal_says_everything_in_one_line() {
    let mut play = Play::new(160, 50);
    play.keys("\n/it");
    insta::assert_snapshot!(last_line(&play), @"/it    1 on this page · 5 in the lesson · 6 in all   Enter find   Esc cancel");
    play.keys("\n\nn");
    insta::assert_snapshot!(play.screen().trim_end(), @r#"
    Where a tensor lives                                                             hit 2 of 6 · page 2 of 2 ██████████

    Where a tensor lives            Put it there

      Where a tensor lives          Decide what it prints, then run it.
    ▸ Put it there ○○
      Quiz ○                        ▶ Put it on the device  ○ new
                                    │ import torch
                                    │ x = torch.ones(3).to("cuda")
                                    │ print(x.device)
                                    └ r run   e edit   Enter open

                                    ┌ Time a sum  ○ new
                                    │ print(1)
                                    └ r run   e edit   Enter open

                                    →  quiz: 5 questions
































    n next hit  Esc end search  Enter open  r run  → quiz  p previous  Tab lab  Backspace return  q back  ? help
    "#);
}

#[test]
fn of_several_pasted_lines_the_first_is_searched_and_a_notice_says_so() {
    let mut play = Play::new(80, 24);
    play.keys("\n/");
    play.send(Event::Paste("\n  tensor\r\nlives\n".to_owned()));
    let screen = play.screen();
    assert!(screen.contains("/  tensor"), "{screen}");
    assert!(screen.contains("only the first line was taken"), "{screen}");
    play.press(KeyCode::End);
    let screen = play.screen();
    assert!(screen.contains("on this page"), "{screen}");
}

#[test]
fn the_first_hit_is_the_next_one_from_where_the_learner_reads() {
    let mut course = sample::course();
    let words = "warp ".repeat(200);
    course.lessons[0].pages[0].blocks = vec![sample::paragraph(&words)];
    let mut play = Play::with(40, 12, course, Vec::new());
    play.keys("\njjjjjjjj/warp\n\n");
    let first = play.screen();
    let first = first.lines().nth(1).unwrap_or("");
    assert!(first.starts_with("warp warp"), "{first}");
    insta::assert_snapshot!(head(&play), @"hit 49 of 200 · page 1 of 2");
    // The map searches from where reading goes on.
    let mut play = Play::new(80, 24);
    play.keys("\nnq/it\n\n");
    insta::assert_snapshot!(head(&play), @"hit 2 of 6 · page 2 of 2 ██████████");
}

#[test]
fn the_number_of_a_hit_is_shown_on_its_page_only() {
    let mut play = Play::new(80, 24);
    play.keys("\n/it\n\n");
    insta::assert_snapshot!(head(&play), @"hit 1 of 6 · page 1 of 2 █████░░░░░");
    play.press(KeyCode::Right);
    insta::assert_snapshot!(head(&play), @"6 hits · page 2 of 2 ██████████");
    play.keys("p");
    insta::assert_snapshot!(head(&play), @"hit 1 of 6 · page 1 of 2 █████░░░░░");
}

#[test]
fn who_reads_around_a_hit_in_another_lesson_has_not_begun_it() {
    let mut play = Play::new(80, 24);
    play.keys("\n");
    let before = play.saved().len();
    // The hit is in the second lesson, whose page is then read and searched on.
    play.keys("/narrow\n").keys("jj ").press(KeyCode::Esc);
    play.press(KeyCode::Backspace);
    assert_eq!(play.saved().len(), before);
    play.keys("q");
    let screen = play.screen();
    assert!(screen.contains("○ new    What a copy costs"), "{screen}");
}
