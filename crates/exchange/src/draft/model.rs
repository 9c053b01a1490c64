//! A quiz of another tool, as far as that says.

use crate::remark::Remarks;
use warpup_course::kinds::Tolerance;

/// More questions of one file are not looked at.
pub(crate) const MAX_READ: usize = 1_000;

/// A quiz of another tool.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The questions, in order.
    pub(crate) questions: Vec<DraftQuestion>,
    /// What could not be read at all.
    pub(crate) left_out: Remarks,
    /// How many questions were not looked at, because the file has too many.
    pub(crate) unread: usize,
    /// What was read otherwise than it was meant.
    pub(crate) changed: Remarks,
}

/// A question of another tool. Texts are Markdown.
#[derive(Debug)]
pub(crate) struct DraftQuestion {
    /// Where it is, for remarks: `line 12`.
    pub(crate) place: String,
    /// What its author calls it; empty if nothing.
    pub(crate) name: String,
    /// The category that it is in.
    pub(crate) category: Option<String>,
    pub(crate) prompt: String,
    pub(crate) explain: Option<String>,
    pub(crate) hints: Vec<String>,
    pub(crate) points: u32,
    pub(crate) form: AnswerForm,
}

/// What can be answered and what is right.
#[derive(Debug)]
pub(crate) enum AnswerForm {
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
        near: Vec<DraftNearMiss>,
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
pub(crate) struct DraftOption {
    /// Its name in the question; the letter of its place where it is empty.
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) correct: bool,
    pub(crate) feedback: Option<String>,
}

/// A wrong number and what is said to it.
#[derive(Debug)]
pub(crate) struct DraftNearMiss {
    pub(crate) value: f64,
    pub(crate) tolerance: Tolerance,
    pub(crate) feedback: String,
}
