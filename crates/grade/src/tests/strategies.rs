//! What is earned by form alone.

use super::*;
use crate::strategies::{ManyOptions, OneOption, Strategy, guessable, guesses};

fn one_of(name: &str, texts: &[&str]) -> Question {
    question(name, "single", &options(texts))
}

fn many_of(name: &str, texts: &[&str]) -> Question {
    question(name, "multi", &options(texts))
}

/// What a strategy earns: points, and from which questions.
fn earned(quiz: &Quiz, one: OneOption, many: ManyOptions) -> String {
    let all = guesses(quiz);
    let strategy = Strategy { one, many };
    let found = all.iter().find(|it| it.strategy == strategy).unwrap();
    format!("{}: {}", found.points(), found.questions())
        .trim_end()
        .to_owned()
}

#[test]
fn length_and_place_in_the_file_are_noticed() {
    let quiz = quiz(vec![
        one_of("long", &["b", "+the longest", "c"]),
        one_of("short", &["+b", "longer", "longest"]),
        many_of("half", &["+quite long", "b", "+very long", "d"]),
        many_of("all", &["+a", "+b"]),
        numeric(),
    ]);
    insta::assert_snapshot!(earned(&quiz, OneOption::Longest, ManyOptions::LongerHalf), @r"
    4.0 of 10: long (2.00), half (2.00)
    ");
    insta::assert_snapshot!(earned(&quiz, OneOption::Shortest, ManyOptions::All), @r"
    4.0 of 10: short (2.00), all (2.00)
    ");
    insta::assert_snapshot!(earned(&quiz, OneOption::First, ManyOptions::ShorterHalf), @r"
    2.0 of 10: short (2.00)
    ");
    insta::assert_snapshot!(earned(&quiz, OneOption::Last, ManyOptions::First), @r"
    0.0 of 10:
    ");
}

#[test]
fn a_place_is_worth_what_the_shuffle_leaves_of_it() {
    // Two points a question: a third of them in the mean, whatever the place.
    let shuffled = quiz(vec![
        one_of("q-a", &["+a", "b", "c"]),
        one_of("q-b", &["+a", "b", "c"]),
    ]);
    for place in 0..3 {
        let all = guesses(&shuffled);
        let found = all
            .iter()
            .find(|it| it.strategy.one == OneOption::Place(place));
        let points = found.unwrap().points();
        assert!(points.starts_with("1."), "{place}: {points}");
    }
    // Pinned to the end, and without a shuffle, a right option is always found.
    let pinned = quiz(vec![one_of("q-pinned", &["a", "+last"])]);
    insta::assert_snapshot!(earned(&pinned, OneOption::Place(1), ManyOptions::All), @r"
    2.0 of 2: q-pinned (2.00)
    ");
    let keys = options(&["+a", "b", "c", "last"]) + "shuffle = false";
    let fixed = quiz(vec![question("q-fixed", "single", &keys)]);
    insta::assert_snapshot!(earned(&fixed, OneOption::Place(0), ManyOptions::All), @r"
    2.0 of 2: q-fixed (2.00)
    ");
    insta::assert_snapshot!(earned(&fixed, OneOption::Place(1), ManyOptions::All), @r"
    0.0 of 2:
    ");
}

#[test]
fn a_draw_is_guessed_in_the_mean_over_what_attempts_ask() {
    let long = |name| one_of(name, &["b", "+the longest", "c"]);
    let mut drawn = quiz(vec![long("q-a"), numeric(), text()]);
    drawn.ask = Some(2);
    // Two of three questions, and one of them is guessed where it is drawn.
    insta::assert_snapshot!(earned(&drawn, OneOption::Longest, ManyOptions::All), @"1.5 of 4: q-a (1.45)");
    drawn.questions[0].always = true;
    insta::assert_snapshot!(earned(&drawn, OneOption::Longest, ManyOptions::All), @"2.0 of 4: q-a (2.00)");
}

#[test]
fn numbers_texts_and_predictions_are_not_guessed_and_orders_and_pairs_rarely() {
    let quiz = quiz(vec![numeric(), text(), order(), pairs(), predict("")]);
    insta::assert_snapshot!(earned(&quiz, OneOption::Longest, ManyOptions::All), @"0.2 of 8: pairs (0.24)");
}

#[test]
fn a_quiz_that_form_solves_is_reported_with_the_questions_that_do_it() {
    let told = |questions| -> Vec<String> {
        let mut course = sample::course();
        course.lessons.truncate(1);
        course.lessons[0].quiz = Some(quiz(questions));
        let found = guessable(&course);
        found.into_iter().map(|it| it.message).collect()
    };
    let long = || one_of("q-long", &["b", "+the longest", "c"]);
    let third = || one_of("q-third", &["bb", "+b", "bbb"]);
    insta::assert_snapshot!(told(vec![long(), numeric(), third()]).join("\n"), @"");
    // One question alone says nothing about a quiz.
    insta::assert_snapshot!(told(vec![long(), numeric()]).join("\n"), @"");
    let other = one_of("q-other", &["+the longest again", "b", "c"]);
    insta::assert_snapshot!(told(vec![long(), other, numeric()]).join("\n"), @"4.0 of 6 points for always taking the longest option, and of several the longer half: q-long (2.00), q-other (2.00)");
}
