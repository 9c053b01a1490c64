//! Grading a multiple choice.

use super::graded::{Claim, Graded, Judged, foreign, option, option_order, rows};
use crate::course::kinds::MultipleChoice;
use crate::course::{Choice, ChoiceId, Text};
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::Input;
use crate::grade::shuffle::Shuffle;
use std::collections::BTreeSet;

impl Graded for MultipleChoice {
    fn input(&self) -> Input<'_> {
        Input::Multi(rows(&self.options))
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        option_order(&self.options, self.shuffle, shuffle)
    }

    /// All or nothing, or (right − wrong) ÷ correct of the points, not below nothing.
    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Judged, Unreadable> {
        let tally = Tally::of(&self.options, answer)?;
        if self.partial {
            let net = tally.right.saturating_sub(tally.wrong);
            return Ok(Judged {
                earned: max * net / tally.correct.max(1),
                feedback: tally.feedback,
            });
        }
        let is_right = tally.right == tally.correct && tally.wrong == 0;
        Ok(Judged::whole(is_right, max, tally.feedback))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        Some(Answer::Multi(self.right()))
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = vec![Claim::Key(None)];
        for option in &self.options {
            // The key with one option more or less.
            let mut changed = self.right();
            if !changed.remove(&option.id) {
                changed.insert(option.id.clone());
            }
            if !changed.is_empty() {
                let what = format!("the key with `{}` changed", option.id);
                claims.push(Claim::wrong(what, Answer::Multi(changed)));
            }
        }
        claims
    }
}

impl MultipleChoice {
    fn right(&self) -> BTreeSet<ChoiceId> {
        let right = self.options.iter().filter(|it| it.correct);
        right.map(|it| it.id.clone()).collect()
    }
}

/// What was ticked in a multiple choice.
struct Tally {
    right: u64,
    wrong: u64,
    correct: u64,
    feedback: Vec<Text>,
}

impl Tally {
    fn of(options: &[Choice], answer: &Answer) -> Result<Self, Unreadable> {
        let Answer::Multi(ids) = answer else {
            return Err(foreign("it asks for a list of options"));
        };
        if ids.is_empty() {
            return Err(Unreadable::Empty);
        }
        for id in ids {
            option(options, id)?;
        }
        let mut tally = Self {
            right: 0,
            wrong: 0,
            correct: 0,
            feedback: Vec::new(),
        };
        for option in options {
            tally.correct += u64::from(option.correct);
            if ids.contains(&option.id) {
                tally.right += u64::from(option.correct);
                tally.wrong += u64::from(!option.correct);
                tally.feedback.extend(option.feedback.clone());
            }
        }
        Ok(tally)
    }
}
