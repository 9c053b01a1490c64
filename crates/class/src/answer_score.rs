//! What an answer is worth: what the keys of the course give it, or, where they cannot be asked, what its record says.

use warpup_course::{Question, QuestionKind};
use warpup_grade::{Answer, HUNDREDTHS, NoVerdict, Score, grade};

/// The most that a record may claim for one answer, in hundredths of a point: no question gives more.
const MOST: u64 = 1000 * HUNDREDTHS;

/// What an answer is worth, in hundredths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnswerScore {
    /// Earned.
    pub(super) earned: u64,
    /// Possible.
    pub(super) max: u64,
    /// Who says so.
    pub(super) says: ScoreSource,
}

/// Who says what an answer is worth; the later, the less it is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ScoreSource {
    /// The keys of the course.
    Keys,
    /// The learner's machine, which alone has measured what was predicted.
    Machine,
    /// The learner's record: the question has changed since, or is gone.
    Record,
}

impl AnswerScore {
    /// Whether every point was earned.
    pub(super) fn is_right(self) -> bool {
        self.earned == self.max
    }
}

/// What an answer is worth. Nothing if it cannot be one to this question; warpup never stores such an answer.
///
/// `question` is the one of that name in the course as it is now. `measured` are the values that the learner's runs have
/// given what it predicts, the newest last. Which of them the learner had before the eyes, no record says, so a claim that one
/// of them gives is believed.
pub(super) fn answer_score(
    question: Option<&Question>,
    (hash, answer): (&str, &Answer),
    recorded: Option<Score>,
    measured: &[f64],
) -> Option<AnswerScore> {
    let plausible = |max| recorded.filter(|it| it.earned <= it.max && it.max <= max);
    let Some(question) = question.filter(|it| it.hash == hash) else {
        let Score { earned, max } = plausible(MOST).unwrap_or_default();
        return Some(AnswerScore {
            earned,
            max,
            says: ScoreSource::Record,
        });
    };
    let max = u64::from(question.points) * HUNDREDTHS;
    let by = |truth| match grade(question, answer, truth) {
        Ok(verdict) => Ok(AnswerScore {
            earned: verdict.earned,
            max,
            says: ScoreSource::Keys,
        }),
        Err(why) => Err(why),
    };
    if !matches!(question.kind, QuestionKind::Predict(_)) {
        return by(None).ok();
    }
    let claimed = plausible(max).filter(|it| it.max == max);
    let mut given = measured.iter().rev().map(|it| by(Some(*it)));
    match given.next() {
        None => match by(None) {
            Err(NoVerdict::NotMeasured(_)) => Some(AnswerScore {
                earned: claimed.unwrap_or_default().earned,
                max,
                says: ScoreSource::Machine,
            }),
            graded => graded.ok(),
        },
        Some(newest) => {
            let newest = newest.ok()?;
            let earned = claimed.map(|it| it.earned);
            let is_claimed = |it: &AnswerScore| Some(it.earned) == earned;
            let older = given.filter_map(Result::ok).find(is_claimed);
            Some(older.filter(|_| !is_claimed(&newest)).unwrap_or(newest))
        }
    }
}
