//! The text of one block and the containers around it, with the marks that carry meaning without looks.

use crate::course::containers::{Mark, marker};
use crate::course::{Callout, Container, Piece, Text};
use unicode_width::UnicodeWidthStr;

/// The text, with the addresses of its links.
pub(super) fn inline_raw(text: &Text) -> String {
    let mut out = String::new();
    let mut pieces = text.pieces.iter().peekable();
    let mut label = String::new();
    while let Some(piece) = pieces.next() {
        let words = words_of(piece);
        out.push_str(&words);
        let Some(link) = &piece.link else { continue };
        label.push_str(&words);
        let ends = pieces
            .peek()
            .is_none_or(|next| next.link.as_ref() != Some(link));
        if ends {
            if label != *link {
                out.extend([" <", link, ">"]);
            }
            label.clear();
        }
    }
    out
}

fn words_of(piece: &Piece) -> String {
    let text = &piece.text;
    if piece.footnote {
        format!("[{text}]")
    } else if piece.code {
        format!("`{text}`")
    } else if piece.struck {
        format!("~~{text}~~")
    } else {
        text.clone()
    }
}

/// The marks of a container.
pub(super) fn mark(container: &Container) -> Mark<String> {
    let bar = |title: Vec<String>, bar: &str| Mark {
        title,
        first: bar.to_owned(),
        rest: bar.to_owned(),
    };
    match container {
        Container::Quote => bar(Vec::new(), "> "),
        Container::Callout(kind) => bar(vec![format!("| {}", name_of(*kind))], "| "),
        Container::Details { summary, .. } => bar(vec![format!("{summary}:")], "  "),
        Container::Item { .. } | Container::Footnote { .. } => {
            let first = marker(container, "-").unwrap_or_default();
            Mark {
                title: Vec::new(),
                rest: " ".repeat(first.width()),
                first,
            }
        }
    }
}

fn name_of(callout: Callout) -> &'static str {
    match callout {
        Callout::Note => "Note",
        Callout::Tip => "Tip",
        Callout::Important => "Important",
        Callout::Warning => "Warning",
        Callout::Caution => "Caution",
    }
}
