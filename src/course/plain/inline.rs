//! The text of one block, with the marks that carry meaning without looks.

use crate::course::{Piece, Text};

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
