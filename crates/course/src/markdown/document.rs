//! A text as a flat list of parts, before anybody knows what a fence or a heading means.

use crate::model::{Align, Block, BlockKind, Container, Text};
use std::ops::Range;

/// A text, read.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// The parts in order.
    pub(crate) parts: Vec<Part>,
    /// Where it links to.
    pub(crate) links: Vec<Link>,
    /// The footnotes it refers to: label, and index of the part.
    pub(crate) references: Vec<(String, usize)>,
    /// Where the first fenced block that does not end is in the file: what follows it is not what its author meant.
    pub(crate) unclosed: Option<usize>,
    /// Whether a heading that was meant to begin a page begins none, or has another id than it was meant to have.
    pub(crate) lost_page: bool,
    /// Whether a fence that was meant to begin a block begins none.
    pub(crate) lost_block: bool,
}

/// A link and where it is in the file.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// As written.
    pub(crate) to: String,
    /// Its bytes in the file.
    pub(crate) span: Range<usize>,
}

/// One part.
#[derive(Debug)]
pub(crate) struct Part {
    /// The containers around it, outermost first.
    pub(crate) within: Vec<Container>,
    /// What it is.
    pub(crate) kind: PartKind,
    /// Its bytes in the file.
    pub(crate) span: Range<usize>,
}

/// What a part is.
#[derive(Debug)]
pub(crate) enum PartKind {
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
        /// Where the words after the fence are, in the text (not in the file).
        info: Range<usize>,
        /// The code.
        code: String,
    },
    /// A table.
    Table(Table),
    /// A horizontal rule.
    Rule,
    /// What follows on the page is hidden until the learner goes on.
    Pause,
}

/// A table; every row has as many cells as the head.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// How each column is aligned.
    pub(crate) align: Vec<Align>,
    /// The head's cells.
    pub(crate) head: Vec<Text>,
    /// The body's cells.
    pub(crate) rows: Vec<Vec<Text>>,
    pub(super) row: Vec<Text>,
    pub(super) rows_seen: usize,
}

impl Part {
    /// The block of this part, nothing for a pause; `fence` says what a fenced block is, or that it is left out.
    pub(crate) fn into_block(
        self,
        fence: impl FnOnce(&Range<usize>, String, &Range<usize>) -> Option<BlockKind>,
    ) -> Option<Block> {
        let kind = match self.kind {
            PartKind::Paragraph(text) => BlockKind::Paragraph(text),
            PartKind::Heading { level, text, .. } => BlockKind::Heading {
                level: level.max(3),
                text,
            },
            PartKind::Table(table) => BlockKind::Table {
                align: table.align,
                head: table.head,
                rows: table.rows,
            },
            PartKind::Rule => BlockKind::Rule,
            PartKind::Pause => return None,
            PartKind::Fence { info, code } => fence(&info, code, &self.span)?,
        };
        Some(Block {
            within: self.within,
            kind,
            span: self.span,
        })
    }
}
