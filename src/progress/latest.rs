//! The newest of several records wins: stamps, and values that carry one.

use std::collections::BTreeMap;

/// What orders records: time, and the id where times are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stamp {
    pub(super) at_ms: u64,
    pub(super) id: String,
}

/// A value and the record that said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Latest<T> {
    pub(super) stamp: Stamp,
    pub(super) value: T,
}

/// Keeps the newer of what is known and what is said.
pub(super) fn keep_latest<T>(slot: &mut Option<Latest<T>>, stamp: Stamp, value: T) {
    if slot.as_ref().map(|it| &it.stamp) < Some(&stamp) {
        *slot = Some(Latest { stamp, value });
    }
}

/// As [`keep_latest`], in a map.
pub(super) fn keep_latest_of<K: Ord, T>(
    map: &mut BTreeMap<K, Latest<T>>,
    key: K,
    stamp: Stamp,
    value: T,
) {
    let newer = map.get(&key).is_none_or(|it| it.stamp < stamp);
    if newer {
        map.insert(key, Latest { stamp, value });
    }
}
