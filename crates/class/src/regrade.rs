//! Grades every attempt again, by its answers: what a record claims is not believed where they do not give it.
//!
//! The records become those that the course as it is now would have made, so that nothing else has to know where they come from.
//! They are taken in the order of their times, as the learner's own warpup took them: the first answer to a question counts, and
//! a retry keeps what was right before.

use super::answer_score::{AnswerScore, ScoreSource, answer_score};
use super::attempt_claim::{AttemptClaim, Basis, ScoreFromAnswers};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use warpup_course::kinds::Prediction;
use warpup_course::{Course, LabId, LessonId, Question, QuestionId, QuestionKind, Quiz};
use warpup_grade::{Attempt, Draw, HUNDREDTHS};
use warpup_progress::{Event, QuestionSelection, Record};

/// Of the values that runs gave one metric, so many of the newest are kept. Nobody has more before the eyes.
pub(super) const MOST_VALUES: usize = 100;

/// Of questions that the quiz has no more, so many answers are kept: no quiz has lost more.
const MOST_GONE: usize = 200;

/// The records of a learner after grading.
#[derive(Debug, Default)]
pub(super) struct GradedRecords {
    /// Each attempt once, with the points that it is believed to have.
    pub(super) records: Vec<Record>,
    /// Where the points of the attempts come from.
    pub(super) bases: BTreeMap<(LessonId, String), Basis>,
    /// What attempts claim and their answers do not give.
    pub(super) reasons: Vec<String>,
}

/// What a whole attempt asks.
#[derive(Default)]
struct AttemptQuestions<'a> {
    /// Whether it asks only some of the questions that count.
    draws: bool,
    /// How many questions it asks.
    asks: usize,
    /// Those that every attempt asks, of a quiz that draws.
    always: BTreeSet<&'a QuestionId>,
}

impl<'a> AttemptQuestions<'a> {
    fn of(quiz: &'a Quiz) -> Self {
        let always = quiz.pool().filter(|it| it.always);
        Self {
            draws: quiz.draws(),
            asks: quiz.asks(),
            always: always.map(Question::name).collect(),
        }
    }
}

/// What is known of one lesson so far.
struct LessonAttempts<'a> {
    quiz: Option<&'a Quiz>,
    whole: AttemptQuestions<'a>,
    /// The attempts, by their names.
    attempts: BTreeMap<String, AttemptAnswers>,
    /// The attempts that were handed in.
    handed_in: BTreeSet<String>,
    /// Of these, the newest answer to each question.
    newest: BTreeMap<QuestionId, AnswerScore>,
    /// The values that runs gave what predictions are about, by lab and name, the newest last.
    runs: BTreeMap<(LabId, String), VecDeque<f64>>,
}

/// The answers of one attempt.
#[derive(Default)]
struct AttemptAnswers {
    asks: QuestionSelection,
    answers: BTreeMap<QuestionId, AnswerScore>,
}

impl AttemptAnswers {
    /// Whether it asked only what an attempt before had missed.
    fn is_retry(&self) -> bool {
        self.asks == QuestionSelection::Missed || self.answers.is_empty()
    }
}

/// What the predictions of a quiz are about: the lab, and the name of its number.
pub(super) fn predicted(quiz: Option<&Quiz>) -> impl Iterator<Item = (LabId, String)> + '_ {
    let questions = quiz.into_iter().flat_map(|it| &it.questions);
    questions.filter_map(|it| {
        let QuestionKind::Predict(Prediction { lab, metric, .. }) = &it.kind else {
            return None;
        };
        Some((lab.clone(), metric.clone()))
    })
}

/// Grades the records of one learner in this course.
pub(super) fn graded(course: &Course, mut records: Vec<Record>) -> GradedRecords {
    let mut order: Vec<usize> = (0..records.len()).collect();
    // An attempt comes after answers of the same time.
    order.sort_by_key(|at| {
        let record = records.get(*at)?;
        let is_attempt = matches!(
            record.event,
            Event::Attempted { .. } | Event::HandedIn { .. }
        );
        Some((record.at_ms, is_attempt, &record.id))
    });
    let mut graded = GradedRecords::default();
    let mut lessons = BTreeMap::new();
    let mut twice = BTreeSet::new();
    for at in order {
        let Some(record) = records.get_mut(at) else {
            continue;
        };
        if record.event == (Event::Reset { lesson: None }) {
            lessons.values_mut().for_each(LessonAttempts::forget);
        } else if let Some(id) = record.event.lesson() {
            if !lessons.contains_key(id) {
                lessons.insert(id.clone(), LessonAttempts::of(course, id));
            }
            if let Some(lesson) = lessons.get_mut(id)
                && lesson.take(&mut record.event, &mut graded) == RecordOutcome::Drop
            {
                twice.insert(at);
            }
        }
    }
    let records = records.into_iter().enumerate();
    let once = records.filter(|(at, _)| !twice.contains(at));
    graded.records = once.map(|(_, it)| it).collect();
    graded
}

/// What becomes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordOutcome {
    Keep,
    Drop,
}

impl<'a> LessonAttempts<'a> {
    fn of(course: &'a Course, id: &LessonId) -> Self {
        let lesson = course.lessons.iter().find(|it| it.id == *id);
        let quiz = lesson.and_then(|it| it.quiz.as_ref());
        Self {
            quiz,
            whole: quiz.map_or_else(AttemptQuestions::default, AttemptQuestions::of),
            attempts: BTreeMap::new(),
            handed_in: BTreeSet::new(),
            newest: BTreeMap::new(),
            runs: predicted(quiz).map(|it| (it, VecDeque::new())).collect(),
        }
    }

    /// A reset hides what was handed in. What was measured stays measured, an attempt that was handed in is not open again, and one
    /// that is open in another terminal goes on.
    fn forget(&mut self) {
        self.newest.clear();
    }

    /// Takes the next record. An attempt becomes what is believed of it, and is dropped where it was handed in before.
    fn take(&mut self, event: &mut Event, graded: &mut GradedRecords) -> RecordOutcome {
        match event {
            Event::Ran { lab, metrics, .. } => {
                for metric in metrics {
                    let Some(values) = self.runs.get_mut(&(lab.clone(), metric.name.clone()))
                    else {
                        continue;
                    };
                    values.push_back(metric.value);
                    if values.len() > MOST_VALUES {
                        values.pop_front();
                    }
                }
            }
            Event::Answered {
                attempt,
                question,
                hash,
                answer,
                score,
                asks,
                ..
            } => {
                let asked = self.quiz.and_then(|it| it.question(question));
                let measured = asked.map_or(Vec::new(), |it| self.measured(it));
                let worth = answer_score(asked, (hash, answer), *score, &measured);
                let own = self.attempts.entry(attempt.clone()).or_default();
                own.asks = *asks;
                if let Some(worth) = worth {
                    own.answers.entry(question.clone()).or_insert(worth);
                }
            }
            Event::Attempted {
                lesson, attempt, ..
            }
            | Event::HandedIn {
                lesson, attempt, ..
            } => {
                if !self.handed_in.insert(attempt.clone()) {
                    return RecordOutcome::Drop;
                }
                let key = (lesson.clone(), attempt.clone());
                self.hand_in(event, &key, graded);
                let own = self.attempts.remove(&key.1).unwrap_or_default();
                for (question, worth) in own.answers {
                    let is_known = self.quiz.is_some_and(|it| it.question(&question).is_some());
                    if is_known || self.newest.len() < MOST_GONE {
                        self.newest.insert(question, worth);
                    }
                }
            }
            Event::Reset { .. } => self.forget(),
            Event::Read { .. }
            | Event::Left { .. }
            | Event::Edited { .. }
            | Event::Predicted { .. }
            | Event::Explained { .. }
            | Event::Chose { .. }
            | Event::Unknown => {}
        }
        RecordOutcome::Keep
    }

    /// The values that runs have given what a prediction is about.
    fn measured(&self, question: &Question) -> Vec<f64> {
        let QuestionKind::Predict(Prediction { lab, metric, .. }) = &question.kind else {
            return Vec::new();
        };
        let given = self.runs.get(&(lab.clone(), metric.clone()));
        given.into_iter().flatten().copied().collect()
    }

    /// An attempt as it is believed.
    fn hand_in(&self, event: &mut Event, key: &(LessonId, String), graded: &mut GradedRecords) {
        let (Event::Attempted { drawn, .. } | Event::HandedIn { drawn, .. }) = &*event else {
            return;
        };
        let (quiz, nothing) = (self.quiz, AttemptAnswers::default());
        let own = self.attempts.get(&key.1).unwrap_or(&nothing);
        let asked = quiz.map_or(Vec::new(), |it| asked(it, &self.whole, drawn));
        let given = self.given(own, &asked);
        let basis = if let Event::HandedIn { took_ms, drawn, .. } = event {
            let Some(quiz) = quiz else {
                return;
            };
            let score = given.score();
            *event = Event::Attempted {
                lesson: key.0.clone(),
                attempt: key.1.clone(),
                score,
                above_percent: quiz.pass.above_percent,
                passed: score.passes(quiz.pass),
                took_ms: *took_ms,
                missed: Vec::new(),
                drawn: std::mem::take(drawn),
            };
            Basis::Answers
        } else if let Event::Attempted {
            score,
            above_percent,
            passed,
            ..
        } = event
        {
            let claim = AttemptClaim {
                score: *score,
                above_percent: *above_percent,
                passed: *passed,
            };
            // A lesson that has no quiz any more has no rule either.
            let rule = quiz.map_or_else(|| claim.rule(), |it| it.pass);
            let believed = claim.check(given, rule);
            (*score, *passed) = (believed.score, believed.passed);
            *above_percent = believed.above_percent;
            let reason = believed.reason.into_iter();
            let reason = reason.map(|it| format!("an attempt at `{}` {it}", key.0));
            graded.reasons.extend(reason);
            believed.basis
        } else {
            return;
        };
        graded.bases.insert(key.clone(), basis);
    }

    /// The answer that counts for a question of an attempt: its own, or one that a retry has kept.
    fn counts(&self, own: &AttemptAnswers, question: &QuestionId) -> Option<AnswerScore> {
        let kept = || {
            let before = self.newest.get(question).filter(|_| own.is_retry());
            before.copied().filter(|it| it.is_right())
        };
        own.answers.get(question).copied().or_else(kept)
    }

    /// What the answers of an attempt give that asked these questions.
    fn given(&self, own: &AttemptAnswers, asked: &[(QuestionId, u64)]) -> ScoreFromAnswers {
        let mut given = ScoreFromAnswers {
            has_answers: !own.answers.is_empty(),
            earned: 0,
            max: 0,
            says: ScoreSource::Keys,
        };
        for (question, max) in asked {
            given.max += max;
            if let Some(worth) = self.counts(own, question) {
                given.earned += worth.earned;
                given.says = given.says.max(worth.says);
            }
        }
        // Questions that are gone count as their records say.
        let ids: BTreeSet<_> = asked.iter().map(|it| &it.0).collect();
        let kept = self.newest.keys().filter(|_| own.is_retry());
        let all = own.answers.keys().chain(kept);
        let gone: BTreeSet<_> = all.filter(|it| !ids.contains(it)).collect();
        for question in gone {
            let worth = self.counts(own, question);
            if let Some(worth) = worth.filter(|it| it.says == ScoreSource::Record) {
                given.earned += worth.earned;
                given.says = ScoreSource::Record;
            }
        }
        given
    }
}

/// The questions of an attempt, each with the hundredths of a point that it can give.
fn asked(
    quiz: &Quiz,
    whole: &AttemptQuestions<'_>,
    drawn: &[QuestionId],
) -> Vec<(QuestionId, u64)> {
    let max = |it: &Question| (it.id.clone(), u64::from(it.points) * HUNDREDTHS);
    if drawn.is_empty() && !whole.draws {
        return quiz.counted().map(max).collect();
    }
    let questions: Vec<_> = drawn.iter().filter_map(|it| quiz.question(it)).collect();
    let names: BTreeSet<_> = questions.iter().map(|it| it.name()).collect();
    let is_whole = names.len() == drawn.len()
        && questions.iter().all(|it| it.counts)
        && names.len() == whole.asks
        && whole.always.is_subset(&names);
    if is_whole {
        return questions.into_iter().map(max).collect();
    }
    let attempt = Attempt::start(quiz, 0, Draw::Again(drawn));
    attempt.asked().iter().map(|it| max(&it.question)).collect()
}
