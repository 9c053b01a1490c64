//! What a class answered: for each question, the first answer of each learner.

use super::firsts::Firsts;
use super::item::{FirstScore, Item};
use super::mistake::Mistake;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use warpup_course::{Course, LessonId, Question, QuestionId, Quiz};

/// How a class answered one question.
#[derive(Debug, PartialEq)]
pub struct QuestionRow<'a> {
    /// Its lesson.
    pub lesson: &'a LessonId,
    /// The question, or one of its versions.
    pub question: &'a QuestionId,
    /// What the row is about.
    pub of: RowOf,
    /// How many learners have answered it.
    pub answered: usize,
    /// How many of their first answers were right.
    pub right: usize,
    /// The mistake that is in most of the first answers, and in how many; of equals the first one in order.
    pub wrong: Option<(Mistake, usize)>,
    /// How well it tells learners apart: the correlation of a right first answer with the points in the rest of the quiz, from -1
    /// to 1. Nothing for fewer than ten learners, and where all are equal.
    pub discrimination: Option<f64>,
    /// Whether those who know the rest get it wrong, more than chance explains: look at its key.
    pub is_suspect: bool,
    /// The median time on it, in milliseconds; nothing where no record says it.
    pub median_ms: Option<u64>,
}

/// A wrong answer. Two learners who gave the same have equal ones. It is as small as its hash, however long the answer is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WrongAnswer {
    /// The question, by its place in the course.
    pub(super) question: usize,
    /// A hash of the answer.
    pub(super) answer: u64,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOf {
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
    whole: BTreeMap<(&'a LessonId, &'a QuestionId), Item>,
}

#[derive(Debug)]
struct Answers<'a> {
    lesson: &'a LessonId,
    question: &'a Question,
    item: Item,
    wrong: BTreeMap<Mistake, usize>,
}

/// What one learner's first answers say of the questions.
#[derive(Debug, Default)]
pub(super) struct LearnerAnswers {
    given: Vec<Judgement>,
}

/// A first answer that was judged.
#[derive(Debug)]
struct Judgement {
    /// The place of its question in the course.
    at: usize,
    first: FirstScore,
    /// Whether no other version of the question was answered before.
    is_first_version: bool,
    mistakes: Vec<Mistake>,
    /// The answer, if it is wrong.
    wrong: Option<WrongAnswer>,
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
                item: Item::default(),
                wrong: BTreeMap::new(),
            })
        });
        Self {
            all: all.collect(),
            whole: BTreeMap::new(),
        }
    }

    /// Judges the first answers of one learner. Changes nothing, so that several learners can be judged at once.
    pub(super) fn judge(&self, firsts: &Firsts<'_>) -> LearnerAnswers {
        let mut judged = Vec::new();
        // Of a question in versions, the version that was answered first.
        let mut earliest = BTreeMap::new();
        for (at, answers) in self.all.iter().enumerate() {
            let question = answers.question;
            let key = (answers.lesson, question.id.as_str(), question.hash.as_str());
            let Some(first) = firsts.get(&key) else {
                continue;
            };
            let Some(it) = first.judged(question) else {
                continue;
            };
            let known = earliest.entry((answers.lesson, question.name()));
            let known = known.or_insert((first.at, judged.len()));
            if first.at < known.0 {
                *known = (first.at, judged.len());
            }
            judged.push((at, answers.lesson, first, it));
        }
        let mut sums = BTreeMap::<_, (u64, u64)>::new();
        let mut first_versions = BTreeSet::new();
        for ((lesson, _), (_, place)) in earliest {
            first_versions.insert(place);
            let (earned, max) = judged.get(place).map_or((0, 0), |it| it.3.points);
            let sum = sums.entry(lesson).or_default();
            *sum = (sum.0 + earned, sum.1 + max);
        }
        let given = judged.into_iter().enumerate();
        let given = given.map(|(place, (at, lesson, first, judged))| {
            let is_first_version = first_versions.contains(&place);
            let own = if is_first_version {
                judged.points
            } else {
                (0, 0)
            };
            let (earned, max) = sums.get(lesson).copied().unwrap_or_default();
            let (earned, max) = (earned.saturating_sub(own.0), max.saturating_sub(own.1));
            Judgement {
                at,
                first: FirstScore {
                    is_right: judged.is_right,
                    rest: (max > 0).then(|| earned as f64 / max as f64),
                    took_ms: first.took_ms,
                },
                is_first_version,
                mistakes: judged.mistakes,
                wrong: (!judged.is_right).then(|| WrongAnswer {
                    question: at,
                    answer: hash_of(&format!("{:?}", first.answer)),
                }),
            }
        });
        LearnerAnswers {
            given: given.collect(),
        }
    }

    /// Takes in what was judged. Gives the answers that are wrong.
    pub(super) fn take(&mut self, answers: LearnerAnswers) -> Vec<WrongAnswer> {
        let mut wrong = Vec::new();
        for it in answers.given {
            let Some(answers) = self.all.get_mut(it.at) else {
                continue;
            };
            answers.item.take(it.first);
            for mistake in it.mistakes {
                *answers.wrong.entry(mistake).or_default() += 1;
            }
            wrong.extend(it.wrong);
            if let (true, Some(name)) = (it.is_first_version, &answers.question.version_of) {
                let whole = self.whole.entry((answers.lesson, name));
                whole.or_default().take(it.first);
            }
        }
        wrong
    }

    /// The name of the question at this place.
    pub(super) fn id(&self, at: usize) -> Option<QuestionId> {
        self.all.get(at).map(|it| it.question.id.clone())
    }

    /// A row for each question, and one for each of its versions.
    pub(super) fn rows(&self) -> impl Iterator<Item = QuestionRow<'a>> + '_ {
        self.all.iter().flat_map(|it| {
            let name = it.question.version_of.as_ref();
            let first = name.filter(|name| **name == it.question.id);
            let whole = first.map(|question| {
                let nothing = Item::default();
                let whole = self.whole.get(&(it.lesson, question));
                let whole = whole.unwrap_or(&nothing);
                row(it.lesson, question, RowOf::Question, whole)
            });
            whole.into_iter().chain([it.row()])
        })
    }
}

/// A hash that holds as long as the program runs.
fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn row<'a>(
    lesson: &'a LessonId,
    question: &'a QuestionId,
    of: RowOf,
    item: &Item,
) -> QuestionRow<'a> {
    QuestionRow {
        lesson,
        question,
        of,
        answered: item.answered(),
        right: item.right(),
        wrong: None,
        discrimination: item.discrimination(),
        is_suspect: item.is_suspect(),
        median_ms: item.median_ms(),
    }
}

impl<'a> Answers<'a> {
    fn row(&self) -> QuestionRow<'a> {
        let of = match self.question.version_of {
            None => RowOf::Question,
            Some(_) => RowOf::Version,
        };
        let wrong = self.wrong.iter();
        // Of equals, `max_by_key` gives the last one.
        let most = wrong.rev().max_by_key(|it| it.1);
        QuestionRow {
            wrong: most.map(|(mistake, times)| (mistake.clone(), *times)),
            ..row(self.lesson, &self.question.id, of, &self.item)
        }
    }
}
