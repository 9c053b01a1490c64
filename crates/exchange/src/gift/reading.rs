//! The texts of a GIFT file, in the four languages in which they may be written.

use super::escape::restored;
use crate::markup::{LineFeeds, markdown_of_html, markdown_of_plain};
use crate::remark::Remarks;

/// Before a unit at the end of a numeric question. GIFT has no place for it but the text.
pub(super) const UNIT: &str = "Answer in ";
/// Before the parts of a good explanation.
pub(crate) const PARTS: &str = "A good explanation says:";

/// The language in which a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    Html,
    Markdown,
    Plain,
    /// HTML in which a line feed breaks the line; also where nothing is said.
    Moodle,
}

/// A part of a file while it is read.
pub(super) struct Reading<'a> {
    pub(super) place: String,
    pub(super) markup: Markup,
    pub(super) changed: &'a mut Remarks,
}

impl Reading<'_> {
    /// Says what is not as it was meant.
    pub(super) fn say(&mut self, what: impl Into<String>) {
        self.changed.say(self.place.clone(), what);
    }

    /// The Markdown of a text in which escaped signs are protected.
    pub(super) fn markdown(&mut self, text: &str) -> String {
        let (own, text) = format_of(text.trim());
        let text = restored(text);
        let text = text.trim();
        let lines = match own.unwrap_or(self.markup) {
            Markup::Markdown => return text.to_owned(),
            Markup::Plain => {
                let lines: Vec<String> = text
                    .lines()
                    .map(|it| markdown_of_plain(it.trim()))
                    .collect();
                return lines.join("\\\n");
            }
            Markup::Html => LineFeeds::Joined,
            Markup::Moodle => LineFeeds::Kept,
        };
        let read = markdown_of_html(text, lines);
        for lost in read.lost {
            self.say(format!(
                "Markdown has no {lost}: what they say is there as text"
            ));
        }
        read.markdown
    }

    /// The same, and nothing for an empty text.
    pub(super) fn some_markdown(&mut self, text: &str) -> Option<String> {
        Some(self.markdown(text)).filter(|it| !it.is_empty())
    }
}

/// The format that a text names, as in `[html]`, and the rest.
pub(super) fn format_of(text: &str) -> (Option<Markup>, &str) {
    const FORMATS: [(&str, Markup); 4] = [
        ("[html]", Markup::Html),
        ("[markdown]", Markup::Markdown),
        ("[plain]", Markup::Plain),
        ("[moodle]", Markup::Moodle),
    ];
    for (word, markup) in FORMATS {
        let start = text.get(..word.len());
        if start.is_some_and(|it| it.eq_ignore_ascii_case(word)) {
            return (Some(markup), text.get(word.len()..).unwrap_or_default());
        }
    }
    (None, text)
}
