//! Grading a number, and answering with one.

use super::grade_kind::{Claim, ExpectedVerdict, GradeKind, foreign};
use crate::answer_text::AnswerText;
use crate::input::{AnswerMethod, Input};
use crate::number::{self, is_within};
use crate::score::{NoVerdict, Verdict};
use warpup_course::Answer;
use warpup_course::kinds::Numeric;

impl GradeKind for Numeric {
    fn input(&self) -> Input<'_> {
        Input::typed(&TypedNumber, self.unit.as_deref())
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict> {
        let accepted: Vec<&str> = self.accepted.iter().map(String::as_str).collect();
        let value = number::read(typed(answer)?, self.unit.as_deref(), &accepted)?;
        let key = self.key.as_ref().ok_or(NoVerdict::NoKey)?;
        let is_right = is_within(value, key.answer, key.tolerance);
        let mut near = key.near.iter().filter(|_| !is_right);
        let near = near.find(|it| is_within(value, it.value, it.tolerance));
        let feedback = near.map(|it| it.feedback.clone());
        Ok(Verdict::whole(is_right, max, feedback))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        let key = self.key.as_ref()?;
        Some(with_unit(key.answer, self.unit.as_deref()))
    }

    fn claims(&self) -> Vec<Claim> {
        let Some(key) = &self.key else {
            return Vec::new();
        };
        let near = key.near.iter().map(|near| {
            let unit = self.unit.as_deref().unwrap_or_default();
            let written = format!("{} {unit}", near.value);
            let what = format!("near miss {}", written.trim());
            let expected = ExpectedVerdict::Near(near.feedback.clone());
            Claim {
                at: Some(near.span.clone()),
                ..Claim::new(what, Answer::Number(written), expected)
            }
        });
        std::iter::once(Claim::key(self, None))
            .chain(near)
            .collect()
    }
}

/// A number as a learner would type it.
pub(super) fn with_unit(value: f64, unit: Option<&str>) -> Answer {
    let text = format!("{value} {}", unit.unwrap_or_default());
    Answer::Number(text.trim_end().to_owned())
}

/// The text of a number.
pub(super) fn typed(answer: &Answer) -> Result<&str, NoVerdict> {
    let Answer::Number(typed) = answer else {
        return Err(foreign("it asks for a number"));
    };
    Ok(typed)
}

/// A number with or without a unit.
pub(super) struct TypedNumber;

impl AnswerMethod for TypedNumber {
    fn empty(&self) -> Answer {
        Answer::Number(String::new())
    }

    fn how(&self) -> &'static str {
        "a number"
    }

    fn line(&self, _input: &Input<'_>, typed: &str) -> Result<Answer, String> {
        Ok(Answer::Number(typed.to_owned()))
    }

    fn value(&self, mut written: AnswerText<'_, '_>) -> Option<Answer> {
        written.number().map(Answer::Number)
    }

    /// With the unit that was asked for, where none was typed.
    fn words(&self, input: &Input<'_>, answer: &Answer) -> Option<String> {
        let typed = typed(answer).ok()?;
        let has_unit = typed.ends_with(|it: char| it.is_alphabetic() || it == '%');
        Some(match input.unit.filter(|_| !has_unit) {
            Some(unit) => format!("{typed} {unit}"),
            None => typed.to_owned(),
        })
    }
}
