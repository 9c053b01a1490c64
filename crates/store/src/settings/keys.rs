//! The table `[keys]`: the name of an action, and the keys that it is to have.
//!
//! What the names and keys mean is for the screens, which have the table of actions. So nothing here is refused.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// An action and its keys, as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySetting {
    /// The name of the action.
    pub action: String,
    /// Its bytes in the file.
    pub action_at: Range<usize>,
    /// Its keys; nothing where something else is written.
    pub keys: Option<Vec<String>>,
    /// Their bytes in the file.
    pub keys_at: Range<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum KeyChoice {
    One(String),
    Several(Vec<String>),
    Other(IgnoredAny),
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    input: D,
) -> Result<Vec<KeySetting>, D::Error> {
    let written = BTreeMap::<Spanned<String>, Spanned<KeyChoice>>::deserialize(input)?;
    let settings = written.into_iter().map(|(action, keys)| KeySetting {
        action_at: action.span(),
        action: action.into_inner(),
        keys_at: keys.span(),
        keys: match keys.into_inner() {
            KeyChoice::One(key) => Some(vec![key]),
            KeyChoice::Several(keys) => Some(keys),
            KeyChoice::Other(_) => None,
        },
    });
    let mut settings: Vec<KeySetting> = settings.collect();
    settings.sort_by_key(|it| it.action_at.start);
    Ok(settings)
}
