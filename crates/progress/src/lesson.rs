//! What a learner has done in one lesson, ready to be shown.
//!
//! Made by the fold, never by hand, so nothing here decides what counts. An answer comes with the hash of
//! the question that it was given to: compare it with the current question before showing it.

use super::event::QuestionSelection;
use super::figures::RunRecord;
use super::reading_position::ReadingPosition;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use warpup_course::{LabId, Lesson, PageId, Question, QuestionId, Quiz};
use warpup_grade::{Answer, Confidence, Score, StoredAnswer};

/// What has been done in one lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonProgress {
    /// The page that was read last.
    pub place: Option<PageId>,
    /// The pages that were ever read.
    pub pages: BTreeSet<PageId>,
    /// The place on a page that was left last.
    pub left: Option<(PageId, ReadingPosition)>,
    /// The labs that were touched.
    pub labs: BTreeMap<LabId, LabProgress>,
    /// The latest prediction for each question, with the question's hash at that time.
    pub predictions: BTreeMap<QuestionId, (String, Answer)>,
    /// The attempts that were handed in, oldest first.
    pub attempts: Vec<AttemptRecord>,
    /// The attempts at a quiz without keys that were handed in, oldest first.
    pub handed_in: Vec<HandedInRecord>,
    /// The newest attempt, if it is still open.
    pub open: Option<OpenAttempt>,
    /// Of the attempts that were handed in, the newest answer to each question.
    pub answers: BTreeMap<QuestionId, AnswerRecord>,
    /// What was explained in the learner's own words.
    pub explanations: BTreeMap<QuestionId, Explanation>,
}

/// An explanation in the learner's own words. Nobody grades it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// When it was written or looked through last, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// The question's hash at that time.
    pub hash: String,
    /// The words; never empty.
    pub text: String,
    /// Which of the question's parts they say, as the learner sees it; from 0.
    pub said: BTreeSet<usize>,
}

/// What has been done in one lab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabProgress {
    /// The newest run that came to its end.
    pub newest: Option<RunRecord>,
    /// The newest passed run for each set of metrics that runs gave.
    pub figures: Vec<RunRecord>,
    /// When a run passed last, in milliseconds since 1970 UTC; nothing if none ever did.
    pub passed_ms: Option<u64>,
    /// The learner's program; `None` for the starter.
    pub source: Option<String>,
    /// Whether the program is another one than the one that passed last.
    pub is_edited_since_pass: bool,
}

/// An attempt that was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRecord {
    /// Its name, a ULID.
    pub attempt: String,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// Points earned and possible.
    pub score: Score,
    /// The threshold that was in force: more than this share passes.
    pub above_percent: u32,
    /// Whether it passed under that threshold.
    pub passed: bool,
    /// How long its last sitting took, in milliseconds.
    pub took_ms: u64,
    /// The questions that were not right.
    pub missed: Vec<QuestionId>,
    /// The questions that were drawn for it; empty where it asked all that counted.
    pub drawn: Vec<QuestionId>,
}

/// An attempt at a quiz without keys that was handed in. The instructor grades it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandedInRecord {
    /// Its name, a ULID.
    pub attempt: String,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: u64,
    /// How long its last sitting took, in milliseconds.
    pub took_ms: u64,
    /// The questions that were drawn for it; empty where it asked all that counted.
    pub drawn: Vec<QuestionId>,
}

/// An attempt that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenAttempt {
    /// Its name, a ULID.
    pub attempt: String,
    /// Which questions it asks.
    pub asks: QuestionSelection,
    /// The questions that were drawn for it; empty where it asks all that count.
    pub drawn: Vec<QuestionId>,
    /// The answers so far.
    pub answers: BTreeMap<QuestionId, AnswerRecord>,
}

/// An answer to a question of a quiz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRecord {
    /// The question's hash at that time.
    pub hash: String,
    /// The answer.
    pub answer: Answer,
    /// What it earned; nothing where the quiz has no keys.
    pub score: Option<Score>,
    /// How sure the learner was, if they said so.
    pub confidence: Option<Confidence>,
}

impl AnswerRecord {
    /// The answer, to be judged again.
    pub fn stored(&self) -> StoredAnswer<'_> {
        StoredAnswer {
            hash: &self.hash,
            answer: &self.answer,
            confidence: self.confidence,
        }
    }
}

impl LabProgress {
    /// Whether a run ever passed.
    pub fn has_passed(&self) -> bool {
        self.passed_ms.is_some()
    }
}

impl LessonProgress {
    /// Where to go on with a page: where it was left, or at its top.
    pub fn spot(&self, page: &PageId) -> ReadingPosition {
        let left = self.left.as_ref().filter(|it| &it.0 == page);
        left.map_or_else(ReadingPosition::default, |it| it.1)
    }

    /// How many blocks of a page to show to a learner who has read on to the block `seen`: those before the next pause. A page
    /// that was read to its end has no pauses: a later one was read, or the lesson is done.
    pub fn shown_blocks(&self, lesson: &Lesson, at: usize, seen: usize) -> usize {
        let Some(page) = lesson.pages.get(at) else {
            return 0;
        };
        let all = page.blocks.len();
        let seen = seen.max(self.spot(&page.id).block);
        let mut next = page.pauses.iter().map(|it| it.before);
        let Some(next) = next.find(|it| *it > seen) else {
            return all;
        };
        let mut later = lesson.pages.iter().skip(at + 1);
        if self.is_finished() || later.any(|it| self.pages.contains(&it.id)) {
            return all;
        }
        next
    }

    /// Whether any attempt has passed. Editing the course later takes nothing away: the threshold that
    /// was in force is stored with the attempt.
    pub fn is_done(&self) -> bool {
        self.attempts.iter().any(|attempt| attempt.passed)
    }

    /// Whether answers were handed in that the instructor grades, and no attempt has passed here.
    pub fn is_handed_in(&self) -> bool {
        !self.is_done() && !self.handed_in.is_empty()
    }

    /// Whether nothing is left to do: the lesson is done, or the instructor has the answers.
    pub fn is_finished(&self) -> bool {
        self.is_done() || self.is_handed_in()
    }

    /// Whether anything at all is known of it: a look at its first page is enough.
    pub fn is_opened(&self) -> bool {
        *self != Self::default()
    }

    /// Whether something has been done: a page was left for another one, a program was run or changed, or something was answered. Who
    /// has only opened the lesson has not begun it.
    pub fn is_begun(&self) -> bool {
        let has_answered = self.open.is_some()
            || !self.attempts.is_empty()
            || !self.handed_in.is_empty()
            || !self.predictions.is_empty()
            || !self.explanations.is_empty();
        self.pages.len() > 1 || !self.labs.is_empty() || has_answered
    }

    /// Whether the first attempt passed.
    pub fn first_try(&self) -> bool {
        self.attempts.first().is_some_and(|it| it.passed)
    }

    /// The attempt with the largest share of points; of equals the earliest.
    pub fn best(&self) -> Option<&AttemptRecord> {
        self.attempts
            .iter()
            .reduce(|best, next| match by_share(next.score, best.score) {
                Ordering::Greater => next,
                Ordering::Equal | Ordering::Less => best,
            })
    }

    /// The attempt that was handed in last.
    pub fn latest(&self) -> Option<&AttemptRecord> {
        self.attempts.last()
    }

    /// The questions that were drawn for the attempt that was handed in last, graded here or not.
    pub fn latest_draw(&self) -> &[QuestionId] {
        let graded = self.latest().map(|it| (it.at_ms, &it.drawn));
        let handed_in = self.handed_in.last().map(|it| (it.at_ms, &it.drawn));
        let latest = graded.into_iter().chain(handed_in);
        latest.max_by_key(|it| it.0).map_or(&[], |it| it.1)
    }

    /// The prediction that was committed for a question, if it answers the question as it is now.
    pub fn predicted(&self, question: &Question) -> Option<&Answer> {
        let (hash, answer) = self.predictions.get(&question.id)?;
        (*hash == question.hash).then_some(answer)
    }

    /// The learner's own words for a question, if they were for the question as it is now.
    pub fn explanation(&self, question: &Question) -> Option<&Explanation> {
        let words = self.explanations.get(&question.id);
        words.filter(|it| it.hash == question.hash)
    }

    /// How many of a quiz's questions are explained in the learner's own words, of how many that ask for them.
    pub fn explained(&self, quiz: &Quiz) -> (usize, usize) {
        let asked = quiz.in_own_words();
        asked.fold((0, 0), |(done, all), (question, _)| {
            let is_done = self.explanation(question).is_some();
            (done + usize::from(is_done), all + 1)
        })
    }

    /// The lab's progress; that of an untouched lab when nothing is known.
    pub fn lab(&self, lab: &LabId) -> &LabProgress {
        static UNTOUCHED: LazyLock<LabProgress> = LazyLock::new(LabProgress::default);
        self.labs.get(lab).unwrap_or(&UNTOUCHED)
    }
}

/// Compares shares of points without dividing. A score of nothing possible is a share of none.
fn by_share(left: Score, right: Score) -> Ordering {
    let cross = |a: Score, b: Score| u128::from(a.earned) * u128::from(b.max.max(1));
    cross(left, right).cmp(&cross(right, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_goes_on_where_it_was_left_and_others_at_their_top() {
        let at = ReadingPosition {
            block: 4,
            above: 250,
        };
        let lesson = LessonProgress {
            left: Some((PageId::new("bus"), at)),
            ..LessonProgress::default()
        };
        assert_eq!(lesson.spot(&PageId::new("bus")), at);
        assert_eq!(
            lesson.spot(&PageId::new("start")),
            ReadingPosition::default()
        );
    }
}
