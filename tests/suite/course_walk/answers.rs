//! Answers to the questions of a quiz: right ones, wrong ones, and a mix that just does not pass.

use warpup::course::kinds::{
    Matching, MultipleChoice, Ordering, PredictForm, Prediction, SingleChoice,
};
use warpup::course::{ChoiceId, Question, QuestionKind, Quiz, Text};
use warpup::grade::{self, Answer, grade};

/// An answer to each counted question of a quiz, in the order of the file.
pub(crate) struct AnswerPlan {
    /// The answers.
    pub(crate) answers: Vec<Answer>,
    /// Which of them are right.
    pub(crate) is_right: Vec<bool>,
    /// The points that they earn.
    pub(crate) points: u64,
    /// The points of all counted questions.
    pub(crate) max: u64,
}

impl AnswerPlan {
    fn of(quiz: &Quiz, is_right: Vec<bool>) -> Self {
        let all = || quiz.counted().zip(&is_right);
        let points = |it: &Question| u64::from(it.points);
        Self {
            answers: all()
                .map(|(question, ok)| {
                    if *ok {
                        right(question)
                    } else {
                        wrong(question)
                    }
                })
                .collect(),
            points: all().filter(|it| *it.1).map(|it| points(it.0)).sum(),
            max: all().map(|it| points(it.0)).sum(),
            is_right,
        }
    }

    /// Whether it earns exactly the percentage of the gate, which does not pass.
    pub(crate) fn is_exactly_at_gate(&self, quiz: &Quiz) -> bool {
        100 * self.points == u64::from(quiz.pass.above_percent) * self.max
    }
}

/// Every answer is right.
pub(crate) fn passing(quiz: &Quiz) -> AnswerPlan {
    AnswerPlan::of(quiz, quiz.counted().map(|_| true).collect())
}

/// Every answer is wrong.
pub(crate) fn failing(quiz: &Quiz) -> AnswerPlan {
    AnswerPlan::of(quiz, quiz.counted().map(|_| false).collect())
}

/// Earns the most points that do not pass: exactly the percentage of the gate where the points allow it.
pub(crate) fn just_not_passing(quiz: &Quiz) -> AnswerPlan {
    let points: Vec<u64> = quiz.counted().map(|it| u64::from(it.points)).collect();
    let max: u64 = points.iter().sum();
    // Each sum of points that can be reached, with the questions that are right for it.
    let mut reached = std::collections::BTreeMap::from([(0, Vec::new())]);
    for worth in points {
        let mut next = std::collections::BTreeMap::new();
        for (sum, chosen) in reached {
            let with = |ok| [chosen.as_slice(), &[ok]].concat();
            next.insert(sum, with(false));
            next.insert(sum + worth, with(true));
        }
        reached = next;
    }
    let fails = |sum: u64| 100 * sum <= u64::from(quiz.pass.above_percent) * max;
    let best = reached.into_iter().rev().find(|(sum, _)| fails(*sum));
    AnswerPlan::of(quiz, best.expect("no points at all do not pass").1)
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
        QuestionKind::Multi(MultipleChoice { options, .. }) => {
            let wrong = options.iter().filter(|it| !it.correct);
            let wrong = Answer::Multi(wrong.map(|it| it.id.clone()).collect());
            let alone = |it: &warpup::course::Choice| Answer::Multi([it.id.clone()].into());
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
        QuestionKind::Match(Matching { pairs }) => {
            let ids = || pairs.iter().map(|it| it.id.clone());
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
