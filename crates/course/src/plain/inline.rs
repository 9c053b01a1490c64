//! The text of one block and the containers around it, with the marks that carry meaning without looks.

use crate::block_prefix::{ContainerStyle, marker};
use crate::{Callout, Container, Piece, Text};
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
                out.push_str(&target(link));
            }
            label.clear();
        }
    }
    out
}

/// Where a link leads, in the words that are typed: a lesson by its file, which has its name, and a page by its id.
fn target(link: &str) -> String {
    let (file, page) = link.split_once('#').unwrap_or((link, ""));
    let lesson = file.strip_suffix(".md").filter(|it| !it.contains('/'));
    match (lesson, file, page) {
        (Some(lesson), _, "") => format!(" (lesson {lesson})"),
        (Some(lesson), _, page) => format!(" (lesson {lesson}, page {page})"),
        (None, "", page) if !page.is_empty() => format!(" (page {page})"),
        (None, _, _) => format!(" <{link}>"),
    }
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
pub(super) fn mark(container: &Container) -> ContainerStyle<String> {
    let bar = |title: Vec<String>, bar: &str| ContainerStyle {
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
            ContainerStyle {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_into_the_course_names_what_can_be_typed() {
        assert_eq!(target("the-queue.md"), " (lesson the-queue)");
        assert_eq!(
            target("the-queue.md#waits"),
            " (lesson the-queue, page waits)"
        );
        assert_eq!(target("#waits"), " (page waits)");
        // Others are addresses.
        for other in ["https://a.org/b.md", "a/b.md", "notes.txt", "#"] {
            assert_eq!(target(other), format!(" <{other}>"));
        }
    }
}
