//! Blocks from the tags and texts of HTML.

use super::tokens::{Tag, Token};
use crate::markup::html::is_outside;
use std::collections::BTreeSet;
use warpup_course::{Align, Block, BlockKind, Container, MAX_DEPTH, Marker, Piece, Text};

/// What a line feed in the text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineFeeds {
    /// A space, as in HTML.
    Joined,
    /// A line break, as in Moodle's format of its own.
    Kept,
}

/// The state between two tags.
pub(super) struct Reader {
    lines: LineFeeds,
    blocks: Vec<Block>,
    lost: BTreeSet<&'static str>,
    /// The containers that are open, by the tag that opened each.
    open: Vec<(&'static str, Container)>,
    /// For each open list the number of its next item.
    lists: Vec<Option<u64>>,
    text: Text,
    look: Piece,
    /// What is raised or lowered, and the tag that said so.
    script: Option<(&'static str, String)>,
    code: Option<(String, String)>,
    table: Option<Vec<Vec<Text>>>,
}

impl Reader {
    pub(super) fn new(lines: LineFeeds) -> Self {
        Self {
            lines,
            blocks: Vec::new(),
            lost: BTreeSet::new(),
            open: Vec::new(),
            lists: Vec::new(),
            text: Text::default(),
            look: Piece::default(),
            script: None,
            code: None,
            table: None,
        }
    }

    pub(super) fn finish(mut self) -> (Vec<Block>, BTreeSet<&'static str>) {
        self.end_script();
        self.end_code();
        self.end_table();
        self.flush();
        (self.blocks, self.lost)
    }

    pub(super) fn token(&mut self, token: Token) {
        match token {
            Token::Text(text) => self.text(&text),
            Token::Open(tag) => self.open(tag),
            Token::Close(name) => self.close(&name),
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, code)) = &mut self.code {
            code.push_str(text);
            return;
        }
        if let Some((_, script)) = &mut self.script {
            script.push_str(text);
            return;
        }
        if text.contains("\\(") || text.contains("\\[") || text.contains("$$") {
            self.lost.insert("formulas");
        }
        let keeps = self.lines == LineFeeds::Kept;
        for letter in text.chars() {
            match letter {
                '\n' if keeps => self.line_break(),
                it if it.is_whitespace() => {
                    let last = self
                        .text
                        .pieces
                        .last()
                        .and_then(|it| it.text.chars().next_back());
                    if last.is_some_and(|it| !it.is_whitespace()) {
                        self.push(" ");
                    }
                }
                it => self.push(it.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// The second one in a row ends the paragraph.
    fn line_break(&mut self) {
        let last = self
            .text
            .pieces
            .last()
            .map(|it| it.text.trim_end_matches(' '));
        if last.is_some_and(|it| it.ends_with('\n')) {
            self.flush();
        } else if last.is_some() {
            self.push("\n");
        }
    }

    fn push(&mut self, text: &str) {
        let is_same = |it: &&mut Piece| {
            (it.strong, it.emphasis, it.code, it.struck)
                == (
                    self.look.strong,
                    self.look.emphasis,
                    self.look.code,
                    self.look.struck,
                )
                && it.link == self.look.link
        };
        match self.text.pieces.last_mut().filter(is_same) {
            Some(last) => last.text.push_str(text),
            None => self.text.pieces.push(Piece {
                text: text.to_owned(),
                ..self.look.clone()
            }),
        }
    }

    fn open(&mut self, tag: Tag) {
        if self.code.is_some() {
            if let Some((language, _)) = &mut self.code
                && let Some(class) = &tag.class
            {
                let named = class
                    .split_whitespace()
                    .find_map(|it| it.strip_prefix("language-"));
                named.unwrap_or_default().clone_into(language);
            } else if tag.name == "br" {
                self.text("\n");
            }
            return;
        }
        match tag.name.as_str() {
            "b" | "strong" => self.look.strong = true,
            "i" | "em" | "cite" | "dfn" => self.look.emphasis = true,
            "s" | "del" | "strike" => self.look.struck = true,
            "code" | "tt" | "kbd" | "samp" | "var" => self.look.code = true,
            "a" => self.look.link = tag.href.filter(|it| is_outside(it)),
            "sup" => self.script = Some(("sup", String::new())),
            "sub" => self.script = Some(("sub", String::new())),
            "br" => self.line_break(),
            "hr" => {
                self.flush();
                self.emit(BlockKind::Rule);
            }
            "img" => {
                self.lost.insert("images");
                let alt = tag.alt.filter(|it| !it.trim().is_empty());
                let said = alt.map_or("(image)".to_owned(), |it| format!("(image: {})", it.trim()));
                self.text(&said);
            }
            "audio" | "video" | "iframe" | "object" | "embed" | "svg" | "canvas" => {
                self.lost.insert("embedded media");
            }
            "math" => {
                self.lost.insert("formulas");
            }
            "pre" => {
                self.flush();
                self.code = Some((String::new(), String::new()));
            }
            "ul" | "ol" => {
                self.flush();
                self.lists.push((tag.name == "ol").then_some(1));
            }
            "li" => self.item(),
            "blockquote" => self.container("blockquote", Container::Quote),
            "table" if self.table.is_none() => {
                self.flush();
                self.table = Some(Vec::new());
            }
            "tr" => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            name => {
                if is_block(name) && self.table.is_none() {
                    self.flush();
                }
            }
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "pre" => self.end_code(),
            _ if self.code.is_some() => {}
            "b" | "strong" => self.look.strong = false,
            "i" | "em" | "cite" | "dfn" => self.look.emphasis = false,
            "s" | "del" | "strike" => self.look.struck = false,
            "code" | "tt" | "kbd" | "samp" | "var" => self.look.code = false,
            "a" => self.look.link = None,
            "sup" | "sub" => self.end_script(),
            "td" | "th" => {
                let text = self.take();
                if let Some(row) = self.table.as_mut().and_then(|it| it.last_mut()) {
                    row.push(text);
                }
            }
            "table" => self.end_table(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(name),
            "ul" | "ol" => {
                self.flush();
                self.end_container("li");
                self.lists.pop();
            }
            "li" => self.end_container("li"),
            "blockquote" => self.end_container("blockquote"),
            name => {
                if is_block(name) && self.table.is_none() {
                    self.flush();
                }
            }
        }
    }

    fn heading(&mut self, name: &str) {
        let text = self.take();
        let level = name.bytes().last().map_or(3, |it| it.saturating_sub(b'0'));
        if !text.pieces.is_empty() {
            self.emit(BlockKind::Heading {
                level: level.clamp(3, 6),
                text,
            });
        }
    }

    fn item(&mut self) {
        // The end of an item may be left out, but not that of the list inside it.
        let depth = self.open.iter().filter(|(tag, _)| *tag == "li").count();
        if depth >= self.lists.len().max(1) {
            self.end_container("li");
        }
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                Marker::Number(*number - 1)
            }
            Some(None) | None => Marker::Bullet,
        };
        self.container(
            "li",
            Container::Item {
                marker,
                first: true,
            },
        );
    }

    fn container(&mut self, tag: &'static str, container: Container) {
        self.flush();
        if self.open.len() < MAX_DEPTH {
            self.open.push((tag, container));
        }
    }

    fn end_container(&mut self, tag: &str) {
        self.flush();
        if let Some(at) = self.open.iter().rposition(|(of, _)| *of == tag) {
            self.open.truncate(at);
        }
    }

    fn end_script(&mut self) {
        let Some((tag, text)) = self.script.take() else {
            return;
        };
        let (sign, plain, small) = match tag {
            "sup" => ('^', "0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"),
            _ => ('_', "0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"),
        };
        let of = |it: char| {
            let at = plain.chars().position(|known| known == it)?;
            small.chars().nth(at)
        };
        let text = text.trim();
        let script: Option<String> = text.chars().map(of).collect();
        let written = script.unwrap_or_else(|| format!("{sign}{text}"));
        self.text(&written);
    }

    fn end_code(&mut self) {
        if let Some((language, code)) = self.code.take() {
            let code = code.strip_prefix('\n').unwrap_or(&code);
            let code = format!("{}\n", code.trim_end());
            self.emit(BlockKind::Code { language, code });
        }
    }

    fn end_table(&mut self) {
        let Some(rows) = self.table.take() else {
            return;
        };
        let mut rows = rows.into_iter().filter(|it| !it.is_empty());
        let Some(head) = rows.next() else {
            return;
        };
        let columns = head.len();
        let rows = rows.map(|mut row| {
            row.resize(columns, Text::default());
            row
        });
        let rows = rows.collect();
        self.emit(BlockKind::Table {
            align: vec![Align::Left; columns],
            head,
            rows,
        });
    }

    /// The running text so far, without spaces at its ends.
    fn take(&mut self) -> Text {
        let mut text = std::mem::take(&mut self.text);
        if let Some(first) = text.pieces.first_mut() {
            first.text = first.text.trim_start().to_owned();
        }
        if let Some(last) = text.pieces.last_mut() {
            last.text = last.text.trim_end().to_owned();
        }
        text.pieces.retain(|it| !it.text.is_empty());
        text
    }

    fn flush(&mut self) {
        if self.table.is_some() {
            return;
        }
        let text = self.take();
        if !text.pieces.is_empty() {
            self.emit(BlockKind::Paragraph(text));
        }
    }

    fn emit(&mut self, kind: BlockKind) {
        let within = self.open.iter().map(|(_, it)| it.clone()).collect();
        for (_, container) in &mut self.open {
            if let Container::Item { first, .. } = container {
                *first = false;
            }
        }
        self.blocks.push(Block {
            within,
            kind,
            span: 0..0,
        });
    }
}

/// Whether what is in a tag is on lines of its own.
fn is_block(name: &str) -> bool {
    const BLOCKS: [&str; 20] = [
        "p",
        "div",
        "section",
        "article",
        "header",
        "footer",
        "center",
        "address",
        "form",
        "fieldset",
        "dl",
        "dt",
        "dd",
        "figure",
        "figcaption",
        "details",
        "summary",
        "body",
        "html",
        "main",
    ];
    let is_heading = matches!(name.as_bytes(), [b'h', b'1'..=b'6']);
    is_heading || BLOCKS.contains(&name)
}
