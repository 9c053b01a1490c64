//! The ids of the cards that can be modelled. What the cards can do is for the worker to know.

use std::sync::LazyLock;
use toml::de::DeTable;

/// The ids, in alphabetical order.
pub(super) fn card_ids() -> &'static [String] {
    static IDS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let (file, _) = DeTable::parse_recoverable(include_str!("../../../../assets/cards.toml"));
        let cards = file.get_ref().get("cards");
        let cards = cards.and_then(|it| it.get_ref().as_table());
        let ids = cards.into_iter().flat_map(|it| it.keys());
        ids.map(|it| it.get_ref().to_string()).collect()
    });
    &IDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_are_those_of_the_file() {
        assert!(card_ids().iter().any(|it| it == "t4"));
        assert!(card_ids().len() > 5, "{:?}", card_ids());
    }
}
