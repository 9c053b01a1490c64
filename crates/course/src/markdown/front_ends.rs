//! Text for one front end, between `<!-- screen -->` and `<!-- /screen -->`, or the same with `plain`.
//!
//! The marks are comments, which a code host does not show. Within a paragraph they are anywhere but at the start of a line,
//! where Markdown would take the whole line for HTML; around paragraphs they are on lines of their own.

use super::document::PartKind;
use super::fence::LAB_BLOCKS;
use super::html::{self, Html, Mark};
use super::output::Reader;
use crate::diagnostics::Rule;
use crate::model::FrontEnd;
use std::ops::Range;

/// Who reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadIn {
    /// Everybody, wherever that is: a text without such marks.
    Anywhere,
    /// A lesson in this front end; in a file or a page, which has the text of both, `None`.
    Lesson(Option<FrontEnd>),
}

/// Text for one front end that is open.
#[derive(Debug)]
pub(super) struct OpenMark {
    front_end: FrontEnd,
    /// Where its first mark is, in the text.
    at: Range<usize>,
}

/// How many texts for each front end a file has, for a comparison.
pub(crate) fn count(text: &str) -> [usize; 2] {
    let parts = html::split(text);
    FrontEnd::ALL.map(|it| {
        parts
            .iter()
            .filter(|part| **part == Html::Mark(Mark::Begin(it)))
            .count()
    })
}

impl Reader<'_, '_> {
    /// Whether what is read now is for another front end.
    pub(super) fn is_hidden(&self) -> bool {
        let open = [&self.inline_mark, &self.block_mark];
        open.into_iter().flatten().any(|it| match self.read_in {
            ReadIn::Anywhere | ReadIn::Lesson(None) => false,
            ReadIn::Lesson(Some(front_end)) => front_end != it.front_end,
        })
    }

    /// Takes a mark within a line.
    pub(super) fn mark_in_line(&mut self, mark: Mark, range: &Range<usize>) {
        self.saw(range);
        match mark {
            Mark::Begin(front_end) if self.may_begin(range) => {
                let at = range.clone();
                self.inline_mark = Some(OpenMark { front_end, at });
                self.marked_heading |= self.heading.is_some();
            }
            Mark::End(front_end) => {
                let open = self.inline_mark.take_if(|it| it.front_end == front_end);
                if open.is_none() {
                    self.closes_nothing(front_end, range);
                }
            }
            Mark::Begin(_) => {}
        }
    }

    /// Takes a mark on a line of its own.
    pub(super) fn mark_of_blocks(&mut self, mark: Mark, range: &Range<usize>) {
        match mark {
            Mark::Begin(_) if !self.open.is_empty() => {
                self.error(
                    Rule::FrontEndMark,
                    range,
                    "text for one front end cannot be a part of a list, a quotation or a folded part",
                )
                .hint("put both marks into a line of it, behind its first word");
            }
            Mark::Begin(front_end) if self.may_begin(range) => {
                let at = range.clone();
                self.block_mark = Some(OpenMark { front_end, at });
            }
            Mark::End(front_end) => {
                let open = self.block_mark.take_if(|it| it.front_end == front_end);
                if open.is_none() && self.lost_mark.take() != Some(front_end) {
                    self.closes_nothing(front_end, range);
                }
            }
            Mark::Begin(_) => {}
        }
    }

    /// Reports a mark in front of text in one line of HTML, which is shown as it is written. Gives whether there is one.
    pub(super) fn check_marks_at_text(&mut self, parts: &[Html<'_>], line: &Range<usize>) -> bool {
        let is_mark = |it: &Html<'_>| matches!(it, Html::Mark(_));
        let is_text = |it: &Html<'_>| matches!(it, Html::Text(_));
        let is_wrong = parts.iter().any(is_mark) && parts.iter().any(is_text);
        if is_wrong {
            self.error(
                Rule::FrontEndMark,
                line,
                "a mark at the start of a line makes the whole line HTML, which is shown as it is written",
            )
            .hint("put the mark at the end of the line before it, or on a line of its own");
        }
        is_wrong
    }

    /// Reports text for one front end where it cannot be.
    fn may_begin(&mut self, range: &Range<usize>) -> bool {
        let (message, hint) = if self.read_in == ReadIn::Anywhere {
            (
                "only the pages of a lesson have text for one front end",
                "remove the marks: a question is the same everywhere",
            )
        } else if self.inline_mark.is_some() || self.block_mark.is_some() {
            (
                "this text for one front end is inside another one",
                "close the first one in front of it",
            )
        } else {
            return true;
        };
        self.error(Rule::FrontEndMark, range, message).hint(hint);
        false
    }

    fn closes_nothing(&mut self, front_end: FrontEnd, range: &Range<usize>) {
        if self.read_in == ReadIn::Anywhere {
            return;
        }
        let word = front_end.word();
        self.error(
            Rule::FrontEndMark,
            range,
            format!("`<!-- /{word} -->` closes nothing here"),
        )
        .hint(format!(
            "write `<!-- {word} -->` in front of the text: in the same paragraph, or both on lines of their own"
        ));
    }

    /// A paragraph ends: its marks are closed.
    pub(super) fn end_line_marks(&mut self) {
        if let Some(OpenMark { front_end, at }) = self.inline_mark.take() {
            let word = front_end.word();
            self.lost_mark = Some(front_end);
            self.error(
                Rule::FrontEndMark,
                &at,
                format!("`<!-- {word} -->` is not closed in its paragraph"),
            )
            .hint(format!(
                "write `<!-- /{word} -->` behind the text, and not at the start of a line"
            ));
        }
        if std::mem::take(&mut self.marked_heading)
            && let Some(at) = self.inline_span.clone()
        {
            self.error(
                Rule::FrontEndMark,
                &at,
                "a heading has no text for one front end: it is the same everywhere",
            )
            .hint("put the marks into the text below it");
        }
    }

    /// The text ends: all marks are closed.
    pub(super) fn end_block_marks(&mut self) {
        if let Some(OpenMark { front_end, at }) = self.block_mark.take() {
            let word = front_end.word();
            self.error(
                Rule::FrontEndMark,
                &at,
                format!("`<!-- {word} -->` is not closed"),
            )
            .hint(format!("write `<!-- /{word} -->` on a line of its own"));
        }
    }

    /// Reports what every front end has and is between two marks. They do not hide it.
    pub(super) fn check_in_marks(&mut self, kind: &PartKind, range: &Range<usize>) {
        if self.block_mark.is_none() {
            return;
        }
        let what = match kind {
            PartKind::Heading { level: 0..=2, .. } => "a page",
            PartKind::Pause => "a pause",
            PartKind::Fence { info, .. } if self.is_of_lab(info) => "a lab",
            PartKind::Heading { .. }
            | PartKind::Paragraph(_)
            | PartKind::Fence { .. }
            | PartKind::Table(_)
            | PartKind::Rule => return,
        };
        let open = self.block_mark.take();
        self.lost_mark = open.map(|it| it.front_end);
        self.error(
            Rule::FrontEndMark,
            range,
            format!("{what} is in text for one front end, and the others need it, too"),
        )
        .hint("close the text in front of it");
    }

    fn is_of_lab(&self, info: &Range<usize>) -> bool {
        let words = self.text.get(info.clone()).unwrap_or_default();
        words.split_whitespace().any(|word| {
            let name = word.split('=').next().unwrap_or_default();
            word == "lab" || LAB_BLOCKS.contains(&name)
        })
    }
}
