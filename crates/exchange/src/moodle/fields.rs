//! Values of Moodle's elements.

use super::tree::Element;
use crate::markup::{LineFeeds, markdown_of_html, markdown_of_plain};
use crate::remark::Remarks;

/// A question while it is read.
pub(super) struct Fields<'a> {
    pub(super) of: &'a Element,
    pub(super) place: String,
    pub(super) changed: &'a mut Remarks,
}

impl<'a> Fields<'a> {
    pub(super) fn say(&mut self, what: impl Into<String>) {
        self.changed.say(self.place.clone(), what);
    }

    /// The Markdown of an element with a `<text>`, in the format that it names; empty if there is none.
    pub(super) fn markdown_in(&mut self, element: &Element) -> String {
        let text = element
            .child("text")
            .map_or(element.text.as_str(), |it| it.text.as_str());
        let text = text.trim();
        let lines = match element.attribute("format").unwrap_or("moodle_auto_format") {
            "markdown" => return text.to_owned(),
            "plain_text" => {
                let lines: Vec<String> = text
                    .lines()
                    .map(|it| markdown_of_plain(it.trim()))
                    .collect();
                return lines.join("\\\n");
            }
            "html" => LineFeeds::Joined,
            _ => LineFeeds::Kept,
        };
        let read = markdown_of_html(text, lines);
        for lost in read.lost {
            self.say(format!(
                "Markdown has no {lost}: what they say is there as text"
            ));
        }
        read.markdown
    }

    /// The Markdown of a child; nothing if it is empty or missing.
    pub(super) fn markdown(&mut self, name: &str) -> Option<String> {
        let child = self.of.child(name)?;
        Some(self.markdown_in(child)).filter(|it| !it.is_empty())
    }

    /// The feedback of an answer.
    pub(super) fn feedback(&mut self, answer: &Element) -> Option<String> {
        let feedback = answer.child("feedback")?;
        Some(self.markdown_in(feedback)).filter(|it| !it.is_empty())
    }

    /// The text of a child, or of the `<text>` in it.
    pub(super) fn plain(&self, name: &str) -> Option<&'a str> {
        self.of.child(name).map(plain)
    }

    /// Whether a setting is on.
    pub(super) fn is_on(&self, name: &str) -> Option<bool> {
        let value = self.plain(name)?;
        Some(value == "1" || value.eq_ignore_ascii_case("true"))
    }
}

/// The text of an element, or of the `<text>` in it.
pub(super) fn plain(element: &Element) -> &str {
    let text = element.child("text").unwrap_or(element);
    text.text.trim()
}

/// Percent of the points that an answer is worth.
pub(super) fn fraction(answer: &Element) -> f64 {
    let fraction = answer
        .attribute("fraction")
        .and_then(|it| it.trim().parse::<f64>().ok());
    fraction.filter(|it| it.is_finite()).unwrap_or(0.0)
}
