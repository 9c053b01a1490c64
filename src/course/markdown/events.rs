//! What each event of the parser means.

use super::closing::{self, Unclosed};
use super::document::{Link, PartKind, Table};
use super::html::{self, Html};
use super::inline::{Look, MAX_LINK};
use super::output::Reader;
use super::prose;
use crate::course::diagnostics::Rule;
use crate::course::model::{Align, Callout, Container, Marker, Text};
use crate::shown::Shown;
use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Languages of programs whose width is checked. rustfmt breaks Rust at 100 columns.
const PROGRAMS: [&str; 4] = ["python", "cuda", "c", "cpp"];
/// Columns of a program's line that are shown without a break.
const PROGRAM_COLUMNS: usize = 88;
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
                    self.saw(&range);
                    self.inline.text(&text);
                }
            },
            Event::Html(text) => match &mut self.html {
                Some(html) => html.push_str(&text),
                None => self.inline_text(&text, &range),
            },
            Event::InlineHtml(text) => {
                self.check_html(&text, &range);
                self.inline_text(&text, &range);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.inline_text(&text, &range),
            Event::Code(text) => {
                self.saw(&range);
                self.inline_code.push(range);
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
                    self.check_width(&info, &code, &range);
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

    /// Reports a fenced block that does not end.
    fn check_end(&mut self, range: &Range<usize>) {
        let block = self.text.get(range.clone()).unwrap_or_default();
        let Some(unclosed) = closing::unclosed(block) else {
            return;
        };
        let line = block.lines().next().unwrap_or_default();
        let marked = range.start..range.start + line.len();
        let words = line.trim_start_matches(['`', '~']);
        let fence = line.strip_suffix(words).unwrap_or("```").to_owned();
        let message = match unclosed {
            Unclosed::AtEnd => {
                "this block has no closing fence, so everything below belongs to it".to_owned()
            }
            Unclosed::Before(next) => {
                let next: String = next.chars().take(MAX_LABEL).collect();
                format!("this block has no closing fence before the next one begins: {next}")
            }
        };
        self.error(Rule::FenceNotClosed, &marked, message)
            .hint(format!(
                "write {fence} on a line of its own where the block ends"
            ));
        let at = self.spot.span(&marked).start;
        self.document.unclosed.get_or_insert(at);
    }

    fn inline_text(&mut self, text: &str, range: &Range<usize>) {
        self.saw(range);
        self.inline.text(text);
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
            table.rows_seen += 1;
            if table.rows_seen <= MAX_ROWS {
                table.rows.push(row);
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
        for part in html::split(html) {
            match part {
                Html::Open => {
                    self.open(Container::Details {
                        summary: "Details".to_owned(),
                        first: true,
                    });
                    let line = self.text.get(range.start..).unwrap_or_default();
                    let line = line.lines().next().unwrap_or_default();
                    self.details.push(range.start..range.start + line.len());
                }
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
                Html::Pause if self.open.is_empty() => self.emit(PartKind::Pause, range.clone()),
                Html::Pause => {
                    let message = "a pause cannot be in a list, a quotation or a folded part";
                    self.error(Rule::PausePlace, range, message).hint(
                        "put `<!-- pause -->` on a line of its own, not indented, with empty lines around it",
                    );
                }
                Html::Text(text) => self.html_text(text, range),
            }
        }
    }

    /// Warns of a program with lines that break where it is shown: at the first one.
    fn check_width(&mut self, info: &Range<usize>, code: &str, range: &Range<usize>) {
        let words = self.text.get(info.clone()).unwrap_or_default();
        let language = words.split_whitespace().next().unwrap_or_default();
        if !PROGRAMS.contains(&language) || words.contains(" check=") {
            return;
        }
        let width = |line: &str| Shown::one_line(line).as_str().width();
        let mut wide = (0..).zip(code.lines().map(width));
        let mut wide = wide.by_ref().filter(|(_, it)| *it > PROGRAM_COLUMNS);
        let Some((number, columns)) = wide.next() else {
            return;
        };
        let more = match wide.count() {
            0 => String::new(),
            1 => ", and so is another one".to_owned(),
            more => format!(", and so are {more} others"),
        };
        let block = self.text.get(range.clone()).unwrap_or_default();
        let before = block.split_inclusive('\n').take(number + 1);
        let start = range.start + before.map(str::len).sum::<usize>();
        let line = self.text.get(start..).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let message =
            format!("this line is {columns} columns wide{more}; {PROGRAM_COLUMNS} do not break");
        self.warning(
            Rule::LineTooWide,
            &(start + indent..start + line.len()),
            message,
        )
        .hint("break it inside of brackets, or give a part of it a name");
    }

    /// Reports HTML that is shown as it is written.
    fn check_html(&mut self, html: &str, range: &Range<usize>) {
        if let Some(instead) = prose::instead_of(html) {
            let tag: String = html.chars().take(MAX_LABEL).collect();
            let tag = tag.lines().next().unwrap_or_default();
            let message = format!("this HTML is shown as it is written: {tag}");
            self.warning(Rule::HtmlShown, range, message).hint(instead);
        }
    }

    /// Reports what a block of HTML shows as it is written, at its place in the block.
    fn check_html_block(&mut self, text: &str, range: &Range<usize>) {
        let block = self.text.get(range.clone()).unwrap_or_default();
        let Some(at) = block.find(text) else {
            return;
        };
        let start = range.start + at;
        let lower = text.to_ascii_lowercase();
        if let Some(at) = lower.find("<summary") {
            let end = lower.get(at..).and_then(|it| it.find('\n'));
            let end = end.map_or(text.len(), |it| at + it);
            let marked = start + at..start + end;
            let title = text.get(at..end).unwrap_or_default();
            let title = title.split_once('>').map_or("", |it| it.1).trim();
            let title = title.split('<').next().unwrap_or_default().trim();
            self.warning(
                Rule::SummaryNotClosed,
                &marked,
                "`<summary>` is not closed, so this part has no title, and a hint is none",
            )
            .hint(format!(
                "write `<summary>{title}</summary>`, and an empty line under it"
            ));
            return;
        }
        let Some(at) = text.find('<') else {
            return;
        };
        let tag = text.get(at..).unwrap_or_default();
        let end = tag.find('>').map_or(tag.len(), |it| it + 1);
        let tag = tag.get(..end).unwrap_or_default();
        self.check_html(tag, &(start + at..start + at + tag.len()));
    }

    fn html_text(&mut self, text: &str, range: &Range<usize>) {
        self.check_html_block(text, range);
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
