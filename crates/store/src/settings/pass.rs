//! What passing a quiz takes, as a policy says it: `pass = { above_percent = 75 }`.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use warpup_course::PassRule;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PassTable {
    above_percent: u32,
}

/// Reads the rule.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<PassRule>, D::Error> {
    let PassTable { above_percent } = PassTable::deserialize(input)?;
    if above_percent >= 100 {
        return Err(D::Error::custom(
            "nobody can earn more than all points: `above_percent` is at most 99",
        ));
    }
    Ok(Some(PassRule { above_percent }))
}
