//! Markdown as a flat list of parts.
//!
//! Events of pulldown-cmark come in, parts with their containers go out, in one pass and without
//! recursion: 65,536 nested quotations are a long list here, not a deep stack. What a fence or a heading
//! means to a lesson or a question is not known here.

mod document;
mod events;
mod output;

pub(super) use document::{Document, Link, Part, PartKind, Table};

use super::inline::Inline;
use super::report::Report;
use super::spot::Spot;
use super::{Container, Text};
use pulldown_cmark::{Options, Parser};
use std::ops::Range;

/// More events than this in one text are left out: about twenty times the longest lesson in use.
const MAX_EVENTS: usize = 200_000;
/// More columns of a table are left out.
const MAX_COLUMNS: usize = 64;
/// More rows of a table are left out.
const MAX_ROWS: usize = 1000;
/// Longer summaries and labels are cut: each block inside carries them.
const MAX_LABEL: usize = 100;
/// Reads a text that stands at `spot` of its file.
pub(super) fn read(text: &str, spot: &Spot, report: &mut Report) -> Document {
    let mut reader = Reader {
        text,
        spot,
        report,
        document: Document::default(),
        open: Vec::new(),
        lists: Vec::new(),
        inline: Inline::default(),
        inline_span: None,
        code: None,
        html: None,
        table: None,
        heading: None,
    };
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
            reader.error(&range, message).hint("split the lesson");
            break;
        }
        reader.event(event, range);
    }
    reader.flush();
    reader.close_details(text.len()..text.len());
    reader.document
}

/// Reads one line: only what stands inside a paragraph counts, so `1. x` is these four characters.
pub(super) fn read_line(text: &str, spot: &Spot, report: &mut Report) -> (Text, Vec<Link>) {
    // A full stop in front keeps every character behind it from opening a block. It stands for nothing
    // and is taken off again.
    let line = format!(".{}", text.trim_end().replace(['\n', '\r'], " "));
    let mut document = read(&line, &spot.one_before(), report);
    let mut text = match document.parts.pop().map(|it| it.kind) {
        Some(PartKind::Paragraph(text)) => text,
        Some(
            PartKind::Heading { .. } | PartKind::Fence { .. } | PartKind::Table(_) | PartKind::Rule,
        )
        | None => Text::default(),
    };
    if let Some(first) = text.pieces.first_mut() {
        first.text = first.text.strip_prefix('.').unwrap_or_default().to_owned();
    }
    text.pieces.retain(|it| !it.text.is_empty());
    (text, document.links)
}

/// The state between two events.
struct Reader<'r, 'a> {
    text: &'a str,
    spot: &'a Spot,
    report: &'r mut Report,
    document: Document,
    /// The containers that are open, however deep; only the first [`super::MAX_DEPTH`] of them are shown.
    open: Vec<Container>,
    /// For each open list the number of its next item.
    lists: Vec<Option<u64>>,
    inline: Inline,
    inline_span: Option<Range<usize>>,
    code: Option<(Range<usize>, String)>,
    html: Option<String>,
    table: Option<Table>,
    heading: Option<(u8, Option<String>)>,
}

/// A label that is short enough to be carried by every block inside.
fn short(label: &str) -> String {
    label.chars().take(MAX_LABEL).collect()
}
