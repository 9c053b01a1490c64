//! Backslashes in texts of sound TOML that their authors meant as letters: paths of Windows, LaTeX.

use super::outline::Outline;
use crate::diagnostics::{Report, Rule};
use std::ops::Range;

/// Escapes that no text for learners needs.
const SIGNS: [(char, &str); 5] = [
    ('t', "a tab"),
    ('b', "a backspace"),
    ('f', "a form feed"),
    ('r', "a carriage return"),
    ('e', "an escape character"),
];

/// Words of LaTeX that begin as a new line does.
const OF_LATEX: [&str; 4] = ["nu", "nabla", "neq", "notin"];

/// Warns of each.
pub(crate) fn check(text: &str, report: &mut Report) {
    if !text.contains('\\') {
        return;
    }
    for span in Outline::of(text).into_texts() {
        let written = text.get(span.clone()).unwrap_or_default();
        if written.starts_with('"') {
            in_text(written, &span, report);
        }
    }
}

/// Warns of those in a text with its quotation marks.
fn in_text(written: &str, span: &Range<usize>, report: &mut Report) {
    let mut from = 0;
    while let Some(at) = written.get(from..).and_then(|it| it.find('\\')) {
        let at = from + at;
        let behind = written.get(at + 1..).unwrap_or_default();
        let Some(letter) = behind.chars().next() else {
            return;
        };
        from = at + 1 + letter.len_utf8();
        let word = behind.split(|it: char| !it.is_alphanumeric()).next();
        let word = word.unwrap_or_default();
        let sign = SIGNS.iter().find(|it| it.0 == letter).map(|it| it.1);
        let is_end_of_line = behind.starts_with("r\\n");
        let is_new_line = OF_LATEX.contains(&word);
        let Some(sign) = sign.or(is_new_line.then_some("a new line")) else {
            continue;
        };
        if is_end_of_line {
            continue;
        }
        let escape = span.start + at..span.start + from;
        // What is said of a text with two lines follows from it.
        let marked = if is_new_line {
            span.clone()
        } else {
            escape.clone()
        };
        let shift = report.shift();
        report
            .warning(
                Rule::EscapeInText,
                marked,
                format!("`\\{letter}` between double quotes is {sign}, so learners do not read `\\{word}`"),
            )
            .fixed_at(
                escape.start + shift..escape.end + shift,
                &format!("\\{letter}"),
                format!("\\\\{letter}"),
            )
            .hint(format!(
                "write `\\\\{word}`, or put the text in single quotes, in which a backslash is a letter"
            ));
    }
}
