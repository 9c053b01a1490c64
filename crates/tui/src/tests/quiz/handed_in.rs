//! A quiz without keys: it is answered and handed in, and nothing says what is right.

use super::right_pairs;
use crate::tests::Play;
use warpup_course::{Course, parse, sample};
use warpup_exchange::{Remarks, pack};
use warpup_progress::Event as Done;

/// The sample course without its keys.
fn course() -> Course {
    let whole = sample::sources();
    let without = pack::without_keys(&parse(&whole).0, &whole, &mut Remarks::default());
    parse(&without.unwrap()).0
}

/// Answers all five questions, the second one wrong.
fn taken(width: u16, height: u16) -> Play {
    handed_in(Play::with(width, height, course(), Vec::new()))
}

/// Does so from the map.
fn handed_in(mut play: Play) -> Play {
    play.keys("z").keys("2\n\n");
    play.keys("25 B\n\n");
    play.keys("12\n\n");
    play.keys("J\n\n");
    right_pairs(&mut play);
    play
}

#[test]
fn an_answer_is_kept_and_not_judged() {
    let mut play = Play::with(80, 24, course(), Vec::new());
    insta::assert_snapshot!(play.keys("z2").screen(), @"
    Where a tensor lives · 1 of 5                      graded by your instructor

    Where does y live?

      1 ○ the host
    ▸ 2 ● the card

















    Enter answer   ↓ choose   h hint   x hand in quiz   q back   ? help
    ");
    insta::assert_snapshot!(play.keys("\n").screen(), @"
    Where a tensor lives · 1 of 5                      graded by your instructor

    ● answered: your instructor grades it

    Where does y live?

    your answer: the card
















    Enter next   q back   ? help
    ");
    let mut play = Play::with(40, 12, course(), Vec::new());
    insta::assert_snapshot!(play.keys("z2\n").screen(), @"
    1 of 5         graded by your instructor
    ● answered: your instructor grades it

    Where does y live?

    your answer: the card





    Enter next   q back   ? help
    ");
}

#[test]
fn the_end_says_who_grades_it_and_goes_on_with_the_next_lesson() {
    insta::assert_snapshot!(taken(80, 24).screen(), @"
    Where a tensor lives · quiz                                        handed in

    ◕ handed in
    Answered 5 of 5. Your instructor grades it.
    `warpup --course COURSE class submit` hands it in, and `progress export
    FILE` writes it for your instructor; COURSE is what you started warpup with.

    Enter  next lesson: What a copy costs

    ▸ 1  ● answered
        Where does y live?

        your answer: the card

        l  read again: Put it there

      2  ● answered
        How many bytes are six float32?

        your answer: 25 B

        read again: Put it there
                                                                            ↓ 21
    Enter next lesson   l read again   a all again   q back   ? help
    ");
    insta::assert_snapshot!(taken(40, 12).screen(), @"
    Where a tensor lives · quiz    handed in
    ◕ handed in
    Answered 5 of 5. Your instructor grades
    it.
    `warpup --course COURSE class submit`
    hands it in, and `progress export FILE`
    writes it for your instructor; COURSE is
    what you started warpup with.

    Enter  next lesson: What a copy costs

    Enter next lesson  q back  ? help   ↓ 35
    ");
    assert!(
        taken(80, 24)
            .keys("n")
            .screen()
            .contains("What a copy costs")
    );
    assert!(
        taken(80, 24).keys("r").screen().contains("handed in"),
        "nothing is known to be missed"
    );
}

#[test]
fn the_map_counts_the_lesson_as_handed_in() {
    let mut play = taken(80, 24);
    insta::assert_snapshot!(play.keys("q").screen(), @"
    warpup · CUDA, understood                0 of 2 lessons done, 1 handed in ▱▱

    c  next: What a copy costs, 20 min

    ▸ ◕ handed in  Where a tensor lives                              ▰▱▱
      ○ new        What a copy costs                                 ▱▱▱  20 min

    Every tensor has a device, and work happens there.
    20 min · 2 pages · 0 of 2 labs passed · 5 questions














    Enter read  c lesson 2  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
    let mut play = taken(40, 12);
    insta::assert_snapshot!(play.keys("q").screen(), @"
    warpu…  0 of 2 lessons done, 1 handed in
    c  next: What a copy costs, 20 min
    ▸ ◕ handed in  Where a tensor lives
      ○ new        What a copy costs

    Every tensor has a device, and work
    happens there.




    Enter read  c lesson 2  q quit  ? help
    ");
}

#[test]
fn a_lesson_that_was_read_and_handed_in_is_not_the_next_step() {
    let mut play = Play::with(80, 24, course(), Vec::new());
    play.keys("\nq");
    assert!(play.screen().contains("next: Where a tensor lives"));
    let mut play = handed_in(play);
    assert!(play.keys("q").screen().contains("next: What a copy costs"));
}

#[test]
fn each_answer_is_saved_without_a_score_and_the_attempt_as_handed_in() {
    let play = taken(80, 24);
    let answered = |it: &&Done| matches!(it, Done::Answered { score: None, .. });
    let handed_in = |it: &&Done| matches!(it, Done::HandedIn { .. });
    let saved = play.saved();
    assert_eq!(saved.iter().filter(|it| answered(it)).count(), 5);
    assert_eq!(saved.iter().filter(|it| handed_in(it)).count(), 1);
}
