//! The map, the help, and what is around every screen.

use super::{Play, sample};
use crate::app::Event;
use crate::effect::Effect;
use crate::session::{DiskState, Receipt, SaveReport};
use ratatui::crossterm::event::KeyCode;
use warpup_course::{LessonId, PageId};
use warpup_progress::Event as Done;

#[test]
fn a_new_learner_sees_the_map() {
    insta::assert_snapshot!(Play::new(80, 24).screen(), @"
    warpup · CUDA, understood                             0 of 2 lessons done ▱▱

    A course with labs: run small programs, and see what host and card do.
    What a copy costs.
    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step

    ▸ ○ new    Where a tensor lives                                  ▱▱▱  20 min
      ○ new    What a copy costs                                     ▱▱▱  20 min

    Every tensor has a device, and work happens there.
    20 min · 2 pages · 0 of 2 labs passed · 5 questions











    Enter read  c lesson 1  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
    insta::assert_snapshot!(Play::new(40, 12).screen(), @"
    warpup · CUDA, und…  0 of 2 lessons done
    A course with labs: run small programs,
    and see what host and card do.
    What a copy costs.
    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step
    ▸ ○ new    Where a tensor lives
      ○ new    What a copy costs

    Every tensor has a device, and work
    happens there.
    Enter read  c lesson 1  q quit  ? help
    ");
}

#[test]
fn help_comes_from_the_key_table() {
    insta::assert_snapshot!(Play::new(80, 24).keys("?").screen(), @"
    Help

    ? a word or a key, such as F5                                       23 of 23

    On this screen
    ▸ Enter  l            open the lesson
      c                   go on with the next step of the course
      z                   take its quiz
      m                   only the questions that you missed last time
      o                   explain in your own words; nobody grades it
      /                   search the page, the lesson and the course
      :  Ctrl-P           go to anything: lessons, pages, labs, words, keys
      ↑  k                up
      ↓  j                down
      g  Home             to the top
      G  End              to the end
      p                   problems in the course files
      d                   the doctor: what is between a program and the card
      i                   the tour: a first run, step by step
      q  Esc              quit, when it is pressed twice

    Everywhere
                                                                            ↓ 19
    Enter run it   ↓ down   Esc close
    ");
    let mut play = Play::new(80, 24);
    play.keys("?");
    for _ in 0..3 {
        play.press(KeyCode::PageDown);
    }
    let screen = play.screen();
    assert!(screen.contains("at most ten"), "{screen}");
}

#[test]
fn a_disk_that_takes_nothing_is_said_until_it_does_and_asked_about_on_leaving() {
    let mut play = Play::new(80, 24);
    play.saves = false;
    play.keys("\n");
    play.send(Event::Saved(SaveReport {
        upto: Receipt::default(),
        disk: DiskState::Failing("no space left on device".to_owned()),
    }));
    let screen = play.screen();
    assert!(
        screen.starts_with(" NOT SAVED (1): no space left on device; S saves elsewhere\n"),
        "{screen}"
    );
    play.keys("Q");
    assert!(play.screen().contains("not saved where it belongs. Quit"));
    assert!(!play.effects.contains(&Effect::Quit));
    play.keys("nSQy");
    assert!(play.effects.contains(&Effect::SaveElsewhere));
    assert_eq!(play.effects.last(), Some(&Effect::Quit));
}

#[test]
fn a_small_terminal_is_told_so() {
    insta::assert_snapshot!(Play::new(30, 10).screen(), @r"
    enlarge: 30×10 is too small,
    40×12 is needed
    ");
}

#[test]
fn a_quiz_from_the_map_leaves_the_choice_where_it_was() {
    let read = Done::Read {
        lesson: LessonId::new("places"),
        page: PageId::new("labs"),
    };
    let mut play = Play::with(80, 24, sample::course(), vec![read]);
    let chosen = |play: &Play| {
        let screen = play.screen();
        let row = screen.lines().find(|it| it.contains('▸')).unwrap_or("");
        row.contains("What a copy costs")
    };
    play.keys("q");
    assert!(!chosen(&play), "{}", play.screen());
    play.keys("jz");
    assert!(
        play.screen().contains("1 of 4 · 0 right"),
        "{}",
        play.screen()
    );
    play.keys("q");
    assert!(chosen(&play), "{}", play.screen());
    play.keys("\n").keys("q");
    assert!(chosen(&play), "{}", play.screen());
}

#[test]
fn the_help_says_how_much_is_below() {
    insta::assert_snapshot!(Play::new(40, 12).keys("?").screen(), @"
    Help
    ? a word or a key, such as F5   23 of 23

    On this screen
    ▸ Enter  l            open the lesson
      c                   go on with the
                          next step of the
                          course
      z                   take its quiz
      m                   only the questions
                          that you missed
    Enter run it   ↓ down   Esc close   ↓ 69
    ");
}

#[test]
fn a_key_of_another_screen_says_where_it_works() {
    let mut play = Play::new(80, 24);
    let last = |play: &Play| play.screen().lines().last().unwrap_or("").trim().to_owned();
    play.keys("\nm");
    insta::assert_snapshot!(last(&play), @"m works on the map: only the questions that you missed last time");
    play.keys("j");
    insta::assert_snapshot!(last(&play), @"Enter next page   / search   w words   q back   ? help");
}

#[test]
fn a_deadline_stays_until_the_lesson_is_passed_also_in_a_long_course() {
    let mut course = sample::course();
    let more: Vec<_> = (0..30).map(|_| course.lessons[1].clone()).collect();
    course.lessons.extend(more);
    let due = LessonId::new("places");
    course.due_ms.insert(due, 951_782_400_000);
    let play = Play::with(
        80,
        24,
        course,
        vec![Done::Attempted {
            lesson: LessonId::new("places"),
            attempt: "a".to_owned(),
            score: warpup_grade::Score {
                earned: 300,
                max: 500,
            },
            above_percent: 75,
            passed: false,
            took_ms: 0,
            missed: Vec::new(),
            drawn: Vec::new(),
        }],
    );
    let screen = play.screen();
    assert!(screen.contains("due 2000-02-29\n"), "{screen}");
    assert!(
        screen.contains("20 min · due 2000-02-29 00:00 (time of UTC)"),
        "{screen}"
    );
}

#[test]
fn a_deadline_is_in_the_row_and_in_the_details_in_the_zone_of_the_reader() {
    let mut course = sample::course();
    course
        .due_ms
        .insert(LessonId::new("places"), 951_782_400_000);
    let mut play = Play::with(80, 24, course, Vec::new());
    insta::assert_snapshot!(play.screen(), @"
    warpup · CUDA, understood                             0 of 2 lessons done ▱▱

    A course with labs: run small programs, and see what host and card do.
    What a copy costs.
    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step

    ▸ ○ new    Where a tensor lives                          ▱▱▱  due 2000-02-29
      ○ new    What a copy costs                             ▱▱▱          20 min

    Every tensor has a device, and work happens there.
    20 min · due 2000-02-29 00:00 (time of UTC) · 2 pages · 0 of 2 labs passed ·
    5 questions










    Enter read  c lesson 1  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
    insta::assert_snapshot!(play.send(Event::Resize(40, 12)).screen(), @"
    warpup · CUDA, und…  0 of 2 lessons done
    A course with labs: run small programs,
    and see what host and card do.
    What a copy costs.
    c  next: Where a tensor lives, 20 min
    i  tour: a first run, step by step
    ▸ ○ new    Where a tensor lives
      ○ new    What a copy costs

    20 min · due 2000-02-29 00:00 (time of
    UTC)
    Enter read  c lesson 1  q quit  ? help
    ");
}
