//! Answers to the questions of a quiz: right ones, wrong ones, and a mix that just does not pass.

use warpup_course::kinds::{
    Matching, MultipleChoice, Ordering, PredictForm, Prediction, SingleChoice,
};
use warpup_course::{Choice, ChoiceId, Question, QuestionKind, Quiz, Text};
use warpup_grade::{self as grade, Answer, grade};

/// Which questions of an attempt are answered rightly, in the order in which they are asked.
///
/// Which questions these are is drawn, and all of a quiz are worth the same.
pub(crate) struct AnswerPlan {
    /// Whether the answer to each question is right.
    pub(crate) is_right: Vec<bool>,
    /// The points that they earn.
    pub(crate) points: u64,
    /// The points of the attempt.
    pub(crate) max: u64,
}

impl AnswerPlan {
    fn of(quiz: &Quiz, right: usize) -> Self {
        let asks = quiz.asks();
        let max = quiz.points();
        let worth = max / asks as u64;
        let same = |it: &Question| u64::from(it.points) == worth;
        assert!(quiz.counted().all(same), "{}: points differ", quiz.id);
        Self {
            is_right: (0..asks).map(|it| it < right).collect(),
            points: worth * right as u64,
            max,
        }
    }

    /// Whether it earns exactly the percentage of the gate, which does not pass.
    pub(crate) fn is_exactly_at_gate(&self, quiz: &Quiz) -> bool {
        100 * self.points == u64::from(quiz.pass.above_percent) * self.max
    }

    /// As many right answers as this plan has wrong ones: what a retry of the missed questions needs.
    pub(crate) fn missed(&self) -> Vec<bool> {
        let missed = self.is_right.iter().filter(|it| !**it);
        missed.map(|_| true).collect()
    }
}

/// Every answer is right.
pub(crate) fn passing(quiz: &Quiz) -> AnswerPlan {
    AnswerPlan::of(quiz, quiz.asks())
}

/// Every answer is wrong.
pub(crate) fn failing(quiz: &Quiz) -> AnswerPlan {
    AnswerPlan::of(quiz, 0)
}

/// Earns the most points that do not pass: exactly the percentage of the gate where the points allow it.
pub(crate) fn just_not_passing(quiz: &Quiz) -> AnswerPlan {
    let percent = quiz.pass.above_percent as usize;
    AnswerPlan::of(quiz, quiz.asks() * percent / 100)
}

/// The answer that earns all points.
pub(crate) fn right(question: &Question) -> Answer {
    grade::key(question, None).unwrap_or_else(|| panic!("{} has no key", question.id))
}

/// A valid answer that earns nothing.
pub(crate) fn wrong(question: &Question) -> Answer {
    let earns_nothing = |it: &Answer| grade(question, it, None).is_ok_and(|it| it.earned == 0);
    let found = candidates(question).into_iter().find(earns_nothing);
    found.unwrap_or_else(|| panic!("no answer to {} is wrong", question.id))
}

/// Valid answers, most of them wrong.
fn candidates(question: &Question) -> Vec<Answer> {
    match &question.kind {
        QuestionKind::Single(SingleChoice { options, .. }) => options
            .iter()
            .map(|it| Answer::Single(it.id.clone()))
            .collect(),
        QuestionKind::Multi(MultipleChoice { options, key, .. }) => {
            let is_wrong = |it: &&Choice| {
                let key = key.as_ref();
                key.is_some_and(|key| !key.options.is_right(&it.id))
            };
            let wrong = options.iter().filter(is_wrong);
            let wrong = Answer::Multi(wrong.map(|it| it.id.clone()).collect());
            let alone = |it: &Choice| Answer::Multi([it.id.clone()].into());
            std::iter::once(wrong)
                .chain(options.iter().map(alone))
                .collect()
        }
        QuestionKind::Numeric(_) => ["123456", "654321"]
            .map(|it| Answer::Number(it.to_owned()))
            .to_vec(),
        QuestionKind::Text(_) => vec![Answer::Text("nothing of the kind".to_owned())],
        QuestionKind::Order(Ordering { items, .. }) => (1..items.len())
            .map(|by| {
                let mut ids: Vec<_> = items.iter().map(|it| it.id.clone()).collect();
                ids.rotate_left(by);
                Answer::Order(ids)
            })
            .collect(),
        QuestionKind::Match(Matching { lefts, .. }) => {
            let ids = || lefts.iter().map(|it| it.id.clone());
            vec![Answer::Match(ids().zip(ids().cycle().skip(1)).collect())]
        }
        QuestionKind::Predict(_) | QuestionKind::Words(_) => {
            panic!("{} does not count", question.id)
        }
    }
}

/// Some answer to a prediction.
pub(crate) fn predicted(question: &Question) -> Answer {
    match &question.kind {
        QuestionKind::Predict(Prediction { form, .. }) => match form {
            PredictForm::Number { .. } => Answer::Number("1".to_owned()),
            PredictForm::Bins(bins) => Answer::Single(bins[0].id.clone()),
        },
        QuestionKind::Single(_)
        | QuestionKind::Multi(_)
        | QuestionKind::Numeric(_)
        | QuestionKind::Text(_)
        | QuestionKind::Order(_)
        | QuestionKind::Match(_)
        | QuestionKind::Words(_) => panic!("{} is not a prediction", question.id),
    }
}

/// The texts that an answer chooses from, in the order of the file; of pairs, the right sides.
pub(crate) fn choices(question: &Question) -> Vec<(&ChoiceId, &Text)> {
    let input = grade::input(question);
    input.rows.iter().map(|it| (it.id, it.text)).collect()
}
