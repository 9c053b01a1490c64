//! Pages of a lesson, and other text of the course, as lines of a given width.

pub(super) mod highlight;
mod layout;
mod marks;
mod spans;
mod table;
mod wrap;

#[cfg(test)]
mod tests;

pub(crate) use layout::{LabCard, Layout, prose};
pub(crate) use spans::text;
pub(crate) use wrap::{flow, hard_all, paragraph, prefixed, wrap};

/// Text wider than this is tiring to read.
pub(crate) const MAX_WIDTH: u16 = 84;
