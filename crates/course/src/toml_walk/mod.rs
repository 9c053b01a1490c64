//! Reading TOML: tables of known keys, and the values that several files have.

mod common;
mod fields;
mod file_offsets;
mod instead;
mod keys;
pub mod name;
mod syntax;

pub(crate) use common::{is_format_known, pass};
pub use fields::{Fields, WithSpan, document, read};
pub(crate) use file_offsets::FileOffsets;
