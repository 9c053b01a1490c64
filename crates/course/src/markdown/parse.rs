//! Markdown as a flat list of parts.
//!
//! Events of pulldown-cmark come in, parts with their containers go out, in one pass and without
//! recursion: 65,536 nested quotations are a long list here, not a deep stack. What a fence or a heading
//! means to a lesson or a question is not known here.

use super::document::{Document, Link, PartKind};
use super::front_ends::ReadIn;
use super::output::Reader;
use crate::diagnostics::{Report, Rule};
use crate::model::Text;
use crate::toml_walk::FileOffsets;
use pulldown_cmark::{Options, Parser};

/// More events than this in one text are left out: about twenty times the longest lesson in use.
const MAX_EVENTS: usize = 200_000;

/// Reads a text that is at `spot` of its file.
pub(crate) fn read(
    text: &str,
    spot: &FileOffsets,
    read_in: ReadIn,
    report: &mut Report,
) -> Document {
    let mut reader = Reader::new(text, spot, report);
    reader.read_in = read_in;
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_HEADING_ATTRIBUTES;
    for (count, (event, range)) in Parser::new_ext(text, options)
        .into_offset_iter()
        .enumerate()
    {
        if count >= MAX_EVENTS {
            let message = "there is too much in this text; the rest of it is left out";
            reader
                .error(Rule::TextTooLong, &range, message)
                .hint("split the lesson");
            break;
        }
        reader.event(event, range);
    }
    reader.flush();
    reader.close_details(text.len()..text.len());
    reader.end_block_marks();
    reader.document
}

/// Reads one line: only what belongs inside a paragraph counts, so `1. x` is these four characters.
pub(crate) fn read_line(text: &str, spot: &FileOffsets, report: &mut Report) -> (Text, Vec<Link>) {
    // A full stop in front keeps every character behind it from opening a block. It means nothing
    // and is taken off again.
    let line = format!(".{}", text.trim_end().replace(['\n', '\r'], " "));
    let mut document = read(&line, &spot.one_before(), ReadIn::Anywhere, report);
    let mut text = match document.parts.pop().map(|it| it.kind) {
        Some(PartKind::Paragraph(text)) => text,
        Some(
            PartKind::Heading { .. }
            | PartKind::Fence { .. }
            | PartKind::Table(_)
            | PartKind::Rule
            | PartKind::Pause,
        )
        | None => Text::default(),
    };
    if let Some(first) = text.pieces.first_mut() {
        first.text = first.text.strip_prefix('.').unwrap_or_default().to_owned();
    }
    text.pieces.retain(|it| !it.text.is_empty());
    (text, document.links)
}
