//! Grading a single choice, and answering with one row of several.

use super::grade_kind::{
    Claim, ExpectedVerdict, GradeKind, foreign, option, option_order, options_reviewed, rows,
};
use crate::answer_text::AnswerText;
use crate::input::{AnswerMethod, AnswerOption, Guess, Input, OneOption};
use crate::review::{Mark, ReviewRow};
use crate::score::{NoVerdict, Verdict};
use crate::shuffle::Shuffle;
use warpup_course::kinds::SingleChoice;
use warpup_course::{Answer, ChoiceId};

impl GradeKind for SingleChoice {
    fn input(&self) -> Input<'_> {
        Input::of_rows(&OneOf, rows(&self.options))
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        option_order(&self.options, self.shuffle, shuffle)
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict> {
        let id = &option(&self.options, chosen(answer)?)?.id;
        let key = self.key.as_ref().ok_or(NoVerdict::NoKey)?;
        let feedback = key.feedback(id).cloned();
        Ok(Verdict::whole(key.is_right(id), max, feedback))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        let right = self.key.as_ref()?.right().first()?;
        Some(Answer::Single(right.clone()))
    }

    fn review(&self, answer: &Answer, _: &Verdict, _truth: Option<f64>) -> Vec<ReviewRow> {
        let Some(key) = &self.key else {
            return Vec::new();
        };
        let chosen = chosen(answer).ok();
        options_reviewed(&self.options, key, |it| chosen == Some(it), Mark::of)
    }

    fn claims(&self) -> Vec<Claim> {
        let Some(key) = &self.key else {
            return Vec::new();
        };
        let wrong = self.options.iter().filter(|it| !key.is_right(&it.id));
        let wrong = wrong.map(|it| {
            let what = format!("option `{}`", it.id);
            Claim::new(what, Answer::Single(it.id.clone()), ExpectedVerdict::Wrong)
        });
        std::iter::once(Claim::key(self, None))
            .chain(wrong)
            .collect()
    }
}

/// The name of the one row that an answer takes.
pub(super) fn chosen(answer: &Answer) -> Result<&ChoiceId, NoVerdict> {
    let Answer::Single(id) = answer else {
        return Err(foreign("it asks for one option"));
    };
    Ok(id)
}

/// One row of several.
pub(super) struct OneOf;

impl AnswerMethod for OneOf {
    fn empty(&self) -> Answer {
        Answer::Single(ChoiceId::new(""))
    }

    fn how(&self) -> &'static str {
        "its number"
    }

    fn line(&self, input: &Input<'_>, typed: &str) -> Result<Answer, String> {
        match input.chosen(typed)?.as_slice() {
            [one] => Ok(Answer::Single(one.clone())),
            [] | [..] => Err(format!("type one number from 1 to {}", input.rows.len())),
        }
    }

    fn value(&self, mut written: AnswerText<'_, '_>) -> Option<Answer> {
        written.text().map(|it| Answer::Single(ChoiceId::new(it)))
    }

    fn words(&self, input: &Input<'_>, answer: &Answer) -> Option<String> {
        let id = chosen(answer).ok()?;
        Some(AnswerOption::words(&input.rows, id))
    }

    fn guess(&self, input: &Input<'_>, by: Guess, order: &[ChoiceId]) -> Option<Answer> {
        let Guess::One(rule) = by else { return None };
        let id = match rule {
            OneOption::Longest => input.by_length(order).pop(),
            OneOption::Shortest => input.by_length(order).into_iter().next(),
            OneOption::MiddleLength => {
                let ids = input.by_length(order);
                ids.get(ids.len() / 2).cloned()
            }
            OneOption::NeverLongest => other_than(order, input.by_length(order).last()),
            OneOption::NeverShortest => other_than(order, input.by_length(order).first()),
            OneOption::First => input.rows.first().map(|it| it.id.clone()),
            OneOption::Last => input.rows.last().map(|it| it.id.clone()),
            OneOption::Place(place) => order.get(place).or(order.last()).cloned(),
        };
        id.map(Answer::Single)
    }
}

/// The first row on the screen that is not this one.
fn other_than(order: &[ChoiceId], not: Option<&ChoiceId>) -> Option<ChoiceId> {
    order.iter().find(|it| Some(*it) != not).cloned()
}
