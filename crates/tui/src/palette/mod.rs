//! The palette: everything that has a name, found by a few of its letters.

mod entries;
mod overlay;

pub(super) use entries::{EntryTarget, entries};
pub(super) use overlay::Palette;
