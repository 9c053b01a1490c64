//! Answers from a course without keys, as answers to the questions of the whole one.

use warpup_course::{Course, LessonId, Quiz, WithoutKey};
use warpup_grade::{Score, grade};
use warpup_progress::Event;

/// An answer to a question without a key as one to the question with its key; others as they are.
pub(super) fn with_key(course: &Course, event: Event) -> Event {
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

fn quiz<'a>(course: &'a Course, lesson: &LessonId) -> Option<&'a Quiz> {
    let lesson = course.lessons.iter().find(|it| it.id == *lesson)?;
    lesson.quiz.as_ref()
}
