//! Markdown as a flat list of parts, and what fences and HTML in it mean.

pub(crate) mod code;
mod document;
mod events;
mod fence;
mod html;
mod inline;
mod output;
mod parse;

pub(crate) use document::{Document, Link, Part, PartKind};
pub(crate) use fence::{Info, LAB_BLOCKS};
pub(crate) use parse::{read, read_line};
