//! Opening and closing containers, and putting parts out.

use super::{Part, PartKind, Reader};
use crate::course::report::Hint;
use crate::course::{Container, MAX_DEPTH, Marker, Text};
use std::ops::Range;

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
            self.warning(&range, "`<details>` above is not closed")
                .hint("put `</details>` on a line of its own, with empty lines around it");
        }
    }

    /// Puts running text out that no tag ends, as in the items of a tight list.
    pub(super) fn flush(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        let span = self.inline_span.take().unwrap_or_default();
        let text = self.inline.take();
        self.emit(PartKind::Paragraph(text), span);
    }

    pub(super) fn take_text(&mut self) -> Text {
        self.inline_span = None;
        self.inline.take()
    }

    pub(super) fn emit(&mut self, kind: PartKind, range: Range<usize>) {
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

    pub(super) fn error(&mut self, range: &Range<usize>, message: impl Into<String>) -> Hint<'_> {
        self.report.error(self.spot.span(range), message)
    }

    pub(super) fn warning(&mut self, range: &Range<usize>, message: impl Into<String>) -> Hint<'_> {
        self.report.warning(self.spot.span(range), message)
    }
}
