//! Text that fits into columns.

use unicode_width::UnicodeWidthStr;
use warpup_text::shown::Shown;

/// As much of a text as fits into `columns`, on one line and safe to print; `…` marks the end of a text that was cut.
pub fn cut_line(text: &str, columns: usize) -> String {
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
