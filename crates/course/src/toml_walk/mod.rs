//! Reading TOML: tables of known keys, and the values that several files have.

mod common;
mod fields;
pub mod name;
mod spot;
mod syntax;

pub(crate) use common::{is_format_known, pass};
pub use fields::{At, Fields, document, read};
pub(crate) use spot::Spot;
