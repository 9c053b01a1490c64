//! Search in the text of the course: what is searched, what matches, and which hit the learner is at.
//!
//! Pure, and without a screen: the reader draws the hits, the stack of screens asks for the words.

mod excerpt;
mod hits;
mod index;
mod query;

pub(crate) use excerpt::excerpt;
pub(crate) use hits::{Counts, Hit, Search};
pub(crate) use index::{Index, TextSection};
pub(crate) use query::Query;
