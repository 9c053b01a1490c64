//! Pages of a lesson, and other text of the course, as lines of a given width.

mod folding;
pub(super) mod highlight;
mod layout;
mod spans;
mod table;
mod wrap;

#[cfg(test)]
mod tests;

pub(crate) use folding::Folding;
pub(crate) use layout::{LabCard, PageLayout, Summary, folded_prose, prose};
pub(crate) use spans::{coded, text};
pub(crate) use wrap::{clauses, paragraph, prefixed, wrap, wrap_code, wrap_output};

/// Text wider than this is tiring to read.
pub(crate) const MAX_WIDTH: u16 = 84;
