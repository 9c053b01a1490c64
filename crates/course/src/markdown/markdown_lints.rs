//! What authors write from habit, reported where the reader comes across it: blocks without an end, wide lines, HTML.

use super::closing::{self, UnclosedBlock};
use super::fence_words::TICK_BEHIND_FENCE;
use super::habits;
use super::output::Reader;
use super::prose;
use super::table_rows;
use crate::diagnostics::Rule;
use crate::model::{Container, MAX_DEPTH};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;
use warpup_text::shown::Shown;

/// Languages of programs whose width is checked. rustfmt breaks Rust at 100 columns.
const PROGRAMS: [&str; 4] = ["python", "cuda", "c", "cpp"];
/// Columns of a program's line that are shown without a break.
const PROGRAM_COLUMNS: usize = 88;
/// Longer tags and lines are cut in a message.
const MAX_LABEL: usize = 100;

impl Reader<'_, '_> {
    /// Reports a mark in a paragraph that is shown as it is written.
    pub(super) fn check_habits(&mut self, range: &Range<usize>) {
        let start = range.start;
        let source = self.text.get(range.clone()).unwrap_or_default();
        let Some(found) = habits::habit(source, &self.inline.plain()) else {
            return;
        };
        let at = start + found.span.start..start + found.span.end;
        let line = self.text.get(..start).unwrap_or_default();
        let line = line.rsplit('\n').next().unwrap_or_default();
        let is_quote = line.contains('>') && line.chars().all(|it| "> ".contains(it));
        let new = found.new.filter(|_| is_quote);
        let new = new.map(|it| it.replace('\n', &format!("\n{line}")));
        // Shown as text, a page or a program is missing from the lesson.
        let said = if [Rule::HeadingForm, Rule::FenceForm].contains(&found.rule) {
            self.error(found.rule, &at, found.message)
        } else {
            self.warning(found.rule, &at, found.message)
        };
        said.advise((found.hint, new));
        self.document.lost_page |= found.rule == Rule::HeadingForm;
        self.document.lost_block |= found.rule == Rule::FenceForm;
        if found.message == TICK_BEHIND_FENCE {
            // What was meant to end the block begins one.
            let at = self.spot.span(&at).end;
            self.document.unclosed.get_or_insert(at);
        }
    }

    /// Reports a heading with an id that names no page.
    pub(super) fn check_heading(
        &mut self,
        level: u8,
        title: &str,
        id: Option<&str>,
        range: &Range<usize>,
    ) {
        let source = self.text.get(range.clone()).unwrap_or_default();
        let source = source.lines().next().unwrap_or_default();
        if !source.trim_start().starts_with('#') {
            let message = "the line under this text makes it a heading";
            let hint = format!(
                "write an empty line between the two, or `{} {title}` if it is a title",
                "#".repeat(level.into())
            );
            self.warning(Rule::HeadingForm, range, message).hint(hint);
        }
        let source = source.trim_start_matches(['#', ' ']);
        let written = id.is_none().then(|| habits::id_in_title(source)).flatten();
        let (message, hint) = match (written, id) {
            (Some(right), _) => (
                "the id of this heading is not read",
                format!("write `{right}`"),
            ),
            (None, Some(id)) if level > 2 => (
                "only `##` begins a page, so this id names nothing",
                format!("write `## {title} {{#{id}}}`, or leave the id out"),
            ),
            (None, _) => return,
        };
        self.document.lost_page = true;
        self.error(Rule::HeadingForm, range, message).hint(hint);
    }

    /// Reports a heading or a block in lines that begin with four spaces, which makes them code.
    pub(super) fn check_indented(&mut self, code: &str, range: &Range<usize>) {
        // In a list, more than four are left.
        let line = code.lines().next().unwrap_or_default().trim_start();
        let is_heading = line.starts_with("## ") && line.contains("{#");
        let is_fence = line.starts_with("```");
        if !is_heading && !is_fence {
            return;
        }
        self.document.lost_page = true;
        self.document.lost_block |= is_fence;
        let hint = format!("write this at the beginning of its line: {}", line.trim());
        self.error(
            Rule::HeadingForm,
            range,
            "four spaces in front of a line make it code",
        )
        .hint(hint);
    }

    /// Reports a fenced block that does not end.
    pub(super) fn check_end(&mut self, range: &Range<usize>) {
        let block = self.text.get(range.clone()).unwrap_or_default();
        let Some(unclosed) = closing::unclosed(block) else {
            return;
        };
        let line = block.lines().next().unwrap_or_default();
        let marked = range.start..range.start + line.len();
        let words = line.trim_start_matches(['`', '~']);
        let fence = line.strip_suffix(words).unwrap_or("```").to_owned();
        let message = match unclosed {
            UnclosedBlock::AtEnd => {
                "this block has no closing fence, so everything below belongs to it".to_owned()
            }
            UnclosedBlock::Before(next) => {
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

    /// Warns of a program with lines that break where it is shown: at the first one.
    pub(super) fn check_width(&mut self, info: &Range<usize>, code: &str, range: &Range<usize>) {
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

    /// Warns of a row with more cells than its table has columns.
    pub(super) fn check_row(&mut self, columns: usize, range: &Range<usize>) {
        let row = self.text.get(range.clone()).unwrap_or_default().trim_end();
        let cells = table_rows::cells(row);
        if cells <= columns {
            return;
        }
        let escaped = table_rows::with_pipes_of_code(row);
        let is_it = table_rows::cells(&escaped) == columns;
        let message = format!(
            "this row has {cells} cells, and its table {columns} columns: the rest is not shown"
        );
        let marked = range.start..range.start + row.len();
        self.warning(Rule::TableForm, &marked, message).advise((
            "write `\\|` for a `|` that begins no cell, also in code; else write more columns into the head"
                .to_owned(),
            is_it.then_some(escaped),
        ));
    }

    /// Warns of text in a block of HTML, which is no Markdown: it begins at this byte of the block.
    pub(super) fn check_text_at_tag(&mut self, text: &str, start: usize, block: &Range<usize>) {
        let before = self.text.get(block.start..start).unwrap_or_default();
        let after = self.text.get(start + text.len()..block.end);
        let after = after.unwrap_or_default();
        let lines = |gap: &str, is_end: bool| match (is_end, gap.contains('\n')) {
            (true, _) => "",
            (false, true) => "\n",
            (false, false) => "\n\n",
        };
        let (tags, rest) = (before.trim_end(), after.trim_start());
        let gap = before.get(tags.len()..).unwrap_or_default();
        let above = lines(gap, tags.is_empty());
        let gap = after.get(..after.len() - rest.len()).unwrap_or_default();
        let below = lines(gap, rest.is_empty());
        // In a list or a quotation, an empty line has its signs.
        let is_details = |it: &Container| matches!(it, Container::Details { .. });
        let is_plain = self.open.len() < MAX_DEPTH && self.open.iter().all(is_details);
        let marked = start..start + text.len();
        self.warning(
            Rule::DetailsText,
            &marked,
            "no empty line is between a tag and this text, so it is shown as it is written",
        )
        .advise((
            "write an empty line between the text and each tag above and below it".to_owned(),
            is_plain.then(|| format!("{above}{text}{below}")),
        ));
    }

    /// Reports HTML that is shown as it is written.
    pub(super) fn check_html(&mut self, html: &str, range: &Range<usize>) {
        if let Some(instead) = prose::instead_of(html) {
            let tag: String = html.chars().take(MAX_LABEL).collect();
            let tag = tag.lines().next().unwrap_or_default();
            let message = format!("this HTML is shown as it is written: {tag}");
            self.warning(Rule::HtmlShown, range, message).hint(instead);
        }
    }

    /// Reports what a block of HTML shows as it is written; it begins at this byte.
    pub(super) fn check_html_block(&mut self, text: &str, start: usize) {
        if let Some((before, comment)) = text.split_once("<!--")
            && !comment.contains("-->")
        {
            self.open_comment(comment, start + before.len());
            return;
        }
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
                "`<summary>` is not closed, so this part has no title and cannot be a hint",
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

    /// Reports a comment without an end, which begins at this byte; `comment` is what is behind `<!--`.
    fn open_comment(&mut self, comment: &str, start: usize) {
        let line = comment.lines().next().unwrap_or_default();
        let marked = start..start + "<!--".len() + line.len();
        let is_pause = line.trim_start().to_ascii_lowercase().starts_with("pause");
        self.error(
            Rule::CommentNotClosed,
            &marked,
            "this comment has no `-->`, so what follows belongs to it",
        )
        .hint(if is_pause {
            "write `<!-- pause -->`"
        } else {
            "write `-->` where the comment ends"
        });
        let at = self.spot.span(&marked).start;
        self.document.unclosed.get_or_insert(at);
    }
}
