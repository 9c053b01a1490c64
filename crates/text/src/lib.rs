//! Text for people: the only way for untrusted text to reach a terminal, dates in UTC, and numbers with their
//! nouns. Pure.

pub mod count;
pub mod shown;
pub mod utc;
