//! Three learners of the sample course.

use super::*;
use crate::course::{Answer, ChoiceId, Course, LabId, LessonId, Question, sample};
use crate::grade::{Score, key};
use crate::progress::{Asks, Event, Record};

const DAY: u64 = 86_400_000;

/// What happened in the lesson `copies`, one event a day.
fn records(of: &str, events: Vec<Event>) -> Vec<Record> {
    let records = events.into_iter().zip(1..).map(|(event, day)| Record {
        id: format!("{of}-{day}"),
        at_ms: day * DAY,
        course: sample::course().id.to_string(),
        event,
    });
    records.collect()
}

fn answered(question: &Question, answer: Answer, attempt: &str) -> Event {
    Event::Answered {
        lesson: LessonId::new("copies"),
        attempt: attempt.to_owned(),
        question: question.id.clone(),
        hash: question.hash.clone(),
        answer,
        score: Some(Score::default()),
        confidence: None,
        asks: Asks::All,
        drawn: Vec::new(),
    }
}

fn attempted(earned: u64) -> Event {
    Event::Attempted {
        lesson: LessonId::new("copies"),
        attempt: format!("attempt-{earned}"),
        score: Score { earned, max: 400 },
        above_percent: 75,
        passed: earned > 300,
        took_ms: 1,
        missed: Vec::new(),
        drawn: Vec::new(),
    }
}

fn ran() -> Event {
    Event::Ran {
        lesson: LessonId::new("copies"),
        lab: LabId::new("bus"),
        device: "cpu".to_owned(),
        passed: true,
        on: None,
        metrics: Vec::new(),
    }
}

fn course() -> Course {
    sample::course_with(
        "quizzes/copies.toml",
        "[[question]]\nid = \"q-one\"\ntype = \"single\"\nprompt = \"?\"\nexplain = \"!\"\noptions = [\n\
         { id = \"a\", text = \"A\", correct = true },\n{ id = \"b\", text = \"B\", feedback = \"No.\" },\n\
         { id = \"c\", text = \"C\", feedback = \"No.\" },\n]\n",
    )
}

fn question(course: &Course) -> &Question {
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    let mut questions = quizzes.flat_map(|it| &it.questions);
    questions.find(|it| it.id.as_str() == "q-one").unwrap()
}

fn one(option: &str) -> Answer {
    Answer::Single(ChoiceId::new(option))
}

fn told(report: &ClassReport<'_>) -> String {
    let mut lines = Vec::new();
    for learner in &report.learners {
        lines.push(format!("{} {:?}", learner.name, learner.problem));
        let lessons = learner.lessons.iter();
        let of_copies = lessons.filter(|it| it.lesson.as_str() == "copies");
        lines.extend(of_copies.map(|it| {
            let days = it.active_ms.map(|(first, last)| (first / DAY, last / DAY));
            let (status, labs) = (it.status.word(), (it.labs_passed, it.labs));
            format!("  {status} {} {} {labs:?} {days:?}", it.best, it.attempts)
        }));
    }
    let asked = report.questions().filter(|it| it.answered > 0);
    lines.extend(asked.map(|it| {
        let wrong = it.wrong.map(|(option, times)| format!("{option} {times}"));
        format!("{} {} of {} {wrong:?}", it.question, it.right, it.answered)
    }));
    lines.join("\n")
}

#[test]
fn each_learner_has_a_row_for_each_lesson_and_each_question_its_first_answers() {
    let course = course();
    let asked = question(&course);
    let mut report = ClassReport::new(&course);
    let right = key(asked, None).unwrap();
    let ada = vec![
        answered(asked, one("b"), "1"),
        attempted(100),
        ran(),
        answered(asked, right, "2"),
        attempted(400),
    ];
    let bob = vec![
        answered(asked, one("b"), "1"),
        Event::Reset { lesson: None },
    ];
    let eve = vec![answered(asked, one("c"), "1"), attempted(300)];
    report.add("ada".to_owned(), records("ada", ada), None);
    report.add("bob".to_owned(), records("bob", bob), None);
    report.add(
        "eve".to_owned(),
        records("eve", eve),
        Some("line 3: damaged".to_owned()),
    );
    insta::assert_snapshot!(told(&report), @r#"
    ada None
      done 4 of 4 2 (1, 2) Some((1, 5))
    bob None
      new 0 of 5 0 (0, 2) Some((1, 1))
    eve Some("line 3: damaged")
      begun 3 of 4 1 (0, 2) Some((1, 2))
    q-one 0 of 3 Some("b 2")
    "#);
    assert!(report.has_problems());
}

#[test]
fn answers_that_nobody_can_have_given_do_not_count() {
    let course = course();
    let asked = question(&course);
    let changed = Question {
        hash: "00000000".to_owned(),
        ..asked.clone()
    };
    let mut report = ClassReport::new(&course);
    let hostile = vec![
        answered(asked, one("no-such-option"), "1"),
        answered(&changed, one("b"), "2"),
    ];
    report.add("mallory".to_owned(), records("mallory", hostile), None);
    assert_eq!(report.questions().map(|it| it.answered).sum::<usize>(), 0);
}

#[test]
fn records_of_another_course_are_told_and_do_not_count() {
    let course = course();
    let mut report = ClassReport::new(&course);
    let mut records = records("ada", vec![ran()]);
    records[0].course = "other".to_owned();
    report.add("ada".to_owned(), records, None);
    report.add(
        "nobody".to_owned(),
        Vec::new(),
        Some("it is torn".to_owned()),
    );
    insta::assert_snapshot!(told(&report), @r#"
    ada Some("none of its records is of the course `warpup`")
      new 0 of 5 0 (0, 2) None
    nobody Some("it is torn")
    "#);
}

#[test]
fn a_question_in_versions_has_a_row_for_whichever_version_came_first() {
    let course = sample::course_with(
        "quizzes/copies.toml",
        "[[question]]\nid = \"q-drawn\"\ntype = \"numeric\"\nprompt = \"{a} + 1?\"\nexplain = \"!\"\n\
         draw = { a = [1, 2] }\nanswer = \"a + 1\"\n",
    );
    let quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
    let of = |id: &str| {
        let mut questions = quizzes.clone().flat_map(|it| &it.questions);
        questions.find(|it| it.id.as_str() == id).unwrap()
    };
    let (one, two) = (of("q-drawn"), of("q-drawn-2"));
    // Right for the first version, whose number is 1, and wrong for the other.
    let answer = || Answer::Number("2".to_owned());
    let ada = vec![answered(two, answer(), "1"), answered(one, answer(), "2")];
    let bob = vec![answered(one, answer(), "1")];
    let mut report = ClassReport::new(&course);
    report.add("ada".to_owned(), records("ada", ada), None);
    report.add("bob".to_owned(), records("bob", bob), None);
    let rows = report.questions().filter(|it| it.answered > 0);
    let rows = rows.map(|it| {
        format!(
            "{:?} {}: {} of {}",
            it.of, it.question, it.right, it.answered
        )
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @"
    Question q-drawn: 1 of 2
    Version q-drawn: 2 of 2
    Version q-drawn-2: 0 of 1
    ");
}
