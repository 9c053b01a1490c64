//! Reading TOML: tables of known keys, and the values that several files have.

mod fields;
pub(crate) mod format;
pub(crate) mod name;
pub(crate) mod pass;
mod spot;

pub(crate) use fields::{At, Fields, document, read};
pub(crate) use spot::Spot;
