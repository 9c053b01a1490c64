//! The content of a page: paragraphs, code, tables, and the containers around them.

use super::ids::LabId;
use super::text::Text;
use std::ops::Range;

/// One piece of a page that is laid out on lines of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The containers around it, outermost first; at most [`MAX_DEPTH`].
    pub within: Vec<Container>,
    /// What it is.
    pub kind: BlockKind,
    /// Bytes of the lesson file it came from.
    pub span: Range<usize>,
}

/// Containers nested deeper than this are flattened into the last one.
pub const MAX_DEPTH: usize = 16;

/// A figure may be this many columns wide, so that it fits a terminal of 80 with a margin.
pub const FIGURE_COLUMNS: usize = 76;

/// What a block is.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind {
    /// A heading below page level (3 to 6).
    Heading {
        /// 3 to 6.
        level: u8,
        /// Its text.
        text: Text,
    },
    /// Running text.
    Paragraph(Text),
    /// Code that is shown, not run.
    Code {
        /// First word of the fence's info string; empty if there is none.
        language: String,
        /// The code, with its line breaks, without the fences.
        code: String,
    },
    /// A drawing in text, from a fenced block marked `text figure alt="…"`.
    Figure {
        /// What it shows, in words, for screen readers and plain mode.
        alt: String,
        /// The drawing; at most 76 columns.
        art: String,
    },
    /// A table; every row has as many cells as the head.
    Table {
        /// How each column is aligned.
        align: Vec<Align>,
        /// The head's cells.
        head: Vec<Text>,
        /// The body's cells.
        rows: Vec<Vec<Text>>,
    },
    /// A lab is here.
    Lab(LabId),
    /// A horizontal rule.
    Rule,
}

/// How a table's column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Also when the author said nothing.
    Left,
    /// Centred.
    Center,
    /// To the right.
    Right,
}

/// What a block is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Container {
    /// A quotation.
    Quote,
    /// A callout, written as a GitHub alert (`> [!NOTE]`).
    Callout(Callout),
    /// An item of a list.
    Item {
        /// What is in front of it.
        marker: Marker,
        /// Whether this block is the item's first, which carries the marker.
        first: bool,
    },
    /// The text of a footnote, gathered at the end of its page.
    Footnote {
        /// Its label, without `[^` and `]`.
        label: String,
        /// Whether this block is the note's first, which carries the label.
        first: bool,
    },
    /// A folded part (`<details>`) that is no hint of a lab.
    Details {
        /// The text of its `<summary>`.
        summary: String,
        /// Whether this block is the first inside.
        first: bool,
    },
}

/// What the summary of a part begins with that learners do not see.
const INSTRUCTOR: &str = "instructor";

impl Container {
    /// Whether this is a folded part whose summary begins with a word.
    pub(crate) fn is_called(&self, word: &str) -> bool {
        match self {
            Self::Details { summary, .. } => summary
                .get(..word.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(word)),
            Self::Quote | Self::Callout(_) | Self::Item { .. } | Self::Footnote { .. } => false,
        }
    }

    /// Whether this is a note that learners do not see.
    pub(crate) fn is_for_instructors(&self) -> bool {
        self.is_called(INSTRUCTOR)
    }
}

/// The kinds of callouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callout {
    /// `[!NOTE]`
    Note,
    /// `[!TIP]`
    Tip,
    /// `[!IMPORTANT]`
    Important,
    /// `[!WARNING]`
    Warning,
    /// `[!CAUTION]`
    Caution,
}

/// What is in front of a list's item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A bullet.
    Bullet,
    /// Its number.
    Number(u64),
    /// A task box, ticked or not.
    Task(bool),
}
