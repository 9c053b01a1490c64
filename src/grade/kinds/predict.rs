//! Grading a prediction.

use super::graded::{Claim, Expected, Graded, Judged, foreign, typed_number};
use super::numeric::with_unit;
use crate::course::kinds::{Bin, PredictForm, Prediction};
use crate::course::{ChoiceId, units};
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::{Input, Row};
use crate::grade::number::{self, is_within_factor};
use crate::grade::shuffle::Shuffle;

impl Graded for Prediction {
    fn input(&self) -> Input<'_> {
        match &self.form {
            PredictForm::Number { unit, .. } => Input::Number(unit.as_deref()),
            PredictForm::Bins(bins) => {
                let rows = bins.iter().map(|it| Row::new(&it.id, &it.text));
                Input::Single(rows.collect())
            }
        }
    }

    fn order(&self, _shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        match &self.form {
            PredictForm::Number { .. } => Vec::new(),
            PredictForm::Bins(bins) => bins.iter().map(|it| it.id.clone()).collect(),
        }
    }

    /// The answer is read before the truth is asked for, so that [`Unreadable::NotMeasured`] says that nothing
    /// else is wrong.
    fn judge(&self, answer: &Answer, truth: Option<f64>, max: u64) -> Result<Judged, Unreadable> {
        let Self { lab, form, .. } = self;
        let measured =
            |truth: Option<f64>| truth.ok_or_else(|| Unreadable::NotMeasured(lab.clone()));
        match form {
            PredictForm::Number {
                unit,
                within_factor,
            } => {
                let unit = unit.as_deref();
                let accepted: Vec<&str> = unit.into_iter().flat_map(units::like).collect();
                let value = number::read(typed_number(answer)?, unit, &accepted)?;
                let is_right = is_within_factor(value, measured(truth)?, *within_factor);
                Ok(Judged::whole(is_right, max, Vec::new()))
            }
            PredictForm::Bins(bins) => {
                let bin = bin(bins, answer)?;
                let truth = measured(truth)?;
                let is_right = bin.from <= truth && truth < bin.to;
                let feedback = bin.feedback.iter().filter(|_| !is_right).cloned().collect();
                Ok(Judged::whole(is_right, max, feedback))
            }
        }
    }

    fn key(&self, truth: Option<f64>) -> Option<Answer> {
        let truth = truth?;
        match &self.form {
            PredictForm::Number { unit, .. } => Some(with_unit(truth, unit.as_deref())),
            PredictForm::Bins(bins) => {
                let bin = bins.iter().find(|it| it.from <= truth && truth < it.to)?;
                Some(Answer::Single(bin.id.clone()))
            }
        }
    }

    fn claims(&self) -> Vec<Claim> {
        let PredictForm::Bins(bins) = &self.form else {
            return vec![Claim::Key(Some(1.0))];
        };
        let mut claims = Vec::new();
        for bin in bins {
            let truth = inside(bin);
            claims.push(Claim::Key(Some(truth)));
            let others = bins.iter().filter(|it| it.id != bin.id);
            claims.extend(others.map(|other| Claim::Answer {
                what: format!("bin `{}` at {truth}", other.id),
                answer: Answer::Single(other.id.clone()),
                truth: Some(truth),
                expected: Expected::Wrong,
            }));
        }
        claims
    }
}

fn bin<'a>(bins: &'a [Bin], answer: &Answer) -> Result<&'a Bin, Unreadable> {
    let Answer::Single(id) = answer else {
        return Err(foreign("it asks for one option"));
    };
    bins.iter()
        .find(|it| &it.id == id)
        .ok_or_else(|| Unreadable::Foreign(format!("there is no option `{id}`")))
}

/// A value for which this bin is right.
fn inside(bin: &Bin) -> f64 {
    match (bin.from.is_finite(), bin.to.is_finite()) {
        (true, _) => bin.from,
        (false, true) => bin.to - 1.0,
        (false, false) => 0.0,
    }
}
