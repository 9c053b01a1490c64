//! What an instructor has sent back: where it is shown, and how often.

use super::{Play, sample};
use crate::app::Event;
use crate::effect::Effect;
use ratatui::crossterm::event::KeyCode;
use std::collections::BTreeMap;
use warpup_course::{LabId, LessonId, QuestionId};
use warpup_grade::Score;
use warpup_progress::{Comment, CommentSubject, Event as Done, Feedback, GradedQuiz};

fn feedback() -> Feedback {
    let comment = |about, text: &str| Comment {
        lesson: LessonId::new("places"),
        about,
        text: text.to_owned(),
    };
    let question = CommentSubject::Question(QuestionId::new("q-place"));
    let lab = CommentSubject::Lab(LabId::new("placement"));
    let score = |earned, max| Score { earned, max };
    Feedback {
        comments: vec![
            comment(Some(question), "Which device has the *host*?\u{1b}[2J"),
            comment(Some(lab), "The loop copies twice.\nLook at its first line."),
        ],
        graded: vec![GradedQuiz {
            lesson: LessonId::new("copies"),
            attempt: "1".to_owned(),
            score: score(300, 400),
            passed: false,
            questions: BTreeMap::from([(QuestionId::new("q-bus"), score(100, 100))]),
        }],
        ..Feedback::default()
    }
}

fn play(width: u16, height: u16) -> Play {
    let done = vec![Done::HandedIn {
        lesson: LessonId::new("copies"),
        attempt: "1".to_owned(),
        took_ms: 1,
        drawn: Vec::new(),
    }];
    let mut play = Play::with(width, height, sample::course(), done);
    play.send(Event::Feedback(feedback()));
    play
}

#[test]
fn the_map_marks_the_lesson_and_its_details_have_the_words() {
    let mut play = play(80, 24);
    insta::assert_snapshot!(play.screen(), @"
    warpup · CUDA, understood                0 of 2 lessons done, 1 handed in ▱▱

    c  next: Where a tensor lives, 20 min

    ▸ ○ new     ✎ Where a tensor lives                               ▱▱▱  20 min
      ◕ graded  What a copy costs                                    ▰▱▱  3 of 4

    Every tensor has a device, and work happens there.
    20 min · 2 pages · 0 of 2 labs passed · 5 questions
    Your instructor wrote about the question “Where does y live?”: Which device
    has the *host*?␛[2J
    Your instructor wrote about the lab “Put it on the device”: The loop copies
    twice. Look at its first line.










    Enter read  c lesson 1  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
    insta::assert_snapshot!(play.keys("j").screen(), @"
    warpup · CUDA, understood                0 of 2 lessons done, 1 handed in ▱▱

    c  next: Where a tensor lives, 20 min

      ○ new     ✎ Where a tensor lives                               ▱▱▱  20 min
    ▸ ◕ graded  What a copy costs                                    ▰▱▱  3 of 4

    Each copy crosses the bus.
    20 min · 2 pages · 0 of 2 labs passed · 4 questions
    Your instructor graded the quiz
    not passed, 3 of 4 points
    “What is wrong with the bus?”: 1 of 1











    Enter read  c lesson 1  z quiz  / search  : go to  d doctor  q quit  ? help
    ");
    insta::assert_snapshot!(play.keys("k").send(Event::Resize(120, 20)).screen(), @"
    warpup · CUDA, understood                                                        0 of 2 lessons done, 1 handed in ▱▱

    c  next: Where a tensor lives, 20 min

    ▸ ○ new     ✎ Where a tensor lives               ▱▱▱  20 min    Where a tensor lives
      ◕ graded  What a copy costs                    ▰▱▱  3 of 4    Every tensor has a device, and work happens there.
                                                                    20 min

                                                                    Your instructor wrote about the question “Where does
                                                                    y live?”
                                                                    Which device has the *host*?␛[2J

                                                                    Your instructor wrote about the lab “Put it on the
                                                                    device”
                                                                    The loop copies twice.
                                                                    Look at its first line.

                                                                    Labs

    Enter read   c lesson 1   z quiz   / search   : go to   d doctor   i tour   q quit   ? help
    ");
}

#[test]
fn a_comment_opens_at_its_quiz_or_lab_once() {
    let mut play = play(60, 12);
    insta::assert_snapshot!(play.keys("z").screen(), @"
    From your instructor                Where a tensor lives
    Your instructor wrote about the question “Where does y
    live?”
    Which device has the *host*?␛[2J

    The map shows this again, and so does `warpup class
    feedback`.




    Space close   q back
    ");
    let kept = |play: &Play| {
        let effects = play.effects.iter();
        effects
            .filter(|it| matches!(it, Effect::KeepSeen(_)))
            .count()
    };
    assert_eq!(kept(&play), 1);
    let quiz = play.keys("q").screen();
    assert!(quiz.contains("1 of 5"), "{quiz}");
    let again = play.keys("qz").screen();
    assert_eq!(again, quiz);
    assert_eq!(kept(&play), 1);
    // The second page has the lab.
    let page = play.keys("q").press(KeyCode::Enter).screen();
    assert!(!page.contains("instructor"), "{page}");
    let page = play.keys("n").screen();
    assert!(page.contains("The loop copies twice."), "{page}");
    let page = play.keys("q").screen();
    assert!(page.contains("Put it there"), "{page}");
}

#[test]
fn a_long_course_has_room_for_some_words_and_says_how_to_read_all() {
    let mut course = sample::course();
    let more = (0..30).map(|_| course.lessons[1].clone());
    let more: Vec<_> = more.collect();
    course.lessons.extend(more);
    let due = LessonId::new("places");
    course.due_ms.insert(due, 951_782_400_000);
    let mut long = feedback();
    long.comments[1].text = "Many words. ".repeat(200);
    for (width, height) in [(80, 24), (120, 35)] {
        let mut play = Play::with(width, height, course.clone(), vec![]);
        play.send(Event::Feedback(long.clone()));
        let screen = play.screen();
        assert!(
            screen.contains("instructor wrote about the question"),
            "{screen}"
        );
        assert!(
            screen.contains("due 2000-02-29 00:00 (time of UTC)"),
            "{screen}"
        );
        assert!(screen.contains("`warpup class feedback`"), "{screen}");
    }
}

#[test]
fn space_and_enter_page_through_a_letter_and_close_it_at_its_end() {
    for key in [KeyCode::Enter, KeyCode::Char(' ')] {
        let mut play = play(60, 12);
        let mut long = feedback();
        long.comments[0].text = "Many words. ".repeat(80);
        play.send(Event::Feedback(long));
        let screen = play.keys("z").screen();
        assert!(screen.contains("Space more"), "{screen}");
        let screen = play.press(key).press(key).screen();
        assert!(screen.contains("Space close"), "{screen}");
        let screen = play.press(key).screen();
        assert!(screen.contains("1 of 5"), "{screen}");
    }
}
