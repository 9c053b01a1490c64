//! What each event of the parser means.

use super::document::{Link, PartKind, Table};
use super::html::{self, Html};
use super::inline::{InlineStyle, MAX_LINK};
use super::output::Reader;
use crate::diagnostics::Rule;
use crate::model::{Align, Callout, Container, Marker, Text};
use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use std::ops::Range;

/// More columns of a table are left out.
const MAX_COLUMNS: usize = 64;
/// More rows of a table are left out.
const MAX_ROWS: usize = 1000;
/// Longer summaries and labels are cut: each block inside carries them.
const MAX_LABEL: usize = 100;

impl Reader<'_, '_> {
    pub(super) fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => match (&mut self.code, &mut self.html) {
                (Some((_, code)), _) => code.push_str(&text),
                (None, Some(html)) => html.push_str(&text),
                (None, None) => {
                    self.inline_text(&text, &range);
                }
            },
            Event::Html(text) => match &mut self.html {
                Some(html) => html.push_str(&text),
                None => self.inline_text(&text, &range),
            },
            Event::InlineHtml(text) => match html::split(&text).as_slice() {
                [Html::Mark(mark)] => self.mark_in_line(*mark, &range),
                _ => {
                    self.check_html(&text, &range);
                    self.inline_text(&text, &range);
                }
            },
            Event::InlineMath(text) | Event::DisplayMath(text) => self.inline_text(&text, &range),
            Event::Code(text) => {
                self.saw(&range);
                self.inline_code.push(range);
                if !self.is_hidden() {
                    self.inline.code(&text);
                }
            }
            Event::FootnoteReference(label) => {
                let label = short(&label);
                self.saw(&range);
                if self.is_hidden() {
                    return;
                }
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
            Tag::Emphasis => self.inline.begin(InlineStyle::Emphasis),
            Tag::Strong => self.inline.begin(InlineStyle::Strong),
            Tag::Strikethrough => self.inline.begin(InlineStyle::Struck),
            Tag::Link { dest_url, .. } => self.begin_link(&dest_url, range),
            Tag::Image { .. } => {
                self.error(Rule::Image, &range, "images are not shown").hint(
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
                    CodeBlockKind::Fenced(_) => {
                        self.check_end(&range);
                        self.info(range.start)
                    }
                };
                self.code = Some((info, String::with_capacity(range.len())));
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
                self.open(kind.map_or(Container::Quote, |it| Container::Callout(callout(it))));
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
            TagEnd::Emphasis => self.inline.end(InlineStyle::Emphasis),
            TagEnd::Strong => self.inline.end(InlineStyle::Strong),
            TagEnd::Strikethrough => self.inline.end(InlineStyle::Struck),
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
                    self.check_heading(level, &text.plain(), id.as_deref(), &range);
                    self.emit(PartKind::Heading { level, text, id }, range);
                }
            }
            TagEnd::CodeBlock => {
                if let Some((info, code)) = self.code.take() {
                    self.check_width(&info, &code, &range);
                    if info.is_empty() {
                        self.check_indented(&code, &range);
                    }
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
        if !self.is_hidden() {
            self.inline.text(text);
        }
    }

    fn begin_link(&mut self, to: &str, range: Range<usize>) {
        self.saw(&range);
        self.inline.begin_link(to);
        if to.len() > MAX_LINK {
            self.error(
                Rule::AddressTooLong,
                &range,
                format!("an address may have {MAX_LINK} bytes"),
            )
            .hint("link to a shorter address");
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
                Rule::TableTooLarge,
                range,
                format!("a table may have {MAX_COLUMNS} columns; the rest is left out"),
            )
            .hint("divide the table");
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
            let columns = table.align.len();
            table.rows_seen += 1;
            if table.rows_seen <= MAX_ROWS {
                table.rows.push(row);
                if columns < MAX_COLUMNS {
                    self.check_row(columns, &range);
                }
            } else if table.rows_seen == MAX_ROWS + 1 {
                let message = format!("a table may have {MAX_ROWS} rows; the rest is left out");
                self.error(Rule::TableTooLarge, &range, message)
                    .hint("divide the table");
            }
        } else if let Some(table) = self.table.take() {
            self.emit(PartKind::Table(table), range);
        }
    }

    /// Takes a block of HTML apart.
    fn html_block(&mut self, html: &str, range: &Range<usize>) {
        let line = self.text.get(range.clone()).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default().len();
        let line = range.start..range.start + line;
        // Where the part that is looked at begins in the text.
        let mut at = range.start;
        let parts = html::split(html);
        let has_marks_at_text = self.check_marks_at_text(&parts, &line);
        for part in parts {
            match part {
                Html::Mark(mark) => self.mark_of_blocks(mark, range),
                Html::Open => {
                    self.open(Container::Details {
                        summary: "Details".to_owned(),
                        first: true,
                    });
                    self.details.push(line.clone());
                }
                Html::Summary(text) => match self.open.last_mut() {
                    Some(Container::Details {
                        summary,
                        first: true,
                    }) => *summary = short(text),
                    Some(_) | None => self.html_text(text, range, &mut at),
                },
                Html::Close => match self.open.last() {
                    Some(Container::Details { .. }) => {
                        self.open.pop();
                        self.details.pop();
                    }
                    Some(_) | None => {
                        self.warning(
                            Rule::DetailsCloseNothing,
                            range,
                            "`</details>` closes nothing here",
                        ).hint("remove it, or write the `<details><summary>Title</summary>` that it closes");
                    }
                },
                // It only ends a comment that is not closed.
                Html::Pause if self.document.unclosed.is_some() => {}
                Html::Pause if self.open.is_empty() => self.emit(PartKind::Pause, range.clone()),
                Html::Pause => {
                    let message = "a pause cannot be in a list, a quotation or a folded part";
                    self.error(Rule::PausePlace, range, message).hint(
                        "put `<!-- pause -->` on a line of its own, not indented, with empty lines around it",
                    );
                }
                Html::Text(text) if has_marks_at_text => {
                    self.emit(PartKind::Paragraph(Text::of(text)), range.clone());
                }
                Html::Text(text) => self.html_text(text, range, &mut at),
            }
        }
    }

    fn html_text(&mut self, text: &str, range: &Range<usize>, at: &mut usize) {
        let rest = self.text.get(*at..range.end).unwrap_or_default();
        let is_prose = !text.starts_with('<') && !text.contains("<!--");
        match rest.find(text) {
            Some(found) => {
                let start = *at + found;
                if is_prose {
                    self.check_text_at_tag(text, start, range);
                } else {
                    self.check_html_block(text, start);
                }
                *at = start + text.len();
            }
            // In a quotation or a list, its lines begin with other signs.
            None => *at = range.end,
        }
        self.emit(PartKind::Paragraph(Text::of(text)), range.clone());
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
