//! Blocks of a page laid out on lines of a given width.
//!
//! Layout is done once for each page and width, never while drawing, and only as far down as the learner
//! has scrolled, so that a page of ten thousand lines opens like one of ten. Nothing here
//! knows about scrolling.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::folding::{BlockVisibility, Folding};
use super::spans::{Marks, spans};
use super::wrap::{paragraph, prefixed, wrap, wrap_code};
use super::{highlight, table};
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_course::block_prefix::frame;
use warpup_course::{Block, BlockKind, Container, LabId, Text};

/// What a page shows of a lab.
#[derive(Debug)]
pub(crate) struct LabCard {
    pub(crate) title: String,
    /// Its state, a symbol and a word.
    pub(crate) state: Span<'static>,
    /// Whether it has passed, so that reading goes on after it.
    pub(crate) has_passed: bool,
    /// The learner's program.
    pub(crate) source: String,
}

/// Lays out blocks without labs, such as a question's prompt.
pub(crate) fn prose(blocks: &[Block], width: u16, theme: Theme) -> Vec<Line<'static>> {
    PageLayout::new(width, theme).more(blocks, usize::MAX, &|_| None)
}

/// The line with the summary of a part that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The position of its first block on the page.
    pub(crate) block: usize,
    /// How many containers are around it.
    pub(crate) depth: usize,
    pub(crate) line: usize,
    pub(crate) is_open: bool,
}

/// The same with all folded parts closed, for a place that opens none.
pub(crate) fn folded_prose(blocks: &[Block], width: u16, theme: Theme) -> Vec<Line<'static>> {
    let folding = Folding::new(blocks, |_| false);
    let mut layout = PageLayout::new(width, theme).folded(folding);
    layout.more(blocks, usize::MAX, &|_| None)
}

/// A page that is laid out from the top, as far as needed.
#[derive(Debug)]
pub(crate) struct PageLayout {
    width: usize,
    theme: Theme,
    /// The addresses of the links so far, in the order of their numbers.
    pub(crate) links: Vec<String>,
    /// Lines that `more` has not returned yet.
    lines: Vec<Line<'static>>,
    /// How many lines `more` has returned.
    taken: usize,
    blocks: usize,
    /// The first line of each block so far.
    pub(crate) starts: Vec<usize>,
    /// Each lab so far, and its first line.
    pub(crate) labs: Vec<(LabId, usize)>,
    /// The parts so far that can be folded, where they are not inside of a closed one.
    pub(crate) summaries: Vec<Summary>,
    folding: Folding,
}

impl PageLayout {
    pub(crate) fn new(width: u16, theme: Theme) -> Self {
        Self {
            width: usize::from(width).max(1),
            theme,
            links: Vec::new(),
            lines: Vec::new(),
            taken: 0,
            blocks: 0,
            starts: Vec::new(),
            labs: Vec::new(),
            summaries: Vec::new(),
            folding: Folding::default(),
        }
    }

    /// The same for a page with these folded parts.
    pub(crate) fn folded(self, folding: Folding) -> Self {
        Self { folding, ..self }
    }

    /// Whether all blocks are laid out.
    pub(crate) fn is_complete(&self, blocks: &[Block]) -> bool {
        self.blocks >= blocks.len()
    }

    /// Continues until `until` lines are laid out in all, or no block is left. Returns the new lines. Pass the same
    /// `blocks` each time; `card` describes the labs among them.
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
            self.starts.push(self.taken + self.lines.len());
            let before = self.blocks.checked_sub(1).and_then(|it| blocks.get(it));
            self.block(before, block, card);
            self.blocks += 1;
            if self.is_complete(blocks) {
                self.list_links();
            }
        }
        self.taken += self.lines.len();
        std::mem::take(&mut self.lines)
    }

    fn block(
        &mut self,
        before: Option<&Block>,
        block: &Block,
        card: &dyn Fn(&LabId) -> Option<LabCard>,
    ) {
        let sight = self.folding.sight(self.blocks);
        let within = match sight {
            BlockVisibility::Hidden => return,
            BlockVisibility::Summary(depth) => block.within.get(..=depth).unwrap_or_default(),
            BlockVisibility::Whole => block.within.as_slice(),
        };
        let before = before.map(|it| it.within.as_slice());
        let mut marks = Marks::new(self.width, self.theme);
        let mut depth = 0;
        let frame = frame(before, within, |it| {
            let is_closed = sight == BlockVisibility::Summary(depth);
            depth += 1;
            marks.mark(it, is_closed)
        });
        self.lines.extend(frame.gap.into_iter().map(Line::from));
        self.titles(within, frame.titles, sight);
        if sight != BlockVisibility::Whole {
            return;
        }
        let used: usize = frame.rest.iter().map(Span::width).sum();
        let width = self.width.saturating_sub(used).max(1);
        let lines = self.kind(&block.kind, width, card);
        self.lines
            .extend(prefixed(lines, &frame.first, &frame.rest));
    }

    /// The titles of the containers that begin here, the innermost of those in `within` that have one.
    fn titles(
        &mut self,
        within: &[Container],
        titles: Vec<Vec<Span<'static>>>,
        sight: BlockVisibility,
    ) {
        let with_title = within.iter().enumerate().filter(|(_, it)| match it {
            Container::Callout(_) | Container::Details { .. } => true,
            Container::Quote | Container::Item { .. } | Container::Footnote { .. } => false,
        });
        let depths: Vec<_> = with_title.map(|it| it.0).collect();
        let skipped = depths.len().saturating_sub(titles.len());
        for (depth, title) in depths.into_iter().skip(skipped).zip(titles) {
            if self.folding.has(self.blocks, depth) {
                self.summaries.push(Summary {
                    block: self.blocks,
                    depth,
                    line: self.taken + self.lines.len(),
                    is_open: sight != BlockVisibility::Summary(depth),
                });
            }
            let lines = self.title(title);
            self.lines.extend(lines);
        }
    }

    /// A title behind the marks in front of it; what is too long for a line goes on below its words.
    fn title(&self, mut spans: Vec<Span<'static>>) -> Vec<Line<'static>> {
        let all: usize = spans.iter().map(Span::width).sum();
        if all <= self.width {
            return vec![Line::from(spans)];
        }
        let Some(words) = spans.pop() else {
            return Vec::new();
        };
        let marks = all - words.width();
        let lines = wrap(&[words], self.width.saturating_sub(marks + 2).max(1));
        let blank = styled::span(&" ".repeat(marks + 2), Style::new());
        prefixed(lines, &spans, &[blank]).collect()
    }

    fn kind(
        &mut self,
        kind: &BlockKind,
        width: usize,
        card: &dyn Fn(&LabId) -> Option<LabCard>,
    ) -> Vec<Line<'static>> {
        let theme = self.theme;
        match kind {
            BlockKind::Heading { level, text } => self.heading(*level, text, width),
            BlockKind::Paragraph(text) => wrap(&spans(text, theme, &mut self.links), width),
            BlockKind::Code { language, code } => {
                let lines = highlight::code(language, code, theme);
                let indent = [styled::span("  ", Style::new())];
                let lines = wrap_code(&lines, width.saturating_sub(2), theme);
                prefixed(lines, &indent, &indent).collect()
            }
            BlockKind::Figure { alt, art } => self.figure(alt, art, width),
            BlockKind::Table { align, head, rows } => {
                let table = table::Table { align, head, rows };
                table::layout(&table, width, theme, &mut self.links)
            }
            BlockKind::Lab(id) => {
                let line = self.taken + self.lines.len();
                self.labs.push((id.clone(), line));
                self.lab(card(id), width)
            }
            BlockKind::Rule => vec![theme.line(&"─".repeat(width.min(24)), Role::Border)],
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
        let lines = styled::lines(art, self.theme.style(Role::Text));
        if lines.iter().all(|it| it.width() <= width) {
            return lines;
        }
        let said = format!("[drawing] {alt}");
        paragraph(&said, self.theme.style(Role::Emphasis), width)
    }

    fn lab(&self, card: Option<LabCard>, width: usize) -> Vec<Line<'static>> {
        let theme = self.theme;
        let Some(card) = card else {
            return vec![theme.line("[lab could not be read]", Role::Bad)];
        };
        let mut lines = vec![Line::from(vec![
            theme.span("┌ ", Role::Key),
            theme.span(&card.title, Role::Strong),
            theme.span("  ", Role::Dim),
            card.state,
        ])];
        let keys = if card.has_passed {
            "r run   e edit"
        } else {
            "r run   e edit   Enter open"
        };
        let bar = [theme.span("│ ", Role::Key)];
        let code = highlight::code("python", &card.source, theme);
        let code = wrap_code(&code, width.saturating_sub(2), theme);
        lines.extend(prefixed(code, &bar, &bar));
        lines.push(Line::from(vec![
            theme.span("└ ", Role::Key),
            theme.span(keys, Role::Dim),
        ]));
        lines
    }

    /// The numbered addresses of the page's links that lead out of the course. Those inside it say in the text where they
    /// lead.
    fn list_links(&mut self) {
        let is_outside =
            |it: &(usize, &String)| it.1.contains("://") || it.1.starts_with("mailto:");
        let mut outside = self.links.iter().enumerate().filter(is_outside).peekable();
        if outside.peek().is_none() {
            return;
        }
        let dim = self.theme.style(Role::Dim);
        self.lines.push(Line::default());
        for (number, link) in outside {
            let spans = [styled::span(&format!("[{}] {link}", number + 1), dim)];
            self.lines.extend(wrap(&spans, self.width));
        }
    }
}
