//! A question without a key: an answer can be read, and nobody here can judge it.

use super::grade_kind::{Claim, GradeKind, foreign};
use super::matching::InPairs;
use super::multi::AnyOf;
use super::numeric::{TypedNumber, typed};
use super::order::InOrder;
use super::single::{OneOf, chosen};
use super::text::TypedText;
use crate::input::{Input, Row};
use crate::number;
use crate::score::{NoVerdict, Verdict};
use crate::shuffle::Shuffle;
use std::collections::BTreeSet;
use warpup_course::kinds::Keyless;
use warpup_course::kinds::keyless::{Offer, Offers};
use warpup_course::{Answer, ChoiceId};

impl GradeKind for Keyless {
    fn input(&self) -> Input<'_> {
        match self {
            Self::Single(it) => Input::of_rows(&OneOf, rows(&it.options)),
            Self::Multi(it) => Input::of_rows(&AnyOf, rows(&it.options)),
            Self::Numeric { unit, .. } => Input::typed(&TypedNumber, unit.as_deref()),
            Self::Text => Input::typed(&TypedText, None),
            Self::Order(items) => Input::of_rows(&InOrder, rows(items)),
            Self::Match { lefts, rights } => Input {
                lefts: rows(lefts),
                ..Input::of_rows(&InPairs, rows(rights))
            },
        }
    }

    fn order(&self, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
        match self {
            Self::Single(it) | Self::Multi(it) => option_order(it, shuffle),
            Self::Numeric { .. } | Self::Text => Vec::new(),
            Self::Order(offers) | Self::Match { rights: offers, .. } => {
                let mut order = ids(offers);
                shuffle.apply(&mut order);
                order
            }
        }
    }

    /// Never a verdict: why the answer cannot be read, or else [`NoVerdict::NoKey`].
    fn judge(&self, answer: &Answer, _truth: Option<f64>, _max: u64) -> Result<Verdict, NoVerdict> {
        check(self, answer)?;
        Err(NoVerdict::NoKey)
    }

    fn key(&self, _truth: Option<f64>) -> Option<Answer> {
        None
    }

    fn claims(&self) -> Vec<Claim> {
        Vec::new()
    }
}

/// Refuses what somebody with the key could not judge, as the kinds with a key do.
fn check(kind: &Keyless, answer: &Answer) -> Result<(), NoVerdict> {
    match kind {
        Keyless::Single(it) => is_known(&it.options, chosen(answer)?),
        Keyless::Multi(it) => {
            let Answer::Multi(chosen) = answer else {
                return Err(foreign("it asks for a list of options"));
            };
            if chosen.is_empty() {
                return Err(NoVerdict::Empty("choose an answer"));
            }
            chosen.iter().try_for_each(|id| is_known(&it.options, id))
        }
        Keyless::Numeric { unit, accepted } => {
            let accepted: Vec<&str> = accepted.iter().map(String::as_str).collect();
            number::read(typed(answer)?, unit.as_deref(), &accepted).map(drop)
        }
        Keyless::Text => {
            let Answer::Text(text) = answer else {
                return Err(foreign("it asks for a text"));
            };
            if text.trim().is_empty() {
                return Err(NoVerdict::Empty("type an answer"));
            }
            Ok(())
        }
        Keyless::Order(items) => {
            let Answer::Order(order) = answer else {
                return Err(foreign("it asks for items in order"));
            };
            if order.is_empty() {
                return Err(NoVerdict::Empty("put the items in order"));
            }
            let mut seen = BTreeSet::new();
            for id in order {
                is_known(items, id)?;
                if !seen.insert(id) {
                    return Err(NoVerdict::Repeated(id.clone()));
                }
            }
            has_all(items, |id| seen.contains(id), "has no place")
        }
        Keyless::Match { lefts, rights } => {
            let Answer::Match(pairs) = answer else {
                return Err(foreign("it asks for pairs"));
            };
            if pairs.is_empty() {
                return Err(NoVerdict::Empty("choose a partner for each row"));
            }
            for (left, right) in pairs {
                is_known(lefts, left)?;
                is_known(rights, right)?;
            }
            has_all(lefts, |id| pairs.contains_key(id), "has no partner")
        }
    }
}

fn rows(offers: &[Offer]) -> Vec<Row<'_>> {
    let rows = offers.iter().map(|it| Row::new(&it.id, &it.text));
    rows.collect()
}

fn ids<'a>(offers: impl IntoIterator<Item = &'a Offer>) -> Vec<ChoiceId> {
    offers.into_iter().map(|it| it.id.clone()).collect()
}

fn option_order(offers: &Offers, shuffle: &mut Shuffle) -> Vec<ChoiceId> {
    let mut order = ids(offers.options.iter().filter(|it| !it.pin_last));
    if offers.shuffle {
        shuffle.apply(&mut order);
    }
    order.extend(ids(offers.options.iter().filter(|it| it.pin_last)));
    order
}

fn is_known(offers: &[Offer], id: &ChoiceId) -> Result<(), NoVerdict> {
    if offers.iter().any(|it| it.id == *id) {
        return Ok(());
    }
    Err(foreign(format!("there is no option `{id}`")))
}

fn has_all(
    offers: &[Offer],
    is_there: impl Fn(&ChoiceId) -> bool,
    lacks: &str,
) -> Result<(), NoVerdict> {
    match offers.iter().find(|it| !is_there(&it.id)) {
        Some(missing) => Err(NoVerdict::Incomplete(format!("`{}` {lacks}", missing.id))),
        None => Ok(()),
    }
}
