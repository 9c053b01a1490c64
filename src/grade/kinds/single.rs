//! Grading a single choice.

use super::graded::{Claim, Graded, Judged, foreign, option, option_order, rows};
use crate::course::ChoiceId;
use crate::course::kinds::SingleChoice;
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::Input;
use crate::grade::shuffle::Shuffle;

impl Graded for SingleChoice {
    fn input(&self) -> Input<'_> {
        Input::Single(rows(&self.options))
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        option_order(&self.options, self.shuffle, shuffle)
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Judged, Unreadable> {
        let Answer::Single(id) = answer else {
            return Err(foreign("it asks for one option"));
        };
        let option = option(&self.options, id)?;
        let feedback = option.feedback.iter().cloned().collect();
        Ok(Judged::whole(option.correct, max, feedback))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        let right = self.options.iter().find(|it| it.correct)?;
        Some(Answer::Single(right.id.clone()))
    }

    fn claims(&self) -> Vec<Claim> {
        let wrong = self.options.iter().filter(|it| !it.correct);
        let wrong = wrong.map(|it| {
            let what = format!("option `{}`", it.id);
            Claim::wrong(what, Answer::Single(it.id.clone()))
        });
        std::iter::once(Claim::Key(None)).chain(wrong).collect()
    }
}
