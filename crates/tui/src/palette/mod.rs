//! The palette: everything that has a name, found by a few of its letters. The help is a palette of the keys of one screen.

mod entries;
mod help;
mod overlay;
mod ranking;
mod rows;
mod said;

pub(super) use entries::{EntryTarget, entries, program};
pub(super) use help::help;
pub(super) use overlay::Palette;
