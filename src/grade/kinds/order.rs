//! Grading items in order.

use super::graded::{Claim, Graded, Judged, foreign, ids, option, rows};
use crate::course::ChoiceId;
use crate::course::kinds::Ordering;
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::Input;
use crate::grade::shuffle::Shuffle;
use std::collections::BTreeSet;

impl Graded for Ordering {
    fn input(&self) -> Input<'_> {
        Input::Order(rows(&self.items))
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        let right = ids(&self.items);
        let mut order = right.clone();
        shuffle.apply(&mut order);
        if order == right {
            // Showing the answer would be no question.
            let by = usize::from(order.len() > 1);
            order.rotate_left(by);
        }
        order
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Judged, Unreadable> {
        let Self { items, also } = self;
        let Answer::Order(ids) = answer else {
            return Err(foreign("it asks for items in order"));
        };
        if ids.is_empty() {
            return Err(Unreadable::Empty);
        }
        let mut seen = BTreeSet::new();
        for id in ids {
            option(items, id)?;
            if !seen.insert(id) {
                return Err(Unreadable::Foreign(format!("`{id}` is there twice")));
            }
        }
        if let Some(item) = items.iter().find(|it| !seen.contains(&it.id)) {
            return Err(Unreadable::Incomplete(format!(
                "`{}` has no place",
                item.id
            )));
        }
        let is_right = ids.iter().eq(items.iter().map(|it| &it.id)) || also.contains(ids);
        Ok(Judged::whole(is_right, max, Vec::new()))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        Some(Answer::Order(ids(&self.items)))
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = vec![Claim::Key(None)];
        let also = self.also.iter().cloned().map(Answer::Order);
        claims.extend(also.map(|it| Claim::right("an order in `also`", it)));
        let reversed = ids(self.items.iter().rev());
        if !self.also.contains(&reversed) {
            claims.push(Claim::wrong("the reversed order", Answer::Order(reversed)));
        }
        claims
    }
}
