//! A quiz of another tool, as far as that says.

use crate::course::kinds::Tolerance;
use crate::exchange::remark::Remarks;

/// More questions of one file are not looked at.
pub(in crate::exchange) const MAX_READ: usize = 1_000;

/// A quiz of another tool.
#[derive(Debug, Default)]
pub(in crate::exchange) struct Draft {
    /// The questions, in order.
    pub(in crate::exchange) questions: Vec<DraftQuestion>,
    /// What could not be read at all.
    pub(in crate::exchange) left_out: Remarks,
    /// How many questions were not looked at, because the file has too many.
    pub(in crate::exchange) unread: usize,
    /// What was read otherwise than it was meant.
    pub(in crate::exchange) changed: Remarks,
}

/// A question of another tool. Texts are Markdown.
#[derive(Debug)]
pub(in crate::exchange) struct DraftQuestion {
    /// Where it is, for remarks: `line 12`.
    pub(in crate::exchange) place: String,
    /// What its author calls it; empty if nothing.
    pub(in crate::exchange) name: String,
    /// The category that it is in.
    pub(in crate::exchange) category: Option<String>,
    pub(in crate::exchange) prompt: String,
    pub(in crate::exchange) explain: Option<String>,
    pub(in crate::exchange) hints: Vec<String>,
    pub(in crate::exchange) points: u32,
    pub(in crate::exchange) form: Form,
}

/// What can be answered and what is right.
#[derive(Debug)]
pub(in crate::exchange) enum Form {
    Single {
        options: Vec<DraftOption>,
        shuffle: bool,
    },
    Multi {
        options: Vec<DraftOption>,
        shuffle: bool,
        partial: bool,
    },
    Numeric {
        answer: f64,
        tolerance: Tolerance,
        unit: Option<String>,
        near: Vec<DraftNear>,
    },
    /// Accepted texts, and wrong ones with what is said to them; not Markdown but for the latter.
    Text {
        accept: Vec<String>,
        case: bool,
        near: Vec<(String, String)>,
    },
    Match {
        pairs: Vec<(String, String)>,
    },
    Order {
        items: Vec<String>,
    },
    Words {
        parts: Vec<String>,
    },
}

/// An option.
#[derive(Debug, Default)]
pub(in crate::exchange) struct DraftOption {
    /// Its name in the question; the letter of its place where it is empty.
    pub(in crate::exchange) id: String,
    pub(in crate::exchange) text: String,
    pub(in crate::exchange) correct: bool,
    pub(in crate::exchange) feedback: Option<String>,
}

/// A wrong number and what is said to it.
#[derive(Debug)]
pub(in crate::exchange) struct DraftNear {
    pub(in crate::exchange) value: f64,
    pub(in crate::exchange) tolerance: Tolerance,
    pub(in crate::exchange) feedback: String,
}
