//! Text for people: the only way for untrusted text to reach a terminal, dates, numbers, numbers with their
//! nouns, and code by its words. Pure.

pub mod count;
pub mod highlight;
mod number;
pub mod shown;
pub mod utc;
pub mod zone;

pub use number::number;
