//! `warpup quiz LESSON`: a quiz line by line, or graded from a file.

mod answers;
mod ask;
mod json;
mod own_words;
mod start;
pub(super) mod tell;
pub(super) mod typed;

pub(super) use answers::{from_file, words_from_file};
pub(super) use ask::{ask, ask_short};
pub(super) use own_words::ask as ask_for_words;

#[cfg(test)]
mod tests;
