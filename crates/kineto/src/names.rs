//! Texts that events share, each kept once.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of a text in [`NameTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub(super) u32);

impl NameId {
    /// The empty text, which is in every [`NameTable`].
    pub const EMPTY: Self = Self(0);

    /// The place in an array with one entry a name.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A text with spaces for its control characters, so that a name cannot begin a line of its own.
pub(super) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// What a text takes beside its bytes, about.
const ENTRY_BYTES: usize = 96;

/// The texts.
#[derive(Clone, Debug)]
pub struct NameTable {
    texts: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, NameId>,
    bytes: usize,
}

/// Some of the texts, looked at once, and not for each event that has one.
#[derive(Clone, Debug)]
pub(super) struct NameSelection(Vec<bool>);

impl NameSelection {
    /// Whether it has none.
    pub(super) fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    /// Whether the text with a number is one of them.
    pub(super) fn has(&self, id: NameId) -> bool {
        self.0.get(id.index()).copied().unwrap_or(false)
    }
}

impl Default for NameTable {
    fn default() -> Self {
        let mut names = Self {
            texts: Vec::new(),
            ids: FxHashMap::default(),
            bytes: 0,
        };
        names.intern("");
        names
    }
}

impl NameTable {
    /// The number of a text, which is kept if it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        self.insert(text.into())
    }

    /// The same for a text of other names.
    pub(super) fn share(&mut self, text: &Arc<str>) -> NameId {
        match self.ids.get(text) {
            Some(id) => *id,
            None => self.insert(Arc::clone(text)),
        }
    }

    /// The text with a number; the empty one for a number of other names.
    pub fn get(&self, id: NameId) -> &str {
        self.texts.get(id.index()).map_or("", |it| it)
    }

    /// All texts, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.texts.iter()
    }

    /// Those that are meant.
    pub(super) fn that(&self, are_meant: impl Fn(&str) -> bool) -> NameSelection {
        NameSelection(self.texts.iter().map(|it| are_meant(it)).collect())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none; never so, since the empty text is one.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Bytes that all texts take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn insert(&mut self, text: Arc<str>) -> NameId {
        // There are fewer texts than fit: every event has at most four, and events are bounded.
        let id = NameId(u32::try_from(self.texts.len()).unwrap_or(0));
        // Beside the text itself: its counts, its places in the list and in the map.
        self.bytes += text.len() + ENTRY_BYTES;
        self.texts.push(Arc::clone(&text));
        self.ids.insert(text, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once() {
        let mut names = NameTable::default();
        let first = names.intern("aten::mm");
        assert_eq!(names.intern("aten::mm"), first);
        assert_eq!((names.get(first), names.len()), ("aten::mm", 2));
        assert_eq!(names.intern(""), NameId::EMPTY);
        assert_eq!(names.get(NameId(9)), "");
    }
}
