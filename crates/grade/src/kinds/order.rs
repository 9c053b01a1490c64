//! Grading items in order, and answering with all rows in another order.

use super::grade_kind::{Claim, ExpectedVerdict, GradeKind, foreign, ids, option, rows};
use crate::answer_text::AnswerText;
use crate::input::{AnswerMethod, AnswerOption, Guess, Input};
use crate::review::{Mark, ReviewRow};
use crate::score::{NoVerdict, Verdict};
use crate::shuffle::Shuffle;
use std::collections::BTreeSet;
use warpup_course::kinds::{OrderKey, Ordering};
use warpup_course::{Answer, ChoiceId, Text};

impl GradeKind for Ordering {
    fn input(&self) -> Input<'_> {
        Input::of_rows(&InOrder, rows(&self.items))
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        let mut order = ids(&self.items);
        shuffle.apply(&mut order);
        // Showing an answer would be no question.
        if let Some(key) = &self.key {
            for _ in 1..order.len() {
                if !is_right(self, key, &order) {
                    break;
                }
                order.rotate_left(1);
            }
        }
        order
    }

    /// All or nothing, or the share of neighbours that are neighbours in a right order, too.
    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Verdict, NoVerdict> {
        let Answer::Order(order) = answer else {
            return Err(foreign("it asks for items in order"));
        };
        if order.is_empty() {
            return Err(NoVerdict::Empty("put the items in order"));
        }
        let mut seen = BTreeSet::new();
        for id in order {
            option(&self.items, id)?;
            if !seen.insert(id) {
                return Err(NoVerdict::Repeated(id.clone()));
            }
        }
        if let Some(item) = self.items.iter().find(|it| !seen.contains(&it.id)) {
            let why = format!("`{}` has no place", item.id);
            return Err(NoVerdict::Incomplete(why));
        }
        let key = self.key.as_ref().ok_or(NoVerdict::NoKey)?;
        let is_right = is_right(self, key, order);
        if key.partial && !is_right {
            return Ok(Verdict {
                earned: max * followed(self, key, order) / (self.items.len() as u64 - 1).max(1),
                max,
                feedback: Vec::new(),
            });
        }
        Ok(Verdict::whole(is_right, max, None))
    }

    fn parts(&self) -> u64 {
        let partial = self.key.as_ref().filter(|it| it.partial);
        partial.map_or(1, |_| (self.items.len() as u64).saturating_sub(1))
    }

    fn parts_right(&self, answer: &Answer) -> Option<String> {
        let key = self.key.as_ref().filter(|it| it.partial)?;
        let Answer::Order(order) = answer else {
            return None;
        };
        let followed = followed(self, key, order);
        let all = self.items.len().saturating_sub(1);
        Some(format!(
            "{followed} of {all} steps from one item to the next right"
        ))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        self.key.as_ref()?;
        Some(Answer::Order(ids(&self.items)))
    }

    fn review(&self, answer: &Answer, verdict: &Verdict, _truth: Option<f64>) -> Vec<ReviewRow> {
        let Answer::Order(order) = answer else {
            return Vec::new();
        };
        let key = ids(&self.items);
        let row = |mark, id: &ChoiceId| {
            let item = self.items.iter().find(|it| it.id == *id);
            ReviewRow::new(mark, item.map_or_else(Text::default, |it| it.text.clone()))
        };
        let places = order.iter().zip(&key);
        let mut rows: Vec<_> = places
            .map(|(id, key)| row(Mark::of(true, verdict.is_right() || id == key), id))
            .collect();
        if !verdict.is_right() {
            let mut right: Vec<_> = key.iter().map(|it| row(Mark::Right, it)).collect();
            head(&mut rows, "your order");
            head(&mut right, "the right order");
            rows.extend(right);
        }
        rows
    }

    fn claims(&self) -> Vec<Claim> {
        let Some(key) = &self.key else {
            return Vec::new();
        };
        let claim = |what, order, expected| Claim::new(what, Answer::Order(order), expected);
        let mut claims = vec![Claim::key(self, None)];
        let also = key.also.iter().cloned();
        claims.extend(also.map(|it| claim("an order in `also`", it, ExpectedVerdict::Right)));
        let reversed = ids(self.items.iter().rev());
        if !key.also.contains(&reversed) {
            claims.push(claim(
                "the reversed order",
                reversed,
                ExpectedVerdict::Wrong,
            ));
        }
        claims
    }
}

/// Whether an order is right: that of the items, or another one that is, too.
fn is_right(ordering: &Ordering, key: &OrderKey, order: &[ChoiceId]) -> bool {
    ids(&ordering.items) == order || key.also.iter().any(|it| it == order)
}

/// How many items are followed by the one that follows them in a right order; in the right order that has most.
fn followed(ordering: &Ordering, key: &OrderKey, order: &[ChoiceId]) -> u64 {
    let items = ids(&ordering.items);
    let right = key.also.iter().chain([&items]);
    let kept = right.map(|right| {
        let follows = |two: &&[ChoiceId]| right.windows(2).any(|it| it == *two);
        order.windows(2).filter(follows).count() as u64
    });
    kept.max().unwrap_or(0)
}

/// Says above a list what it is.
fn head(rows: &mut [ReviewRow], name: &str) {
    if let Some(first) = rows.first_mut() {
        first.head = Some(Text::of(name));
    }
}

/// All rows in another order.
pub(super) struct InOrder;

impl AnswerMethod for InOrder {
    fn empty(&self) -> Answer {
        Answer::Order(Vec::new())
    }

    fn how(&self) -> &'static str {
        "all numbers in the right order, such as 2 1 3"
    }

    fn line(&self, input: &Input<'_>, typed: &str) -> Result<Answer, String> {
        input.each_once(typed).map(Answer::Order)
    }

    fn value(&self, mut written: AnswerText<'_, '_>) -> Option<Answer> {
        written.ids().map(Answer::Order)
    }

    fn words(&self, input: &Input<'_>, answer: &Answer) -> Option<String> {
        let Answer::Order(ids) = answer else {
            return None;
        };
        let words: Vec<_> = ids
            .iter()
            .map(|it| AnswerOption::words(&input.rows, it))
            .collect();
        Some(words.join(" → "))
    }

    fn guess(&self, _input: &Input<'_>, by: Guess, order: &[ChoiceId]) -> Option<Answer> {
        matches!(by, Guess::AsShown).then(|| Answer::Order(order.to_vec()))
    }
}
