//! Text for people: the only way for untrusted text to reach a terminal, dates in UTC, numbers, and numbers with their
//! nouns. Pure.

pub mod count;
mod number;
pub mod shown;
pub mod utc;

pub use number::number;
