//! The marks of containers in plain text.

use unicode_width::UnicodeWidthStr;

use crate::course::containers::{Mark, marker};
use crate::course::{Callout, Container};

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
