//! `type = "order"`: items to bring into order.

use crate::diagnostics::Rule;
use crate::model::{ChoiceId, QuestionId};
use crate::quiz::choice_names::ChoiceNames;
use crate::quiz::choices::{self, Choice};
use crate::quiz::file_value::FileValue;
use crate::quiz::kind::{HashInput, Kind};
use crate::quiz::reading::{Keys, Reading};
use crate::quiz::sheet::{Sheet, texts};
use crate::quiz::stable_shuffle::mixed;
use crate::toml_walk::{self, Fields};
use toml::Spanned;
use toml::de::{DeArray, DeValue};

/// Its type in a quiz file.
pub(super) const WORD: &str = "order";
/// The keys besides the common ones.
pub(super) const KEYS: [&str; 3] = ["items", "also", "partial"];
/// Those that say what is offered.
pub(super) const OFFERED: [&str; 1] = ["items"];

/// Items to bring into order.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordering {
    /// The items; in the right order where there is a key, else in one that says nothing.
    pub items: Vec<Choice>,
    /// What else is right, and what is right in part.
    pub key: Option<OrderKey>,
}

/// What else is right than the order of the items.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderKey {
    /// Other orders that are right, too.
    pub also: Vec<Vec<ChoiceId>>,
    /// Whether neighbours in the right order earn their share of the points.
    pub partial: bool,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Ordering {
    let items = choices::items(fields, reading);
    let key = (reading.keys == Keys::Here).then(|| key(fields, &items, reading));
    Ordering { items, key }
}

fn key(fields: &Fields<'_>, items: &[Choice], reading: &mut Reading<'_, '_>) -> OrderKey {
    let mut right: Vec<&str> = items.iter().map(|it| it.id.as_str()).collect();
    right.sort_unstable();
    let mut also = Vec::new();
    for value in fields.list("also", reading.report) {
        if value.get_ref().is_str() {
            reading
                .error(
                    Rule::WrongType,
                    value.span(),
                    "`also` is a list of orders, and each order is a list of ids",
                )
                .hint("write two pairs of brackets, as in `also = [[\"b\", \"a\", \"c\"]]`");
            // The other ids of the same order are the same mistake.
            break;
        }
        let Some(ids) = toml_walk::read::<&DeArray<'_>>("also", value, reading.report) else {
            continue;
        };
        let errors = reading.report.errors();
        let order = other_order(ids.value, &right, reading);
        let mut sorted: Vec<&str> = order.iter().map(ChoiceId::as_str).collect();
        sorted.sort_unstable();
        if sorted != right && reading.report.errors() == errors {
            reading
                .error(
                    Rule::IncompleteOrder,
                    ids.span,
                    "another order has to name each item once",
                )
                .hint("write the id of every item once, as in `also = [[\"b\", \"a\", \"c\"]]`");
        }
        also.push(order);
    }
    OrderKey {
        also,
        partial: reading.flag(fields, "partial").unwrap_or(false),
    }
}

/// The ids of an order. `known` is sorted, for both lists may be long.
fn other_order(
    ids: &[Spanned<DeValue<'_>>],
    known: &[&str],
    reading: &mut Reading<'_, '_>,
) -> Vec<ChoiceId> {
    let mut order = Vec::new();
    for id in ids {
        let Some(id) = toml_walk::read::<&str>("also", id, reading.report) else {
            continue;
        };
        if known.binary_search(&id.value).is_err() {
            reading
                .error(
                    Rule::UnknownItem,
                    id.span,
                    format!("there is no item `{}`", id.value),
                )
                .did_you_mean_or(
                    id.value,
                    known.iter().copied(),
                    format!("there are {}", known.join(", ")),
                );
        }
        order.push(ChoiceId::new(id.value));
    }
    order
}

impl Kind for Ordering {
    fn word(&self) -> &'static str {
        WORD
    }

    fn hash(&self, hashed: &mut HashInput) {
        // With a key, items have been hashed as options that are not right from the beginning.
        hashed.choices(&self.items, |_| self.key.as_ref().map(|_| false));
    }

    fn is_keyless(&self) -> bool {
        self.key.is_none()
    }

    fn take_key(&mut self) -> Option<ChoiceNames> {
        self.key.take()?;
        Some(ChoiceNames::sorted(&mut self.items))
    }

    fn choices(&self) -> Vec<(ChoiceId, String)> {
        choices::named(&self.items)
    }

    fn offered(&self) -> Vec<(&'static str, FileValue)> {
        vec![("items", FileValue::of_choices(&self.items))]
    }

    fn sheet(&self, question: &QuestionId) -> Sheet {
        let mut sheet = Sheet::new("Bring these into the right order.");
        sheet.choices = texts(&self.items);
        if self.key.is_some() {
            sheet.key = texts(&self.items);
            sheet.is_ordered = true;
            sheet.choices = texts(mixed(question, &self.items));
        }
        sheet
    }
}
