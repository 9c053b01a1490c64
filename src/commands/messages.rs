//! Messages for people, broken where a terminal would break them inside words.

use warpup_course::wrap::wrap_str;
use warpup_text::shown::Shown;

/// Breaks lines longer than `columns` at words, and keeps their indentation. Without columns, they stay.
pub(super) fn at_words(text: &str, columns: Option<usize>) -> String {
    // Made safe before it is measured: a character can become longer when it is made safe.
    let text = Shown::new(text);
    let Some(columns) = columns else {
        return text.as_str().to_owned();
    };
    let broken = text.as_str().split('\n').map(|line| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let before = " ".repeat(indent);
        let parts = wrap_str(line, columns.saturating_sub(indent).max(20));
        let parts = parts.into_iter().map(|it| format!("{before}{it}"));
        parts.collect::<Vec<_>>().join("\n")
    });
    broken.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_on_a_terminal_breaks_between_words() {
        let said = "warpup: cannot run\n\n  the worker for real cards";
        assert_eq!(at_words(said, None), said);
        insta::assert_snapshot!(at_words(said, Some(20)), @r"
        warpup: cannot run

          the worker for real
          cards
        ");
    }
}
