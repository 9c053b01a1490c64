//! What goes back to a learner whose course has no keys.

use super::*;

/// An attempt at `copies` without keys, which answers one question with this number.
fn handed_in(course: &Course, attempt: &str, number: f64) -> Vec<Event> {
    let mut lessons = course.lessons.iter();
    let copies = lessons.find(|it| it.id.as_str() == "copies").unwrap();
    let quiz = copies.quiz.as_ref().unwrap();
    let asked = quiz.question(&QuestionId::new("q-bytes")).unwrap();
    let mut answer = answered(asked, Answer::Number(number.to_string()), attempt);
    if let Event::Answered { hash, score, .. } = &mut answer {
        (*hash, *score) = (asked.hash_without_key.clone().unwrap(), None);
    }
    let end = Event::HandedIn {
        lesson: copies.id.clone(),
        attempt: attempt.to_owned(),
        took_ms: 1,
        drawn: Vec::new(),
    };
    vec![answer, end]
}

#[test]
fn the_newest_attempt_without_keys_is_graded_question_by_question() {
    let course = sample::course();
    let told = |events: Vec<Event>| {
        let mut learner = LearnerRecords::new(&course, NOW);
        for record in records("ada", events) {
            learner.take(record);
        }
        let results = learner.results().into_iter().map(|it| {
            let questions = it.questions.iter();
            let questions: Vec<_> = questions.map(|it| format!("{} {}", it.0, it.1)).collect();
            let words = it.words();
            format!(
                "{} {} {words}: {}",
                it.lesson,
                it.attempt,
                questions.join(", ")
            )
        });
        results.collect::<Vec<_>>().join("\n")
    };
    let first = || handed_in(&course, "1", 24.0);
    insta::assert_snapshot!(told(first()), @"copies 1 not passed, 1 of 4 points: q-bytes 1 of 1");
    let second = [first(), handed_in(&course, "2", 1.0)].concat();
    insta::assert_snapshot!(told(second), @"copies 2 not passed, 0 of 4 points: q-bytes 0 of 1");
    // Who has the keys has the points already.
    assert_eq!(told(vec![attempted("1", (100, 400))]), "");
}
