//! Grading pairs, and answering with a row for each left side.

use super::grade_kind::{Claim, ExpectedVerdict, GradeKind, foreign, ids, rows};
use crate::answer_text::AnswerText;
use crate::input::{AnswerMethod, AnswerOption, Guess, Input};
use crate::review::{Mark, ReviewRow};
use crate::score::{NoVerdict, Verdict};
use crate::shuffle::Shuffle;
use std::collections::BTreeMap;
use warpup_course::kinds::Matching;
use warpup_course::{Answer, ChoiceId, Text};

impl GradeKind for Matching {
    fn input(&self) -> Input<'_> {
        Input {
            lefts: rows(&self.lefts),
            ..Input::of_rows(&InPairs, rows(&self.rights))
        }
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        let mut order = ids(&self.rights);
        shuffle.apply(&mut order);
        order
    }

    /// All or nothing, or the share of the right pairs by weight.
    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict> {
        let Answer::Match(chosen) = answer else {
            return Err(foreign("it asks for pairs"));
        };
        if chosen.is_empty() {
            return Err(NoVerdict::Empty("choose a partner for each row"));
        }
        // Both sides have the same names.
        let known = ids(&self.lefts);
        let mut named = chosen.iter().flat_map(|(left, right)| [left, right]);
        if let Some(id) = named.find(|id| !known.contains(id)) {
            return Err(foreign(format!("there is no pair `{id}`")));
        }
        let mut lefts = self.lefts.iter();
        if let Some(alone) = lefts.find(|it| !chosen.contains_key(&it.id)) {
            let why = format!("`{}` has no partner", alone.id);
            return Err(NoVerdict::Incomplete(why));
        }
        let key = self.key.as_ref().ok_or(NoVerdict::NoKey)?;
        let mut feedback = Vec::new();
        let (mut right_weight, mut all_weight) = (0, 0);
        for left in &self.lefts {
            let weight = u64::from(key.weight(&left.id));
            all_weight += weight;
            if chosen.get(&left.id) == Some(&left.id) {
                right_weight += weight;
            } else {
                feedback.extend(key.feedback(&left.id).map(|it| beside(&left.text, it)));
            }
        }
        if key.partial {
            return Ok(Verdict {
                earned: max * right_weight / all_weight.max(1),
                max,
                feedback,
            });
        }
        let is_right = right_weight == all_weight;
        Ok(Verdict::whole(is_right, max, feedback))
    }

    fn parts(&self) -> u64 {
        let Some(key) = self.key.as_ref().filter(|it| it.partial) else {
            return 1;
        };
        let weights = self.lefts.iter().map(|it| key.weight(&it.id));
        weights.map(u64::from).sum()
    }

    fn parts_right(&self, answer: &Answer) -> Option<String> {
        let key = self.key.as_ref().filter(|it| it.partial)?;
        let Answer::Match(chosen) = answer else {
            return None;
        };
        let right = chosen.iter().filter(|(left, right)| left == right).count();
        let is_equal = self.lefts.iter().all(|it| key.weight(&it.id) == 1);
        let weighed = if is_equal { "" } else { ", by their weights" };
        Some(format!(
            "{right} of {} pairs right{weighed}",
            self.lefts.len()
        ))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        self.key.as_ref()?;
        let lefts = ids(&self.lefts).into_iter();
        Some(Answer::Match(lefts.zip(ids(&self.rights)).collect()))
    }

    fn review(&self, answer: &Answer, _: &Verdict, _truth: Option<f64>) -> Vec<ReviewRow> {
        let (Answer::Match(chosen), Some(key)) = (answer, &self.key) else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        for (left, right) in self.rows() {
            let yours = chosen.get(&left.id);
            let yours = yours.and_then(|id| self.rights.iter().find(|it| it.id == *id));
            let is_right = yours.is_some_and(|it| it.id == right.id);
            let text = yours.map_or_else(Text::default, |it| it.text.clone());
            rows.push(ReviewRow {
                head: Some(left.text.clone()),
                feedback: key.feedback(&left.id).cloned().filter(|_| !is_right),
                ..ReviewRow::new(Mark::of(true, is_right), text)
            });
            if !is_right {
                rows.push(ReviewRow::new(Mark::Right, right.text.clone()));
            }
        }
        rows
    }

    fn claims(&self) -> Vec<Claim> {
        if self.key.is_none() {
            return Vec::new();
        }
        let turned = ids(&self.rights).into_iter().cycle().skip(1);
        let wrong = Answer::Match(ids(&self.lefts).into_iter().zip(turned).collect());
        vec![
            Claim::key(self, None),
            Claim::new("pairs that are all wrong", wrong, ExpectedVerdict::Wrong),
        ]
    }
}

/// Feedback with the left side in front, since several rows may be wrong at once.
fn beside(left: &Text, feedback: &Text) -> Text {
    Text {
        pieces: [&left.pieces, &Text::of(": ").pieces, &feedback.pieces]
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
    }
}

/// For each left side one of the rows.
pub(super) struct InPairs;

impl AnswerMethod for InPairs {
    fn empty(&self) -> Answer {
        Answer::Match(BTreeMap::new())
    }

    fn how(&self) -> &'static str {
        "for each in turn the number that fits, such as 2 1 3"
    }

    fn line(&self, input: &Input<'_>, typed: &str) -> Result<Answer, String> {
        Ok(in_turn(input, input.each_once(typed)?))
    }

    fn value(&self, mut written: AnswerText<'_, '_>) -> Option<Answer> {
        written.pairs().map(Answer::Match)
    }

    fn words(&self, input: &Input<'_>, answer: &Answer) -> Option<String> {
        let Answer::Match(pairs) = answer else {
            return None;
        };
        let words = pairs.iter().map(|(left, right)| {
            let left = AnswerOption::words(&input.lefts, left);
            format!("{left} → {}", AnswerOption::words(&input.rows, right))
        });
        Some(words.collect::<Vec<_>>().join("; "))
    }

    fn guess(&self, input: &Input<'_>, by: Guess, order: &[ChoiceId]) -> Option<Answer> {
        matches!(by, Guess::AsShown).then(|| in_turn(input, order.to_vec()))
    }
}

/// The left sides with these right sides.
fn in_turn(input: &Input<'_>, rights: Vec<ChoiceId>) -> Answer {
    let lefts = input.lefts.iter().map(|it| it.id.clone());
    Answer::Match(lefts.zip(rights).collect())
}
