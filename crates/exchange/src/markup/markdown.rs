//! Texts and blocks as GitHub's Markdown.
//!
//! Reading the result gives the same texts again, as far as Markdown can say them: a test holds that for the whole course.

use super::tree::{Item, Node, tree};
use warpup_course::{Align, Block, BlockKind, Callout, Container, LabId, Marker, Piece, Text};

/// How the parts that Markdown has no name for are written.
pub(crate) struct Markdown<'a> {
    /// A lab of the lesson.
    pub(crate) lab: &'a dyn Fn(&LabId) -> String,
    /// The address of a link.
    pub(crate) link: &'a dyn Fn(&str) -> String,
}

impl Markdown<'_> {
    /// The Markdown of some blocks, without a line feed at the end.
    pub(crate) fn blocks(&self, blocks: &[Block]) -> String {
        self.nodes(&tree(blocks))
    }

    /// The Markdown of one text. A line break is a backslash and a line feed.
    pub(crate) fn text(&self, text: &Text) -> String {
        text_with(text, self.link)
    }

    fn nodes(&self, nodes: &[Node<'_>]) -> String {
        let parts: Vec<String> = nodes.iter().map(|it| self.node(it)).collect();
        parts.join("\n\n")
    }

    fn node(&self, node: &Node<'_>) -> String {
        match node {
            Node::Leaf(kind) => self.leaf(kind),
            Node::List(items) => {
                let items: Vec<String> = items.iter().map(|it| self.item(it)).collect();
                items.join("\n")
            }
            Node::Within(container, inside) => self.within(container, inside),
        }
    }

    fn item(&self, item: &Item<'_>) -> String {
        let (marker, more) = match item.marker {
            Marker::Bullet => ("- ".to_owned(), ""),
            Marker::Task(true) => ("- ".to_owned(), "[x] "),
            Marker::Task(false) => ("- ".to_owned(), "[ ] "),
            Marker::Number(number) => (format!("{number}. "), ""),
        };
        let inside = format!("{more}{}", self.nodes(&item.inside));
        prefixed(&inside, &marker, &" ".repeat(marker.len()))
    }

    fn within(&self, container: &Container, inside: &[Node<'_>]) -> String {
        let inside = self.nodes(inside);
        match container {
            Container::Quote => prefixed(&inside, "> ", "> "),
            Container::Callout(kind) => {
                prefixed(&format!("[!{}]\n{inside}", name_of(*kind)), "> ", "> ")
            }
            Container::Footnote { label, .. } => {
                prefixed(&inside, &format!("[^{label}]: "), "    ")
            }
            Container::Details { summary, .. } => {
                let summary = super::escaped(summary);
                format!("<details><summary>{summary}</summary>\n\n{inside}\n\n</details>")
            }
            // Items are in lists.
            Container::Item { .. } => inside,
        }
    }

    fn leaf(&self, kind: &BlockKind) -> String {
        match kind {
            BlockKind::Heading { level, text } => {
                format!("{} {}", "#".repeat(usize::from(*level)), self.text(text))
            }
            BlockKind::Paragraph(text) => in_paragraph(&self.text(text)),
            BlockKind::Code { language, code } => fenced(language, code),
            BlockKind::Figure { alt, art } => {
                format!(
                    "{}\n\n*Figure: {}*",
                    fenced("text", art),
                    markdown_of_plain(alt)
                )
            }
            BlockKind::Table { align, head, rows } => self.table(align, head, rows),
            BlockKind::Lab(id) => (self.lab)(id),
            BlockKind::Rule => "---".to_owned(),
        }
    }

    fn table(&self, align: &[Align], head: &[Text], rows: &[Vec<Text>]) -> String {
        let cells = |row: &[Text]| {
            let cells: Vec<String> = row.iter().map(|it| self.cell(it)).collect();
            format!("| {} |", cells.join(" | "))
        };
        let rule: Vec<&str> = align
            .iter()
            .map(|it| match it {
                Align::Left => "---",
                Align::Center => ":---:",
                Align::Right => "---:",
            })
            .collect();
        let mut lines = vec![cells(head), format!("| {} |", rule.join(" | "))];
        lines.extend(rows.iter().map(|row| cells(row)));
        lines.join("\n")
    }

    /// A bar ends a cell, in code, too.
    fn cell(&self, text: &Text) -> String {
        self.text(text).replace("\\\n", " ").replace('|', "\\|")
    }
}

/// The Markdown of some blocks that are not in a lesson.
pub(crate) fn markdown_of_blocks(blocks: &[Block]) -> String {
    let lab = |id: &LabId| format!("*Lab: {}*", markdown_of_plain(id.as_str()));
    Markdown {
        lab: &lab,
        link: &str::to_owned,
    }
    .blocks(blocks)
}

/// The Markdown of one text on one line. A line break is a backslash and a line feed.
pub(crate) fn markdown_of_text(text: &Text) -> String {
    text_with(text, &str::to_owned)
}

fn text_with(text: &Text, link_to: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut pieces = text.pieces.as_slice();
    while let [piece, ..] = pieces {
        let linked = pieces.iter().take_while(|it| it.link == piece.link).count();
        let (group, rest) = pieces.split_at(linked.max(1));
        pieces = rest;
        let label = looks(group);
        let Some(link) = &piece.link else {
            out.push_str(&label);
            continue;
        };
        let address = link_to(link)
            .replace('\\', "\\\\")
            .replace(['<', '>', '\n'], "");
        let is_simple = !address.is_empty() && !address.contains([' ', '(', ')']);
        if is_simple {
            out.extend(["[", &label, "](", &address, ")"]);
        } else {
            out.extend(["[", &label, "](<", &address, ">)"]);
        }
    }
    out
}

/// The Markdown of plain text, which means nothing but itself.
pub(crate) fn markdown_of_plain(text: &str) -> String {
    escaped(text)
}

/// The looks of a piece, as delimiters from the outside to the inside.
fn delimiters(piece: &Piece) -> Vec<&'static str> {
    let looks = [
        (piece.struck, "~~"),
        (piece.strong, "**"),
        (piece.emphasis, "*"),
    ];
    let worn = looks.into_iter().filter(|(has, _)| *has);
    worn.map(|(_, delimiter)| delimiter).collect()
}

/// Pieces with their looks. A delimiter opens before text and closes behind it, so spaces go outside.
fn looks(pieces: &[Piece]) -> String {
    let mut out = String::new();
    let mut open: Vec<&str> = Vec::new();
    for piece in pieces {
        let wanted = if piece.text.trim().is_empty() && !piece.code {
            open.clone()
        } else {
            delimiters(piece)
        };
        let stay = open.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
        let spaces = out.len() - out.trim_end_matches(' ').len();
        let behind = if open.len() > stay {
            out.split_off(out.len() - spaces)
        } else {
            String::new()
        };
        while open.len() > stay {
            out.push_str(open.pop().unwrap_or_default());
        }
        out.push_str(&behind);
        let text = spelled(piece);
        let trimmed = text.trim_start_matches(' ');
        if wanted.len() > open.len() {
            out.push_str(&" ".repeat(text.len() - trimmed.len()));
            for delimiter in wanted.iter().skip(open.len()) {
                out.push_str(delimiter);
            }
            out.push_str(trimmed);
        } else {
            out.push_str(&text);
        }
        open = wanted;
    }
    let end = out.trim_end_matches(' ').len();
    let behind = if open.is_empty() {
        String::new()
    } else {
        out.split_off(end)
    };
    while let Some(delimiter) = open.pop() {
        out.push_str(delimiter);
    }
    out.push_str(&behind);
    out
}

/// One piece without its looks.
fn spelled(piece: &Piece) -> String {
    if piece.footnote {
        return format!("[^{}]", piece.text);
    }
    if piece.code {
        return code_span(&piece.text);
    }
    escaped(&piece.text).replace('\n', "\\\n")
}

/// Code in a line, between as many backticks as it takes.
fn code_span(code: &str) -> String {
    let ticks = "`".repeat(longest_run(code, '`') + 1);
    let is_padded = code.starts_with('`')
        || code.ends_with('`')
        || code.starts_with(' ') && code.ends_with(' ') && !code.trim().is_empty();
    let pad = if is_padded { " " } else { "" };
    format!("{ticks}{pad}{code}{pad}{ticks}")
}

fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for it in text.chars() {
        run = if it == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Text in which no character means anything in a line. Only what could mean something is escaped, so that it stays readable.
fn escaped(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_linked = text.contains("](") || text.contains("][") || text.contains("[^");
    let mut out = String::with_capacity(text.len());
    for (at, &it) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|it| letters.get(it)).copied();
        let after = letters.get(at + 1).copied();
        let is_space = |it: Option<char>| it.is_some_and(char::is_whitespace);
        let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        let means = match it {
            '\\' => after.is_none_or(|it| it.is_ascii_punctuation() || it == '\n'),
            '`' => true,
            '*' | '~' => !(is_space(before) && is_space(after)),
            '_' => !(is_word(before) && is_word(after)),
            '[' => is_linked || before.is_none(),
            ']' => is_linked,
            '<' => after.is_none_or(|it| it.is_ascii_alphabetic() || "/!?".contains(it)),
            '&' => after.is_none_or(|it| it.is_ascii_alphanumeric() || it == '#'),
            _ => false,
        };
        if means {
            out.push('\\');
        }
        out.push(it);
    }
    out
}

/// A line, or lines, as a paragraph: what begins it must not begin another block.
fn in_paragraph(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(begun).collect();
    lines.join("\n")
}

fn begun(line: &str) -> String {
    let digits = line.len()
        - line
            .trim_start_matches(|it: char| it.is_ascii_digit())
            .len();
    let (number, rest) = line.split_at(digits);
    if (1..=9).contains(&digits) && rest.starts_with(['.', ')']) {
        return format!("{number}\\{rest}");
    }
    let is_rule = |it: char| line.len() >= 3 && line.chars().all(|c| c == it || c == ' ');
    let begins = line.starts_with(['#', '>', '|', '+', '='])
        || line.starts_with("- ")
        || line == "-"
        || line.starts_with("* ")
        || line.starts_with("~~~")
        || is_rule('-')
        || line.starts_with("--");
    if begins {
        format!("\\{line}")
    } else {
        line.to_owned()
    }
}

/// A fenced block.
pub(crate) fn fenced(language: &str, code: &str) -> String {
    let fence = "`".repeat(longest_run(code, '`').max(2) + 1);
    let end = if code.is_empty() || code.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{fence}{language}\n{code}{end}{fence}")
}

/// A text with `first` before its first line and `rest` before the others, if they are not empty.
fn prefixed(text: &str, first: &str, rest: &str) -> String {
    let mut lines = Vec::new();
    for (at, line) in text.split('\n').enumerate() {
        let prefix = if at == 0 { first } else { rest };
        lines.push(format!("{prefix}{line}").trim_end().to_owned());
    }
    lines.join("\n")
}

fn name_of(callout: Callout) -> &'static str {
    match callout {
        Callout::Note => "NOTE",
        Callout::Tip => "TIP",
        Callout::Important => "IMPORTANT",
        Callout::Warning => "WARNING",
        Callout::Caution => "CAUTION",
    }
}
