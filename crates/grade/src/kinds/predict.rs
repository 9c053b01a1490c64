//! Grading a prediction.

use super::grade_kind::{Claim, ExpectedVerdict, GradeKind, foreign, typed_reviewed};
use super::numeric::{TypedNumber, typed, with_unit};
use super::single::{OneOf, chosen};
use crate::input::{AnswerOption, Input};
use crate::number::{self, is_within_factor};
use crate::review::{Mark, ReviewRow};
use crate::score::{NoVerdict, Verdict};
use crate::shuffle::Shuffle;
use warpup_course::kinds::{Bin, PredictForm, Prediction};
use warpup_course::{Answer, ChoiceId, units};

impl GradeKind for Prediction {
    fn input(&self) -> Input<'_> {
        match &self.form {
            PredictForm::Number { unit, .. } => Input::typed(&TypedNumber, unit.as_deref()),
            PredictForm::Bins(bins) => {
                let rows = bins.iter().map(|it| AnswerOption::new(&it.id, &it.text));
                Input::of_rows(&OneOf, rows.collect())
            }
        }
    }

    fn order(&self, _shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        let input = self.input();
        input.rows.iter().map(|it| it.id.clone()).collect()
    }

    /// The answer is read before the truth is asked for, so that [`NoVerdict::NotMeasured`] says that nothing
    /// else is wrong.
    fn judge(&self, answer: &Answer, truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict> {
        let measured = || truth.ok_or_else(|| NoVerdict::NotMeasured(self.lab.clone()));
        match &self.form {
            PredictForm::Number {
                unit,
                within_factor,
            } => {
                let unit = unit.as_deref();
                let accepted: Vec<&str> = unit.into_iter().flat_map(units::like).collect();
                let value = number::read(typed(answer)?, unit, &accepted)?;
                let is_right = is_within_factor(value, measured()?, *within_factor);
                Ok(Verdict::whole(is_right, max, None))
            }
            PredictForm::Bins(bins) => {
                let id = chosen(answer)?;
                let bin = bins.iter().find(|it| &it.id == id);
                let bin = bin.ok_or_else(|| foreign(format!("there is no option `{id}`")))?;
                let is_right = is_in(bin, measured()?);
                let feedback = bin.feedback.clone().filter(|_| !is_right);
                Ok(Verdict::whole(is_right, max, feedback))
            }
        }
    }

    fn key(&self, truth: Option<f64>) -> Option<Answer> {
        let truth = truth?;
        match &self.form {
            PredictForm::Number { unit, .. } => Some(with_unit(truth, unit.as_deref())),
            PredictForm::Bins(bins) => {
                let bin = bins.iter().find(|it| is_in(it, truth))?;
                Some(Answer::Single(bin.id.clone()))
            }
        }
    }

    fn review(&self, answer: &Answer, verdict: &Verdict, truth: Option<f64>) -> Vec<ReviewRow> {
        let PredictForm::Bins(bins) = &self.form else {
            // The key of a prediction is what was measured.
            return typed_reviewed(self, answer, verdict, truth);
        };
        let chosen = chosen(answer).ok();
        let rows = bins.iter().map(|bin| {
            let is_right = truth.is_some_and(|it| is_in(bin, it));
            ReviewRow {
                id: Some(bin.id.clone()),
                feedback: bin.feedback.clone(),
                ..ReviewRow::new(
                    Mark::of(chosen == Some(&bin.id), is_right),
                    bin.text.clone(),
                )
            }
        });
        rows.collect()
    }

    fn claims(&self) -> Vec<Claim> {
        let PredictForm::Bins(bins) = &self.form else {
            return vec![Claim::key(self, Some(1.0))];
        };
        let mut claims = Vec::new();
        for bin in bins {
            let truth = inside(bin);
            claims.push(Claim::key(self, Some(truth)));
            let others = bins.iter().filter(|it| it.id != bin.id);
            claims.extend(others.map(|other| {
                let what = format!("bin `{}` at {truth}", other.id);
                let answer = Answer::Single(other.id.clone());
                Claim {
                    truth: Some(truth),
                    ..Claim::new(what, answer, ExpectedVerdict::Wrong)
                }
            }));
        }
        claims
    }
}

/// Whether this bin is right for a measured value.
fn is_in(bin: &Bin, truth: f64) -> bool {
    bin.from <= truth && truth < bin.to
}

/// A value for which this bin is right.
fn inside(bin: &Bin) -> f64 {
    match (bin.from.is_finite(), bin.to.is_finite()) {
        (true, _) => bin.from,
        (false, true) => bin.to - 1.0,
        (false, false) => 0.0,
    }
}
