//! A GIFT file as the texts of its questions.

use super::escape::protected;

/// The text of one question, in which escaped signs are protected.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The line of the file on which it begins, from 1.
    pub(super) line: usize,
    /// The category that it is in.
    pub(super) category: Option<String>,
    /// Its lines, without comments.
    pub(super) text: String,
}

/// The questions of a file. An empty line ends one, but not inside its answers, where some tools write empty lines.
pub(super) fn chunks(text: &str) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut category = None;
    let mut open: Option<Chunk> = None;
    let mut has_gap = false;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (at, line) in text.lines().enumerate() {
        let line = protected(line);
        let trimmed = line.trim();
        if trimmed.starts_with("//") {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix("$CATEGORY:") {
            chunks.extend(open.take());
            category = Some(super::escape::restored(name.trim())).filter(|it| !it.is_empty());
            continue;
        }
        if trimmed.is_empty() {
            if open.as_ref().is_some_and(|it| !is_in_answers(&it.text)) {
                chunks.extend(open.take());
            }
            has_gap = true;
            continue;
        }
        // Answers that were never closed end where the next title begins.
        if has_gap && trimmed.starts_with("::") {
            chunks.extend(open.take());
        }
        let gap = if std::mem::take(&mut has_gap) {
            "\n\n"
        } else {
            "\n"
        };
        match &mut open {
            Some(chunk) => {
                chunk.text.push_str(gap);
                chunk.text.push_str(&line);
            }
            None => {
                open = Some(Chunk {
                    line: at + 1,
                    category: category.clone(),
                    text: line,
                });
            }
        }
    }
    chunks.extend(open);
    chunks
}

/// Whether the answers have begun and not ended.
fn is_in_answers(text: &str) -> bool {
    text.split_once('{')
        .is_some_and(|(_, rest)| !rest.contains('}'))
}
