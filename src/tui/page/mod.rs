//! Blocks of a page laid out on lines of a given width.
//!
//! Layout is done once for each page and width, never while drawing, and only as far down as somebody
//! has looked, so that a page of ten thousand lines opens and scrolls like one of ten. Nothing here
//! knows about scrolling.

pub(super) mod highlight;
mod table;
mod wrap;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::ink;
use super::theme::{Role, Theme};
use crate::course::{Block, BlockKind, Callout, Container, LabId, Marker, Piece, Text};

pub(crate) use wrap::{flow, hard, wrap};

/// Text wider than this is tiring to read.
pub(crate) const MAX_WIDTH: u16 = 84;

/// Fewer columns than this are not shared with containers: what is nested is flattened instead.
const MIN_WIDTH: usize = 16;

/// What the page says about a lab that stands on it.
#[derive(Debug)]
pub(crate) struct LabCard {
    /// Its title.
    pub(crate) title: String,
    /// Its state, a symbol and a word.
    pub(crate) state: Span<'static>,
    /// The learner's program.
    pub(crate) source: String,
}

/// Lays blocks out that hold no lab, such as a question's prompt.
pub(crate) fn prose(blocks: &[Block], width: u16, theme: Theme) -> Vec<Line<'static>> {
    Layout::new(width, theme).more(blocks, usize::MAX, &|_| None)
}

/// One text, wrapped.
pub(crate) fn text(text: &Text, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let spans = spans(text, theme, &mut Vec::new());
    wrap(&spans, usize::from(width))
}

/// A page that is being laid out.
#[derive(Debug)]
pub(crate) struct Layout {
    width: usize,
    theme: Theme,
    links: Vec<String>,
    /// Lines that were not taken yet.
    lines: Vec<Line<'static>>,
    /// How many were taken.
    taken: usize,
    /// How many blocks are laid out.
    blocks: usize,
    /// Each lab among them, and the line where it begins.
    pub(crate) labs: Vec<(LabId, usize)>,
}

/// What stands in front of a block's first line and of the others; both are equally wide.
struct Prefix {
    first: Vec<Span<'static>>,
    rest: Vec<Span<'static>>,
    width: usize,
}

impl Layout {
    /// A layout that has not begun.
    pub(crate) fn new(width: u16, theme: Theme) -> Self {
        Self {
            width: usize::from(width).max(1),
            theme,
            links: Vec::new(),
            lines: Vec::new(),
            taken: 0,
            blocks: 0,
            labs: Vec::new(),
        }
    }

    /// Whether all blocks are laid out.
    pub(crate) fn is_complete(&self, blocks: &[Block]) -> bool {
        self.blocks >= blocks.len()
    }

    /// Goes on until at least this many lines are laid out in all, or there is nothing left; gives the
    /// new ones. `blocks` are the same each time; `card` describes the labs among them.
    pub(crate) fn more(
        &mut self,
        blocks: &[Block],
        until: usize,
        card: &dyn Fn(&LabId) -> Option<LabCard>,
    ) -> Vec<Line<'static>> {
        while self.taken + self.lines.len() < until {
            let Some(block) = blocks.get(self.blocks) else {
                break;
            };
            let before = self.blocks.checked_sub(1).and_then(|it| blocks.get(it));
            self.gap(before, block);
            self.block(before, block, card);
            self.blocks += 1;
            if self.is_complete(blocks) {
                self.list_links();
            }
        }
        self.taken += self.lines.len();
        std::mem::take(&mut self.lines)
    }

    /// An empty line between two blocks, except between the items of a list.
    fn gap(&mut self, before: Option<&Block>, block: &Block) {
        let Some(before) = before else { return };
        let in_item = |it: &Block| matches!(it.within.last(), Some(Container::Item { .. }));
        let starts = matches!(
            block.within.last(),
            Some(Container::Item { first: true, .. })
        );
        if in_item(before) && in_item(block) && starts {
            return;
        }
        let shared = before
            .within
            .iter()
            .zip(&block.within)
            .take_while(|(one, other)| is_same(one, other))
            .count();
        let containers = block.within.get(..shared).unwrap_or_default();
        let prefix = self.prefix(containers);
        self.lines.push(Line::from(prefix.rest));
    }

    fn block(
        &mut self,
        before: Option<&Block>,
        block: &Block,
        card: &dyn Fn(&LabId) -> Option<LabCard>,
    ) {
        self.open_containers(before, block);
        let prefix = self.prefix(&block.within);
        let width = self.width.saturating_sub(prefix.width).max(1);
        let lines = match &block.kind {
            BlockKind::Heading { level, text } => self.heading(*level, text, width),
            BlockKind::Paragraph(text) => {
                let spans = spans(text, self.theme, &mut self.links);
                wrap(&spans, width)
            }
            BlockKind::Code { language, code } => indented(
                &highlight::code(language, code, self.theme),
                width,
                self.theme,
            ),
            BlockKind::Figure { alt, art } => self.figure(alt, art, width),
            BlockKind::Table { align, head, rows } => {
                let table = table::Table { align, head, rows };
                table::layout(&table, width, self.theme, &mut self.links)
            }
            BlockKind::Lab(id) => {
                let line = self.taken + self.lines.len();
                self.labs.push((id.clone(), line));
                self.lab(card(id), width)
            }
            BlockKind::Rule => vec![ink::line(
                &"─".repeat(width.min(24)),
                self.theme.style(Role::Border),
            )],
        };
        for (row, line) in lines.into_iter().enumerate() {
            let front = if row == 0 {
                &prefix.first
            } else {
                &prefix.rest
            };
            let mut spans = front.clone();
            spans.extend(line.spans);
            self.lines.push(Line::from(spans));
        }
    }

    /// Head lines of callouts and folds that begin with this block.
    fn open_containers(&mut self, before: Option<&Block>, block: &Block) {
        for (depth, container) in block.within.iter().enumerate() {
            let went_on = before
                .and_then(|it| it.within.get(depth))
                .is_some_and(|it| is_same(it, container));
            let head = match container {
                Container::Callout(kind) if !went_on => {
                    let (word, role) = callout(*kind);
                    ink::span(word, self.theme.style(role))
                }
                Container::Details { summary, first } if *first => {
                    ink::span(&format!("▾ {summary}"), self.theme.style(Role::Strong))
                }
                Container::Callout(_)
                | Container::Details { .. }
                | Container::Quote
                | Container::Item { .. }
                | Container::Footnote { .. } => continue,
            };
            let inside = block.within.get(..=depth).unwrap_or_default();
            let mut spans = match container {
                Container::Details { .. } => {
                    self.prefix(block.within.get(..depth).unwrap_or_default())
                        .rest
                }
                Container::Callout(_)
                | Container::Quote
                | Container::Item { .. }
                | Container::Footnote { .. } => self.prefix(inside).rest,
            };
            spans.push(head);
            self.lines.push(Line::from(spans));
        }
    }

    fn prefix(&self, within: &[Container]) -> Prefix {
        let mut prefix = Prefix {
            first: Vec::new(),
            rest: Vec::new(),
            width: 0,
        };
        for container in within {
            let (first, rest) = self.mark(container);
            let added = first.width();
            if prefix.width + added + MIN_WIDTH > self.width {
                break;
            }
            prefix.width += added;
            prefix.first.push(first);
            prefix.rest.push(rest);
        }
        prefix
    }

    /// What one container puts in front of the first line and of the others.
    fn mark(&self, container: &Container) -> (Span<'static>, Span<'static>) {
        let dim = self.theme.style(Role::Dim);
        let hanging = |mark: &str, first: bool| {
            let blank = " ".repeat(ink::span(mark, dim).width());
            let shown = if first { mark } else { &blank };
            (ink::span(shown, dim), ink::span(&blank, dim))
        };
        let bar = |role| {
            let bar = ink::span("│ ", self.theme.style(role));
            (bar.clone(), bar)
        };
        match container {
            Container::Quote => bar(Role::Dim),
            Container::Callout(kind) => bar(callout(*kind).1),
            Container::Item { marker, first } => {
                let mark = match marker {
                    Marker::Bullet => "• ".to_owned(),
                    Marker::Number(number) => format!("{number}. "),
                    Marker::Task(true) => "[x] ".to_owned(),
                    Marker::Task(false) => "[ ] ".to_owned(),
                };
                hanging(&mark, *first)
            }
            Container::Footnote { label, first } => hanging(&format!("[{label}] "), *first),
            Container::Details { .. } => hanging("  ", true),
        }
    }

    fn heading(&mut self, level: u8, text: &Text, width: usize) -> Vec<Line<'static>> {
        let role = if level <= 3 {
            Role::Heading
        } else {
            Role::Strong
        };
        let style = self.theme.style(role);
        let spans: Vec<_> = spans(text, self.theme, &mut self.links)
            .into_iter()
            .map(|it| it.patch_style(style))
            .collect();
        wrap(&spans, width)
    }

    fn figure(&self, alt: &str, art: &str, width: usize) -> Vec<Line<'static>> {
        let lines = ink::lines(art, self.theme.style(Role::Text));
        if lines.iter().all(|it| it.width() <= width) {
            return lines;
        }
        let said = format!("[drawing] {alt}");
        wrap(&[ink::span(&said, self.theme.style(Role::Emphasis))], width)
    }

    fn lab(&self, card: Option<LabCard>, width: usize) -> Vec<Line<'static>> {
        let theme = self.theme;
        let Some(card) = card else {
            return vec![ink::line("[lab could not be read]", theme.style(Role::Bad))];
        };
        let mut lines = vec![Line::from(vec![
            ink::span("▶ ", theme.style(Role::Key)),
            ink::span(&card.title, theme.style(Role::Strong)),
            ink::span("  ", theme.style(Role::Dim)),
            card.state,
        ])];
        let bar = ink::span("│ ", theme.style(Role::Key));
        for line in highlight::code("python", &card.source, theme) {
            for part in hard(&line, width.saturating_sub(2), theme) {
                let mut spans = vec![bar.clone()];
                spans.extend(part.spans);
                lines.push(Line::from(spans));
            }
        }
        lines.push(Line::from(vec![
            ink::span("└ ", theme.style(Role::Key)),
            ink::span("r run   e edit   Enter open", theme.style(Role::Dim)),
        ]));
        lines
    }

    /// The addresses of the page's links, under it.
    fn list_links(&mut self) {
        if self.links.is_empty() {
            return;
        }
        let dim = self.theme.style(Role::Dim);
        self.lines.push(Line::default());
        for (number, link) in std::mem::take(&mut self.links).iter().enumerate() {
            let spans = [ink::span(&format!("[{}] {link}", number + 1), dim)];
            self.lines.extend(wrap(&spans, self.width));
        }
    }
}

/// Whether a block stands in the same container as the one before it.
fn is_same(one: &Container, other: &Container) -> bool {
    match other {
        Container::Item { first, .. }
        | Container::Footnote { first, .. }
        | Container::Details { first, .. } => {
            !first && std::mem::discriminant(one) == std::mem::discriminant(other)
        }
        Container::Quote | Container::Callout(_) => one == other,
    }
}

fn callout(kind: Callout) -> (&'static str, Role) {
    match kind {
        Callout::Note => ("NOTE", Role::Key),
        Callout::Tip => ("TIP", Role::Good),
        Callout::Important => ("IMPORTANT", Role::Keyword),
        Callout::Warning => ("WARNING", Role::Warn),
        Callout::Caution => ("CAUTION", Role::Bad),
    }
}

/// Code, two columns in.
fn indented(lines: &[Line<'static>], width: usize, theme: Theme) -> Vec<Line<'static>> {
    let mut indented = Vec::with_capacity(lines.len());
    for line in lines {
        for part in hard(line, width.saturating_sub(2), theme) {
            let mut spans = vec![ink::span("  ", Style::new())];
            spans.extend(part.spans);
            indented.push(Line::from(spans));
        }
    }
    indented
}

/// The pieces of a text as spans; addresses are gathered in `links` and numbered.
fn spans(text: &Text, theme: Theme, links: &mut Vec<String>) -> Vec<Span<'static>> {
    let mut spans = Vec::with_capacity(text.pieces.len());
    for piece in &text.pieces {
        if piece.text == "\n" {
            // The wrapper breaks at an empty span.
            spans.push(ink::span("", Style::new()));
            continue;
        }
        if piece.footnote {
            spans.push(ink::span(
                &format!("[{}]", piece.text),
                theme.style(Role::Dim),
            ));
            continue;
        }
        spans.push(ink::span(&piece.text, style_of(piece, theme)));
        if let Some(link) = &piece.link {
            let known = links.iter().position(|it| it == link);
            let number = known.unwrap_or_else(|| {
                links.push(link.clone());
                links.len() - 1
            });
            spans.push(ink::span(
                &format!("[{}]", number + 1),
                theme.style(Role::Dim),
            ));
        }
    }
    spans
}

fn style_of(piece: &Piece, theme: Theme) -> Style {
    let mut style = Style::new();
    for (on, role) in [
        (piece.code, Role::Code),
        (piece.strong, Role::Strong),
        (piece.emphasis, Role::Emphasis),
        (piece.link.is_some(), Role::Link),
    ] {
        if on {
            style = style.patch(theme.style(role));
        }
    }
    if piece.struck {
        style = style.crossed_out();
    }
    style
}

#[cfg(test)]
mod tests;
