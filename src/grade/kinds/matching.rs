//! Grading pairs.

use super::graded::{Claim, Graded, Judged, foreign};
use crate::course::kinds::Matching;
use crate::course::{ChoiceId, Text};
use crate::grade::answer::{Answer, Unreadable};
use crate::grade::input::{Input, Row};
use crate::grade::shuffle::Shuffle;

impl Graded for Matching {
    fn input(&self) -> Input<'_> {
        let pairs = self.pairs.iter();
        Input::Match {
            lefts: pairs.clone().map(|it| Row::new(&it.id, &it.left)).collect(),
            rights: pairs.map(|it| Row::new(&it.id, &it.right)).collect(),
        }
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        let mut order: Vec<_> = self.pairs.iter().map(|it| it.id.clone()).collect();
        shuffle.apply(&mut order);
        order
    }

    fn judge(&self, answer: &Answer, _truth: Option<f64>, max: u64) -> Result<Judged, Unreadable> {
        let pairs = &self.pairs;
        let Answer::Match(chosen) = answer else {
            return Err(foreign("it asks for pairs"));
        };
        if chosen.is_empty() {
            return Err(Unreadable::Empty);
        }
        let known = |id: &ChoiceId| pairs.iter().any(|it| &it.id == id);
        if let Some(id) = chosen
            .iter()
            .flat_map(|(left, right)| [left, right])
            .find(|id| !known(id))
        {
            return Err(Unreadable::Foreign(format!("there is no pair `{id}`")));
        }
        let mut feedback = Vec::new();
        let mut is_right = true;
        for pair in pairs {
            let Some(right) = chosen.get(&pair.id) else {
                return Err(Unreadable::Incomplete(format!(
                    "`{}` has no partner",
                    pair.id
                )));
            };
            if right != &pair.id {
                is_right = false;
                feedback.extend(pair.feedback.as_ref().map(|it| beside(&pair.left, it)));
            }
        }
        Ok(Judged::whole(is_right, max, feedback))
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        let same = self.pairs.iter().map(|it| (it.id.clone(), it.id.clone()));
        Some(Answer::Match(same.collect()))
    }

    fn claims(&self) -> Vec<Claim> {
        let ids: Vec<_> = self.pairs.iter().map(|it| it.id.clone()).collect();
        let turned = ids.iter().skip(1).chain(ids.first()).cloned();
        let wrong = Answer::Match(ids.iter().cloned().zip(turned).collect());
        vec![
            Claim::Key(None),
            Claim::wrong("pairs that are all wrong", wrong),
        ]
    }
}

/// Feedback with the left side in front, since several rows may be wrong at once.
fn beside(left: &Text, feedback: &Text) -> Text {
    let mut text = left.clone();
    text.pieces.extend(Text::of(": ").pieces);
    text.pieces.extend(feedback.pieces.iter().cloned());
    text
}
