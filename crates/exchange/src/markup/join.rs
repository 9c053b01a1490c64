//! Texts after one another, and code in texts that are not Markdown.

use warpup_course::{Piece, Text};

/// These texts as one.
pub(crate) fn joined(texts: impl IntoIterator<Item = String>) -> String {
    let mut all = String::new();
    for text in texts {
        all.push_str(&text);
    }
    all
}

/// A text of a lesson's head. It is not Markdown, but authors write code in it as they do elsewhere.
pub(crate) fn with_code(text: &str) -> Text {
    let parts: Vec<&str> = text.split('`').collect();
    // Of several backticks, an odd one is no code.
    if parts.len().is_multiple_of(2) {
        return Text::of(text);
    }
    let pieces = parts.into_iter().enumerate().map(|(at, part)| Piece {
        text: part.to_owned(),
        code: at % 2 == 1,
        ..Piece::default()
    });
    Text {
        pieces: pieces.filter(|it| !it.text.is_empty()).collect(),
    }
}
