//! Text that fits into columns.

use crate::shown::Shown;
use unicode_width::UnicodeWidthStr;

/// As much of a text as fits into `columns`, on one line and safe to print; `…` marks the end of a text that was cut.
pub(crate) fn cut_line(text: &str, columns: usize) -> String {
    let text = Shown::one_line(text).into_string();
    if text.width() <= columns {
        return text;
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if kept.width() >= columns {
            kept.pop();
            break;
        }
    }
    kept + "…"
}
