//! Markdown as a flat list of parts.
//!
//! Events of pulldown-cmark come in, parts with their containers go out, in one pass and without
//! recursion: 65,536 nested quotations are a long list here, not a deep stack. What a fence or a heading
//! means to a lesson or a question is not known here.

use super::html::{self, Html};
use super::inline::{Inline, Look, MAX_LINK};
use super::report::{Hint, Report};
use super::spot::Spot;
use super::{Align, Callout, Container, MAX_DEPTH, Marker, Text};
use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd,
};
use std::ops::Range;

/// More events than this in one text are left out: about twenty times the longest lesson in use.
const MAX_EVENTS: usize = 200_000;
/// More columns of a table are left out.
const MAX_COLUMNS: usize = 64;
/// More rows of a table are left out.
const MAX_ROWS: usize = 1000;
/// Longer summaries and labels are cut: each block inside carries them.
const MAX_LABEL: usize = 100;

/// A text, read.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// The parts in order.
    pub(super) parts: Vec<Part>,
    /// Where it links to.
    pub(super) links: Vec<Link>,
    /// The footnotes it refers to: label, and index of the part.
    pub(super) references: Vec<(String, usize)>,
}

/// A link and where it stands in the file.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// As written.
    pub(super) to: String,
    /// Its bytes in the file.
    pub(super) span: Range<usize>,
}

/// One part.
#[derive(Debug)]
pub(super) struct Part {
    /// The containers around it, outermost first.
    pub(super) within: Vec<Container>,
    /// What it is.
    pub(super) kind: PartKind,
    /// Its bytes in the file.
    pub(super) span: Range<usize>,
}

/// What a part is.
#[derive(Debug)]
pub(super) enum PartKind {
    /// Running text.
    Paragraph(Text),
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        text: Text,
        /// `{#id}`
        id: Option<String>,
    },
    /// A code block.
    Fence {
        /// Where the words after the fence stand, in the text (not in the file).
        info: Range<usize>,
        /// The code.
        code: String,
    },
    /// A table.
    Table(Table),
    /// A horizontal rule.
    Rule,
}

/// A table; every row has as many cells as the head.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// How each column is aligned.
    pub(super) align: Vec<Align>,
    /// The head's cells.
    pub(super) head: Vec<Text>,
    /// The body's cells.
    pub(super) rows: Vec<Vec<Text>>,
    row: Vec<Text>,
    rows_seen: usize,
}

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
    /// The containers that are open, however deep; only the first [`MAX_DEPTH`] of them are shown.
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

impl Reader<'_, '_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => match (&mut self.code, &mut self.html) {
                (Some((_, code)), _) => code.push_str(&text),
                (None, Some(html)) => html.push_str(&text),
                (None, None) => {
                    self.saw(&range);
                    self.inline.text(&text);
                }
            },
            Event::Html(text) => match &mut self.html {
                Some(html) => html.push_str(&text),
                None => self.inline_text(&text, &range),
            },
            Event::InlineHtml(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.inline_text(&text, &range);
            }
            Event::Code(text) => {
                self.saw(&range);
                self.inline.code(&text);
            }
            Event::FootnoteReference(label) => {
                let label = short(&label);
                self.saw(&range);
                self.inline.footnote(&label);
                self.document
                    .references
                    .push((label, self.document.parts.len()));
            }
            Event::SoftBreak => self.inline_text(" ", &range),
            Event::HardBreak => self.inline_text("\n", &range),
            Event::Rule => {
                self.flush();
                self.emit(PartKind::Rule, range);
            }
            Event::TaskListMarker(done) => {
                if let Some(Container::Item { marker, .. }) = self.open.last_mut() {
                    *marker = Marker::Task(done);
                }
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis => self.inline.begin(Look::Emphasis),
            Tag::Strong => self.inline.begin(Look::Strong),
            Tag::Strikethrough => self.inline.begin(Look::Struck),
            Tag::Link { dest_url, .. } => self.begin_link(&dest_url, range),
            Tag::Image { .. } => {
                self.error(&range, "images are not shown").hint(
                    "draw it in a block ```text figure alt=\"…\"; the words of the image are shown as text",
                );
            }
            Tag::Table(align) => {
                self.flush();
                self.begin_table(&align, &range);
            }
            Tag::TableHead | Tag::TableRow | Tag::TableCell => {}
            Tag::Superscript
            | Tag::Subscript
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::DefinitionList
            | Tag::MetadataBlock(_)
            | Tag::Paragraph => self.flush(),
            Tag::Heading { level, id, .. } => {
                self.flush();
                let level = level as u8;
                if level <= HeadingLevel::H2 as u8
                    && self
                        .open
                        .iter()
                        .all(|it| matches!(it, Container::Details { .. }))
                {
                    self.close_details(range);
                }
                self.heading = Some((level, id.map(|it| it.to_string())));
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let info = match kind {
                    CodeBlockKind::Indented => range.start..range.start,
                    CodeBlockKind::Fenced(_) => self.info(range.start),
                };
                self.code = Some((info, String::new()));
            }
            Tag::HtmlBlock => {
                self.flush();
                self.html = Some(String::new());
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::BlockQuote(kind) => {
                self.open(kind.map_or(Container::Quote, |it| Container::Callout(callout(it))))
            }
            Tag::Item => {
                let marker = self.next_marker();
                self.open(Container::Item {
                    marker,
                    first: true,
                });
            }
            Tag::FootnoteDefinition(label) => {
                let label = short(&label);
                self.open(Container::Footnote { label, first: true });
            }
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Emphasis => self.inline.end(Look::Emphasis),
            TagEnd::Strong => self.inline.end(Look::Strong),
            TagEnd::Strikethrough => self.inline.end(Look::Struck),
            TagEnd::Link => self.inline.end_link(),
            TagEnd::Image => {}
            TagEnd::Paragraph
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => self.flush(),
            TagEnd::Heading(_) => {
                if let Some((level, id)) = self.heading.take() {
                    let text = self.take_text();
                    self.emit(PartKind::Heading { level, text, id }, range);
                }
            }
            TagEnd::CodeBlock => {
                if let Some((info, code)) = self.code.take() {
                    self.emit(PartKind::Fence { info, code }, range);
                }
            }
            TagEnd::HtmlBlock => {
                if let Some(html) = self.html.take() {
                    self.html_block(&html, &range);
                }
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => self.close(range),
            TagEnd::TableCell | TagEnd::TableRow | TagEnd::TableHead | TagEnd::Table => {
                self.end_in_table(tag, range);
            }
        }
    }

    fn inline_text(&mut self, text: &str, range: &Range<usize>) {
        self.saw(range);
        self.inline.text(text);
    }

    fn begin_link(&mut self, to: &str, range: Range<usize>) {
        self.saw(&range);
        self.inline.begin_link(to);
        if to.len() > MAX_LINK {
            self.error(&range, format!("an address may have {MAX_LINK} bytes"));
        }
        let span = self.spot.span(&range);
        self.document.links.push(Link {
            to: to.to_owned(),
            span,
        });
    }

    fn begin_table(&mut self, align: &[Alignment], range: &Range<usize>) {
        if align.len() > MAX_COLUMNS {
            self.error(
                range,
                format!("a table may have {MAX_COLUMNS} columns; the rest is left out"),
            );
        }
        let align = align.iter().take(MAX_COLUMNS).map(|it| match it {
            Alignment::None | Alignment::Left => Align::Left,
            Alignment::Center => Align::Center,
            Alignment::Right => Align::Right,
        });
        self.table = Some(Table {
            align: align.collect(),
            ..Table::default()
        });
    }

    fn end_in_table(&mut self, tag: TagEnd, range: Range<usize>) {
        let text = self.take_text();
        let Some(table) = &mut self.table else {
            return;
        };
        if tag == TagEnd::TableCell {
            if table.row.len() < table.align.len() {
                table.row.push(text);
            }
        } else if tag == TagEnd::TableHead {
            table.head = std::mem::take(&mut table.row);
        } else if tag == TagEnd::TableRow {
            let row = std::mem::take(&mut table.row);
            table.rows_seen += 1;
            if table.rows_seen <= MAX_ROWS {
                table.rows.push(row);
            } else if table.rows_seen == MAX_ROWS + 1 {
                let message = format!("a table may have {MAX_ROWS} rows; the rest is left out");
                self.error(&range, message);
            }
        } else if let Some(table) = self.table.take() {
            self.emit(PartKind::Table(table), range);
        }
    }

    /// Takes a block of HTML apart.
    fn html_block(&mut self, html: &str, range: &Range<usize>) {
        for part in html::split(html) {
            match part {
                Html::Open => self.open(Container::Details {
                    summary: "Details".to_owned(),
                    first: true,
                }),
                Html::Summary(text) => match self.open.last_mut() {
                    Some(Container::Details {
                        summary,
                        first: true,
                    }) => *summary = short(text),
                    Some(_) | None => self.html_text(text, range),
                },
                Html::Close => match self.open.last() {
                    Some(Container::Details { .. }) => {
                        self.open.pop();
                    }
                    Some(_) | None => {
                        self.warning(range, "`</details>` closes nothing here");
                    }
                },
                Html::Text(text) => self.html_text(text, range),
            }
        }
    }

    fn html_text(&mut self, text: &str, range: &Range<usize>) {
        self.emit(PartKind::Paragraph(Text::of(text)), range.clone());
    }
}

/// Opening, closing and putting out.
impl Reader<'_, '_> {
    fn open(&mut self, container: Container) {
        self.flush();
        self.open.push(container);
    }

    /// Closes the innermost container that markdown knows of.
    fn close(&mut self, range: Range<usize>) {
        self.flush();
        self.close_details(range.clone());
        if let Some(Container::Item { first: true, .. }) = self.open.last()
            && self.open.len() <= MAX_DEPTH
        {
            // An empty item still has a marker to show.
            self.emit(PartKind::Paragraph(Text::default()), range);
        }
        self.open.pop();
    }

    /// Closes parts that fold and were not closed by their author.
    fn close_details(&mut self, range: Range<usize>) {
        while let Some(Container::Details { .. }) = self.open.last() {
            self.open.pop();
            self.warning(&range, "`<details>` above is not closed")
                .hint("put `</details>` on a line of its own, with empty lines around it");
        }
    }

    /// Puts running text out that no tag ends, as in the items of a tight list.
    fn flush(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        let span = self.inline_span.take().unwrap_or_default();
        let text = self.inline.take();
        self.emit(PartKind::Paragraph(text), span);
    }

    fn take_text(&mut self) -> Text {
        self.inline_span = None;
        self.inline.take()
    }

    fn emit(&mut self, kind: PartKind, range: Range<usize>) {
        let within = self.open.iter().take(MAX_DEPTH).cloned().collect();
        for container in self.open.iter_mut().take(MAX_DEPTH) {
            match container {
                Container::Item { first, .. }
                | Container::Footnote { first, .. }
                | Container::Details { first, .. } => *first = false,
                Container::Quote | Container::Callout(_) => {}
            }
        }
        let span = self.spot.span(&range);
        self.document.parts.push(Part { within, kind, span });
    }

    fn next_marker(&mut self) -> Marker {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = Marker::Number(*number);
                *number = number.saturating_add(1);
                marker
            }
            Some(None) | None => Marker::Bullet,
        }
    }

    /// Widens the span of the running text.
    fn saw(&mut self, range: &Range<usize>) {
        match &mut self.inline_span {
            Some(span) => span.end = span.end.max(range.end),
            None => self.inline_span = Some(range.clone()),
        }
    }

    /// The words after a fence that starts at this byte.
    fn info(&self, start: usize) -> Range<usize> {
        let line = self.text.get(start..).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default();
        let words = line.trim_start().trim_start_matches(['`', '~']);
        let start = start + line.len() - words.len();
        start..start + words.trim_end().len()
    }

    fn error(&mut self, range: &Range<usize>, message: impl Into<String>) -> Hint<'_> {
        self.report.error(self.spot.span(range), message)
    }

    fn warning(&mut self, range: &Range<usize>, message: impl Into<String>) -> Hint<'_> {
        self.report.warning(self.spot.span(range), message)
    }
}

fn callout(kind: BlockQuoteKind) -> Callout {
    match kind {
        BlockQuoteKind::Note => Callout::Note,
        BlockQuoteKind::Tip => Callout::Tip,
        BlockQuoteKind::Important => Callout::Important,
        BlockQuoteKind::Warning => Callout::Warning,
        BlockQuoteKind::Caution => Callout::Caution,
    }
}

/// A label that is short enough to be carried by every block inside.
fn short(label: &str) -> String {
    label.chars().take(MAX_LABEL).collect()
}
