//! What a class answered: for each question, the first answer of each learner.
//!
//! A first answer stays the first one when the learner resets the lesson. An answer to a question that has changed since
//! does not count.

use crate::course::{ChoiceId, Course, LessonId, Question, QuestionId, Quiz};
use crate::grade::{Answer, Asked, Given, NoVerdict, Origin, Score, grade};
use crate::progress::{Event, Record};
use std::collections::BTreeMap;

/// How a class answered one question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QuestionRow<'a> {
    /// Its lesson.
    pub(crate) lesson: &'a LessonId,
    /// The question, or one of its versions.
    pub(crate) question: &'a QuestionId,
    /// What the row is about.
    pub(crate) of: RowOf,
    /// How many learners have answered it.
    pub(crate) answered: usize,
    /// How many of their first answers were right.
    pub(crate) right: usize,
    /// The wrong option that is in most of the first answers, and in how many; of equals the one whose name is first.
    pub(crate) wrong: Option<(ChoiceId, usize)>,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOf {
    /// A question, with the first answer of each learner to any of its versions.
    Question,
    /// One version of a question with several.
    Version,
}

/// The answers so far.
#[derive(Debug)]
pub(super) struct Questions<'a> {
    all: Vec<Answers<'a>>,
    /// Of the questions in versions: answers to whichever version a learner was asked first.
    whole: BTreeMap<(&'a LessonId, &'a QuestionId), Whole>,
}

/// The answers to a question, whatever its version.
#[derive(Clone, Copy, Debug, Default)]
struct Whole {
    answered: usize,
    right: usize,
}

#[derive(Debug)]
struct Answers<'a> {
    lesson: &'a LessonId,
    question: &'a Question,
    answered: usize,
    right: usize,
    wrong: BTreeMap<ChoiceId, usize>,
}

impl<'a> Questions<'a> {
    /// The questions of a course that count, with no answers.
    pub(super) fn of(course: &'a Course) -> Self {
        let lessons = course.lessons.iter();
        let all = lessons.flat_map(|lesson| {
            let questions = lesson.quiz.iter().flat_map(Quiz::counted);
            questions.map(|question| Answers {
                lesson: &lesson.id,
                question,
                answered: 0,
                right: 0,
                wrong: BTreeMap::new(),
            })
        });
        Self {
            all: all.collect(),
            whole: BTreeMap::new(),
        }
    }

    /// Takes in the records of one learner.
    pub(super) fn take(&mut self, records: &[Record]) {
        let mut first: BTreeMap<_, (_, &Answer, Option<Score>)> = BTreeMap::new();
        for record in records {
            let Event::Answered {
                lesson,
                question,
                hash,
                answer,
                score,
                ..
            } = &record.event
            else {
                continue;
            };
            let given = ((record.at_ms, &record.id), answer, *score);
            let known = first.entry((lesson, question, hash.as_str()));
            let earliest = known.or_insert(given);
            if given.0 < earliest.0 {
                *earliest = given;
            }
        }
        let mut earliest = BTreeMap::new();
        for answers in &mut self.all {
            let question = answers.question;
            let key = (answers.lesson, &question.id, question.hash.as_str());
            if let Some((at, answer, score)) = first.get(&key) {
                let Some(is_right) = answers.take(answer, *score) else {
                    continue;
                };
                if let Some(name) = &question.version_of {
                    let known = earliest.entry((answers.lesson, name));
                    let known = known.or_insert((*at, is_right));
                    if *at < known.0 {
                        *known = (*at, is_right);
                    }
                }
            }
        }
        for (question, (_, is_right)) in earliest {
            let whole = self.whole.entry(question).or_default();
            whole.answered += 1;
            whole.right += usize::from(is_right);
        }
    }

    /// A row for each question, and one for each of its versions.
    pub(super) fn rows(&self) -> impl Iterator<Item = QuestionRow<'a>> + '_ {
        self.all.iter().flat_map(|it| {
            let name = it.question.version_of.as_ref();
            let first = name.filter(|name| **name == it.question.id);
            let whole = first.map(|question| {
                let whole = self.whole.get(&(it.lesson, question));
                let Whole { answered, right } = whole.copied().unwrap_or_default();
                QuestionRow {
                    lesson: it.lesson,
                    question,
                    of: RowOf::Question,
                    answered,
                    right,
                    wrong: None,
                }
            });
            whole.into_iter().chain([it.row()])
        })
    }
}

impl<'a> Answers<'a> {
    /// Counts an answer. Says whether it is right; nothing where it cannot be judged.
    fn take(&mut self, answer: &Answer, score: Option<Score>) -> Option<bool> {
        let verdict = match grade(self.question, answer, None) {
            Ok(verdict) => verdict,
            // Only the learner's machine knows what was measured there.
            Err(NoVerdict::NotMeasured(_)) => {
                let is_right = score.is_some_and(|it| it.max > 0 && it.earned >= it.max);
                self.answered += 1;
                self.right += usize::from(is_right);
                return Some(is_right);
            }
            // No version of warpup has stored such an answer.
            Err(_) => return None,
        };
        let is_right = verdict.is_right();
        self.answered += 1;
        self.right += usize::from(is_right);
        if matches!(answer, Answer::Single(_) | Answer::Multi(_)) {
            let given = Given {
                answer: answer.clone(),
                verdict: Some(verdict),
                truth: None,
                confidence: None,
                from: Origin::Now,
            };
            let asked = Asked {
                question: self.question.clone(),
                order: Vec::new(),
                given: Some(given),
            };
            let rows = asked.review().into_iter();
            for row in rows.filter(|it| it.mark.is_yours_and_wrong()) {
                if let Some(option) = row.id {
                    *self.wrong.entry(option).or_default() += 1;
                }
            }
        }
        Some(is_right)
    }

    fn row(&self) -> QuestionRow<'a> {
        let wrong = self.wrong.iter();
        // Of equals, `max_by_key` gives the last one.
        let most = wrong.rev().max_by_key(|it| it.1);
        QuestionRow {
            lesson: self.lesson,
            question: &self.question.id,
            of: match self.question.version_of {
                None => RowOf::Question,
                Some(_) => RowOf::Version,
            },
            answered: self.answered,
            right: self.right,
            wrong: most.map(|(option, times)| (option.clone(), *times)),
        }
    }
}
