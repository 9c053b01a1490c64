//! Files that somebody made as large as they are allowed to be.

use super::*;
use warpup_course::PageId;
use warpup_progress::FailureReason;
use warpup_protocol::Metric;

#[test]
fn a_learner_costs_what_they_did_whatever_is_in_the_file() {
    let course = course();
    let asked = question(&course);
    let long = "x".repeat(60_000);
    let metric = Metric {
        name: long.clone(),
        value: 1.0,
        unit: String::new(),
    };
    let ids = || (0..5_000).map(|it| it.to_string());
    let hostile = |n: u64| {
        let mut answer = answered(asked, one("a"), &n.to_string());
        let large = |given: Answer| Event::Answered {
            lesson: LessonId::new("copies"),
            attempt: n.to_string(),
            question: asked.id.clone(),
            hash: asked.hash.clone(),
            answer: given,
            score: None,
            confidence: None,
            asks: QuestionSelection::All,
            drawn: ids().map(QuestionId::new).collect(),
        };
        match n % 8 {
            0 => large(Answer::Multi(ids().map(ChoiceId::new).collect())),
            1 => large(Answer::Order(ids().map(ChoiceId::new).collect())),
            2 => answered(asked, one("a"), &long),
            3 => {
                if let Event::Answered { question, .. } = &mut answer {
                    *question = QuestionId::new(long.clone());
                }
                answer
            }
            4 => Event::Attempted {
                lesson: LessonId::new("copies"),
                attempt: n.to_string(),
                score: Score::default(),
                above_percent: 75,
                passed: false,
                took_ms: 1,
                missed: ids().map(QuestionId::new).collect(),
                drawn: ids().map(QuestionId::new).collect(),
            },
            5 => Event::Edited {
                lesson: LessonId::new("copies"),
                lab: LabId::new("bus"),
                source: Some(long.clone()),
            },
            6 => Event::Ran {
                lesson: LessonId::new("copies"),
                lab: LabId::new(long.clone()),
                device: long.clone(),
                passed: true,
                on: None,
                metrics: vec![metric.clone(); 9],
                unmet: Some(FailureReason::Check(long.clone())),
            },
            _ => Event::Read {
                lesson: LessonId::new(n.to_string()),
                page: PageId::new(long.clone()),
            },
        }
    };
    let record = |n: u64, event| Record {
        id: n.to_string(),
        at_ms: BEGAN + n,
        course: course.id.to_string(),
        event,
    };
    let mut learner = LearnerRecords::new(&course, NOW);
    for n in 0..400 {
        learner.take(record(n, hostile(n)));
    }
    let size = format!("{:?}{:?}", learner.kept, learner.effort).len();
    assert!(size < 400 * 500, "{size}");
    for n in 0..30_000 {
        learner.take(record(n, answered(asked, one("a"), &n.to_string())));
    }
    assert_eq!(learner.count(), 30_400);
    insta::assert_snapshot!(learner.problems().unwrap(), @"10250 records of answers and attempts are not counted: nobody who learns has more than 20000, or names of more than 200 bytes in them");
}
