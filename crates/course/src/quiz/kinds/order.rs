//! `type = "order"`: items to bring into order.

use crate::diagnostics::Rule;
use crate::model::ChoiceId;
use crate::quiz::choices::{self, Choice};
use crate::quiz::kind::{Hashed, Kind};
use crate::quiz::reading::Reading;
use crate::toml_walk::{self, Fields};
use toml::Spanned;
use toml::de::{DeArray, DeValue};

/// The keys besides the common ones.
pub(super) const KEYS: [&str; 3] = ["items", "also", "partial"];

/// Items to bring into order; the file has them in the right order.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordering {
    /// The items in the right order.
    pub items: Vec<Choice>,
    /// Other orders that are right, too.
    pub also: Vec<Vec<ChoiceId>>,
    /// Whether neighbours in the right order earn their share of the points.
    pub partial: bool,
}

pub(super) fn read(fields: &Fields<'_>, reading: &mut Reading<'_, '_>) -> Ordering {
    let items = choices::items(fields, reading);
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
    Ordering {
        items,
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
    fn hash(&self, hashed: &mut Hashed) {
        hashed.add("order");
        hashed.choices(&self.items);
    }
}
