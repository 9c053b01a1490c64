//! The whole course in the app, from the map to the last quiz, and its quizzes by files of answers.
//!
//! Of each lesson it runs one lab that asks for a prediction; `check --run-labs` runs all labs.

use crate::course_walk::{self, AnswerPlan};
use crate::support::lab_runner::shipped_course;
use crate::support::pty::{Start, Terminal};
use crate::support::temp_home::TempHome;
use warpup_course::{Course, Lab, Lesson, Question, QuestionKind};
use warpup_grade::Answer;

#[test]
fn every_lesson_is_read_tried_failed_passed_and_done_after_a_restart() {
    let course = shipped_course();
    let mut terminal = Start::warpup().size(100, course_walk::TALL).spawn();
    for (done, lesson) in course.lessons.iter().enumerate() {
        course_walk::wait_for_map(&terminal, course, done);
        course_walk::open_lesson(&mut terminal, course, lesson);
        let page = predict(&mut terminal, lesson);
        course_walk::turn_to_page(&mut terminal, lesson, page, lesson.pages.len());
        fail_and_pass(&mut terminal, lesson);
        terminal.press("q");
        let heading = format!("page {0} of {0}", lesson.pages.len());
        terminal.wait_for(|it| it.contains(&heading), &heading);
        terminal.press("q");
    }
    assert_all_done(&terminal, course);
    terminal.press("Q");
    assert!(terminal.wait_exit().success());
    let back = Start::warpup()
        .size(100, course_walk::TALL)
        .home_of(&terminal)
        .spawn();
    assert_all_done(&back, course);
}

/// Waits for each lesson on the map: a long screen arrives in pieces, and its first line before its last.
fn assert_all_done(terminal: &Terminal, course: &Course) {
    course_walk::wait_for_map(terminal, course, course.lessons.len());
    for lesson in &course.lessons {
        let start: String = lesson.title.chars().take(30).collect();
        let is_row = |it: &str| it.contains("● done") && it.contains(&start);
        let what = format!("{start} is done");
        terminal.wait_for(|map| map.lines().any(is_row), &what);
    }
}

/// Goes to the lesson's first lab with a prediction that is not a repair, predicts, and runs it. Returns the page: that of
/// the lab, or the first.
fn predict(terminal: &mut Terminal, lesson: &Lesson) -> usize {
    let quiz = course_walk::quiz(lesson);
    // A lab to repair stops at its mistake and shows no result of a prediction.
    let asks = |it: &&Lab| it.predict.is_some() && it.solution.is_none();
    let Some(lab) = lesson.labs.iter().find(asks) else {
        return 1;
    };
    let question = lab
        .predict
        .as_ref()
        .and_then(|it| quiz.question(it))
        .unwrap();
    let page = course_walk::open_lab(terminal, lesson, 1, lab.id.as_str());
    course_walk::press_until(terminal, "r", "Enter starts the run.");
    course_walk::enter_answer(terminal, question, &course_walk::predicted(question));
    course_walk::press_until(terminal, "<Enter>", "You predicted: ");
    terminal.wait_for(
        |it| it.contains("✓ the program passed"),
        "the mark, once it is saved",
    );
    let heading = format!("page {page} of {}", lesson.pages.len());
    course_walk::press_until(terminal, "q", &heading);
    page
}

/// Takes the quiz: first with the most points that do not pass, then the missed questions again.
fn fail_and_pass(terminal: &mut Terminal, lesson: &Lesson) {
    let quiz = course_walk::quiz(lesson);
    terminal.press("z");
    let short = course_walk::just_not_passing(quiz);
    course_walk::take_quiz(terminal, lesson, &short.is_right);
    course_walk::wait_for_not_passed(terminal, lesson, &short);
    terminal.press("r");
    course_walk::take_quiz(terminal, lesson, &short.missed());
    terminal.wait_for(|it| it.contains("passed: this lesson is done"), "passed");
}

#[test]
fn every_quiz_is_passed_by_its_keys_and_failed_by_wrong_answers() {
    let course = shipped_course();
    let home = TempHome::new();
    for lesson in &course.lessons {
        let quiz = course_walk::quiz(lesson);
        let wrong = submit(
            &home,
            lesson,
            course_walk::wrong,
            &course_walk::failing(quiz),
        );
        assert_eq!(wrong, Some(1), "{}", lesson.id);
        let right = submit(
            &home,
            lesson,
            course_walk::right,
            &course_walk::passing(quiz),
        );
        assert_eq!(right, Some(0), "{}", lesson.id);
    }
    let quizzes = course.lessons.iter().map(course_walk::quiz);
    let exact = quizzes.filter(|it| course_walk::just_not_passing(it).is_exactly_at_gate(it));
    assert!(
        exact.count() > 0,
        "no quiz of the course can be failed with exactly the percentage of its gate"
    );
}

/// Submits a file with an answer to each question that an attempt may ask, asserts that those that it asks earn the planned
/// points, and returns the exit status.
fn submit(
    home: &TempHome,
    lesson: &Lesson,
    answer: impl Fn(&Question) -> Answer,
    plan: &AnswerPlan,
) -> Option<i32> {
    let questions = course_walk::quiz(lesson).counted();
    let lines = questions.map(|it| format!("{} = {}\n", it.id, toml(&answer(it))));
    let path = home.write("answers.toml", &lines.collect::<String>());
    let words = [
        "quiz",
        lesson.id.as_str(),
        "--answers",
        path.to_str().unwrap(),
    ];
    let output = home.run(&words);
    let shown = String::from_utf8(output.stdout).unwrap();
    let score = format!("Score: {} of {} points", plan.points, plan.max);
    assert!(
        shown.contains(&score),
        "{}: no {score:?} in:\n{shown}",
        lesson.id
    );
    output.status.code()
}

/// An answer in the form of answer files.
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
        .flat_map(|it| &course_walk::quiz(it).questions);
    let mut kinds: Vec<&str> = questions.map(|it| kind(&it.kind)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // A lesson need not ask for own words.
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
