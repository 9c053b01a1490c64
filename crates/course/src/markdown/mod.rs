//! Markdown as a flat list of parts, and what fences and HTML in it mean.

mod closing;
mod document;
mod events;
mod fence;
mod fence_words;
mod front_ends;
mod habits;
mod html;
mod inline;
mod markdown_lints;
mod other_tools;
mod output;
mod parse;
mod prose;
mod table_rows;

pub(crate) use document::{Document, Link, Part, PartKind};
pub(crate) use fence::{Info, LAB_BLOCKS, code_block};
pub(crate) use fence_words::{TICK_BEHIND_FENCE, TICKS_OUT, is_of_block, meant as meant_words};
pub(crate) use front_ends::{ReadIn, count as count_front_ends};
pub(crate) use parse::{read, read_line};
