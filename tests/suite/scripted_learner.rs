//! The whole course taken by a script: in the app, from the map to the last quiz, and by files of answers.
//!
//! Of each lesson it runs the lab that asks for a prediction; `check --run-labs` runs all of them.

use crate::labs::shipped_course;
use crate::learner::Learner;
use crate::pty::{Start, Terminal};
use crate::way::{self, Plan};
use std::fs;
use warpup::course::{Course, Lab, Lesson, QuestionKind, Quiz};
use warpup::grade::Answer;

#[test]
fn every_lesson_is_read_tried_failed_passed_and_done_after_a_restart() {
    let course = shipped_course();
    let mut terminal = Start::warpup().size(100, way::TALL).spawn();
    for (done, lesson) in course.lessons.iter().enumerate() {
        way::to_map(&terminal, &course, done);
        way::to_lesson(&mut terminal, &course, lesson);
        let page = predict(&mut terminal, lesson);
        way::to_page(&mut terminal, lesson, page, lesson.pages.len());
        fail_and_pass(&mut terminal, lesson);
        terminal.press("q");
        let heading = format!("page {0} of {0}", lesson.pages.len());
        terminal.wait_for(|it| it.contains(&heading), &heading);
        terminal.press("q");
    }
    assert_all_done(&terminal, &course);
    terminal.press("Q");
    assert!(terminal.wait_exit().success());
    let mut back = Start::warpup()
        .size(100, way::TALL)
        .home_of(&terminal)
        .spawn();
    back.wait_for(|it| it.contains("page "), "where the learner left off");
    back.press("q");
    assert_all_done(&back, &course);
}

/// Waits for the whole map: a long screen comes in pieces, and its first line is there before its last.
fn assert_all_done(terminal: &Terminal, course: &Course) {
    way::to_map(terminal, course, course.lessons.len());
    for lesson in &course.lessons {
        let start: String = lesson.title.chars().take(30).collect();
        let is_row = |it: &str| it.contains("● done") && it.contains(&start);
        let what = format!("{start} is done");
        terminal.wait_for(|map| map.lines().any(is_row), &what);
    }
}

/// Goes to the lesson's first lab with a prediction, guesses, and lets it run. Gives the page it stands on.
fn predict(terminal: &mut Terminal, lesson: &Lesson) -> usize {
    let quiz = way::quiz(lesson);
    // A repair stops where it is broken, and says nothing of a prediction.
    let asks = |it: &&Lab| it.predict.is_some() && it.solution.is_none();
    let lab = lesson.labs.iter().find(asks);
    let lab = lab.unwrap_or_else(|| panic!("{} has nothing to predict", lesson.id));
    let question = lab
        .predict
        .as_ref()
        .and_then(|it| quiz.question(it))
        .unwrap();
    let page = way::to_lab(terminal, lesson, 1, lab.id.as_str());
    way::to(terminal, "r", "the run starts when you have committed");
    way::answer(terminal, question, &way::guess(question));
    let after = way::to(terminal, "<Enter>", "you predicted: ");
    assert!(after.contains("✓ passed"), "{after}");
    let heading = format!("page {page} of {}", lesson.pages.len());
    way::to(terminal, "q", &heading);
    page
}

/// Takes the quiz: first as well as one can without passing it, then the missed questions again.
fn fail_and_pass(terminal: &mut Terminal, lesson: &Lesson) {
    let quiz = way::quiz(lesson);
    terminal.press("z");
    let short = way::short_of_passing(quiz);
    let everything = vec![true; short.is_right.len()];
    way::take(terminal, lesson, &short, &everything);
    way::told_to_be_short(terminal, lesson, &short);
    terminal.press("r");
    let missed: Vec<bool> = short.is_right.iter().map(|it| !it).collect();
    way::take(terminal, lesson, &way::passing(quiz), &missed);
    terminal.wait_for(|it| it.contains("passed: this lesson is done"), "passed");
}

#[test]
fn every_quiz_is_passed_by_its_keys_and_failed_by_wrong_answers_and_by_exactly_the_share() {
    let course = shipped_course();
    let learner = Learner::new();
    for lesson in &course.lessons {
        let quiz = way::quiz(lesson);
        let handed_in = |plan: &Plan| hand_in(&learner, lesson, quiz, plan);
        assert_eq!(handed_in(&way::failing(quiz)), Some(1), "{}", lesson.id);
        assert_eq!(
            handed_in(&way::short_of_passing(quiz)),
            Some(1),
            "{}",
            lesson.id
        );
        assert_eq!(handed_in(&way::passing(quiz)), Some(0), "{}", lesson.id);
    }
    let quizzes = course.lessons.iter().map(way::quiz);
    let exact = quizzes.filter(|it| way::short_of_passing(it).is_exact(it));
    assert!(
        exact.count() > 0,
        "no quiz of the course can be failed by exactly the share"
    );
}

/// Hands a quiz in by a file, sees that it gives the planned points, and says how that ended.
fn hand_in(learner: &Learner, lesson: &Lesson, quiz: &Quiz, plan: &Plan) -> Option<i32> {
    let questions = quiz.counted().zip(&plan.answers);
    let lines = questions.map(|(question, answer)| format!("{} = {}\n", question.id, toml(answer)));
    let path = learner.0.path().join("answers.toml");
    fs::write(&path, lines.collect::<String>()).unwrap();
    let words = [
        "quiz",
        lesson.id.as_str(),
        "--answers",
        path.to_str().unwrap(),
    ];
    let output = learner.run(&words);
    let shown = String::from_utf8(output.stdout).unwrap();
    let score = format!("Score: {} of {} points", plan.points, plan.max);
    assert!(
        shown.contains(&score),
        "{}: no {score:?} in:\n{shown}",
        lesson.id
    );
    output.status.code()
}

/// An answer as files have it.
fn toml(answer: &Answer) -> String {
    let list = |ids: Vec<String>| format!("[{}]", ids.join(", "));
    let quoted = |it: &str| format!("{it:?}");
    match answer {
        Answer::Single(id) => quoted(id.as_str()),
        Answer::Multi(ids) => list(ids.iter().map(|it| quoted(it.as_str())).collect()),
        Answer::Order(ids) => list(ids.iter().map(|it| quoted(it.as_str())).collect()),
        Answer::Number(typed) | Answer::Text(typed) => quoted(typed),
        Answer::Match(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(left, right)| format!("{left} = {:?}", right.as_str()));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

#[test]
fn some_quiz_asks_each_kind_of_question() {
    let course = shipped_course();
    let questions = course
        .lessons
        .iter()
        .flat_map(|it| &way::quiz(it).questions);
    let mut kinds: Vec<&str> = questions.map(|it| kind(&it.kind)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // Whether to ask for own words is up to a lesson.
    kinds.retain(|it| *it != "words");
    let all = [
        "match", "multi", "numeric", "order", "predict", "single", "text",
    ];
    assert_eq!(kinds, all);
}

fn kind(kind: &QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Single(_) => "single",
        QuestionKind::Multi(_) => "multi",
        QuestionKind::Numeric(_) => "numeric",
        QuestionKind::Text(_) => "text",
        QuestionKind::Order(_) => "order",
        QuestionKind::Match(_) => "match",
        QuestionKind::Predict(_) => "predict",
        QuestionKind::Words(_) => "words",
    }
}
