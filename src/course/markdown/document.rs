//! A text as a flat list of parts, before anybody knows what a fence or a heading means.

use crate::course::{Align, Container, Text};
use std::ops::Range;

/// A text, read.
#[derive(Debug, Default)]
pub(in crate::course) struct Document {
    /// The parts in order.
    pub(in crate::course) parts: Vec<Part>,
    /// Where it links to.
    pub(in crate::course) links: Vec<Link>,
    /// The footnotes it refers to: label, and index of the part.
    pub(in crate::course) references: Vec<(String, usize)>,
}

/// A link and where it stands in the file.
#[derive(Clone, Debug)]
pub(in crate::course) struct Link {
    /// As written.
    pub(in crate::course) to: String,
    /// Its bytes in the file.
    pub(in crate::course) span: Range<usize>,
}

/// One part.
#[derive(Debug)]
pub(in crate::course) struct Part {
    /// The containers around it, outermost first.
    pub(in crate::course) within: Vec<Container>,
    /// What it is.
    pub(in crate::course) kind: PartKind,
    /// Its bytes in the file.
    pub(in crate::course) span: Range<usize>,
}

/// What a part is.
#[derive(Debug)]
pub(in crate::course) enum PartKind {
    /// Running text.
    Paragraph(Text),
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        text: Text,
        /// `{#id}`
        id: Option<String>,
    },
    /// A code block.
    Fence {
        /// Where the words after the fence stand, in the text (not in the file).
        info: Range<usize>,
        /// The code.
        code: String,
    },
    /// A table.
    Table(Table),
    /// A horizontal rule.
    Rule,
}

/// A table; every row has as many cells as the head.
#[derive(Debug, Default)]
pub(in crate::course) struct Table {
    /// How each column is aligned.
    pub(in crate::course) align: Vec<Align>,
    /// The head's cells.
    pub(in crate::course) head: Vec<Text>,
    /// The body's cells.
    pub(in crate::course) rows: Vec<Vec<Text>>,
    pub(super) row: Vec<Text>,
    pub(super) rows_seen: usize,
}
