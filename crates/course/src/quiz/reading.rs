//! The texts of a quiz file: markdown in TOML strings.

use super::page_names::PageNames;
use crate::diagnostics::{Hint, Report, Rule};
use crate::markdown::{self, Info, LAB_BLOCKS, Link, PartKind, ReadIn, code_block};
use crate::model::{Block, Text};
use crate::toml_walk::{Fields, FileOffsets, WithSpan};
use std::ops::Range;

/// Whether a quiz has the keys of its questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// They are in the file, and warpup grades.
    Here,
    /// They are not, and the learners' instructor grades.
    Withheld,
}

/// A quiz file while its questions are read.
pub(crate) struct Reading<'r, 'a> {
    /// The file's text.
    pub(crate) file: &'a str,
    /// What is wrong with it.
    pub(crate) report: &'r mut Report,
    /// The links of all texts so far.
    pub(crate) links: Vec<Link>,
    /// The pages of its lesson; none where they are not known.
    pub(crate) pages: &'a PageNames,
    /// Whether the questions have keys.
    pub(crate) keys: Keys,
}

impl Reading<'_, '_> {
    /// Inline markdown on one line.
    pub(crate) fn line(&mut self, text: &WithSpan<&str>) -> Text {
        if text.value.trim().is_empty() {
            self.report
                .error(Rule::EmptyText, text.span.clone(), "this text is empty")
                .hint("write the text between the quotes");
        } else if text.value.trim().contains('\n') {
            let raw = self.file.get(text.span.clone()).unwrap_or_default();
            let is_escape = !raw.contains('\n');
            self.report
                .error(
                    Rule::NotOneLine,
                    text.span.clone(),
                    "this text has to be on one line",
                )
                .hint(if is_escape {
                    "leave `\\n` out: only `prompt` and `explain` may have several lines; a backslash is `\\\\`"
                } else {
                    "write it on one line; only `prompt` and `explain` may have several"
                });
        }
        let spot = FileOffsets::of(text, self.file);
        let (line, links) = markdown::read_line(text.value, &spot, self.report);
        self.links.extend(links);
        line
    }

    /// Adds an error.
    pub(crate) fn error(
        &mut self,
        rule: Rule,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Hint<'_> {
        self.report.error(rule, span, message)
    }

    /// Warns about a key that only grading uses, if it is somewhere.
    pub(crate) fn key_not_used(&mut self, key: &str, at: Option<Range<usize>>) {
        let Some(at) = at else { return };
        let message = format!(
            "the quiz says `keys = false`, so `{key}` of this question is not used, and learners can read it"
        );
        self.report
            .warning(Rule::KeyNotUsed, at, message)
            .hint("remove it, as `warpup pack --no-keys` does; or remove `keys = false`, and warpup grades the quiz");
    }

    /// A flag that may be missing.
    pub(crate) fn flag(&mut self, fields: &Fields<'_>, key: &str) -> Option<bool> {
        let flag = fields.optional::<bool>(key, self.report);
        flag.map(|it| it.value)
    }

    /// Markdown with paragraphs and code.
    pub(crate) fn blocks(&mut self, text: &WithSpan<&str>) -> Vec<Block> {
        let spot = FileOffsets::of(text, self.file);
        let document = markdown::read(text.value, &spot, ReadIn::Anywhere, self.report);
        self.links.extend(document.links);
        let parts = document.parts.into_iter();
        let blocks = parts.filter_map(|part| {
            if let PartKind::Pause = part.kind {
                self.report
                    .error(
                        Rule::PausePlace,
                        part.span.clone(),
                        "a question has no pauses",
                    )
                    .hint("`<!-- pause -->` is for the pages of a lesson");
            }
            part.into_block(|info, code, span| {
                let info = Info::parse(text.value, info, &spot, self.report);
                for attribute in LAB_BLOCKS {
                    if let Some(lab) = info.attribute(attribute) {
                        self.report
                            .error(
                                Rule::LabInQuiz,
                                lab.span.clone(),
                                "labs belong in lessons, not in quizzes",
                            )
                            .hint("a question shows a program in a block ```python");
                    }
                }
                Some(code_block(&info, code, span, self.report))
            })
        });
        blocks.collect()
    }
}
