//! Grades what learners handed in from a course without keys, with the keys of the whole one.
//!
//! The records become those that the whole course would have made, so that nothing else has to know where they come from.

use crate::course::{Course, LessonId, Question, QuestionId, Quiz, WithoutKey};
use crate::grade::{Attempt, Draw, HUNDREDTHS, Score, grade};
use crate::progress::{Event, Record};
use std::collections::BTreeMap;

/// For each attempt, what the answer to each question earned, in hundredths of a point.
type Earned = BTreeMap<(LessonId, String), BTreeMap<QuestionId, u64>>;

/// The records of a learner with every attempt graded that can be.
pub(super) fn graded(course: &Course, records: Vec<Record>) -> Vec<Record> {
    let answered = records.into_iter().map(|it| Record {
        event: with_key(course, it.event),
        ..it
    });
    let records: Vec<_> = answered.collect();
    let earned = earned(&records);
    let handed_in = records.into_iter().map(|it| Record {
        event: attempted(course, it.event, &earned),
        ..it
    });
    handed_in.collect()
}

/// An answer to a question without a key as one to the question with its key; others as they are.
fn with_key(course: &Course, event: Event) -> Event {
    let Event::Answered {
        lesson,
        attempt,
        question,
        hash,
        answer,
        score: None,
        confidence,
        asks,
        drawn,
    } = event
    else {
        return event;
    };
    let whole = quiz(course, &lesson).and_then(|it| it.question(&question));
    let whole = whole.filter(|it| it.hash_without_key.as_ref() == Some(&hash));
    let known = whole.and_then(|whole| {
        let given = WithoutKey::of(&whole.kind)?.in_whole(&answer)?;
        let verdict = grade(whole, &given, None).ok()?;
        let score = Score {
            earned: verdict.earned,
            max: verdict.max,
        };
        Some((whole.hash.clone(), given, score))
    });
    // An answer to a question that has changed since, or to one that is gone, stays without a score.
    let (hash, answer, score) = match known {
        Some((hash, answer, score)) => (hash, answer, Some(score)),
        None => (hash, answer, None),
    };
    Event::Answered {
        lesson,
        attempt,
        question,
        hash,
        answer,
        score,
        confidence,
        asks,
        drawn,
    }
}

fn earned(records: &[Record]) -> Earned {
    let mut earned = Earned::new();
    for record in records {
        if let Event::Answered {
            lesson,
            attempt,
            question,
            score: Some(score),
            ..
        } = &record.event
        {
            let attempt = earned.entry((lesson.clone(), attempt.clone())).or_default();
            attempt.insert(question.clone(), score.earned);
        }
    }
    earned
}

/// An attempt that was handed in as one that was graded, under the rule of the course; others as they are.
fn attempted(course: &Course, event: Event, earned: &Earned) -> Event {
    let Event::HandedIn {
        lesson,
        attempt,
        took_ms,
        drawn,
    } = event
    else {
        return event;
    };
    let Some(quiz) = quiz(course, &lesson) else {
        return Event::HandedIn {
            lesson,
            attempt,
            took_ms,
            drawn,
        };
    };
    let asked = Attempt::start(quiz, 0, Draw::Again(&drawn));
    let answers = earned.get(&(lesson.clone(), attempt.clone()));
    let points = |it: &Question| {
        answers
            .and_then(|all| all.get(&it.id))
            .copied()
            .unwrap_or(0)
    };
    let max = |it: &Question| u64::from(it.points) * HUNDREDTHS;
    let questions = || asked.asked().iter().map(|it| &it.question);
    let score = Score {
        earned: questions().map(|it| points(it).min(max(it))).sum(),
        max: questions().map(max).sum(),
    };
    let missed = questions().filter(|it| points(it) < max(it));
    Event::Attempted {
        missed: missed.map(|it| it.id.clone()).collect(),
        passed: score.passes(quiz.pass),
        above_percent: quiz.pass.above_percent,
        lesson,
        attempt,
        score,
        took_ms,
        drawn,
    }
}

fn quiz<'a>(course: &'a Course, lesson: &LessonId) -> Option<&'a Quiz> {
    let lesson = course.lessons.iter().find(|it| it.id == *lesson)?;
    lesson.quiz.as_ref()
}
