//! Three learners of the sample course.

mod insight;
mod large;
mod results;

use super::*;
use warpup_course::{
    Answer, ChoiceId, Course, LabId, LessonId, Question, QuestionId, Quiz, sample,
};
use warpup_grade::{Score, key};
use warpup_progress::{Event, QuestionSelection, Record};

const DAY: u64 = 86_400_000;

/// The first day of 2000.
const BEGAN: u64 = 946_684_800_000;

/// After all records of these tests.
const NOW: u64 = 4_000_000_000_000;

/// What happened in the lesson `copies`, one event a day.
fn records(of: &str, events: Vec<Event>) -> Vec<Record> {
    let records = events.into_iter().zip(1..).map(|(event, day)| Record {
        id: format!("{of}-{day}"),
        at_ms: BEGAN + day * DAY,
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
        asks: QuestionSelection::All,
        drawn: Vec::new(),
    }
}

/// An attempt at `copies` with right answers to so many questions, and to no other one.
fn attempt(course: &Course, name: &str, right: u64) -> Vec<Event> {
    let mut lessons = course.lessons.iter();
    let copies = lessons.find(|it| it.id.as_str() == "copies").unwrap();
    let counted: Vec<_> = copies.quiz.iter().flat_map(Quiz::counted).collect();
    let answers = counted.iter().zip(0..right);
    let answers = answers.map(|(it, _)| answered(it, key(it, None).unwrap(), name));
    answers
        .chain([attempted(name, (100 * right, 100 * counted.len() as u64))])
        .collect()
}

fn attempted(name: &str, (earned, max): (u64, u64)) -> Event {
    Event::Attempted {
        lesson: LessonId::new("copies"),
        attempt: name.to_owned(),
        score: Score { earned, max },
        above_percent: 75,
        passed: u128::from(earned) * 4 > u128::from(max) * 3,
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
        unmet: None,
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

fn told(report: ClassFold<'_>) -> String {
    let report = report.report();
    let mut lines = Vec::new();
    for learner in &report.learners {
        lines.push(format!("{} {:?}", learner.name, learner.problem));
        let lessons = learner.lessons.iter();
        let of_copies = lessons.filter(|it| it.lesson.as_str() == "copies");
        lines.extend(of_copies.map(|it| {
            let days = it
                .active_ms
                .map(|(first, last)| ((first - BEGAN) / DAY, (last - BEGAN) / DAY));
            let (status, labs) = (it.status.word(), (it.labs_passed, it.labs));
            format!("  {status} {} {} {labs:?} {days:?}", it.best, it.attempts)
        }));
    }
    let asked = report.questions.iter().filter(|it| it.answered > 0);
    lines.extend(asked.map(|it| {
        let wrong = it.wrong.as_ref();
        let wrong = wrong.map(|(it, times)| format!("{} {times}", it.words(ChoiceId::to_string)));
        format!("{} {} of {} {wrong:?}", it.question, it.right, it.answered)
    }));
    lines.join("\n")
}

#[test]
fn each_learner_has_a_row_for_each_lesson_and_each_question_its_first_answers() {
    let course = course();
    let asked = question(&course);
    let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
    let mut ada = claimed("1", asked, &["b"], (0, 500));
    ada.push(ran());
    ada.extend(attempt(&course, "2", 5));
    let bob = vec![
        answered(asked, one("b"), "1"),
        Event::Reset { lesson: None },
    ];
    let eve = claimed("1", asked, &["c"], (0, 500));
    report.add("ada".to_owned(), records("ada", ada), None);
    report.add("bob".to_owned(), records("bob", bob), None);
    report.add(
        "eve".to_owned(),
        records("eve", eve),
        Some("line 3: damaged".to_owned()),
    );
    insta::assert_snapshot!(told(report), @r#"
    ada None
      done 5 of 5 2 (1, 2) Some((1, 9))
    bob None
      new 0 of 5 0 (0, 2) Some((1, 1))
    eve Some("line 3: damaged")
      begun 0 of 5 1 (0, 2) Some((1, 2))
    q-bus 1 of 1 None
    q-bytes 1 of 1 None
    q-order 1 of 1 None
    q-words 1 of 1 None
    q-one 0 of 3 Some("b 2")
    "#);
}

#[test]
fn answers_that_nobody_can_have_given_do_not_count() {
    let course = course();
    let asked = question(&course);
    let changed = Question {
        hash: "00000000".to_owned(),
        ..asked.clone()
    };
    let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
    let hostile = vec![
        answered(asked, one("no-such-option"), "1"),
        answered(&changed, one("b"), "2"),
    ];
    report.add("mallory".to_owned(), records("mallory", hostile), None);
    let questions = report.report().questions;
    assert_eq!(questions.iter().map(|it| it.answered).sum::<usize>(), 0);
}

#[test]
fn records_of_another_course_are_told_and_do_not_count() {
    let course = course();
    let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
    let mut records = records("ada", vec![ran()]);
    records[0].course = "other".to_owned();
    report.add("ada".to_owned(), records, None);
    report.add(
        "nobody".to_owned(),
        Vec::new(),
        Some("it is torn".to_owned()),
    );
    insta::assert_snapshot!(told(report), @r#"
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
    let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
    report.add("ada".to_owned(), records("ada", ada), None);
    report.add("bob".to_owned(), records("bob", bob), None);
    let questions = report.report().questions;
    let rows = questions.iter().filter(|it| it.answered > 0);
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

/// An attempt at `copies` with these options for `q-one`, and what its record claims.
fn claimed(attempt: &str, asked: &Question, answers: &[&str], claim: (u64, u64)) -> Vec<Event> {
    let answers = answers.iter().map(|it| answered(asked, one(it), attempt));
    answers.chain([attempted(attempt, claim)]).collect()
}

/// The row of a learner in `copies` who did this, with what is said of it.
fn row_of(course: &Course, events: Vec<Event>) -> String {
    let mut report = ClassFold::new(course, ClassFile::default(), NOW);
    report.add("ada".to_owned(), records("ada", events), None);
    let report = report.report();
    let learner = &report.learners[0];
    let mut lessons = learner.lessons.iter();
    let row = lessons.find(|it| it.lesson.as_str() == "copies").unwrap();
    format!(
        "{} {} in {} {:?} {}",
        row.status.word(),
        row.best,
        row.attempts,
        row.as_claimed,
        learner.problem.as_deref().unwrap_or("-")
    )
}

#[test]
fn answers_are_believed_and_not_what_is_claimed() {
    let course = course();
    let asked = question(&course);
    let changed = Question {
        hash: "00000000".to_owned(),
        ..asked.clone()
    };
    let of = |events| row_of(&course, events);
    let of_one = |answers: &[&str], claim| of(claimed("1", asked, answers, claim));
    let retried = |second: &[&str], claim| {
        let mut events = claimed("1", asked, &["a"], (100, 500));
        let mut retry = claimed("2", asked, second, claim);
        if let Some(Event::Answered { asks, .. }) = retry.first_mut() {
            *asks = QuestionSelection::Missed;
        }
        events.append(&mut retry);
        events
    };
    let mut reset = retried(&[], (100, 500));
    reset.insert(2, Event::Reset { lesson: None });
    let mut reset_between = claimed("1", asked, &["a"], (100, 500));
    reset_between.insert(1, Event::Reset { lesson: None });
    let twice = [
        claimed("1", asked, &["b"], (0, 500)),
        claimed("1", asked, &["a"], (100, 500)),
    ];
    let mut first_stands = claimed("1", asked, &["b", "a"], (100, 500));
    first_stands.extend(claimed("2", asked, &["no-such-option", "a"], (100, 500)));
    let rows = [
        ("honest", of_one(&["a"], (100, 500))),
        ("more than answers give", of_one(&["b"], (500, 500))),
        ("nothing claimed", of_one(&[], (0, 500))),
        (
            "changed question",
            of(claimed("1", &changed, &["a"], (0, 500))),
        ),
        ("other sum", of_one(&["a"], (100, 100))),
        ("impossible", of_one(&["a"], (u64::MAX, u64::MAX))),
        ("kept in a retry", of(retried(&[], (100, 500)))),
        ("kept after a reset", of(reset)),
        ("answered before a reset", of(reset_between)),
        ("handed in twice", of(twice.concat())),
        ("answered twice", of(first_stands)),
    ];
    let rows = rows.map(|(what, row)| format!("{what}: {row}"));
    insta::assert_snapshot!(rows.join("\n"), @"
    honest: begun 1 of 5 in 1 {} -
    more than answers give: begun 0 of 5 in 1 {} an attempt at `copies` claims 5 of 5 and a pass, its answers give 0
    nothing claimed: begun 0 of 5 in 1 {} -
    changed question: begun 0 of 5 in 1 {AnotherEdition: 1} -
    other sum: done 1 of 1 in 1 {AnotherEdition: 1} -
    impossible: begun 1 of 5 in 1 {} an attempt at `copies` claims 184467440737095516.15 of 184467440737095516.15 and a pass, its answers give 1
    kept in a retry: begun 1 of 5 in 2 {} -
    kept after a reset: begun 0 of 5 in 1 {} an attempt at `copies` claims 1 of 5, with no answer given before it
    answered before a reset: begun 1 of 5 in 1 {} -
    handed in twice: begun 0 of 5 in 1 {} -
    answered twice: begun 1 of 5 in 2 {} an attempt at `copies` claims 1 of 5, its answers give 0
    ");
}

#[test]
fn no_point_is_believed_without_an_answer_to_it_in_the_attempt_and_before_its_end() {
    let course = course();
    let asked = question(&course);
    let of = |events| row_of(&course, events);
    let of_one = |answers: &[&str], claim| of(claimed("1", asked, answers, claim));
    let mut of_another_attempt = vec![answered(asked, one("a"), "2")];
    of_another_attempt.extend(claimed("1", asked, &[], (500, 500)));
    let mut of_another_lesson = claimed("1", asked, &["a"], (500, 500));
    if let Some(Event::Answered { lesson, .. }) = of_another_lesson.first_mut() {
        *lesson = LessonId::new("places");
    }
    let mut after = claimed("1", asked, &["a"], (500, 500));
    after.reverse();
    let nobodys = Question {
        id: QuestionId::new("q-nobodys"),
        ..asked.clone()
    };
    let rows = [
        ("fewer answers", of_one(&["a"], (500, 500))),
        ("no answer", of_one(&[], (500, 500))),
        ("no answer, another sum", of_one(&[], (300, 300))),
        ("answers of another attempt", of(of_another_attempt)),
        ("answers of another lesson", of(of_another_lesson)),
        ("answers after it", of(after)),
        (
            "answer to no question",
            of(claimed("1", &nobodys, &["a"], (500, 500))),
        ),
    ];
    let rows = rows.map(|(what, row)| format!("{what}: {row}"));
    insta::assert_snapshot!(rows.join("\n"), @"
    fewer answers: begun 1 of 5 in 1 {} an attempt at `copies` claims 5 of 5 and a pass, its answers give 1
    no answer: begun 0 of 5 in 1 {} an attempt at `copies` claims 5 of 5 and a pass, with no answer given before it
    no answer, another sum: begun 0 of 5 in 1 {} an attempt at `copies` claims 3 of 3 and a pass, with no answer given before it
    answers of another attempt: begun 0 of 5 in 1 {} an attempt at `copies` claims 5 of 5 and a pass, with no answer given before it
    answers of another lesson: begun 0 of 5 in 1 {} an attempt at `copies` claims 5 of 5 and a pass, with no answer given before it
    answers after it: begun 0 of 5 in 1 {} an attempt at `copies` claims 5 of 5 and a pass, with no answer given before it
    answer to no question: begun 0 of 5 in 1 {} an attempt at `copies` claims 5 of 5 and a pass, its answers give 0
    ");
}

#[test]
fn the_order_of_the_records_in_a_file_changes_nothing() {
    let course = course();
    let asked = question(&course);
    let mut all = records("ada", claimed("1", asked, &["a"], (100, 500)));
    let row = |records: Vec<Record>| {
        let mut report = ClassFold::new(&course, ClassFile::default(), NOW);
        report.add("ada".to_owned(), records, None);
        told(report)
    };
    let in_order = row(all.clone());
    all.reverse();
    assert_eq!(row(all), in_order);
}

#[test]
fn a_deadline_labels_what_came_after_it_and_who_handed_nothing_in_has_a_row() {
    let mut course = course();
    // The class file has the last word.
    course.due_ms = ["copies", "places"].map(|it| (LessonId::new(it), 1)).into();
    let class = ClassFile {
        learners: Some(["ada", "bob", "eve", "joe"].map(str::to_owned).to_vec()),
        due_ms: [(LessonId::new("copies"), BEGAN + 8 * DAY)].into(),
    };
    let mut report = ClassFold::new(&course, class, NOW);
    let of = |name, right| attempt(&course, name, right);
    let days = [
        ("zoe", of("1", 5)),
        ("ada", [of("1", 1), of("2", 5), of("3", 3)].concat()),
        ("bob", [vec![ran(); 3], of("1", 5)].concat()),
        ("eve", [of("1", 0), vec![ran(); 7], of("2", 0)].concat()),
    ];
    for (name, events) in days {
        report.add(name.to_owned(), records(name, events), None);
    }
    let report = report.report();
    let mut places = report.learners.iter().flat_map(|it| &it.lessons);
    assert!(places.any(|it| it.lesson.as_str() == "places" && it.due_ms == Some(1)));
    let rows = report.learners.iter().map(|it| {
        let copies = it.lessons.iter().find(|it| it.lesson.as_str() == "copies");
        let copies = copies.map(|it| (it.is_late(), it.late_attempts, it.best.earned));
        format!("{} {:?} {copies:?}", it.name, it.enrolled)
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @"
    ada Listed Some((Some(false), 1, 500))
    bob Listed Some((Some(true), 1, 500))
    eve Listed Some((None, 1, 0))
    joe HandedNothingIn None
    zoe NotListed Some((Some(false), 0, 500))
    ");
}

#[test]
fn a_first_attempt_faster_than_its_questions_can_be_read_is_flagged() {
    let course = sample::course();
    let mut lessons = course.lessons.iter();
    let copies = lessons.find(|it| it.id.as_str() == "copies").unwrap();
    let quiz = copies.quiz.as_ref().unwrap();
    let began = 951_782_400_000;
    let attempt = ulid::Ulid::from_parts(began, 1).to_string();
    let report = |ms: u64| {
        let answers = quiz.counted().filter_map(|it| Some((it, key(it, None)?)));
        let records = answers.zip(1..).map(|((question, answer), n)| Record {
            id: n.to_string(),
            at_ms: began + n * ms,
            course: course.id.to_string(),
            event: answered(question, answer, &attempt),
        });
        let mut fold = ClassFold::new(&course, ClassFile::default(), NOW);
        fold.add("ada".to_owned(), records.collect(), None);
        let report = fold.report();
        let times = report.questions.iter().filter_map(|it| it.median_ms);
        (report.flags.clone(), times.collect::<Vec<_>>())
    };
    insta::assert_snapshot!(format!("{:?}\n{:?}", report(250), report(30_000)), @r#"
    ([Fast { learner: "ada", lesson: LessonId("copies"), took_ms: 1000, words: 29 }], [])
    ([], [30000, 30000, 30000, 30000])
    "#);
}
