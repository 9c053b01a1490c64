//! What is said about quizzes that ask only some of their questions.

use super::questions::wrong;
use super::*;
use insta::assert_snapshot;

/// What is wrong with a quiz of three questions that has this in its head, and these keys in its questions.
fn said(head: &str, keys: [&str; 3]) -> String {
    let questions = ["q-a", "q-b", "q-c"].into_iter().zip(keys);
    let questions = questions.map(|(id, keys)| {
        format!(
            "[[question]]\nid = \"{id}\"\ntype = \"text\"\nprompt = \"What?\"\nexplain = \"So.\"\naccept = [\"a\"]\n{keys}\n"
        )
    });
    let questions: String = questions.collect();
    let sources = course_of("x\n", &format!("{QUIZ}{head}\n{questions}"));
    let (course, _) = parse(&sources);
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    let (asks, points) = (quiz.asks(), quiz.points());
    format!("{}asks {asks} for {points} points", shown(&sources))
}

#[test]
fn a_quiz_asks_all_unless_it_says_how_many() {
    assert_snapshot!(said("", [""; 3]), @"asks 3 for 3 points");
    assert_snapshot!(said("ask = 2", [""; 3]), @"asks 2 for 2 points");
    assert_snapshot!(said("ask = 2", ["always = true\npoints = 3", "", ""]), @"asks 2 for 4 points");
}

#[test]
fn numbers_that_do_not_fit_are_told() {
    assert_snapshot!(said("ask = 0", [""; 3]), @"
    error[ask-range]: an attempt asks at least 1 question
     --> quizzes/lesson.toml:5:7
      |
    5 | ask = 0
      |       ^
      |
      = help: leave `ask` out, and an attempt asks all questions
    asks 3 for 3 points
    ");
    assert_snapshot!(said("ask = 4", [""; 3]), @"
    error[ask-range]: an attempt asks 4 questions, but 3 count
     --> quizzes/lesson.toml:5:7
      |
    5 | ask = 4
      |       ^
      |
      = help: add questions, or leave `ask` out to ask all of them
    asks 3 for 3 points
    ");
    assert_snapshot!(said("ask = 1", ["always = true", "always = true", ""]), @"
    error[ask-range]: 2 questions are `always` asked, but an attempt asks 1
     --> quizzes/lesson.toml:5:7
      |
    5 | ask = 1
      |       ^
      |
      = help: let `ask` be 2 or more
    asks 2 for 2 points
    ");
    assert_snapshot!(said("", ["", "always = true", ""]), @"
    warning[always-without-ask]: `always` changes nothing: this quiz asks all of its questions
      --> quizzes/lesson.toml:13:1
       |
    13 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: let the quiz say how many questions an attempt asks: `ask = 8`
    asks 3 for 3 points
    ");
}

#[test]
fn draws_of_other_points_are_told_but_not_where_all_are_asked() {
    assert_snapshot!(said("ask = 2", ["", "points = 2", ""]), @"
    warning[unequal-points]: this question has other points than the first one that is drawn, so attempts differ in points
      --> quizzes/lesson.toml:13:1
       |
    13 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: give all questions that are drawn the same `points`, or let this one be `always = true`
    asks 2 for 3 points
    ");
    assert_snapshot!(said("ask = 3", ["", "points = 2", ""]), @"asks 3 for 4 points");
    assert_snapshot!(said("ask = 1", ["always = true", "points = 2", ""]), @"asks 1 for 1 points");
}

#[test]
fn only_what_counts_can_be_always_asked() {
    assert_snapshot!(wrong("words", "parts = [\"One.\", \"Two.\"]\nalways = true"), @"
    error[not-graded]: a words question is not graded, so it has no `always`
      --> quizzes/lesson.toml:20:1
       |
    20 | always = true
       | ^^^^^^
       |
       = help: leave it out
    ");
    assert_snapshot!(wrong("predict", "lab = \"copy\"\nmetric = \"host_ms\"\nalways = true"), @"
    error[does-not-count]: a predict question that does not count cannot be in every attempt
      --> quizzes/lesson.toml:21:10
       |
    21 | always = true
       |          ^^^^
       |
       = help: leave `always` out
    ");
}

#[test]
fn every_question_of_a_pool_is_proved() {
    let bad = "samples_ok = [\"b\"]";
    assert_snapshot!(said("ask = 1", ["", "", bad]), @"
    error[key-disagrees]: question `q-c`: `b` is graded wrong
      --> quizzes/lesson.toml:20:1
       |
    20 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: change the key or this claim, so that both say the same
    asks 1 for 1 points
    ");
}
