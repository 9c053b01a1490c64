//! The palette: everything that has a name, found by a few of its letters.

mod entries;
mod overlay;

pub(super) use entries::{Lead, entries};
pub(super) use overlay::Palette;
