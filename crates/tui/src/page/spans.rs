//! The styled spans of a text with the numbers of its links, and the marks of the containers around it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::wrap::{paragraph, wrap};
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_course::block_prefix::{ContainerStyle, marker};
use warpup_course::{Callout, Container, Piece, Text};

/// A container that would leave a block fewer columns gets no mark.
const MIN_WIDTH: usize = 16;

/// A text of the course, wrapped.
pub(crate) fn text(text: &Text, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let spans = spans(text, theme, &mut Vec::new());
    wrap(&spans, usize::from(width))
}

/// A text of one style in which back-ticks mark code, such as the name of a check, wrapped.
pub(crate) fn coded(
    text: &str,
    style: Style,
    width: impl Into<usize>,
    theme: Theme,
) -> Vec<Line<'static>> {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        // One of them has no other end.
        return paragraph(text, style, width);
    }
    let styles = [style, style.patch(theme.style(Role::Code))];
    let spans = parts.into_iter().zip(styles.into_iter().cycle());
    let spans = spans.filter(|(part, _)| !part.is_empty());
    let spans: Vec<Span<'static>> = spans.map(|(part, it)| styled::span(part, it)).collect();
    wrap(&spans, width)
}

/// The pieces of a text as spans. Numbers the addresses of links and adds them to `links`.
pub(super) fn spans(text: &Text, theme: Theme, links: &mut Vec<String>) -> Vec<Span<'static>> {
    let mut spans = Vec::with_capacity(text.pieces.len());
    for piece in &text.pieces {
        if piece.text == "\n" {
            // The wrapper breaks at an empty span.
            spans.push(styled::span("", Style::new()));
            continue;
        }
        if piece.footnote {
            spans.push(theme.span(&format!("[{}]", piece.text), Role::Dim));
            continue;
        }
        spans.push(styled::span(&piece.text, style_of(piece, theme)));
        if let Some(link) = &piece.link {
            let known = links.iter().position(|it| it == link);
            let number = known.unwrap_or_else(|| {
                links.push(link.clone());
                links.len() - 1
            });
            spans.push(theme.span(&format!("[{}]", number + 1), Role::Dim));
        }
    }
    spans
}

fn style_of(piece: &Piece, theme: Theme) -> Style {
    let mut style = Style::new();
    for (on, role) in [
        (piece.code, Role::Code),
        (piece.strong, Role::Strong),
        (piece.emphasis, Role::Emphasis),
        (piece.link.is_some(), Role::Link),
    ] {
        if on {
            style = style.patch(theme.style(role));
        }
    }
    if piece.struck {
        style = style.crossed_out();
    }
    style
}

/// The marks in front of one block, outer containers first.
pub(super) struct Marks {
    /// Columns that further marks may take.
    left: usize,
    theme: Theme,
}

impl Marks {
    pub(super) fn new(width: usize, theme: Theme) -> Self {
        Self {
            left: width.saturating_sub(MIN_WIDTH),
            theme,
        }
    }

    /// The marks of a container. A folded part may be closed, and then is its summary alone.
    pub(super) fn mark(
        &mut self,
        container: &Container,
        is_closed: bool,
    ) -> ContainerStyle<Span<'static>> {
        let dim = self.theme.style(Role::Dim);
        let bar = |role| self.theme.span("│ ", role);
        let first = match container {
            Container::Quote => bar(Role::Dim),
            Container::Callout(kind) => bar(callout(*kind).1),
            Container::Details { .. } => styled::span("  ", dim),
            Container::Item { .. } | Container::Footnote { .. } => {
                styled::span(&marker(container, "•").unwrap_or_default(), dim)
            }
        };
        let first = match self.left.checked_sub(first.width()) {
            Some(left) => {
                self.left = left;
                first
            }
            None => {
                self.left = 0;
                styled::span("", dim)
            }
        };
        let blank = styled::span(&" ".repeat(first.width()), dim);
        let (title, rest) = match container {
            Container::Quote => (Vec::new(), first.clone()),
            Container::Callout(kind) => {
                let (word, role) = callout(*kind);
                let word = self.theme.span(word, role);
                (vec![first.clone(), word], first.clone())
            }
            Container::Details { summary, .. } => {
                let sign = if is_closed { "▸" } else { "▾" };
                let title = self.theme.span(&format!("{sign} {summary}"), Role::Key);
                (vec![title], blank)
            }
            Container::Item { .. } | Container::Footnote { .. } => (Vec::new(), blank),
        };
        ContainerStyle { title, first, rest }
    }
}

fn callout(kind: Callout) -> (&'static str, Role) {
    match kind {
        Callout::Note => ("NOTE", Role::Key),
        Callout::Tip => ("TIP", Role::Good),
        Callout::Important => ("IMPORTANT", Role::Keyword),
        Callout::Warning => ("WARNING", Role::Warn),
        Callout::Caution => ("CAUTION", Role::Bad),
    }
}
