//! Texts and blocks as HTML that is well-formed XML, too.

use super::tree::{Item, Node, tree};
use crate::markup::joined;
use std::fmt::Write as _;
use warpup_course::{Align, Block, BlockKind, Callout, Container, LabId, Marker, Piece, Text};
use warpup_text::highlight::{self, CodeRole};

/// Which HTML is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// That of browsers.
    Web,
    /// That of QTI 2.1: no folded parts, no styles, no struck text.
    Qti,
}

/// How the parts that HTML has no name for are written.
pub(crate) struct Html<'a> {
    /// A lab of the lesson.
    pub(crate) lab: &'a dyn Fn(&LabId) -> String,
    /// The address of a link, and nothing for one that leads nowhere outside of the course.
    pub(crate) link: &'a dyn Fn(&str) -> Option<String>,
    /// Before the ids of footnotes, so that those of two pages differ.
    pub(crate) page: &'a str,
    /// Which HTML is meant.
    pub(crate) dialect: Dialect,
    /// How many levels headings are deeper than in the lesson.
    pub(crate) deeper: u8,
}

/// The HTML of some blocks that are not in a lesson.
pub(crate) fn html_of_blocks(blocks: &[Block], dialect: Dialect) -> String {
    let lab = |id: &LabId| format!("<p><em>Lab: {}</em></p>\n", escaped(id.as_str()));
    Html {
        lab: &lab,
        link: &outside,
        page: "",
        dialect,
        deeper: 0,
    }
    .blocks(blocks)
}

/// The HTML of one text.
pub(crate) fn html_of_text(text: &Text, dialect: Dialect) -> String {
    let lab = |_: &LabId| String::new();
    Html {
        lab: &lab,
        link: &outside,
        page: "",
        dialect,
        deeper: 0,
    }
    .text(text)
}

/// Only addresses that mean something outside of the course, and none that run a script.
fn outside(link: &str) -> Option<String> {
    is_outside(link).then(|| link.to_owned())
}

/// Whether a link leads to a page or a mailbox somewhere.
pub(crate) fn is_outside(link: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|it| {
        link.get(..it.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(it))
    })
}

/// Text in which no character means anything to HTML or XML, nor hides.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(it),
        }
    }
    visible(&out)
}

/// HTML in which no character hides. Control characters, which XML forbids, become visible, and so do those that turn the direction
/// of what follows, as in the terminal: a name must not rewrite the row that it is in. No tag has such a character.
pub(crate) fn visible(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    for it in html.chars() {
        match it {
            '\n' | '\t' => out.push(it),
            // The pictures of control characters follow these in the same order.
            '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(it))),
            '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "&lt;U+{:04X}&gt;", u32::from(it));
            }
            _ => out.push(it),
        }
    }
    out
}

/// Code whose words have a class each for their colour.
pub(crate) fn coloured(language: &str, code: &str) -> String {
    let Some(lines) = highlight::lines(language, code) else {
        return escaped(code);
    };
    let mut out = String::with_capacity(2 * code.len());
    for line in lines {
        for (text, role) in line {
            let text = escaped(text);
            let class = match role {
                CodeRole::Plain => {
                    out.push_str(&text);
                    continue;
                }
                CodeRole::Keyword => "keyword",
                CodeRole::Literal => "literal",
                CodeRole::Comment => "comment",
            };
            // Writing to a string cannot fail.
            let _ = write!(out, "<span class=\"{class}\">{text}</span>");
        }
        out.push('\n');
    }
    if !code.ends_with('\n') {
        out.pop();
    }
    out
}

impl Html<'_> {
    /// The HTML of some blocks; each ends with a line feed.
    pub(crate) fn blocks(&self, blocks: &[Block]) -> String {
        self.nodes(&tree(blocks))
    }

    /// The HTML of one text.
    pub(crate) fn text(&self, text: &Text) -> String {
        let mut out = String::new();
        let mut pieces = text.pieces.as_slice();
        while let [piece, ..] = pieces {
            let linked = pieces.iter().take_while(|it| it.link == piece.link).count();
            let (group, rest) = pieces.split_at(linked.max(1));
            pieces = rest;
            let emphasised = group.chunk_by(|a, b| a.emphasis && b.emphasis);
            let label: String = emphasised.map(|it| self.pieces(it)).collect();
            match piece.link.as_deref().and_then(self.link) {
                Some(address) => {
                    let _ = write!(out, "<a href=\"{}\">{label}</a>", escaped(&address));
                }
                None => out.push_str(&label),
            }
        }
        out
    }

    /// One piece, or several in one emphasis.
    fn pieces(&self, pieces: &[Piece]) -> String {
        if let [piece] = pieces {
            return self.piece(piece);
        }
        let pieces = pieces.iter().map(|it| Piece {
            emphasis: false,
            ..it.clone()
        });
        let inside: String = pieces.map(|it| self.piece(&it)).collect();
        format!("<em>{inside}</em>")
    }

    fn piece(&self, piece: &Piece) -> String {
        let mut out = escaped(&piece.text);
        if piece.footnote {
            let note = self.note(&piece.text);
            return format!("<sup><a href=\"#{note}\">{out}</a></sup>");
        }
        let looks = [
            (piece.code, "code"),
            (piece.emphasis, "em"),
            (piece.strong, "strong"),
            (piece.struck, "del"),
        ];
        if !piece.code {
            out = out.replace('\n', "<br/>\n");
        }
        for (has, tag) in looks {
            if has && tag == "del" && self.dialect == Dialect::Qti {
                out = format!("<span class=\"struck\">{out}</span>");
            } else if has {
                out = format!("<{tag}>{out}</{tag}>");
            }
        }
        out
    }

    fn note(&self, label: &str) -> String {
        escaped(&format!(
            "note-{}-{}",
            self.page,
            label.replace(char::is_whitespace, "-")
        ))
    }

    fn nodes(&self, nodes: &[Node<'_>]) -> String {
        nodes.iter().map(|it| self.node(it)).collect()
    }

    fn node(&self, node: &Node<'_>) -> String {
        match node {
            Node::Leaf(kind) => self.leaf(kind),
            Node::List(items) => self.list(items),
            Node::Within(container, inside) => self.within(container, &self.nodes(inside)),
        }
    }

    fn list(&self, items: &[Item<'_>]) -> String {
        let inside: String = items.iter().map(|it| self.item(it)).collect();
        match items.first().map(|it| it.marker) {
            Some(Marker::Number(first)) if first != 1 && self.dialect == Dialect::Web => {
                format!("<ol start=\"{first}\">\n{inside}</ol>\n")
            }
            Some(Marker::Number(_)) => format!("<ol>\n{inside}</ol>\n"),
            Some(Marker::Bullet | Marker::Task(_)) | None => format!("<ul>\n{inside}</ul>\n"),
        }
    }

    fn item(&self, item: &Item<'_>) -> String {
        let mark = match item.marker {
            Marker::Task(true) => "☑ ",
            Marker::Task(false) => "☐ ",
            Marker::Bullet | Marker::Number(_) => "",
        };
        // A single paragraph needs no tags, as in a tight list.
        let inside = match item.inside.as_slice() {
            [Node::Leaf(BlockKind::Paragraph(text)), rest @ ..] => {
                let rest = self.nodes(rest);
                let end = if rest.is_empty() { "" } else { "\n" };
                format!("{}{end}{rest}", self.text(text))
            }
            inside => self.nodes(inside),
        };
        format!("<li>{mark}{inside}</li>\n")
    }

    fn within(&self, container: &Container, inside: &str) -> String {
        match container {
            Container::Quote => format!("<blockquote>\n{inside}</blockquote>\n"),
            Container::Callout(kind) => {
                let (class, name) = match kind {
                    Callout::Note => ("note", "Note"),
                    Callout::Tip => ("tip", "Tip"),
                    Callout::Important => ("important", "Important"),
                    Callout::Warning => ("warning", "Warning"),
                    Callout::Caution => ("caution", "Caution"),
                };
                format!(
                    "<blockquote class=\"{class}\">\n<p><strong>{name}</strong></p>\n{inside}</blockquote>\n"
                )
            }
            Container::Footnote { label, .. } => format!(
                "<div class=\"footnote\" id=\"{}\">\n<p><sup>{}</sup></p>\n{inside}</div>\n",
                self.note(label),
                escaped(label)
            ),
            Container::Details { summary, .. } if self.dialect == Dialect::Qti => format!(
                "<div class=\"details\">\n<p><strong>{}</strong></p>\n{inside}</div>\n",
                escaped(summary)
            ),
            Container::Details { summary, .. } => format!(
                "<details>\n<summary>{}</summary>\n{inside}</details>\n",
                escaped(summary)
            ),
            // Items are in lists.
            Container::Item { .. } => inside.to_owned(),
        }
    }

    fn leaf(&self, kind: &BlockKind) -> String {
        match kind {
            BlockKind::Heading { level, text } => {
                let level = level.saturating_add(self.deeper).min(6);
                format!(
                    "<h{level}>{}</h{level}>
",
                    self.text(text)
                )
            }
            BlockKind::Paragraph(text) => format!("<p>{}</p>\n", self.text(text)),
            BlockKind::Code { language, code } => {
                let code = match self.dialect {
                    Dialect::Web => coloured(language, code),
                    Dialect::Qti => escaped(code),
                };
                format!("<pre><code>{code}</code></pre>\n")
            }
            BlockKind::Figure { alt, art } => {
                // A picture to somebody who cannot see it, and its words for everybody.
                let (alt, art) = (escaped(alt), escaped(art));
                match self.dialect {
                    Dialect::Web => format!(
                        "<figure>\n<pre role=\"img\" aria-label=\"{alt}\">{art}</pre>\n<figcaption>{alt}</figcaption>\n</figure>\n"
                    ),
                    Dialect::Qti => format!(
                        "<div class=\"figure\">\n<pre>{art}</pre>\n<p><em>Figure: {alt}</em></p>\n</div>\n"
                    ),
                }
            }
            BlockKind::Table { align, head, rows } => self.table(align, head, rows),
            BlockKind::Lab(id) => (self.lab)(id),
            BlockKind::Rule => "<hr/>\n".to_owned(),
        }
    }

    fn table(&self, align: &[Align], head: &[Text], rows: &[Vec<Text>]) -> String {
        let row = |cells: &[Text], tag: &str| {
            let cells = cells.iter().zip(align);
            let cells = joined(cells.map(|(text, align)| {
                let style = match align {
                    _ if self.dialect == Dialect::Qti => "",
                    Align::Left => "",
                    Align::Center => " style=\"text-align: center\"",
                    Align::Right => " style=\"text-align: right\"",
                };
                format!("<{tag}{style}>{}</{tag}>", self.text(text))
            }));
            format!("<tr>{cells}</tr>\n")
        };
        let body: String = rows.iter().map(|it| row(it, "td")).collect();
        let head = row(head, "th");
        format!("<table>\n<thead>\n{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_hides_or_turns_what_is_beside_it() {
        let name = "ab\u{202e}<b>\u{2066}\u{1b}&";
        assert_eq!(
            escaped(name),
            "ab&lt;U+202E&gt;&lt;b&gt;&lt;U+2066&gt;␛&amp;"
        );
    }
}
