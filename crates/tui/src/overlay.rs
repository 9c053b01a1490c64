//! Overlays: what is drawn over a screen, such as the help, a question, the palette.

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Padding};

use super::consent::Consent;
use super::glossary::Glossary;
use super::hit_list::HitList;
use super::hyperlink::{self, Hyperlink};
use super::keymap::{Bound, Context};
use super::palette::Palette;
use super::scroll::Scroll;
use super::search_line::SearchLine;
use super::session::{Pane, Session};
use super::theme::{Role, Theme};
use super::{page, styled};

/// Columns for the keys in the help.
const KEYS: usize = 22;

/// What the help says of the mouse.
const MOUSE: &str = "The wheel scrolls. A click chooses a lesson, an option, a tab or a place in the program, opens a link \
                     or a lab, and presses a key of the footer. While you edit a program, dragging selects, a double click \
                     takes the word, and a third click the line. Elsewhere hold Shift to select text, as your terminal does it.";

/// What the help of the map says of its bars.
const BARS: &str = "A lesson has a box for each lab and one for its quiz, at most ten; ▰ is done, ▱ is not yet. At the top, each \
                    box is a lesson.";

/// What the help says of the panes of a lab.
const PANES: &str = "‹ and › beside a name: there are more, and the key for the next pane goes on to them. F2, F5, F6, \
                     F7 and F8 do the same while you read, edit and wait for a run.";

/// What is drawn over a screen.
#[derive(Debug)]
pub(super) enum Overlay {
    Help(Help),
    Confirm(Confirm),
    /// Whether labs that somebody else wrote may run.
    Consent(Consent),
    /// The words to search for.
    Search(Box<SearchLine>),
    /// Where they are.
    Hits(Box<HitList>),
    Palette(Box<Palette>),
    /// What words on the screen mean.
    Words(Glossary),
    /// An address outside of the course.
    Address(Address),
}

impl Overlay {
    /// Takes a key without an action, such as a letter.
    pub(super) fn key(&mut self, key: KeyEvent) {
        match self {
            Self::Search(line) => line.key(key),
            Self::Palette(palette) => palette.key(key),
            Self::Help(_)
            | Self::Hits(_)
            | Self::Confirm(_)
            | Self::Consent(_)
            | Self::Address(_)
            | Self::Words(_) => {}
        }
    }

    /// Takes pasted text.
    pub(super) fn paste(&mut self, text: &str) {
        match self {
            Self::Search(line) => line.paste(text),
            Self::Palette(palette) => palette.paste(text),
            Self::Help(_)
            | Self::Hits(_)
            | Self::Confirm(_)
            | Self::Consent(_)
            | Self::Address(_)
            | Self::Words(_) => {}
        }
    }
}

/// A dialog that asks yes or no.
#[derive(Debug)]
pub(crate) struct Confirm {
    pub(crate) question: String,
    pub(crate) on_yes: OnConfirm,
}

/// What a yes does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnConfirm {
    /// End the app.
    Quit,
    /// Show the solution, which counts as giving up.
    ShowSolution,
    /// Restore the starter program.
    RestoreStarter,
    /// Hand the quiz in with open questions.
    HandIn,
}

impl Confirm {
    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        let width = body.width.saturating_sub(4).clamp(1, 60);
        let mut lines = page::paragraph(&self.question, theme.style(Role::Strong), width);
        lines.push(Line::default());
        lines.push(Line::from(vec![
            theme.span("y", Role::Key),
            styled::span(" yes    ", Style::new()),
            theme.span("n", Role::Key),
            styled::span(" no", Style::new()),
        ]));
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let area = Rect {
            x: body.x + body.width.saturating_sub(width + 4) / 2,
            // At the bottom: what the question is about is above it.
            y: body
                .bottom()
                .saturating_sub(height.saturating_add(2))
                .max(body.y),
            width: width + 4,
            height: height.saturating_add(2),
        }
        .intersection(body);
        let block = Block::bordered()
            .border_style(theme.style(Role::Border))
            .padding(Padding::horizontal(1));
        let inside = block.inner(area);
        frame.render_widget(Clear, area);
        frame.render_widget(block, area);
        styled::put_all(frame, inside, &lines);
    }
}

/// An address outside of the course, to be copied: warpup opens no browser, which the machine may not have.
#[derive(Debug)]
pub(super) struct Address {
    pub(super) address: String,
    pub(super) scroll: Scroll,
}

impl Address {
    pub(super) fn fit(&mut self, body: Rect, theme: Theme) {
        let width = super::frame::column(body).width;
        let said = "This is outside of the course. Open it in a browser:";
        let mut lines = page::paragraph(said, Style::new(), width);
        lines.push(Line::default());
        let mut rest = Some(theme.span(&self.address, Role::Link));
        while let Some(span) = rest {
            let (line, more) = styled::split(&span, usize::from(width));
            lines.push(Line::from(line));
            rest = more;
        }
        self.scroll.set(lines);
        self.scroll.fit(body.height);
    }

    /// The address, if it is whole on one line.
    pub(super) fn hyperlinks(&self, body: Rect) -> Vec<Hyperlink> {
        let lines = self.scroll.lines().get(self.scroll.visible());
        let address = std::slice::from_ref(&self.address);
        hyperlink::on(
            lines.unwrap_or_default(),
            address,
            super::frame::column(body),
        )
    }

    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        super::frame::scrolled(frame, body, &self.scroll, theme);
    }
}

/// The help: the keys of a context, from the table that also dispatches them.
#[derive(Debug)]
pub(super) struct Help {
    context: Context,
    pub(super) scroll: Scroll,
}

impl Help {
    pub(super) fn new(context: Context) -> Self {
        Self {
            context,
            scroll: Scroll::default(),
        }
    }

    pub(super) fn fit(&mut self, session: &Session, body: Rect) {
        let theme = session.theme;
        let mut lines = vec![theme.line("On this screen", Role::Heading)];
        let width = super::frame::column(body).width;
        lines.extend(keys(session.keys.bindings(self.context), width, theme));
        if self.context.has_panes() {
            lines.push(Line::default());
            lines.push(theme.line("Panes", Role::Heading));
            let panes = Pane::ALL.map(|it| (it.word(), it.help()));
            lines.extend(table(panes, width, theme));
            lines.extend(page::paragraph(PANES, Style::new(), width));
        }
        lines.push(Line::default());
        lines.push(theme.line("Everywhere", Role::Heading));
        lines.extend(keys(session.keys.everywhere(self.context), width, theme));
        if self.context == Context::MAP {
            lines.push(Line::default());
            lines.push(theme.line("Bars", Role::Heading));
            lines.extend(page::paragraph(BARS, Style::new(), width));
        }
        if session.settings.mouse {
            lines.push(Line::default());
            lines.push(theme.line("Mouse", Role::Heading));
            lines.extend(page::paragraph(MOUSE, Style::new(), width));
        }
        self.scroll.set(lines);
        self.scroll.fit(body.height);
    }

    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        super::frame::scrolled(frame, body, &self.scroll, theme);
    }
}

/// Keys, and what they do.
fn keys(
    bindings: impl Iterator<Item = Bound>,
    width: u16,
    theme: Theme,
) -> impl Iterator<Item = Line<'static>> {
    let listed = bindings.filter(|it| !it.help.is_empty());
    let listed = listed.map(|it| (it.names(), it.help));
    table(listed, width, theme)
}

/// Names on the left, and on the right what is said of them, wrapped in its own column.
fn table(
    rows: impl IntoIterator<Item = (impl Into<String>, &'static str)>,
    width: u16,
    theme: Theme,
) -> impl Iterator<Item = Line<'static>> {
    let room = usize::from(width).saturating_sub(KEYS).max(1);
    rows.into_iter().flat_map(move |(name, said)| {
        let said = page::paragraph(said, Style::new(), room);
        let names = std::iter::once(Into::into(name)).chain(std::iter::repeat(String::new()));
        names.zip(said).map(move |(name, said)| {
            let name = format!("  {name:<0$}", KEYS - 2);
            let name = theme.span(&name, Role::Key);
            std::iter::once(name).chain(said.spans).collect()
        })
    })
}
