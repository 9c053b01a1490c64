//! What all parts of an item are made of.

use crate::markup::{Dialect, html_of_text};
use warpup_course::Text;

/// A name as XML has it: it does not begin with a digit.
pub(super) fn identifier(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|it| {
            if it.is_ascii_alphanumeric() || ".-_".contains(it) {
                it
            } else {
                '_'
            }
        })
        .collect();
    if name.starts_with(|it: char| it.is_ascii_alphabetic()) {
        name
    } else {
        format!("_{name}")
    }
}

/// The HTML of a text in a line.
pub(super) fn text_html(text: &Text) -> String {
    html_of_text(text, Dialect::Qti)
}
