//! The little HTML that lessons may use: `<details>` with a `<summary>`, `<!-- pause -->`, and the marks around text for one front
//! end. All else is text.

use crate::model::FrontEnd;

/// A part of a block of HTML.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Html<'a> {
    /// `<details>`
    Open,
    /// The text between `<summary>` and `</summary>`.
    Summary(&'a str),
    /// `</details>`
    Close,
    /// `<!-- pause -->`
    Pause,
    /// A mark around text for one front end.
    Mark(Mark),
    /// Anything else, as written.
    Text(&'a str),
}

/// A mark around text for one front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// `<!-- screen -->`: what follows is for this front end only.
    Begin(FrontEnd),
    /// `<!-- /screen -->`
    End(FrontEnd),
}

/// Splits a block of HTML, in one pass.
pub(crate) fn split(html: &str) -> Vec<Html<'_>> {
    let mut parts = Vec::new();
    let mut rest = html;
    let mut text_from = 0;
    let at = |rest: &str| html.len() - rest.len();
    // If one search finds no closing tag, later ones will not.
    let mut has_end = true;
    while let Some(found) = rest.find('<') {
        let start = at(rest) + found;
        rest = html.get(start..).unwrap_or_default();
        let Some((part, after)) = tag(rest, &mut has_end) else {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        };
        push_text(&mut parts, html.get(text_from..start));
        parts.push(part);
        rest = after;
        text_from = at(rest);
    }
    push_text(&mut parts, html.get(text_from..));
    parts
}

/// The tag that `rest` starts with, and what follows it.
fn tag<'a>(rest: &'a str, has_end: &mut bool) -> Option<(Html<'a>, &'a str)> {
    if let Some(after) = strip(rest, "</details>") {
        return Some((Html::Close, after));
    }
    if let Some(after) = strip(rest, "<!--") {
        return comment(after.trim_start());
    }
    if let Some(after) = strip(rest, "<details") {
        let attributes = after.split('>').next()?;
        let is_tag = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
        let after = after.get(attributes.len() + 1..)?;
        return is_tag.then_some((Html::Open, after));
    }
    let inside = strip(rest, "<summary>")?;
    if !*has_end {
        return None;
    }
    let mut ends = inside.match_indices("</").map(|it| it.0);
    let is_end = |at: &usize| {
        inside
            .get(*at..)
            .is_some_and(|it| strip(it, "</summary>").is_some())
    };
    let Some(end) = ends.find(is_end) else {
        *has_end = false;
        return None;
    };
    let after = inside.get(end + "</summary>".len()..)?;
    Some((Html::Summary(inside.get(..end)?.trim()), after))
}

/// What the comment means whose words come next, if anything, and what follows it.
fn comment(words: &str) -> Option<(Html<'_>, &str)> {
    let marks = [
        ("pause", Html::Pause),
        ("screen", Html::Mark(Mark::Begin(FrontEnd::Screen))),
        ("/screen", Html::Mark(Mark::End(FrontEnd::Screen))),
        ("plain", Html::Mark(Mark::Begin(FrontEnd::Plain))),
        ("/plain", Html::Mark(Mark::End(FrontEnd::Plain))),
    ];
    marks.into_iter().find_map(|(word, part)| {
        let after = strip(words, word)?;
        Some((part, strip(after.trim_start(), "-->")?))
    })
}

/// What follows a prefix in any case.
fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    text.get(..prefix.len())
        .filter(|it| it.eq_ignore_ascii_case(prefix))
        .and_then(|_| text.get(prefix.len()..))
}

/// Keeps text that is more than space.
fn push_text<'a>(parts: &mut Vec<Html<'a>>, text: Option<&'a str>) {
    if let Some(text) = text.map(str::trim)
        && !text.is_empty()
    {
        parts.push(Html::Text(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_and_summaries_are_found_and_the_rest_is_text() {
        assert_eq!(
            split("<details open>\n<summary>Hint 1</summary>\nread <b>it</b>\n</details>\n"),
            [
                Html::Open,
                Html::Summary("Hint 1"),
                Html::Text("read <b>it</b>"),
                Html::Close,
            ],
        );
    }

    #[test]
    fn a_pause_is_found_and_other_comments_are_text() {
        assert_eq!(split("<!-- pause -->\n"), [Html::Pause]);
        assert_eq!(split("<!--PAUSE-->"), [Html::Pause]);
        for text in ["<!-- pause here -->", "<!-- pauses -->", "<!-- pause --"] {
            assert_eq!(split(text), [Html::Text(text)]);
        }
    }

    #[test]
    fn the_marks_of_both_front_ends_are_found() {
        assert_eq!(
            split("<!-- screen -->\n<!--/SCREEN-->\n<!-- plain -->"),
            [
                Html::Mark(Mark::Begin(FrontEnd::Screen)),
                Html::Mark(Mark::End(FrontEnd::Screen)),
                Html::Mark(Mark::Begin(FrontEnd::Plain)),
            ]
        );
        for text in ["<!-- / plain -->", "<!-- screens -->", "<!-- plain --"] {
            assert_eq!(split(text), [Html::Text(text)]);
        }
    }

    #[test]
    fn what_only_looks_like_them_is_text() {
        for text in [
            "<detailsx>",
            "<summary>never closed",
            "< details>",
            "<details",
        ] {
            assert_eq!(split(text), [Html::Text(text)]);
        }
    }
}
