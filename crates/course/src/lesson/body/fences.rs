//! What fenced blocks mean to a lesson: labs, the blocks that belong to them, and code.

use super::Fold;
use crate::diagnostics::Rule;
use crate::lesson::lab::{self, Code, LabBlock, ReadLab};
use crate::lesson::model::Lab;
use crate::markdown::{Info, code_block, meant_words};
use crate::model::{BlockKind, LabId};
use std::ops::Range;

/// More labs in one lesson are shown as code.
const MAX_LABS: usize = 100;

impl Fold<'_, '_> {
    /// What a fence means to a lesson; nothing when it belongs to a lab or is one that was left out.
    pub(super) fn fence(
        &mut self,
        info: &Range<usize>,
        code: String,
        span: Range<usize>,
        inside: Option<&str>,
    ) -> Option<BlockKind> {
        let words = self.text.get(info.clone()).unwrap_or_default();
        if let Some(meant) = meant_words(words) {
            self.report
                .error(
                    Rule::FenceForm,
                    self.spot.span(info),
                    "these words after the fence are not read as they are meant",
                )
                .fixed_by(words, meant.clone())
                .hint(format!("write ```{meant}"));
            return self.as_meant(words, &meant, code);
        }
        let info = Info::parse(self.text, info, self.spot, self.report);
        let code = self.programs.program(&info, code, self.report);
        for what in LabBlock::ALL {
            if info.attribute(what.attribute()).is_some() {
                let named = info.attribute(what.attribute());
                let is_left_out = named.is_some_and(|it| self.left_out.may_have(it.value));
                let has_it = |it: &Lab| named.is_some_and(|named| named.value == it.id.as_str());
                if !is_left_out || self.labs.iter().any(has_it) {
                    if what == LabBlock::Check {
                        self.check_helpers(&info, &code, span.start);
                    }
                    let code = Code {
                        text: &code,
                        at: span.start,
                    };
                    let errors = self.report.errors();
                    lab::attach(what, &info, code, &mut self.labs, self.report);
                    self.left_out.has_block |= self.report.errors() > errors;
                }
                return None;
            }
        }
        if info.flag("lab").is_none() {
            return Some(code_block(&info, code, &span, self.report));
        }
        if let Some(inside) = inside {
            let message = format!("a lab cannot be inside {inside}");
            self.report
                .error(Rule::LabPlace, info.language.span.clone(), message)
                .hint("put it on the page, in front of the hint or note");
        } else if let Some(id) = self.lab(&info, &code, span) {
            return Some(BlockKind::Lab(id));
        }
        match info.attribute("id") {
            Some(id) => drop(self.left_out.ids.insert(id.value.to_owned())),
            None => self.left_out.has_nameless = true,
        }
        Some(BlockKind::Code {
            language: info.language.value.to_owned(),
            code,
        })
    }

    /// What a fence is whose words have been reported; that other places name it is no mistake of those.
    fn as_meant(&mut self, words: &str, meant: &str, code: String) -> Option<BlockKind> {
        let is_block = LabBlock::ALL
            .iter()
            .any(|it| meant.contains(&format!(" {}=", it.attribute())));
        if is_block {
            self.left_out.has_block = true;
            return None;
        }
        let id = meant
            .split(" id=")
            .nth(1)
            .and_then(|it| it.split_whitespace().next());
        match id {
            Some(id) => drop(self.left_out.ids.insert(id.trim_matches('"').to_owned())),
            None => self.left_out.has_nameless |= meant.contains(" lab"),
        }
        Some(BlockKind::Code {
            language: words
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned(),
            code,
        })
    }

    fn lab(&mut self, info: &Info<'_>, code: &str, span: Range<usize>) -> Option<LabId> {
        let page = self.pages.last()?.id.clone();
        if self.labs.len() >= MAX_LABS {
            self.report
                .error(
                    Rule::TooManyLabs,
                    span,
                    format!("a lesson may have {MAX_LABS} labs"),
                )
                .hint("divide the lesson");
            return None;
        }
        let ReadLab { lab, predict } = lab::read(info, code, &page, span, self.report)?;
        if self.labs.iter().any(|it| it.id == lab.id) {
            let span = info.attribute("id").map_or(0..0, |it| it.span.clone());
            self.report
                .error(
                    Rule::DuplicateId,
                    span,
                    format!("there is a lab `{}` already", lab.id),
                )
                .hint("give this one another id; results are stored under it");
            return None;
        }
        let id = lab.id.clone();
        if let Some(predict) = predict {
            self.predicts.push((self.labs.len(), predict));
        }
        self.labs.push(lab);
        Some(id)
    }
}
