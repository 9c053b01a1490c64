//! The first answer of one learner to each question, as the questions are now.
//!
//! A first answer stays the first one when the learner resets the lesson. An answer to a question that has changed since
//! does not count.

use super::mistake::{Mistake, mistakes};
use std::collections::BTreeMap;
use ulid::Ulid;
use warpup_course::{LessonId, Question};
use warpup_grade::{Answer, HUNDREDTHS, NoVerdict, Score, grade};
use warpup_progress::{Event, Record};

/// The first answer of a learner to a question.
#[derive(Clone, Debug)]
pub(super) struct FirstAnswer<'r> {
    /// When, and the record's id: of two answers the one that came first is smaller.
    pub(super) at: (u64, &'r str),
    /// The attempt.
    pub(super) attempt: &'r str,
    /// The answer.
    pub(super) answer: &'r Answer,
    /// What its record says that it earned.
    pub(super) score: Option<Score>,
    /// The time since the answer before in the same attempt, or since the attempt began; in milliseconds.
    pub(super) took_ms: Option<u64>,
}

/// What a question makes of an answer.
#[derive(Clone, Debug)]
pub(super) struct AnswerGrade {
    /// Whether every point was earned.
    pub(super) is_right: bool,
    /// Hundredths of a point earned and possible.
    pub(super) points: (u64, u64),
    /// What is wrong in it.
    pub(super) mistakes: Vec<Mistake>,
}

/// The first answers, by lesson, question and hash.
pub(super) type Firsts<'r> = BTreeMap<(&'r LessonId, &'r str, &'r str), FirstAnswer<'r>>;

/// Finds the first answers in the records of one learner.
pub(super) fn firsts(records: &[Record]) -> Firsts<'_> {
    let mut firsts = Firsts::new();
    let mut times: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for record in records {
        let Event::Answered {
            lesson,
            attempt,
            question,
            hash,
            answer,
            score,
            ..
        } = &record.event
        else {
            continue;
        };
        times.entry(attempt).or_default().push(record.at_ms);
        let first = FirstAnswer {
            at: (record.at_ms, &record.id),
            attempt,
            answer,
            score: *score,
            took_ms: None,
        };
        let key = (lesson, question.as_str(), hash.as_str());
        let earliest = firsts.entry(key).or_insert_with(|| first.clone());
        if first.at < earliest.at {
            *earliest = first;
        }
    }
    for of_attempt in times.values_mut() {
        of_attempt.sort_unstable();
    }
    for first in firsts.values_mut() {
        let of_attempt = times.get(first.attempt).map_or(&[][..], Vec::as_slice);
        let earlier = of_attempt.partition_point(|it| *it < first.at.0);
        let before = earlier.checked_sub(1).and_then(|it| of_attempt.get(it));
        let from = before.copied().or_else(|| began_ms(first.attempt));
        first.took_ms = from.and_then(|it| first.at.0.checked_sub(it));
    }
    firsts
}

/// When an attempt began: its name says so, which is a ULID.
pub(super) fn began_ms(attempt: &str) -> Option<u64> {
    Ulid::from_string(attempt).ok().map(|it| it.timestamp_ms())
}

impl FirstAnswer<'_> {
    /// Judges it by the question. Nothing where it cannot be an answer to it; no version of warpup has stored such an answer.
    pub(super) fn judged(&self, question: &Question) -> Option<AnswerGrade> {
        let max = u64::from(question.points) * HUNDREDTHS;
        let verdict = match grade(question, self.answer, None) {
            Ok(verdict) => verdict,
            // Only the learner's machine knows what was measured there.
            Err(NoVerdict::NotMeasured(_)) => {
                let is_right = self
                    .score
                    .is_some_and(|it| it.max > 0 && it.earned >= it.max);
                let wrong = if is_right {
                    Vec::new()
                } else {
                    mistakes(question, self.answer, None)
                };
                return Some(AnswerGrade {
                    is_right,
                    points: (if is_right { max } else { 0 }, max),
                    mistakes: wrong,
                });
            }
            Err(_) => return None,
        };
        Some(AnswerGrade {
            is_right: verdict.is_right(),
            points: (verdict.earned, max),
            mistakes: mistakes(question, self.answer, Some(&verdict)),
        })
    }
}
