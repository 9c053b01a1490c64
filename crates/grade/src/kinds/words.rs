//! Grading an explanation in the learner's own words: nobody does.

use super::grade_kind::{Claim, GradeKind};
use super::text::TypedText;
use crate::input::Input;
use crate::score::{NoVerdict, Verdict};
use warpup_course::Answer;
use warpup_course::kinds::OwnWords;

impl GradeKind for OwnWords {
    fn input(&self) -> Input<'_> {
        Input::typed(&TypedText, None)
    }

    fn judge(&self, _: &Answer, _truth: Option<f64>, _max: u64) -> Result<Verdict, NoVerdict> {
        Err(NoVerdict::NotGraded)
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        None
    }

    fn claims(&self) -> Vec<Claim> {
        Vec::new()
    }
}
