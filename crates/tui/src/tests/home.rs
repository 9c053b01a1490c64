//! The map as the home of the app, on terminals of all widths; the outline, and what is laid out.

use super::{Play, sample};
use crate::app::Event;
use crate::effect::Effect;
use crate::stack::Wheel;
use crate::theme::{Letters, make_ascii};
use ratatui::buffer::Cell;
use ratatui::crossterm::event::KeyCode;
use warpup_course::{Course, LabId, LessonId, PageId, QuestionId};
use warpup_doctor::NvmlCard;
use warpup_grade::Score;
use warpup_progress::Event as Done;

fn places() -> LessonId {
    LessonId::new("places")
}

fn read(page: &str) -> Done {
    Done::Read {
        lesson: places(),
        page: PageId::new(page),
    }
}

fn passed_lab() -> Done {
    Done::Ran {
        lesson: places(),
        lab: LabId::new("placement"),
        device: "cpu".to_owned(),
        passed: true,
        on: None,
        metrics: Vec::new(),
        unmet: None,
    }
}

fn attempt(passed: bool, missed: &[&str]) -> Done {
    Done::Attempted {
        lesson: places(),
        attempt: "a".to_owned(),
        score: Score {
            earned: if passed { 500 } else { 300 },
            max: 500,
        },
        above_percent: 75,
        passed,
        took_ms: 1,
        missed: missed.iter().map(|it| QuestionId::new(*it)).collect(),
        drawn: Vec::new(),
    }
}

/// The map of a course of which something was done.
fn map(width: u16, height: u16, course: Course, done: Vec<Done>) -> Play {
    let mut play = Play::with(width, height, course, done);
    if play.screen().contains("page ") {
        play.keys("q");
    }
    play
}

/// The sample course with twelve lessons.
fn twelve() -> Course {
    let mut course = sample::course();
    let lesson = course.lessons[1].clone();
    for number in 3..=12 {
        let mut lesson = lesson.clone();
        lesson.id = LessonId::new(format!("copies-{number}"));
        lesson.title = format!("What copy number {number} costs");
        course.lessons.push(lesson);
    }
    course
}

#[test]
fn a_long_course_says_what_is_next_above_as_many_lessons_as_have_room() {
    let mut course = twelve();
    for number in 13..=18 {
        let mut lesson = course.lessons[1].clone();
        lesson.id = LessonId::new(format!("copies-{number}"));
        course.lessons.push(lesson);
    }
    insta::assert_snapshot!(map(80, 24, course, Vec::new()).screen(), @"
    warpup · CUDA, understood            0 of 18 lessons done ▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱▱

    A course with labs: run small programs, and see what host and card do.
    What a copy costs.
    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step

    ▸ ○ new    Where a tensor lives                                  ▱▱▱  20 min
      ○ new    What a copy costs                                     ▱▱▱  20 min
      ○ new    What copy number 3 costs                              ▱▱▱  20 min
      ○ new    What copy number 4 costs                              ▱▱▱  20 min
      ○ new    What copy number 5 costs                              ▱▱▱  20 min
      ○ new    What copy number 6 costs                              ▱▱▱  20 min
      ○ new    What copy number 7 costs                              ▱▱▱  20 min
      ○ new    What copy number 8 costs                              ▱▱▱  20 min
      ○ new    What copy number 9 costs                              ▱▱▱  20 min
      ○ new    What copy number 10 costs                             ▱▱▱  20 min
                                                                             ↓ 8
    Every tensor has a device, and work happens there.
    20 min · 2 pages · 0 of 2 labs passed · 5 questions



    Enter read  c lesson 1  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
}

#[test]
fn the_map_says_what_is_done_and_what_is_next() {
    let done = || {
        vec![
            read("start"),
            read("labs"),
            passed_lab(),
            attempt(false, &["q-sum", "q-why"]),
        ]
    };
    insta::assert_snapshot!(map(80, 24, twelve(), done()).screen(), @"
    warpup · CUDA, understood                  0 of 12 lessons done ▱▱▱▱▱▱▱▱▱▱▱▱

    c  next: Where a tensor lives, the quiz
    m  review: 2 questions of one lesson that you missed last time

    ▸ ◐ begun  Where a tensor lives                 ▰▱▱  best 3 of 5  1970-01-01
      ○ new    What a copy costs                    ▱▱▱                   20 min
      ○ new    What copy number 3 costs             ▱▱▱                   20 min
      ○ new    What copy number 4 costs             ▱▱▱                   20 min
      ○ new    What copy number 5 costs             ▱▱▱                   20 min
      ○ new    What copy number 6 costs             ▱▱▱                   20 min
      ○ new    What copy number 7 costs             ▱▱▱                   20 min
      ○ new    What copy number 8 costs             ▱▱▱                   20 min
      ○ new    What copy number 9 costs             ▱▱▱                   20 min
      ○ new    What copy number 10 costs            ▱▱▱                   20 min
      ○ new    What copy number 11 costs            ▱▱▱                   20 min
      ○ new    What copy number 12 costs            ▱▱▱                   20 min

    Every tensor has a device, and work happens there.
    Enter opens page 2, where you were: Put it there
    20 min · 2 pages · 1 of 2 labs passed · 5 questions · 2 missed last time


    Enter read  c quiz 1  z quiz  m review  / search  : go to  q quit  ? help
    ");
    insta::assert_snapshot!(map(40, 12, twelve(), done()).screen(), @"
    warpup · CUDA, un…  0 of 12 lessons done
    c  next: Where a tensor lives, the quiz
    ▸ ◐ begun  Where a tensor lives
      ○ new    What a copy costs
      ○ new    What copy number 3 costs
      ○ new    What copy number 4 costs
      ○ new    What copy number 5 costs
      ○ new    What copy number 6 costs
                                         ↓ 6
    Enter opens page 2, where you were: Put
    it there
    Enter read  c quiz 1  q quit  ? help
    ");
    insta::assert_snapshot!(map(160, 50, twelve(), done()).screen(), @"
    warpup · CUDA, understood                                                                                          0 of 12 lessons done ▱▱▱▱▱▱▱▱▱▱▱▱

    c  next: Where a tensor lives, the quiz
    m  review: 2 questions of one lesson that you missed last time

    ▸ ◐ begun  Where a tensor lives                  ▰▱▱  3 of 5    Where a tensor lives
      ○ new    What a copy costs                     ▱▱▱  20 min    Every tensor has a device, and work happens there.
      ○ new    What copy number 3 costs              ▱▱▱  20 min    20 min
      ○ new    What copy number 4 costs              ▱▱▱  20 min    Enter opens page 2, where you were: Put it there
      ○ new    What copy number 5 costs              ▱▱▱  20 min
      ○ new    What copy number 6 costs              ▱▱▱  20 min    Labs
      ○ new    What copy number 7 costs              ▱▱▱  20 min    ✓ Put it on the device
      ○ new    What copy number 8 costs              ▱▱▱  20 min    ○ Time a sum
      ○ new    What copy number 9 costs              ▱▱▱  20 min
      ○ new    What copy number 10 costs             ▱▱▱  20 min    Quiz
      ○ new    What copy number 11 costs             ▱▱▱  20 min    5 questions · best 3 of 5 · 2 missed last time
      ○ new    What copy number 12 costs             ▱▱▱  20 min
































    Enter read   c quiz 1   z quiz   m review   / search   : go to   d doctor   i tour   q quit   ? help
    ");
}

#[test]
fn nothing_above_the_list_moves_with_the_choice() {
    let mut course = twelve();
    course.lessons[2].summary = "It is long. ".repeat(12);
    let done = vec![read("start"), read("labs"), attempt(false, &["q-sum"])];
    for (width, height) in [(80, 24), (40, 12), (60, 18)] {
        let mut play = map(width, height, course.clone(), done.clone());
        let above = |play: &Play| {
            let screen = play.screen();
            let lines = screen.lines().map(str::to_owned);
            let above = lines.take_while(|it| !it.contains(" begun "));
            above.collect::<Vec<_>>()
        };
        let before = above(&play);
        assert!(
            before.iter().any(|it| it.contains("c  next:")),
            "{before:?}"
        );
        for _ in 0..4 {
            assert_eq!(above(play.keys("j")), before);
        }
    }
}

/// Twelve lessons, the first of which has the program of the picture.
fn with_picture() -> Course {
    let mut course = twelve();
    course.lessons[0].id = LessonId::new("two-workers");
    course.lessons[0].labs[0].id = LabId::new("first-run");
    course
}

#[test]
fn the_first_screen_shows_a_run_of_the_first_program_until_a_lesson_is_begun() {
    insta::assert_snapshot!(map(80, 24, with_picture(), Vec::new()).screen(), @"
    warpup · CUDA, understood                  0 of 12 lessons done ▱▱▱▱▱▱▱▱▱▱▱▱

    A course with labs: run small programs, and see what host and card do.

     8 words = torch.tensor(lengths…  line 8               9   10
     9 scores = words * 10            host ▄▂───▆███░░░░░░░░████████████░░░░░░░░
    10 total = scores.sum().item()    card ·········███████▄···▄█▆··▂██·▄███████
    Tesla T4 (modelled), 49.2 µs: ▂▄▆█ works  ░ waits  ─ Python  · idle

    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step

    ▸ ○ new    Where a tensor lives                                  ▱▱▱  20 min
      ○ new    What a copy costs                                     ▱▱▱  20 min
      ○ new    What copy number 3 costs                              ▱▱▱  20 min
      ○ new    What copy number 4 costs                              ▱▱▱  20 min
      ○ new    What copy number 5 costs                              ▱▱▱  20 min
                                                                             ↓ 7
    Every tensor has a device, and work happens there.
    20 min · 2 pages · 0 of 2 labs passed · 5 questions



    Enter read  c lesson 1  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
    insta::assert_snapshot!(map(52, 30, with_picture(), Vec::new()).screen(), @"
    warpup · CUDA, understood   0 of 12 lessons done

    A course with labs: run small programs, and see
    what host and card do.
    What a copy costs.

    line 8                  9   10
    host ▄▂────▆███▄░░░░░░░░▆██████████████░░░░░░░░░
    card ··········▄████████▂···▂██▂··▂██▄·▆████████
    Tesla T4 (modelled), 49.2 µs: ▂▄▆█ works  ░
    waits  ─ Python  · idle

    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step

    ▸ ○ new    Where a tensor lives
      ○ new    What a copy costs
      ○ new    What copy number 3 costs
      ○ new    What copy number 4 costs
      ○ new    What copy number 5 costs
      ○ new    What copy number 6 costs
      ○ new    What copy number 7 costs
      ○ new    What copy number 8 costs
                                                 ↓ 4
    Every tensor has a device, and work happens
    there.
    20 min · 2 pages · 0 of 2 labs passed · 5
    questions

    Enter read  c lesson 1  z quiz  q quit  ? help
    ");
}

#[test]
fn the_picture_of_a_run_is_there_in_every_width_and_in_ascii() {
    let mut play = map(120, 35, with_picture(), Vec::new());
    insta::assert_snapshot!(play.screen(), @"
    warpup · CUDA, understood                                                          0 of 12 lessons done ▱▱▱▱▱▱▱▱▱▱▱▱

    A course with labs: run small programs, and see what host and card do.
    What a copy costs.

     8 words = torch.tensor(lengths, dtype=tor…  line 8                     9    10
     9 scores = words * 10                       host ▄▄─────▆████░░░░░░░░░░▄████████████████▆░░░░░░░░░░
    10 total = scores.sum().item()               card ············▆█████████▂····▄██▄···▂██▆·▂██████████
    Tesla T4 (modelled), 49.2 µs: ▂▄▆█ works  ░ waits  ─ Python  · idle

    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step

    ▸ ○ new    Where a tensor lives                  ▱▱▱  20 min    Where a tensor lives
      ○ new    What a copy costs                     ▱▱▱  20 min    Every tensor has a device, and work happens there.
      ○ new    What copy number 3 costs              ▱▱▱  20 min    20 min
      ○ new    What copy number 4 costs              ▱▱▱  20 min
      ○ new    What copy number 5 costs              ▱▱▱  20 min    Labs
      ○ new    What copy number 6 costs              ▱▱▱  20 min    ○ Put it on the device
      ○ new    What copy number 7 costs              ▱▱▱  20 min    ○ Time a sum
      ○ new    What copy number 8 costs              ▱▱▱  20 min
      ○ new    What copy number 9 costs              ▱▱▱  20 min    Quiz
      ○ new    What copy number 10 costs             ▱▱▱  20 min    5 questions
      ○ new    What copy number 11 costs             ▱▱▱  20 min
      ○ new    What copy number 12 costs             ▱▱▱  20 min









    Enter read   c lesson 1   z quiz   / search   : go to   d doctor   i tour   q quit   ? help
    ");
    play.app.session.theme.letters = Letters::Ascii;
    play.keys("j");
    insta::assert_snapshot!(play.screen(), @"
    warpup - CUDA, understood                                                          0 of 12 lessons done ............

    A course with labs: run small programs, and see what host and card do.
    What a copy costs.

     8 words = torch.tensor(lengths, dtype=tor.  line 8                     9    10
     9 scores = words * 10                       host ==-----*####wwwwwwwwww=################*wwwwwwwwww
    10 total = scores.sum().item()               card ............*#########:....=##=...:##*.:##########
    Tesla T4 (modelled), 49.2 us: :=*# works  w waits  - Python  . idle

    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step

      o new    Where a tensor lives                  ...  20 min    What a copy costs
    > o new    What a copy costs                     ...  20 min    Each copy crosses the bus.
      o new    What copy number 3 costs              ...  20 min    20 min
      o new    What copy number 4 costs              ...  20 min
      o new    What copy number 5 costs              ...  20 min    Afterwards you can
      o new    What copy number 6 costs              ...  20 min    - Say what a copy costs before you run it.
      o new    What copy number 7 costs              ...  20 min
      o new    What copy number 8 costs              ...  20 min    Labs
      o new    What copy number 9 costs              ...  20 min    o Try the bus
      o new    What copy number 10 costs             ...  20 min    o Try the repair
      o new    What copy number 11 costs             ...  20 min
      o new    What copy number 12 costs             ...  20 min    Quiz
                                                                    4 questions








    Enter read   c lesson 1   z quiz   / search   : go to   d doctor   i tour   q quit   ? help
    ");
    play.keys("k\nnq");
    assert!(!play.screen().contains("Tesla"), "{}", play.screen());
}

#[test]
fn the_small_map_says_how_many_lessons_are_below() {
    let mut play = map(40, 12, twelve(), Vec::new());
    insta::assert_snapshot!(play.screen(), @"
    warpup · CUDA, un…  0 of 12 lessons done
    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step
    ▸ ○ new    Where a tensor lives
      ○ new    What a copy costs
      ○ new    What copy number 3 costs
      ○ new    What copy number 4 costs
      ○ new    What copy number 5 costs
                                         ↓ 7
    Every tensor has a device, and work
    happens there.
    Enter read  c lesson 1  q quit  ? help
    ");
    play.keys("G");
    assert!(
        play.screen()
            .contains("▸ ○ new    What copy number 12 costs"),
        "{}",
        play.screen()
    );
}

#[test]
fn one_key_goes_on_with_the_next_step() {
    let head = |done: Vec<Done>| {
        let mut play = map(80, 24, sample::with_short_end(), done);
        let screen = play.screen();
        let said = screen
            .lines()
            .find(|it| it.contains("c  next:") || it.contains("is done."));
        let said = said.unwrap_or("").trim().to_owned();
        play.keys("c");
        let screen = play.screen();
        format!("{said} -> {}", screen.lines().next().unwrap_or("").trim())
    };
    let steps = [
        head(vec![read("start")]),
        head(vec![read("start"), read("labs")]),
        head(vec![read("labs"), attempt(true, &[])]),
    ];
    insta::assert_snapshot!(steps.join("\n"), @"
    c  next: Where a tensor lives, 20 min -> Lesson 1 of 2                                         page 1 of 2 █████░░░░░
    c  next: Where a tensor lives, the quiz -> Where a tensor lives · 1 of 5 · 0 right                  needs 4 of 5 points
    c  next: What a copy costs, 20 min -> Lesson 2 of 2                                         page 1 of 1 ██████████
    ");
}

#[test]
fn both_keys_read_on_at_the_first_unread_page_of_the_lesson_that_comes_next() {
    let more =
        "\n## Third {#third}\n\nA.\n\n## Fourth {#fourth}\n\nB.\n\n## Fifth {#fifth}\n\nC.\n";
    let course = || warpup_course::sample::course_with("lessons/places.md", more);
    let done = vec![read("start"), read("labs"), read("fourth"), read("fifth")];
    let mut play = map(80, 24, course(), done);
    let lines = |play: &Play, words: &str| {
        let screen = play.screen();
        let line = screen.lines().find(|it| it.contains(words));
        line.unwrap_or_default().trim().to_owned()
    };
    // The furthest page without a gap before it, for both keys: two ways on in one lesson are one too many.
    insta::assert_snapshot!(lines(&play, "next:"), @"c  next: Where a tensor lives, page 2 of 5");
    insta::assert_snapshot!(lines(&play, "read on at"), @"Enter and c read on at page 2: Put it there");
    for key in ["c", "\n"] {
        play.keys(key);
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&play, "page 2"), @"Where a tensor lives                                  page 2 of 5 ████░░░░░░");
        }
        play.keys("q");
    }
    // In another lesson Enter opens the page where one was, and the footer says to which lesson the other key goes.
    let mut play = map(
        80,
        24,
        course(),
        vec![
            read("start"),
            read("labs"),
            read("third"),
            read("fourth"),
            read("fifth"),
        ],
    );
    insta::assert_snapshot!(lines(&play, "? help"), @"Enter read  c quiz 1  z quiz  / search  : go to  d doctor  q quit  ? help");
    insta::assert_snapshot!(lines(&play, "where you were"), @"Enter opens page 5, where you were: Fifth");
    // Another lesson is begun where its first page is read.
    let glanced = vec![
        read("start"),
        Done::Read {
            lesson: LessonId::new("copies"),
            page: PageId::new("the-bus"),
        },
    ];
    play = map(80, 24, course(), glanced);
    insta::assert_snapshot!(lines(&play, "next:"), @"c  next: Where a tensor lives, 20 min");
    insta::assert_snapshot!(lines(&play, "? help"), @"Enter read  c lesson 1  z quiz  / search  : go to  d doctor  q quit  ? help");
}

#[test]
fn a_wide_terminal_shows_the_pages_of_the_lesson_beside_the_text() {
    let done = || vec![read("labs"), passed_lab()];
    insta::assert_snapshot!(Play::with(160, 50, sample::course(), done()).screen().trim_end(), @r#"
    Where a tensor lives                                                                          page 2 of 2 ██████████

    Where a tensor lives            Put it there

      Where a tensor lives          Decide what it prints, then run it.
    ▸ Put it there ✓○
      Quiz ○                        ▶ Put it on the device  ● passed
                                    │ import torch
                                    │ x = torch.ones(3).to("cuda")
                                    │ print(x.device)
                                    └ r run   e edit

                                    ┌ Time a sum  ○ new
                                    │ print(1)
                                    └ r run   e edit   Enter open

                                    n  quiz: 5 questions
































    Enter open   r run   n quiz   p previous   Tab lab   / search   w words   q back   ? help
    "#);
    insta::assert_snapshot!(Play::with(120, 20, sample::course(), done()).screen(), @r#"
    Where a tensor lives                                                                          page 2 of 2 ██████████

    Where a tensor lives            Put it there

      Where a tensor lives          Decide what it prints, then run it.
    ▸ Put it there ✓○
      Quiz ○                        ▶ Put it on the device  ● passed
                                    │ import torch
                                    │ x = torch.ones(3).to("cuda")
                                    │ print(x.device)
                                    └ r run   e edit

                                    ┌ Time a sum  ○ new
                                    │ print(1)
                                    └ r run   e edit   Enter open

                                    n  quiz: 5 questions


    Enter open   r run   n quiz   p previous   Tab lab   / search   w words   q back   ? help
    "#);
    let narrow = Play::with(119, 24, sample::course(), done());
    assert!(!narrow.screen().contains("Quiz ○"), "{}", narrow.screen());
}

#[test]
fn bars_are_told_apart_without_unicode() {
    let play = map(80, 24, sample::course(), vec![read("labs"), passed_lab()]);
    let mut buffer = play.buffer();
    make_ascii(&mut buffer);
    let text: String = buffer.content.iter().map(Cell::symbol).collect();
    assert!(text.contains("#.."), "{text}");
}

#[test]
fn only_the_missed_questions_are_asked_again_from_the_map() {
    // Nothing to review yet: the key says so.
    let mut play = map(80, 24, sample::course(), vec![read("labs")]);
    let said = |play: &Play| play.screen().lines().last().unwrap_or("").trim().to_owned();
    play.keys("m");
    insta::assert_snapshot!(said(&play), @"Nothing to review: you missed no question last time.");
    play.keys("o");
    insta::assert_snapshot!(said(&play), @"This lesson asks nothing in your own words.");
    // A quiz that was answered in part and handed in, in another session.
    play.keys("z2\n\n").press(KeyCode::F(4)).keys("y");
    let saved: Vec<Done> = play.saved().into_iter().cloned().collect();
    let mut play = map(80, 24, sample::course(), saved);
    let screen = play.screen();
    let review = screen.lines().find(|it| it.contains("m  review:"));
    insta::assert_snapshot!(review.unwrap_or("").trim(), @"m  review: 4 questions of one lesson that you missed last time");
    // The other lesson is chosen: the one with missed questions is asked.
    play.keys("jm");
    insta::assert_snapshot!(play.screen().trim_end(), @"
    Where a tensor lives · 1 of 4 missed · 1 of 5 right      needs 4 of 5 points

    How many bytes are six float32?

    › Type a number (B), then Enter


















    Enter answer   F2 hint   F4 hand in quiz   Esc back   F1 help
    ");
}

fn card(busy: u32) -> NvmlCard {
    NvmlCard {
        name: Some("NVIDIA H200".to_owned()),
        memory_used: Some(13 << 30),
        memory_total: Some(140 << 30),
        busy_percent: Some(busy),
        temperature: Some(41),
        ..NvmlCard::default()
    }
}

/// How often the shell was asked for the cards.
fn asked(play: &Play) -> usize {
    let effects = play.effects.iter();
    effects.filter(|it| **it == Effect::AskCards).count()
}

#[test]
fn the_map_shows_the_cards_and_asks_again_only_while_it_is_visible() {
    let done = vec![read("start"), read("labs")];
    let mut play = map(80, 24, sample::course(), done);
    play.send(Event::Cards(vec![card(37)]));
    insta::assert_snapshot!(play.screen(), @"
    warpup · CUDA, understood                             0 of 2 lessons done ▱▱

    c  next: Where a tensor lives, the quiz
    card  NVIDIA H200 · 13.0 GiB of 140 GiB · 37 % busy · 41 °C

    ▸ ◐ begun  Where a tensor lives                                  ▱▱▱  20 min
      ○ new    What a copy costs                                     ▱▱▱  20 min

    Every tensor has a device, and work happens there.
    Enter opens page 2, where you were: Put it there
    20 min · 2 pages · 0 of 2 labs passed · 5 questions












    Enter read  c quiz 1  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
    let seen = play.now_ms;
    assert_eq!(play.app.wake_at(), Some(seen + 5000));
    // Below a page nobody looks at them.
    play.keys("\n");
    assert_eq!(play.app.wake_at(), None);
    play.send(Event::Tick);
    assert_eq!(asked(&play), 0);
    play.keys("q");
    play.now_ms = seen + 5000;
    play.send(Event::Tick);
    assert_eq!(asked(&play), 1);
    // An answer is awaited: nothing wakes, and nothing asks.
    assert_eq!(play.app.wake_at(), None);
    play.send(Event::Tick);
    assert_eq!(asked(&play), 1);
    play.send(Event::Cards(vec![card(80)]));
    assert!(play.screen().contains("80 % busy"), "{}", play.screen());
}

#[test]
fn without_a_card_nothing_wakes_and_nothing_is_drawn() {
    let mut play = map(80, 24, sample::course(), vec![read("labs")]);
    let before = play.screen();
    assert_eq!(play.app.wake_at(), None);
    // A driver that hangs or fails says nothing, too.
    play.send(Event::Cards(Vec::new()));
    assert_eq!(play.screen(), before);
    assert_eq!(play.app.wake_at(), None);
    play.send(Event::Cards(vec![card(1)]))
        .send(Event::Cards(Vec::new()));
    assert_eq!((play.screen(), play.app.wake_at()), (before, None));
}

#[test]
fn a_title_has_the_columns_that_a_date_would_take() {
    let mut course = sample::course();
    course.lessons[1].title = "What nvidia-smi cannot tell you about it".to_owned();
    let play = map(80, 24, course, vec![attempt(true, &[])]);
    let screen = play.screen();
    let rows: Vec<_> = screen
        .lines()
        .filter(|it| it.contains("done ") || it.contains("new "))
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @"
    warpup · CUDA, understood                             1 of 2 lessons done ▰▱
      ● done   Where a tensor lives                                  ▰▱▱  5 of 5
    ▸ ○ new    What nvidia-smi cannot tell you about it              ▱▱▱  20 min
    ");
}

#[test]
fn the_key_for_back_quits_on_the_map_when_it_is_pressed_twice() {
    let quits = |play: &Play| play.effects.contains(&Effect::Quit);
    let mut play = Play::new(80, 24);
    play.keys("q");
    let screen = play.screen();
    let said = screen.lines().last().unwrap_or("").trim();
    insta::assert_snapshot!(said, @"Quit warpup? q again quits.");
    // Any other key answers no.
    play.keys("jq").send(Event::Wheel(Wheel::Down)).keys("q");
    assert!(!quits(&play));
    play.keys("q");
    assert!(quits(&play));
    let mut play = Play::new(80, 24);
    play.press(KeyCode::Esc).press(KeyCode::Esc);
    assert!(quits(&play));
    let mut play = Play::new(80, 24);
    play.keys("Q");
    assert!(quits(&play));
}

#[test]
fn who_has_finished_a_lesson_begins_at_the_map_with_the_next_one() {
    let done = vec![read("labs"), attempt(true, &[])];
    let mut play = Play::with(80, 24, sample::course(), done.clone());
    let chosen = |play: &Play| {
        let screen = play.screen();
        assert!(screen.contains("1 of 2 lessons done"), "{screen}");
        let row = screen.lines().find(|it| it.contains('▸')).unwrap_or("");
        row.contains("What a copy costs")
    };
    assert!(chosen(&play), "{}", play.screen());
    // The choice stays where it is after another screen.
    play.keys(",q");
    assert!(chosen(&play), "{}", play.screen());
    // A lesson that is not done goes on where it was left.
    let play = Play::with(80, 24, sample::course(), vec![read("labs")]);
    assert!(play.screen().contains("page 2 of 2"), "{}", play.screen());
}

#[test]
fn the_last_page_of_a_lesson_that_is_done_leads_to_the_next_lesson() {
    let at_end = || {
        let done = vec![read("labs"), attempt(true, &[])];
        let mut play = Play::with(80, 24, sample::course(), done);
        play.keys("k\nG");
        play
    };
    let mut play = at_end();
    insta::assert_snapshot!(play.screen(), @r#"
    Where a tensor lives                                  page 2 of 2 ██████████

    Put it there

    Decide what it prints, then run it.

    ▶ Put it on the device  ○ new
    │ import torch
    │ x = torch.ones(3).to("cuda")
    │ print(x.device)
    └ r run   e edit   Enter open

    ┌ Time a sum  ○ new
    │ print(1)
    └ r run   e edit   Enter open

    n  next lesson: What a copy costs
    z  quiz again (● done)





    Enter open  r run  n next lesson  z quiz  p previous  q back  ? help
    "#);
    play.keys("n");
    assert!(
        play.screen().contains("What a copy costs"),
        "{}",
        play.screen()
    );
    let mut play = at_end();
    play.keys(" ");
    assert!(
        play.screen().contains("What a copy costs"),
        "{}",
        play.screen()
    );
    let mut play = at_end();
    play.keys("z");
    assert!(play.screen().contains("1 of 5"), "{}", play.screen());
}
