//! Opening and closing containers, and putting parts out.

use super::document::{Document, Part, PartKind, Table};
use super::front_ends::{OpenMark, ReadIn};
use super::inline::Inline;
use super::prose;
use crate::diagnostics::{Hint, Report, Rule};
use crate::model::{Container, FrontEnd, MAX_DEPTH, Marker, Text};
use crate::toml_walk::FileOffsets;
use std::ops::Range;

/// The state between two events.
pub(super) struct Reader<'r, 'a> {
    pub(super) text: &'a str,
    pub(super) spot: &'a FileOffsets,
    report: &'r mut Report,
    pub(super) document: Document,
    /// The containers that are open, however deep; only the first [`MAX_DEPTH`] of them are shown.
    pub(super) open: Vec<Container>,
    /// Where each `<details>` is that is open, in the text.
    pub(super) details: Vec<Range<usize>>,
    /// For each open list the number of its next item.
    pub(super) lists: Vec<Option<u64>>,
    pub(super) inline: Inline,
    pub(super) inline_span: Option<Range<usize>>,
    /// Where there is code in the running text.
    pub(super) inline_code: Vec<Range<usize>>,
    pub(super) code: Option<(Range<usize>, String)>,
    pub(super) html: Option<String>,
    pub(super) table: Option<Table>,
    pub(super) heading: Option<(u8, Option<String>)>,
    pub(super) read_in: ReadIn,
    /// Text for one front end that is open, within a paragraph and around several.
    pub(super) inline_mark: Option<OpenMark>,
    pub(super) block_mark: Option<OpenMark>,
    /// Whether a heading has a mark.
    pub(super) marked_heading: bool,
    /// The front end of a mark that was reported: the one that closes it is not reported as well.
    pub(super) lost_mark: Option<FrontEnd>,
}

impl<'r, 'a> Reader<'r, 'a> {
    /// Nothing is read yet of a text that is at `spot` of its file.
    pub(super) fn new(text: &'a str, spot: &'a FileOffsets, report: &'r mut Report) -> Self {
        Self {
            text,
            spot,
            report,
            document: Document::default(),
            open: Vec::new(),
            details: Vec::new(),
            lists: Vec::new(),
            inline: Inline::default(),
            inline_span: None,
            inline_code: Vec::new(),
            code: None,
            html: None,
            table: None,
            heading: None,
            read_in: ReadIn::Anywhere,
            inline_mark: None,
            block_mark: None,
            marked_heading: false,
            lost_mark: None,
        }
    }
}

impl Reader<'_, '_> {
    pub(super) fn open(&mut self, container: Container) {
        self.flush();
        self.open.push(container);
    }

    /// Closes the innermost container that markdown knows of.
    pub(super) fn close(&mut self, range: Range<usize>) {
        self.flush();
        self.close_details(range.clone());
        if let Some(Container::Item { first: true, .. }) = self.open.last()
            && self.open.len() <= MAX_DEPTH
        {
            // An empty item still has a marker to show.
            self.emit(PartKind::Paragraph(Text::default()), range);
        }
        self.open.pop();
    }

    /// Closes parts that fold and were not closed by their author.
    pub(super) fn close_details(&mut self, range: Range<usize>) {
        while let Some(Container::Details { .. }) = self.open.last() {
            self.open.pop();
            let at = self.details.pop().unwrap_or_else(|| range.clone());
            self.warning(
                Rule::DetailsNotClosed,
                &at,
                "this `<details>` is not closed",
            )
            .hint("put `</details>` on a line of its own, with empty lines around it");
        }
    }

    /// Puts running text out that no tag ends, as in the items of a tight list.
    pub(super) fn flush(&mut self) {
        self.end_line_marks();
        if self.inline.is_empty() {
            return;
        }
        self.check_prose();
        let span = self.inline_span.take().unwrap_or_default();
        self.check_habits(&span);
        let text = self.inline.take();
        self.emit(PartKind::Paragraph(text), span);
    }

    pub(super) fn take_text(&mut self) -> Text {
        self.end_line_marks();
        self.check_prose();
        self.inline_span = None;
        self.inline.take()
    }

    /// Reports marks in the running text that are shown as they are written.
    fn check_prose(&mut self) {
        let code = std::mem::take(&mut self.inline_code);
        let Some(span) = self.inline_span.clone() else {
            return;
        };
        let text = self.text.get(span.clone()).unwrap_or_default();
        let code: Vec<_> = code
            .iter()
            .map(|it| it.start.saturating_sub(span.start)..it.end.saturating_sub(span.start))
            .collect();
        if let Some(found) = prose::formula(text, &code) {
            let found = span.start + found.start..span.start + found.end;
            self.warning(
                Rule::MathShown,
                &found,
                "this formula is shown as it is written, with its dollar signs",
            )
            .hint("write it in words, or as code between back-ticks; a dollar sign alone is `\\$`");
        } else if let Some(found) = prose::latex(text, &code) {
            let found = span.start + found.start..span.start + found.end;
            self.warning(
                Rule::MathShown,
                &found,
                "this formula is shown as it is written, without the backslashes of its brackets",
            )
            .hint("write it in words, or as code between back-ticks");
        }
    }

    pub(super) fn emit(&mut self, kind: PartKind, range: Range<usize>) {
        self.check_in_marks(&kind, &range);
        if self.is_hidden() {
            return;
        }
        let within = self.open.iter().take(MAX_DEPTH).cloned().collect();
        for container in self.open.iter_mut().take(MAX_DEPTH) {
            match container {
                Container::Item { first, .. }
                | Container::Footnote { first, .. }
                | Container::Details { first, .. } => *first = false,
                Container::Quote | Container::Callout(_) => {}
            }
        }
        let span = self.spot.span(&range);
        self.document.parts.push(Part { within, kind, span });
    }

    pub(super) fn next_marker(&mut self) -> Marker {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = Marker::Number(*number);
                *number = number.saturating_add(1);
                marker
            }
            Some(None) | None => Marker::Bullet,
        }
    }

    /// Widens the span of the running text.
    pub(super) fn saw(&mut self, range: &Range<usize>) {
        match &mut self.inline_span {
            Some(span) => span.end = span.end.max(range.end),
            None => self.inline_span = Some(range.clone()),
        }
    }

    /// The words after a fence that starts at this byte.
    pub(super) fn info(&self, start: usize) -> Range<usize> {
        let line = self.text.get(start..).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default();
        let words = line.trim_start().trim_start_matches(['`', '~']);
        let start = start + line.len() - words.len();
        start..start + words.trim_end().len()
    }

    pub(super) fn error(
        &mut self,
        rule: Rule,
        range: &Range<usize>,
        message: impl Into<String>,
    ) -> Hint<'_> {
        self.report.error(rule, self.spot.span(range), message)
    }

    pub(super) fn warning(
        &mut self,
        rule: Rule,
        range: &Range<usize>,
        message: impl Into<String>,
    ) -> Hint<'_> {
        self.report.warning(rule, self.spot.span(range), message)
    }
}
