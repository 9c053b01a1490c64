//! Markdown as a quiz takes it: options and feedback on one line, and no images anywhere.

use crate::markup::markdown_of_plain;
use std::fmt::Write as _;

/// Markdown on one line. Lines of code become code in the line.
pub(super) fn on_one_line(markdown: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut in_code = false;
    for line in markdown.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
        } else if in_code && !line.is_empty() {
            words.push(format!("`{}`", line.replace('`', "'")));
        } else {
            // A backslash at the end of a line breaks it.
            words.push(line.strip_suffix('\\').unwrap_or(line).to_owned());
        }
    }
    words.retain(|it| !it.is_empty());
    words.join(" ")
}

/// Markdown with the words of its images in their place, and whether there was one.
pub(super) fn without_images(markdown: &str) -> (String, bool) {
    let mut out = String::new();
    let mut rest = markdown;
    let mut found = false;
    while let Some((before, after)) = rest.split_once("![") {
        let is_escaped = before.ends_with('\\');
        let image = after.split_once("](").and_then(|(alt, behind)| {
            let (_, behind) = behind.split_once(')')?;
            (!alt.contains(['[', ']', '\n'])).then_some((alt, behind))
        });
        out.push_str(before);
        match image {
            Some((alt, behind)) if !is_escaped => {
                found = true;
                match alt.trim() {
                    "" => out.push_str("(image)"),
                    alt => {
                        let _ = write!(out, "(image: {})", markdown_of_plain(alt));
                    }
                }
                rest = behind;
            }
            Some(_) | None => {
                out.push_str("![");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    (out, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_code_come_on_one_line() {
        let text = "First\\\nsecond.\n\nThird:\n\n```python\nx = 1\ny = `2`\n```\n";
        assert_eq!(on_one_line(text), "First second. Third: `x = 1` `y = '2'`");
    }

    #[test]
    fn images_leave_their_words() {
        let text = "See ![a *bus*](bus.png) and ![](x.png), not \\![this](y) nor ![this";
        let (text, found) = without_images(text);
        assert_eq!(
            text,
            "See (image: a \\*bus\\*) and (image), not \\![this](y) nor ![this"
        );
        assert!(found);
    }
}
