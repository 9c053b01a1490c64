//! One line of typed text with a cursor, as forms, searches and the palette have it, and where its words end.

mod line;
mod words;

pub(crate) use line::Field;
pub(crate) use words::{word_end, word_start};
