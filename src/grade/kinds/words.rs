//! Grading an explanation in the learner's own words: nobody does.

use super::graded::{Claim, Graded, Judged};
use crate::course::kinds::OwnWords;
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::Input;

impl Graded for OwnWords {
    fn input(&self) -> Input<'_> {
        Input::Text
    }

    fn judge(&self, _: &Answer, _truth: Option<f64>, _max: u64) -> Result<Judged, Unreadable> {
        Err(Unreadable::NotGraded)
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        None
    }

    fn claims(&self) -> Vec<Claim> {
        Vec::new()
    }
}
