//! The styled spans of a text, and the numbers of its links.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::wrap::wrap;
use crate::course::{Piece, Text};
use crate::tui::ink;
use crate::tui::theme::{Role, Theme};

/// A text of the course, wrapped.
pub(crate) fn text(text: &Text, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let spans = spans(text, theme, &mut Vec::new());
    wrap(&spans, usize::from(width))
}

/// The pieces of a text as spans. Numbers the addresses of links and adds them to `links`.
pub(super) fn spans(text: &Text, theme: Theme, links: &mut Vec<String>) -> Vec<Span<'static>> {
    let mut spans = Vec::with_capacity(text.pieces.len());
    for piece in &text.pieces {
        if piece.text == "\n" {
            // The wrapper breaks at an empty span.
            spans.push(ink::span("", Style::new()));
            continue;
        }
        if piece.footnote {
            spans.push(theme.span(&format!("[{}]", piece.text), Role::Dim));
            continue;
        }
        spans.push(ink::span(&piece.text, style_of(piece, theme)));
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
