//! Grading a number.

use super::graded::{Claim, Graded, Judged, typed_number};
use crate::course::kinds::Numeric;
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::Input;
use crate::grade::number::{self, is_within};

impl Graded for Numeric {
    fn input(&self) -> Input<'_> {
        Input::Number(self.unit.as_deref())
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Judged, Unreadable> {
        let accepted: Vec<&str> = self.accepted.iter().map(String::as_str).collect();
        let value = number::read(typed_number(answer)?, self.unit.as_deref(), &accepted)?;
        if is_within(value, self.answer, self.tolerance) {
            return Ok(Judged::whole(true, max, Vec::new()));
        }
        let mut near = self.near.iter();
        let near = near.find(|it| is_within(value, it.value, it.tolerance));
        let feedback = near.map(|it| it.feedback.clone()).into_iter().collect();
        Ok(Judged::whole(false, max, feedback))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        Some(with_unit(self.answer, self.unit.as_deref()))
    }

    fn claims(&self) -> Vec<Claim> {
        let unit = self.unit.as_deref().unwrap_or_default();
        let near = self.near.iter().map(|near| {
            let written = format!("{} {unit}", near.value);
            let what = format!("near miss {}", written.trim());
            Claim::near(what, Answer::Number(written), &near.feedback)
        });
        std::iter::once(Claim::Key(None)).chain(near).collect()
    }
}

/// A number as a learner would type it.
pub(super) fn with_unit(value: f64, unit: Option<&str>) -> Answer {
    let text = format!("{value} {}", unit.unwrap_or_default());
    Answer::Number(text.trim_end().to_owned())
}
