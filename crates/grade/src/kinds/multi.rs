//! Grading a multiple choice.

use super::grade_kind::{
    Claim, ExpectedVerdict, GradeKind, foreign, option, option_order, options_reviewed, rows,
};
use crate::answer_text::AnswerText;
use crate::input::{AnswerMethod, AnswerOption, Guess, Input, ManyOptions};
use crate::review::{Mark, ReviewRow};
use crate::score::{NoVerdict, Verdict};
use crate::shuffle::Shuffle;
use std::collections::BTreeSet;
use warpup_course::kinds::MultipleChoice;
use warpup_course::{Answer, ChoiceId};

impl GradeKind for MultipleChoice {
    fn input(&self) -> Input<'_> {
        Input::of_rows(&AnyOf, rows(&self.options))
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        option_order(&self.options, self.shuffle, shuffle)
    }

    /// All or nothing, or (right − wrong) ÷ correct of the points, not below nothing.
    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict> {
        let Answer::Multi(chosen) = answer else {
            return Err(foreign("it asks for a list of options"));
        };
        if chosen.is_empty() {
            return Err(NoVerdict::Empty("choose an answer"));
        }
        for id in chosen {
            option(&self.options, id)?;
        }
        let key = self.key.as_ref().ok_or(NoVerdict::NoKey)?;
        let correct = key.options.right().len() as u64;
        let right = key.options.right().intersection(chosen).count() as u64;
        let wrong = chosen.len() as u64 - right;
        let ticked = self.options.iter().filter(|it| chosen.contains(&it.id));
        let feedback = ticked.filter_map(|it| key.options.feedback(&it.id).cloned());
        if key.partial {
            let net = right.saturating_sub(wrong);
            return Ok(Verdict {
                earned: max * net / correct.max(1),
                max,
                feedback: feedback.collect(),
            });
        }
        let is_right = right == correct && wrong == 0;
        Ok(Verdict::whole(is_right, max, feedback))
    }

    fn parts(&self) -> u64 {
        let partial = self.key.as_ref().filter(|it| it.partial);
        partial.map_or(1, |it| it.options.right().len() as u64)
    }

    fn parts_right(&self, answer: &Answer) -> Option<String> {
        let key = self.key.as_ref().filter(|it| it.partial)?;
        let Answer::Multi(chosen) = answer else {
            return None;
        };
        let all = key.options.right().len();
        let right = key.options.right().intersection(chosen).count();
        let wrong = match chosen.len() - right {
            0 => "none wrong".to_owned(),
            1 => "1 wrong, which takes one away".to_owned(),
            several => format!("{several} wrong, which take as many away"),
        };
        Some(format!("{right} of {all} right ones chosen, {wrong}"))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        let key = self.key.as_ref()?;
        Some(Answer::Multi(key.options.right().clone()))
    }

    fn review(&self, answer: &Answer, _: &Verdict, _truth: Option<f64>) -> Vec<ReviewRow> {
        let Some(key) = &self.key else {
            return Vec::new();
        };
        options_reviewed(
            &self.options,
            &key.options,
            |it| matches!(answer, Answer::Multi(ids) if ids.contains(it)),
            Mark::of_several,
        )
    }

    fn claims(&self) -> Vec<Claim> {
        let Some(key) = &self.key else {
            return Vec::new();
        };
        let mut claims = vec![Claim::key(self, None)];
        for option in &self.options {
            // The key with one option more or less.
            let mut changed = key.options.right().clone();
            if !changed.remove(&option.id) {
                changed.insert(option.id.clone());
            }
            if !changed.is_empty() {
                let what = format!("the key with `{}` changed", option.id);
                claims.push(Claim::new(
                    what,
                    Answer::Multi(changed),
                    ExpectedVerdict::Wrong,
                ));
            }
        }
        claims
    }
}

/// Any number of rows.
pub(super) struct AnyOf;

impl AnswerMethod for AnyOf {
    fn empty(&self) -> Answer {
        Answer::Multi(BTreeSet::new())
    }

    fn how(&self) -> &'static str {
        "all numbers that fit, such as 1 3"
    }

    fn line(&self, input: &Input<'_>, typed: &str) -> Result<Answer, String> {
        Ok(Answer::Multi(input.chosen(typed)?.into_iter().collect()))
    }

    fn value(&self, mut written: AnswerText<'_, '_>) -> Option<Answer> {
        let ids = written.ids()?;
        Some(Answer::Multi(ids.into_iter().collect()))
    }

    fn words(&self, input: &Input<'_>, answer: &Answer) -> Option<String> {
        let Answer::Multi(ids) = answer else {
            return None;
        };
        let words: Vec<_> = ids
            .iter()
            .map(|it| AnswerOption::words(&input.rows, it))
            .collect();
        Some(words.join("; "))
    }

    fn guess(&self, input: &Input<'_>, by: Guess, order: &[ChoiceId]) -> Option<Answer> {
        let Guess::Many(rule) = by else { return None };
        let half = order.len().div_ceil(2);
        let ids = match rule {
            ManyOptions::LongerHalf => input
                .by_length(order)
                .into_iter()
                .rev()
                .take(half)
                .collect(),
            ManyOptions::ShorterHalf => input.by_length(order).into_iter().take(half).collect(),
            ManyOptions::All => order.iter().cloned().collect(),
            ManyOptions::First => order.iter().take(1).cloned().collect(),
        };
        Some(Answer::Multi(ids))
    }
}
